/** The end of a turn that a rule blocked: the turn goes on, and is shown so until it really ends. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import {
  fixtureLines,
  framesOf,
  gantry,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'
import { sessionIn } from './session-kit.ts'

const RULES = `rules:
  - { id: stay, on: Stop, once: session, then: { block-stop: not yet } }
`
const home = makeHome('[summary]\nmode = "off"\n')
let daemon: RunningDaemon
beforeAll(async () => {
  await Bun.write(join(home.rules, 'a.yaml'), RULES)
  daemon = await startDaemon(home)
})
afterAll(() => daemon.kill('SIGTERM'))

const session = (id: string) => sessionIn(home, id)

test.each([
  ['claude', '2.1.325/d-stop-block.jsonl', 'Stop'],
  ['gemini', '0.61.0/afteragent-deny-once.jsonl', 'AfterAgent'],
])('is shown as work, also after a crash, and the next events fit: %s', async (agent, file, stop) => {
  const lines = fixtureLines(join(agent, file))
  const frames = framesOf(lines)
  const first = lines.findIndex(({ event }) => event === stop)
  const id = String(lines[first]?.payload.session_id)
  for (const one of frames.slice(0, first)) await sendFrame(home, one)
  const [blocked = { agent, payload: '' }] = frames.slice(first)
  expect((await sendFrame(home, blocked))?.stdout).toContain('not yet')
  const kept = await until(async () => {
    const shown = await session(id)
    return shown.phase === 'working' && shown
  }, 'the turn to go on')
  expect(kept).toMatchObject({ detail: 'kept going by stay', turn: { open: true } })
  const { stdout } = await gantry(home, 'session', id, '-t')
  expect(stdout).toMatch(/kept going +by stay: not yet/)
  expect(stdout).not.toContain('done')
  expect((await gantry(home, 'events', '--session', id)).stdout).toMatch(
    /StopBlocked +kept going by stay: not yet/,
  )
  const [event] = await call(home, 'events.list', { session: id, type: 'StopBlocked' })
  expect(event).toMatchObject({ fields: { by: 'stay' } })
  expect(event).not.toHaveProperty('unknown')

  await daemon.kill('SIGKILL')
  daemon = await startDaemon(home)
  expect(await session(id)).toMatchObject({ phase: 'working', detail: 'kept going by stay' })

  for (const one of frames.slice(first + 1, -1)) await sendFrame(home, one)
  expect((await session(id)).phase).toBe('idle')
  expect((await gantry(home, 'session', id, '-t')).stdout.match(/■ done/g)).toHaveLength(1)
})
