/** Webhooks of the real daemon: what is hooked arrives, whatever happens to either side. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, type WebhookStatus } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { within } from '../../src/core/time/waits.ts'
import {
  gantry,
  gantryJson,
  journal,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'
import { limitMs, rounds } from '../long.ts'
import { openReceiver, type Receiver } from '../receiver.ts'

const SECRET = 'a secret for the tests of webhooks'
const LIVES = rounds(3, 40)
const MANY = rounds(130, 2_000)
const running: RunningDaemon[] = []
const receivers: Receiver[] = []
afterEach(async () => {
  for (const own of running.splice(0)) await own.kill('SIGKILL')
})
/** One daemon for all that need no other, with one webhook after the other; its proxy is not for this machine. */
const shared = makeHome()
const proxy = receiver()
let daemon: RunningDaemon
const startShared = async () => {
  daemon = await startDaemon(shared, { HTTP_PROXY: proxy.url, http_proxy: proxy.url })
}
beforeAll(startShared)
afterAll(async () => {
  await daemon.kill('SIGKILL')
  for (const receiver of receivers) await receiver.stop()
})

function receiver(...args: Parameters<typeof openReceiver>): Receiver {
  const opened = openReceiver(...args)
  receivers.push(opened)
  return opened
}

async function start(at: Places): Promise<RunningDaemon> {
  const own = await startDaemon(at)
  running.push(own)
  return own
}

const PLAIN = '[http]\nport = 0\n'

/** The daemon of all has this webhook and no other. */
async function configured(name: string, url: string, more = ''): Promise<Places> {
  writeFileSync(shared.configFile, PLAIN + table(url, more, name))
  await until(async () => (await statusOf(shared)).name === name, `the webhook ${name}`)
  return shared
}

function table(url: string, more = '', name = 'w'): string {
  return `\n[[webhooks]]\nname = "${name}"\nurl = "${url}"\nsecret = "${SECRET}"\n${more}`
}

const hook = (at: Places, session: string, n = 0) =>
  sendFrame(at, { payload: JSON.stringify({ session_id: session, hook_event_name: 'Stop', n }) })
/** Of the sessions of a test. */
const idsIn = (at: Places, session: string) =>
  journal<{ id: string }>(at, `SELECT id FROM events WHERE session_id LIKE '${session}' ORDER BY seq`).map(
    ({ id }) => id,
  )
const idsOf = (to: Receiver) => to.got.map(({ body }) => body.id)
const statusOf = async (at: Places): Promise<Partial<WebhookStatus>> =>
  (await call(at, 'bus.webhooks'))[0] ?? {}
const settled = (at: Places) =>
  until(async () => {
    const { backlog, waiting } = await statusOf(at)
    return backlog === 0 && waiting === 0
  }, 'an empty backlog')

describe('a webhook', () => {
  test('gets the hooks of agents, signed; the command line shows it and tries it', async () => {
    const to = receiver()
    const at = await configured('w', to.url)
    await hook(at, 's1')
    await until(() => to.got.length === 1, 'the hook')
    expect(proxy.got).toEqual([]) // what stays on this machine is not for the proxy of the environment
    const [got] = to.got
    expect(got?.body).toMatchObject({
      type: 'Stop',
      agent: 'claude',
      session: 's1',
      data: { session_id: 's1' },
    })
    expect(got && to.isSigned(got, SECRET)).toBe(true)
    await settled(at)
    expect(await gantryJson(at, 'bus', 'webhooks', '--json')).toMatchObject([
      { name: 'w', state: 'ok', lastStatus: 200, delivered: 1, backlog: 0, stream: 'HOOK_EVENTS' },
    ])
    const shown = await gantry(at, 'bus', 'webhooks')
    expect(shown.stdout).toMatch(/w {2}ok {2}HTTP 200.*\n.*http:\/\/127\.0\.0\.1:\d+\/….*\n.*1 delivered/)

    const tried = await gantry(at, 'bus', 'webhooks', 'test', 'w')
    expect({ exit: tried.exit, stdout: tried.stdout }).toEqual({
      exit: 0,
      stdout: expect.stringMatching(/✓ w: HTTP 200 in \d+ms\nok/),
    })
    expect(to.got[1]?.body).toMatchObject({ type: 'Test', agent: 'gantry' })
    expect(to.got[1] && to.isSigned(to.got[1], SECRET)).toBe(true)
    expect(idsIn(at, 's1')).toHaveLength(1)
  })

  test('that does not answer is told so, by name, with the way out and without its secrets', async () => {
    const gone = openReceiver()
    await gone.stop()
    const url = gone.url.replace('//', '//me:hunter2@').replace('/in', '/token-in-path')
    const at = await configured('gone', url)
    await hook(at, 's2')
    await until(async () => (await statusOf(at)).state === 'failing', 'a failure')
    const tried = await gantry(at, 'bus', 'webhooks', 'test', 'gone')
    expect({ exit: tried.exit, stdout: tried.stdout }).toEqual({
      exit: 1,
      stdout: expect.stringMatching(/ECONNREFUSED in \d+ms\nIs anything listening at that address\?/),
    })
    const findings = await call(at, 'doctor')
    expect(findings).toContainEqual({
      level: 'warn',
      about: 'webhook',
      message: expect.stringMatching(/^gone has failed for \d+s .*ECONNREFUSED.*1 message waits/),
      fix: expect.stringContaining('gantry bus webhooks test gone'),
    })
    expect((await gantry(at, 'bus', 'status')).stdout).toContain('! webhook: gone has failed for ')
    const shown = await gantry(at, 'bus', 'webhooks', '--json')
    const everything = [
      readFileSync(at.log, 'utf8'),
      JSON.stringify(findings),
      shown.stdout,
      tried.stdout,
    ].join()
    for (const secret of [SECRET, 'hunter2', 'token-in-path']) expect(everything).not.toContain(secret)
  })
})

