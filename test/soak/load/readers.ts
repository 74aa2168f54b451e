/**
 * Whoever reads beside the hooks: a durable subscriber that has to get every event, one that follows, one that is far too
 * slow, and somebody who asks questions, each of which runs in a process of the daemon.
 */
import type { Subprocess } from 'bun'
import { call } from '../../../src/client/index.ts'
import type { Places } from '../../../src/core/files/paths.ts'
import { linesOf } from '../../../src/core/text/line-cutter.ts'
import { envFor, GANTRY } from '../../kit.ts'
import { processes } from '../../litter.ts'

const SLOW_READ_MS = 1_000
const QUESTION_MS = 2_500
const RESTART_MS = 500

export class Readers {
  /** Ids of events that the durable subscriber got. */
  readonly seen = new Set<string>()
  restarts = 0
  #isOver = false
  #at: Places
  #children = new Set<Subprocess>()

  constructor(at: Places) {
    this.#at = at
    void this.#keep(['bus', 'subscribe', '--durable', 'soak', '--since', 'all', '--json'], (out) =>
      this.#collect(out),
    )
    void this.#keep(['events', '--follow', '--json'], drain)
    void this.#keep(['bus', 'subscribe', '--since', 'all', '--json'], (out) => this.#readSlowly(out))
    void this.#ask()
  }

  async stop(): Promise<void> {
    this.#isOver = true
    const ends = [...this.#children].map((child) => child.exited)
    for (const child of this.#children) child.kill('SIGKILL')
    await Promise.all(ends)
  }

  /** Runs it again whenever it ends. */
  async #keep(args: string[], read: (out: ReadableStream<Uint8Array>) => Promise<void>): Promise<void> {
    for (; !this.#isOver; this.restarts++) {
      const child = Bun.spawn([GANTRY, ...args], {
        env: envFor(this.#at, { GANTRY_NO_AUTOSTART: '1' }),
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'ignore',
      })
      this.#children.add(child)
      processes.add(child)
      await Promise.all([read(child.stdout).catch(() => {}), child.exited])
      this.#children.delete(child)
      processes.delete(child)
      if (!this.#isOver) await Bun.sleep(RESTART_MS)
    }
  }

  async #collect(out: ReadableStream<Uint8Array>): Promise<void> {
    for await (const line of linesOf(out)) this.seen.add((JSON.parse(line) as { id: string }).id)
  }

  async #readSlowly(out: ReadableStream<Uint8Array>): Promise<void> {
    for await (const _ of out) await Bun.sleep(SLOW_READ_MS)
  }

  async #ask(): Promise<void> {
    const questions = [
      () => call(this.#at, 'query', { sql: 'SELECT type, count(*) AS n FROM events GROUP BY type' }),
      () => call(this.#at, 'search', { text: 'make test' }),
      () => call(this.#at, 'events.list', { grep: 'production', limit: 50 }),
      () => call(this.#at, 'sessions.list', {}),
    ]
    for (let n = 0; !this.#isOver; n++) {
      await questions[n % questions.length]?.().catch(() => {}) // the daemon may be away, or the process killed
      await Bun.sleep(QUESTION_MS)
    }
  }
}

async function drain(out: ReadableStream<Uint8Array>): Promise<void> {
  for await (const _ of out);
}
