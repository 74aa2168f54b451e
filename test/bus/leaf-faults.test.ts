/** What goes wrong in a fleet by leaf nodes: stores that are lost, ids that two hosts have, many that join at once, a hub of three. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join as pathJoin } from 'node:path'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { join, leave, look } from '../../src/bus/hub/streams.ts'
import { throughHub } from '../../src/bus/hub/through.ts'
import type { Connection } from '../../src/bus/index.ts'
import { leafLines, leafPlan } from '../../src/bus/nats/leaf.ts'
import { DEFAULT_CONFIG } from '../../src/daemon/config/defaults.ts'
import { newId } from '../../src/events/index.ts'
import { journal, makeHome, sendFrame, tempDir, until } from '../kit.ts'
import { rounds } from '../long.ts'
import { anyPort, contentOf, managerOf, startServer, type TestServer } from '../nats-kit.ts'
import { AGENTS_ONLY, flood } from './bus-kit.ts'
import { cli, type Hub, hostAt, joined, type Leaf, leaf, startHub } from './leaf-kit.ts'
import { manage } from './world.ts'

const LONG_MS = 120_000
const MANY = rounds(5, 8)

const idsOf = ({ at }: Leaf) => journal<{ id: string }>(at).map(({ id }) => id)
const onHub = async (hub: Hub, name: string) =>
  (await contentOf(hub, 'HOOK_EVENTS'))
    .filter(({ subject }) => subject.startsWith(`hooks.${name}.`))
    .map(({ id }) => id.replace(/:h$/, ''))
/** How many messages of a host the hub has, which costs it less than to read them. */
const countOnHub = (hub: Hub, name: string) =>
  manage(hub, async (jsm) => {
    const { state } = await jsm.streams.info('HOOK_EVENTS', { subjects_filter: `hooks.${name}.>` })
    return Object.values(state.subjects ?? {}).reduce((sum, count) => sum + count, 0)
  }).catch(() => 0)
const stops = (at: Leaf['at'], count: number) =>
  flood(at, count, (n) => ({ session_id: `s${n % 3}`, hook_event_name: 'Stop', n }))
/** All of these, but for `except`. */
const arrived = (hub: Hub, { name }: Leaf, ids: readonly string[], except = '') => {
  const wanted = ids.filter((id) => id !== except)
  return until(
    async () => {
      if ((await countOnHub(hub, name)) < wanted.length) return false
      const has = new Set(await onHub(hub, name).catch(() => []))
      return wanted.every((id) => has.has(id))
    },
    `everything of ${name}`,
    60_000,
  )
}

