/** Commands registered for events, through the real daemon and both hook clients: asked, waited for, survived. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import {
  exchange,
  frame,
  GANTRY,
  gantry,
  gantryJson,
  HOOK,
  isGone,
  journal,
  makeHome,
  parseReply,
  type RunningDaemon,
  run,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'

setDefaultTimeout(120_000)

const CLIENTS = [
  { name: 'native', argv: [HOOK] },
  { name: 'typescript', argv: [GANTRY, 'hook'] },
]

const payloadOf = (event: string, extra: object = {}) =>
  JSON.stringify({ hook_event_name: event, session_id: 's1', prompt_id: newId(), cwd: '/', ...extra })
const bash = (command = 'ls', session_id = 's1') =>
  payloadOf('PreToolUse', { session_id, tool_name: 'Bash', tool_input: { command } })

/** Registered until the test ends. */
async function register(
  at: Places,
  id: string,
  events: string,
  command: string,
  priority = 50,
): Promise<AsyncDisposable> {
  await call(at, 'bus.register', { id, events: events.split(','), command, priority })
  return {
    [Symbol.asyncDispose]: async () => void (await call(at, 'bus.unregister', { id }).catch(() => {})),
  }
}

/** One daemon for all that leave it as it was; its rules are about what only one test sends. */
const shared = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  mkdirSync(shared.rules, { recursive: true, mode: 0o700 })
  writeFileSync(
    join(shared.rules, 'a.yaml'),
    `rules:
  - { id: a, on: PreToolUse, match: { tool.input.command: '^ruled$' }, context: from the rules }
  - { id: no, on: PreToolUse, match: { tool.input.command: '^forbidden$' }, decision: deny, reason: by rule }
`,
  )
  daemon = await startDaemon(shared)
})
afterAll(() => daemon.kill('SIGKILL'))

const hook = (at: Places, event: string, payload: string, argv = [HOOK]) =>
  run([...argv, 'claude', event], at, payload, { GANTRY_NO_AUTOSTART: '1' })

/** What a handler waits for until `open` is called; it runs in the folder of the state. */
const closed = (door: string) => `while [ ! -e ${door} ]; do sleep 0.02; done`
const open = (at: Places, door: string) => writeFileSync(join(at.state, door), '')

