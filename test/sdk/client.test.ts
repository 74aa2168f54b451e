/** The SDK's client against a real daemon. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { places } from '../../src/core/files/paths.ts'
import { connect, type Gantry, GantryError } from '../../src/sdk/index.ts'
import {
  isGone,
  makeHome,
  ROOT,
  type RunningDaemon,
  run,
  sendFrame,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'

const at = makeHome()
const home = at.home as string
let daemon: RunningDaemon
let gantry: Gantry
beforeAll(async () => {
  daemon = await startDaemon(at)
  gantry = await connect({ home })
})
afterAll(async () => {
  gantry.close()
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

const hook = (hook_event_name: string, session_id: string, more: object = {}) =>
  sendFrame(at, { payload: JSON.stringify({ hook_event_name, session_id, ...more }) })

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing thrown',
    (error: unknown) => (error instanceof GantryError ? error.code : String(error)),
  )

describe('calls', () => {
  test('status, sessions, names and what a person has seen', async () => {
    await hook('SessionStart', 'calls-1', { source: 'startup' })
    await hook('Stop', 'calls-1', { last_assistant_message: 'Done.' })
    expect((await gantry.status()).pid).toBe(daemon.pid)
    expect((await gantry.sessions()).map(({ id }) => id)).toContain('calls-1')
    expect((await gantry.rename('calls-1', 'release')).name).toBe('release')
    expect((await gantry.seen('release')).seen).toBe(true)
    expect(await gantry.session('release')).toMatchObject({
      id: 'calls-1',
      phase: 'idle',
      lastMessage: 'Done.',
    })
    expect(
      (await gantry.events({ session: 'calls-1', type: 'Stop', limit: 1 })).map(({ type }) => type),
    ).toEqual(['Stop'])
  })

  test('an effort from its start to its end', async () => {
    const { id: effort } = await gantry.efforts.start({ skill: 'implement', title: 'Search', cwd: tempDir() })
    const { artifact } = await gantry.efforts.log('begun', { effort })
    expect(readFileSync(artifact as string, 'utf8')).toContain('begun')
    await gantry.efforts.phase('test', { effort })
    expect((await gantry.efforts.list()).map(({ id }) => id)).toContain(effort)
    const { phases } = await gantry.efforts.get({ effort })
    expect(phases.at(-1)?.phase).toBe('test')
    expect((await gantry.efforts.finish({ effort })).lifecycle).toBe('finished')
    expect(await codeOf(gantry.efforts.log('late', { effort }))).toBe('VALIDATION_ERROR')
  })

  test('the daemon’s own refusals have their code', async () => {
    expect(await codeOf(gantry.session('nobody'))).toBe('VALIDATION_ERROR')
    expect(await codeOf(gantry.call('no.such.call'))).toBe('UNKNOWN_COMMAND')
    expect(await codeOf(gantry.emit('not a name'))).toBe('VALIDATION_ERROR')
  })

  test('a signal ends a call with its reason; a closed connection ends all', async () => {
    await gantry.call('fleet.await', { timeoutMs: 0 }) // takes what others left
    const enough = new AbortController()
    const waiting = gantry.call('fleet.await', { timeoutMs: 60_000 }, { signal: enough.signal })
    setTimeout(() => enough.abort(new Error('enough')), 30)
    expect(await codeOf(waiting)).toBe('Error: enough')
    const other = await connect({ home })
    const held = codeOf(other.call('fleet.await', { timeoutMs: 60_000 }))
    other.close()
    expect(await held).toBe('USAGE')
    expect(await codeOf(other.status())).toBe('USAGE')
  })
})

describe('loops', () => {
  test('events of several types, from a place on', async () => {
    const { lastSeq } = await gantry.status()
    await hook('UserPromptSubmit', 'loop-1', { prompt: 'go' })
    await hook('Notification', 'loop-1', { message: 'x', notification_type: 'auth_success' })
    await hook('Stop', 'loop-1')
    const types: string[] = []
    for await (const event of gantry.subscribe({ type: ['UserPromptSubmit', 'Stop'], after: lastSeq })) {
      types.push(event.type)
      if (types.length === 2) break
    }
    expect(types).toEqual(['UserPromptSubmit', 'Stop'])
  })

  test('only what comes, when no place is said', async () => {
    const seen: string[] = []
    const enough = new AbortController()
    const reading = (async () => {
      for await (const event of gantry.subscribe({ type: 'Fresh' }, { signal: enough.signal }))
        seen.push(event.sessionId)
    })()
    await until(async () => {
      await gantry.emit('Fresh', { session_id: 'fresh' })
      return seen.length > 0
    }, 'a fresh event')
    enough.abort()
    await reading
    expect(new Set(seen)).toEqual(new Set(['fresh']))
  })

  test('sessions: all of them, then the one that changed', async () => {
    await hook('UserPromptSubmit', 'changes-1', { prompt: 'go' })
    const phases: string[] = []
    for await (const change of gantry.sessionChanges()) {
      if ('snapshot' in change) {
        expect(change.snapshot.sessions.map(({ id }) => id)).toContain('changes-1')
        void hook('Stop', 'changes-1')
      } else if (change.session.id === 'changes-1') {
        phases.push(change.session.phase)
        break
      }
    }
    expect(phases).toEqual(['idle'])
  })

  test('a consumer gets again what it did not acknowledge, and nothing else', async () => {
    for (const n of [1, 2, 3]) await gantry.emit('Counted', { n })
    const request = { filter: 'Counted', deliver: 'all' } as const
    const first: unknown[] = []
    for await (const message of gantry.consume('counter', request)) {
      first.push(message.json())
      if (first.length === 1) message.ack()
      if (first.length === 2) break // and leaves the second open
    }
    const again: [unknown, number | undefined][] = []
    for await (const message of gantry.consume('counter', request)) {
      again.push([message.json(), message.deliveries])
      message.ack()
      if (again.length === 2) break
    }
    expect(first).toEqual([{ n: 1 }, { n: 2 }])
    expect(again.map(([json]) => json)).toEqual([{ n: 2 }, { n: 3 }])
    expect(again[0]?.[1]).toBeGreaterThan(1)
    // The last acknowledgement was said right before the loop was left.
    const consumers = (await gantry.call('bus.consumers')) as { name: string; lag: number }[]
    expect(consumers.find(({ name }) => name === 'counter')?.lag).toBe(0)
  })

  test('what is refused is thrown, not tried for ever', async () => {
    const reading = gantry.consume('no name for it!')
    expect(await codeOf(reading.next())).toBe('VALIDATION_ERROR')
  })
})

describe('without a daemon', () => {
  test('connecting says so', async () => {
    expect(await codeOf(connect({ home: tempDir() }))).toBe('DAEMON_AWAY')
  })

  test('waiting ends when it comes', async () => {
    const later = makeHome()
    const waiting = connect({ home: later.home, wait: true })
    await using _ = await startDaemon(later)
    await using there = await waiting
    expect((await there.status()).events).toBe(0)
  })

  test('a call that may have been heard is not said twice; one that only reads is', async () => {
    const odd = places({}, tempDir())
    mkdirSync(odd.run, { recursive: true })
    const heard: string[] = []
    let answers = true
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', (chunk) => {
        heard.push((JSON.parse(chunk.toString()) as { cmd: string }).cmd)
        if (answers) socket.end('{"ok":true,"data":{}}\n')
        else socket.destroy()
        answers = heard.length > 3
      })
    })
    await new Promise<void>((resolve) => server.listen(odd.socket, resolve))
    try {
      const other = await connect({ home: odd.home, wait: true })
      expect(await codeOf(other.emit('Once'))).toBe('DAEMON_AWAY')
      expect(heard).toEqual(['status', 'bus.emit'])
      await other.sessions()
      expect(heard.filter((cmd) => cmd === 'sessions.list').length).toBeGreaterThan(1)
      other.close()
    } finally {
      server.close()
    }
  })
})

test('a test daemon that nobody stopped ends with the test', async () => {
  const code = `import { startTestDaemon } from '${join(ROOT, 'src/sdk/testing/index.ts')}'
const daemon = await startTestDaemon()
console.log((await daemon.gantry.status()).pid, daemon.home)
process.exit(0)`
  const { stdout, stderr } = await run([process.execPath, '-e', code], at)
  const [pid = '', left = ''] = stdout.trim().split(' ')
  expect({ pid: Number(pid) > 0, stderr }).toEqual({ pid: true, stderr: '' })
  await until(() => isGone(Number(pid)), 'the end of the test daemon')
  rmSync(left, { recursive: true })
}, 120_000)

describe('a slip of the hand', () => {
  const first = (loop: AsyncGenerator<unknown, void>) =>
    loop.next().then(
      () => 'nothing thrown',
      (error: unknown) => (error instanceof GantryError ? `${error.code} ${error.message}` : String(error)),
    )

  test('is refused with a guess, and does not wait in silence', async () => {
    const type = 'USAGE No event has the event type "Stopp". Did you mean Stop?'
    expect(await first(gantry.subscribe({ type: ['PreToolUse', 'Stopp'] }))).toBe(type)
    expect(await first(gantry.messages({ filter: 'hooks.Stopp' }))).toBe(type)
    expect(await first(gantry.consume('slips', { filter: 'Stopp' }))).toBe(type)
    expect(await first(gantry.subscribe({ agent: 'claud' }))).toBe(
      'USAGE No event has the agent "claud". Did you mean claude?',
    )
  })

  test('is none where it is a type of your own: one that was sent, and one that is like no other', async () => {
    await gantry.emit('Stopped', { step: 1 })
    for (const type of ['Stopped', 'deploy-done']) {
      const ending = new AbortController()
      let heard: unknown
      const next = gantry.subscribe({ type }, { signal: ending.signal }).next()
      void next.then(({ value }) => {
        heard = value
      })
      await until(async () => {
        await gantry.emit(type, { step: 2 })
        return heard !== undefined
      }, `an event ${type}`)
      expect(heard).toMatchObject({ type })
      ending.abort()
    }
  })

  test('in the folder of the daemon is named, with the command that starts one there', async () => {
    const elsewhere = join(tempDir(), 'no daemon')
    const said = await connect({ home: elsewhere }).catch((error: Error) => error.message)
    expect(said).toBe(
      `The daemon is not running in ${elsewhere}. Start it with: gantry up --home '${elsewhere}'`,
    )
  })
})
