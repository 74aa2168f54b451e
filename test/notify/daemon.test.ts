/** Notifications through the whole daemon: real hooks in, real requests and programs out. */
import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { gantry, gantryJson, makeHome, sendFrame, startDaemon, tempDir, until } from '../kit.ts'
import { openReceiver } from '../receiver.ts'

interface Told {
  readonly channel: string
  readonly reason: string
  readonly title: string
  readonly outcome: string
  readonly detail: string
}

const opened: { stop(): Promise<void> }[] = []
afterAll(() => Promise.all(opened.map((one) => one.stop())))

function receiver(answer?: Parameters<typeof openReceiver>[0]) {
  const made = openReceiver(answer)
  opened.push(made)
  return made
}

const channel = (url: string, more = '') => `
[[notify.channels]]
name = "ci"
kind = "webhook"
url = "${url}"
after_s = 0
cooldown_s = 0
${more}`

async function hook(home: Places, event: string, more: Record<string, unknown> = {}, session = 's1') {
  const payload = { hook_event_name: event, session_id: session, cwd: '/', ...more }
  const reply = await sendFrame(home, { payload: JSON.stringify(payload) })
  expect(reply?.exit).toBe(0)
}

const bash = (id: string) => ({ tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: id })
const log = async (home: Places) => (await call(home, 'notify.log')) as Told[]

describe('a session that needs you', () => {
  test('is told of once, and not again by another event or after a kill -9', async () => {
    const to = receiver()
    const home = makeHome(channel(to.url))
    const daemon = await startDaemon(home)
    await hook(home, 'UserPromptSubmit', { prompt: 'go' })
    await hook(home, 'PermissionRequest', bash('c1'))
    await until(() => to.got.length === 1, 'the message')
    expect(to.got[0]?.body as unknown).toMatchObject({ reason: 'permission', urgent: true })
    await hook(home, 'PreToolUse', { ...bash('c2'), tool_name: 'Read' })
    await until(async () => (await log(home))[0]?.outcome === 'sent', 'the row')
    await daemon.kill('SIGKILL')
    await using _again = await startDaemon(home)
    await hook(home, 'PostToolUse', { ...bash('c2'), tool_name: 'Read' })
    // A second session shows that messages do come: only the first is not told again.
    await hook(home, 'PermissionRequest', bash('c9'), 's2')
    await until(() => to.got.length >= 2, 'the message of the other')
    expect(to.got.map(({ body }) => (body.session as unknown as { name: string }).name)).toHaveLength(2)
    expect(new Set(to.got.map(({ body }) => body.id)).size).toBe(2)
  })

  test('is not told of twice by a daemon that is killed while it tells', async () => {
    const to = receiver(() => new Promise(() => {}))
    const home = makeHome(channel(to.url))
    const daemon = await startDaemon(home)
    await hook(home, 'PermissionRequest', bash('c1'))
    await until(() => to.got.length === 1, 'the request')
    await daemon.kill('SIGKILL')
    await using _again = await startDaemon(home)
    await hook(home, 'PermissionRequest', bash('c2'), 's2')
    await until(() => to.got.length >= 2, 'the request for the other')
    expect(new Set(to.got.map(({ body }) => body.id)).size).toBe(2)
    expect((await log(home)).map(({ outcome }) => outcome)).toEqual(['sending', 'sending'])
  })

  test('and that nobody could be told of before a kill -9 is told of afterwards', async () => {
    const to = receiver()
    const home = makeHome(channel(to.url, 'after_s = 2').replace('after_s = 0\n', ''))
    const daemon = await startDaemon(home)
    await hook(home, 'PermissionRequest', bash('c1'))
    await daemon.kill('SIGKILL')
    expect(to.got).toEqual([])
    await using _again = await startDaemon(home)
    await until(() => to.got.length === 1, 'the message')
  })

  test('is not told of when it was answered in time', async () => {
    const to = receiver()
    const late = channel(to.url, 'after_s = 0.4').replace('after_s = 0\n', '')
    const home = makeHome(late)
    await using _daemon = await startDaemon(home)
    await hook(home, 'PermissionRequest', bash('c1'))
    await hook(home, 'PostToolUse', bash('c1'))
    await hook(home, 'PermissionRequest', bash('c2'), 's2')
    await until(() => to.got.length > 0, 'the message of the other')
    expect(await log(home)).toHaveLength(1)
  })

  test('does not wait in its hook for a channel that hangs', async () => {
    const to = receiver(() => new Promise(() => {}))
    const home = makeHome(channel(to.url))
    await using _daemon = await startDaemon(home)
    await hook(home, 'PermissionRequest', bash('c0'))
    await until(() => to.got.length === 1, 'the request')
    for (let i = 1; i <= 20; i++) await hook(home, 'PermissionRequest', bash(`c${i}`))
  })
})

