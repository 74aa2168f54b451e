/**
 * Which files a tool call will change or has changed, and how, by the agents' tool names. Only the disk tells what was
 * there before. Shell commands change files, too, but which is unknown.
 */
import { resolve } from 'node:path'
import { patchedFiles } from '../../core/text/patch.ts'
import { FILE_FIELDS, wordsLine } from '../../core/text/subject.ts'
import type { FileChangeKind, HookEvent } from '../../events/index.ts'
import { toolsThat } from '../facts.ts'
import { objectOf } from '../transcripts/transcript.ts'
import { mcpFiles } from './mcp-call.ts'

export interface FileTouch {
  readonly path: string
  /** `write` creates the file or replaces all of it. */
  readonly how: 'write' | 'edit' | 'delete'
  /** What the agent reports after the call: whether the file existed before. */
  readonly said?: Extract<FileChangeKind, 'created' | 'modified'>
}

export const WRITERS = toolsThat('write')
export const EDITORS = toolsThat('edit')
export const PATCHERS = toolsThat('patch')
/** A tool that both views and changes files names the action in its input. */
const CHANGING: ReadonlySet<unknown> = new Set(['create', 'str_replace', 'insert'])
export const READERS = toolsThat('read')
export const MAX_TOUCHED_FILES = 100 // per call
export const MAX_PATH_CHARS = 4096

export function touchedFiles({ tool, cwd }: Pick<HookEvent, 'tool' | 'cwd'>): FileTouch[] {
  if (!tool) return []
  const input = objectOf(tool.input)
  const found = PATCHERS.has(tool.name)
    ? patched(patchText(tool.input))
    : [...named(tool.name, input, tool.response), ...mcpFiles(tool)]
  return found
    .filter(({ path }) => path !== '' && path.length <= MAX_PATH_CHARS && !path.includes('\0'))
    .slice(0, MAX_TOUCHED_FILES)
    .flatMap((touch) => {
      const path = cwd === undefined ? touch.path : resolve(cwd, touch.path)
      return path.startsWith('/') ? [{ ...touch, path }] : []
    })
}

function named(
  name: string,
  input: Readonly<Record<string, unknown>> | undefined,
  response: unknown,
): FileTouch[] {
  const isChanging = READERS.has(name) && CHANGING.has(input?.command)
  const isWriter = WRITERS.has(name) || (isChanging && input?.command === 'create')
  if (!input || (!isWriter && !isChanging && !EDITORS.has(name))) return []
  // An edit of an empty text creates the file.
  const isWrite = isWriter || (input.old_string ?? input.oldString) === ''
  // Agents skip the fields that their tool does not have: any of these may be the one that counts.
  return pathsOf(input).map((path) => ({ path, how: isWrite ? 'write' : 'edit', ...saidIn(response) }))
}

export function pathsOf(input: Readonly<Record<string, unknown>>): string[] {
  const found = FILE_FIELDS.map((field) => input[field]).filter((value) => typeof value === 'string')
  return [...new Set(found)]
}

/** Claude Code reports a type, Gemini CLI a flag. */
function saidIn(response: unknown): Pick<FileTouch, 'said'> {
  const { type, returnDisplay } = objectOf(response) ?? {}
  const isNew = objectOf(returnDisplay)?.isNewFile
  if (type === 'create' || isNew === true) return { said: 'created' }
  return type === 'update' || isNew === false ? { said: 'modified' } : {}
}

function patched(patch: string): FileTouch[] {
  return patchedFiles(patch).map(({ path, how, isNew }) => ({ path, how, ...(isNew && { said: 'created' }) }))
}

/**
 * The patch that a patch tool is given. Codex may give the words of a command line: `["apply_patch", "*** Begin Patch …"]`. Of
 * several fields any may be the one that counts.
 */
export function patchText(input: unknown): string {
  if (typeof input === 'string') return input
  const { command, input: text, patch, patchText: given } = objectOf(input) ?? {}
  return [command, text, patch, given, input]
    .map((value) => (Array.isArray(value) && wordsLine(value) !== undefined ? value.join('\n') : value))
    .filter((value) => typeof value === 'string')
    .join('\n')
}
