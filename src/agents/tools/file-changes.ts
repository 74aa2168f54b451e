/**
 * Which files a tool call will change or has changed, and how, by the agents' tool names. Only the disk tells what was
 * there before. Shell commands change files, too, but which is unknown.
 */
import { resolve } from 'node:path'
import { patchedFiles } from '../../core/text/patch.ts'
import { wordsLine } from '../../core/text/subject.ts'
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

const WRITERS = toolsThat('write')
const EDITORS = toolsThat('edit')
const PATCHERS = toolsThat('patch')
/** A tool that both views and changes files names the action in its input. */
const CHANGING: ReadonlySet<unknown> = new Set(['create', 'str_replace', 'insert'])
const READERS = toolsThat('read')
export const PATH_FIELDS = ['file_path', 'filePath', 'notebook_path', 'path']
const MAX_FILES = 100 // per call
export const MAX_PATH_CHARS = 4096

export function touchedFiles(event: HookEvent): FileTouch[] {
  const { tool, cwd } = event
  if (!tool) return []
  const input = objectOf(tool.input)
  const found = PATCHERS.has(tool.name)
    ? patched(patchOf(tool.input))
    : [...named(tool.name, input, tool.response), ...mcpFiles(tool)]
  return found
    .filter(({ path }) => path !== '' && path.length <= MAX_PATH_CHARS && !path.includes('\0'))
    .slice(0, MAX_FILES)
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
  const path = PATH_FIELDS.map((field) => input[field]).find((value) => typeof value === 'string')
  if (typeof path !== 'string') return []
  // An edit of an empty text creates the file.
  const isWrite = isWriter || (input.old_string ?? input.oldString) === ''
  return [{ path, how: isWrite ? 'write' : 'edit', ...saidIn(response) }]
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

/** Codex may give the words of a command line: `["apply_patch", "*** Begin Patch …"]`. */
export function patchOf(input: unknown): string {
  if (typeof input === 'string') return input
  const { command, input: text, patch, patchText } = objectOf(input) ?? {}
  const found = [command, text, patch, patchText, input].find(
    (value) => typeof value === 'string' || wordsLine(value) !== undefined,
  )
  return Array.isArray(found) ? found.join('\n') : typeof found === 'string' ? found : ''
}
