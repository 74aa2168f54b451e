/**
 * Counts the tokens and costs of a session up to the end of its transcript. It continues from its mark, and stores mark
 * and counts together. Files are read one at a time: there is no hurry.
 */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { agentFor, type MeterState, meter, newMeter, type UsageDelta } from '../agents/index.ts'
import { readLines } from '../core/files/lines.ts'
import { homeOf } from '../core/files/paths.ts'
import { Timers } from '../core/time/timers.ts'
import { parseRow } from '../journal/index.ts'
import type { Store, TurnUsageRow } from '../store/index.ts'

interface UsageOf {
  readonly agent: string
  readonly sessionId: string
  /** Set for a sub-agent's own transcript. */
  readonly agentId?: string
  /** Absent if the agent has no transcript and its events carry the usage. */
  readonly path?: string
  readonly env: Readonly<Record<string, string | undefined>>
}

type InFile = UsageOf & { readonly path: string }

const MAX_BYTES = 256 * 1024 * 1024 // per reading; the older part of a larger file is not counted
const MAX_QUEUED = 200
/** Claude 2.1.325 writes the last request of a sub-agent after its stop hook. */
const LATE_MS = [500, 5_000] as const
const PAGE = 200 // events per page: a few milliseconds

export class TranscriptUsage {
  readonly #store: Store
  readonly #counted: (agent: string, sessionId: string) => void
  readonly #queued = new Map<string, Promise<void>>()
  /** The next reading of each place. */
  readonly #late = new Timers()
  #last: Promise<void> = Promise.resolve()
  #closed = false

  /** `counted` is called for each session with new usage. */
  constructor(store: Store, counted: (agent: string, sessionId: string) => void) {
    this.#store = store
    this.#counted = counted
  }

  /** Resolves when it is counted, or cannot be. */
  measure(whose: UsageOf): Promise<void> {
    const place = sourceOf(whose)
    const waiting = this.#queued.get(place)
    if (waiting) return waiting
    if (this.#closed || this.#queued.size >= MAX_QUEUED) return Promise.resolve()
    const turn = this.#last.then(() => {
      this.#queued.delete(place) // what is written from here on is for the next reading
      return whose.path === undefined
        ? this.#readJournal(whose)
        : this.#readAll({ ...whose, path: whose.path })
    })
    this.#queued.set(place, turn)
    this.#last = turn
    return turn
  }

  /** Measures now, and again when the agent has had time to write the rest. */
  settle(whose: UsageOf): void {
    void this.measure(whose)
    this.#lookLate(whose, LATE_MS)
  }

  #lookLate(whose: UsageOf, [first, ...more]: readonly number[]): void {
    const place = sourceOf(whose)
    this.#late.clear(place)
    if (first === undefined || this.#late.size >= MAX_QUEUED) return
    this.#late.set(place, first, () => {
      void this.measure(whose)
      this.#lookLate(whose, more)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#late.close()
    await this.#last
  }

  async #readAll(whose: InFile): Promise<void> {
    await this.#read(whose)
    for (const side of sidesOf(whose)) await this.#read(side)
  }

  /** Reads events like a transcript: from the mark, storing counts and mark together. */
  async #readJournal(whose: UsageOf): Promise<void> {
    const { agent, sessionId } = whose
    const requests = agentFor(agent).requests
    const { journal, turnUsage } = this.#store
    const path = sourceOf(whose)
    while (requests && !this.#closed) {
      const known = turnUsage.reading(path)
      const state: MeterState = known ? (JSON.parse(known.state) as MeterState) : newMeter()
      const filter = { agent, session: sessionId, type: requests.type, after: known?.offset ?? 0 }
      const events = [...this.#store.oldest(filter, PAGE)].map(parseRow)
      const last = events.at(-1)
      if (!last) return
      const deltas = new Map<string, UsageDelta[]>()
      for (const event of events) {
        for (const part of requests.partsOf(event)) {
          const delta = meter(state, part)
          const thread = event.agentId ?? ''
          if (delta) deltas.set(thread, [...(deltas.get(thread) ?? []), delta])
        }
      }
      journal.relaxed(() => {
        for (const [agentId, own] of deltas)
          for (const row of rowsOf(own)) turnUsage.add({ agent, sessionId, agentId, ...row })
        turnUsage.setReading({ path, inode: 0, offset: last.seq, state: JSON.stringify(state) }, Date.now())
      })
      if (deltas.size > 0) this.#counted(agent, sessionId)
      await new Promise(setImmediate)
    }
  }

  async #read({ agent, sessionId, agentId, path, env }: InFile): Promise<void> {
    const reader = agentFor(agent).transcript
    if (!reader || this.#closed) return
    const { journal, turnUsage } = this.#store
    const known = turnUsage.reading(path)
    const state: MeterState = known ? (JSON.parse(known.state) as MeterState) : newMeter()
    const { countedAt = 0 } = state
    const deltas: UsageDelta[] = []
    const from = { offset: known?.offset ?? 0, maxBytes: MAX_BYTES, ...(known ? { inode: known.inode } : {}) }
    const read = await readLines(path, reader.roots(env, homeOf(env)), from, (line, isAnew) => {
      for (const part of reader.messages(line, agentId !== undefined)) {
        // Copilot 1.0.102 rewrites its file when a turn is undone; the tokens of that turn were still used.
        if (isAnew && part.kind === 'usage' && part.at <= countedAt) continue
        const delta = meter(state, part)
        if (delta) deltas.push(delta)
      }
    })
    if (!read || this.#closed || (deltas.length === 0 && read.offset === known?.offset)) return
    journal.relaxed(() => {
      for (const row of rowsOf(deltas)) turnUsage.add({ agent, sessionId, agentId: agentId ?? '', ...row })
      const { inode, offset } = read
      turnUsage.setReading({ path, inode, offset, state: JSON.stringify(state) }, Date.now())
    })
    if (deltas.length > 0) this.#counted(agent, sessionId)
  }
}

