/**
 * Finds agents that make the same calls with the same results again and again: one to four calls in a row, three times. The
 * model is told so; if it goes on, a person is asked. Deliberate repetition does not count: a new prompt resets the count, and
 * calls that wait for something never count.
 */
import { shellLine } from '../agents/index.ts'
import { BoundedMap } from '../core/bounded-map.ts'
import { hash53 } from '../core/text/hash.ts'
import {
  type HookEvent,
  type HookTool,
  keyOf,
  NO_VERDICT,
  type RawEvent,
  type Verdict,
} from '../events/index.ts'
import { isAsked } from '../ingest/index.ts'
import { raisedEvent } from '../journal/index.ts'
import type { LoopSettings } from './budgets/config.ts'

const MAX_PERIOD = 4
const REPEATS = 3
const MAX_STEPS = MAX_PERIOD * REPEATS
const MAX_THREADS = 1_000 // sessions and sub-agents; the oldest are forgotten first
const MAX_CHARS = 256 * 1024 // of a payload; a longer one takes too long to look at
const QUICK_MS = 5 * 60_000 // three repeats of one call; who takes longer waits for something
const WAITED_MS = 5_000 // a call that takes longer waits for something

/** Tools that look whether something is ready yet. */
const POLLS = /output|status|wait|poll|sleep|stdin|task|progress|monitor|read_(?:bash|agent|powershell)/i
const WAITS = /\b(?:sleep|wait|watch|poll|until)\b/
/** What differs in the same result: Gemini CLI 0.61.0, Codex 0.166.0, Copilot CLI 1.0.102. */
const VARYING = /(?:Process Group PGID|Background PIDs|Wall time|Chunk ID): [^\n\\]*|<shellId: \d+ /g

interface Step {
  /** Hashes. */
  readonly call: number
  readonly result: number
  readonly at: number
}

interface Thread {
  steps: Step[]
  /** What was done about the loop that it is in. */
  said?: 'context' | 'ask' | undefined
}

interface LoopParts {
  readonly settings: () => LoopSettings
  readonly raise: (rawEvent: RawEvent) => void
}

export class Loops {
  readonly #parts: LoopParts
  readonly #threads = new BoundedMap<string, Thread>(MAX_THREADS)

  constructor(parts: LoopParts) {
    this.#parts = parts
  }

  decide(event: HookEvent): Verdict {
    const { mode } = this.#parts.settings()
    const { tool } = event
    if (mode === 'off' || tool === undefined || !isAsked(event) || isLarge(event)) return NO_VERDICT
    const thread = this.#threads.get(threadOf(event))
    if (!thread || thread.steps.length < REPEATS - 1) return NO_VERDICT
    if (isEnd(event)) return thread.said ? NO_VERDICT : this.#atEnd(event, tool, thread)
    return event.type === 'PreToolUse' ? this.#atStart(event, tool, thread, mode) : NO_VERDICT
  }

  /** After the commit: remembers what calls gave. */
  committed(events: readonly HookEvent[]): void {
    const { mode } = this.#parts.settings()
    if (mode === 'off') {
      this.#threads.clear()
      return
    }
    for (const event of events) {
      if (isFresh(event)) this.#threads.delete(threadOf(event))
      else if (isEnd(event) && event.tool !== undefined) this.#keep(event, event.tool, mode)
    }
  }

