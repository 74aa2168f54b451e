/** Notifications through the whole daemon: real hooks in, real requests and programs out. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import { newId } from '../../src/events/index.ts'
import {
  gantry,
  gantryJson,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'
import { openReceiver } from '../receiver.ts'

interface Told {
  readonly channel: string
  readonly session: string
  readonly reason: string
  readonly title: string
  readonly outcome: string
  readonly detail: string
}

const opened: { stop(): Promise<void> }[] = []
const PLAIN = '[http]\nport = 0\n'

/** One daemon for all: each test gives it channels, and has sessions of its own, which end with it. */
const home = makeHome()
const desktop = fakeNotifySend()
let daemon: RunningDaemon
const start = async () => {
  daemon = await startDaemon(home, { PATH: desktop.path })
}
let s1 = ''
const sessions = new Set<string>()
beforeAll(start)
beforeEach(() => {
  s1 = newId()
})
afterEach(async () => {
  for (const session of sessions) await hook('SessionEnd', { reason: 'exit' }, session)
  sessions.clear()
  await configure('')
})
afterAll(async () => {
  await daemon.kill('SIGKILL')
  await Promise.all(opened.map((one) => one.stop()))
})

/** Has channels where there were none, or none where there were some. */
async function configure(text: string): Promise<void> {
  writeFileSync(home.configFile, PLAIN + text)
  await until(
    async () => (await call(home, 'notify.test', { send: false })).length > 0 === (text !== ''),
    'the configuration',
  )
}

/** Killed, and started once more. */
async function killed(): Promise<void> {
  await daemon.kill('SIGKILL')
  await start()
}

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
max_per_minute = 600
${more}`

async function hook(event: string, more: Record<string, unknown> = {}, session = s1) {
  sessions.add(session)
  const payload = { hook_event_name: event, session_id: session, cwd: '/', ...more }
  const reply = await sendFrame(home, { payload: JSON.stringify(payload) })
  expect(reply?.exit).toBe(0)
}

const bash = (id: string) => ({ tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: id })
/** About the sessions of this test. */
const log = async () => (await call(home, 'notify.log')).filter(({ session }) => session.includes(s1))

/** Writes its arguments, one a line, and exits as it was told. */
function fakeNotifySend(): { path: string; exits(code: number): void; said(): string[] } {
  const dir = tempDir()
  const file = join(dir, 'said')
  const program = join(dir, 'notify-send')
  writeFileSync(
    program,
    `#!/bin/sh\nprintf '%s\\n' "$@" > ${file}.new\nmv ${file}.new ${file}\necho no desktop >&2\nexit $(cat ${dir}/exit)\n`,
  )
  chmodSync(program, 0o755)
  return {
    path: `${dir}:${process.env.PATH}`,
    exits: (code) => writeFileSync(join(dir, 'exit'), String(code)),
    said: () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []),
  }
}

describe('a session that needs you', () => {
  test('is told of once, and not again by another event or after a kill -9', async () => {
    const to = receiver()
    await configure(channel(to.url))
    await hook('UserPromptSubmit', { prompt: 'go' })
    await hook('PermissionRequest', bash('c1'))
    await until(() => to.got.length === 1, 'the message')
    expect(to.got[0]?.body as unknown).toMatchObject({ reason: 'permission', urgent: true })
    await hook('PreToolUse', { ...bash('c2'), tool_name: 'Read' })
    await until(async () => (await log())[0]?.outcome === 'sent', 'the row')
    await killed()
    await hook('PostToolUse', { ...bash('c2'), tool_name: 'Read' })
    // A second session shows that messages do come: only the first is not told again.
    await hook('PermissionRequest', bash('c9'), `${s1}-2`)
    await until(() => to.got.length >= 2, 'the message of the other')
    expect(to.got.map(({ body }) => (body.session as unknown as { name: string }).name)).toHaveLength(2)
    expect(new Set(to.got.map(({ body }) => body.id)).size).toBe(2)
  })

  test('is not told of twice by a daemon that is killed while it tells', async () => {
    const to = receiver(() => new Promise(() => {}))
    await configure(channel(to.url).replace('"ci"', '"hung"')) // others are not to wait for it
    await hook('PermissionRequest', bash('c1'))
    await until(() => to.got.length === 1, 'the request')
    await killed()
    await hook('PermissionRequest', bash('c2'), `${s1}-2`)
    await until(() => to.got.length >= 2, 'the request for the other')
    expect(new Set(to.got.map(({ body }) => body.id)).size).toBe(2)
    expect((await log()).map(({ outcome }) => outcome)).toEqual(['sending', 'sending'])
  })

  test('and that nobody could be told of before a kill -9 is told of afterwards', async () => {
    const to = receiver()
    await configure(channel(to.url, 'after_s = 2').replace('after_s = 0\n', ''))
    await hook('PermissionRequest', bash('c1'))
    await daemon.kill('SIGKILL')
    expect(to.got).toEqual([])
    await start()
    await until(() => to.got.length === 1, 'the message')
  })

  test('is not told of when it was answered in time', async () => {
    const to = receiver()
    const late = channel(to.url, 'after_s = 0.4').replace('after_s = 0\n', '')
    await configure(late)
    await hook('PermissionRequest', bash('c1'))
    await hook('PostToolUse', bash('c1'))
    await hook('PermissionRequest', bash('c2'), `${s1}-2`)
    await until(() => to.got.length > 0, 'the message of the other')
    expect(await log()).toHaveLength(1)
  })

  test('does not wait in its hook for a channel that hangs', async () => {
    const to = receiver(() => new Promise(() => {}))
    await configure(channel(to.url).replace('"ci"', '"hung"')) // others are not to wait for it
    await hook('PermissionRequest', bash('c0'))
    await until(() => to.got.length === 1, 'the request')
    for (let i = 1; i <= 20; i++) await hook('PermissionRequest', bash(`c${i}`))
  })
})

