/** The outbox on a journal of its own, without a daemon around it, and what tests ask of it. */
import { afterAll, expect } from 'bun:test'
import { join } from 'node:path'
import { NatsBus, type NatsPlan, Sources } from '../../src/bus/index.ts'
import { newId } from '../../src/events/index.ts'
import { openStore, type Store } from '../../src/store/index.ts'
import { eventOf, silentLog, tempDir, until } from '../kit.ts'
import { countOf, managerOf, type Stored, type TestServer } from '../nats-kit.ts'

export interface World {
  readonly store: Store
  readonly nats: NatsBus
  readonly log: ReturnType<typeof silentLog>
  /** Puts an event into the journal and tells the bus, as a commit does. */
  say(session: string, parts?: { type?: string; raw?: string }): string
  /** Puts many in at once, before anybody looks. */
  fill(count: number, sessions?: number): string[]
  close(): Promise<void>
}

const open: World[] = []
afterAll(async () => {
  for (const world of open.splice(0)) await world.close()
})

export function world(dir = tempDir()): World {
  const store = openStore(join(dir, 'gantry.db'))
  const sources = new Sources(store)
  const log = silentLog()
  const nats = new NatsBus({
    store,
    sources,
    log,
    dir: join(dir, 'nats'),
    infoFile: join(dir, 'nats-info.json'),
    beadsDir: undefined,
    token: () => 'unused',
    rested: () => {},
  })
  const eventFor = (session: string, type: string, raw?: string) => {
    const id = newId()
    const now = Date.now()
    return eventOf({
      id,
      at: now,
      receivedAt: now,
      type,
      native: type,
      sessionId: session,
      raw: raw ?? JSON.stringify({ hook_event_name: type, session_id: session, id }),
    })
  }
  let closed = false
  const made: World = {
    store,
    nats,
    log,
    say: (session, { type = 'PreToolUse', raw } = {}) => {
      const event = eventFor(session, type, raw)
      store.journal.commit(() => Object.assign(event, { seq: store.journal.append(event) }))
      sources.committed([event])
      return event.id
    },
    fill: (count, sessions = 20) => {
      const ids: string[] = []
      store.journal.commit(() => {
        for (let i = 0; i < count; i++) {
          const event = eventFor(`s${i % sessions}`, 'PreToolUse')
          store.journal.append(event)
          ids.push(event.id)
        }
      })
      return ids
    },
    close: async () => {
      if (closed) return
      closed = true
      await nats.stop()
      store.close()
    },
  }
  open.push(made)
  return made
}

export function planFor(
  server: TestServer,
  more: Partial<Extract<NatsPlan, { mode: 'external' }>> = {},
): NatsPlan {
  return {
    mode: 'external',
    servers: [`127.0.0.1:${server.port}`],
    auth: server.signIn.token ? { kind: 'token', token: server.signIn.token } : { kind: 'none' },
    tls: undefined,
    form: { subjects: 'plain', host: 'box', replicas: 1 },
    ...more,
  }
}

export const holds = (server: TestServer, count: number, stream = 'HOOK_EVENTS') =>
  until(async () => (await countOf(server, stream)) >= count, `${count} messages in ${stream}`, 30_000)

export const idsIn = (messages: readonly Stored[]) => messages.map(({ id }) => id)

/** Each once, and those of a session in their order. */
export function expectOnceInOrder(messages: readonly Stored[], ids: readonly string[]): void {
  expect(messages.length).toBe(ids.length)
  expect(new Set(idsIn(messages))).toEqual(new Set(ids))
  const place = new Map(ids.map((id, at) => [id, at]))
  const last = new Map<string, number>()
  for (const { id, session } of messages) {
    const at = place.get(id) ?? -1
    expect(at).toBeGreaterThan(last.get(session) ?? -1)
    last.set(session, at)
  }
}

export async function manage<T>(
  server: Pick<TestServer, 'url' | 'signIn'>,
  work: (jsm: Awaited<ReturnType<typeof managerOf>>['jsm']) => Promise<T>,
) {
  return work((await managerOf(server)).jsm)
}

export const status = async (nats: NatsBus, stream = 'HOOK_EVENTS') =>
  (await nats.status()).streams.find(({ name }) => name === stream)
