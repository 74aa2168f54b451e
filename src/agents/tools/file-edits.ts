/**
 * The exact edits of a tool call that has succeeded: what it wrote, replaced or patched, by the field names of all agents'
 * tools. Where the agent reports the whole file before or after, that is kept, too.
 *
 *   fileEdits(event)   // [{ path: '/w/a.ts', kind: 'edit', pieces: [{ before: 'a', after: 'b' }], original: 'a\n' }]
 */
import { resolve } from 'node:path'
import type { HookEvent } from '../../events/index.ts'
import { objectOf } from '../transcripts/transcript.ts'
import {
  EDITORS,
  MAX_PATH_CHARS,
  MAX_TOUCHED_FILES,
  PATCHERS,
  patchText,
  pathsOf,
  READERS,
  WRITERS,
} from './file-changes.ts'
import { filesIn, type PatchChunk } from './patch.ts'

export interface Piece {
  readonly before: string
  readonly after: string
  /** Everywhere in the file. */
  readonly all?: true
}

export interface FileEdit {
  readonly path: string
  readonly kind: 'write' | 'edit' | 'patch' | 'delete'
  /** The whole file before, as the agent reports it; null if there was none. */
  readonly original?: string | null
  /** The whole file after. */
  readonly content?: string
  readonly pieces?: readonly Piece[]
  readonly chunks?: readonly PatchChunk[]
  /** Text that was put behind a line. */
  readonly insert?: { readonly line: number; readonly text: string }
  /** The text is only a part of what is in the file, and in another form: a notebook's cell. */
  readonly isCell?: true
  /** The file was here before. */
  readonly movedFrom?: string
}

/** Tools that may edit files; some of them only read, depending on their input. */
export const EDITING_TOOLS: readonly string[] = [
  ...new Set([...WRITERS, ...EDITORS, ...PATCHERS, ...READERS]),
]

type Fields = Readonly<Record<string, unknown>>

export function fileEdits({ tool, cwd, type }: HookEvent): FileEdit[] {
  if (!tool || type !== 'PostToolUse' || hasFailed(tool.response)) return []
  const found = PATCHERS.has(tool.name)
    ? patchEdits(patchText(tool.input))
    : named(tool.name, tool.input, tool.response)
  const whole = (path: string) => (cwd === undefined ? path : resolve(cwd, path))
  return found
    .map((edit) => ({
      ...edit,
      path: whole(edit.path),
      ...(edit.movedFrom === undefined ? {} : { movedFrom: whole(edit.movedFrom) }),
    }))
    .filter(({ path }) => path.startsWith('/') && path.length <= MAX_PATH_CHARS && !path.includes('\0'))
    .slice(0, MAX_TOUCHED_FILES)
}

/** Codex 0.166.0 reports an exit code, Copilot 1.0.102 a type, both after the call. */
function hasFailed(response: unknown): boolean {
  if (typeof response === 'string') return /^Exit code: (?!0\b)/.test(response)
  const { resultType } = objectOf(response) ?? {}
  return typeof resultType === 'string' && resultType !== 'success'
}

function patchEdits(patch: string): FileEdit[] {
  return filesIn(patch).flatMap(({ verb, path, movedTo, chunks }): FileEdit[] => {
    if (path === '') return []
    if (verb === 'delete') return [{ path, kind: 'delete' }]
    if (verb === 'add') return [{ path, kind: 'write', original: null, chunks }]
    if (movedTo === undefined || movedTo === '') return [{ path, kind: 'patch', chunks }]
    return [
      { path: movedTo, kind: 'patch', chunks, movedFrom: path },
      { path, kind: 'delete' },
    ]
  })
}

function named(name: string, given: unknown, response: unknown): FileEdit[] {
  const input = objectOf(given)
  const [path = ''] = input ? pathsOf(input) : []
  if (!input || path === '') return []
  const reported = reportedIn(response)
  if (WRITERS.has(name) || (READERS.has(name) && input.command === 'create')) {
    const content = textIn(input, 'content', 'file_text')
    return content === undefined ? [] : [{ path, kind: 'write', ...reported, content }]
  }
  const isChanging = READERS.has(name) && (input.command === 'str_replace' || input.command === 'insert')
  if (!EDITORS.has(name) && !isChanging) return []
  return [{ path, ...editOf(input), ...reported }]
}

function editOf(input: Fields): Pick<FileEdit, 'kind' | 'pieces' | 'insert' | 'original' | 'isCell'> {
  if (input.command === 'insert' && typeof input.insert_line === 'number') {
    return {
      kind: 'edit',
      insert: { line: input.insert_line, text: textIn(input, 'new_str', 'insert_text') ?? '' },
    }
  }
  const source = textIn(input, 'new_source') // the text before is not told
  if (source !== undefined) return { kind: 'edit', pieces: [{ before: '', after: source }], isCell: true }
  const list = Array.isArray(input.edits) ? input.edits.map(objectOf) : [input]
  const pieces = list.flatMap((one) => (one ? pieceOf(one) : []))
  // An edit of an empty text creates the file.
  const [first, ...more] = pieces
  if (first?.before === '' && more.length === 0) return { kind: 'write', original: null, pieces }
  return { kind: 'edit', pieces }
}

function pieceOf(fields: Fields): Piece[] {
  const before = textIn(fields, 'old_string', 'oldString', 'old_str', 'oldText')
  const after = textIn(fields, 'new_string', 'newString', 'new_str', 'newText')
  if (before === undefined || after === undefined) return []
  const isAll = fields.replace_all === true || fields.replaceAll === true || fields.allow_multiple === true
  return [{ before, after, ...(isAll ? { all: true } : {}) }]
}

/** Claude Code and Gemini CLI report the file before; Gemini CLI and notebooks also the file after. */
function reportedIn(response: unknown): Pick<FileEdit, 'original' | 'content'> {
  const fields = objectOf(response) ?? {}
  const display = objectOf(fields.returnDisplay) ?? {}
  const original = textIn(fields, 'originalFile', 'original_file') ?? textIn(display, 'originalContent')
  const content = textIn(fields, 'updated_file') ?? textIn(display, 'newContent')
  const isNew =
    fields.type === 'create' || display.isNewFile === true || objectOf(fields.metadata)?.exists === false
  return {
    ...(isNew ? { original: null } : original === undefined ? {} : { original }),
    ...(content === undefined ? {} : { content }),
  }
}

function textIn(fields: Fields, ...names: readonly string[]): string | undefined {
  const found = names.map((name) => fields[name]).find((value) => typeof value === 'string')
  return typeof found === 'string' ? found : undefined
}
