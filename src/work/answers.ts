/**
 * Turns the results of the engine's hooks into verdicts for agents whose hooks reach the daemon. Most results are
 * context. Every agent accepts context with a prompt and after a tool call, so it is given there.
 */
import { factsOf } from '../agents/facts.ts'
import type { HookEvent, Verdict } from '../events/index.ts'
import type { EffortRow, WorkSessionRow } from '../store/index.ts'
import { settingsOf } from './config.ts'
import { CLEARED, type WorkContext } from './context.ts'
import { type Preloaded, pendingPreloads } from './directives/preloads.ts'
import { nameOf, recover, recoveryBlock } from './efforts/recovery.ts'
import { type FiredRule, textIn, wordsOf } from './guidance/guards.ts'
import { denialWords, releaseAt, reminder } from './guidance/heartbeat.ts'
import { type Fill, fillOf, overflowWords } from './guidance/overflow.ts'
import { logCommand } from './guidance/own-command.ts'
import { Reminders } from './guidance/reminders.ts'
import { RESTART_PROMPT } from './hooks/index.ts'

interface AnswerParts {
  /** As much of these files as fits into one answer. */
  readonly preloads: (paths: readonly string[], agent: string) => Preloaded | undefined
  /** True if a supervisor restarts this agent when it ends. */
  readonly isSupervised: (agent: string, sessionId: string, run: string | undefined) => boolean
}

interface Found {
  readonly event: HookEvent
  readonly context: WorkContext
  readonly effort: EffortRow
  readonly window: WorkSessionRow
  readonly result: Readonly<Record<string, unknown>>
}

interface ToolResult {
  readonly allow: boolean
  readonly reason?: string
  readonly heartbeatCount: number
  readonly contextUsage: number
  readonly firedRules: readonly FiredRule[]
}

const ASK_AGAIN_AFTER = 5 // tool calls between two requests to dehydrate

export class Answers {
  readonly #parts: AnswerParts
  readonly #reminders = new Reminders()

  constructor(parts: AnswerParts) {
    this.#parts = parts
  }

  verdict(found: Found): Verdict | undefined {
    const { event, context, effort, window, result } = found
    switch (event.type) {
      case 'SessionStart':
        return contextVerdict([recover(context, effort, window)])
      case 'UserPromptSubmit':
        return withMessage(
          contextVerdict([
            recover(context, effort, window),
            result.sessionContext as string | null,
            ...this.#words(found),
          ]),
          result.begun === true ? begunMessage(found) : undefined,
        )
      case 'PreToolUse':
        return this.#toolVerdict(found, result as unknown as ToolResult)
      case 'PostToolUse':
      case 'PostToolUseFailure': {
        // From an effort's metadata: strings, or objects that contain one.
        const injections = (result.pendingInjections as readonly unknown[] | undefined) ?? []
        this.#fillNow(found)
        return contextVerdict([
          recover(context, effort, window),
          ...this.#words(found),
          ...injections.map((one) => textIn(one, 'content', 'text', 'message')),
        ])
      }
      case 'PreCompact':
        if (result.kill !== true) return undefined
        return { decision: 'deny', by: 'work', reason: `gantry starts a fresh session. ${RESTART_PROMPT}` }
      case 'Stop':
        return this.#stopVerdict(found)
      case 'SubagentStart':
        return contextVerdict([childWords(found)])
      default:
        return undefined
    }
  }

