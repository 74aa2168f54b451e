/**
 * Checks the whole journal once a day, in a separate process that mostly sleeps. The result is kept in a file beside
 * the database, and `gantry doctor` shows it.
 */
import { messageOf } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import type { Log } from '../core/log.ts'
import { selfCommand } from '../core/processes/self.ts'
import { Alarm } from '../core/time/alarm.ts'
import { type CheckReport, keepReport, lastReport } from '../store/index.ts'

const EVERY_MS = 24 * 3_600_000
const FIRST_MS = 10 * 60_000 // a daemon that has just started has more urgent work
const AGAIN_MS = 3_600_000 // after a failure

export class JournalCheck {
  readonly #places: Places
  readonly #log: Log
  readonly #next = new Alarm(() => void this.#run())
  #worker: Bun.Subprocess<'pipe', 'pipe', 'ignore'> | undefined

  constructor(places: Places, log: Log, firstMs = FIRST_MS) {
    this.#places = places
    this.#log = log
    this.#next.within(Math.max(firstMs, this.#due()))
  }

  close(): void {
    this.#next.clear()
    this.#worker?.kill('SIGKILL')
  }

  async #run(): Promise<void> {
    const { database, journalCheck } = this.#places
    let again = EVERY_MS
    try {
      const worker = Bun.spawn([...selfCommand(), 'check-worker', database], {
        cwd: '/',
        env: process.env,
        stdin: 'pipe',
        stdout: 'pipe',
        stderr: 'ignore',
      })
      this.#worker = worker
      const text = await new Response(worker.stdout).text()
      if ((await worker.exited) !== 0)
        throw new Error(`it ended with ${worker.signalCode ?? worker.exitCode}`)
      const report = JSON.parse(text) as CheckReport
      keepReport(journalCheck, report)
      for (const problem of report.problems) this.#log.error('store', `the journal is broken: ${problem}`)
    } catch (error) {
      if (this.#worker?.killed) return // by close
      this.#log.warn('store', `the journal could not be looked through: ${messageOf(error)}`)
      again = AGAIN_MS
    }
    this.#worker = undefined
    this.#next.within(again)
  }

  /** Time until the last check is a day old. */
  #due(): number {
    const last = lastReport(this.#places.journalCheck, this.#places.database)
    return last === undefined ? 0 : Math.min(EVERY_MS, last.at + EVERY_MS - Date.now())
  }
}
