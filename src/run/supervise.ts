/**
 * Runs an agent in this terminal. At the daemon's request it ends the agent and starts a fresh one that continues the
 * work. Without a daemon, hooks or an effort, the agent just runs.
 */
import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import type { Places } from '../core/files/paths.ts'
import { plain } from '../core/text/text.ts'
import { within } from '../core/time/waits.ts'
import { newId } from '../events/ids.ts'
import { type AgentProcess, type Ended, startAgent } from './agent-process.ts'
import { type FreshCommand, freshCommand } from './fresh-command.ts'
import { lastRequest, listen, type Requests, type RestartRequest } from './restart-request.ts'
import { saveTerminal, type TerminalModes } from './terminal-modes.ts'

interface Supervised {
  readonly places: Places
  readonly argv: readonly string[]
  /** Environment of the agents, without GANTRY_RUN_ID. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The agent whose command line it is, if the program's name does not say. */
  readonly as?: string | undefined
}

/** Lets the result of the dehydrate call arrive first. A compaction is over with its hook. */
const GRACE_MS: Readonly<Record<RestartRequest['why'], number>> = { dehydrated: 1_500, compaction: 200 }

/** Returns how the last agent ended. */
export async function supervise({ places, argv, env, as }: Supervised): Promise<Ended> {
  const { RESTART_PROMPT, runIdOf } = await import('../work/index.ts')
  const fresh = await freshCommand(argv, RESTART_PROMPT, as)
  const terminal = saveTerminal()
  const limit = new RestartLimit()
  const family = newId()
  let next = argv
  for (let nth = 1; ; nth++) {
    // An agent that will not be restarted must not be asked to end: without an id, the daemon tells the person instead.
    const runId = fresh && !limit.reached ? runIdOf(family, nth) : undefined
    using requests = runId === undefined ? undefined : await listen(places, runId)
    const agent = startAgent(next, { ...env, GANTRY_RUN_ID: runId })
    const { ended, request } = await oneAgent(agent, { places, terminal, runId, fresh, requests })
    if (!request || !fresh || agent.toldToEnd) return ended
    limit.note()
    say(`${becauseOf(request)}: ${fresh.argv[0]} starts afresh and goes on${limit.reached ? LAST_TIME : ''}`)
    next = fresh.argv
  }
}

export const MAX_RESTARTS = 5
export const RESTART_SPAN_MS = 10 * 60_000
const LAST_TIME = `. That was restart ${MAX_RESTARTS} within ${RESTART_SPAN_MS / 60_000} minutes, so it was the last; from here on, start a fresh one yourself`

interface Watch {
  readonly places: Places
  readonly terminal: TerminalModes
  readonly runId: string | undefined
  readonly fresh: FreshCommand | undefined
  readonly requests: Requests | undefined
}

/** Waits until the agent ends, by itself or because of a request, which is then returned. */
async function oneAgent(
  agent: AgentProcess,
  { places, terminal, runId, fresh, requests }: Watch,
): Promise<{ ended: Ended; request?: RestartRequest }> {
  const unasked = agent.ended.then(() => undefined)
  const request = await (requests ? Promise.race([requests.next, unasked]) : unasked)
  if (request && !(await within(agent.ended, GRACE_MS[request.why]))) {
    const killed = await agent.end()
    await terminal.restore(killed)
    return { ended: await agent.ended, request }
  }
  const ended = await agent.ended
  if (ended.signal) await terminal.restore(true)
  if (runId === undefined || !(fresh?.headless || !isatty(1))) return { ended } // in a terminal, a person ended it
  const last = request ?? (await lastRequest(places, runId))
  return last && isOver(ended, last) ? { ended, request: last } : { ended }
}

const INTERRUPTED = 130 // exit code of Ctrl-C in shells

/** True if it finished its work, or stopped because it was not allowed to compact. */
function isOver({ exitCode }: Ended, { why }: RestartRequest): boolean {
  if (exitCode === 0) return true
  return why === 'compaction' && exitCode !== null && exitCode !== INTERRUPTED
}

function becauseOf({ why, effort }: RestartRequest): string {
  const what = effort === undefined ? 'the effort' : `effort ${effort}`
  return why === 'dehydrated' ? `${what} is written down` : `the context of ${what} is full`
}

/** On stderr: stdout belongs to the agent. */
function say(text: string): void {
  try {
    writeSync(2, `gantry: ${plain(text)}\n`)
  } catch {
    // nobody reads stderr
  }
}

/** Limits restarts: an agent that fills its context at once would be restarted forever. */
export class RestartLimit {
  readonly #now: () => number
  #times: number[] = []

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  note(): void {
    this.#times.push(this.#now())
  }

  /** No more restarts for now. */
  get reached(): boolean {
    const since = this.#now() - RESTART_SPAN_MS
    this.#times = this.#times.filter((at) => at > since)
    return this.#times.length >= MAX_RESTARTS
  }
}