test('what is rejected is a dead letter, and is sent once more when a person says so', async () => {
  let isMended = false
  const to = receiver(() => new Response('', { status: isMended ? 200 : 404 }))
  const at = await configured('rejects', to.url)
  await hook(at, 'rejected')
  await until(async () => (await statusOf(at)).dead === 1, 'a dead letter')
  const [id] = idsIn(at, 'rejected')
  expect(await gantryJson(at, 'bus', 'dead-letters', '--json')).toMatchObject([
    { id, target: 'webhook:rejects', stream: 'HOOK_EVENTS', session: 'rejected', error: 'HTTP 404' },
  ])
  expect(await call(at, 'doctor')).toContainEqual(
    expect.objectContaining({
      about: 'webhook',
      message: expect.stringMatching(/^rejects did not take 1 message: given up/),
    }),
  )
  isMended = true
  expect((await gantry(at, 'bus', 'dead-letters', '--requeue', 'all')).exit).toBe(0)
  await until(() => to.got.length === 2, 'the second chance')
  expect(idsOf(to)).toEqual([id, id] as string[])
  await until(async () => (await statusOf(at)).dead === 0, 'no dead letter')
})

describe('the configuration', () => {
  test('without one says so; adds, changes and stops them without a restart, and nothing is sent twice or left out', async () => {
    const [first, second] = [receiver(), receiver()]
    const at = shared
    const before = PLAIN
    writeFileSync(at.configFile, before)
    await until(async () => (await call(at, 'bus.webhooks')).length === 0, 'none')
    const none = await gantry(at, 'bus', 'webhooks')
    expect(none).toMatchObject({ exit: 0, stdout: expect.stringContaining('No webhooks') })
    const { exit, stderr } = await gantry(at, 'bus', 'webhooks', 'test', 'nope')
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining('no webhook "nope"') })
    expect((await gantry(at, 'bus', 'webhooks', 'frob')).exit).toBe(2)
    await hook(at, 'before')
    const tableOf = (url: string, more = '') => table(url, more, 'changes')
    appendFileSync(at.configFile, tableOf(first.url))
    await until(async () => (await statusOf(at)).name === 'changes', 'the webhook')
    await hook(at, 's1')
    await until(() => first.got.length === 1, 'the first')
    await settled(at)
    writeFileSync(at.configFile, before + tableOf(first.url, 'enabled = false\n'))
    await until(async () => (await statusOf(at)).state === 'off', 'off')
    await hook(at, 's2')
    writeFileSync(at.configFile, before + tableOf(second.url))
    await until(() => second.got.length === 1, 'the second')
    expect(first.got.map(({ body }) => body.session)).toEqual(['s1'])
    expect(second.got.map(({ body }) => body.session)).toEqual(['s2'])
  })

  test('may lose a webhook for a moment, as an editor does, without losing its place', async () => {
    const to = receiver()
    const at = await configured('blinks', to.url)
    const whole = readFileSync(at.configFile, 'utf8')
    await hook(at, 's1')
    await settled(at)
    writeFileSync(at.configFile, PLAIN)
    await until(async () => (await call(at, 'bus.webhooks')).length === 0, 'it to be gone')
    await hook(at, 's2')
    writeFileSync(at.configFile, whole)
    await until(() => to.got.length === 2, 'what came in between')
    expect(to.got.map(({ body }) => body.session)).toEqual(['s1', 's2'])
  })

  test('with the secret in a file follows the file', async () => {
    const to = receiver()
    const at = await configured('filed', to.url, 'secret_file = "w.secret"\n')
    await hook(at, 's1')
    await until(async () => (await statusOf(at)).state === 'failing', 'a failure')
    expect(await call(at, 'doctor')).toContainEqual(
      expect.objectContaining({
        level: 'fail',
        about: 'webhook',
        message: expect.stringContaining('secret cannot be read'),
      }),
    )
    expect(to.got).toEqual([])
    writeFileSync(join(at.config, 'w.secret'), 'the one in the file\n', { mode: 0o600 })
    await until(() => to.got.length === 1, 'the hook')
    expect(to.got[0] && to.isSigned(to.got[0], 'the one in the file')).toBe(true)
    writeFileSync(join(at.config, 'w.secret'), 'the next one in the file', { mode: 0o600 })
    await hook(at, 's1')
    await until(() => to.got.length === 2, 'the next')
    expect(to.got[1] && to.isSigned(to.got[1], 'the next one in the file')).toBe(true)
  })
})

