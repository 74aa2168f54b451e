/**
 * Makes a long journal in a home of its own and keeps it for the next run:
 *
 *   bun bench/long-journal/make.ts /big/disk/home-1m 1000000
 *
 * The store's own code writes the events, the tracker the sessions, the indexer the search index. Events are those of
 * Claude at work, about 1.7 KB each; sessions take turns, and none of them has ended, which is the worst case for a
 * start and for lists. A home that has some of the events already gets the missing ones.
 */
import { appendFileSync, existsSync } from 'node:fs'
import { type Places, places } from '../../src/core/files/paths.ts'
import { makeFolders } from '../../src/core/files/private-files.ts'
import { type HookEvent, newId } from '../../src/events/index.ts'
import { parseRow } from '../../src/journal/index.ts'
import { SessionTracker } from '../../src/sessions/tracker.ts'
import { openStore, type Store } from '../../src/store/index.ts'
import { indexJournal, wordMaker } from '../journals.ts'

/** No limit that would delete events before they are measured. */
const CONFIG = '[http]\nport = 0\n[retention]\nmax_days = 365\nmax_mb = 100000\n'
const EVENTS_A_SESSION = 100
const MAX_SESSIONS = 10_000
const AT_WORK = 50 // sessions that take turns; then the next ones begin
const DAYS = 6 // sessions that are silent for a week are ended by the daemon
const COMMIT_ROWS = 5_000
const TEXTS = 2_000
const WORDS = 30_000
/** Followers that would otherwise take the whole journal in while it is measured. */
const FOLLOWERS = ['context', 'schema', 'stream:SESSION_EVENTS', 'stream:GANTRY_EVENTS']

export interface Made {
  readonly at: Places
  readonly events: number
  readonly sessions: number
}

/** Tells how many events are done. */
export function makeJournal(home: string, events: number, tell: (done: number) => void = () => {}): Made {
  const at = places({}, home)
  makeFolders(at)
  if (!existsSync(at.configFile)) appendFileSync(at.configFile, CONFIG)
  const sessions = sessionsOf(events)
  const store = openStore(at.database)
  if (store.count() < events) fill(store, events, sessions, tell)
  store.close()
  indexJournal(at)
  return { at, events, sessions }
}

export function sessionsOf(events: number): number {
  return Math.max(1, Math.min(MAX_SESSIONS, Math.round(events / EVENTS_A_SESSION)))
}

export function sessionId(n: number): string {
  return `session-${String(n).padStart(5, '0')}`
}

function fill(store: Store, events: number, sessions: number, tell: (done: number) => void): void {
  const each = Math.ceil(events / sessions)
  const begin = store.count()
  const rows = events - begin
  const now = Date.now()
  const from = begin === 0 ? now - DAYS * 86_400_000 : now - 60_000
  const tracker = new SessionTracker(store, now)
  const payload = payloads()
  for (let done = 0; done < rows; ) {
    const told: HookEvent[] = []
    store.journal.relaxed(() => {
      for (let i = 0; i < COMMIT_ROWS && done < rows; i++, done++) {
        const { session, step } = placeOf(begin + done, sessions, each)
        const receivedAt = from + Math.floor(((now - from) * done) / rows)
        const event = eventOf(sessionId(session), step, each, receivedAt, payload)
        const seq = store.journal.append(event)
        const { cutFrom: _, ...stored } = event
        // The beginning and the end of a session make its state; the rest would only take time here.
        if (step < 4 || step >= each - 4) told.push(parseRow({ ...stored, seq, event: event.native }))
      }
    })
    tracker.apply(told)
    tracker.write()
    store.checkpoint()
    tell(begin + done)
  }
  store.journal.commit(() => {
    for (const name of FOLLOWERS) store.marks.set(name, store.journal.lastSeq)
  })
}

/** Which session sends the event, and which of its own it is. */
function placeOf(n: number, sessions: number, each: number): { session: number; step: number } {
  const group = Math.floor(n / (AT_WORK * each))
  const within = n % (AT_WORK * each)
  const size = Math.min(AT_WORK, sessions - group * AT_WORK)
  return size <= 0
    ? { session: n % sessions, step: 5 + (n % 10) }
    : { session: group * AT_WORK + (within % size), step: Math.floor(within / size) }
}

type Payload = (session: string, step: number, each: number) => { type: string; fields: object }

/** One prompt and one answer for every eight calls, each with its result. */
function payloads(): Payload {
  const text = wordMaker(WORDS)
  const [short, long] = [12, 300].map((words) => Array.from({ length: TEXTS }, () => text(words)))
  let n = 0
  const pick = (texts: readonly string[] = []) => texts[n++ % texts.length] ?? ''
  return (session, step) => {
    if (step === 0) return { type: 'SessionStart', fields: { source: 'startup', model: 'claude-opus-4-6' } }
    const turn = (step - 1) % 18
    if (turn === 0) return { type: 'UserPromptSubmit', fields: { prompt: pick(long) } }
    if (turn === 17) return { type: 'Stop', fields: { last_assistant_message: pick(long) } }
    const call = { tool_name: 'Write', tool_use_id: `toolu_${session}_${step - (turn % 2 === 0 ? 1 : 0)}` }
    const input = { file_path: `src/${pick(short)}.ts`, content: pick(long) }
    return turn % 2 === 1
      ? { type: 'PreToolUse', fields: { ...call, tool_input: input } }
      : { type: 'PostToolUse', fields: { ...call, tool_response: { stdout: pick(long), stderr: '' } } }
  }
}

function eventOf(session: string, step: number, each: number, at: number, payload: Payload): HookEvent {
  const { type, fields } = payload(session, step, each)
  const cwd = `/home/dev/project-${session.slice(-2)}`
  const native = {
    session_id: session,
    transcript_path: `/home/dev/.claude/projects/acme/${session}.jsonl`,
    cwd,
    permission_mode: 'default',
    hook_event_name: type,
    ...fields,
  }
  return {
    ...{ id: newId(), seq: 0, at, receivedAt: at, agent: 'claude', agentVersion: '2.1.325' },
    ...{ type, native: type, sessionId: session, cwd, client: { env: {} }, transport: 'socket' as const },
    ...('tool_name' in fields ? { tool: { name: 'Write', input: {} } } : {}),
    raw: JSON.stringify(native),
  }
}

if (import.meta.main) {
  const [home = '', count = ''] = process.argv.slice(2)
  if (home === '' || !(Number(count) > 0)) {
    console.error('Usage: bun bench/long-journal/make.ts <folder> <events>')
    process.exit(2)
  }
  const made = makeJournal(home, Number(count), (done) => process.stderr.write(`\r${done} events`))
  console.log(`\n${made.events} events of ${made.sessions} sessions in ${home}`)
}
