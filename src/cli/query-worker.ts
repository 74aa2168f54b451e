/** The process behind `gantry query`: reads a question on stdin, writes the answer, ends. */
import { messageOf } from '../errors.ts'
import { runQuery } from '../store/index.ts'
import type { Command } from './command.ts'
import { out } from './terminal.ts'

export const queryWorker: Command = {
  name: 'query-worker',
  summary: 'Runs one query',
  usage: '',
  options: {},
  examples: [],
  async run() {
    const { database, sql, limit } = (await Bun.stdin.json()) as {
      database: string
      sql: string
      limit: number
    }
    out(JSON.stringify(answer(database, sql, limit)))
    return 0
  },
}

function answer(database: string, sql: string, limit: number): unknown {
  try {
    return { ok: true, data: runQuery(database, sql, limit) }
  } catch (error) {
    return {
      ok: false,
      message: `${messageOf(error)}. The journal is the table "events"; its columns: PRAGMA table_info(events)`,
    }
  }
}
