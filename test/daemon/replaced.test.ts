/** Another conversation in the same process: what began there before it is over, though nobody says so. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { call } from '../../src/client/index.ts'
import { newId } from '../../src/events/index.ts'
import { type FrameParts, makeHome, type RunningDaemon, sendFrames, startDaemon } from '../kit.ts'
import { type FakeAgent, startAgent } from './agent-kit.ts'
import { phaseIn, sessionIn } from './session-kit.ts'

const home = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(home)
})
afterAll(() => daemon.kill('SIGTERM'))

const hook = (agent: FakeAgent, name: string, session: string, fields: object = {}) =>
  agent.hook(name, { session_id: session, cwd: '/work', ...fields })
const session = (id: string) => sessionIn(home, id)
const ended = (id: string) => phaseIn(home, id, 'ended')

/** A conversation that was asked something and has answered. */
async function converse(agent: FakeAgent, id: string, source = 'startup'): Promise<void> {
  await hook(agent, 'SessionStart', id, { source })
  await hook(agent, 'UserPromptSubmit', id, { prompt: 'go' })
  await hook(agent, 'Stop', id)
}

const program = () => startAgent(home, 'codex', { terminal: true })

/** A conversation elsewhere is replaced: whatever was to be replaced before has been by then. */
async function replacedElsewhere(): Promise<void> {
  await using agent = await program()
  const [before, after] = [newId(), newId()]
  await converse(agent, before)
  await converse(agent, after)
  await ended(before)
}

describe('in a terminal', () => {
  test('the next conversation ends the one before, and goes on after it', async () => {
    await using agent = await program()
    await converse(agent, 'one')
    await converse(agent, 'two')
    await ended('one')
    await converse(agent, 'three', 'clear')
    await ended('two')
    expect(await session('two')).toMatchObject({ prevSessionId: 'one', conversationId: 'one' })
    expect(await session('three')).toMatchObject({
      phase: 'idle',
      prevSessionId: 'two',
      conversationId: 'one',
    })
    expect(await call(home, 'events.list', { session: 'one', type: 'SessionEnd' })).toMatchObject([
      { transport: 'healer', reason: expect.stringContaining('replaced') },
    ])
  })

  test('one that is resumed there is itself again, and ends the other', async () => {
    await using agent = await program()
    await converse(agent, 'first')
    await converse(agent, 'second')
    await ended('first')
    await converse(agent, 'first', 'resume')
    await ended('second')
    expect(await session('first')).toMatchObject({ phase: 'idle' })
    expect(await session('first')).not.toHaveProperty('prevSessionId')
  })

  test('hooks that share a commit end what went before, not what came after', async () => {
    await using agent = await program()
    const ids = [newId(), newId(), newId()] as const
    const began = Date.now() - 1_000
    const start = (id: string, n: number): FrameParts => ({
      at: began + n,
      payload: JSON.stringify({ hook_event_name: 'SessionStart', session_id: id, source: 'startup' }),
      header: { env: { CLAUDE_PID: String(agent.pid) } },
    })
    await sendFrames(home, ids.map(start))
    await replacedElsewhere()
    expect(await Promise.all(ids.map(async (id) => (await session(id)).phase))).toEqual([
      'ended',
      'ended',
      'starting',
    ])
  })

  test('one that works is not cut off', async () => {
    await using agent = await program()
    await converse(agent, 'busy')
    await hook(agent, 'UserPromptSubmit', 'busy', { prompt: 'more' })
    await converse(agent, 'beside')
    await replacedElsewhere()
    expect((await session('busy')).phase).toBe('working')
    expect(await session('beside')).not.toHaveProperty('prevSessionId')
  })

  test('another program is none of its business', async () => {
    await using agent = await program()
    await using other = await program()
    await converse(agent, 'here')
    await converse(other, 'there')
    await replacedElsewhere()
    expect((await session('here')).phase).toBe('idle')
  })
})

test('a process without a terminal may hold many', async () => {
  await using server = await startAgent(home, 'codex', { under: ['setsid', '--wait'] })
  await converse(server, 'served')
  await converse(server, 'also-served')
  await replacedElsewhere()
  expect((await session('served')).phase).toBe('idle')
  expect(await session('also-served')).not.toHaveProperty('prevSessionId')
})
