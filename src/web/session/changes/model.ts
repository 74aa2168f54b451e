/** What a session changed, by prompt and by file. Pure. */
import { countsOf, type Hunk, type Line, linesOf } from './lines.ts'

export interface Prompt {
  readonly seq?: number
  readonly at: number
  readonly text: string
}

export interface Edit {
  readonly seq: number
  readonly at: number
  readonly promptSeq?: number
  readonly tool: string
  readonly agentId?: string
  readonly kind: 'write' | 'edit' | 'patch' | 'delete'
  readonly before?: string
  readonly after?: string
  readonly hunks?: readonly Hunk[]
}

export type Disk = 'same' | 'changed' | 'gone' | 'unknown'

export interface ChangedFile {
  readonly path: string
  readonly rel: string
  readonly edits: readonly Edit[]
  readonly disk: Disk
  readonly added: number
  readonly removed: number
}

export interface Changes {
  readonly prompts: readonly Prompt[]
  readonly files: readonly ChangedFile[]
  /** There are earlier ones. */
  readonly cut: boolean
}

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

const known = new WeakMap<Edit, readonly Line[]>()

/** A diff is made once for each edit. */
export function linesOfEdit(edit: Edit): readonly Line[] {
  const lines = known.get(edit) ?? linesOf(edit)
  known.set(edit, lines)
  return lines
}

export interface PromptRow {
  /** Undefined for the whole session. */
  readonly seq: number | undefined
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
        const counts = countsOf(linesOfEdit(edit))
        added += counts.added
        removed += counts.removed
      }
  }
  return { files: count, added, removed }
}

/** Of one prompt, or all. */
export function editsOf({ edits }: ChangedFile, prompt: number | undefined): readonly Edit[] {
  return prompt === undefined ? edits : edits.filter(({ promptSeq }) => promptSeq === prompt)
}

/** −0 is no news. */
export function countWords(added: number, removed: number): string {
  return [added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : ''].filter(Boolean).join(' ') || '±0'
}