describe('the rules', () => {
  test('a cool-down holds the next one back, and what still stands is told then', async () => {
    const to = receiver()
    const home = makeHome(channel(to.url).replace('cooldown_s = 0', 'cooldown_s = 1'))
    await using _daemon = await startDaemon(home)
    await hook(home, 'PermissionRequest', bash('c1'))
    await until(() => to.got.length === 1, 'the first')
    await hook(home, 'PostToolUse', bash('c1'))
    await hook(home, 'PermissionRequest', bash('c2'))
    await until(() => to.got.length === 2, 'the second')
    const [first, second] = to.got
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(900)
  })

  test('quiet hours keep still; a channel that ignores them does not', async () => {
    const to = receiver()
    const loud = channel(to.url, 'in_quiet_hours = true').replace('"ci"', '"loud"')
    const home = makeHome(`[notify]\nquiet = "00:00-00:00"\n${channel(`${to.url}/quiet`)}${loud}`)
    await using _daemon = await startDaemon(home)
    await hook(home, 'UserPromptSubmit', { prompt: 'go' })
    await hook(home, 'Stop')
    await until(async () => (await log(home)).length === 2, 'both rows')
    const rows = (await gantryJson(home, 'notify', 'log', '--json')) as Told[]
    expect(rows.find(({ channel }) => channel === 'ci')).toMatchObject({
      outcome: 'skipped',
      detail: 'quiet hours',
    })
    await until(() => to.got.length === 1, 'the message')
    expect(to.got[0]?.body as unknown).toMatchObject({ reason: 'done' })
  })

  test('a channel gets the reasons it wants, from the next change of the file on', async () => {
    const to = receiver()
    const home = makeHome(channel(to.url, 'reasons = ["error"]'))
    await using _daemon = await startDaemon(home)
    await hook(home, 'PermissionRequest', bash('c1'))
    await hook(home, 'StopFailure', { error: 'rate_limit' }, 's2')
    await until(() => to.got.length === 1, 'the error')
    expect(to.got[0]?.body as unknown).toMatchObject({ reason: 'error' })
    writeFileSync(home.configFile, `[http]\nport = 0\n${channel(to.url, 'reasons = ["question"]')}`)
    await until(async () => {
      const [one] = await call(home, 'notify.test', { send: false })
      return one?.reasons[0] === 'question'
    }, 'the new configuration')
    await hook(home, 'PreToolUse', { ...bash('q1'), tool_name: 'AskUserQuestion' }, 's3')
    await until(() => to.got.length === 2, 'the question')
  })

  test('what leaves the machine does not say what the agent said, unless asked to', async () => {
    const to = receiver()
    const home = makeHome(channel(to.url) + channel(to.url, 'words = "yes"').replace('"ci"', '"full"'))
    await using _daemon = await startDaemon(home)
    await hook(home, 'UserPromptSubmit', { prompt: 'go' })
    await hook(home, 'Stop', { last_assistant_message: 'The key is in vault.ts' })
    await until(() => to.got.length === 2, 'both messages')
    const texts = to.got.map(({ text }) => text.includes('vault.ts'))
    expect(texts.sort()).toEqual([false, true])
  })
})

