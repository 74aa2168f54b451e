/**
 * The process of the calls `query`, `events.list`, `sessions.transcript` and the like: reads a task on stdin, prints the envelope of the
 * answer, exits. It runs at a lower priority than agents.
 */
import type { EventsPage, TimelineView, TranscriptView, WireEvent } from '../../client/index.ts'
import { GantryError, isCorrupt, messageOf, plainly } from '../../core/errors.ts'
import { yieldToAgents } from '../../core/processes/priority.ts'
import { changesOf } from '../../insight/changes/index.ts'
import { conversationOf } from '../../insight/conversation.ts'
import { insightsOf } from '../../insight/totals/index.ts'
import { bytesOf, findEvents, readEvents } from '../../journal/listing.ts'
import { pageSteps } from '../../journal/page.ts'
import { MEMORY_MB, type ReadTask, TEMPORARY_MB } from '../../journal/query-process.ts'
import type { Envelope } from '../../rpc/index.ts'
import { type EventReader, type Listed, openEventReader, runQuery } from '../../store/index.ts'
import { rehearsed, whyOf } from '../decisions/past.ts'
import { out } from '../framework/terminal.ts'
import { readTimeline } from '../sessions/read-timeline.ts'

type Task = ReadTask & { readonly database: string }
type Of<Kind extends string> = Extract<Task, { readonly [key in Kind]: unknown }>

const TRANSCRIPT_BYTES = 64 * 1024 * 1024 // from its end
const PAGE_MS = 1_000 // then the page tells how far it came, and its reader asks for the rest
const ENTRY_CHARS = 4_000 // 20,000 entries stay below the limit of an answer, for all that agents write
const MAX_LISTED_BYTES = 32 * 1024 * 1024 // of payloads: daemon and caller have an answer in memory, whole

export async function run(): Promise<number> {
  yieldToAgents()
  out(JSON.stringify(await envelopeOf((await Bun.stdin.json()) as Task)))
  return 0
}

async function envelopeOf(task: Task): Promise<Envelope> {
  try {
    return { ok: true, data: await answer(task) }
  } catch (thrown) {
    const error = plainly(thrown)
    const code = error instanceof GantryError ? error.code : 'HANDLER_ERROR'
    return { ok: false, error: code, message: messageOf(error) }
  }
}

function answer(task: Task): unknown {
  if ('sql' in task) return rows(task)
  if ('events' in task) return events(task)
  if ('page' in task) return page(task)
  if ('insights' in task) return reading(task, (reader) => insightsOf(reader, task.insights))
  if ('changes' in task) return reading(task, (reader) => changesOf(reader, task.changes))
  if ('why' in task) return whyOf(task.places, task.why)
  if ('rehearse' in task) return rehearsed(task.places, task.rehearse)
  return 'timeline' in task ? timeline(task) : transcript(task)
}

function rows({ database, sql, limit }: Of<'sql'>): unknown {
  try {
    return runQuery(database, sql, limit)
  } catch (error) {
    if (isCorrupt(error) || error instanceof GantryError) throw error
    const bound = boundHit(error)
    if (bound !== undefined)
      throw new GantryError('TOO_LARGE', `This needs more than ${bound}. Narrow it: add a WHERE on seq.`)
    throw new GantryError(
      'VALIDATION_ERROR',
      `${messageOf(error)}. docs/sql.md has all tables and columns; so has: PRAGMA table_list, PRAGMA table_info(events)`,
    )
  }
}

/** The limit of the process that a query exceeded. */
function boundHit(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'SQLITE_IOERR_WRITE' || code === 'SQLITE_FULL') return `${TEMPORARY_MB} MB of temporary files`
  return code === 'SQLITE_NOMEM' ? `${MEMORY_MB} MB of memory` : undefined
}

function events({ database, events: query, limit }: Of<'events'>): WireEvent[] {
  return reading({ database }, (reader) => {
    const found = findEvents(reader, query, limit)
    if (bytesOf(found) > MAX_LISTED_BYTES) throw tooLarge(found)
    return [...readEvents(reader, found)]
  })
}

function reading<T>({ database }: Pick<Task, 'database'>, read: (reader: EventReader) => T): T {
  const reader = openEventReader(database)
  try {
    return read(reader)
  } finally {
    reader.close()
  }
}

function page({ database, page }: Of<'page'>): EventsPage {
  return reading({ database }, (reader) => {
    const steps = pageSteps(reader, page, PAGE_MS)
    for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value.page
  })
}

/** Texts are cut: the events and the transcript have them whole. */
function timeline({ database, timeline, limit }: Of<'timeline'>): TimelineView {
  const { session, efforts } = timeline
  const { entries, isCut } = readTimeline(database, session, efforts, limit)
  return {
    session,
    entries: entries.map((entry) =>
      entry.text.length <= ENTRY_CHARS ? entry : { ...entry, text: `${entry.text.slice(0, ENTRY_CHARS)}…` },
    ),
    cut: isCut,
  }
}

async function transcript({ transcript, limit }: Of<'transcript'>): Promise<TranscriptView> {
  const { session, env, redaction, missing } = transcript
  const found = await conversationOf(session, { env, maxBytes: TRANSCRIPT_BYTES, redaction })
  if (!found) throw new GantryError('VALIDATION_ERROR', missing)
  const { transcriptPath: _, ...shown } = session
  const messages = found.messages.slice(-limit)
  return { session: shown, messages, cut: found.cut || found.messages.length > limit }
}

/** Refused: a shorter list would look complete. */
function tooLarge(found: readonly Listed[]): GantryError {
  let left = MAX_LISTED_BYTES
  const fitting = found.findIndex(({ bytes }) => {
    left -= bytes
    return left < 0
  })
  const mb = (bytes: number) => Math.round(bytes / 1024 / 1024)
  return new GantryError(
    'TOO_LARGE',
    `These ${found.length} events have ${mb(bytesOf(found))} MB; an answer has at most ${mb(MAX_LISTED_BYTES)}. ` +
      `The newest ${fitting} fit: ask with limit ${Math.max(1, fitting)}, and for those before them with "before" and the first seq you got.`,
  )
}
