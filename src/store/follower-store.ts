/**
 * The store as a thread beside the daemon's sees it. It reads on a connection of its own. What it writes is only noted here and
 * carried out by the owner of the database, in the order of its transactions: so no writer ever waits for another.
 *
 *   const store = openFollowerStore(path, { lastSeq, send })   // in the thread
 *   store.journal.relaxed(() => store.marks.set('schema', 41)) // sends [{ table: 'marks', method: 'set', … }]
 *   applyWrites(ownersStore, writes)                              // in the owner's thread
 */
import { Database } from 'bun:sqlite'
import { GantryError } from '../core/errors.ts'
import { identityOf } from './files/database-files.ts'
import type { Store } from './index.ts'
import { oldestRows, seqBefore } from './rows.ts'
import { Deliveries } from './tables/deliveries.ts'
import { Marks } from './tables/marks.ts'
import { Messages } from './tables/messages.ts'
import { OutboxRows } from './tables/outbox.ts'
import { payloadRows } from './tables/payloads.ts'
import { SchemaRows } from './tables/schemas.ts'

/** What followers of the journal need of the store, in whichever thread they run. */
export interface FollowerStore
  extends Pick<
    Store,
    'deliveries' | 'outbox' | 'schemas' | 'marks' | 'messages' | 'oldest' | 'payloads' | 'count' | 'seqBefore'
  > {
  readonly journal: Pick<Store['journal'], 'lastSeq' | 'relaxed' | 'commit'>
}

/** The methods that write, of every table that such a follower writes to. */
const WRITES = {
  deliveries: ['setMark', 'put', 'remove', 'trimDead', 'forget'],
  outbox: ['setMark', 'rewind', 'prune', 'setTargets', 'setState'],
  schemas: ['put', 'forget', 'putDrift', 'accept', 'putBaseline'],
  marks: ['set'],
} as const satisfies { [Table in keyof FollowerStore]?: readonly (keyof FollowerStore[Table])[] }

export interface Write {
  readonly table: keyof typeof WRITES
  readonly method: string
  readonly args: readonly unknown[]
}

export interface FollowerStoreOptions {
  /** The owner's database file, by device and inode. */
  readonly identity: string | undefined
  /** The newest event that the owner has told of. */
  readonly lastSeq: () => number
  /** Takes the writes of one transaction. */
  readonly send: (writes: readonly Write[]) => void
}

const BUSY_MS = 5_000 // only while the owner opens or closes the database
const CACHE_KIB = 512 // what it reads, it reads once
const PASSES = 3 // each moves what was committed during the one before, until hardly anything is left for the owner

export function openFollowerStore(
  path: string,
  { identity, lastSeq, send }: FollowerStoreOptions,
): FollowerStore & { checkpoint(): void; close(): void } {
  const db = openSame(path, identity)
  db.exec(`PRAGMA query_only = ON; PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA cache_size = -${CACHE_KIB}`)
  let noted: Write[] | undefined
  const noting = <T extends object>(name: Write['table'], table: T): T => {
    const writes: readonly string[] = WRITES[name]
    return new Proxy(table, {
      get: (target, method) => {
        const value: unknown = Reflect.get(target, method)
        if (typeof value !== 'function') return value
        if (!writes.includes(String(method))) return value.bind(target)
        return (...args: unknown[]) => {
          if (!noted) throw new Error(`${name}.${String(method)} outside a transaction`)
          noted.push({ table: name, method: String(method), args })
        }
      },
    })
  }
  const deliveries = new SentDeliveries(db)
  const transact = <T>(work: () => T): T => {
    noted = []
    try {
      const result = work()
      if (noted.length > 0) send(noted)
      for (const { table, method, args } of noted) if (table === 'deliveries') deliveries.sent(method, args)
      return result
    } finally {
      noted = undefined
    }
  }
  return {
    journal: {
      get lastSeq() {
        return lastSeq()
      },
      relaxed: transact,
      commit: transact,
    },
    deliveries: noting('deliveries', deliveries),
    outbox: noting('outbox', new OutboxRows(db)),
    schemas: noting('schemas', new SchemaRows(db)),
    marks: noting('marks', new Marks(db)),
    messages: new Messages(db),
    oldest: (filter, limit) => oldestRows(db, filter, limit),
    payloads: (after, limit, maxBytes) => payloadRows(db, after, lastSeq(), limit, maxBytes),
    seqBefore: (time) => seqBefore(db, time, lastSeq()),
    count: () => {
      const first = db.query<{ seq: number | null }, []>('SELECT min(seq) AS seq FROM events').get()?.seq
      return first == null ? 0 : Math.max(0, lastSeq() - first + 1)
    },
    checkpoint: () => {
      for (let pass = 0; pass < PASSES; pass++) db.exec('PRAGMA wal_checkpoint(PASSIVE)') // which query_only permits
    },
    close: () => db.close(),
  }
}

/** With the marks that were sent and may not be written yet: a webhook that comes back at once goes on from there. */
class SentDeliveries extends Deliveries {
  readonly #marks = new Map<string, number>()

  override mark(target: string, stream: string): number | undefined {
    return this.#marks.get(`${target} ${stream}`) ?? super.mark(target, stream)
  }

  sent(method: string, [target, stream, seq]: readonly unknown[]): void {
    if (method === 'setMark') this.#marks.set(`${target} ${stream}`, Number(seq))
    else if (method === 'forget') this.#marks.delete(`${target} ${stream}`)
  }
}

/**
 * Another file may be at the path by now. Its index of the log would be the owner's file, and SQLite would empty that: within one
 * process it sees no lock of the owner's. So the file is looked at before anything is read.
 */
function openSame(path: string, identity: string | undefined): Database {
  const isSame = () => identity !== undefined && identityOf(path) === identity
  if (isSame()) {
    const db = new Database(path, { readwrite: true, create: false, strict: true })
    if (isSame()) return db
    db.close()
  }
  throw new GantryError('DATABASE', `${path} was removed or replaced. Restart gantry.`)
}

/** Call it inside a transaction of the owner's. */
export function applyWrites(store: Pick<Store, Write['table']>, writes: readonly Write[]): void {
  for (const { table, method, args } of writes) {
    const rows = store[table] as unknown as Record<string, (...args: readonly unknown[]) => void>
    rows[method]?.(...args)
  }
}
