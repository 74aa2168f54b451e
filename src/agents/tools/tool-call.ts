/**
 * What a tool call runs, reads and writes, by the agents' own names of their tools and of the fields of their input.
 *
 *   shellLine({ name: 'shell', input: { command: ['bash', '-lc', 'ls'] } })   // { line: 'bash -lc ls', lines: ['bash -lc ls'], isSh: true }
 */
import { resolve } from 'node:path'
import { FILE_FIELDS, wordsLine } from '../../core/text/subject.ts'
import { shellWord } from '../../core/text/text.ts'
import type { HookTool } from '../../events/index.ts'
import { toolsThat } from '../facts.ts'
import { objectOf } from '../transcripts/transcript.ts'
import { mcpCommands, mcpReads } from './mcp-call.ts'
import { isMcpTool } from './mcp-name.ts'

const SH = toolsThat('shell', 'typing')
const SHELLS = toolsThat('shell', 'otherShell', 'typing')
const TYPING = toolsThat('typing')
const READERS = toolsThat('read')
const SEARCHERS = toolsThat('search')
const FOLDER_FIELDS = ['workdir', 'dir_path', 'directory', 'cwd']
/** Fields with the text that a tool writes, of all agents; fields with remarks of the model are left out. */
const TEXT_FIELDS = [
  'content',
  'new_string',
  'newString',
  'new_str',
  'file_text',
  'newText',
  'text',
  'new_source',
  'patch',
  'patchText',
  'input',
  'command',
]

export interface ShellLine {
  readonly line: string
  /** Of each field by itself: agents skip the fields that their tool does not have, so any of them may be the one that runs. */
  readonly lines: readonly string[]
  /** The folder that the call names, if it names one. */
  readonly folder?: string
  /** Whether it is a command line of sh. */
  readonly isSh: boolean
}

/** The command line that a tool of a shell is about to run; nothing for other tools. */
export function shellLine(tool: HookTool): ShellLine | undefined {
  const { name, input } = tool
  const fields = objectOf(input)
  const isMcp = fields !== undefined && isMcpTool(name)
  if (!SHELLS.has(name) && !isMcp) return undefined
  const given = isMcp ? mcpCommands(fields) : TYPING.has(name) ? typedTexts(fields) : ownCommands(input)
  if (isMcp && given.length === 0) return undefined
  const lines = [...new Set(given.map(lineOf).filter(Boolean))]
  const folder = FOLDER_FIELDS.map((field) => fields?.[field]).find((value) => typeof value === 'string')
  return {
    line: lines.join('\n'),
    lines,
    isSh: isMcp || SH.has(name),
    ...(typeof folder === 'string' && folder !== '' ? { folder } : {}),
  }
}

function ownCommands(input: unknown): readonly unknown[] {
  const fields = objectOf(input)
  return fields ? [fields.command, fields.cmd] : [input]
}

/** Of a text, or of its words. */
function lineOf(command: unknown): string {
  if (Array.isArray(command) && wordsLine(command) !== undefined) return command.map(shellWord).join(' ')
  return typeof command === 'string' ? command : ''
}

/** Text for a running shell: Copilot writes keys as `{enter}` (1.0.102), Codex sends characters. */
function typedTexts(fields: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  return [fields?.input, fields?.chars, fields?.text]
    .filter((text) => typeof text === 'string')
    .map((text) =>
      text
        .replace(/\{enter\}|\r/gi, '\n')
        .replace(/\{(?:up|down|left|right|backspace|tab|esc|ctrl\+\w)\}/gi, ''),
    )
}

interface ReadPath {
  readonly path: string
  /** All that is in the folder. */
  readonly recursive: boolean
  /** Only names are shown, and nothing of what is in the files. */
  readonly namesOnly: boolean
}

/** Files and folders that a tool is about to read. */
export function readFiles(tool: HookTool, cwd: string): ReadPath[] {
  const { name, input } = tool
  const fields = objectOf(input)
  const texts = (names: readonly string[]) =>
    names.map((field) => fields?.[field]).filter((value) => typeof value === 'string')
  if (READERS.has(name))
    return texts(FILE_FIELDS).map((path) => ({
      path: resolve(cwd, path),
      recursive: false,
      namesOnly: false,
    }))
  if (SEARCHERS.has(name)) {
    const namesOnly = !/grep|search/i.test(name)
    const globs = texts(GLOB_FIELDS).concat(namesOnly ? texts(['pattern']) : [])
    const folders = texts(SEARCH_FIELDS)
    return [
      ...folders.map((path) => ({ path: resolve(cwd, path), recursive: true, namesOnly })),
      ...globs.map((glob) => ({ path: resolve(cwd, folders[0] ?? '', glob), recursive: true, namesOnly })),
    ]
  }
  return mcpReads(tool).map((path) => ({ path: resolve(cwd, path), recursive: false, namesOnly: false }))
}

const SEARCH_FIELDS = ['path', 'dir_path', 'directory', 'file_path']
const GLOB_FIELDS = ['glob', 'include', 'include_pattern']

/** The text that a tool is about to write into files. */
export function writtenText({ input }: HookTool): string {
  if (typeof input === 'string') return input
  const fields = objectOf(input) ?? {}
  const edits = Array.isArray(fields.edits) ? fields.edits.map(objectOf) : []
  return [fields, ...edits]
    .flatMap((from) => TEXT_FIELDS.map((field) => from?.[field]))
    .map((value) => wordsLine(value) ?? value)
    .filter((value) => typeof value === 'string')
    .join('\n')
}
