/** Sanitises a frame's header: invalid facts are dropped, the event itself never is. */
import { ofAllAgents } from '../agents/facts.ts'
import {
  AGENT_NAME,
  type ClientFacts,
  isId,
  isPast,
  newId,
  type RawEvent,
  type Transport,
} from '../events/index.ts'
import { rawOf } from '../journal/index.ts'
import type { FrameHeader } from './frames.ts'

const EVENT_NAME = /^[A-Za-z0-9_.:-]{1,64}$/
const MAX_ENV_VALUES = 64
const MAX_VALUE_CHARS = 4096
const CLOCK_SLACK_MS = 366 * 86_400_000 // a sender's clock more than a year off is broken, not early

export interface Received {
  readonly payload: Buffer
  readonly cutFrom?: number
  readonly transport: Transport
  readonly receivedAt: number
}

export function rawEventOf(header: FrameHeader, delivery: Received): RawEvent {
  const { receivedAt, transport, payload } = delivery
  const event = matching(header.event, EVENT_NAME)
  const cutFrom = delivery.cutFrom ?? whole(header.cut)
  return {
    id: isId(header.id) ? header.id : newId(),
    at: sourceTime(header.at, receivedAt, transport),
    receivedAt,
    agent: matching(header.agent, AGENT_NAME) ?? 'unknown',
    ...(event === undefined ? {} : { event }),
    client: isPast(delivery) ? { env: lastingOf(envOf(header.env)) } : clientFacts(header),
    transport,
    ...(cutFrom === undefined ? {} : { cutFrom }),
    raw: rawOf(payload),
  }
}

function clientFacts(header: FrameHeader): ClientFacts {
  const facts: { -readonly [K in keyof ClientFacts]: ClientFacts[K] } = { env: envOf(header.env) }
  const pid = whole(header.pid)
  const ppid = whole(header.ppid)
  if (pid !== undefined) facts.pid = pid
  if (ppid !== undefined) facts.ppid = ppid
  if (isShort(header.pane)) facts.pane = header.pane
  if (isShort(header.tmux)) facts.tmux = header.tmux
  if (isShort(header.client)) facts.version = header.client
  return facts
}

/** Of a replayed event, only values that do not refer to a process, pane or file, which may belong to somebody else now. */
const LASTING: ReadonlySet<string> = new Set(ofAllAgents(({ lastingEnv = [] }) => lastingEnv))

function lastingOf(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => LASTING.has(name)))
}

function envOf(value: unknown): Record<string, string> {
  const env: Record<string, string> = {}
  if (typeof value !== 'object' || value === null) return env
  let left = MAX_ENV_VALUES
  for (const [name, text] of Object.entries(value)) {
    if (left-- === 0) break
    if (isShort(text)) env[name] = text
  }
  return env
}

/** Nothing happens after it was received: such a clock is another one, or was set back since. */
function sourceTime(at: unknown, receivedAt: number, transport: Transport): number {
  const slack = transport === 'import' ? receivedAt : CLOCK_SLACK_MS // a log may be of any year
  if (typeof at !== 'number' || !(Math.abs(at - receivedAt) <= slack)) return receivedAt
  return Math.min(Math.round(at), receivedAt)
}

function matching(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined
}

function whole(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_VALUE_CHARS
}
