/**
 * Builds everything that is derived from events after their commit and is not session state: contexts, usage,
 * summaries. None of it is on the hook path, and all of it may lag a little.
 */
import { resolve } from 'node:path'
import type { Places } from '../core/files/paths.ts'
import { secretOf } from '../core/files/secret-files.ts'
import type { Log } from '../core/log.ts'
import { handlerEnv } from '../decisions/index.ts'
import { type HookEvent, keyOf, type RawEvent } from '../events/index.ts'
import type { Git } from '../git/index.ts'
import { costEvent } from '../journal/index.ts'
import type { Finding } from '../rpc/index.ts'
import type { SessionTracker } from '../sessions/index.ts'
import type { Session } from '../sessions/state/index.ts'
import type { Store } from '../store/index.ts'
import type { InsightConfig } from './config.ts'
import { Enricher } from './enrich/index.ts'
import type { SdkLogSettings } from './enrich/sdk-log.ts'
import { Summaries } from './summaries/index.ts'
import { TranscriptUsage } from './usage.ts'

const MIB = 1024 * 1024
const MICRO = 1_000_000 // of a dollar; float sums differ below that

interface InsightParts {
  readonly store: Store
  readonly tracker: SessionTracker
  readonly log: Log
  readonly places: Places
  readonly git: Git
  readonly config: () => InsightConfig
  raise(rawEvent: RawEvent): void
  /** They want to know what a session spends while its turn runs. */
  readonly budgets?: { readonly wantTranscripts: boolean; spent(agent: string, sessionId: string): void }
}

export class Insight {
  readonly #parts: InsightParts
  readonly enricher: Enricher
  readonly usage: TranscriptUsage
  readonly #summaries: Summaries

  constructor(parts: InsightParts) {
    const { store, tracker, log, places, config, git } = parts
    this.#parts = parts
    const session = (key: string) => tracker.sessions.get(key) ?? stored(store, key)
    const raise = (rawEvent: RawEvent) => parts.raise(rawEvent)
    this.enricher = new Enricher({
      store,
      log,
      git,
      session,
      raise,
      settings: () => ({ ...config().enrichment, sdkLog: sdkLogSettings(config(), places.state) }),
    })
    this.usage = new TranscriptUsage(store, (agent, sessionId) => {
      parts.budgets?.spent(agent, sessionId)
      this.#tellCost(agent, sessionId)
    })
    this.#summaries = new Summaries({
      store,
      log,
      session,
      raise,
      usage: this.usage,
      place: { dir: places.state, env: handlerEnv(process.env, places.home) },
      settings: () => config().summary,
      redaction: () => config().redaction.enabled,
      key: () => keyIn(config(), places),
      reached: (seq, ms) => this.enricher.reached(seq, ms, false),
    })
  }

  /** Called after the replies were sent. */
  committed(events: readonly HookEvent[]): void {
    this.enricher.committed(events)
    this.#summaries.committed(events)
    if (this.#parts.budgets?.wantTranscripts) for (const event of events) this.#measure(event)
  }

  /** Called after a failed commit: events may have been missed and are read from the journal. */
  lookAgain(): void {
    this.enricher.lookAgain()
  }

  /** During the turn: the request that led to a tool call is in the transcript by then. */
  #measure({ agent, sessionId, tool, transport, client: { env } }: HookEvent): void {
    if (tool === undefined || transport === 'replay' || transport === 'import') return
    const path = this.#parts.tracker.sessions.get(keyOf({ agent, sessionId }))?.transcriptPath
    void this.usage.measure({ agent, sessionId, env, ...(path === undefined ? {} : { path }) })
  }

  /** The agent's own figure takes precedence. If a price is unknown, no partial sum is reported. */
  #tellCost(agent: string, sessionId: string): void {
    const { store, tracker, raise } = this.#parts
    const session = tracker.sessions.get(keyOf({ agent, sessionId }))
    const { costUsd: known, costEstimated } = session?.usage ?? {}
    if (!session || (known !== undefined && !costEstimated)) return
    const { costUsd, unpriced } = store.turnUsage.costOf(agent, sessionId)
    const cost = Math.round(costUsd * MICRO) / MICRO
    if (unpriced === 0 && cost > 0 && cost !== known) raise(costEvent(session.key, cost, Date.now()))
  }

  findings(): Finding[] {
    const found: Finding[] = []
    const { problem: log } = this.enricher
    if (log !== undefined)
      found.push({
        level: 'warn',
        about: 'sdk_log',
        message: `events are not written to ${log}`,
        fix: 'Make room, or set another sdk_log.path. The journal has them: gantry events --format sdk',
      })
    const { problem: summary } = this.#summaries
    if (summary !== undefined)
      found.push({
        level: 'warn',
        about: 'summary',
        message: `the last summary was made without what [summary] names; ${summary}`,
        fix: 'Mend the command or the endpoint in gantry.toml, or set summary.mode = "extract".',
      })
    return found
  }

  async close(): Promise<void> {
    await this.#summaries.close()
    await this.usage.close()
    await this.enricher.close()
  }
}

function stored(store: Store, key: string): Session | undefined {
  const state = store.sessions.get(key)
  return state === undefined ? undefined : (JSON.parse(state) as Session)
}

function keyIn({ summary }: InsightConfig, { config }: Places): string | undefined {
  return summary.key_file === '' ? undefined : secretOf({ secret: '', secret_file: summary.key_file }, config)
}

/** Undefined if disabled. */
function sdkLogSettings({ sdk_log }: InsightConfig, stateDir: string): SdkLogSettings | undefined {
  if (!sdk_log.enabled) return undefined
  const path = resolve(stateDir, sdk_log.path || 'sdk-events.jsonl')
  return { path, maxBytes: sdk_log.max_mb * MIB, keep: sdk_log.keep }
}
