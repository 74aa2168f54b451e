/** What a session changed, by prompt and by file. Pure. */
import type { CallResult } from '../../../client/index.ts'
import { type Row, rowsOf } from './lines.ts'

export type Changes = CallResult<'sessions.changes'>
export type ChangedFile = Changes['files'][number]
export type Edit = ChangedFile['edits'][number]
type Disk = ChangedFile['disk']

/** The words about a file's place on the disk, and whether they want attention. */
export const DISK_WORDS: Readonly<
  Record<Disk, { readonly words: string; readonly tone: string; readonly title: string }>
> = {
  same: { words: 'as on disk', tone: 'quiet', title: 'The file is what these edits left' },
  changed: {
    words: 'changed since',
    tone: 'need',
    title: 'Somebody or something changed the file after these edits',
  },
  gone: { words: 'gone', tone: 'error', title: 'The file is not on the disk any more' },
  unknown: { words: 'not checked', tone: 'quiet', title: 'The journal does not know the whole file' },
}

const known = new WeakMap<object, readonly Row[]>()

/** A diff is made once for each edit. */
export function rowsOfEdit(edit: Edit): readonly Row[] {
  const rows = known.get(edit) ?? rowsOf(edit)
  known.set(edit, rows)
  return rows
}

/** Of the whole session: from before its first edit to after its last; undefined where that is not known. */
export function netRows({ net }: ChangedFile): readonly Row[] | undefined {
  if (!net) return undefined
  const rows = known.get(net) ?? rowsOf({ hunks: net })
  known.set(net, rows)
  return rows
}

interface PromptRow {
  readonly seq: number
  readonly at: number
  readonly text: string
  readonly files: number
  readonly added: number
  readonly removed: number
}

export function promptRows({ prompts, files }: Changes): readonly PromptRow[] {
  return prompts.map(({ seq, at, text }) => ({ seq, at, text, ...sumOf(files, seq) }))
}

export function sumOf(
  files: readonly ChangedFile[],
  prompt: number | undefined,
): { readonly files: number; readonly added: number; readonly removed: number } {
  let [count, added, removed] = [0, 0, 0]
  for (const file of files) {
    const edits = editsOf(file, prompt)
    if (edits.length === 0) continue
    count += 1
    if (prompt === undefined) {
      added += file.added
      removed += file.removed
    } else
      for (const edit of edits) {
        added += edit.added
        removed += edit.removed
      }
  }
  return { files: count, added, removed }
}

/** Of one prompt, or all. */
export function editsOf({ edits }: ChangedFile, prompt: number | undefined): readonly Edit[] {
  return prompt === undefined ? edits : edits.filter(({ promptSeq }) => promptSeq === prompt)
}

export function sumOfEdits(edits: readonly Edit[]): { readonly added: number; readonly removed: number } {
  return {
    added: edits.reduce((sum, { added }) => sum + added, 0),
    removed: edits.reduce((sum, { removed }) => sum + removed, 0),
  }
}

/** −0 is no news. */
export function countWords(added: number, removed: number): string {
  return [added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : ''].filter(Boolean).join(' ') || '±0'
}
