/** A real journal with its streams, as the daemon drives them, and readers that can be full. */
import { join } from 'node:path'
import { eventOf, tempDir } from '../../test/kit.ts'
import { type HookEvent, newId } from '../events/index.ts'
import type { Sink } from '../journal/index.ts'
import { openStore, type Store } from '../store/index.ts'
import { Sources } from './streams/index.ts'

export interface Journal {
  readonly store: Store
  readonly sources: Sources
  /** One commit, with everyone told. */
  commit(...events: HookEvent[]): HookEvent[]
  /** Many events, in commits of a hundred, with nobody told and no fsync. */
  fill(count: number, make: (n: number) => HookEvent): void
  /** As the session tracker does for sessions that changed. */
  know(session: string, lastActivity?: number): void
}

export function journal(path = join(tempDir(), 'gantry.db')): Journal {
  const store = openStore(path)
  const sources = new Sources(store)
  const append = (events: HookEvent[]) =>
    events.map((event) => ({ ...event, seq: store.journal.append(event) }))
  return {
    store,
    sources,
    commit: (...events) => {
      const stored = store.journal.commit(() => append(events))
      sources.committed(stored)
      return stored
    },
    fill: (count, make) => {
      for (let n = 0; n < count; n += 100)
        store.journal.relaxed(
          () => void append(Array.from({ length: Math.min(100, count - n) }, (_, i) => make(n + i))),
        )
    },
    know: (sessionId, lastActivity = Date.now()) =>
      store.journal.relaxed(() =>
        store.sessions.put({
          key: `claude:${sessionId}`,
          agent: 'claude',
          sessionId,
          name: sessionId,
          phase: 'idle',
          seq: 0,
          lastActivity,
          state: '{}',
          place: {},
        }),
      ),
  }
}

export function event(sessionId = 's1', type = 'Stop', raw = '{}'): HookEvent {
  return eventOf({ id: newId(), sessionId, type, native: type, raw })
}

export interface Got {
  readonly seq: number
  readonly type: string
  readonly session: string
  readonly data?: string
  readonly dataBase64?: string
  readonly deliveries?: number
}

/** A reader that takes so many writes and then is full. */
export class Collector implements Sink {
  readonly got: Got[] = []
  readonly failures: unknown[] = []
  writes = 0
  /** Writes that came although the reader had said that it was full. */
  overrun = 0
  room = Number.POSITIVE_INFINITY

  send(bytes: Uint8Array): boolean {
    if (this.room <= 0) this.overrun += 1
    this.writes += 1
    for (const line of Buffer.from(bytes).toString().trimEnd().split('\n'))
      this.got.push((JSON.parse(line) as { msg: Got }).msg)
    this.room -= 1
    return this.room > 0
  }

  fail(error: unknown): void {
    this.failures.push(error)
  }

  get seqs(): number[] {
    return this.got.map(({ seq }) => seq)
  }
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
}