const file = (at: Places, name: string) => {
  const path = join(at.state, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** Those about the events of a session. */
const decisions = (at: Places, session: string) =>
  journal<{ id: string; type: string; data: string }>(
    at,
    `SELECT id, type, data FROM bus_messages WHERE stream = 'DECISION_EVENTS'
       AND id IN (SELECT id FROM events WHERE session_id = '${session}') ORDER BY seq`,
  )

describe('a handler', () => {
  for (const { name, argv } of CLIENTS) {
    test(`is asked by the ${name} client, and what it says is said in the agent's words`, async () => {
      const at = shared
      await using _guard = await register(
        at,
        'guard',
        'PreToolUse',
        `grep -q 'rm -rf' && echo '{"block":true,"reason":"not that"}'; true`,
      )
      await using _greeter = await register(
        at,
        'greeter',
        'UserPromptSubmit',
        `echo '{"inject":["be kind"],"warnings":["hm"]}'`,
      )

      const refused = await hook(at, 'PreToolUse', bash('rm -rf /', name), argv)
      expect(refused).toMatchObject({ exit: 0, stderr: '' })
      expect(JSON.parse(refused.stdout).hookSpecificOutput).toEqual({
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'not that',
      })
      expect(await hook(at, 'PreToolUse', bash('ls', name), argv)).toEqual({
        exit: 0,
        stdout: '',
        stderr: '',
      })
      const prompted = await hook(
        at,
        'UserPromptSubmit',
        payloadOf('UserPromptSubmit', { session_id: name, prompt: 'hi' }),
        argv,
      )
      expect(JSON.parse(prompted.stdout)).toEqual({
        systemMessage: 'hm',
        hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'be kind' },
      })

      const types = journal(at, `SELECT type FROM events WHERE session_id = '${name}' ORDER BY seq`).map(
        ({ type }) => type,
      )
      expect(types).toEqual(['PreToolUse', 'PermissionDenied', 'PreToolUse', 'UserPromptSubmit'])
      expect(decisions(at, name).map(({ type, data }) => [type, JSON.parse(data).by])).toEqual([
        ['deny', 'handler:guard'],
        ['none', undefined],
      ])
    })
  }

  test('that takes seven seconds is waited for, and nobody else feels it', async () => {
    const at = shared
    const session = 'seven'
    await using _slow = await register(
      at,
      'slow',
      'PreToolUse',
      `touch started; sleep 7; echo '{"block":true,"reason":"at last"}'`,
    )
    let answered = 0
    const held = CLIENTS.map(({ argv }) =>
      hook(at, 'PreToolUse', bash('ls', session), argv).finally(() => answered++),
    )
    await until(() => existsSync(join(at.state, 'started')), 'the handler to run')
    for (let i = 0; i < 50; i++) await sendFrame(at, { event: 'Stop', payload: payloadOf('Stop') })
    expect(answered).toBe(0)
    for (const { exit, stdout } of await Promise.all(held)) {
      expect(exit).toBe(0)
      expect(stdout).toContain('at last')
    }
    expect(readdirSync(at.spool)).toEqual([])
    const sql = `SELECT * FROM events WHERE type = 'PreToolUse' AND session_id = '${session}'`
    expect(journal(at, sql)).toHaveLength(2)
  })

  test('over HTTP answers a hook where it is quick, and does not hold it where it is not', async () => {
    const at = shared
    await using _guard = await register(
      at,
      'guard',
      'PreToolUse',
      `echo '{"block":true,"reason":"over http"}'`,
    )
    await using _slow = await register(at, 'slow', 'UserPromptSubmit', 'sleep 20; echo done > done')
    const { url } = JSON.parse(readFileSync(at.http, 'utf8')) as { url: string }
    const headers = {
      authorization: `Bearer ${readFileSync(at.token, 'utf8').trim()}`,
      'content-type': 'application/json',
    }
    const post = (body: string) => fetch(`${url}/hooks/claude`, { method: 'POST', headers, body })
    expect(await (await post(bash())).text()).toContain('over http')
    expect((await post(payloadOf('UserPromptSubmit', { prompt: 'hi' }))).status).toBe(204)
    expect(file(at, 'done')).toBe('')
  })

  test('is not waited for by a client that cannot be held: it gets what the rules say', async () => {
    const at = shared
    await using _slow = await register(at, 'slow', 'PreToolUse', 'sleep 20')
    const payload = bash('ruled')
    const reply = parseReply(await exchange(at, frame({ event: 'PreToolUse', payload }), 15_000))
    expect(reply?.stdout).toContain('from the rules')
    const { stdout } = await gantry(at, 'doctor')
    expect(stdout).toContain('claude PreToolUse: 1 decision missed')
  })

  test('keeps a turn going only so often', async () => {
    const at = shared
    await using _more = await register(at, 'more', 'Stop', `echo '{"block":true,"reason":"go on"}'`)
    const replies: string[] = []
    for (let i = 0; i < 4; i++) {
      const stop = payloadOf('Stop', { session_id: 'more', stop_hook_active: i > 0 })
      replies.push((await hook(at, 'Stop', stop)).stdout)
    }
    expect(replies.map((text) => text !== '' && JSON.parse(text).decision)).toEqual([
      'block',
      'block',
      'block',
      false,
    ])
    // It is told of once the answer has left.
    const told = () => journal<{ raw: string }>(at, `SELECT raw FROM events WHERE type = 'StopLoopDetected'`)
    const loops = await until(() => told().length > 0 && told(), 'the loop')
    expect(loops.map(({ raw }) => JSON.parse(raw).rule)).toEqual(['handler:more'])
  })

  test('for an event that decides nothing runs after the answer, and changes nothing', async () => {
    const at = shared
    const command = `${closed('watched')}; cat > seen; echo '{"block":true}'; exit 2`
    await using _watch = await register(at, 'watch', 'PostToolUse', command)
    const call = { session_id: 'watch', tool_name: 'Bash', tool_input: {}, tool_response: 'ok' }
    const payload = payloadOf('PostToolUse', call)
    expect(await hook(at, 'PostToolUse', payload)).toEqual({ exit: 0, stdout: '', stderr: '' })
    expect(file(at, 'seen')).toBe('')
    open(at, 'watched')
    await until(() => file(at, 'seen') === payload, 'the event')
    expect(decisions(at, 'watch')).toEqual([])
  })

  test.each([
    ['{"decision":"deny","reason":"not here"}', 'not here'],
    [
      '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"nor here"}}',
      'nor here',
    ],
  ])('may refuse in the words of agents’ own hooks: %s', async (answer, reason) => {
    const at = shared
    await using _guard = await register(at, 'guard', 'PreToolUse', `echo '${answer}'`)
    expect(JSON.parse((await hook(at, 'PreToolUse', bash()))?.stdout ?? '')).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining(reason),
      },
    })
  })

  test('whose words nobody knows lets the call pass, and is named by doctor', async () => {
    const at = shared
    await using _mumbler = await register(at, 'mumbler', 'PreToolUse', `echo '{"verdict":"no"}'`)
    expect(await hook(at, 'PreToolUse', bash())).toMatchObject({ exit: 0, stdout: '' })
    expect((await gantry(at, 'doctor')).stdout).toMatch(/mumbler/)
  })

  test('whose rule has refused already is not asked', async () => {
    const at = shared
    await using _guard = await register(at, 'guard', 'PreToolUse', 'touch asked')
    expect((await hook(at, 'PreToolUse', bash('forbidden'))).stdout).toContain('by rule')
    expect(file(at, 'asked')).toBe('')
    expect(await call(at, 'bus.handlers')).toMatchObject([{ id: 'guard', runs: 0 }])
  })

  test('whose client has gone is still heard, for the record', async () => {
    const at = shared
    const late = `touch late; ${closed('gone')}; echo '{"block":true,"reason":"late"}'`
    await using _slow = await register(at, 'slow', 'PreToolUse', late)
    const id = newId()
    const socket = connect(at.socket)
    socket.write(frame({ id, event: 'PreToolUse', payload: bash('ls', 'gone'), header: { hold: true } }))
    await until(() => existsSync(join(at.state, 'late')), 'the handler to run')
    socket.destroy()
    open(at, 'gone')
    const told = () => decisions(at, 'gone')
    const [decision] = await until(() => told().length > 0 && told(), 'the decision')
    expect(decision).toMatchObject({ id, type: 'deny' })
    expect(await sendFrame(at, { payload: payloadOf('Stop') })).toEqual({ exit: 0, stdout: '', stderr: '' })
  })
})

