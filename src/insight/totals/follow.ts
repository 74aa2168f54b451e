/**
 * Follows all sessions through the journal by the columns of their events alone: whether each works, waits for a person or
 * is idle, and how long its calls take. Payloads are not read, so that a million events take seconds; what only a payload
 * tells (which of two calls of the same tool ended) is approximate.
 */
import { toolsThat } from '../../agents/facts.ts'
import type { WaitView } from '../../client/index.ts'
import { keyOf, OWN_AGENT } from '../../events/index.ts'
import type { EventGlance } from '../../store/index.ts'
import { Clock, Samples, type Spent } from './figures.ts'

const QUESTIONS = toolsThat('question', 'asking')
const PLANS = toolsThat('plan')
/** Longer than this without an event, it is not meant: an agent that was killed, a terminal left open. */
const MOST_MS: Readonly<Record<Spent, number>> = {
  working: 2 * 3_600_000,
  waiting: 7 * 86_400_000,
  idle: 3_600_000,
}
const MAX_LONGEST = 50
const MAX_PENDING = 50 // calls of one tool at once
const MAX_TOOLS = 1_000
const PAST: ReadonlySet<string> = new Set(['replay', 'import'])
const LIVE: ReadonlySet<string> = new Set(['socket', 'http'])
const MAX_ARRIVAL_MS = 60_000 // later is a clock that is wrong

interface Wait {
  readonly kind: WaitView['kind']
  readonly tool: string | null
  /** The tool whose call ends it. */
  readonly endsWith: string | null
  readonly agentId: string | null
  readonly at: number
}

interface Followed {
  spent: Spent | undefined
  since: number
  last: number
  wait: Wait | undefined
  /** Beginnings of calls, by sub-agent and tool. */
  calls: Map<string, number[]>
  /** The tool of the call that began last. */
  latest: string | null
  time: Record<Spent, number>
}

interface ToolFigures {
  readonly agent: string
  readonly tool: string
  calls: number
  failures: number
  denied: number
  readonly took: Samples
}

export class Follow {
  readonly clock = new Clock()
  readonly sessions = new Map<string, Followed>()
  readonly tools = new Map<string, ToolFigures>()
  readonly waits = new Samples()
  readonly arrival = new Samples()
  longest: WaitView[] = []
  readonly #durationOf: (seq: number) => number | undefined

  constructor(durationOf: (seq: number) => number | undefined) {
    this.#durationOf = durationOf
  }

