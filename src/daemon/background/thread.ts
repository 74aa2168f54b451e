/**
 * The background thread: what follows the journal and may take its time. It publishes to NATS, posts to webhooks and learns
 * payload schemas, on a connection of its own that only reads. What it has to write, the daemon's thread writes for it.
 */
import { setPriority } from 'node:os'
import { type BusMessage, type LastSeqs, Outgoing, StoredStreams } from '../../bus/index.ts'
import { GantryError, messageOf } from '../../core/errors.ts'
import type { Log, LogLevel } from '../../core/log.ts'
import { within } from '../../core/time/waits.ts'
import { SchemaLearner } from '../../insight/schema/learner.ts'
import { schemaCalls } from '../../insight/schema/rpc.ts'
import { openFollowerStore } from '../../store/index.ts'
import type { FromThread, ToThread } from './messages.ts'
import { PostedWrites } from './posted-writes.ts'

declare const self: Worker

const NICE = 5 // hooks come first where there are few cores; on Linux this is the thread's own
const LAST_WRITES_MS = 1_000
const EVENTS_BETWEEN_COLLECTIONS = 5_000 // nobody waits for this thread, so it returns memory early

type Parts = ReturnType<typeof open>

let parts: Parts | undefined

function open({ places, identity, config, last }: Extract<ToThread, { kind: 'start' }>) {
  let [now, upTo] = [config, last]
  let uncollected = 0
  const took = (events: number) => {
    uncollected += events
    if (uncollected < EVENTS_BETWEEN_COLLECTIONS) return
    uncollected = 0
    Bun.gc(true)
  }
  const writes = new PostedWrites((id, all) => post({ kind: 'write', id, writes: all }))
  const store = openFollowerStore(places.database, {
    identity,
    lastSeq: () => upTo.HOOK_EVENTS,
    send: (all) => writes.send(all),
  })
  const streams = new StoredStreams(store, last)
  const outgoing = new Outgoing({
    ...{ store, streams, log, places },
    rested: took,
    delivers: (isOn) => post({ kind: 'delivers', isOn }),
    connected: (endpoint) => post({ kind: 'connected', endpoint }),
  })
  const raised = new Map<string, (isStored: boolean) => void>()
  const schemas = new SchemaLearner({
    ...{ store, log },
    settings: () => now.schema,
    raise: (rawEvent, done) => {
      raised.set(rawEvent.id, done)
      post({ kind: 'raise', rawEvent })
    },
    flushed: () => writes.flushed(),
  })
  outgoing.apply(config)
  return {
    calls: callsOf(outgoing, schemas, store, writes),
    writes,
    apply: (config: typeof now) => {
      now = config
      outgoing.apply(config)
    },
    tell: (last: LastSeqs, hooks: readonly BusMessage[]) => {
      const events = last.HOOK_EVENTS - upTo.HOOK_EVENTS
      upTo = last
      streams.tell(last, hooks)
      schemas.committed()
      took(events)
    },
    raised: (id: string, isStored: boolean) => {
      raised.get(id)?.(isStored)
      raised.delete(id)
    },
    close: async () => {
      await outgoing.close()
      schemas.stop()
      await within(writes.flushed(), LAST_WRITES_MS)
      store.close()
    },
  }
}

function callsOf(
  outgoing: Outgoing,
  schemas: SchemaLearner,
  store: ReturnType<typeof openFollowerStore>,
  writes: PostedWrites,
) {
  return {
    glance: () => outgoing.glance(),
    checkpoint: () => store.checkpoint(),
    'bus.status': () => outgoing.status(),
    'bus.problems': () => outgoing.problems(),
    'bus.natsInfo': () => outgoing.info(),
    'bus.webhooks.test': (name: string, id: string) => outgoing.test(name, id),
    requeued: async () => {
      await writes.flushed() // a letter that was just settled must not look as if it waited
      outgoing.requeued()
    },
    writeInfoFile: () => outgoing.writeInfoFile(),
    /** Drift that nobody has accepted, judged like `gantry schema diff`. */
    'schema.open': async () => (await schemas.registry()).open(),
    ...schemaCalls({ learner: schemas, store, flushed: () => writes.flushed() }),
  }
}

export type ThreadCalls = Parts['calls']

function post(message: FromThread): void {
  self.postMessage(message)
}

const logAt = (level: LogLevel) => (component: string, message: string) =>
  post({ kind: 'log', level, component, message })

const log: Log = {
  debug: logAt('debug'),
  info: logAt('info'),
  warn: logAt('warn'),
  error: logAt('error'),
  close: () => {},
}

async function answer({ id, name, args }: Extract<ToThread, { kind: 'call' }>): Promise<void> {
  try {
    const calls = parts?.calls as Record<string, (...args: readonly unknown[]) => unknown> | undefined
    post({ kind: 'answer', id, value: await calls?.[name]?.(...args) })
  } catch (error) {
    const code = error instanceof GantryError ? error.code : 'HANDLER_ERROR'
    post({ kind: 'refusal', id, code, message: messageOf(error) })
  }
}

async function take(message: ToThread): Promise<void> {
  switch (message.kind) {
    case 'start':
      if (process.platform === 'linux') setPriority(0, NICE)
      parts = open(message)
      return
    case 'config':
      parts?.apply(message.config)
      return
    case 'committed':
      parts?.tell(message.last, message.hooks)
      return
    case 'written':
      parts?.writes.written(message.id)
      return
    case 'raised':
      parts?.raised(message.id, message.isStored)
      return
    case 'call':
      await answer(message)
      return
    case 'close':
      await parts?.close()
      post({ kind: 'closed' })
      process.exit() // of this thread
  }
}

self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  take(data).catch((error) => post({ kind: 'failed', message: messageOf(error) }))
}
