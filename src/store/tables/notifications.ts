/**
 * Sent notifications, one row per occasion and channel. Written before sending, so that nobody is notified twice by a
 * daemon that was killed in between.
 */
import type { Database, Statement } from 'bun:sqlite'
import type { NotificationRow } from './row-types.ts'

export interface ChannelTrouble {
  readonly channel: string
  readonly failures: number
  readonly lastAt: number
  readonly detail: string
}

const COLUMNS = 'occasion, channel, reason, session, title, body, at, outcome, detail'

export class NotificationRows {
  readonly #db: Database
  readonly #claim: Statement<unknown, (string | number)[]>
  readonly #finish: Statement<unknown, [string, string, number, string, string]>

  constructor(db: Database) {
    this.#db = db
    this.#claim = db.prepare(
      `INSERT INTO notifications (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (occasion, channel) DO NOTHING`,
    )
    this.#finish = db.prepare(
      'UPDATE notifications SET outcome = ?, detail = ?, at = ? WHERE occasion = ? AND channel = ?',
    )
  }

  /** False if the row exists already. All writes here need the caller's transaction. */
  claim(row: NotificationRow): boolean {
    const { occasion, channel, reason, session, title, body, at, outcome, detail } = row
    return this.#claim.run(occasion, channel, reason, session, title, body, at, outcome, detail).changes > 0
  }

  finish(row: Pick<NotificationRow, 'occasion' | 'channel' | 'outcome' | 'detail' | 'at'>): void {
    this.#finish.run(row.outcome, row.detail, row.at, row.occasion, row.channel)
  }

  has(occasion: string, channel: string): boolean {
    const sql = 'SELECT 1 FROM notifications WHERE occasion = ? AND channel = ?'
    return this.#db.query(sql).get(occasion, channel) !== null
  }

  /** Newest first. */
  newest(limit: number): NotificationRow[] {
    const sql = `SELECT ${COLUMNS} FROM notifications ORDER BY id DESC LIMIT ?`
    return this.#db.query<NotificationRow, [number]>(sql).all(limit)
  }

  /** Channels whose last attempt since then failed. */
  failing(since: number): ChannelTrouble[] {
    return this.#db
      .query<ChannelTrouble, [number]>(
        `SELECT channel, count(*) AS failures, max(at) AS lastAt, detail FROM notifications AS failed
         WHERE outcome = 'failed' AND at > ? AND NOT EXISTS (
           SELECT 1 FROM notifications WHERE channel = failed.channel AND outcome = 'sent' AND at > failed.at)
         GROUP BY channel ORDER BY channel`,
      )
      .all(since)
  }
}
