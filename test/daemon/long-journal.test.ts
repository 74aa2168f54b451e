/** Reading a journal that is long, or has huge events: nothing is left out, and nothing of it is the daemon's work. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { call, type WireEvent } from '../../src/client/index.ts'
import { GantryError } from '../../src/core/errors.ts'
import { makeFolders } from '../../src/core/files/private-files.ts'
import { newId } from '../../src/events/index.ts'
import { openStore } from '../../src/store/index.ts'
import {
  childrenWith,
  eventOf,
  GANTRY,
  gantry,
  gantryJson,
  isGone,
  makeHome,
  type RunningDaemon,
  run,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'
import { isLong } from '../long.ts'

const HUGE = 36 // more than one answer may have
const HUGE_CHARS = 1_000_000
const PROMPTS = 3_200 // more lines than a timeline of three thousand

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  makeFolders(at)
  const store = openStore(at.database)
  const put = (count: number, session: string, type: string, fields: (n: number) => object) =>
    store.journal.relaxed(() => {
      for (let n = 0; n < count; n++) {
        const payload = { session_id: session, hook_event_name: type, ...fields(n) }
        const event = {
          id: newId(),
          sessionId: session,
          type,
          native: type,
          at: Date.now(),
          receivedAt: Date.now(),
        }
        store.journal.append(eventOf({ ...event, raw: JSON.stringify(payload) }))
      }
    })
  put(HUGE, 'huge-4712', 'Stop', (n) => ({ last_assistant_message: `${n}${'x'.repeat(HUGE_CHARS)}` }))
  put(PROMPTS, 'long-4711', 'UserPromptSubmit', (n) => ({ prompt: `prompt ${n}` }))
  store.close()
  daemon = await startDaemon(at)
}, 120_000)
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

describe('gantry events', () => {
  test('gives as many as asked for, however large they are', async () => {
    const count = async (...args: string[]) =>
      Number((await run(['sh', '-c', `${GANTRY} events "$@" | wc -l`, 'sh', ...args], at, '')).stdout)
    expect(await count('-n', '1000', '--json', '--session', 'huge-4712')).toBe(HUGE)
    expect(await count('-n', '50', '--json')).toBe(50)
    expect(await count('--limit', 'all')).toBe(PROMPTS + HUGE)
  })

  test('takes a session by name, by the beginning of its id, and by a name it had', async () => {
    const { name } = await call(at, 'sessions.get', { session: 'long-4711' })
    await gantry(at, 'session', name, '--rename', 'release')
    for (const named of ['long-4711', 'long', 'claude:long-4711', name, 'release']) {
      const { exit, stdout } = await gantry(at, 'events', '--session', named, '--type', 'UserPromptSubmit')
      expect({ named, exit, lines: stdout.trimEnd().split('\n').length }).toEqual({
        named,
        exit: 0,
        lines: 100,
      })
    }
  })

  test('of a session that there is not says so, and what to do', async () => {
    for (const more of [[], ['--follow'], ['--json']]) {
      const { exit, stdout, stderr } = await gantry(at, 'events', '--session', 'nobody', ...more)
      expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' })
      expect(stderr).toContain('There is no session "nobody". "gantry sessions --all" lists them.')
    }
  })
})

describe('gantry events that finds nothing or too much', () => {
  test('names some of the sessions that begin so', async () => {
    for (const id of ['twin-1', 'twin-2'])
      await sendFrame(at, { payload: `{"hook_event_name":"SessionStart","session_id":"${id}"}` })
    const { exit, stderr } = await gantry(at, 'events', '--session', 'twin')
    expect(exit).toBe(1)
    expect(stderr).toMatch(
      /2 sessions begin with "twin": twin-\d \(.+\), twin-\d \(.+\)\. Give more of the id/,
    )
  })

  test.skipIf(!Bun.which('script'))('says so on a terminal, and what was meant', async () => {
    const seen = async (args: string) =>
      (await run(['script', '-qec', `${GANTRY} events ${args}`, '/dev/null'], at)).stdout
    expect(await seen('--session long --grep never-there')).toContain('No event matches.')
    expect(await seen('--type PreToolUes')).toContain('Did you mean PreToolUse?')
    expect(await seen('--type Nope')).toMatch(
      /No event has the event type "Nope"\. There are: SessionStart, /,
    )
    expect(await gantry(at, 'events', '--type', 'Nope')).toMatchObject({ exit: 2, stdout: '' })
  })

  test('a limit that is none names what it may be', async () => {
    const { exit, stderr } = await gantry(at, 'events', '-n', 'abc')
    expect(exit).toBe(2)
    expect(stderr).toContain('--limit takes a whole number above 0 or "all", not "abc".')
  })

  test('gantry query at its largest limit does not advise a larger one', async () => {
    const sql =
      'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100001) SELECT x FROM n'
    const { stdout } = await run([GANTRY, 'query', '-n', '100000', sql], at, '')
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      '… more rows than 100000, which is the most; add a WHERE to see the others',
    )
  })
})

describe('the call events.list', () => {
  test('refuses what is too large for one answer, and says how to get it', async () => {
    const query = { session: 'huge-4712' }
    // A read process has 20 s at the lowest priority; beside busy ones it may need several of them.
    const list = async (args: { limit: number; before?: number | undefined }, tries = 20) => {
      const isLate = (error: unknown) => error instanceof GantryError && error.code === 'DEADLINE'
      for (let left = tries; ; left--) {
        const said = await call(at, 'events.list', { ...query, ...args }).catch((error: unknown) => error)
        if (!isLate(said) || left === 0) return said
      }
    }
    const { message } = (await list({ limit: 1_000 })) as Error
    expect(message).toMatch(/3\d events have 34 MB; an answer has at most 32\. The newest (\d+) fit/)
    const limit = Number(/newest (\d+) fit/.exec(message)?.[1])
    // A pipe takes 64 KB at a time, so on a busy machine 60 MB take longer than a call may.
    const newest = (await list({ limit: isLong ? limit : 8 })) as WireEvent[]
    const before = newest[0]?.seq
    const others = (await list({ limit: isLong ? 1_000 : 8, before })) as WireEvent[]
    const sent = [...others, ...newest].filter(({ agent }) => agent !== 'gantry').map(({ seq }) => seq)
    const all = Array.from({ length: HUGE }, (_, i) => 1 + i)
    expect(sent).toEqual(isLong ? all : all.slice(-sent.length))
    expect(sent.length).toBeGreaterThan(8)
  }, 600_000)
})

describe('a timeline', () => {
  test('has no end before the session has', async () => {
    const lines = async (limit: string) => {
      const shown = await gantryJson(at, 'session', 'long', '--timeline', '--json', '--limit', limit)
      return (shown as { timeline: unknown[] }).timeline.length
    }
    expect(await lines('all')).toBeGreaterThanOrEqual(PROMPTS)
    expect(await lines('3100')).toBe(3_100)
    const { stdout } = await gantry(at, 'session', 'long', '--timeline')
    expect(stdout).toContain('--timeline --limit all')
  })
})

describe('a query', () => {
  const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n'
  const workers = () => childrenWith(daemon.pid, 'read-worker')

  test('ends when its caller is killed', async () => {
    const asking = Bun.spawn([GANTRY, 'query', endless], { env: { ...process.env, GANTRY_HOME: at.home } })
    const [worker = 0] = await until(() => workers().length > 0 && workers(), 'its process')
    asking.kill('SIGKILL')
    await asking.exited
    await until(() => isGone(worker), 'the end of its process')
  })

  test('waits for its turn when two run, and gets it when one of them is given up', async () => {
    const given = new AbortController()
    const { signal } = given
    const running = [1, 2].map(() => call(at, 'query', { sql: endless }, { signal }).catch(() => 'given up'))
    await until(() => workers().length === 2, 'two processes')
    const third = call(at, 'query', { sql: 'SELECT 3 AS three' })
    const list = call(at, 'events.list', { session: 'long-4711', grep: 'prompt 3199' })
    await call(at, 'status')
    expect(workers()).toHaveLength(2)
    given.abort()
    expect(await third).toMatchObject({ rows: [[3]] })
    expect(await list).toMatchObject([{ prompt: 'prompt 3199' }])
    expect(await Promise.all(running)).toEqual(['given up', 'given up'])
  })

  test('gives whole numbers exactly, however large', async () => {
    const sql =
      'SELECT 9007199254740991 AS safe, 9007199254740993 AS odd, -9223372036854775808 AS least, 1.5 AS half'
    expect(await gantryJson(at, 'query', sql, '--json')).toEqual([
      { safe: 9007199254740991, odd: '9007199254740993', least: '-9223372036854775808', half: 1.5 },
    ])
    const { stdout } = await gantry(at, 'query', sql)
    expect(stdout).toContain('9007199254740993')
    expect(stdout).toContain('-9223372036854775808')
  })
})
