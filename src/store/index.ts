/**
 * SQLite, owned by the daemon alone: schema, journal, counters, reading, retention.
 *
 *   const store = openStore('/tmp/x/gantry.db')
 *   store.journal.commit(() => store.journal.append(event))
 *   store.newest({ session: 's1' }, 100)
 *   store.close()
 */
import type { Database } from 'bun:sqlite'
import { GantryError, isCorrupt, messageOf } from '../core/errors.ts'
import type { ClientFacts } from '../events/index.ts'
import { type DecisionRows, decisionRows } from './decision-rows.ts'
import { isBusy, openDatabase, PAGE_BYTES, setAside } from './files/database.ts'
import { DatabaseFiles } from './files/database-files.ts'
import { growLog } from './files/log-room.ts'
import { checkpointed, moveLog, saveDatabase } from './files/rescue.ts'
import { Journal } from './journal.ts'
import { skipTo, toolSlices } from './kinds.ts'
import { type Listed, listed, listedPage } from './listed.ts'
import { type RetentionLimits, retainSlice, type Slice, usedBytes } from './retention.ts'
import {
  type Decided,
  decidedBefore,
  type EventFilter,
  isPlainText,
  type JournalRow,
  lastClients,
  newestRows,
  oldestRows,
  type RowGlance,
  rowById,
  rowBySeq,
  rowGlance,
  rowsAt,
  seqBack,
  seqBefore,
} from './rows.ts'
import { StreamRows } from './stream-rows.ts'
import { BudgetRows } from './tables/budgets.ts'
import { ConsumerRows } from './tables/consumers.ts'
import { ContextRows } from './tables/contexts.ts'
import { type Counter, Counters } from './tables/counters.ts'
import { Deliveries } from './tables/deliveries.ts'
import { FileChangeRows } from './tables/file-changes.ts'
import { HandlerRows } from './tables/handlers.ts'
import { Marks } from './tables/marks.ts'
import { Messages } from './tables/messages.ts'
import { NotificationRows } from './tables/notifications.ts'
import { OutboxRows } from './tables/outbox.ts'
import { type PayloadRow, payloadRows } from './tables/payloads.ts'
import { Processes } from './tables/processes.ts'
import { SchemaRows } from './tables/schemas.ts'
import { SessionRows } from './tables/sessions.ts'
import { SignalRows } from './tables/signals.ts'
import { TurnUsageRows } from './tables/turn-usage.ts'
import { WorkRows } from './tables/work.ts'

export type { DecisionRows } from './decision-rows.ts'
export { type EventReader, openEventReader } from './event-reader.ts'
export { type Copied, copyDatabase } from './files/backup.ts'
export { type CheckReport, checkJournal, keepReport, lastReport } from './files/check.ts'
export { emptyLog, placeDatabase, type SchemaOf, schemaOf } from './files/restore.ts'
export { applyWrites, type FollowerStore, openFollowerStore, type Write } from './follower-store.ts'
export type { EventGlance, InsightRows, SessionGlance } from './insight-rows.ts'
export { runQuery } from './query.ts'
export {
  isUnusable,
  openSearchIndex,
  removeSearchIndex,
  type SearchIndex,
  type SearchMark,
  type SearchRow,
} from './search-index.ts'
export type { MessageKind, StreamRows } from './stream-rows.ts'
export type { BudgetState, Use, UseKey } from './tables/budgets.ts'
export type { ConsumerRow } from './tables/consumers.ts'
export type { ContextSpan } from './tables/contexts.ts'
export type { Deliveries, Letter } from './tables/deliveries.ts'
export type { FileChangeRow, SessionFile } from './tables/file-changes.ts'
export type { HandlerRow } from './tables/handlers.ts'
export type { StoredMessage } from './tables/messages.ts'
export type { ChannelTrouble, NotificationRows } from './tables/notifications.ts'
export type { OutboxRows, OutboxTarget } from './tables/outbox.ts'
export { type JournalReader, type PayloadRow, readJournal } from './tables/payloads.ts'
export type {
  AgentRow,
  DriftRow,
  EffortRow,
  MessageRow,
  NotificationRow,
  ProjectRow,
  TaskRow,
  UsageSum,
  WorkSessionRow,
} from './tables/row-types.ts'
export type { BaselineRow, SchemaRows, ShapeRow } from './tables/schemas.ts'
export type { SessionCursor, SessionPlace, SessionRow, SessionRows } from './tables/sessions.ts'
export type { SignalRows, SignalScope } from './tables/signals.ts'
export type { TurnUsageRow } from './tables/turn-usage.ts'
export type { WorkRows } from './tables/work.ts'
export {
  type Counter,
  type Decided,
  type EventFilter,
  isBusy,
  isPlainText,
  type JournalRow,
  type Listed,
  type RetentionLimits,
  type RowGlance,
  setAside,
}