describe('in a fleet', () => {
  let hub: Hub
  let alpha: Leaf
  let beta: Leaf
  beforeAll(async () => {
    hub = await startHub()
    ;[alpha, beta] = await Promise.all([leaf(hub, 'alpha'), leaf(hub, 'beta')])
    await Promise.all([alpha, beta].map((one) => joined(hub, one)))
  }, LONG_MS)
  afterAll(async () => {
    for (const one of [alpha, beta, hub]) await one[Symbol.asyncDispose]()
  })

  test(
    'a host that lost its store goes on, and the hub gets what is new',
    async () => {
      const old = idsOf(beta).length
      await stops(beta.at, 30)
      await arrived(hub, beta, idsOf(beta).slice(old))
      await beta.daemon.kill('SIGTERM')
      const store = pathJoin(beta.at.nats, 'jetstream')
      expect(existsSync(store)).toBe(true)
      rmSync(store, { recursive: true })
      beta = await hostAt(beta.at, 'beta')
      await joined(hub, beta)
      await until(async () => (await countOnHub(hub, 'beta')) >= 30, 'the hub')
      await Bun.sleep(3_000) // the hub notices
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
    'an id that two hosts have holds up neither of them',
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

  test.concurrent(
    'a hub that lost its store gets from each host what that still has',
    async () => {
      const old = idsOf(alpha).length
      await stops(alpha.at, 30)
      await arrived(hub, alpha, idsOf(alpha).slice(old))
      await hub.kill()
      rmSync(pathJoin(hub.dir, 'store'), { recursive: true })
      await stops(alpha.at, 30)
      await hub.start()
      await arrived(hub, alpha, idsOf(alpha).slice(old))
      const found = await onHub(hub, 'alpha')
      expect(found.length).toBe(new Set(found).size)
    },
    LONG_MS,
  )

  test.concurrent(
    'many that join at once are all sources in the end, and one that leaves takes nobody with it',
    async () => {
      await using hub = await startHub()
      const hosts = await Promise.all(Array.from({ length: MANY }, (_, n) => bareLeaf(hub, `host-${n}`)))
      await Promise.all(
        hosts.map(async ({ name, own }) => {
          await until(
            async () =>
              look(await throughHub(own, 'hub')).then(
                () => true,
                () => false,
              ),
            'the line',
            20_000,
          )
          await join(await throughHub(own, 'hub'), name, 1)
          await join(await throughHub(own, 'hub'), name, 1) // as a member does every half a minute
        }),
      )
      const names = async () => {
        const [first] = hosts
        const streams = first ? await look(await throughHub(first.own, 'hub')) : []
        return streams.map(({ sources }) => sources.map(({ domain }) => domain).sort())
      }
      const all = hosts.map(({ name }) => name).sort()
      expect(await names()).toEqual([all, all, all, all])
      const [, second] = hosts
      if (second) await leave(await throughHub(second.own, 'hub'), second.name)
      const left = all.filter((name) => name !== 'host-1')
      expect(await names()).toEqual([left, left, left, left])
      await Promise.all(hosts.map(({ server }) => server.kill('SIGKILL')))
    },
    LONG_MS,
  )

  test.concurrent(
    'a hub of three servers has three copies, and goes on without one of them',
    async () => {
      const ports = await Promise.all([0, 1, 2].map(() => anyPort()))
      const routes = ports.map((port) => `"nats-route://127.0.0.1:${port}"`).join(', ')
      const cluster = (n: number) =>
        `cluster { name: fleet, listen: "127.0.0.1:${ports[n]}", routes: [${routes}] }\n`
      const hubs = await Promise.all([0, 1, 2].map((n) => startHub({ extra: cluster(n), isStarted: false })))
      const [first] = hubs
      if (!first) throw new Error('no hub')
      const file = await first.login('alpha')
      const users = readFileSync(pathJoin(first.dir, 'users.conf'), 'utf8')
      for (const { dir } of hubs) writeFileSync(pathJoin(dir, 'users.conf'), users)
      const logged = hubs.map((hub) => ({ ...hub, signIn: first.signIn }))
      await Promise.all(hubs.map((hub) => hub.startUnasked()))
      const at = makeHome(`${AGENTS_ONLY}[nats]\nreplicas = 3\n`)
      const login = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
      writeFileSync(file, JSON.stringify({ ...login, hub: hubs.map(({ leafUrl }) => leafUrl).join(',') }))
      await until(async () => (await cli(at, 'fleet', 'join', file)).exit === 0, 'a hub that answers', 30_000)
      await using alpha = await hostAt(at, 'alpha')
      await joined(first, alpha)
      await stops(at, 30)
      const [one, two] = logged
      if (!one || !two) throw new Error('no hub')
      await arrived(one, alpha, idsOf(alpha))
      const info = await manage(one, (jsm) => jsm.streams.info('HOOK_EVENTS'))
      expect(info.config.num_replicas).toBe(3)
      await one.kill('SIGKILL')
      await stops(at, 30)
      await arrived(two, alpha, idsOf(alpha))
      // Making a consumer may time out while one of the three is missing.
      const ids = await until(() => onHub(two, 'alpha').catch(() => undefined), 'the messages', 40_000)
      expect(ids.length).toBe(new Set(ids).size)
      await Promise.all(hubs.map((hub) => hub.kill()))
    },
    LONG_MS,
  )
})

async function bareLeaf(
  hub: Hub,
  name: string,
): Promise<{ name: string; own: Connection; server: TestServer }> {
  const { user, password } = JSON.parse(readFileSync(await hub.login(name), 'utf8')) as Record<string, string>
  const settings = { ...DEFAULT_CONFIG.nats, hub: hub.leafUrl, user: user ?? '', password: password ?? '' }
  const server = await startServer({
    jetstream: false,
    extra: [
      `server_name: ${name}`,
      `jetstream { store_dir: ${JSON.stringify(tempDir())}, domain: ${name} }`,
      ...leafLines(leafPlan(settings, name)),
    ].join('\n'),
  })
  const { nc } = await managerOf(server)
  const jsm = await jetstreamManager(nc, { checkAPI: false })
  const ended = new AbortController().signal
  const where = { url: server.url, managed: true, log: '' }
  const endpoint = { servers: [server.url], auth: { kind: 'none' }, tls: undefined, where } as const
  return { name, server, own: { nc, jsm, js: jetstream(nc), ended, where, endpoint } }
}
