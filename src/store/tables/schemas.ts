/**
 * Rows of payload schemas: a learned shape per agent, version, event and tool; the user's baselines; and drift. Shapes and
 * baselines are JSON that `schema/` understands. All writes need the caller's transaction.
 */
import type { Database, Statement } from 'bun:sqlite'
import { KEPT } from '../kept.ts'
import type { DriftRow, ShapeKey } from './row-types.ts'

export interface ShapeRow extends ShapeKey {
  readonly count: number
  /** Number of fields. */
  readonly fields: number
  readonly firstAt: number
  readonly lastAt: number
  readonly shape: string
}

/** Totals of one version. */
export interface ShapeExtent {
  readonly agent: string
  readonly version: string
  readonly shapes: number
  readonly fields: number
  readonly count: number
  readonly lastAt: number
}

export interface BaselineRow {
  readonly agent: string
  readonly version: string
  readonly at: number
  readonly baseline: string
}

type Key = [agent: string, version: string, event: string, tool: string]

export class SchemaRows {
  readonly #db: Database
  readonly #get: Statement<{ shape: string }, Key>
  readonly #put: Statement<unknown, [...Key, number, number, number, number, string]>

  constructor(db: Database) {
    this.#db = db
    this.#get = db.prepare(
      'SELECT shape FROM schema_shapes WHERE agent = ? AND version = ? AND event = ? AND tool = ?',
    )
    this.#put = db.prepare(
      `INSERT INTO schema_shapes (agent, version, event, tool, count, fields, first_at, last_at, shape)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (agent, version, event, tool) DO UPDATE SET count = excluded.count, fields = excluded.fields,
         first_at = excluded.first_at, last_at = excluded.last_at, shape = excluded.shape`,
    )
  }

  get({ agent, version, event, tool }: ShapeKey): string | undefined {
    return this.#get.get(agent, version, event, tool)?.shape
  }

  put(row: ShapeRow): void {
    const { agent, version, event, tool, count, fields, firstAt, lastAt, shape } = row
    this.#put.run(agent, version, event, tool, count, fields, firstAt, lastAt, shape)
  }

  /** Filtered by agent, version and event; or all. */
  all(filter: Partial<Omit<ShapeKey, 'tool'>> = {}): ShapeRow[] {
    return this.#db
      .query<ShapeRow, [string | null, string | null, string | null]>(
        `SELECT agent, version, event, tool, count, fields, first_at AS firstAt, last_at AS lastAt, shape
           FROM schema_shapes
          WHERE (?1 IS NULL OR agent = ?1) AND (?2 IS NULL OR version = ?2) AND (?3 IS NULL OR event = ?3)
          ORDER BY agent, version, event, tool`,
      )
      .all(filter.agent ?? null, filter.version ?? null, filter.event ?? null)
  }

  extents(): ShapeExtent[] {
    return this.#db
      .query<ShapeExtent, []>(
        `SELECT agent, version, count(*) AS shapes, sum(fields) AS fields, sum(count) AS count, max(last_at) AS lastAt
           FROM schema_shapes GROUP BY agent, version`,
      )
      .all()
  }

  forget(agent: string, version: string): void {
    this.#db
      .query<unknown, [string, string]>('DELETE FROM schema_shapes WHERE agent = ? AND version = ?')
      .run(agent, version)
  }

  /** Newest first, including accepted ones. */
  drifts(): DriftRow[] {
    return this.#db
      .query<DriftRow, []>(
        `SELECT key, agent, version, event, tool, path, kind, severity, was, now, message, cause, at, accepted_at AS acceptedAt
           FROM schema_drifts ORDER BY at DESC, key`,
      )
      .all()
  }

  putDrift(row: DriftRow): void {
    this.#db
      .query<unknown, (string | number | null)[]>(
        `INSERT OR REPLACE INTO schema_drifts
           (key, agent, version, event, tool, path, kind, severity, was, now, message, cause, at, accepted_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        ...[row.key, row.agent, row.version, row.event, row.tool, row.path, row.kind, row.severity],
        ...[row.was, row.now, row.message, row.cause, row.at, row.acceptedAt],
      )
  }

  /** A person has accepted all differences of this agent. */
  accept(agent: string, now: number): void {
    this.#db
      .query<unknown, [number, string]>(
        'UPDATE schema_drifts SET accepted_at = ? WHERE agent = ? AND accepted_at IS NULL',
      )
      .run(now, agent)
    this.#db.exec(
      `DELETE FROM schema_drifts WHERE accepted_at IS NOT NULL AND key NOT IN
         (SELECT key FROM schema_drifts WHERE accepted_at IS NOT NULL ORDER BY at DESC LIMIT ${KEPT.acceptedDrifts})`,
    )
  }

  baselines(): BaselineRow[] {
    return this.#db
      .query<BaselineRow, []>('SELECT agent, version, at, baseline FROM schema_baselines ORDER BY agent, at')
      .all()
  }

  /** Replaces an older one for the same version. */
  putBaseline({ agent, version, at, baseline }: BaselineRow): void {
    this.#db
      .query<unknown, [string, string, number, string]>(
        'INSERT OR REPLACE INTO schema_baselines (agent, version, at, baseline) VALUES (?, ?, ?, ?)',
      )
      .run(agent, version, at, baseline)
    this.#db.exec(
      `DELETE FROM schema_baselines WHERE rowid NOT IN
         (SELECT rowid FROM schema_baselines ORDER BY at DESC LIMIT ${KEPT.baselines})`,
    )
  }
}
