/** Which payloads to learn from, and the kind of each: journal rows and recorded lines. */
import { DEFAULT_AGENT } from '../../agents/facts.ts'
import { agentFor } from '../../agents/index.ts'
import { isObject } from '../../core/is-object.ts'
import { CANARY, fromSdkLine, OWN_AGENT, UNREADABLE } from '../../events/index.ts'
import { isInbound } from '../../journal/index.ts'
import type { Kind } from '../../rpc/index.ts'
import type { PayloadRow } from '../../store/index.ts'

/** Larger payloads are data; this much parses in a few milliseconds. */
export const MAX_LEARNED_BYTES = 1024 * 1024
const MAX_NAME_CHARS = 100

/** Sources that carry the agent's own payloads; other sources carry hand-written or already counted ones. */
const LEARNED: ReadonlySet<string> = new Set(['socket', 'http', 'spool'])

export function isLearned(row: PayloadRow): boolean {
  const isOdd =
    row.agent === OWN_AGENT ||
    row.native === '' ||
    row.native === UNREADABLE ||
    row.session.startsWith(CANARY)
  return !isOdd && row.raw.startsWith('{') && LEARNED.has(row.transport) && !isInbound(row)
}

export function kindOf({
  agent,
  version,
  native,
  tool,
}: Pick<PayloadRow, 'agent' | 'version' | 'native' | 'tool'>): Kind {
  const event = nameOf(spelled(agent, native))
  return { agent: nameOf(agent), version: nameOf(version), event, tool: nameOf(tool) }
}

const spellings = new Map<string, Map<string, string>>()

/** A payload without an event name takes it from the hook's command line, where the spelling may differ. */
function spelled(agent: string, native: string): string {
  const { id, events } = agentFor(agent)
  if (Object.hasOwn(events, native)) return native
  let known = spellings.get(id)
  if (!known) {
    known = new Map(Object.keys(events).map((name) => [name.toLowerCase(), name]))
    spellings.set(id, known)
  }
  return known.get(native.toLowerCase()) ?? native
}

function nameOf(text: string): string {
  return text.length > MAX_NAME_CHARS ? `${text.slice(0, MAX_NAME_CHARS)}…` : text
}

interface Recorded {
  readonly kind: Kind
  readonly payload: Readonly<Record<string, unknown>>
  readonly at: number
}

/**
 * A recorded line `{agent, version, event, payload, env?, at?}`, or one of claude-hooks-sdk; undefined for anything
 * else.
 */
export function recordedOf(value: unknown): Recorded | undefined {
  const line = fromSdkLine(value, DEFAULT_AGENT) ?? value
  if (!isObject(line) || typeof line.agent !== 'string' || !isObject(line.payload)) return undefined
  const { agent, payload, at } = line
  const time = typeof at === 'string' ? Date.parse(at) : Number(at)
  const rawEvent = {
    id: '',
    at: 0,
    receivedAt: 0,
    agent,
    ...(typeof line.event === 'string' ? { event: line.event } : {}),
    client: { env: isObject(line.env) ? (line.env as Record<string, string>) : {} },
    transport: 'socket',
    raw: '',
  } as const
  const { native, agentVersion, tool } = agentFor(agent).read(payload, rawEvent)
  if (native === '' || native === UNREADABLE) return undefined
  const version = typeof line.version === 'string' ? line.version : (agentVersion ?? '')
  const kind = kindOf({ agent, version, native, tool: tool?.name ?? '' })
  return { kind, payload, at: Number.isFinite(time) ? time : 0 }
}
