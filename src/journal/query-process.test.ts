import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { tempDir, until } from '../../test/kit.ts'
import { openStore } from '../store/index.ts'
import { ReadProcesses } from './query-process.ts'

const database = join(tempDir(), 'gantry.db')
openStore(database).close()
const ENDLESS = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n'
const one = { sql: 'SELECT 1 AS one', limit: 1 }

/** A query that never ends, until it is aborted. */
function occupied(limits: ConstructorParameters<typeof ReadProcesses>[1]) {
  const processes = new ReadProcesses(database, limits)
  const caller = new AbortController()
  const ended = processes.ask({ sql: ENDLESS, limit: 1 }, caller.signal).then(
    () => 'answered',
    (error: Error) => error.message,
  )
  return { processes, leave: () => caller.abort(), ended }
}

describe('a query on the journal', () => {
  test("returns its process's answer", async () => {
    const { line } = await new ReadProcesses(database).ask(one, undefined)
    expect(JSON.parse(line.toString())).toEqual({
      ok: true,
      data: { columns: ['one'], rows: [[1]], more: false },
    })
  })

  test('waits while others run, and its slot goes to the next when it is aborted', async () => {
    const { processes, leave, ended } = occupied({ atOnce: 1, inLine: 2 })
    const caller = new AbortController()
    const left = processes.ask(one, caller.signal)
    const next = processes.ask(one, undefined)
    caller.abort()
    expect(left).rejects.toThrow('hung up')
    await left.catch(() => {})
    leave()
    expect(await ended).toContain('hung up')
    expect((await next).line.toString()).toContain('"rows":[[1]]')
  })

  test('is refused when too many wait, or it waited too long', async () => {
    const { processes, leave, ended } = occupied({ atOnce: 1, inLine: 1, lineMs: 50 })
    const waits = processes.ask(one, undefined)
    expect(processes.ask(one, undefined)).rejects.toThrow(
      'Too many queries at once: 1 run and 1 wait. Try again in a moment.',
    )
    expect(waits).rejects.toThrow('this one waited 0.05 s')
    await waits.catch(() => {})
    leave()
    await ended
    expect((await processes.ask(one, undefined)).line.length).toBeGreaterThan(0)
  })

  test('that takes too long is ended, and the error says how to narrow it', async () => {
    const { ended } = occupied({ runMs: 300 })
    expect(await ended).toBe(
      'The query took over 0.3 s or returned too much. Narrow it: add a WHERE on seq, or a LIMIT.',
    )
  })

  test('that needs too much disk or memory is ended, and says so', async () => {
    const said = async (sql: string) => {
      const { line } = await new ReadProcesses(database, { runMs: 100_000 }).ask({ sql, limit: 1 }, undefined)
      return JSON.parse(line.toString())
    }
    const many = 'SELECT randomblob(1000000), 1 UNION SELECT randomblob(1000000), n + 1 FROM c WHERE n < 3000'
    expect(await said(`WITH RECURSIVE c(x, n) AS (${many}) SELECT count(*) FROM c`)).toMatchObject({
      ok: false,
      error: 'TOO_LARGE',
      message: 'This needs more than 64 MB of temporary files. Narrow it: add a WHERE on seq.',
    })
    expect(await said('SELECT length(zeroblob(900000000) || zeroblob(90000000))')).toMatchObject({
      ok: false,
      error: 'TOO_LARGE',
      message: 'This needs more than 1024 MB of memory. Narrow it: add a WHERE on seq.',
    })
  }, 120_000)

  test('of an aborted caller starts nothing', async () => {
    const processes = new ReadProcesses(database, { atOnce: 1 })
    expect(processes.ask(one, AbortSignal.abort())).rejects.toThrow('hung up')
    await until(async () => (await processes.ask(one, undefined)).line.length > 0, 'its place is free')
  })
})
