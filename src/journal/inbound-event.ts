/**
 * An event that another program sent to `POST /hooks/in/<source>`. Its type is the given name. Whatever its payload says,
 * it belongs to no session and asks for no decision: nobody outside can speak for an agent.
 */
import { isObject } from '../core/is-object.ts'
import { type HookEvent, type RawEvent, UNREADABLE } from '../events/index.ts'

/** Ids of all other HTTP events are made here and never look like this. */
const PREFIX = 'in:'
const HASH_CHARS = 40

/** The id of an event that already came in elsewhere. */
const CAME_IN = /^in:[a-z0-9_-]{1,32}:([0-9a-f]{40})$/

/**
 * The same for each copy of a delivery, so that it counts once; derived from the content if it has no id. An event that
 * came in before keeps its hash, so that circular webhooks end.
 */
export function inboundId(source: string, delivery: string | undefined, body: Uint8Array): string {
  const known = CAME_IN.exec(delivery ?? '')?.[1]
  if (known !== undefined) return `${PREFIX}${source}:${known}`
  const hasher = new Bun.CryptoHasher('sha256')
  const hash =
    delivery === undefined ? hasher.update('body\n').update(body) : hasher.update(`id\n${delivery}`)
  return `${PREFIX}${source}:${hash.digest('hex').slice(0, HASH_CHARS)}`
}

export function isInbound({ id, transport }: Pick<RawEvent, 'id' | 'transport'>): boolean {
  return transport === 'http' && id.startsWith(PREFIX)
}

export function inboundEvent(rawEvent: RawEvent, payload: unknown): HookEvent {
  const { id, at, receivedAt, agent, event, client, transport, raw } = rawEvent
  const type = event || UNREADABLE
  const common = {
    id,
    seq: 0,
    at,
    receivedAt,
    agent,
    type,
    native: type,
    sessionId: '',
    client,
    transport,
    raw,
  }
  return { ...common, ...(isObject(payload) ? { fields: Object.assign(Object.create(null), payload) } : {}) }
}
