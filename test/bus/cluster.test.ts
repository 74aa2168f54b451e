/** A cluster of three nats-servers with three copies of each stream: its leader killed under load, a host cut off. */
import { describe, expect, test } from 'bun:test'
import { type BusStatus, call, type FleetSessions } from '../../src/client/index.ts'
import type { Places } from '../../src/core/paths.ts'
import { newId } from '../../src/events/index.ts'
import { journal, makeHome, sendFrame, startDaemon, until } from '../kit.ts'
import { anyPort, contentOf, lineTo, startServer, type TestServer } from '../nats-kit.ts'
import { AGENTS_ONLY } from './bus-kit.ts'
import { expectOnceInOrder, manage } from './world.ts'

const LONG_MS = 120_000
const NODES = ['n0', 'n1', 'n2']
const HOOKS = 3_000
const SENDERS = 6
const PAUSE_MS = 10 // between two hooks of a sender: the load lasts longer than an election

/** Its servers keep each other's addresses to themselves, so that a line to one of them can be cut. */
async function startCluster(): Promise<TestServer[]> {
  const ports = await Promise.all(NODES.map(() => anyPort()))
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(', ')
  const settings = (node: string, at: number) =>
    `server_name: ${node}\ncluster { name: test, listen: "127.0.0.1:${ports[at]}", no_advertise: true, routes: [${routes}] }`
  return Promise.all(NODES.map((node, at) => startServer({ extra: settings(node, at) })))
}

const configOf = (host: string) =>
  `[nats]\nhost = "${host}"\nreplicas = 3\nsubjects = "scoped"\n${AGENTS_ONLY}`
const envOf = (servers: readonly { port: number }[]) => ({
  GANTRY_NATS: 'external',
  BD_NATS_URL: servers.map(({ port }) => `nats://127.0.0.1:${port}`).join(','),
})
const natsOf = async (at: Places) => ((await call(at, 'bus.status')) as BusStatus).nats
const delivered = (at: Places) =>
  until(
    async () => {
      const nats = await natsOf(at)
      return (
        nats?.connected &&
        nats.streams.length === 4 &&
        nats.streams.every(({ backlog, exists }) => exists && backlog === 0)
      )
    },
    'everything delivered',
    60_000,
  )
const idsOf = (at: Places) => journal<{ id: string }>(at).map(({ id }) => id)

/** Who leads the stream, as a server that lives says; not one that was just killed. */
async function leaderOf(servers: readonly TestServer[], except?: TestServer): Promise<TestServer> {
  const ask = async (server: TestServer) => {
    const info = await manage(server, (jsm) => jsm.streams.info('HOOK_EVENTS'))
    return info.cluster?.leader
  }
  const look = async () => {
    for (const server of servers) {
      const name = server === except ? undefined : await ask(server).catch(() => undefined)
      const leader = name && servers[NODES.indexOf(name)]
      if (leader && leader !== except) return leader
    }
    return undefined
  }
  return until(look, 'a leader', 30_000)
}

/** As hook clients do; gives how many are answered so far, and how long the slowest took. */
function send(at: Places, count: number, prefix: string) {
  const state = { answered: 0, slowestMs: 0 }
  const sender = async (session: string) => {
    for (let i = 0; i < count / SENDERS; i++) {
      const payload = JSON.stringify({
        hook_event_name: i % 2 ? 'Stop' : 'UserPromptSubmit',
        session_id: session,
      })
      const begin = performance.now()
      expect((await sendFrame(at, { id: newId(), payload }))?.exit).toBe(0)
      state.slowestMs = Math.max(state.slowestMs, performance.now() - begin)
      state.answered += 1
      await Bun.sleep(PAUSE_MS)
    }
  }
  const all = Array.from({ length: SENDERS }, (_, n) => sender(`${prefix}${n}`))
  return { state, done: Promise.all(all) }
}

describe('a cluster of three', () => {
  test(
    'loses its leader by kill -9, twice, under load: nothing is lost, nothing is there twice, and no hook waits',
    async () => {
      const servers = await startCluster()
      const at = makeHome(configOf('alpha'))
      await using _ = await startDaemon(at, envOf(servers))
      await delivered(at) // the streams are there
      const { config } = await manage(servers[0] as TestServer, (jsm) => jsm.streams.info('HOOK_EVENTS'))
      expect(config.num_replicas).toBe(3)
      const { state, done } = send(at, HOOKS, 's')
      for (const part of [1, 2]) {
        await until(() => state.answered >= (part * HOOKS) / 3, `part ${part}`, 60_000)
        const leader = await leaderOf(servers)
        await leader.kill('SIGKILL')
        await leaderOf(servers, leader)
        await leader.start()
      }
      await done
      expect(state.slowestMs).toBeLessThan(1_000)
      await delivered(at)
      const stored = idsOf(at)
      expect(stored.length).toBe(HOOKS)
      const leader = await leaderOf(servers)
      expectOnceInOrder(await contentOf(leader, 'HOOK_EVENTS'), stored)
    },
    LONG_MS,
  )

  test(
    'has a host that is cut off from it: the others go on, and that one catches up',
    async () => {
      const servers = await startCluster()
      const line = lineTo(servers[0] as TestServer)
      const [alpha, beta] = [makeHome(configOf('alpha')), makeHome(configOf('beta'))]
      await using _a = await startDaemon(alpha, envOf([line]))
      await using _b = await startDaemon(beta, envOf(servers))
      for (const at of [alpha, beta]) {
        await send(at, 60, 'first').done
        await delivered(at)
      }
      line.mute() // what it sends still arrives, and it never learns of that
      const away = send(alpha, 600, 'away')
      await away.done
      await send(beta, 600, 'there').done
      await delivered(beta)
      expect((await natsOf(alpha))?.streams[0]?.backlog).toBeGreaterThan(0)
      line.cut()
      await delivered(alpha)
      expect(away.state.slowestMs).toBeLessThan(1_000)
      const found = await contentOf(await leaderOf(servers), 'HOOK_EVENTS')
      for (const [host, at] of [
        ['alpha', alpha],
        ['beta', beta],
      ] as const)
        expectOnceInOrder(
          found.filter(({ subject }) => subject.startsWith(`hooks.${host}.`)),
          idsOf(at),
        )
      const others = async () =>
        ((await call(beta, 'fleet.sessions')) as FleetSessions).sessions.filter(
          ({ host, hostState }) => host === 'alpha' && hostState === 'here',
        )
      await until(
        async () => (await others()).length === 2 * SENDERS,
        'the sessions of the other host',
        20_000,
      )
    },
    LONG_MS,
  )
})
