/** Several hosts on one NATS: the page of one shows the sessions of all, and says whose host is gone. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { FleetSession } from '../../src/client/index.ts'
import { type Host, host } from '../bus/fleet-kit.ts'
import { until } from '../kit.ts'
import { startServer, type TestServer } from '../nats-kit.ts'
import { startBrowser, type TestBrowser, violationsOf } from './kit.ts'
import { live, originOf, signIn } from './page-kit.ts'

interface Other {
  readonly host: string
  readonly state: string
  readonly heardAt?: number
  readonly sessions: readonly FleetSession[]
}

let server: TestServer
let alpha: Host
let browser: TestBrowser

beforeAll(async () => {
  server = await startServer()
  ;[alpha, browser] = await Promise.all([host(server, 'alpha'), startBrowser()])
  await alpha.say('a1', 'UserPromptSubmit', { prompt: 'work of this host' })
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  expect(await alpha?.daemon.kill('SIGTERM')).toBe(0)
  await server?.kill('SIGKILL')
})

test('others are told with their sessions, and when one is gone; a quiet fleet says nothing', async () => {
  const beta = await host(server, 'beta')
  const { page: shown, problems, context } = await browser.open(alpha.at)
  await beta.say('b1', 'UserPromptSubmit', { prompt: 'work of the other host' })
  using page = live(alpha.at, { cookie: await signIn(alpha.at), origin: originOf(alpha.at) })
  const others = () => page.messages.flatMap(({ hosts }) => (hosts ? [hosts as readonly Other[]] : []))
  const last = () =>
    others()
      .at(-1)
      ?.find((one) => one.host === 'beta')
  await until(() => last()?.sessions.length === 1, 'the session of beta')
  expect(
    others()
      .at(-1)
      ?.map((one) => one.host),
  ).toEqual(['beta'])
  expect(last()).toMatchObject({
    state: 'here',
    sessions: [{ id: 'b1', host: 'beta', lastPrompt: 'work of the other host' }],
  })
  // In a browser, each with its host.
  await shown.locator('.row.session').filter({ hasText: 'work of this host' }).waitFor()
  await shown.locator('.row.session').filter({ hasText: 'work of the other host' }).waitFor()
  await shown.locator('.row.group').filter({ hasText: 'on beta' }).waitFor()
  await shown.getByText('2 hosts').waitFor()
  await beta.say('b1', 'Stop')
  await until(() => last()?.sessions[0]?.phase === 'idle', 'its change')
  const told = others().map((one) => JSON.stringify(one))
  expect(new Set(told).size).toBe(told.length)
  await beta.daemon.kill('SIGTERM')
  await until(() => last()?.state === 'stopped', 'its end')
  expect(last()?.heardAt).toBeGreaterThan(0)
  expect((await page.has('hello')).hello).toMatchObject({ host: 'alpha' })
  await shown.locator('.row.group').filter({ hasText: 'on beta, stopped' }).waitFor()
  expect(await violationsOf(shown)).toEqual([])
  expect(problems).toEqual([])
  await context.close()
}, 120_000)
