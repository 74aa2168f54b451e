/** A progress bar on stderr, only on a terminal: `[█████     ]   48%  480,000 events`. */
import { percentWords } from '../../core/text/amount.ts'

const WIDTH = 30
const BESIDE = 34 // columns of percentage, count and what is counted
const EVERY_MS = 100

export interface Progress {
  at(done: number, total: number): void
  end(): void
}

export function progressOf(what: string): Progress {
  if (!process.stderr.isTTY || process.env.TERM === 'dumb') return { at() {}, end() {} }
  let shownAt = 0
  return {
    at: (done, total) => {
      const now = performance.now()
      if (now - shownAt < EVERY_MS) return
      shownAt = now
      const share = total === 0 ? 1 : Math.min(1, done / total)
      // A line wider than the terminal could not be overwritten.
      const width = Math.max(0, Math.min(WIDTH, (process.stderr.columns || 80) - BESIDE))
      const bar = '█'.repeat(Math.round(share * width)).padEnd(width)
      const percent = percentWords(Math.floor(share * 100)).padStart(4)
      process.stderr.write(`\r[${bar}] ${percent}  ${done.toLocaleString('en')} ${what}`)
    },
    end: () => process.stderr.write('\r\u001b[K'),
  }
}