describe('registering', () => {
  test('is kept over a restart, listed, and taken back', async () => {
    const at = makeHome()
    const first = await startDaemon(at)
    expect((await gantry(at, 'bus', 'handlers')).stdout).toContain('No handlers')
    const add = (...args: string[]) => gantry(at, 'bus', 'register', ...args)
    const b = await add(
      '--id',
      'b',
      '--events',
      'PreToolUse, Stop',
      '--command',
      'exit 1',
      '--priority',
      '60',
    )
    expect(b).toEqual({ exit: 0, stdout: 'b is asked about PreToolUse, Stop priority 60\n', stderr: '' })
    const script = join(at.config, 'guard.sh')
    writeFileSync(script, '#!/bin/sh\n', { mode: 0o644 })
    const mute = () => add('--id', 'c', '--events', 'DeployDone', '--command', `${script} x`)
    expect((await mute()).stderr).toContain(`chmod +x ${script}`)
    chmodSync(script, 0o755)
    expect((await gantry(at, 'bus', 'unregister', 'c')).exit).toBe(0)
    expect((await mute()).stderr).toBe('')
    expect((await gantry(at, 'bus', 'unregister', 'c')).exit).toBe(0)
    expect((await add('--id', 'a', '--events', '*', '--command', 'true', '--json')).stdout).toContain(
      '"priority": 50',
    )
    await first.kill('SIGTERM')
    await using _daemon = await startDaemon(at)
    for (let i = 0; i < 3; i++) await hook(at, 'PreToolUse', bash())
    expect(await gantryJson(at, 'bus', 'handlers', '--json')).toMatchObject([
      { id: 'a', events: ['*'], priority: 50, circuit: 'closed', runs: 3, p50Ms: expect.any(Number) },
      {
        id: 'b',
        events: ['PreToolUse', 'Stop'],
        circuit: 'open',
        failures: 3,
        lastError: 'ended with exit code 1',
      },
    ])
    const shown = (await gantry(at, 'bus', 'handlers')).stdout
    expect(shown).toContain('left alone until')
    expect(shown).toContain('3 runs · 3 failed')
    const doctor = (await gantry(at, 'doctor')).stdout
    expect(doctor).toMatch(/b failed three times in a row and is (left alone until|on trial)/)
    expect(doctor).toContain('gantry bus unregister b')
    expect((await gantry(at, 'bus', 'unregister', 'b')).exit).toBe(0)
    expect(await gantry(at, 'bus', 'unregister', 'b')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('There is no handler "b"'),
    })
    expect(await gantryJson(at, 'bus', 'handlers', '--json')).toMatchObject([{ id: 'a' }])
  })

  test('refuses what cannot be meant, and says why', async () => {
    const at = shared
    const good = { id: 'x', events: 'Stop', command: 'true', priority: '50' }
    const wrong: [Partial<typeof good>, number, string][] = [
      [{ id: '' }, 2, '--id is missing'],
      [{ events: '' }, 2, '--events is missing'],
      [{ command: '' }, 2, '--command is missing'],
      [{ priority: 'high' }, 2, 'whole number'],
      [{ id: 'a b' }, 1, 'an id is letters'],
      [{ events: 'Stop,rm -rf' }, 1, 'bus.register'],
      [{ command: '  ' }, 1, 'bus.register'],
      [{ command: 'x'.repeat(5_000) }, 1, 'bus.register'],
    ]
    for (const [change, exit, why] of wrong) {
      const args = Object.entries({ ...good, ...change }).flatMap(([name, value]) => [`--${name}`, value])
      const result = await gantry(at, 'bus', 'register', ...args)
      expect([result.exit, result.stderr]).toEqual([exit, expect.stringContaining(why)])
    }
    expect(await call(at, 'bus.handlers')).toEqual([])
  })

  test('is not possible over HTTP, token or not', async () => {
    const at = shared
    const { url } = JSON.parse(readFileSync(at.http, 'utf8')) as { url: string }
    const headers = {
      authorization: `Bearer ${readFileSync(at.token, 'utf8').trim()}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({
      cmd: 'bus.register',
      args: { id: 'x', events: ['*'], command: 'touch owned' },
    })
    for (const path of ['/rpc', '/bus/register', '/bus/handlers', '/', '/hooks/gantry', '/hooks/claude'])
      await fetch(`${url}${path}`, { method: 'POST', headers, body })
    expect(await call(at, 'bus.handlers')).toEqual([])
    expect(file(at, 'owned')).toBe('')
  })
})

describe('a daemon that ends while a handler runs', () => {
  test('by kill -9 harms no agent of any client, and each event counts once', async () => {
    const at = makeHome()
    const first = await startDaemon(at)
    const command = 'trap "" HUP TERM; sleep 600 & echo $! $$ >> pids; wait'
    await using _slow = await register(at, 'slow', 'PreToolUse', command)
    const held = CLIENTS.map(({ name, argv }) => hook(at, 'PreToolUse', bash('ls', name), argv))
    const running = () => file(at, 'pids').split(/\s/).map(Number).filter(Boolean)
    const pids = await until(() => running().length === 4 && running(), 'the handler to run for both')
    await first.kill('SIGKILL')
    for (const pid of pids) await until(() => isGone(pid), `the end of ${pid}`)
    for (const said of await Promise.all(held)) expect(said).toEqual({ exit: 0, stdout: '', stderr: '' })
    await using _again = await startDaemon(at)
    await until(async () => (await call(at, 'status')).spooled === 0, 'the spool')
    const rows = journal(at, `SELECT session_id FROM events WHERE type = 'PreToolUse' ORDER BY session_id`)
    expect(rows.map(({ session_id }) => session_id)).toEqual(['native', 'typescript'])
  })

  // The last one here: it ends the daemon of the others.
  test('in an orderly way says what the rules know, and ends the handler', async () => {
    const at = shared
    await using _slow = await register(at, 'slow', 'PreToolUse', 'echo $$ > pid; sleep 25')
    const held = hook(at, 'PreToolUse', bash('ruled', 'orderly'))
    await until(() => file(at, 'pid') !== '', 'the handler to run')
    expect(await daemon.kill('SIGTERM')).toBe(0)
    expect((await held).stdout).toContain('from the rules')
    await until(() => isGone(Number(file(at, 'pid'))), 'the end of the handler')
    expect(decisions(at, 'orderly')).toMatchObject([{ type: 'none' }])
  })
})
