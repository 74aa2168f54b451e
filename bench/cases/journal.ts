/** Queries on a large journal. */
import { call } from '../../src/client/index.ts'
import { eventOf } from '../../test/kit.ts'
import { fillJournal } from '../journals.ts'
import { type Result, versus } from '../measure.ts'
import { payloadOf, type Stage } from '../stage.ts'

const SESSIONS = 500

/** The last hundred events of one session in a journal of a million, through the socket, against parsing the answer. */
export async function journalLast100(stage: Stage): Promise<Result[]> {
  const at = stage.home()
  const rows = Math.max(20_000, Math.round(1_000_000 * stage.effort))
  fill(at.database, rows)
  const daemon = await stage.daemon(at)
  const samples: number[] = []
  const floor: number[] = []
  for (let i = 0; i < 200; i++) {
    const session = `session-${(i * 37) % SESSIONS}`
    const start = performance.now()
    const events = await call(at, 'events.list', { session, limit: 100 })
    samples.push(performance.now() - start)
    if (rows / SESSIONS >= 100 && events.length !== 100)
      throw new Error(`got ${events.length} events, not 100`)
    const text = JSON.stringify(events)
    const begin = performance.now()
    JSON.parse(text)
    floor.push(performance.now() - begin)
  }
  await daemon.stop()
  return [{ ...versus('journal-last100-1m', 'ms', samples, floor, 'JSON.parse of the answer'), rows }]
}

function fill(database: string, rows: number): void {
  const payload = payloadOf(600)
  const raws = Array.from({ length: SESSIONS }, (_, i) =>
    payload.replace(/"session_id":"[^"]*"/, `"session_id":"session-${i}"`),
  )
  const at = Date.now()
  fillJournal(database, rows, (n) => eventOf({ ...callOf(n, at), raw: raws[n % SESSIONS] ?? '' }))
}

function callOf(n: number, at: number) {
  const id = `bench-${String(n).padStart(12, '0')}`
  return {
    id,
    at,
    receivedAt: at,
    type: 'PreToolUse',
    native: 'PreToolUse',
    sessionId: `session-${n % SESSIONS}`,
  }
}