export interface Store {
  readonly journal: Journal
  /** Whether the open database files are still in place. */
  readonly files: DatabaseFiles
  readonly counters: Counters
  readonly sessions: SessionRows
  /** Streams other than the journal. */
  readonly messages: Messages
  readonly marks: Marks
  readonly processes: Processes
  /** Commands that the user registered for events. */
  readonly handlers: HandlerRows
  /** Durable consumers of the streams. */
  readonly consumers: ConsumerRows
  /** How far the bus has come with what goes out, and what did not arrive. */
  readonly deliveries: Deliveries
  /** The way to NATS. */
  readonly outbox: OutboxRows
  readonly work: WorkRows
  /** Signals that coordinators wait for. */
  readonly signals: SignalRows
  /** Event contexts. */
  readonly contexts: ContextRows
  readonly fileChanges: FileChangeRows
  readonly turnUsage: TurnUsageRows
  readonly budgets: BudgetRows
  /** Sent notifications. */
  readonly notifications: NotificationRows
  /** Learned payload schemas. */
  readonly schemas: SchemaRows
  /** Newest first; consume it at once, before any other use of the database. */
  newest(filter: EventFilter, limit: number): Iterable<JournalRow>
  /** Oldest first; consume it at once, too. */
  oldest(filter: EventFilter, limit: number): Iterable<JournalRow>
  /** Events that pass, newest first; `passes` decides where the columns cannot. */
  listed(filter: EventFilter, limit: number, passes: (row: JournalRow) => boolean): Listed[]
  /** One page between `after` and `before` of the filter, from either end. */
  listedPage(filter: EventFilter, order: 'ASC' | 'DESC', limit: number): (Listed & { unsure: number })[]
  /** The stream of decisions by time. */
  readonly decisions: DecisionRows
  /** The first sequence from this one on that may pass, as far as is known without reading rows. */
  skipTo(filter: EventFilter, seq: number, order: 'ASC' | 'DESC'): number
  /** Names of tools, from the newest events to the oldest; names come again. */
  toolSlices(): Iterable<readonly string[]>
  /** The events that were answered so, of some messages of the stream of decisions before one. */
  decidedBefore(decision: string, before: number, count: number): Decided
  /** An event without its payload. */
  glance(seq: number): RowGlance | undefined
  /** The newest event, of a session or of all, with `count` events between it and `before`; 0 if there is none. */
  seqBack(session: string | undefined, before: number, count: number): number
  /** Payloads after a sequence, oldest first, for the schema learner; consume it at once, too. */
  payloads(after: number, limit: number, maxBytes: number): Iterable<PayloadRow>
  byId(id: string): JournalRow | undefined
  bySeq(seq: number): JournalRow | undefined
  /** Client facts of a session's last hooks, newest first. */
  lastClients(agent: string, session: string, limit: number): ClientFacts[]
  /** Events at these times among the last `among` of a session, newest first. */
  eventsAt(where: {
    agent: string
    session: string
    times: readonly number[]
    among: number
  }): readonly JournalRow[]
  /** The oldest event; 1 if there is none. */
  firstSeq(): number
  /** The last sequence received before a time. */
  seqBefore(time: number): number
  count(): number
  /** Metadata of a stream's messages, without the payloads. */
  rowsOf(stream: string): StreamRows
  /** Deletes one slice beyond the limits, of this many events at most; true if there is more. */
  retain(limits: RetentionLimits, now: number, rows?: number): boolean
  /** Checkpoints the write-ahead log into the database. */
  checkpoint(): void
  /** Preallocates the write-ahead log, one slice at a time; true if there is more to do. */
  growLog(): boolean
  /** Approximate size of the log that is not checkpointed yet. */
  unmovedBytes(): number
  usedBytes(): number
  /** Checkpoints the whole log, wherever the database file is now. False if a reader blocks it. */
  moveLog(): boolean
  /** Call it before `close` if files were removed: returns the database's new path if it was copied. */
  save(now: number): Promise<string | undefined>
  close(): void
}

