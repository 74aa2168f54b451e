/**
 * Calls from the page: `POST /api/call`. All other calls are refused: a page reads, marks, and
 * tries out. It never changes who answers hooks; and permissions are answered with a device's signature (answers.ts).
 */
import type { RpcRegistry } from '../../rpc/index.ts'
import { encodedAnswer, refusal } from './headers.ts'

const READS = [
  'status',
  'doctor',
  'counters',
  'coverage',
  'config.show',
  'sessions.list',
  'sessions.get',
  'sessions.why',
  'sessions.transcript',
  'sessions.usage',
  'sessions.files',
  'sessions.activity',
  'sessions.timeline',
  'sessions.changes',
  'files.recent',
  'events.list',
  'events.get',
  'events.page',
  'events.tools',
  'events.contexts',
  'insights',
  'search',
  'rules.list',
  'rules.why',
  'guards.list',
  'budgets.list',
  'approvals.list',
  'approvals.get',
  'bus.status',
  'bus.consumers',
  'bus.handlers',
  'bus.deadLetters',
  'bus.webhooks',
  'fleet.sessions',
  'schema.shapes',
  'schema.diff',
  'schema.drifts',
  'notify.log',
  'effort.list',
  'effort.get',
  'task.list',
  'fleet.status',
  'web.devices',
]

const ACTIONS = [
  'sessions.seen',
  'sessions.rename',
  'tmux.jump',
  'bus.deadLetters.requeue',
  'bus.deadLetters.drop',
  'schema.baseline',
  'rules.test',
  'rules.rehearse',
  'demo.start',
  'demo.stop',
]

export const PAGE_CALLS: ReadonlySet<string> = new Set([...READS, ...ACTIONS])

const MAX_RUNNING = 8
const MAX_WAITING = 64

/** At most one call begins in a turn of the event loop: hooks are read and answered in between, however many pages ask. */
export class PageCalls {
  readonly #rpc: RpcRegistry
  readonly #waiting: (() => void)[] = []
  #running = 0
  #isScheduled = false

  constructor(rpc: RpcRegistry) {
    this.#rpc = rpc
  }

  async make(said: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Response> {
    const { cmd, args = {} } = said
    if (typeof cmd !== 'string' || !PAGE_CALLS.has(cmd))
      return refusal(403, 'PERMISSION', 'The page may not make this call. Use the command line.')
    if (this.#waiting.length >= MAX_WAITING) return refusal(503, 'BUSY', 'too many calls wait; try again')
    await new Promise<void>((begin) => {
      this.#waiting.push(begin)
      this.#schedule()
    })
    try {
      if (signal.aborted) return refusal(503, 'BUSY', 'the caller hung up')
      return encodedAnswer(await this.#rpc.call({ cmd, args }, { signal }))
    } finally {
      this.#running -= 1
      this.#schedule()
    }
  }

  #schedule(): void {
    if (this.#isScheduled || this.#running >= MAX_RUNNING || this.#waiting.length === 0) return
    this.#isScheduled = true
    // Through the timers, too: sockets are read between two of these.
    setTimeout(() => {
      this.#isScheduled = false
      this.#running += 1
      this.#waiting.shift()?.()
      this.#schedule()
    }, 0)
  }
}
