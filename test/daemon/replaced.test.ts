/** Another conversation in the same process: what began there before it is over, though nobody says so. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gantryJson, makeHome, type RunningDaemon, sendFrame, startDaemon, until } from '../kit.ts'

interface Shown {
  readonly phase: string
  readonly prevSessionId?: string
  readonly conversationId?: string
}

const home = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(home)
})
afterAll(() => daemon.kill('SIGTERM'))

const hook = (name: string, session: string, ppid: number, fields: object = {}) =>
  sendFrame(home, {
    agent: 'codex',
    payload: JSON.stringify({ hook_event_name: name, session_id: session, cwd: '/work', ...fields }),
    header: { ppid },
  })
const session = async (id: string) => (await gantryJson(home, 'session', id, '--json')) as Shown
const ended = (id: string) =>
  until(async () => ((await session(id)).phase === 'ended' ? true : undefined), `the end of ${id}`, 10_000)

/** A conversation that was asked something and has answered. */
async function converse(id: string, pid: number, source = 'startup'): Promise<void> {
  await hook('SessionStart', id, pid, { source })
  await hook('UserPromptSubmit', id, pid, { prompt: 'go' })
  await hook('Stop', id, pid)
}

describe('in a terminal', () => {
  const program = () => Bun.spawn(['sleep', '60'], { terminal: { cols: 80, rows: 24 } })

  test('the next conversation ends the one before, and goes on after it', async () => {
    await using agent = program()
    await converse('one', agent.pid)
    await converse('two', agent.pid)
    await ended('one')
    await converse('three', agent.pid, 'clear')
    await ended('two')
    expect(await session('two')).toMatchObject({ prevSessionId: 'one', conversationId: 'one' })
    expect(await session('three')).toMatchObject({
      phase: 'idle',
      prevSessionId: 'two',
      conversationId: 'one',
    })
    const ends = await gantryJson(home, 'rpc', 'events.list', '{"session":"one","type":"SessionEnd"}')
    expect(ends).toMatchObject([{ transport: 'healer', reason: expect.stringContaining('replaced') }])
  })

  test('one that is resumed there is itself again, and ends the other', async () => {
    await using agent = program()
    await converse('first', agent.pid)
    await converse('second', agent.pid)
    await ended('first')
    await converse('first', agent.pid, 'resume')
    await ended('second')
    expect(await session('first')).toMatchObject({ phase: 'idle' })
    expect(await session('first')).not.toHaveProperty('prevSessionId')
  })

  test('one that works is not cut off', async () => {
    await using agent = program()
    await converse('busy', agent.pid)
    await hook('UserPromptSubmit', 'busy', agent.pid, { prompt: 'more' })
    await converse('beside', agent.pid)
    await Bun.sleep(300)
    expect((await session('busy')).phase).toBe('working')
    expect(await session('beside')).not.toHaveProperty('prevSessionId')
  })

  test('another program is none of its business', async () => {
    await using agent = program()
    await using other = program()
    await converse('here', agent.pid)
    await converse('there', other.pid)
    await Bun.sleep(300)
    expect((await session('here')).phase).toBe('idle')
  })
})

test('a process without a terminal may hold many', async () => {
  await using server = Bun.spawn(['setsid', 'sleep', '60'])
  await converse('served', server.pid)
  await converse('also-served', server.pid)
  await Bun.sleep(300)
  expect((await session('served')).phase).toBe('idle')
  expect(await session('also-served')).not.toHaveProperty('prevSessionId')
})
