/** Several daemons on one NATS: each sees the sessions of all, hears all their events, and notices who went silent. */
import { describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { jetstream } from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import { call, type Finding, type FleetSessions } from '../../src/client/index.ts'
import type { Places } from '../../src/core/paths.ts'
import { gantry, gantryJson, makeHome, type RunningDaemon, sendFrame, startDaemon, until } from '../kit.ts'
import { connectTo, countOf, startServer, type TestServer } from '../nats-kit.ts'
import { AGENTS_ONLY, flood, listen } from './bus-kit.ts'
import { manage } from './world.ts'

const LONG_MS = 90_000

interface Host {
  readonly at: Places
  readonly daemon: RunningDaemon
  /** One hook of a session. */
  say(session: string, event: string, more?: object): Promise<unknown>
}

async function host(server: TestServer, name: string, more = 'subjects = "scoped"'): Promise<Host> {
  const at = makeHome(`[nats]\nurl = "${server.url}"\nhost = "${name}"\n${more}\n${AGENTS_ONLY}`)
  const daemon = await startDaemon(at, { GANTRY_NATS: 'external' })
  const say = (session: string, event: string, fields = {}) =>
    sendFrame(at, {
      payload: JSON.stringify({ hook_event_name: event, session_id: session, cwd: '/', ...fields }),
    })
  return { at, daemon, say }
}

const fleetOf = async (at: Places) => (await call(at, 'fleet.sessions')) as FleetSessions
const seen = async (at: Places, session: string) =>
  (await fleetOf(at)).sessions.find(({ id }) => id === session)
const hostIn = async (at: Places, name: string) => (await fleetOf(at)).hosts.find((one) => one.host === name)
const keysOf = async (server: TestServer, bucket: string) => {
  const nc = await connectTo(server)
  try {
    const keys: string[] = []
    for await (const key of await (await new Kvm(jetstream(nc)).open(bucket)).keys()) keys.push(key)
    return keys.sort()
  } finally {
    await nc.close()
  }
}

describe('sessions of all hosts', () => {
  test(
    'are seen from each of them, change as they do, and go when they end',
    async () => {
      const server = await startServer()
      const [alpha, beta] = [await host(server, 'alpha'), await host(server, 'beta.example')]
      await alpha.say('a1', 'UserPromptSubmit', { prompt: 'mine' })
      await beta.say('b1', 'UserPromptSubmit', { prompt: 'theirs' })
      for (const { at } of [alpha, beta]) {
        await until(async () => (await seen(at, 'a1'))?.host === 'alpha', 'alpha', 10_000)
        await until(async () => (await seen(at, 'b1'))?.host === 'beta.example', 'beta', 10_000)
      }
      expect(await seen(alpha.at, 'b1')).toMatchObject({
        phase: 'working',
        lastPrompt: 'theirs',
        hostState: 'here',
        agent: 'claude',
      })
      expect(await keysOf(server, 'GANTRY_SESSIONS')).toEqual(['alpha.claude=a1', 'beta_example.claude=b1'])
      expect(await keysOf(server, 'GANTRY_HOSTS')).toEqual(['alpha', 'beta_example'])

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
      await alpha.daemon.kill('SIGTERM')
      await beta.daemon.kill('SIGTERM')
    },
    LONG_MS,
  )

  test(
    'stay with the mark of a host that went silent, or that was stopped, and what ended meanwhile goes when it is back',
    async () => {
      const server = await startServer()
      const [alpha, beta, gamma] = [
        await host(server, 'alpha'),
        await host(server, 'beta'),
        await host(server, 'gamma'),
      ]
      await beta.say('b1', 'UserPromptSubmit', { prompt: 'x' })
      await beta.say('b2', 'UserPromptSubmit', { prompt: 'y' })
      await until(async () => (await seen(alpha.at, 'b2')) !== undefined, 'the session of beta', 10_000)
      await until(async () => (await hostIn(alpha.at, 'gamma'))?.state === 'here', 'gamma', 10_000)
      const killedAt = Date.now()
      await beta.daemon.kill('SIGKILL')
      await gamma.daemon.kill('SIGTERM')
      await until(async () => (await hostIn(alpha.at, 'gamma'))?.state === 'stopped', 'a goodbye')
      expect((await hostIn(alpha.at, 'beta'))?.state).toBe('here')
      await until(async () => (await hostIn(alpha.at, 'beta'))?.state === 'silent', 'the silence', 30_000)
      expect((await hostIn(alpha.at, 'beta'))?.heardAt).toBeLessThan(killedAt + 1_000)
      expect(await seen(alpha.at, 'b1')).toMatchObject({ hostState: 'silent', phase: 'working' })
      expect((await gantry(alpha.at, 'sessions', '--fleet')).stdout).toMatch(
        /beta +silent since \d{4}-\d\d-\d\d .* · 2 sessions then/,
      )
      // Without NATS it comes back, and one of its sessions ends; the others learn of that once NATS is there.
      const alone = await startDaemon(beta.at)
      await beta.say('b1', 'SessionEnd', { reason: 'exit' })
      await alone.kill('SIGTERM')
      const back = await startDaemon(beta.at, { GANTRY_NATS: 'external' })
      await until(async () => (await hostIn(alpha.at, 'beta'))?.state === 'here', 'beta', 10_000)
      await until(
        async () => (await seen(alpha.at, 'b1')) === undefined,
        'no more of its old session',
        10_000,
      )
      expect(await seen(alpha.at, 'b2')).toMatchObject({ hostState: 'here' })
      await back.kill('SIGTERM')
      await alpha.daemon.kill('SIGTERM')
    },
    LONG_MS,
  )

  test(
    'are those of this host alone while NATS is away, which is said, and nothing here is slower for it',
    async () => {
      const server = await startServer()
      const alpha = await host(server, 'alpha')
      await alpha.say('a1', 'UserPromptSubmit', { prompt: 'x' })
      await until(
        async () => (await keysOf(server, 'GANTRY_SESSIONS').catch(() => [])).length === 1,
        'what it tells',
        10_000,
      )
      await server.kill('SIGKILL')
      await until(async () => (await fleetOf(alpha.at)).problem !== null, 'the problem', 10_000)
      const ran = await gantry(alpha.at, 'sessions', '--fleet')
      expect(ran).toMatchObject({ exit: 0, stderr: expect.stringContaining('NATS is not connected') })
      expect(ran.stdout).toContain('working')
      await alpha.say('a2', 'UserPromptSubmit', { prompt: 'y' })
      expect(((await gantryJson(alpha.at, 'sessions', '--json')) as object[]).length).toBe(2)
      await alpha.say('a1', 'SessionEnd', { reason: 'exit' })
      await server.start()
      const told = async () => (await keysOf(server, 'GANTRY_SESSIONS').catch(() => [])).join()
      await until(async () => (await told()) === 'alpha.claude=a2', 'what is true now', 20_000)
      await alpha.daemon.kill('SIGTERM')
    },
    LONG_MS,
  )

  test(
    'are told as often as people can look, not as often as they change',
    async () => {
      const server = await startServer()
      const { at, daemon, say } = await host(server, 'alpha')
      await say('s', 'UserPromptSubmit', { prompt: 'x' })
      await until(
        async () => (await keysOf(server, 'GANTRY_SESSIONS').catch(() => [])).length === 1,
        'the session',
      )
      const writes = async () =>
        (await manage(server, (jsm) => jsm.streams.info('KV_GANTRY_SESSIONS'))).state.last_seq
      const before = await writes()
      const begin = performance.now()
      await flood(at, 2_000, (n) => ({
        session_id: 's',
        hook_event_name: n % 2 ? 'Stop' : 'UserPromptSubmit',
        prompt: `${n}`,
      }))
      await until(async () => (await seen(at, 's'))?.lastPrompt === '1998', 'the last state')
      const latest = async () => {
        const nc = await connectTo(server)
        const entry = await (await new Kvm(jetstream(nc)).open('GANTRY_SESSIONS')).get('alpha.claude=s')
        await nc.close()
        return entry?.json<{ view: { lastPrompt: string } }>().view.lastPrompt === '1998'
      }
      await until(latest, 'the last state on NATS')
      const steps = (performance.now() - begin) / 200
      expect((await writes()) - before).toBeLessThanOrEqual(Math.ceil(steps) + 1)
      await daemon.kill('SIGTERM')
    },
    LONG_MS,
  )

  test('of somebody who writes nonsense do no harm', async () => {
    const server = await startServer()
    const { at, daemon, say } = await host(server, 'alpha')
    await say('s', 'UserPromptSubmit', { prompt: 'x' })
    await until(
      async () => (await keysOf(server, 'GANTRY_SESSIONS').catch(() => [])).length === 1,
      'the session',
    )
    const nc = await connectTo(server)
    const kvm = new Kvm(jetstream(nc))
    const [hosts, sessions] = [await kvm.open('GANTRY_HOSTS'), await kvm.open('GANTRY_SESSIONS')]
    await hosts.put('x', 'no json')
    await hosts.put('y', '[1]')
    await hosts.put('evil', JSON.stringify({ host: 'evil\u001b[2J', instance: 'i', version: 7 }))
    for (const [n, view] of [null, 7, { id: 'e' }, { id: 'e', attention: 'x' }].entries())
      await sessions.put(`evil.${n}`, JSON.stringify({ host: 'evil\u001b[2J', instance: 'i', view }))
    await nc.close()
    const fleet = await fleetOf(at)
    expect(fleet.sessions.map(({ id }) => id)).toEqual(['s'])
    const { stdout, exit } = await gantry(at, 'sessions', '--fleet')
    expect(exit).toBe(0)
    expect(stdout).not.toContain('\u001b[2J')
    await daemon.kill('SIGTERM')
  })
})

describe('the fleet', () => {
  test("is off for a server of gantry's own and where it is turned off, and a change of that is taken over", async () => {
    const server = await startServer()
    const { at, daemon, say } = await host(server, 'alpha', 'fleet = "off"')
    await say('s', 'UserPromptSubmit', { prompt: 'x' })
    await until(async () => (await countOf(server, 'HOOK_EVENTS')) === 1, 'the event', 10_000)
    expect(await countOf(server, 'KV_GANTRY_HOSTS')).toBe(-1)
    expect((await fleetOf(at)).problem).toContain('The fleet is off')
    const text = readFileSync(at.configFile, 'utf8')
    writeFileSync(at.configFile, text.replace('fleet = "off"', 'fleet = "on"'))
    await until(async () => (await countOf(server, 'KV_GANTRY_SESSIONS')) === 1, 'the session', 10_000)
    expect((await fleetOf(at)).problem).toBeNull()
    await daemon.kill('SIGTERM')
  })

  test(
    'has two hosts with one name: both say so, and what to do',
    async () => {
      const server = await startServer()
      const [one, two] = [await host(server, 'same'), await host(server, 'same')]
      for (const { at } of [one, two]) {
        const found = () =>
          call(at, 'doctor').then((all) => (all as Finding[]).find(({ about }) => about === 'fleet'))
        const finding = await until(found, 'a finding', 20_000)
        expect(finding).toMatchObject({ message: expect.stringContaining('also calls itself "same"') })
        expect(finding.fix).toContain('nats.host')
      }
      await one.daemon.kill('SIGTERM')
      await two.daemon.kill('SIGTERM')
    },
    LONG_MS,
  )
})

test(
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
    await until(async () => (await countOf(server, 'HOOK_EVENTS')) === 1, 'the event', 20_000)
    const finding = await until(
      async () => ((await call(at, 'doctor')) as Finding[]).find(({ about }) => about === 'fleet'),
      'a finding',
      20_000,
    )
    expect(finding.message).toContain('Permissions Violation')
    expect(finding.fix).toContain('docs/bus-nats.md')
    expect((await fleetOf(at)).problem).toContain('cannot tell the fleet')
    await say('s', 'Stop')
    await until(async () => (await countOf(server, 'HOOK_EVENTS')) === 2, 'the next one', 20_000)
    await daemon.kill('SIGTERM')
  },
  LONG_MS,
)

