/** A progress line: updated in place on a terminal, printed every half minute elsewhere. */
import type { Seen } from './test-output.ts'

const QUIET_MS = 30_000
const REDRAW_MS = 100

export class TestProgress {
  readonly #start = performance.now()
  readonly #isTerminal = process.stdout.isTTY === true
  #toldAt = performance.now()

  constructor(title: string) {
    console.log(`\n${title}`)
  }

  show(seen: Seen, file: string): void {
    const now = performance.now()
    if (now - this.#toldAt < (this.#isTerminal ? REDRAW_MS : QUIET_MS)) return
    this.#toldAt = now
    const line = `  ${this.#counts(seen)} · ${file}`
    if (!this.#isTerminal) console.log(line)
    else process.stdout.write(`\r\x1b[2K${line.slice(0, (process.stdout.columns ?? 80) - 1)}`)
  }

  /** A line that stays. */
  say(line: string): void {
    if (this.#isTerminal) process.stdout.write('\r\x1b[2K')
    console.log(line)
  }

  end(seen: Seen): void {
    this.say(`  ${this.#counts(seen)}`)
  }

  #counts({ passed, failed, skipped }: Seen): string {
    const seconds = Math.round((performance.now() - this.#start) / 1000)
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    const words = [`${time}`, `${passed} ok`]
    if (failed > 0) words.push(`${failed} not`)
    if (skipped > 0) words.push(`${skipped} skipped`)
    return words.join(' · ')
  }
}
