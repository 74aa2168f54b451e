/** The commands that read the journal, as people and scripts use them. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Finding, WireEvent } from '../../src/client/index.ts'
import { childrenOf } from '../../src/core/processes/proc.ts'
import {
  GANTRY,
  gantry,
  gantryJson,
  makeHome,
  type RunningDaemon,
  run,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
  const events = [
    { session_id: 's1', hook_event_name: 'SessionStart', source: 'startup' },
    { session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt: 'do\u001b[31m it\n\u202enow' },
    {
      session_id: 's1',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'git push' },
    },
    { session_id: 's2', hook_event_name: 'Stop', brand_new: 1 },
  ]
  for (const event of events) await sendFrame(at, { payload: JSON.stringify(event) })
  await sendFrame(at, { agent: 'codex', payload: '{"session_id":"s3","hook_event_name":"Stop"}' })
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

const listed = async (...args: string[]) => {
  const { exit, stdout, stderr } = await gantry(at, 'events', '--json', ...args)
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as WireEvent).seq)
}

describe('gantry events', () => {
  test.concurrent('shows one line an event, oldest first, with what matters in it', async () => {
    const { exit, stdout } = await gantry(at, 'events')
    expect(exit).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(5)
    expect(lines[0]).toContain('SessionStart')
    expect(lines[2]).toContain('Bash  git push')
    expect(lines[4]).toContain('codex')
  })

  test.concurrent('never passes on what could drive the terminal', async () => {
    const { stdout } = await gantry(at, 'events')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is there is the point
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    expect(stdout).toContain('do it now')
  })

  test.concurrent('filters', async () => {
    expect(await listed()).toEqual([1, 2, 3, 4, 5])
    expect(await listed('--session', 's1')).toEqual([1, 2, 3])
    expect(await listed('--type', 'Stop')).toEqual([4, 5])
    expect(await listed('--agent', 'codex')).toEqual([5])
    expect(await listed('--grep', 'GIT PUSH')).toEqual([3])
    expect(await listed('-n', '2')).toEqual([4, 5])
    expect(await listed('--since', '1h')).toHaveLength(5)
    expect(await listed('--since', '2099-01-01')).toEqual([])
    expect(await listed('--session', 's1', '--type', 'PreToolUse', '--grep', 'push', '--limit', '1')).toEqual(
      [3],
    )
  })

  test.concurrent('gives whole events as JSON, with the payload as it came', async () => {
    const [event] = JSON.parse(
      `[${(await gantry(at, 'events', '--json', '--session', 's2')).stdout}]`,
    ) as WireEvent[]
    expect(event).toMatchObject({
      seq: 4,
      agent: 'claude',
      type: 'Stop',
      raw: '{"session_id":"s2","hook_event_name":"Stop","brand_new":1}',
      unknown: ['brand_new'],
    })
  })

  test.concurrent('into a pipe that is closed early ends quietly', async () => {
    const { stdout, stderr } = await run(['sh', '-c', `${GANTRY} events --json | head -n 1`], at)
    expect(stdout.split('\n').filter(Boolean)).toHaveLength(1)
    expect(stderr).toBe('')
  })
})

describe('gantry query', () => {
  test.concurrent('prints a table, or objects as JSON', async () => {
    const { stdout } = await gantry(
      at,
      'query',
      'SELECT agent, count(*) AS n FROM events GROUP BY agent ORDER BY agent',
    )
    expect(stdout).toBe('agent   n\nclaude  4\ncodex   1\n')
    expect(await gantryJson(at, 'query', 'SELECT seq, type FROM events LIMIT 1', '--json')).toEqual([
      { seq: 1, type: 'SessionStart' },
    ])
    expect(
      await gantryJson(at, 'query', 'SELECT a.seq, b.seq FROM events a, events b LIMIT 1', '--json'),
    ).toEqual([{ seq: 1, 'seq:1': 1 }])
  })

  test.concurrent('cuts no value in a pipe, and none widens the other rows', async () => {
    const sql = "SELECT printf('%.*c', 300, 'y') AS y, 1 AS n UNION ALL SELECT 'short', 2"
    const { stdout } = await gantry(at, 'query', sql)
    const rows = [`y${' '.repeat(47)}  n`, `${'y'.repeat(300)}  1`, `short${' '.repeat(43)}  2`]
    expect(stdout).toBe(`${rows.join('\n')}\n`)
    const narrow = await run([GANTRY, 'query', sql], at, '', { COLUMNS: '80' })
    expect(narrow.stdout).toContain('y…  1\n')
  })

  test.concurrent('says when there is more', async () => {
    const { stdout } = await gantry(at, 'query', 'SELECT seq FROM events', '--limit', '2')
    expect(stdout).toContain('more rows than 2')
  })

  test.concurrent('that is wrong, or wants to write, is exit 1 and says why', async () => {
    const wrong = await gantry(at, 'query', 'SELECT nope FROM events')
    expect(wrong).toMatchObject({ exit: 1, stdout: '' })
    expect(wrong.stderr).toContain('no such column: nope')
    for (const sql of ['DELETE FROM events', 'DROP TABLE events', `VACUUM INTO '${at.home}/copy.db'`]) {
      expect(await gantry(at, 'query', sql)).toMatchObject({ exit: 1, stdout: '' })
    }
    expect(await listed()).toHaveLength(5)
  })

  test.concurrent('that never ends holds up no hook, and ends even if the daemon is killed', async () => {
    const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n'
    const home = makeHome()
    await using own = await startDaemon(home)
    const asking = gantry(home, 'query', endless)
    const [worker = 0] = await until(() => {
      const children = childrenOf(own.pid)
      return children.length > 0 && children
    }, 'a process of its own')
    expect(await sendFrame(home, { payload: '{"session_id":"meanwhile"}' })).toMatchObject({ exit: 0 })
    // Nobody is left to end it when its daemon is killed; then the kernel does.
    await until(() => /Max cpu time +25 /.test(readFileSync(`/proc/${worker}/limits`, 'utf8')), 'a limit')
    process.kill(worker, 'SIGKILL')
    expect(await asking).toMatchObject({ exit: 1, stderr: expect.stringContaining('Narrow it') })
  })

  test.concurrent('with megabytes of rows prints all of them', async () => {
    const sql = `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000)
                 SELECT x, printf('%.*c', 100, 'y') AS y FROM n`
    const rows = (await gantryJson(at, 'query', sql, '--json', '--limit', '100000')) as { x: number }[]
    expect(rows).toHaveLength(20_000)
    expect(rows.at(-1)?.x).toBe(20_000)
    const slow = await run(['sh', '-c', `${GANTRY} query "$1" -n 100000 | (sleep 0.5; wc -l)`, 'sh', sql], at)
    expect(Number(slow.stdout)).toBe(20_001)
  })
})

describe('gantry rpc', () => {
  test.concurrent('lists all calls, and makes one', async () => {
    const { stdout } = await gantry(at, 'rpc')
    for (const name of ['status', 'events.list', 'query', 'stop']) expect(stdout).toContain(name)
    expect(await gantryJson(at, 'rpc', 'events.list', '{"type":"Stop","limit":1}')).toMatchObject([
      { seq: 5 },
    ])
  })

  test.concurrent('that fails is exit 1 with the reason', async () => {
    expect(await gantry(at, 'rpc', 'nope')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('There is no call'),
    })
    expect((await gantry(at, 'rpc', 'hooks.preTooluse')).stderr).toContain('Did you mean hooks.preToolUse?')
    expect(await gantry(at, 'rpc', 'status', '{"a":1}')).toMatchObject({ exit: 1, stdout: '' })
  })
})

describe('gantry doctor', () => {
  test.concurrent('finds the daemon well, and names the drift it saw', async () => {
    const findings = (await gantryJson(at, 'doctor', '--json')) as Finding[]
    expect(findings.filter(({ level }) => level === 'fail')).toEqual([])
    expect(findings).toContainEqual(expect.objectContaining({ level: 'ok', about: 'daemon' }))
    expect(findings).toContainEqual(
      expect.objectContaining({ about: 'drift', message: expect.stringContaining('claude Stop brand_new') }),
    )
    const { exit, stdout } = await gantry(at, 'doctor')
    expect(exit).toBe(0)
    expect(stdout).toContain('claude Stop brand_new')
  })
})

test('a session whose name is misspelt is guessed', async () => {
  const [{ name } = { name: '' }] = (await gantryJson(at, 'sessions', '--json')) as { name: string }[]
  const { exit, stderr } = await gantry(at, 'session', `${name}x`)
  expect({ exit, stderr }).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining(`Did you mean ${name}?`),
  })
})