describe('the desktop', () => {
  /** Writes its arguments, one a line. */
  function fakeNotifySend(exit = 0): { path: string; said(): string[] } {
    const dir = tempDir()
    const file = join(dir, 'said')
    const program = join(dir, 'notify-send')
    writeFileSync(
      program,
      `#!/bin/sh\nprintf '%s\\n' "$@" > ${file}.new\nmv ${file}.new ${file}\necho no desktop >&2\nexit ${exit}\n`,
    )
    chmodSync(program, 0o755)
    return {
      path: `${dir}:${process.env.PATH}`,
      said: () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []),
    }
  }

  test('gets a title and a body in which nothing is an option, markup or a control sequence', async () => {
    const fake = fakeNotifySend()
    const home = makeHome('[[notify.channels]]\nname = "desk"\nkind = "desktop"\nafter_s = 0\n')
    await using _daemon = await startDaemon(home, { PATH: fake.path })
    const hostile = '--help <b>&\u001b]0;owned\u0007\u001b[31mred\u202e $(touch x) `id`\n-next'
    await hook(home, 'UserPromptSubmit', { prompt: 'go' })
    await hook(home, 'Stop', { last_assistant_message: hostile })
    const said = await until(() => fake.said().length > 0 && fake.said(), 'notify-send')
    const at = said.indexOf('--')
    expect(said.slice(0, at)).toEqual(['--app-name=gantry', '--urgency=normal'])
    expect(said[at + 1]).toEndWith('is done')
    expect(said[at + 2]).toContain('--help &lt;b&gt;&amp;')
    expect(said[at + 2]).toContain('$(touch x)')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point
    expect(said.join('')).not.toMatch(/[\u0000-\u001f\u202e]/)
  })

  test('that fails is in the log and in doctor, with what it said', async () => {
    const fake = fakeNotifySend(3)
    const home = makeHome('[[notify.channels]]\nname = "desk"\nkind = "desktop"\nafter_s = 0\n')
    await using _daemon = await startDaemon(home, { PATH: fake.path })
    await hook(home, 'PermissionRequest', bash('c1'))
    await until(async () => (await log(home))[0]?.outcome === 'failed', 'the failure')
    expect((await log(home))[0]?.detail).toBe('notify-send exited with 3: no desktop')
    const findings = JSON.stringify(await gantryJson(home, 'rpc', 'doctor'))
    expect(findings).toContain('desk: 1 failed within a day')
    expect(findings).toContain('gantry notify test desk')
  })
})

describe('gantry notify test', () => {
  test('without channels says how to get one', async () => {
    const home = makeHome()
    await using _daemon = await startDaemon(home)
    const ran = await gantry(home, 'notify', 'test')
    expect(ran.exit).toBe(1)
    expect(ran.stdout).toContain('[[notify.channels]]')
    expect(ran.stdout).toContain(home.configFile)
  })

  test('sends to one channel and shows the answer; or only shows what it would send', async () => {
    const to = receiver(() => new Response('taken', { status: 201 }))
    const home = makeHome(channel(to.url))
    await using _daemon = await startDaemon(home)
    const dry = await gantry(home, 'notify', 'test', '--dry-run')
    expect(dry.exit).toBe(0)
    expect(dry.stdout).toContain('would send')
    expect(to.got).toEqual([])
    const ran = await gantry(home, 'notify', 'test', 'ci')
    expect(ran.exit).toBe(0)
    expect(ran.stdout).toContain('HTTP 201: taken')
    expect(to.got).toHaveLength(1)
    const wrong = await gantry(home, 'notify', 'test', 'nope')
    expect(wrong.exit).toBe(1)
    expect(wrong.stderr).toContain('there is: ci')
  })

  test('exits 1 when the message was not taken', async () => {
    const to = receiver(() => new Response('no', { status: 403 }))
    const home = makeHome(channel(to.url))
    await using _daemon = await startDaemon(home)
    const ran = await gantry(home, 'notify', 'test')
    expect(ran.exit).toBe(1)
    expect(ran.stdout).toContain('HTTP 403: no')
  })
})
