/** Hosts as leaf nodes of a hub: what the hub has of them, what they see of each other, and what happens without it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import { newId } from '../../src/events/index.ts'
import { GANTRY, gantry, gantryJson, journal, makeHome, run, sendFrame, until } from '../kit.ts'
import { rounds } from '../long.ts'
import { contentOf, countOf, managerOf, type Stored } from '../nats-kit.ts'
import { AGENTS_ONLY, flood, listen } from './bus-kit.ts'
import { fleetOf, hostIn, seen, silent } from './fleet-kit.ts'
import {
  arrived,
  authority,
  cli,
  countOnHub,
  type Hub,
  hostAt,
  hubOf,
  idsOf,
  joined,
  type Leaf,
  leaf,
  onHub,
  sourcesOf,
  startHub,
  stops,
} from './leaf-kit.ts'
import { connected, nats, serverOf } from './managed-kit.ts'
import { manage } from './world.ts'

const LONG_MS = 300_000
const LOAD = rounds(200, 3_000)

const ofHost = (messages: readonly Stored[], host: string) =>
  messages.filter(({ headers }) => headers['Gantry-Host'] === host)
const plainIds = (messages: readonly Stored[]) => messages.map(({ id }) => id.replace(/:h$/, ''))
/** Everything of these hosts is on the hub, once, in the order of its session. */
async function expectAll(hub: Hub, hosts: readonly Leaf[]): Promise<void> {
  for (const host of hosts) {
    const count = idsOf(host).length
    const isThere = async () => (await countOnHub(hub, host.name)) >= count
    await until(isThere, `${count} of ${host.name} on the hub`, 60_000)
  }
  const messages = await contentOf(hub, 'HOOK_EVENTS')
  for (const host of hosts) {
    const ids = plainIds(ofHost(messages, host.name))
    expect(ids.length).toBe(new Set(ids).size)
    expect([...ids].sort()).toEqual(idsOf(host).sort())
  }
}

