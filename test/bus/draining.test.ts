/** A backlog on its way to NATS while hooks come: it gives way, and both are there once, each session in its order. */
import { expect, test } from 'bun:test'
import { until } from '../kit.ts'
import { rounds } from '../long.ts'
import { contentOf, startServer } from '../nats-kit.ts'
import { expectOnceInOrder, planFor, status, world } from './world.ts'

const BACKLOG = rounds(1_000, 3_000)
const LONG_MS = 120_000
/** Sixteen of the backlog leave at once while hooks come, and 64 without a rest when none do. */
const LEAST_HOOKS = BACKLOG / 32

test(
  'a backlog goes out slowly while hooks come, and nothing of either is lost, doubled or out of order',
  async () => {
    const server = await startServer()
    const { nats, say, fill } = world()
    nats.apply(() => planFor(server))
    const ids = [say('s1')]
    await until(async () => (await status(nats))?.messages === 1, 'the first message')
    nats.apply(() => ({ mode: 'off', why: 'for a backlog' }))
    await until(() => nats.glance().mode === 'off', 'no NATS')
    ids.push(...fill(BACKLOG))
    nats.apply(() => planFor(server))
    await until(() => nats.glance().connected, 'the connection')
    const before = ids.length
    const hooks = () => ids.length - before
    const left = () => (nats.glance().streams[0]?.backlog ?? BACKLOG) - hooks()
    while (left() > 0 && hooks() < 5_000) {
      ids.push(say(`s${ids.length % 7}`))
      await new Promise(setImmediate)
    }
    expect(hooks()).toBeGreaterThan(LEAST_HOOKS)
    await until(async () => (await status(nats))?.backlog === 0, 'all of them', 60_000)
    expectOnceInOrder(await contentOf(server, 'HOOK_EVENTS'), ids)
  },
  LONG_MS,
)