describe('nothing is lost', () => {
  test(
    'when the daemon is killed -9, again and again, under load',
    async () => {
      const to = receiver(async () => {
        await Bun.sleep(3)
        return new Response('ok')
      })
      const at = await configured('busy', to.url)
      for (let life = 0; life < LIVES; life++) {
        const hooks = Array.from({ length: 60 }, (_, i) =>
          hook(at, `lives-${i % 4}`, life * 60 + i).catch(() => undefined),
        )
        await until(() => to.got.length > life * 20 + 5, 'some to arrive')
        await within(Promise.all(hooks), 40)
        await daemon.kill('SIGKILL')
        await Promise.all(hooks)
        await startShared()
      }
      await settled(at)
      const ids = idsIn(at, 'lives-%')
      expect(ids.length).toBeGreaterThan(20 * (LIVES - 1))
      expect([...new Set(idsOf(to))].sort()).toEqual([...ids].sort())
      // In order for each session, repeats aside.
      for (const session of ['lives-0', 'lives-1', 'lives-2', 'lives-3']) {
        const got = to.got.filter(({ body }) => body.session === session).map(({ body }) => body.id)
        const rows = journal<{ id: string }>(
          at,
          `SELECT id FROM events WHERE session_id = '${session}' ORDER BY seq`,
        )
        expect([...new Set(got)]).toEqual(rows.map(({ id }) => id))
      }
    },
    limitMs(LIVES, 3_000),
  )

  test('when the endpoint is away, the daemon is killed, and both come back', async () => {
    const gone = openReceiver()
    await gone.stop()
    const at = await configured('away', gone.url)
    for (let i = 0; i < 50; i++) await hook(at, 'away', i)
    await until(async () => (await statusOf(at)).state === 'failing', 'a failure')
    await daemon.kill('SIGKILL')
    const to = receiver(undefined, gone.port)
    await startShared()
    await settled(at)
    expect(idsOf(to)).toEqual(idsIn(at, 'away'))
  })

  test('when the daemon is stopped: what was on its way is not even sent twice', async () => {
    const to = receiver(async () => {
      await Bun.sleep(100)
      return new Response('ok')
    })
    const at = await configured('stopped', to.url)
    for (let i = 0; i < 10; i++) await hook(at, 'stopped', i)
    await until(() => to.got.length >= 2, 'the second')
    expect(await daemon.kill('SIGTERM')).toBe(0)
    await startShared()
    await settled(at)
    expect(idsOf(to)).toEqual(idsIn(at, 'stopped'))
  })
})

test(
  'an endpoint that never answers keeps no hook and takes no memory',
  async () => {
    const to = receiver(() => Bun.sleep(600_000).then(() => new Response('')))
    const at = makeHome(table(to.url, 'timeout_s = 2\n'))
    await start(at)
    for (let i = 0; i < 20; i++) await hook(at, `warm${i}`, i)
    const before = (await call(at, 'status')).memoryBytes
    const text = 'x'.repeat(20_000)
    for (let i = 0; i < MANY; i++) {
      const payload = JSON.stringify({ session_id: `s${i % 50}`, hook_event_name: 'Stop', text })
      expect(await sendFrame(at, { payload })).toMatchObject({ exit: 0 })
    }
    const { backlog, waiting: again } = (await statusOf(at)) as { backlog: number; waiting: number }
    expect(backlog + again).toBe(20 + MANY)
    const { memoryBytes } = await call(at, 'status')
    expect(memoryBytes - before).toBeLessThan(64 * 1024 * 1024)
    const waiting = journal(at, 'SELECT * FROM outbox_letters')
    expect(waiting.length).toBeLessThanOrEqual(16)
  },
  limitMs(MANY, 100),
)
