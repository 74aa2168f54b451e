/** A cluster of three nats-servers with three copies of each stream: its leader killed under load, a host cut off. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import { idsIn, makeHome, sendFrame, startDaemon, until } from '../kit.ts'
import { rounds } from '../long.ts'
import { anyPort, contentOf, lineTo, startServer, type TestServer } from '../nats-kit.ts'
import { AGENTS_ONLY } from './bus-kit.ts'
import { expectOnceInOrder, manage } from './world.ts'

const LONG_MS = 120_000
const NODES = ['n0', 'n1', 'n2']
const SENDERS = rounds(3, 6)
const PAUSE_MS = 120 // between two hooks of a sender: an election may take ten seconds
const SOME = rounds(18, 45) // hooks
const KILLS = rounds(1, 4)

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
const natsOf = async (at: Places) => (await call(at, 'bus.status')).nats
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

/** As hook clients do, until it is enough; gives how many are answered so far. */
function send(at: Places, prefix: string, isEnough: (answered: number) => boolean) {
  const state = { answered: 0 }
  const sender = async (session: string) => {
    for (let i = 0; !isEnough(state.answered); i++) {
      const payload = JSON.stringify({
        hook_event_name: i % 2 ? 'Stop' : 'UserPromptSubmit',
        session_id: session,
      })
      expect((await sendFrame(at, { id: newId(), payload }))?.exit).toBe(0)
      state.answered += 1
      await Bun.sleep(PAUSE_MS)
    }
  }
  const all = Array.from({ length: SENDERS }, (_, n) => sender(`${prefix}${n}`))
  return { state, done: Promise.all(all) }
}

describe('a cluster of three', () => {
  const beta = makeHome(configOf('beta'))
  let servers: TestServer[] = []
  beforeAll(async () => {
    servers = await startCluster()
    await startDaemon(beta, envOf(servers))
  }, LONG_MS)

  /** Each event of a host once, and those of a session in order. */
  const expectAll = async (host: string, at: Places) => {
    const found = await contentOf(await leaderOf(servers), 'HOOK_EVENTS')
    const own = found.filter(({ subject }) => subject.startsWith(`hooks.${host}.`))
    expectOnceInOrder(own, idsIn(at))
  }

  test(
    'loses its leader by kill -9 under load: nothing is lost, nothing is there twice, and no hook waits',
    async () => {
      await delivered(beta) // the streams are there
      const old = idsIn(beta).length
      const { config } = await manage(servers[0] as TestServer, (jsm) => jsm.streams.info('HOOK_EVENTS'))
      expect(config.num_replicas).toBe(3)
      let isOver = false
      const { state, done } = send(beta, 's', () => isOver)
      const some = (count: number) => {
        const wanted = state.answered + count
        return until(() => state.answered >= wanted, `${count} more hooks`, 60_000)
      }
      for (let kill = 0; kill < KILLS; kill++) {
        await some(SOME)
        const leader = await leaderOf(servers)
        await leader.kill('SIGKILL')
        const before = state.answered
        await leaderOf(servers, leader)
        expect(state.answered).toBeGreaterThan(before) // while nobody led
        await leader.start()
      }
      await some(SOME)
      isOver = true
      await done
      await delivered(beta)
      expect(idsIn(beta).length - old).toBe(state.answered)
      await expectAll('beta', beta)
    },
    LONG_MS,
  )

  test(
    'has a host that is cut off from it: the others go on, and that one catches up',
    async () => {
      const line = lineTo(servers[0] as TestServer)
      const alpha = makeHome(configOf('alpha'))
      await using _ = await startDaemon(alpha, envOf([line]))
      const upTo = (count: number) => (answered: number) => answered >= count
      await Promise.all([alpha, beta].map((at) => send(at, 'first', upTo(SOME)).done))
      for (const at of [alpha, beta]) await delivered(at)
      line.mute() // what it sends still arrives, and it never learns of that
      await Promise.all([send(alpha, 'away', upTo(2 * SOME)).done, send(beta, 'there', upTo(2 * SOME)).done])
      await delivered(beta)
      expect((await natsOf(alpha))?.streams[0]?.backlog).toBeGreaterThan(0)
      line.cut()
      await delivered(alpha)
      await expectAll('alpha', alpha)
      await expectAll('beta', beta)
      const others = async () =>
        (await call(beta, 'fleet.sessions')).sessions.filter(
          ({ host, hostState }) => host === 'alpha' && hostState === 'here',
        )
      await until(
        async () => (await others()).length === 2 * SENDERS,
        'the sessions of the other host',
        60_000,
      )
    },
    LONG_MS,
  )
})
