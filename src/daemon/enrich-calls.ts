/** Calls about what was around events and inside sessions: contexts, transcripts, usage, files. */
import { z } from 'zod'
import { PRICES } from '../agents/index.ts'
import type {
  EventContextView,
  SessionFileView,
  SessionUsageView,
  TranscriptView,
  UsageView,
} from '../client/index.ts'
import { GantryError } from '../errors.ts'
import type { FileChangeKind } from '../events/index.ts'
import type { Session } from '../sessions/index.ts'
import type { Store, TurnUsageRow } from '../store/index.ts'
import type { Enricher } from './enrich/index.ts'
import type { Keeper } from './keeper.ts'
import { reviveRow } from './revive.ts'
import { defineRpc, type Rpc } from './rpc.ts'
import { findSession } from './session-calls.ts'
import { conversationOf } from './transcripts/conversation.ts'
import { lastEnv } from './transcripts/last-env.ts'
import type { TranscriptUsage } from './transcripts/usage.ts'

export interface EnrichCallParts {
  readonly keeper: Keeper
  readonly store: Store
  readonly enricher: Enricher
  readonly usage: TranscriptUsage
  readonly redaction: () => boolean
}

const MAX_CONTEXTS = 1_000
const SLICE = 50 // events read in one go: a millisecond or two
const REACHED_MS = 1_500
const TRANSCRIPT_BYTES = 64 * 1024 * 1024
const MAX_TURNS = 5_000
const MAX_FILES = 2_000

const which = z.strictObject({ session: z.string().min(1).describe('id, the beginning of one, or name') })

export function enrichCalls(parts: EnrichCallParts): Rpc[] {
  const find = (text: string) => findSession(text, parts)
  return [
    defineRpc({
      name: 'events.contexts',
      summary: 'What was around events: ids, conversation, parent, project, git, changed files',
      args: z.strictObject({ seqs: z.array(z.int().positive()).max(MAX_CONTEXTS) }),
      example: { seqs: [1] },
      handle: ({ seqs }) => contexts(seqs, parts),
    }),
    defineRpc({
      name: 'sessions.transcript',
      summary: 'What was said in a session, from its transcript',
      args: which.extend({ limit: z.int().min(1).max(20_000).default(1000).describe('newest kept') }),
      example: { session: 'brave-otter', limit: 20 },
      handle: ({ session, limit }) => transcript(find(session), limit, parts),
    }),
    defineRpc({
      name: 'sessions.usage',
      summary: 'Tokens and cost of a session by turn and model',
      args: which,
      example: { session: 'brave-otter' },
      handle: ({ session }) => usage(find(session), parts),
    }),
    defineRpc({
      name: 'sessions.files',
      summary: 'Files that a session created, changed or deleted, the last one first',
      args: which,
      example: { session: 'brave-otter' },
      handle: ({ session }) => files(find(session), parts),
    }),
  ]
}

async function contexts(
  seqs: readonly number[],
  { store, enricher }: EnrichCallParts,
): Promise<EventContextView[]> {
  const found: EventContextView[] = []
  const last = Math.min(Math.max(0, ...seqs), store.journal.lastSeq)
  await enricher.reached(last, REACHED_MS)
  for (const [n, seq] of seqs.entries()) {
    const row = store.bySeq(seq)
    found.push({ seq, context: row ? enricher.contextOf(reviveRow(row)) : null })
    if (n % SLICE === SLICE - 1) await new Promise(setImmediate)
  }
  return found
}

async function transcript(session: Session, limit: number, parts: EnrichCallParts): Promise<TranscriptView> {
  const found = await conversationOf(session, {
    env: lastEnv(session, parts.store),
    maxBytes: TRANSCRIPT_BYTES,
    redaction: parts.redaction(),
  })
  if (!found) throw new GantryError('VALIDATION_ERROR', noTranscript(session))
  const { id, agent, name, title = session.summary?.title } = session
  return {
    session: { id, agent, name, ...(title === undefined ? {} : { title }) },
    messages: found.messages.slice(-limit),
    cut: found.cut || found.messages.length > limit,
  }
}

function noTranscript({ agent, name, transcriptPath }: Session): string {
  return transcriptPath === undefined
    ? `${name} has no transcript: ${agent} did not say where it is. Its events: gantry events --session`
    : `The transcript of ${name} cannot be read: it is gone, not ${agent}'s own, or of a form that gantry does not know.`
}

/** Brought up to the end of the transcript first. */
async function usage(session: Session, { store, usage }: EnrichCallParts): Promise<SessionUsageView> {
  const { agent, id: sessionId, transcriptPath: path } = session
  const where = path === undefined ? { env: {} } : { path, env: lastEnv(session, store) }
  await usage.measure({ agent, sessionId, ...where })
  const turns = store.turnUsage.ofSession(agent, sessionId, MAX_TURNS).reverse()
  return {
    turns: turns.map(({ turn, turnAt, agentId, model, ...row }) => ({
      turn,
      turnAt,
      ...(agentId === '' ? {} : { agentId }),
      model,
      ...countsOf(row),
    })),
    total: turns.map(countsOf).reduce(sum, NOTHING),
    pricesAsOf:
      PRICES.map(({ asOf }) => asOf)
        .sort()
        .at(-1) ?? '',
  }
}

type Counts = SessionUsageView['total']
const NOTHING: Counts = { requests: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0, costUsd: 0 }

function countsOf(
  row: Omit<TurnUsageRow, 'agent' | 'sessionId' | 'agentId' | 'turn' | 'turnAt' | 'model'>,
): Counts {
  const { requests, input, cacheRead, cacheWrite, output, unpriced, costUsd } = row
  return { requests, input, cacheRead, cacheWrite, output, costUsd: unpriced > 0 ? null : costUsd }
}

function sum(a: Counts, b: Counts): Counts {
  return {
    requests: a.requests + b.requests,
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
  } satisfies Partial<UsageView>
}

async function files(session: Session, { store, enricher }: EnrichCallParts): Promise<SessionFileView[]> {
  await enricher.reached(store.journal.lastSeq, REACHED_MS)
  const { agent, id } = session
  return store.fileChanges
    .ofSession(agent, id, 0, Number.MAX_SAFE_INTEGER, MAX_FILES)
    .map(({ path, change, created, changes }) => ({
      path,
      change: change as FileChangeKind,
      created,
      changes,
    }))
}
