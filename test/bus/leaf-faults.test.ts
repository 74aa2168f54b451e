/** Hubs that have a lot to do: many hosts that join at once, and one of three servers that loses one of them. */
import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join as pathJoin } from 'node:path'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { join, leave, look } from '../../src/bus/hub/streams.ts'
import { throughHub } from '../../src/bus/hub/through.ts'
import type { Connection } from '../../src/bus/index.ts'
import { leafLines, leafPlan } from '../../src/bus/nats/leaf.ts'
import { DEFAULT_CONFIG } from '../../src/daemon/config/defaults.ts'
import { makeHome, tempDir, until } from '../kit.ts'
import { rounds } from '../long.ts'
import { anyPort, managerOf, startServer, type TestServer } from '../nats-kit.ts'
import { AGENTS_ONLY } from './bus-kit.ts'
import { arrived, cli, type Hub, hostAt, idsOf, joined, onHub, startHub, stops } from './leaf-kit.ts'
import { manage } from './world.ts'

const LONG_MS = 120_000
const MANY = rounds(5, 8)

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
    await until(async () => (await cli(at, 'fleet', 'join', file)).exit === 0, 'a hub that answers')
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
    const ids = await until(() => onHub(two, 'alpha').catch(() => undefined), 'the messages')
    expect(ids.length).toBe(new Set(ids).size)
    await Promise.all(hubs.map((hub) => hub.kill()))
  },
  LONG_MS,
)

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