describe('three hosts of a hub', () => {
  let hub: Hub
  let alpha: Leaf
  let beta: Leaf
  let gamma: Leaf
  const told = async ({ at }: Leaf) => (await call(at, 'doctor')).find(({ about }) => about === 'fleet')
  beforeAll(async () => {
    hub = await startHub({ isStarted: false })
  })
  afterAll(async () => {
    for (const one of [alpha, beta, gamma, hub]) await one?.[Symbol.asyncDispose]()
  })

  test(
    'work before they ever reached it, which is said, and the hub gets everything once it is there',
    async () => {
      const at = makeHome(AGENTS_ONLY)
      const file = await hub.login('gamma')
      const refused = await cli(at, 'fleet', 'join', file)
      expect(refused).toMatchObject({ exit: 1, stdout: expect.stringContaining('no hub listens at') })
      expect(readFileSync(at.configFile, 'utf8')).not.toContain('hub')
      expect((await cli(at, 'fleet', 'join', file, '--offline')).exit).toBe(0)
      gamma = await hostAt(at, 'gamma')
      await connected(at)
      await flood(at, 100, (n) => ({ session_id: `s${n % 5}`, hook_event_name: 'Stop', n }))
      await until(async () => (await countOf(serverOf(at), 'HOOK_EVENTS')) >= 200, 'them at home')
      const isSaid = async () => (await told(gamma))?.message.includes('no hub listens at')
      await until(isSaid, 'that it is said')
      expect((await told(gamma))?.level).toBe('warn')
      await hub.start()
      await joined(hub, gamma)
      await expectAll(hub, [gamma])
      await until(async () => (await told(gamma)) === undefined, 'no problem', 90_000)
    },
    LONG_MS,
  )

  test(
    'see the sessions of all of them',
    async () => {
      ;[alpha, beta] = await Promise.all([leaf(hub, 'alpha'), leaf(hub, 'beta')])
      await Promise.all([alpha, beta].map((one) => joined(hub, one)))
      await alpha.say('a1', 'UserPromptSubmit', { prompt: 'mine' })
      await beta.say('b1', 'UserPromptSubmit', { prompt: 'theirs' })
      for (const { at } of [alpha, beta]) {
        await until(async () => (await seen(at, 'a1'))?.host === 'alpha', 'alpha')
        await until(async () => (await seen(at, 'b1'))?.host === 'beta', 'beta')
      }
      await until(async () => (await hostIn(alpha.at, 'gamma'))?.state === 'here', 'gamma')
    },
    LONG_MS,
  )

  test(
    'have their events on the hub once, under their names, and under the plain subjects at home',
    async () => {
      await flood(alpha.at, 50, (n) => ({ session_id: `s${n % 5}`, hook_event_name: 'Stop', n }))
      await flood(beta.at, 50, (n) => ({ session_id: `s${n % 5}`, hook_event_name: 'Stop', n }))
      await expectAll(hub, [alpha, beta])
      const subjects = new Set((await contentOf(hub, 'HOOK_EVENTS')).map(({ subject }) => subject))
      expect([...subjects].filter((one) => one.endsWith('.Stop')).sort()).toEqual([
        'hooks.alpha.Stop',
        'hooks.beta.Stop',
        'hooks.gamma.Stop',
      ])
      const home = await contentOf(serverOf(alpha.at), 'HOOK_EVENTS')
      expect(home.filter(({ subject }) => subject === 'hooks.Stop').length).toBe(50)
      expect(ofHost(home, 'beta')).toEqual([])
      await until(async () => (await countOf(hub, 'SESSION_EVENTS')) > 0, 'changes of sessions')
    },
    LONG_MS,
  )

  test(
    'hear each other with --fleet, each message once, by its own id',
    async () => {
      const reader = await listen(alpha.at, { fleet: true, filter: 'Stop', deliver: 'new' })
      await flood(beta.at, 20, (n) => ({ session_id: 'heard', hook_event_name: 'Stop', n }))
      await until(() => reader.messages.length >= 20, 'the messages')
      await Bun.sleep(300)
      expect(reader.messages.map(({ id }) => id).sort()).toEqual(
        journal<{ id: string; session_id: string }>(beta.at)
          .filter(({ session_id }) => session_id === 'heard')
          .map(({ id }) => id)
          .sort(),
      )
      expect(new Set(reader.messages.map(({ host }) => host))).toEqual(new Set(['beta']))
      reader.close()
    },
    LONG_MS,
  )

  test(
    'are told when a login is wrong, when joining and by the doctor, with what to do; the host works on',
    async () => {
      const at = makeHome(AGENTS_ONLY)
      const file = join(hub.dir, 'void.join')
      copyFileSync(await hub.login('delta'), file)
      await hub.login('delta') // makes the first one void
      const refused = await cli(at, 'fleet', 'join', file)
      expect(refused.exit).toBe(1)
      expect(refused.stdout).toMatch(/refuses this host: .*Authorization Violation/)
      expect(refused.stdout).toContain('gantry fleet add')
      expect((await cli(at, 'fleet', 'join', file, '--offline')).exit).toBe(1)

      await hub.login('gamma') // and now that of one which is there
      await hub.kill()
      await hub.start()
      // Its server tries again every half a minute, and whoever asks the doctor costs a lot.
      const isRefused = async () => {
        if (/refuses this host/.test((await told(gamma))?.message ?? '')) return true
        await Bun.sleep(1_000)
        return false
      }
      await until(isRefused, 'the reason', 90_000)
      expect(await told(gamma)).toMatchObject({
        level: 'fail',
        fix: expect.stringContaining('gantry fleet add'),
      })
      expect((await nats(gamma.at))?.connected).toBe(true)
      await gamma[Symbol.asyncDispose]() // which shows some time later
    },
    LONG_MS,
  )

  test(
    'lose nothing and double nothing when the hub is killed under load and comes back',
    async () => {
      for (let round = 0; round < rounds(1, 5); round++) {
        const load = Promise.all(
          [alpha, beta].map(async ({ at }) => {
            for (let part = 0; part < 10; part++) {
              await flood(at, LOAD / 10, (n) => ({ session_id: `k${n % 7}`, hook_event_name: 'Stop', n }))
              await Bun.sleep(200)
            }
          }),
        )
        await Bun.sleep(700)
        await hub.kill('SIGKILL')
        await until(async () => !(await hubOf(alpha.at)).connected, 'that it is away')
        expect((await gantry(alpha.at, 'fleet', 'hosts')).exit).toBe(1)
        const fleet = await fleetOf(alpha.at)
        expect(fleet.hosts.map(({ host }) => host)).toEqual(['alpha'])
        expect((await nats(alpha.at))?.connected).toBe(true)
        await load
        await hub.start()
        await expectAll(hub, [alpha, beta])
      }
      await until(async () => (await hostIn(alpha.at, 'beta'))?.state === 'here', 'beta again')
    },
    LONG_MS,
  )

  test(
    'may neither delete the streams of the hub nor those of each other, nor publish there themselves',
    async () => {
      const { nc } = await managerOf(serverOf(alpha.at))
      const refused = async (subject: string) =>
        nc.request(subject, '', { timeout: 1_500 }).then(
          (answer) => answer.string(),
          (error) => String(error),
        )
      const answers = await Promise.all(
        ['hub.API.STREAM.DELETE', 'beta.API.STREAM.DELETE', 'beta.API.STREAM.PURGE'].map((one) =>
          refused(`$JS.${one}.HOOK_EVENTS`),
        ),
      )
      for (const answer of answers) expect(answer).not.toContain('"success":true')
      const before = await countOf(hub, 'GANTRY_EVENTS')
      nc.publish('gantry.beta.Forged', 'x')
      await nc.flush()
      await Bun.sleep(500)
      expect(await countOf(hub, 'GANTRY_EVENTS')).toBe(before)
      // The hub itself cannot change a host's streams either.
      const admin = await managerOf(hub)
      const asked = await admin.nc
        .request('$JS.beta.API.STREAM.DELETE.HOOK_EVENTS', '', { timeout: 1_500 })
        .then(
          (answer) => answer.string(),
          (error) => String(error),
        )
      expect(asked).not.toContain('"success":true')
      expect(await countOf(serverOf(beta.at), 'HOOK_EVENTS')).toBeGreaterThan(0)
    },
    LONG_MS,
  )

  test(
    'see who is silent',
    async () => {
      await silent(alpha.at, 'gamma')
      const { stdout } = await gantry(alpha.at, 'sessions', '--fleet')
      expect(stdout).toContain('silent since')
      const hosts = await gantry(alpha.at, 'fleet', 'hosts')
      expect(hosts.exit).toBe(0)
      expect(hosts.stdout).toMatch(/gamma +silent for/)
      expect(hosts.stdout).toMatch(/beta +here .* up to date/)
    },
    LONG_MS,
  )

  test(
    'go on when one lost its store, and the hub gets what is new',
    async () => {
      const count = idsOf(beta).length
      await stops(beta.at, 30)
      await arrived(hub, beta, idsOf(beta).slice(count))
      await beta.daemon.kill('SIGTERM')
      const store = join(beta.at.nats, 'jetstream')
      expect(existsSync(store)).toBe(true)
      rmSync(store, { recursive: true })
      beta = await hostAt(beta.at, 'beta')
      await joined(hub, beta)
      await until(async () => (await countOnHub(hub, 'beta')) >= 30, 'the hub')
      const old = new Set(idsOf(beta))
      const goesOn = async () => {
        await stops(beta.at, 3)
        const there = new Set(await onHub(hub, 'beta').catch(() => []))
        return idsOf(beta).some((id) => !old.has(id) && there.has(id))
      }
      await until(goesOn, 'the hub goes on with what is new', 120_000)
      const before = new Set(idsOf(beta))
      await stops(beta.at, 30)
      await arrived(
        hub,
        beta,
        idsOf(beta).filter((id) => !before.has(id)),
      )
    },
    LONG_MS,
  )

  test(
    'are not held up by an id that two of them have',
    async () => {
      const hosts = [alpha, beta]
      const old = new Map(hosts.map((host) => [host, idsOf(host).length]))
      const id = newId()
      const payload = JSON.stringify({ hook_event_name: 'Stop', session_id: 's', cwd: '/' })
      await Promise.all(hosts.map(({ at }) => sendFrame(at, { id, payload })))
      await Promise.all(hosts.map(({ at }) => stops(at, 20)))
      for (const host of hosts) await arrived(hub, host, idsOf(host).slice(old.get(host)), id)
      const ids = (await Promise.all(hosts.map(({ name }) => onHub(hub, name)))).flat()
      expect(ids.filter((one) => one === id).length).toBeGreaterThan(0)
    },
    LONG_MS,
  )

  test(
    'keep more for the hub, and less again when they leave, which the hub is told',
    async () => {
      const limits = async () =>
        (await manage(serverOf(beta.at), (jsm) => jsm.streams.info('HOOK_EVENTS'))).config
      await until(async () => (await limits()).max_msgs === 1_000_000, 'room', 60_000)
      expect((await nats(beta.at))?.streams.flatMap(({ differs }) => differs)).toEqual([])
      await until(async () => (await cli(beta.at, 'fleet', 'leave')).exit === 0, 'that it may leave')
      await until(async () => !(await sourcesOf(hub)).includes('beta'), 'that it is out')
      await connected(beta.at)
      await until(
        async () => (await limits().catch(() => undefined))?.max_msgs === 10_000,
        'the usual',
        30_000,
      )
      expect(readFileSync(beta.at.configFile, 'utf8')).toContain('hub = ""')
      expect((await hubOf(beta.at)).url).toBeNull()
      const gone = await cli(alpha.at, 'fleet', 'leave', 'nobody')
      expect(gone).toMatchObject({ exit: 1, stderr: expect.stringContaining('has no host "nobody"') })
      expect((await cli(alpha.at, 'fleet', 'leave', 'gamma')).exit).toBe(0)
      expect(await sourcesOf(hub)).toEqual(['alpha'])
    },
    LONG_MS,
  )

  test(
    'give a hub that lost its store what they still have',
    async () => {
      const old = idsOf(alpha).length
      await stops(alpha.at, 30)
      await arrived(hub, alpha, idsOf(alpha).slice(old))
      await hub.kill()
      rmSync(join(hub.dir, 'store'), { recursive: true })
      await stops(alpha.at, 30)
      await hub.start()
      await arrived(hub, alpha, idsOf(alpha).slice(old))
      const found = await onHub(hub, 'alpha')
      expect(found.length).toBe(new Set(found).size)
    },
    LONG_MS,
  )
})