describe('the rules', () => {
  test('a cool-down holds the next one back, and what still stands is told then', async () => {
    const to = receiver()
    await configure(channel(to.url).replace('cooldown_s = 0', 'cooldown_s = 1'))
    await hook('PermissionRequest', bash('c1'))
    await until(() => to.got.length === 1, 'the first')
    await hook('PostToolUse', bash('c1'))
    await hook('PermissionRequest', { ...bash('c2'), tool_input: { command: 'pwd' } })
    await until(() => to.got.length === 2, 'the second')
    const [first, second] = to.got
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(500) // a busy machine hears of the first one late
  })

  test('quiet hours keep still; a channel that ignores them does not', async () => {
    const to = receiver()
    const loud = channel(to.url, 'in_quiet_hours = true').replace('"ci"', '"loud"')
    await configure(`[notify]\nquiet = "00:00-00:00"\n${channel(`${to.url}/quiet`)}${loud}`)
    await hook('UserPromptSubmit', { prompt: 'go' })
    await hook('Stop')
    await until(async () => (await log()).length === 2, 'both rows')
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
    await configure(channel(to.url, 'reasons = ["error"]'))
    await hook('PermissionRequest', bash('c1'))
    await hook('StopFailure', { error: 'rate_limit' }, `${s1}-2`)
    await until(() => to.got.length === 1, 'the error')
    expect(to.got[0]?.body as unknown).toMatchObject({ reason: 'error' })
    writeFileSync(home.configFile, `${PLAIN}${channel(to.url, 'reasons = ["question"]')}`)
    await until(async () => {
      const [one] = await call(home, 'notify.test', { send: false })
      return one?.reasons[0] === 'question'
    }, 'the new configuration')
    await hook('PreToolUse', { ...bash('q1'), tool_name: 'AskUserQuestion' }, `${s1}-3`)
    await until(() => to.got.length === 2, 'the question')
  })

  test('what leaves the machine does not say what the agent said, unless asked to', async () => {
    const to = receiver()
    await configure(channel(to.url) + channel(to.url, 'words = "yes"').replace('"ci"', '"full"'))
    await hook('UserPromptSubmit', { prompt: 'go' })
    await hook('Stop', { last_assistant_message: 'The key is in vault.ts' })
    await until(() => to.got.length === 2, 'both messages')
    const texts = to.got.map(({ text }) => text.includes('vault.ts'))
    expect(texts.sort()).toEqual([false, true])
  })
})

describe('the desktop', () => {
  test('gets a title and a body in which nothing is an option, markup or a control sequence', async () => {
    desktop.exits(0)
    await configure('[[notify.channels]]\nname = "desk"\nkind = "desktop"\nafter_s = 0\n')
    const hostile = '--help <b>&\u001b]0;owned\u0007\u001b[31mred\u202e $(touch x) `id`\n-next'
    await hook('UserPromptSubmit', { prompt: 'go' })
    await hook('Stop', { last_assistant_message: hostile })
    const said = await until(() => desktop.said().length > 0 && desktop.said(), 'notify-send')
    const at = said.indexOf('--')
    expect(said.slice(0, at)).toEqual(['--app-name=gantry', '--urgency=normal'])
    expect(said[at + 1]).toEndWith('is done')
    expect(said[at + 2]).toContain('--help &lt;b&gt;&amp;')
    expect(said[at + 2]).toContain('$(touch x)')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point
    expect(said.join('')).not.toMatch(/[\u0000-\u001f\u202e]/)
  })

  test('that fails is in the log and in doctor, with what it said', async () => {
    desktop.exits(3)
    await configure('[[notify.channels]]\nname = "desk"\nkind = "desktop"\nafter_s = 0\n')
    await hook('PermissionRequest', bash('c1'))
    await until(async () => (await log())[0]?.outcome === 'failed', 'the failure')
    expect((await log())[0]?.detail).toBe('notify-send exited with 3: no desktop')
    const findings = JSON.stringify(await gantryJson(home, 'rpc', 'doctor'))
    expect(findings).toContain('desk: 1 failed within a day')
    expect(findings).toContain('gantry notify test desk')
  })
})

describe('gantry notify test', () => {
  test('without channels says how to get one', async () => {
    const ran = await gantry(home, 'notify', 'test')
    expect(ran.exit).toBe(1)
    expect(ran.stdout).toContain('[[notify.channels]]')
    expect(ran.stdout).toContain(home.configFile)
  })

  test('sends to one channel and shows the answer; or only shows what it would send', async () => {
    const to = receiver(() => new Response('taken', { status: 201 }))
    await configure(channel(to.url))
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
    await configure(channel(to.url))
    const ran = await gantry(home, 'notify', 'test')
    expect(ran.exit).toBe(1)
    expect(ran.stdout).toContain('HTTP 403: no')
  })
})
