/** Calls about contexts, transcripts, usage and files. */
import { PRICES } from '../agents/index.ts'
import type { EventContextView, SessionFileView, SessionUsageView, UsageView } from '../client/index.ts'
import { firstOf } from '../core/time/days.ts'
import type { FileChangeKind } from '../events/index.ts'
import { parseRow, type ReadTurns } from '../journal/index.ts'
import type { ChangesTask, ReadProcesses, TimelineTask, TranscriptTask } from '../journal/query-process.ts'
import type { CallHandlers } from '../rpc/index.ts'
import { lastEnv, type SessionTracker } from '../sessions/index.ts'
import { findSession } from '../sessions/rpc.ts'
import type { Session } from '../sessions/state/index.ts'
import type { Store, TurnUsageRow } from '../store/index.ts'
import type { Enricher } from './enrich/index.ts'
import type { TranscriptUsage } from './usage.ts'

interface EnrichCallParts {
  readonly tracker: SessionTracker
  readonly store: Store
  readonly enricher: Enricher
  readonly usage: TranscriptUsage
  readonly redaction: () => boolean
  readonly processes: ReadProcesses
  readonly turns: ReadTurns
  /** The root of the repository around a folder, read now. */
  readonly rootOf: (cwd: string | undefined) => Promise<string | undefined>
}

const SLICE_MS = 1 // of reading contexts; then hooks come first
const REACHED_MS = 1_500
const MAX_TURNS = 5_000
const MAX_FILES = 2_000
const MAX_EFFORTS = 3 // of a timeline
const MAX_MESSAGES = 200 // of an effort

export function enrichCalls(parts: EnrichCallParts) {
  const find = (text: string) => findSession(text, parts)
  return {
    'events.contexts': ({ seqs }) => contexts(seqs, parts),
    'sessions.transcript': ({ session, limit }, { signal }) =>
      parts.processes.ask({ transcript: transcriptTask(find(session), parts), limit }, signal),
    'sessions.timeline': ({ session, limit }, { signal }) =>
      parts.processes.ask({ timeline: timelineTask(find(session), parts), limit }, signal),
    'sessions.changes': async ({ session }, { signal }) =>
      parts.processes.ask({ changes: await changesTask(find(session), parts) }, signal),
    insights: ({ days = 1, until: asked = Date.now(), since }, { signal }) => {
      const until = Math.min(asked, Date.now())
      return parts.processes.ask({ insights: { since: since ?? firstOf(days, until), until } }, signal)
    },
    'sessions.usage': ({ session }) => usage(find(session), parts),
    'sessions.files': ({ session }) => files(find(session), parts),
  } satisfies Partial<CallHandlers>
}

async function contexts(
  seqs: readonly number[],
  { store, enricher, turns }: EnrichCallParts,
): Promise<EventContextView[]> {
  const found: EventContextView[] = []
  const last = Math.min(Math.max(0, ...seqs), store.journal.lastSeq)
  await enricher.reached(last, REACHED_MS)
  for (let n = 0; n < seqs.length; )
    await turns.take(() => {
      const until = performance.now() + SLICE_MS
      do {
        const seq = seqs[n++] ?? 0
        const row = store.bySeq(seq)
        found.push({ seq, context: row ? enricher.contextOf(parseRow(row)) : null })
      } while (n < seqs.length && performance.now() < until)
    })
  return found
}

function timelineTask(session: Session, { store: { work } }: EnrichCallParts): TimelineTask {
  const { key, id, agent, name, startedAt, endedAt } = session
  return {
    session: { key, id, agent, name, startedAt, ...(endedAt === undefined ? {} : { endedAt }) },
    efforts: work
      .effortsOf(id)
      .slice(0, MAX_EFFORTS)
      .map((effort) => ({
        id: effort.id,
        skill: effort.skill,
        sessions: work.sessions(effort.id),
        messages: work.latestMessages(effort.id, MAX_MESSAGES),
      })),
  }
}

async function changesTask(session: Session, { rootOf }: EnrichCallParts): Promise<ChangesTask> {
  const { agent, id, cwd, replayed } = session
  const root = await rootOf(cwd)
  return {
    ...{ agent, id },
    ...(cwd === undefined ? {} : { cwd }),
    ...(root === undefined ? {} : { root }),
    ...(replayed ? { replayed } : {}),
  }
}

function transcriptTask(session: Session, { store, redaction }: EnrichCallParts): TranscriptTask {
  const { id, agent, name, transcriptPath, title = session.summary?.title } = session
  const where = transcriptPath === undefined ? {} : { transcriptPath }
  return {
    session: { id, agent, name, ...(title === undefined ? {} : { title }), ...where },
    env: lastEnv(session, store),
    redaction: redaction(),
    missing: noTranscript(session),
  }
}

function noTranscript({ agent, name, transcriptPath, replayed }: Session): string {
  const why = replayed ? 'it was replayed, or ran elsewhere' : `${agent} did not say where it is`
  return transcriptPath === undefined
    ? `${name} has no transcript: ${why}. Its events: gantry events --session ${name}`
    : `The transcript of ${name} cannot be read: it is gone, outside ${agent}'s own folder, or in a format that gantry does not know.`
}

/** Reads the transcript to its end first. */
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
