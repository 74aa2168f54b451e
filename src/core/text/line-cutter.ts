/**
 * Cuts lines out of a stream of bytes. Only a line feed ends one. A line's parts are joined when it ends: to join each chunk
 * with what came before takes quadratic time for a long line.
 *
 *   for await (const line of linesOf(child.stdout)) …
 */
export class LineCutter {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #size = 0

  /** A line that spans chunks is cut, not much behind this many bytes. */
  constructor(maxBytes = Number.POSITIVE_INFINITY) {
    this.#maxBytes = maxBytes
  }

  /** The lines that end in this chunk, whose memory may be used again afterwards. */
  push(chunk: Uint8Array): string[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    const lines: string[] = []
    let begin = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, begin)) {
      lines.push(this.#take(bytes.subarray(begin, end)))
      begin = end + 1
    }
    if (begin < bytes.length && this.#size < this.#maxBytes) {
      this.#parts.push(Buffer.from(bytes.subarray(begin)))
      this.#size += bytes.length - begin
    }
    return lines
  }

  /** What stands behind the last line feed. */
  last(): string {
    return this.#take(Buffer.alloc(0))
  }

  #take(end: Buffer): string {
    if (this.#parts.length === 0) return end.toString('utf8')
    const line = Buffer.concat([...this.#parts, end]).toString('utf8')
    this.#parts = []
    this.#size = 0
    return line
  }
}

/** The whole lines of a stream. With `keepLast`, also what stands behind the last line feed. */
export async function* linesOf(
  stream: AsyncIterable<Uint8Array>,
  { maxBytes, keepLast = false }: { readonly maxBytes?: number; readonly keepLast?: boolean } = {},
): AsyncGenerator<string, void> {
  const cutter = new LineCutter(maxBytes)
  for await (const chunk of stream) yield* cutter.push(chunk)
  const last = keepLast ? cutter.last() : ''
  if (last !== '') yield last
}