  take([seq, at, receivedAt, agent, type, session, agentId, tool, transport]: EventGlance): void {
    if (agent === OWN_AGENT || session === '' || PAST.has(transport)) return
    const arrivalMs = receivedAt - at
    if (LIVE.has(transport) && arrivalMs >= 0 && arrivalMs < MAX_ARRIVAL_MS) this.arrival.add(arrivalMs)
    const key = keyOf({ agent, sessionId: session })
    const one = this.sessions.get(key) ?? this.#begin(key, at)
    const now = Math.max(at, one.last)
    one.last = now
    switch (type) {
      case 'SessionStart':
        this.#answered(key, one, now)
        this.#become(one, 'idle', now)
        break
      case 'UserPromptSubmit':
        this.clock.count('prompts', now)
        this.#answered(key, one, now)
        this.#become(one, 'working', now)
        break
      case 'PreToolUse':
        this.#callBegins(one, { agent, tool, agentId, now })
        break
      case 'PermissionRequest':
      case 'Elicitation':
        this.#asks(one, {
          kind: type === 'Elicitation' ? 'elicitation' : 'permission',
          tool,
          endsWith: runningAs(one, agentId, tool),
          agentId,
          at: now,
        })
        break
      case 'PostToolUse':
      case 'PostToolUseFailure':
      case 'PermissionDenied':
        this.#callEnds(key, one, { seq, agent, type, tool, agentId, now })
        break
      case 'PermissionResolved':
      case 'PermissionReplied':
      case 'ElicitationResult':
        if (this.#answered(key, one, now)) this.#become(one, 'working', now)
        break
      case 'Stop':
      case 'StopFailure':
      case 'Interrupt':
      case 'UserPromptDenied':
      case 'SessionEnd':
        if (agentId !== null) break
        this.#answered(key, one, now)
        this.#become(one, type === 'SessionEnd' ? undefined : 'idle', now)
        one.calls.clear()
    }
  }

  /** In living sessions, open spans count up to now. */
  end(until: number, isLiving: (key: string) => boolean): void {
    for (const [key, one] of this.sessions) {
      if (!isLiving(key)) continue
      const now = Math.max(one.last, until)
      this.#answered(key, one, now)
      this.#become(one, undefined, now)
    }
  }

  #begin(key: string, at: number): Followed {
    const time = { working: 0, waiting: 0, idle: 0 }
    const one: Followed = {
      ...{ spent: undefined, since: at, last: at, wait: undefined },
      ...{ calls: new Map(), latest: null, time },
    }
    this.sessions.set(key, one)
    return one
  }

  #become(one: Followed, spent: Spent | undefined, now: number): void {
    // While it works, each event is a sign of life: only the time since the last one may be too long.
    if (one.spent === spent && spent !== 'working') return
    if (one.spent !== undefined) {
      const to = Math.min(now, one.since + MOST_MS[one.spent])
      this.clock.add(one.spent, one.since, to)
      one.time[one.spent] += Math.max(0, to - one.since)
    }
    one.spent = spent
    one.since = now
  }

  #asks(one: Followed, wait: Wait): void {
    if (one.wait) return // the first question of several stays
    one.wait = wait
    this.#become(one, 'waiting', wait.at)
  }

  /** True if a question was open. */
  #answered(key: string, one: Followed, now: number, ranMs = 0): boolean {
    const { wait } = one
    if (!wait) return false
    one.wait = undefined
    const answeredAt = Math.max(wait.at, now - ranMs)
    this.#become(one, 'working', answeredAt)
    const ms = Math.min(answeredAt - wait.at, MOST_MS.waiting)
    this.waits.add(ms)
    const about = {
      session: key,
      kind: wait.kind,
      ...(wait.tool === null ? {} : { tool: wait.tool }),
      at: wait.at,
      ms,
    }
    this.longest.push(about)
    if (this.longest.length >= 4 * MAX_LONGEST) this.longest = this.theLongest()
    return true
  }

  theLongest(): WaitView[] {
    return this.longest.toSorted((a, b) => b.ms - a.ms).slice(0, MAX_LONGEST)
  }

  #callBegins(
    one: Followed,
    {
      agent,
      tool,
      agentId,
      now,
    }: { agent: string; tool: string | null; agentId: string | null; now: number },
  ): void {
    this.clock.count('toolCalls', now)
    if (tool === null) return
    const figures = this.#tool(agent, tool)
    if (figures) figures.calls += 1
    const kind = QUESTIONS.has(tool) ? 'question' : PLANS.has(tool) ? 'plan' : undefined
    const begun = one.calls.get(callKey(agentId, tool)) ?? []
    one.latest = tool
    if (begun.length < MAX_PENDING) one.calls.set(callKey(agentId, tool), [...begun, now])
    if (kind) this.#asks(one, { kind, tool, endsWith: tool, agentId, at: now })
    else if (!one.wait) this.#become(one, 'working', now)
  }

  #callEnds(
    key: string,
    one: Followed,
    {
      seq,
      agent,
      type,
      tool,
      agentId,
      now,
    }: { seq: number; agent: string; type: string; tool: string | null; agentId: string | null; now: number },
  ): void {
    const isAsked =
      one.wait !== undefined && (one.wait.endsWith ?? tool) === tool && one.wait.agentId === agentId
    const isPermission = one.wait?.kind === 'permission'
    if (tool !== null) {
      const figures = this.#tool(agent, tool)
      const [begun, ...others] = one.calls.get(callKey(agentId, tool)) ?? []
      one.calls.set(callKey(agentId, tool), others)
      if (figures) {
        if (begun === undefined) figures.calls += 1
        if (type === 'PostToolUseFailure') figures.failures += 1
        if (type === 'PermissionDenied') figures.denied += 1
        else if (begun !== undefined && !isAsked) figures.took.add(now - begun)
      }
    }
    if (isAsked)
      this.#answered(key, one, now, isPermission && type === 'PostToolUse' ? this.#durationOf(seq) : 0)
    if (!one.wait) this.#become(one, 'working', now)
  }

  #tool(agent: string, tool: string): ToolFigures | undefined {
    const id = `${agent} ${tool}`
    const known = this.tools.get(id)
    if (known || this.tools.size >= MAX_TOOLS) return known
    const figures = { agent, tool, calls: 0, failures: 0, denied: 0, took: new Samples() }
    this.tools.set(id, figures)
    return figures
  }
}

/** Copilot CLI 1.0.102 asks about `edit` and calls `apply_patch`: then it is the call that began last. */
function runningAs({ calls, latest }: Followed, agentId: string | null, tool: string | null): string | null {
  const isRunning = (name: string) => (calls.get(callKey(agentId, name))?.length ?? 0) > 0
  return tool === null || latest === null || isRunning(tool) || !isRunning(latest) ? tool : latest
}

function callKey(agentId: string | null, tool: string): string {
  return `${agentId ?? ''} ${tool}`
}
