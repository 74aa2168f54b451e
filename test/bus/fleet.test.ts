/** Several daemons on one NATS: each sees the sessions of all, hears all their events, and notices who went silent. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { type BusStatus, call, type FleetSessions } from '../../src/client/index.ts'
import { gantry, gantryJson, startDaemon, until } from '../kit.ts'
import { countOf, startServer, type TestServer } from '../nats-kit.ts'
import { listen } from './bus-kit.ts'
import { fleetOf, type Host, host, hostIn, keysOf, seen, silent } from './fleet-kit.ts'
import { nats } from './managed-kit.ts'
import { manage } from './world.ts'

const LONG_MS = 120_000
const isPublished = (status: BusStatus['nats']) =>
  status?.connected && status.streams.length === 4 && status.streams.every(({ backlog }) => backlog === 0)

describe('three hosts', () => {
  let server: TestServer
  let alpha: Host
  let beta: Host
  let gamma: Host
  afterAll(async () => void (await alpha.daemon.kill('SIGTERM')))
  beforeAll(async () => {
    server = await startServer()
    alpha = await host(server, 'alpha', 'subjects = "scoped"')
    beta = await host(server, 'beta.example', 'subjects = "both"')
    gamma = await host(server, 'gamma', 'subjects = "plain"')
  })

  test(
    'see the sessions of all of them, which change as they do, and go when they end',
    async () => {
      await alpha.say('a1', 'UserPromptSubmit', { prompt: 'mine' })
      await beta.say('b1', 'UserPromptSubmit', { prompt: 'theirs' })
      for (const { at } of [alpha, beta]) {
        await until(async () => (await seen(at, 'a1'))?.host === 'alpha', 'alpha')
        await until(async () => (await seen(at, 'b1'))?.host === 'beta.example', 'beta')
      }
      expect(await seen(alpha.at, 'b1')).toMatchObject({
        phase: 'working',
        lastPrompt: 'theirs',
        hostState: 'here',
        agent: 'claude',
      })
      expect(await keysOf(server, 'GANTRY_SESSIONS')).toEqual(['alpha.claude=a1', 'beta_example.claude=b1'])
      await until(async () => (await keysOf(server, 'GANTRY_HOSTS')).length >= 3, 'the hosts')
      expect(await keysOf(server, 'GANTRY_HOSTS')).toEqual(['alpha', 'beta_example', 'gamma'])

      const permission = { tool_name: 'Bash', tool_input: { command: 'ls' } }
      await beta.say('b1', 'PermissionRequest', permission)
      await until(async () => (await seen(alpha.at, 'b1'))?.needsYou, 'that it needs somebody')
      const { stdout } = await gantry(alpha.at, 'sessions', '--fleet')
      expect(stdout).toMatch(
        /^ {2}NAME .*\nalpha +this host · 1 session\n.*\nbeta\.example +gantry [\d.]+ · 1 session\n▲ .*needs you/,
      )
      const json = (await gantryJson(alpha.at, 'sessions', '--fleet', '--json')) as FleetSessions
      expect(json.sessions.map(({ id, host }) => [id, host])).toEqual([
        ['b1', 'beta.example'], // it needs a person, so it comes first
        ['a1', 'alpha'],
      ])
      expect(json.problem).toBeNull()

      await beta.say('b1', 'SessionEnd', { reason: 'exit' })
      await until(async () => (await seen(alpha.at, 'b1')) === undefined, 'its end')
      expect(await keysOf(server, 'GANTRY_SESSIONS')).toEqual(['alpha.claude=a1'])
      // Who did not ask for the fleet sees what is here, as ever.
      const local = (await gantryJson(beta.at, 'sessions', '--json')) as { id: string }[]
      expect(local).toEqual([])
    },
    LONG_MS,
  )

  test(
    'have a stream with the messages of each, with its name, each once, from the beginning or by type, for people and programs',
    async () => {
      const hosts = [alpha, beta, gamma]
      for (const { at } of hosts) await until(async () => isPublished(await nats(at)), 'what was before')
      await manage(server, (jsm) => jsm.streams.purge('HOOK_EVENTS'))
      for (const { say } of hosts) {
        await say('s1', 'UserPromptSubmit', { prompt: 'x' })
        await say('s1', 'Stop')
      }
      await until(async () => (await countOf(server, 'HOOK_EVENTS')) === 8, 'all of them')
      const all = await listen(alpha.at, { fleet: true, deliver: 'all' })
      await until(() => all.messages.length === 6, 'six messages')
      const found = all.messages.map(({ host: from, type }) => `${from} ${type}`).sort()
      expect(found).toEqual(
        ['alpha', 'beta.example', 'gamma'].flatMap((name) => [`${name} Stop`, `${name} UserPromptSubmit`]),
      )
      expect(all.messages[0]).toMatchObject({ stream: 'HOOK_EVENTS', agent: 'claude', session: 's1' })
      const printed = await gantry(
        alpha.at,
        ...['bus', 'subscribe', '--fleet', '--filter', 'Stop', '--since', 'all', '--count', '3', '--json'],
      )
      expect(
        printed.stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).host)
          .sort(),
      ).toEqual(['alpha', 'beta.example', 'gamma'])
      const live = await listen(alpha.at, { fleet: true, filter: 'hooks.beta_example.>' })
      for (const { say } of hosts) await say('s1', 'SessionEnd')
      await until(() => live.messages.length === 1, 'the one of beta')
      await until(() => all.messages.length === 9, 'all of them')
      expect(live.messages[0]).toMatchObject({
        host: 'beta.example',
        subject: 'hooks.beta_example.SessionEnd',
      })
      // Hosts publish side by side, so the one of beta may be the last there is.
      const before = (live.messages[0]?.seq ?? 0) - 1
      const again = await listen(alpha.at, { fleet: true, deliver: { seq: before } })
      await until(() => again.messages.length >= 1, 'from a sequence on')
      const line = await gantry(alpha.at, 'bus', 'subscribe', '--fleet', '--since', '1h', '--count', '1')
      expect(line.stdout).toMatch(/(alpha|beta\.example|gamma) +claude +s1 .*UserPromptSubmit/)
      const refused = await gantry(alpha.at, 'bus', 'subscribe', '--fleet', '--durable', 'x')
      expect(refused).toMatchObject({ exit: 1, stderr: expect.stringContaining('durable consumer there') })
      for (const one of [all, live, again]) one.close()
    },
    LONG_MS,
  )

  test.concurrent(
    'keep the sessions of one that went silent, or that was stopped, with its mark; what ended meanwhile goes when it is back',
    async () => {
      await beta.say('b1', 'UserPromptSubmit', { prompt: 'x' })
      await beta.say('b2', 'UserPromptSubmit', { prompt: 'y' })
      await until(async () => (await seen(alpha.at, 'b2')) !== undefined, 'the session of beta')
      await until(async () => (await hostIn(alpha.at, 'gamma'))?.state === 'here', 'gamma')
      const killedAt = Date.now()
      await beta.daemon.kill('SIGKILL')
      await gamma.daemon.kill('SIGTERM')
      await until(async () => (await hostIn(alpha.at, 'gamma'))?.state === 'stopped', 'a goodbye')
      expect((await hostIn(alpha.at, 'beta.example'))?.state).toBe('here')
      await silent(alpha.at, 'beta.example')
      expect((await hostIn(alpha.at, 'beta.example'))?.heardAt).toBeLessThan(killedAt + 1_000)
      expect(await seen(alpha.at, 'b1')).toMatchObject({ hostState: 'silent', phase: 'working' })
      expect((await gantry(alpha.at, 'sessions', '--fleet')).stdout).toMatch(
        /beta\.example +silent since \d{4}-\d\d-\d\d .* · 2 sessions then/,
      )
      // Without NATS it comes back, and one of its sessions ends; the others learn of that once NATS is there.
      const alone = await startDaemon(beta.at)
      await beta.say('b1', 'SessionEnd', { reason: 'exit' })
      await alone.kill('SIGTERM')
      const back = await startDaemon(beta.at, { GANTRY_NATS: 'external' })
      await until(async () => (await hostIn(alpha.at, 'beta.example'))?.state === 'here', 'beta')
      await until(
        async () => (await seen(alpha.at, 'b1')) === undefined,
        'no more of its old session',
        10_000,
      )
      expect(await seen(alpha.at, 'b2')).toMatchObject({ hostState: 'here' })
      await back.kill('SIGTERM')
    },
    LONG_MS,
  )
})

test.concurrent(
  'the fleet is off where it is turned off, and a change of that is taken over; two hosts with one name both say so',
  async () => {
    const server = await startServer()
    const one = await host(server, 'same', 'fleet = "off"')
    await one.say('s', 'UserPromptSubmit', { prompt: 'x' })
    await until(async () => (await countOf(server, 'HOOK_EVENTS')) === 1, 'the event')
    expect(await countOf(server, 'KV_GANTRY_HOSTS')).toBe(-1)
    expect((await fleetOf(one.at)).problem).toContain('The fleet is off')
    const text = readFileSync(one.at.configFile, 'utf8')
    writeFileSync(one.at.configFile, text.replace('fleet = "off"', 'fleet = "on"'))
    await until(async () => (await countOf(server, 'KV_GANTRY_SESSIONS')) === 1, 'the session')
    expect((await fleetOf(one.at)).problem).toBeNull()

    const found = async ({ at }: Host) => (await call(at, 'doctor')).find(({ about }) => about === 'fleet')
    expect(await found(one)).toBeUndefined()
    const two = await host(server, 'same')
    for (const each of [one, two]) {
      const finding = await until(() => found(each), 'a finding')
      expect(finding).toMatchObject({ message: expect.stringContaining('also calls itself "same"') })
      expect(finding.fix).toContain('nats.host')
    }
    await one.daemon.kill('SIGTERM')
    await two.daemon.kill('SIGTERM')
  },
  LONG_MS,
)

test.concurrent(
  'a user on NATS who may not use the buckets: said so, and everything else works',
  async () => {
    const streams = ['HOOK_EVENTS', 'SESSION_EVENTS', 'DECISION_EVENTS'].map(
      (name) => `$JS.API.STREAM.*.${name}`,
    )
    const allowed = JSON.stringify(['hooks.>', 'sessions.>', 'decisions.>', '$JS.API.CONSUMER.>', ...streams])
    const limited = `{ user: a, password: a, permissions: { publish: ${allowed}, subscribe: ["_INBOX.>"] } }`
    const server = await startServer({
      extra: `authorization { users: [{ user: admin, password: admin }, ${limited}] }`,
      signIn: { user: 'admin', pass: 'admin' },
    })
    const url = server.url.replace('nats://', 'nats://a:a@')
    const { at, daemon, say } = await host({ ...server, url }, 'alpha')
    await say('s', 'Stop')
    await until(async () => (await countOf(server, 'HOOK_EVENTS')) === 1, 'the event')
    const finding = await until(
      async () => (await call(at, 'doctor')).find(({ about }) => about === 'fleet'),
      'a finding',
      20_000,
    )
    expect(finding.message).toContain('Permissions Violation')
    expect(finding.fix).toContain('docs/bus-nats.md')
    expect((await fleetOf(at)).problem).toContain('cannot share its sessions')
    await say('s', 'Stop')
    await until(async () => (await countOf(server, 'HOOK_EVENTS')) === 2, 'the next one')
    await daemon.kill('SIGTERM')
  },
  LONG_MS,
)
