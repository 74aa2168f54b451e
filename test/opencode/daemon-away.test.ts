/** The plugin inside opencode when the daemon is away, goes away, or was taken off the disk. */
import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listen } from '../hook/fake-daemon.ts'
import { type Box, type Frame, makeBox, Opencode, PLUGIN, until } from './box.ts'

/** Nobody waits for ever; how long exactly is the wire's own matter. */
const STUCK_MS = 10_000
const RUNTIMES: [string, string][] = [
  ['bun', process.execPath],
  ['node', Bun.which('node') ?? 'node'],
]
const SILENCE = '0 0 0\n'

const toolBefore: [object, object] = [
  { tool: 'bash', sessionID: 's', callID: 'c' },
  { args: { command: 'ls' } },
]
const idle = { id: 'evt_1', type: 'session.idle', properties: { sessionID: 's' } }

const boxes: Box[] = []
afterAll(() => boxes.forEach((box) => void box[Symbol.dispose]()))

/** As `gantry install` leaves it, with a client that writes down how it was called. */
function setUp(runtime: string) {
  const box = makeBox()
  boxes.push(box)
  const [bin, folder] = [join(box.home, 'bin'), join(box.home, 'plugins')]
  const [client, plugin, calls] = [join(bin, 'gantry-hook'), join(folder, 'gantry.js'), `${box.home}.calls`]
  for (const one of [bin, folder]) mkdirSync(one, { recursive: true })
  writeFileSync(client, `#!/bin/sh\necho "$*" >> '${calls}'\n`)
  chmodSync(client, 0o755)
  const source = readFileSync(PLUGIN, 'utf8')
    .replace('__GANTRY_CLIENT__', client)
    .replace('__GANTRY_HOME__', box.home)
  writeFileSync(plugin, source)
  const called = () => (existsSync(calls) ? readFileSync(calls, 'utf8').split('\n').filter(Boolean) : [])
  const start = () => new Opencode(runtime, {}, plugin)
  return { box, client, plugin, called, start }
}

describe.each(RUNTIMES)('under %s', (_name, runtime) => {
  test('it has the hook client start a daemon that is away, and once for many events', async () => {
    const { box, called, start } = setUp(runtime)
    await using opencode = start()
    await opencode.ready
    await opencode.emit(...Array.from({ length: 20 }, () => idle))
    const { ms } = await opencode.call('tool.execute.before', ...toolBefore)
    await until(() => box.spooled().length === 22)
    await until(() => called().length > 0)
    expect(called()).toEqual([`--home ${box.home} --start`])
    expect(ms).toBeLessThan(STUCK_MS)
  })

  test('it has the hook client keep a frame that it cannot spool itself', async () => {
    const { box, called, start } = setUp(runtime)
    mkdirSync(join(box.home, 'state'), { recursive: true })
    writeFileSync(join(box.home, 'state/spool'), 'not a folder')
    using _daemon = listen(box.socket, (talk) => talk.hangUp())
    await using opencode = start()
    await opencode.ready
    await until(() => called().length > 0)
    expect(called()[0]).toMatch(/ --keep [0-9A-Z]{26} opencode$/)
  })

  test('a daemon that hangs up is not away', async () => {
    const { box, called, start } = setUp(runtime)
    using _daemon = listen(box.socket, (talk) => talk.hangUp())
    await using opencode = start()
    await opencode.ready
    await until(() => box.spooled().length > 0)
    await Bun.sleep(100)
    expect(called()).toEqual([])
  })

  test('a call that was held and never decided is not run', async () => {
    const { box, start } = setUp(runtime)
    using daemon = listen(box.socket, async (talk) => {
      if (talk.header.event !== 'tool.execute.before') return talk.say(SILENCE)
      talk.say('hold 5000\n')
      await Bun.sleep(100)
      talk.hangUp()
    })
    await using opencode = start()
    const { error } = await opencode.call('tool.execute.before', ...toolBefore)
    expect(error).toContain('went away before it was')
    const isCall = ({ header }: Pick<Frame, 'header'>) => header.event === 'tool.execute.before'
    expect(daemon.talks.filter(isCall)).toHaveLength(1)
    // On a busy machine the daemon may have been late with others, so they are there, too.
    await until(() => box.spooled().filter(isCall).length === 1)
  })

  test('another daemon on the same socket is found at once', async () => {
    const { box, start } = setUp(runtime)
    await using opencode = start()
    for (const reason of ['first', 'second']) {
      const stdout = JSON.stringify({ deny: reason })
      using _daemon = listen(box.socket, (talk) => talk.say(`0 ${stdout.length} 0\n${stdout}`))
      const { error } = await opencode.call('tool.execute.before', ...toolBefore)
      expect(error).toBe(`Error: ${reason}`)
      rmSync(box.socket, { force: true })
    }
  })

  test.each([
    ['with the home of gantry', ({ box }: { box: Box }) => box.home],
    ['its client', ({ client }: { client: string }) => client],
    ['the plugin itself', ({ plugin }: { plugin: string }) => plugin],
  ])('removed, %s: it stands down', async (_what, pathOf) => {
    const made = setUp(runtime)
    const { box, called, start } = made
    await using opencode = start()
    await opencode.ready
    await until(() => box.spooled().length === 1 && called().length === 1)
    rmSync(pathOf(made), { recursive: true })
    const before = box.spooled().length
    await opencode.emit(idle, idle)
    expect((await opencode.call('tool.execute.before', ...toolBefore)).error).toBeUndefined()
    await opencode.call('dispose')
    expect(box.spooled()).toHaveLength(before)
    expect(existsSync(box.home)).toBe(pathOf(made) !== box.home)
    expect(called()).toHaveLength(1)
  })
})