const PLAIN_NAME = /^[\w-]+$/ // a session id is untrusted input and becomes part of a path here
const MAX_SIDES = 500

/** Sub-agents' transcripts that no hook names, for agents that keep them in a folder of the session. */
function sidesOf({ agentId, ...whose }: InFile): InFile[] {
  const reader = agentFor(whose.agent).transcript
  if (!reader?.sides || agentId !== undefined || !PLAIN_NAME.test(whose.sessionId)) return []
  const folder = reader.sides(whose.path, whose.sessionId)
  return namesIn(folder).map((name) => ({
    ...whose,
    agentId: basename(name, '.jsonl').replace(/^agent-/, ''), // Claude 2.1.325 puts this before the id
    path: join(folder, name),
  }))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .slice(0, MAX_SIDES)
  } catch {
    return [] // no such folder
  }
}

function sourceOf({ agent, sessionId, path }: UsageOf): string {
  return path ?? `journal:${agent}:${sessionId}`
}

/** One row per turn and model. */
function rowsOf(deltas: readonly UsageDelta[]): Omit<TurnUsageRow, 'agent' | 'sessionId' | 'agentId'>[] {
  const rows = new Map<string, Omit<TurnUsageRow, 'agent' | 'sessionId' | 'agentId'>>()
  for (const { turn, turnAt, model, counts, requests, costUsd } of deltas) {
    const key = `${turn}\n${model}`
    const row = rows.get(key)
    rows.set(key, {
      turn,
      turnAt: row?.turnAt ?? turnAt,
      model,
      requests: (row?.requests ?? 0) + requests,
      unpriced: (row?.unpriced ?? 0) + (costUsd === undefined ? 1 : 0),
      input: (row?.input ?? 0) + counts.input,
      cacheRead: (row?.cacheRead ?? 0) + counts.cacheRead,
      cacheWrite: (row?.cacheWrite ?? 0) + counts.cacheWrite5m + counts.cacheWrite1h,
      output: (row?.output ?? 0) + counts.output,
      costUsd: (row?.costUsd ?? 0) + (costUsd ?? 0),
    })
  }
  return [...rows.values()]
}
