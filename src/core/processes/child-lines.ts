/**
 * What a child process says: lines of JSON on a socket of their own, which can be read at once, without a turn of the event
 * loop. What is no such line is ignored.
 *
 *   const child = Bun.spawn(argv, { stdio: ['ignore', 'ignore', 'pipe', 'ignore', 'pipe'] })
 *   const lines = new ChildLines(child.stdio[LINES_FD], (message) => …)   // as they come
 *   lines.read()                                                          // those that are there by now
 *
 *   sayLine({ loaded: 1 })   // in the child
 */
import { readSync, writeSync } from 'node:fs'
import { objectIn } from '../json.ts'
import { LineCutter } from '../text/line-cutter.ts'

/** The child's end. */
export const LINES_FD = 4

const BUFFER = Buffer.alloc(64 * 1024)

export class ChildLines {
  readonly #hear: (message: object) => void
  readonly #cutter = new LineCutter()
  /** Undefined once it is closed: the number may be another file's then. */
  #fd: number | undefined

  constructor(fd: number, hear: (message: object) => void) {
    this.#fd = fd
    this.#hear = hear
    const socket = {
      data: (_: unknown, chunk: Uint8Array) => this.#take(chunk),
      close: () => {
        this.#fd = undefined
      },
      error: () => {},
    }
    // Bun takes a descriptor, but not in its types (1.4.4).
    const opening = Bun.connect({ fd, socket } as unknown as Bun.UnixSocketOptions)
    void opening.then((open) => open.unref()).catch(() => {})
  }

  read(): void {
    if (this.#fd === undefined) return
    try {
      this.#take(BUFFER.subarray(0, readSync(this.#fd, BUFFER)))
    } catch {
      // nothing is there
    }
  }

  #take(chunk: Uint8Array): void {
    for (const line of this.#cutter.push(chunk)) {
      const message = objectIn(line)
      if (message) this.#hear(message)
    }
  }
}

/** Blocks while the parent does not read. */
export function sayLine(message: object): void {
  writeSync(LINES_FD, `${JSON.stringify(message)}\n`)
}
