/**
 * Which kinds of events each block of the journal has, by agent, type and tool: a rare one is found without reading the
 * rows of all others. A kind is noted once for a block, in the transaction of its first event, so it costs the hook path a
 * look into a set, and a few dozen rows for four thousand events.
 */
import type { Database, Statement } from 'bun:sqlite'
import type { HookEvent } from '../events/index.ts'
import type { EventFilter } from './rows.ts'

/** Sequences of a block. Rows have its number, so this never changes. */
const BLOCK = 4_096
const MAX_KINDS = 200 // of a block; agents choose the names of tools
const MAX_NAME = 100
const LOOK_BLOCKS = 512 // in one look: a millisecond
const TOOL_BLOCKS = 64 // whose tools are read at once

/** No agent has this name: such a block may have anything. */
const ANYTHING = ''

export class EventKinds {
  readonly #put: Statement<unknown, [number, string, string, string]>
  /** Of the current block. */
  readonly #noted = new Set<string>()
  #block = -1

  constructor(db: Database) {
    this.#put = db.prepare('INSERT OR IGNORE INTO event_kinds (block, agent, type, tool) VALUES (?, ?, ?, ?)')
  }

  /** Call it in the transaction that stores the event. */
  note(seq: number, { agent, type, tool }: Pick<HookEvent, 'agent' | 'type' | 'tool'>): void {
    const block = Math.floor(seq / BLOCK)
    if (block !== this.#block) {
      this.#noted.clear()
      this.#block = block
    }
    const name = tool?.name ?? ''
    const kind = `${agent}\n${type}\n${name}`
    if (this.#noted.has(kind) || this.#noted.has(ANYTHING)) return
    if (this.#noted.size >= MAX_KINDS || type.length > MAX_NAME || name.length > MAX_NAME) {
      this.#put.run(block, ANYTHING, '', '')
      this.#noted.add(ANYTHING)
    } else {
      this.#put.run(block, agent, type, name)
      this.#noted.add(kind)
    }
  }

  /** The transaction was rolled back. */
  forget(): void {
    this.#noted.clear()
  }
}

/**
 * The first sequence from `seq` on, in this direction, that may pass the filter as far as blocks tell; or how far it looked.
 * Blocks that were stored before kinds were noted may have anything.
 */
export function skipTo(db: Database, filter: EventFilter, seq: number, order: 'ASC' | 'DESC'): number {
  const { where, values } = conditions(filter)
  if (where === '') return seq
  const oldest = db
    .query<{ block: number }, []>('SELECT block FROM event_kinds ORDER BY block LIMIT 1')
    .get()?.block
  const block = Math.floor(seq / BLOCK)
  // The oldest one may have had events before kinds were noted.
  if (oldest === undefined || block <= oldest) return seq
  const isUp = order === 'ASC'
  const end = isUp ? block + LOOK_BLOCKS : Math.max(oldest, block - LOOK_BLOCKS)
  const [low, high] = isUp ? [block, end - 1] : [end + 1, block]
  const found = db
    .query<{ block: number }, (number | string)[]>(
      `SELECT block FROM event_kinds WHERE block BETWEEN ? AND ? AND (agent = '' OR (${where}))
        ORDER BY block ${order} LIMIT 1`,
    )
    .get(low, high, ...values)?.block
  if (found === block) return seq
  const next = found ?? end
  return isUp ? next * BLOCK : (next + 1) * BLOCK - 1
}

/** Names of tools by blocks, the newest first, each block once; a slice is a millisecond. Names come again. */
export function* toolSlices(db: Database): Generator<readonly string[]> {
  const end = (order: 'ASC' | 'DESC') =>
    db.query<{ block: number }, []>(`SELECT block FROM event_kinds ORDER BY block ${order} LIMIT 1`).get()
      ?.block
  const oldest = end('ASC') ?? 0
  for (let high = end('DESC') ?? -1; high >= oldest; high -= TOOL_BLOCKS)
    yield db
      .query<{ tool: string }, [number, number]>(
        "SELECT DISTINCT tool FROM event_kinds WHERE block BETWEEN ? AND ? AND tool <> ''",
      )
      .all(high - TOOL_BLOCKS + 1, high)
      .map(({ tool }) => tool)
}

function conditions({ agent, type, tool, except }: EventFilter): { where: string; values: string[] } {
  const asked = Object.entries({
    'agent = ?': agent,
    'type = ?': type,
    'tool = ?': tool,
    'agent <> ?': except,
  })
  const given = asked.filter((one): one is [string, string] => one[1] !== undefined)
  return { where: given.map(([sql]) => sql).join(' AND '), values: given.map(([, value]) => value) }
}