export function openStore(path: string): Store {
  const db = openDatabase(path)
  try {
    return storeOf(db)
  } catch (cause) {
    db.close()
    throw new GantryError('DATABASE', `Cannot read ${path}: ${messageOf(cause)}`, { cause })
  }
}

function storeOf(db: Database): Store {
  const files = new DatabaseFiles(db.filename)
  const journal = new Journal(db, files)
  let moved = 0
  const reportCorruption = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      if (isCorrupt(error)) files.broke(messageOf(error))
      throw error
    }
  }
  return {
    journal,
    files,
    counters: new Counters(db),
    sessions: new SessionRows(db),
    messages: new Messages(db),
    marks: new Marks(db),
    processes: new Processes(db),
    handlers: new HandlerRows(db),
    consumers: new ConsumerRows(db),
    deliveries: new Deliveries(db),
    outbox: new OutboxRows(db),
    work: new WorkRows(db, journal),
    signals: new SignalRows(db),
    contexts: new ContextRows(db),
    fileChanges: new FileChangeRows(db),
    turnUsage: new TurnUsageRows(db),
    budgets: new BudgetRows(db),
    notifications: new NotificationRows(db),
    schemas: new SchemaRows(db),
    newest: (filter, limit) => newestRows(db, filter, limit),
    oldest: (filter, limit) => oldestRows(db, filter, limit),
    listed: (filter, limit, passes) => listed(db, filter, limit, journal.lastSeq, passes),
    listedPage: (filter, order, limit) => listedPage(db, filter, order, limit),
    decisions: decisionRows(db),
    skipTo: (filter, seq, order) => skipTo(db, filter, seq, order),
    toolSlices: () => toolSlices(db),
    decidedBefore: (decision, before, count) => decidedBefore(db, decision, before, count),
    glance: (seq) => rowGlance(db, seq),
    seqBack: (session, before, count) => seqBack(db, session, before, count),
    payloads: (after, limit, maxBytes) => payloadRows(db, after, journal.lastSeq, limit, maxBytes),
    byId: (id) => rowById(db, id),
    bySeq: (seq) => rowBySeq(db, seq),
    lastClients: (agent, session, limit) => lastClients(db, agent, session, limit),
    eventsAt: (where) => rowsAt(db, where),
    firstSeq: () =>
      db.query<{ seq: number | null }, []>('SELECT min(seq) AS seq FROM events').get()?.seq ?? 1,
    seqBefore: (time) => seqBefore(db, time, journal.lastSeq),
    rowsOf: (stream) => new StreamRows(db, stream),
    // Sequences have no gaps and only the oldest are deleted, so no count is needed.
    count: () => {
      const first = db.query<{ seq: number | null }, []>('SELECT min(seq) AS seq FROM events').get()?.seq
      return first == null ? 0 : journal.lastSeq - first + 1
    },
    retain: (limits, now, rows) => {
      let slice: Slice = { more: false, pages: 0 }
      // Without an fsync: what a power failure brings back is deleted again.
      journal.relaxed(() => {
        slice = retainSlice(db, limits, now, rows)
      })
      journal.wrote(slice.pages * PAGE_BYTES)
      return slice.more
    },
    checkpoint: () => {
      if (!files.areThere()) return // leave the remains as they are
      const { busy } = reportCorruption(() => checkpointed(db))
      files.moved()
      if (busy === 0) moved = journal.loggedBytes // otherwise the background thread is at it
    },
    growLog: () => growLog(db, files),
    unmovedBytes: () => journal.loggedBytes - moved,
    usedBytes: () => usedBytes(db),
    moveLog: () => moveLog(db),
    save: (now) => saveDatabase(db, files, now),
    close: () => {
      files.close()
      try {
        if (!files.trouble) db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch {
        // No space, or somebody reads: the log stays beside the database and the next start recovers it.
      }
      db.close()
    },
  }
}
