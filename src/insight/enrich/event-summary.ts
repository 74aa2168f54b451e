/** What enrichment keeps of an event while it is queued, and what follows from the event alone. */
import { ofAllAgents } from '../../agents/facts.ts'
import { type FileChange, type HookEvent, OWN_AGENT } from '../../events/index.ts'
import type { ContextSpan } from '../../store/index.ts'
import type { FinishedCall } from './file-snapshots.ts'

/**
 * An event without its payload. Events wait a moment before they are enriched; if thousands of payloads lived that
 * long, the garbage collector would move them around and delay all hooks.
 */
export type EventSummary = Pick<
  HookEvent,
  | 'id'
  | 'seq'
  | 'at'
  | 'agent'
  | 'type'
  | 'sessionId'
  | 'agentId'
  | 'turnId'
  | 'cwd'
  | 'source'
  | 'hidden'
  | 'transport'
  | 'client'
>

export function summaryOf(event: HookEvent): EventSummary {
  const { id, seq, at, agent, type, sessionId, transport, client } = event
  const { agentId, turnId, cwd, source, hidden } = event
  return {
    id,
    seq,
    at,
    agent,
    type,
    sessionId,
    transport,
    client,
    ...(agentId === undefined ? {} : { agentId }),
    ...(turnId === undefined ? {} : { turnId }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(source === undefined ? {} : { source }),
    ...(hidden === undefined ? {} : { hidden }),
  }
}

const NAMES = ofAllAgents(({ projectVariable: name }) => (name === undefined ? [] : [name]))

/** The folder that an agent calls its project, from the variable that it gives its hooks; undefined if that is not set. */
export function projectDirOf(env: HookEvent['client']['env']): string | undefined {
  for (const name of NAMES) if (env[name]) return env[name]
  return undefined
}

/** Ids of transactions and prompts are derived from the event, so they are deterministic. */
const CHANCE_CHARS = 9

export function transactionIdOf({ id, at }: Pick<HookEvent, 'id' | 'at'>): string {
  return `tx_${stampOf(at, id)}`
}

/** For agents that do not identify their prompts. */
export function promptIdOf({ id, at }: Pick<HookEvent, 'id' | 'at'>): string {
  return `prompt_${stampOf(at, id)}`
}

function stampOf(at: number, id: string): string {
  const hash = new Bun.CryptoHasher('sha256').update(id).digest().readUIntBE(0, 6)
  return `${Math.trunc(at)}_${hash.toString(36).padStart(CHANCE_CHARS, '0').slice(-CHANCE_CHARS)}`
}

/** A queued event. It keeps its payload only if the SDK log will need it. */
export interface Waiting {
  readonly seq: number
  readonly summary: EventSummary
  readonly call: FinishedCall | undefined
  readonly event: HookEvent | undefined
}

export interface Enriched extends Waiting {
  readonly span: ContextSpan
  readonly isNew: boolean
  readonly files: readonly FileChange[]
}

/** True for internal events and events without a session. */
export function isOwn({ agent, sessionId }: Pick<EventSummary, 'agent' | 'sessionId'>): boolean {
  return agent === OWN_AGENT || sessionId === ''
}