describe('a login', () => {
  test.concurrent('is kept in private files, and on the hub as a hash alone', async () => {
    const hub = await startHub({ isStarted: false })
    const file = await hub.login('epsilon')
    const { password } = JSON.parse(readFileSync(file, 'utf8')) as { password: string }
    const users = readFileSync(join(hub.dir, 'users.conf'), 'utf8')
    expect(users).toContain('user: "epsilon"')
    expect(users).not.toContain(password)
    const shell = join(hub.dir, 'by-a-shell.join')
    const words = `umask 022 && "${GANTRY}" fleet add zeta --dir "${hub.dir}" > "${shell}"`
    expect(await run(['sh', '-c', words], hub.at)).toMatchObject({ exit: 0 })
    expect(statSync(shell).mode & 0o777).toBe(0o600)
    const at = makeHome()
    await cli(at, 'fleet', 'join', file, '--offline')
    const kept = join(at.config, 'hub.password')
    expect(readFileSync(kept, 'utf8').trim()).toBe(password)
    // A join that fails leaves the login that works, and nothing else.
    const other = join(hub.dir, 'other.join')
    writeFileSync(other, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), password: 'another' }))
    expect((await cli(at, 'fleet', 'join', other)).exit).toBe(1)
    expect(readFileSync(kept, 'utf8').trim()).toBe(password)
    expect(readdirSync(at.config).filter((name) => name.startsWith('hub'))).toEqual(['hub.password'])
    expect(readFileSync(at.configFile, 'utf8')).not.toContain(password)
    for (const one of [
      kept,
      join(hub.dir, 'users.conf'),
      join(hub.dir, 'hub.conf'),
      join(hub.dir, 'admin.password'),
    ])
      expect(statSync(one).mode & 0o777).toBe(0o600)
  })
})