  #toolVerdict(found: Found, result: ToolResult): Verdict | undefined {
    const { context, effort, window } = found
    const settings = settingsOf(effort, context.settings)
    const said: string[] = []
    this.#reminders.count(window.id)
    const fill = this.#fill(found, result.contextUsage)
    const remind = result.allow ? reminder(result.heartbeatCount, settings, context.home) : undefined
    if (remind !== undefined && fill !== 'dehydrate') said.push(remind)
    for (const rule of result.firedRules) {
      const isNew = rule.urgency === 'allow' && this.#reminders.once(`${window.id} rule ${rule.ruleId}`)
      if (isNew) said.push(wordsOf(rule))
    }
    const release = window.agentId === '' ? releaseAt(result.heartbeatCount, settings, effort.id) : undefined
    if (release) said.push(release.agent)
    this.#reminders.keep(window.id, said)
    if (result.allow) return release && { decision: 'none', by: 'work', systemMessage: release.person }
    return { decision: 'deny', by: 'work', ...(result.reason === undefined ? {} : { reason: result.reason }) }
  }

  /** Queues what there is to say about the context's fill level for this window. */
  #fill({ context, effort, window }: Found, usage: number): Fill {
    if (window.dehydrationPayload !== null) return 'none'
    const fill = fillOf(usage, settingsOf(effort, context.settings))
    if (fill === 'none') {
      // An allowed compaction made room, so warn again when the context fills up again.
      this.#reminders.forget([`${window.id} warn`, `${window.id} dehydrate`])
      return fill
    }
    const every = fill === 'dehydrate' ? ASK_AGAIN_AFTER : undefined
    if (this.#reminders.again(`${window.id} ${fill}`, window.id, every))
      this.#reminders.keep(window.id, [overflowWords(usage, fill, context.home)])
    return fill
  }

  /** The usage of the last request is often known only while its tool runs, and the next request may be too late. */
  #fillNow(found: Found): void {
    const { event, context, window } = found
    const usage = window.agentId === '' ? context.usageOf(event.agent, event.sessionId) : undefined
    if (usage !== undefined) this.#fill(found, usage)
  }

  /** Everything queued for a window, and the directives near what it touched. */
  #words({ context, effort, window }: Found): readonly string[] {
    const words = this.#reminders.take(window.id)
    const pending = pendingPreloads(effort, window)
    const loaded = pending.length > 0 ? this.#parts.preloads(pending, window.agent) : undefined
    if (!loaded || loaded.paths.length === 0) return words
    context.rows.updateSession(window.id, { loadedFiles: [...window.loadedFiles, ...loaded.paths] })
    return [...words, ...loaded.texts]
  }

  /** A dehydrated window ends with its turn: by `clearContext` where the agent supports it, else a person clears it. */
  #stopVerdict({ event, context, effort, window }: Found): Verdict | undefined {
    if (!window.dehydrationPayload || event.agentId !== undefined || window.endedAt !== null) return undefined
    if (factsOf(event.agent).clearsContext) {
      context.rows.updateSession(window.id, { endedAt: context.now, endReason: CLEARED })
      const reason = `${RESTART_PROMPT}\n${recoveryBlock(effort, window.dehydrationPayload)}`
      return { decision: 'block-stop', reason, clearContext: true, by: 'work' }
    }
    if (this.#parts.isSupervised(event.agent, event.sessionId, context.env.GANTRY_RUN_ID)) return undefined
    if (!this.#reminders.once(`${window.id} told`)) return undefined
    return {
      decision: 'none',
      by: 'work',
      systemMessage: `Effort ${effort.id} is dehydrated. Start a fresh session (/clear) to continue it.`,
    }
  }
}

function withMessage(verdict: Verdict | undefined, systemMessage: string | undefined): Verdict | undefined {
  return verdict && systemMessage !== undefined ? { ...verdict, systemMessage } : verdict
}

/** Tells the person that a prompt started an effort, because an effort may deny tool calls. */
function begunMessage({ context, effort }: Found): string {
  const denies = denialWords(settingsOf(effort, context.settings))
  return `Effort ${effort.id} (${effort.skill}) begins, for every session in this folder and below it${denies}. End it with: gantry effort finish --effort ${effort.id}`
}

function childWords({ effort, context }: Found): string {
  return `This is part of ${nameOf(effort)}. Log progress with: ${logCommand(context.home)}`
}

function contextVerdict(context: readonly (string | null | undefined)[]): Verdict | undefined {
  const words = context.filter((one): one is string => typeof one === 'string' && one !== '')
  return words.length === 0 ? undefined : { decision: 'none', context: words, by: 'work' }
}
