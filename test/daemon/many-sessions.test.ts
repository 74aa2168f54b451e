/** More sessions than are loaded before the first hook is answered, and more than one turn of the event loop lists. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { call, subscribeSessions } from '../../src/client/index.ts'
import { makeFolders } from '../../src/core/files/private-files.ts'
import { newId } from '../../src/events/index.ts'
import { parseRow } from '../../src/journal/index.ts'
import { inOrder } from '../../src/sessions/state/index.ts'
import { SessionTracker } from '../../src/sessions/tracker.ts'
import { openStore } from '../../src/store/index.ts'
import { eventOf, gantry, makeHome, type RunningDaemon, rawEvent, sendFrame, startDaemon } from '../kit.ts'

const SESSIONS = 1_500
const OLD = 'session-0003' // of the last ones that are loaded
const id = (n: number) => `session-${String(n).padStart(4, '0')}`

const at = makeHome('[http]\nenabled = false\n')
let daemon: RunningDaemon
beforeAll(async () => {
  makeFolders(at)
  const store = openStore(at.database)
  const tracker = new SessionTracker(store, Date.now())
  const began = Date.now() - 3_600_000
  for (let n = 0; n < SESSIONS; n++) {
    const raw = JSON.stringify({
      session_id: id(n),
      hook_event_name: 'UserPromptSubmit',
      prompt: `do ${n}`,
      cwd: '/',
    })
    const when = began + n * 1_000
    const told = { id: newId(), at: when, receivedAt: when, event: 'UserPromptSubmit', raw }
    const type = { sessionId: id(n), type: 'UserPromptSubmit', native: 'UserPromptSubmit' }
    const seq = store.journal.commit(() => store.journal.append(eventOf({ ...told, ...type })))
    tracker.apply([parseRow({ ...rawEvent(told), ...type, seq })])
  }
  tracker.write()
  store.close()
}, 120_000)
afterAll(async () => {
  await daemon.kill('SIGKILL')
})

test('a start answers hooks at once, also of a session that is not loaded yet, which goes on as it was', async () => {
  daemon = await startDaemon(at)
  const payload = (session: string, more: object) =>
    JSON.stringify({ session_id: session, hook_event_name: 'PreToolUse', cwd: '/', ...more })
  const call1 = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'ls' } }
  expect(await sendFrame(at, { payload: payload(OLD, call1) })).toMatchObject({ exit: 0 })
  const fresh = Array.from({ length: 40 }, (_, n) => sendFrame(at, { payload: payload(`fresh-${n}`, call1) }))
  await Promise.all(fresh)
  const sessions = await call(at, 'sessions.list', { all: true })
  expect(sessions).toHaveLength(SESSIONS + 40)
  expect(sessions.find((one) => one.id === OLD)).toMatchObject({ phase: 'working', lastPrompt: 'do 3' })
  expect(sessions).toEqual(sessions.toSorted(inOrder))
  expect(new Set(sessions.map(({ name }) => name)).size).toBe(sessions.length)
}, 120_000)

test('a subscription begins with all of them, and misses nothing that changes meanwhile', async () => {
  const ending = new AbortController()
  const seen = new Map<string, string>()
  let isFirst = true
  let changes: Promise<unknown> | undefined
  const last = SESSIONS - 1
  for await (const change of subscribeSessions(at, ending.signal)) {
    if ('snapshot' in change) {
      expect(isFirst).toBe(true)
      expect(change.snapshot.sessions.length).toBeGreaterThanOrEqual(SESSIONS)
      for (const one of change.snapshot.sessions) seen.set(one.id, one.lastPrompt ?? '')
    } else seen.set(change.session.id, change.session.lastPrompt ?? '')
    isFirst = false
    changes ??= Promise.all(
      [5, 700, last].map((n) =>
        sendFrame(at, {
          payload: JSON.stringify({
            session_id: id(n),
            hook_event_name: 'UserPromptSubmit',
            prompt: 'again',
            cwd: '/',
          }),
        }),
      ),
    )
    if ([5, 700, last].every((n) => seen.get(id(n)) === 'again')) ending.abort()
  }
  await changes
  expect([5, 700, last].map((n) => seen.get(id(n)))).toEqual(['again', 'again', 'again'])
}, 120_000)

test('an unknown name is refused with what was meant, and a list is printed', async () => {
  const [first] = await call(at, 'sessions.list', { all: true })
  const { exit, stderr } = await gantry(at, 'session', `${first?.name}x`)
  expect(exit).toBe(1)
  expect(stderr).toContain('There is no session')
  const { stdout } = await gantry(at, 'sessions', '--json', '--all')
  expect((JSON.parse(stdout) as unknown[]).length).toBe(SESSIONS + 40)
}, 120_000)