  /** The third time: the model reads it with the result. */
  #atEnd(event: HookEvent, tool: HookTool, thread: Thread): Verdict {
    if (isUnknown(event, tool)) return NO_VERDICT
    const call = callOf(tool)
    const again = (period: number) => thread.steps.at(-period)?.call === call
    if (!PERIODS.some(again)) return NO_VERDICT // saves the look at the result
    const period = periodOf([...thread.steps, stepOf(event, tool)])
    return period === undefined ? NO_VERDICT : this.#tell(event, thread, period)
  }

  /** The next time: a person is asked, if the model was told. */
  #atStart(event: HookEvent, tool: HookTool, thread: Thread, mode: LoopSettings['mode']): Verdict {
    const period = periodOf(thread.steps)
    if (period === undefined || thread.steps.at(-period)?.call !== callOf(tool)) return NO_VERDICT
    if (!thread.said) return this.#tell(event, thread, period)
    if (mode !== 'ask') return NO_VERDICT
    thread.said = 'ask'
    const reason = `It has made ${callsIn(period)} three times with the same result, and begins again.`
    return { decision: 'ask', reason, by: 'loop' }
  }

  #tell(event: HookEvent, thread: Thread, period: number): Verdict {
    thread.said = 'context'
    const { sessionId, agentId, cwd, id } = event
    const message = `${callsIn(period)} three times with the same result`
    this.#parts.raise(
      raisedEvent(
        'LoopDetected',
        {
          session_id: sessionId,
          ...(agentId === undefined ? {} : { agent_id: agentId }),
          ...(cwd === undefined ? {} : { cwd }),
          ...{ message, period, cause: id },
        },
        Date.now(),
      ),
    )
    const context = `You have made ${callsIn(period)} three times with the same result. Once more will give the same: try another way, or say what you lack.`
    return { decision: 'none', context: [context] }
  }

  #keep(event: HookEvent, tool: HookTool, mode: LoopSettings['mode']): void {
    const key = threadOf(event)
    const thread = this.#threads.get(key) ?? { steps: [] }
    thread.steps = [...thread.steps, stepOf(event, tool)].slice(-MAX_STEPS)
    const isOver = periodOf(thread.steps) === undefined
    // A person let it go on, or nobody is asked: it counts from the beginning.
    const isAnew = thread.said === 'ask' || (thread.said === 'context' && mode === 'context')
    if (isOver || isAnew) thread.said = undefined
    if (isAnew && !isOver) thread.steps = []
    this.#threads.set(key, thread)
  }
}

const PERIODS = Array.from({ length: MAX_PERIOD }, (_, index) => index + 1)

/** How many calls the last steps repeat three times. */
function periodOf(steps: readonly Step[]): number | undefined {
  const isSame = (a: Step | undefined, b: Step | undefined) => a?.call === b?.call && a?.result === b?.result
  return PERIODS.find((period) => {
    if (!isSame(steps.at(-1), steps.at(-1 - period))) return false
    const last = steps.slice(-period * REPEATS)
    const [first] = last
    if (!first || last.length < period * REPEATS) return false
    if ((last.at(-1)?.at ?? 0) - first.at > QUICK_MS * period) return false
    return last.every((step, index) => index < period || isSame(step, last[index - period]))
  })
}

function callsIn(period: number): string {
  return period === 1 ? 'the same call' : `the same ${period} calls`
}

function threadOf(event: HookEvent): string {
  return `${keyOf(event)}|${event.agentId ?? ''}`
}

function isEnd({ type }: HookEvent): boolean {
  return type === 'PostToolUse' || type === 'PostToolUseFailure'
}

/** A person has spoken, or the session began or ended. */
function isFresh({ type, promptInjected }: HookEvent): boolean {
  if (type === 'UserPromptSubmit') return promptInjected !== true
  return type === 'SessionStart' || type === 'SessionEnd' || type === 'SubagentStop'
}

function callOf({ name, input }: HookTool): number {
  return hash53(`${name}\n${textOf(input)}`)
}

/** What waits, and what nobody knows the result of, is never the same twice. */
function stepOf(event: HookEvent, tool: HookTool): Step {
  const { at, id } = event
  if (isLarge(event) || isUnknown(event, tool) || isWaiting(tool)) return { call: hash53(id), result: 0, at }
  const result = hash53(`${tool.error ?? ''}\n${textOf(tool.response).replace(VARYING, '')}`)
  return { call: callOf(tool), result, at }
}

function isLarge({ raw }: HookEvent): boolean {
  return raw.length > MAX_CHARS
}

function isUnknown({ partial, cutFrom }: HookEvent, { response, error }: HookTool): boolean {
  return partial === true || cutFrom !== undefined || (response === undefined && error === undefined)
}

function isWaiting(tool: HookTool): boolean {
  const { name, durationMs = 0 } = tool
  return durationMs >= WAITED_MS || POLLS.test(name) || WAITS.test(shellLine(tool)?.line ?? '')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
