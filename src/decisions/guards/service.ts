/**
 * The guards in the daemon: their modes, their verdict on an event, and their counters. While all of them are off, none of their
 * code is loaded.
 */
import { BoundedMap } from '../../core/bounded-map.ts'
import type { Places } from '../../core/files/paths.ts'
import { lazy } from '../../core/lazy.ts'
import type { Log } from '../../core/log.ts'
import { type HookEvent, isUnreadableCall, NO_VERDICT, type Verdict } from '../../events/index.ts'
import type { RuleTrial } from '../../rpc/index.ts'
import type { Effects } from '../../shell/index.ts'
import type { ToolCalls } from '../tool-calls.ts'
import type { GuardSettings } from './config.ts'
import type { Facts, OwnFiles } from './guard.ts'
import type { Modes } from './judge.ts'

const judging = lazy(() => require('./judge.ts') as typeof import('./judge.ts'))

interface GuardParts {
  readonly settings: () => GuardSettings
  readonly places: Pick<Places, 'config' | 'state' | 'run'>
  readonly home: string
  readonly calls: Pick<ToolCalls, 'of' | 'real'>
  readonly count: (what: string) => void
  readonly log: Pick<Log, 'info'>
}

const MAX_STRIKES = 5_000 // denied commands that may come again; the oldest are forgotten first

export class Guards {
  readonly #parts: GuardParts
  readonly #strikes = new BoundedMap<string, true>(MAX_STRIKES)
  #own: OwnFiles | undefined
  #modes: Modes | undefined
  #settings: GuardSettings | undefined

  constructor(parts: GuardParts) {
    this.#parts = parts
  }

  /** Whether a guard is on; guards ask for the repository around an event, which should be read before. */
  get areOn(): boolean {
    return !isOff(this.#parts.settings())
  }

  /**
   * Denies, asks, or says nothing; never approves. `event` has the input as rules or handlers left it; `before` is the same
   * event as it was judged and counted before.
   */
  decide(event: HookEvent, before?: HookEvent): Verdict {
    const settings = this.#parts.settings()
    if (!isJudged(event, settings)) return NO_VERDICT
    const { findings, reasonOf, strongest } = judging()
    const modes = this.#modesOf(settings)
    const facts = this.factsOf(event)
    if (facts === undefined) return NO_VERDICT
    const all = findings(facts, modes)
    if (all.length === 0) return NO_VERDICT
    const objection = strongest(all, modes)
    const isCall = event.type !== 'PermissionRequest' // a permission request follows a call that was counted before
    const told = before && this.factsOf(before)
    const counted = new Set(told && findings(told, modes).map(({ guard }) => guard))
    if (isCall)
      for (const { guard, found } of all) {
        if (guard === objection?.guard || counted.has(guard)) continue
        this.#parts.count(`${guard.id} watch`)
        this.#parts.log.info('guards', `${guard.id} would have spoken: ${found}`)
      }
    if (objection === undefined) return NO_VERDICT
    const mode = settings.one_strike ? this.#strike(event) : objection.mode
    if (isCall && !counted.has(objection.guard)) this.#parts.count(`${objection.guard.id} ${mode}`)
    // A person is being asked already.
    if (!isCall && mode === 'ask') return NO_VERDICT
    return { decision: mode, reason: reasonOf(objection), by: `guard:${objection.guard.id}` }
  }

  /** The guards' view of a tool call; undefined if the tool neither runs a command line nor touches files. */
  factsOf(event: HookEvent): Facts | undefined {
    const { home, calls } = this.#parts
    const place = { cwd: home, home }
    const call = isUnreadableCall(event)
      ? { source: '', effects: UNREADABLE_EFFECTS, place, content: '' }
      : calls.of(event)
    return call && judging().factsOfCall(call, this.#ownFiles())
  }

  /** For a trial: the verdict, and each guard with what it finds. Nothing is counted, and no attempt is remembered. */
  try(event: HookEvent): { readonly verdict: Verdict; readonly guards: RuleTrial['guards'] } {
    const verdict = new Guards({ ...this.#parts, count() {}, log: { info() {} } }).decide(event)
    const settings = this.#parts.settings()
    const facts = isJudged(event, settings) ? this.factsOf(event) : undefined
    if (facts === undefined) return { verdict, guards: [] }
    const modes = this.#modesOf(settings)
    const all = judging().findings(facts, modes)
    return {
      verdict,
      guards: all.map(({ guard: { id }, found }) => ({ id, mode: modes.get(id) ?? 'off', found })),
    }
  }

  #modesOf(settings: GuardSettings): Modes {
    if (this.#settings !== settings || this.#modes === undefined) {
      this.#settings = settings
      this.#modes = judging().modesOf(settings)
    }
    return this.#modes
  }

  /** The first attempt is denied; the same one again is asked. */
  #strike(event: HookEvent): 'deny' | 'ask' {
    const { tool } = event
    const attempt = `${event.agent}\n${event.sessionId}\n${Bun.hash(`${tool?.name}\n${JSON.stringify(tool?.input)}`)}`
    if (this.#strikes.has(attempt)) return 'ask'
    if (event.type === 'PermissionRequest') return 'deny'
    this.#strikes.set(attempt, true)
    return 'deny'
  }

  #ownFiles(): OwnFiles {
    const { places, home, calls } = this.#parts
    this.#own ??= judging().ownFiles([places.config, places.state, places.run], process.env, home, (path) =>
      calls.real(path),
    )
    return this.#own
  }
}

const UNREADABLE_EFFECTS: Effects = {
  understood: false,
  why: 'its payload could not be read whole',
  isTooMuch: true,
  commands: [],
  reads: [],
  writes: [],
  deletes: [],
  network: [],
}

function isJudged(event: HookEvent, settings: GuardSettings): boolean {
  if (isOff(settings)) return false
  const isCall = event.type === 'PreToolUse' || event.type === 'PermissionRequest'
  return (isCall && event.tool !== undefined) || isUnreadableCall(event)
}

function isOff({ preset, modes }: GuardSettings): boolean {
  if (preset !== 'off') return false
  for (const id in modes) if (modes[id] !== 'off') return false
  return true
}
