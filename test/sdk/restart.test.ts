/** Loops of the SDK go on through kill -9 of the daemon, without a gap and without a repeat. */
import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { connect, type Gantry } from '../../src/sdk/index.ts'
import { makeHome, type RunningDaemon, startDaemon, until } from '../kit.ts'

const at = makeHome()
const home = at.home as string
let daemon: RunningDaemon = await startDaemon(at)
const states: string[] = []
const gantry: Gantry = await connect({ home, onState: (state) => states.push(state) })
const loops: Promise<void>[] = []
afterAll(async () => {
  gantry.close()
  await Promise.all(loops) // which is that close() ends them
  await daemon.kill('SIGKILL')
})

const follow = <T>(loop: AsyncIterable<T>, take: (one: T) => void) => {
  loops.push(
    (async () => {
      for await (const one of loop) take(one)
    })(),
  )
}

test('events, messages, a consumer and sessions', async () => {
  const events: unknown[] = []
  const messages: unknown[] = []
  const consumed = new Set<unknown>()
  const rare: unknown[] = []
  let snapshots = 0
  const { lastSeq } = await gantry.status()
  follow(gantry.subscribe({ type: 'Step', after: lastSeq }), (event) => events.push(event.fields?.n))
  follow(gantry.subscribe({ type: 'Rare' }), (event) => rare.push(event.fields?.n))
  follow(gantry.messages({ filter: 'Step', deliver: { seq: lastSeq + 1 } }), (message) =>
    messages.push((message.json() as { n: number }).n),
  )
  follow(gantry.consume('steps', { filter: 'Step', deliver: 'all' }), (message) => {
    consumed.add((message.json() as { n: number }).n)
    message.ack()
  })
  follow(gantry.sessionChanges(), (change) => {
    if ('snapshot' in change) snapshots += 1
  })
  await until(() => snapshots === 1, 'the first snapshot')
  const wanted: number[] = []
  for (let round = 1; round <= 3; round++) {
    for (let i = 0; i < 5; i++) {
      const n = round * 100 + i
      wanted.push(n)
      await gantry.emit('Step', { n }, { wait: true })
    }
    await daemon.kill('SIGKILL')
    daemon = await startDaemon(at)
    // Before any loop can be back.
    wanted.push(round * 100 + 99)
    await gantry.emit('Step', { n: round * 100 + 99 })
    await until(() => snapshots > round, `snapshot ${round + 1}`, 10_000)
  }
  await gantry.emit('Rare', { n: 1 })
  await until(() => events.length >= wanted.length, 'all events')
  await until(() => messages.length >= wanted.length, 'all messages')
  await until(() => consumed.size >= wanted.length, 'all for the consumer')
  await until(() => rare.length > 0, 'the rare one')
  expect(events).toEqual(wanted)
  expect(messages).toEqual(wanted)
  expect([...consumed].toSorted()).toEqual(wanted.toSorted())
  expect(rare).toEqual([1])
  expect(states).toContain('away')
  expect(states.at(-1)).toBe('here')
}, 120_000)

test('another journal is read from its beginning', async () => {
  const seen: unknown[] = []
  follow(gantry.subscribe({ type: 'Step', after: 0 }), (event) => seen.push(event.fields?.n))
  await until(() => seen.length === 18, 'what the old journal has')
  await daemon.kill('SIGKILL')
  rmSync(at.state, { recursive: true, force: true })
  daemon = await startDaemon(at)
  await gantry.emit('Step', { n: 'new' })
  await until(() => seen.includes('new'), 'the event of the new journal')
  expect(seen).toHaveLength(19)
}, 120_000)
