/** `gantry bus dead-letters`: what a server would not take, listed, sent again, given up. */
import { expect, test } from 'bun:test'
import type { DeadLetter } from '../../src/client/index.ts'
import { newId } from '../../src/events/index.ts'
import { gantry, gantryJson, makeHome, sendFrame, startDaemon, until } from '../kit.ts'
import { contentOf, startServer } from '../nats-kit.ts'
import { holds, idsIn } from './world.ts'

test('dead letters are listed with their reason, sent again, and dropped', async () => {
  const server = await startServer({ extra: 'max_payload: 4000' })
  const at = makeHome()
  await using _ = await startDaemon(at, { GANTRY_NATS: 'external', BD_NATS_URL: server.url })
  const listed = async () => (await gantryJson(at, 'bus', 'dead-letters', '--json')) as DeadLetter[]
  expect((await gantry(at, 'bus', 'dead-letters')).stdout).toBe('No dead letters.\n')
  const [big, bigger] = [newId(), newId()]
  for (const id of [big, bigger]) {
    const payload = JSON.stringify({ hook_event_name: 'Stop', session_id: 's1', text: 'x'.repeat(6_000) })
    await sendFrame(at, { id, payload })
  }
  await until(async () => (await listed()).length === 2, 'two dead letters')
  expect((await listed()).find(({ id }) => id === big)).toMatchObject({
    target: 'jetstream',
    stream: 'HOOK_EVENTS',
    session: 's1',
    error: expect.stringContaining('max_payload size exceeded'),
  })
  expect((await gantry(at, 'bus', 'dead-letters')).stdout).toContain(big)
  const status = await gantry(at, 'bus', 'status')
  expect(status.stdout).toContain('2 dead letters')
  expect((await gantry(at, 'doctor')).stdout).toContain('2 messages of HOOK_EVENTS were not taken by NATS')

  expect((await gantry(at, 'bus', 'dead-letters', '--requeue', 'x', '--drop', 'y')).exit).toBe(2)
  const unknown = await gantry(at, 'bus', 'dead-letters', '--requeue', 'nobody')
  expect(unknown).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining('There is no dead letter nobody'),
  })

  // Sent again too early, it is a dead letter again.
  expect((await gantry(at, 'bus', 'dead-letters', '--requeue', big)).stdout).toBe('1 requeued\n')
  await until(async () => (await listed()).length === 2, 'two dead letters again')

  await server.kill('SIGTERM')
  await server.start('max_payload: 100000')
  await until(
    async () => (await gantry(at, 'bus', 'status')).stdout.includes('connected, nats'),
    'NATS',
    20_000,
  )
  expect((await gantry(at, 'bus', 'dead-letters', '--requeue', big)).exit).toBe(0)
  await holds(server, 1)
  expect(idsIn(await contentOf(server, 'HOOK_EVENTS'))).toEqual([big])
  expect((await gantry(at, 'bus', 'dead-letters', '--drop', bigger, '--json')).stdout).toBe('{"dropped":1}\n')
  await until(async () => (await listed()).length === 0, 'no more dead letters')
}, 120_000)
