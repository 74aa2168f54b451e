/** A bar for work that takes a while, on stderr and only where somebody sits: `[█████     ]  48 %  480,000 events`. */
const WIDTH = 30
const EVERY_MS = 100

export interface Progress {
  at(done: number, total: number): void
  end(): void
}

export function progressOf(what: string): Progress {
  if (!process.stderr.isTTY) return { at() {}, end() {} }
  let shownAt = 0
  return {
    at: (done, total) => {
      const now = performance.now()
      if (now - shownAt < EVERY_MS) return
      shownAt = now
      const share = total === 0 ? 1 : Math.min(1, done / total)
      const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH)
      const percent = String(Math.floor(share * 100)).padStart(3)
      process.stderr.write(`\r[${bar}] ${percent} %  ${done.toLocaleString('en')} ${what}`)
    },
    end: () => process.stderr.write('\r\u001b[K'),
  }
}
