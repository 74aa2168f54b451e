/**
 * What a tool call runs, reads and writes, by the agents' own names of their tools and of the fields of their input.
 *
 *   shellLine({ name: 'shell', input: { command: ['bash', '-lc', 'ls'] } })   // { line: 'bash -lc ls', isSh: true }
 */
import { resolve } from 'node:path'
import { wordsLine } from '../core/text/subject.ts'
import { shellWord } from '../core/text/text.ts'
import type { HookTool } from '../events/index.ts'
import { toolsThat } from './facts.ts'
import { objectOf } from './transcript.ts'

const SH = toolsThat('shell')
const SHELLS = toolsThat('shell', 'otherShell')
const READERS = toolsThat('read')
const FOLDER_FIELDS = ['workdir', 'dir_path', 'directory', 'cwd']
const PATH_FIELDS = ['file_path', 'filePath', 'notebook_path', 'absolute_path', 'path']
/** What is written, with all agents. Words of the model about it are not among them. */
const TEXT_FIELDS = [
  'content',
  'new_string',
  'newString',
  'new_str',
  'file_text',
  'new_source',
  'patch',
  'patchText',
  'input',
  'command',
]

export interface ShellLine {
  readonly line: string
  /** The folder that the call names, if it names one. */
  readonly folder?: string
  /** Whether it is a command line of sh. */
  readonly isSh: boolean
}

/** The command line that a tool of a shell is about to run; nothing for other tools. */
export function shellLine({ name, input }: HookTool): ShellLine | undefined {
  if (!SHELLS.has(name)) return undefined
  const fields = objectOf(input)
  const command = fields ? (fields.command ?? fields.cmd) : input
  const words = wordsLine(command) === undefined ? undefined : (command as readonly string[])
  const line = words ? words.map(shellWord).join(' ') : typeof command === 'string' ? command : ''
  const folder = FOLDER_FIELDS.map((field) => fields?.[field]).find((value) => typeof value === 'string')
  return { line, isSh: SH.has(name), ...(typeof folder === 'string' && folder !== '' ? { folder } : {}) }
}

/** Files that a tool is about to read. */
export function readFiles({ name, input }: HookTool, cwd: string): string[] {
  if (!READERS.has(name)) return []
  const fields = objectOf(input)
  return PATH_FIELDS.map((field) => fields?.[field])
    .filter((value) => typeof value === 'string')
    .map((path) => resolve(cwd, path))
}

/** The text that a tool is about to write into files. */
export function writtenText({ input }: HookTool): string {
  if (typeof input === 'string') return input
  const fields = objectOf(input) ?? {}
  const edits = Array.isArray(fields.edits) ? fields.edits.map(objectOf) : []
  return [fields, ...edits]
    .flatMap((from) => TEXT_FIELDS.map((field) => from?.[field]))
    .filter((value) => typeof value === 'string')
    .join('\n')
}