test.concurrent(
  'TLS with an authority of its own: joined with it, refused without it, and a hub without TLS is not taken for one with it',
  async () => {
    const files = authority()
    await using hub = await startHub({ tls: files })
    await using zeta = await leaf(hub, 'zeta')
    await joined(hub, zeta)
    await flood(zeta.at, 20, (n) => ({ session_id: 's', hook_event_name: 'Stop', n }))
    await expectAll(hub, [zeta])

    const login = JSON.parse(readFileSync(await hub.login('eta'), 'utf8')) as Record<string, string>
    const file = join(hub.dir, 'changed.join')
    const tried = async (change: Record<string, string | undefined>) => {
      writeFileSync(file, JSON.stringify({ ...login, ...change }))
      return cli(makeHome(), 'fleet', 'join', file)
    }
    expect((await tried({ ca: undefined })).stdout).toMatch(/do not trust each other: .*\n.*nats.tls_ca/)
    expect((await tried({ ca: readFileSync(authority().ca, 'utf8') })).stdout).toContain(
      'do not trust each other',
    )
    const plain = { hub: login.hub?.replace('tls://', 'nats-leaf://'), ca: undefined }
    expect((await tried(plain)).stdout).toContain('wants TLS')
    await using other = await startHub()
    expect((await tried({ hub: other.leafUrl.replace('nats-leaf://', 'tls://') })).stdout).toContain(
      'has no TLS',
    )
    expect((await tried({ domain: 'elsewhere' })).stdout).toContain('is "hub", not "elsewhere"')
  },
  LONG_MS,
)

test.concurrent('what init refuses, and why', async () => {
  const at = makeHome()
  const tried = async (...args: string[]) => {
    const { exit, stderr } = await gantry(at, 'fleet', 'init', ...args)
    return `${exit} ${stderr}`
  }
  expect(await tried('tls://hub.example')).toMatch(/^2 .*needs --tls-cert and --tls-key/)
  expect(await tried('nats-leaf://hub.example')).toMatch(/^2 .*readable.*--plain/)
  expect(await tried('http://hub.example')).toMatch(/^2 .*not the address of a hub/)
  expect(await tried('nats-leaf://127.0.0.1:99999')).toMatch(/^2 .*not a port/)
  expect(await tried('nats-leaf://127.0.0.1')).toMatch(/^0/)
  expect(await tried('nats-leaf://127.0.0.1')).toMatch(/^2 .*exists already/)
  const { stderr } = await gantry(at, 'fleet', 'add', 'a b')
  expect(stderr).toContain('cannot be the name of a host')
  expect(
    ((await gantryJson(at, 'config', 'show', 'nats.hub', '--json')) as { value: string }[])[0]?.value,
  ).toBe('')
})
