/** Full-text search in a journal of a million events. */
import { Database } from 'bun:sqlite'
import { call } from '../../src/client/index.ts'
import type { HookEvent } from '../../src/events/index.ts'
import { openSearchIndex } from '../../src/store/index.ts'
import { eventOf } from '../../test/kit.ts'
import { fillJournal, indexJournal, wordMaker } from '../journals.ts'
import { median, type Result, round, versus } from '../measure.ts'
import type { Stage } from '../stage.ts'

const SESSIONS = 500
const WORDS = 30_000
const ROUNDS = 10

/** From words in half of all events to words in a few, in both orders. */
const QUESTIONS: readonly { text: string; order: 'newest' | 'best'; session?: string }[] = [
  { text: 'w0', order: 'newest' },
  { text: 'w0', order: 'best' },
  { text: 'bash w0 w1', order: 'best' },
  { text: '"w0 w1"', order: 'best' },
  { text: 'w3k9', order: 'newest' },
  { text: 'w9p', order: 'best' },
  { text: 'w1*', order: 'newest' },
  { text: 'w1*', order: 'best' },
  { text: 'w0', order: 'newest', session: 'session-7' },
  { text: 'bash', order: 'best', session: 'session-7' },
]

/**
 * Twenty hits with their snippets, through the socket, with the index in its own process; against a scan of every
 * payload, the only way without an index. Every event has words, which is more than agents send.
 */
export async function search1m(stage: Stage): Promise<Result[]> {
  const at = stage.home()
  const rows = stage.effort < 1 ? 50_000 : 1_000_000
  fill(at.database, rows)
  const perSecond = round(indexJournal(at))
  const daemon = await stage.daemon(at)
  await call(at, 'search', { text: 'warm' })
  const samples: number[] = []
  const slowest: number[] = []
  for (const question of QUESTIONS) {
    const times: number[] = []
    for (let i = 0; i < ROUNDS; i++) {
      const start = performance.now()
      const { hits, behind } = await call(at, 'search', question)
      times.push(performance.now() - start)
      if (hits.length === 0 || behind > 100)
        throw new Error(`${question.text}: ${hits.length} hits, ${behind} behind`)
    }
    samples.push(...times)
    slowest.push(median(times))
  }
  await daemon.stop()
  const floor = [1, 2, 3].map(() => like(at.database))
  const against = 'LIKE over every payload; a ratio of 0.1 is a tenth of its time'
  const result = versus('search-1m', 'ms', samples, floor, against)
  return [
    {
      ...result,
      rows,
      slowestQuestionMs: round(Math.max(...slowest)),
      indexAloneMs: median(unordered(at.searchIndex)),
      indexedPerSecond: perSecond,
      indexMb: round(Bun.file(at.searchIndex).size / 1024 ** 2),
    },
  ]
}

/** The index alone, without order, texts, process and socket. */
function unordered(path: string): number[] {
  const index = openSearchIndex(path)
  const times: number[] = []
  for (let i = 0; i < 100; i++) {
    const word = ['w0', 'w3k9', 'w9p', 'bash'][i % 4]
    const start = performance.now()
    index.find(`{said did} : ("${word}")`, { order: 'newest', limit: 20 })
    times.push(performance.now() - start)
  }
  index.close()
  return times
}

function like(path: string): number {
  const db = new Database(path, { readonly: true })
  const start = performance.now()
  db.query("SELECT seq FROM events WHERE raw LIKE '%no such word%' ORDER BY seq DESC LIMIT 20").all()
  const ms = performance.now() - start
  db.close()
  return round(ms)
}

function fill(database: string, rows: number): void {
  const text = wordMaker(WORDS)
  const at = Date.now()
  fillJournal(database, rows, (n) => eventAt(n, text, at))
}

/** One prompt and one answer for every eight calls. */
function eventAt(seq: number, text: (words: number) => string, at: number): HookEvent {
  const session_id = `session-${seq % SESSIONS}`
  const turn = Math.floor(seq / SESSIONS) % 10
  const [type, fields] =
    turn === 0
      ? ['UserPromptSubmit', { prompt: text(30) }]
      : turn === 9
        ? ['Stop', { last_assistant_message: text(60) }]
        : ['PreToolUse', { tool_name: 'Bash', tool_use_id: `t${seq}`, tool_input: { command: text(12) } }]
  return eventOf({
    id: `bench-${String(seq).padStart(12, '0')}`,
    ...{ at, receivedAt: at, type: type as string, native: type as string, sessionId: session_id },
    raw: JSON.stringify({ session_id, hook_event_name: type, cwd: '/home/dev/acme', ...(fields as object) }),
  })
}
