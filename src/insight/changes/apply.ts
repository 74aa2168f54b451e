/** What an edit makes of a file, and its diff. */
import { structuredPatch } from 'diff'
import { addedText, type FileEdit, type Piece, patchedText, unpatchedText } from '../../agents/index.ts'
import type { ChangeHunk } from '../../client/index.ts'

/** A file's text; null if there is none, undefined if it is not known. */
export type Text = string | null | undefined

export function after(edit: FileEdit, before: Text): Text {
  if (edit.kind === 'delete') return null
  if (edit.content !== undefined) return edit.content
  if (edit.kind === 'write') return edit.chunks ? addedText(edit.chunks) : edit.pieces?.[0]?.after
  if (typeof before !== 'string') return undefined
  if (edit.insert) return inserted(before, edit.insert)
  if (edit.chunks) return patchedText(before, edit.chunks)
  return edit.pieces ? replaced(before, edit.pieces) : undefined
}

/** What the file was before the edit; undefined if the edit is not in it. */
export function undone(edit: FileEdit, text: string): string | undefined {
  if (edit.chunks) return unpatchedText(text, edit.chunks)
  const pieces = edit.pieces?.toReversed().map(({ before, after, all }): Piece => {
    return { before: after, after: before, ...(all ? { all } : {}) }
  })
  if (pieces) return replaced(text, pieces)
  return edit.insert && text.includes(edit.insert.text) ? text.replace(edit.insert.text, () => '') : undefined
}

function inserted(text: string, { line, text: more }: NonNullable<FileEdit['insert']>): string {
  const lines = text.split('\n')
  const at = Math.max(0, Math.min(line, lines.length))
  return [...lines.slice(0, at), ...more.replace(/\n$/, '').split('\n'), ...lines.slice(at)].join('\n')
}

function replaced(text: string, pieces: readonly Piece[]): string | undefined {
  let now = text
  for (const { before, after, all } of pieces) {
    if (before === '') continue // a deletion that is undone: nobody knows where
    if (!now.includes(before)) return undefined
    now = all ? now.split(before).join(after) : now.replace(before, () => after)
  }
  return now
}

const MAX_DIFF_CHARS = 400_000 // both sides
const DIFF_MS = 250
const CONTEXT = 3

/** Undefined if it takes too long. */
export function diffOf(before: string, now: string): ChangeHunk[] | undefined {
  if (before.length + now.length > MAX_DIFF_CHARS) return undefined
  if (before === '' || now === '') return wholly(before, now)
  const patch = structuredPatch('', '', before, now, undefined, undefined, {
    context: CONTEXT,
    timeout: DIFF_MS,
  })
  return patch?.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    ...{ oldStart, oldLines, newStart, newLines, lines },
  }))
}

function wholly(before: string, now: string): ChangeHunk[] {
  const lines = [...linesOf(before).map((line) => `-${line}`), ...linesOf(now).map((line) => `+${line}`)]
  if (lines.length === 0) return []
  const [oldLines, newLines] = [linesOf(before).length, linesOf(now).length]
  return [{ oldStart: oldLines === 0 ? 0 : 1, oldLines, newStart: newLines === 0 ? 0 : 1, newLines, lines }]
}

/** A diff of the pieces alone: their place in the file is unknown. */
export function pieceHunks(edit: FileEdit): ChangeHunk[] {
  if (edit.chunks) {
    return edit.chunks.map(({ lines }) => ({
      ...{ oldStart: 0, newStart: 0, lines },
      oldLines: lines.filter((line) => line[0] !== '+').length,
      newLines: lines.filter((line) => line[0] !== '-').length,
    }))
  }
  if (edit.insert) return nowhere(wholly('', edit.insert.text))
  if (edit.pieces) return nowhere(edit.pieces.flatMap(({ before, after }) => diffOf(before, after) ?? []))
  return edit.content === undefined ? [] : wholly('', edit.content)
}

function nowhere(hunks: readonly ChangeHunk[]): ChangeHunk[] {
  return hunks.map((hunk) => ({ ...hunk, oldStart: 0, newStart: 0 }))
}

function linesOf(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}