// These wait long, and together.

test.concurrent.each(RUNTIMES)(
  'under %s a daemon that stands still is waited for once',
  async (_name, runtime) => {
    const { box, start } = setUp(runtime)
    using daemon = listen(box.socket, (talk) => {
      if (talk.header.event === 'plugin.init') talk.say(SILENCE)
    })
    await using opencode = start()
    await opencode.ready
    const mode = () => statSync(box.socket).mode & 0o777
    expect(mode()).toBe(0o600)
    await opencode.emit(idle)
    await until(() => mode() === 0o700)
    // One late observer costs no decision.
    expect((await opencode.call('tool.execute.before', ...toolBefore)).ms).toBeGreaterThan(4_500)
    expect(mode()).toBe(0o710)
    for (let n = 0; n < 3; n++) {
      const { ms, error } = await opencode.call('tool.execute.before', ...toolBefore)
      expect(error).toBeUndefined()
      expect(ms).toBeLessThan(STUCK_MS)
    }
    await until(() => box.spooled().length === 5)
    const told = ['plugin.init', 'session.idle', 'tool.execute.before']
    expect(daemon.talks.map(({ header }) => header.event)).toEqual(told)
    chmodSync(box.socket, 0o600) // as the daemon does when it goes on
    void opencode.call('tool.execute.before', ...toolBefore)
    await until(() => daemon.talks.length === 4)
  },
)

test.concurrent('what is sent is on its way at once, also while opencode stands still', async () => {
  using box = makeBox()
  const came: number[] = []
  using _daemon = listen(box.socket, (talk) => {
    came.push(performance.timeOrigin + performance.now())
    talk.say(SILENCE)
  })
  await using opencode = new Opencode(process.execPath, { GANTRY_HOME: box.home })
  await opencode.ready
  await until(() => came.length === 1)
  const { args } = await opencode.stall(idle, 5_000)
  await until(() => came.length === 2)
  expect((came[1] ?? 0) - Number(args[0]?.at)).toBeLessThan(4_500) // before the stall was over
})
