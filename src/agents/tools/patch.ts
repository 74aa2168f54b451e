/**
 * The patch format of Codex, Copilot and opencode: `*** Update File: path`, then chunks of lines. A chunk names no line
 * numbers, only the lines around it.
 *
 *   patchedText('a\nb\n', filesIn(patch)[0]?.chunks ?? [])   // the text after it; undefined if it does not fit
 */
export interface PatchChunk {
  /** The line after `@@`, behind which the chunk is. */
  readonly behind?: string
  /** With ' ', '-' or '+' before them. */
  readonly lines: readonly string[]
}

interface PatchFile {
  readonly verb: 'add' | 'update' | 'delete'
  readonly path: string
  readonly movedTo?: string
  readonly chunks: readonly PatchChunk[]
}

const HEADER = /^\*\*\* (Add|Update|Delete) File: (.+)$/
const MOVE = /^\*\*\* Move to: (.+)$/

export function filesIn(patch: string): PatchFile[] {
  const files: (Omit<PatchFile, 'chunks' | 'movedTo'> & { movedTo?: string; chunks: Chunk[] })[] = []
  const [body = ''] = patch.split(/^\*\*\* End Patch/m, 1)
  for (const line of body
    .replace(/\n$/, '')
    .split('\n')
    .map((one) => one.replace(/\r$/, ''))) {
    const [, verb, path = ''] = HEADER.exec(line) ?? []
    const file = files.at(-1)
    const [, target] = MOVE.exec(line) ?? []
    if (verb) files.push({ verb: verb.toLowerCase() as PatchFile['verb'], path: path.trim(), chunks: [] })
    else if (!file || line.startsWith('***')) {
      if (file && target !== undefined) file.movedTo = target.trim()
    } else if (line.startsWith('@@')) file.chunks.push(chunkBehind(line.slice(2).trim()))
    else take(file.chunks, line)
  }
  return files.map((file) => ({ ...file, chunks: file.chunks.filter(({ lines }) => lines.length > 0) }))
}

type Chunk = { behind?: string; lines: string[] }

function chunkBehind(behind: string): Chunk {
  return behind === '' ? { lines: [] } : { behind, lines: [] }
}

function take(chunks: Chunk[], line: string): void {
  if (chunks.length === 0) {
    if (line === '') return
    chunks.push({ lines: [] })
  }
  // An empty line of context may lose its space.
  if (line === '' || /^[ +-]/.test(line)) chunks.at(-1)?.lines.push(line === '' ? ' ' : line)
}

function oldLines({ lines }: PatchChunk): string[] {
  return lines.filter((line) => line[0] !== '+').map((line) => line.slice(1))
}

function newLines({ lines }: PatchChunk): string[] {
  return lines.filter((line) => line[0] !== '-').map((line) => line.slice(1))
}

/** The content of a file that the patch adds. */
export function addedText(chunks: readonly PatchChunk[]): string {
  const lines = chunks.flatMap(newLines)
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

export function patchedText(text: string, chunks: readonly PatchChunk[]): string | undefined {
  return replaced(text, chunks, oldLines, newLines)
}

/** The text before the patch. */
export function unpatchedText(text: string, chunks: readonly PatchChunk[]): string | undefined {
  return replaced(text, chunks, newLines, oldLines)
}

type Side = (chunk: PatchChunk) => string[]

function replaced(text: string, chunks: readonly PatchChunk[], from: Side, to: Side): string | undefined {
  const lines = text.split('\n')
  let cursor = 0
  for (const chunk of chunks) {
    if (chunk.behind !== undefined) {
      const at = lines.findIndex((line, n) => n >= cursor && line.trim() === chunk.behind)
      if (at >= 0) cursor = at + 1
    }
    const [out, into] = [from(chunk), to(chunk)]
    // Without lines to find, it is behind that line, or at the end.
    const at = out.length > 0 ? find(lines, out, cursor) : chunk.behind === undefined ? endOf(lines) : cursor
    if (at < 0) return undefined
    lines.splice(at, out.length, ...into)
    cursor = at + into.length
  }
  return lines.join('\n')
}

function endOf(lines: readonly string[]): number {
  return lines.at(-1) === '' ? lines.length - 1 : lines.length
}

/** Exactly first, then without the spaces at the ends of lines. */
function find(lines: readonly string[], wanted: readonly string[], from: number): number {
  for (const form of [(line: string) => line, (line: string) => line.trimEnd()]) {
    for (let at = from; at + wanted.length <= lines.length; at++)
      if (wanted.every((line, n) => form(lines[at + n] ?? '') === form(line))) return at
  }
  return -1
}