describe('a stream of all hosts', () => {
  test(
    'has the messages of each, with its name, each once, from the beginning or by type, for people and programs',
    async () => {
      const server = await startServer()
      const hosts = [
        await host(server, 'alpha', 'subjects = "scoped"'),
        await host(server, 'beta', 'subjects = "both"'),
        await host(server, 'gamma', 'subjects = "plain"'),
      ]
      const [alpha] = hosts
      if (!alpha) throw new Error('no host')
      for (const { say } of hosts) {
        await say('s1', 'UserPromptSubmit', { prompt: 'x' })
        await say('s1', 'Stop')
      }
      await until(async () => (await countOf(server, 'HOOK_EVENTS')) === 8, 'all of them', 10_000)
      const all = await listen(alpha.at, { fleet: true, deliver: 'all' })
      await until(() => all.messages.length === 6, 'six messages')
      const found = all.messages.map(({ host: from, type }) => `${from} ${type}`).sort()
      expect(found).toEqual(
        ['alpha', 'beta', 'gamma'].flatMap((name) => [`${name} Stop`, `${name} UserPromptSubmit`]),
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
      ).toEqual(['alpha', 'beta', 'gamma'])
      const live = await listen(alpha.at, { fleet: true, filter: 'hooks.beta.>' })
      for (const { say } of hosts) await say('s1', 'SessionEnd')
      await until(() => live.messages.length === 1, 'the one of beta')
      await until(() => all.messages.length === 9, 'all of them')
      expect(live.messages[0]).toMatchObject({ host: 'beta', subject: 'hooks.beta.SessionEnd' })
      // Hosts publish side by side, so the one of beta may be the last there is.
      const before = (live.messages[0]?.seq ?? 0) - 1
      const again = await listen(alpha.at, { fleet: true, deliver: { seq: before } })
      await until(() => again.messages.length >= 1, 'from a sequence on')
      const line = await gantry(alpha.at, 'bus', 'subscribe', '--fleet', '--since', '1h', '--count', '1')
      expect(line.stdout).toMatch(/(alpha|beta|gamma) +claude +s1 .*UserPromptSubmit/)
      const refused = await gantry(alpha.at, 'bus', 'subscribe', '--fleet', '--durable', 'x')
      expect(refused).toMatchObject({ exit: 1, stderr: expect.stringContaining('durable consumer there') })
      for (const one of [all, live, again]) one.close()
      for (const { daemon } of hosts) await daemon.kill('SIGTERM')
    },
    LONG_MS,
  )

  test(
    'waits for a reader that stops reading, and goes on through a restart of NATS without a gap',
    async () => {
      const server = await startServer()
      const { at, daemon, say } = await host(server, 'alpha')
      await say('s0', 'Stop')
      await until(async () => (await countOf(server, 'HOOK_EVENTS')) === 1, 'the first one', 10_000)
      const reader = await listen(at, { fleet: true })
      const other = await listen(at, { fleet: true })
      reader.pause()
      const filler = 'x'.repeat(4_000)
      await flood(at, 3_000, (n) => ({ session_id: `s${n % 5}`, hook_event_name: 'Stop', n, filler }))
      await until(() => other.messages.length === 3_000, 'the other one', 20_000)
      await server.kill('SIGKILL')
      await server.start()
      await flood(at, 100, (n) => ({ session_id: 's1', hook_event_name: 'Stop', n: 3_000 + n }))
      expect(reader.messages.length).toBeLessThan(2_000)
      reader.resume()
      for (const one of [reader, other]) {
        await until(() => one.messages.length >= 3_100, 'everything', 30_000)
        const numbers = one.messages.map(({ data }) => (JSON.parse(data ?? '{}') as { n: number }).n)
        expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 3_100 }, (_, n) => n))
      }
      reader.close()
      other.close()
      const gone = async () =>
        (await manage(server, (jsm) => jsm.streams.info('HOOK_EVENTS'))).state.consumer_count === 0
      await until(gone, 'no consumers left behind', 10_000)
      await daemon.kill('SIGTERM')
    },
    LONG_MS,
  )
})
