/** Live events from the real daemon: backlog, then live, for readers quick and slow. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { call, type EventQuery, subscribe, type WireEvent } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import { envFor, frame, GANTRY, makeHome, type RunningDaemon, sendFrame, startDaemon, until } from '../kit.ts'

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

const status = () => call(at, 'status')
const send = (session: string, n: number, extra = '') =>
  sendFrame(at, {
    payload: JSON.stringify({ session_id: session, hook_event_name: 'Stop', cwd: `${n}`, extra }),
  })

/** The first so many events of a subscription. */
async function first(count: number, query: EventQuery): Promise<WireEvent[]> {
  const got: WireEvent[] = []
  for await (const event of subscribe(at, query)) {
    got.push(event)
    if (got.length === count) break
  }
  return got
}

describe('a subscription', () => {
  test.concurrent('gets the backlog first, then what comes, each once and in order', async () => {
    const session = newId()
    for (let i = 0; i < 30; i++) await send(session, i)
    const events = first(60, { session, after: 0 })
    for (let i = 30; i < 60; i++) await send(session, i)
    expect((await events).map(({ cwd }) => Number(cwd))).toEqual(Array.from({ length: 60 }, (_, i) => i))
  })

  // Not beside others: it counts subscribers.
  test('without a start gets only what comes', async () => {
    const session = newId()
    await send(session, 0)
    const before = (await status()).subscribers
    const events = first(1, { session })
    await until(async () => (await status()).subscribers > before, 'subscribed')
    await send(session, 1)
    expect((await events).map(({ cwd }) => cwd)).toEqual(['1'])
  })

  test.concurrent('by type and text gets only those', async () => {
    const session = newId()
    for (let i = 0; i < 10; i++) await send(session, i, i === 7 ? 'a Needle' : '')
    const [event] = await first(1, { session, after: 0, type: 'Stop', grep: 'needle' })
    expect(event?.cwd).toBe('7')
  })

  test.concurrent('with a query that makes no sense is refused with the reason', async () => {
    const wrong = { session: 5 } as unknown as EventQuery
    expect(first(1, wrong)).rejects.toThrow(/session/)
  })

  test.concurrent('that is left is forgotten', async () => {
    const session = newId()
    const events = first(1, { session, after: 0 })
    await send(session, 0)
    await events
    await until(async () => (await status()).subscribers < 5, 'gone')
  })
})

/** Connects, subscribes to everything, and reads nothing until it is told to. */
async function sleepyReader(query: EventQuery) {
  const socket = connect(at.socket)
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.pause()
  socket.write(`${JSON.stringify({ sub: 'events', query })}\n`)
  const lines: string[] = []
  const wake = () => {
    let rest = ''
    socket.on('data', (chunk) => {
      const parts = (rest + chunk.toString('latin1')).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts)
    })
    socket.resume()
  }
  return { lines, wake, [Symbol.dispose]: () => void socket.destroy() }
}

/** What a burst allocates is returned a moment after it; what a reader buffers would stay. */
function grewLess(than: number, before: number): Promise<boolean> {
  const isLess = async () => (await status()).memoryBytes - before < than
  return until(isLess, `less than ${than} bytes more`)
}

describe('a reader that stops reading', () => {
  test('costs the daemon nothing, holds up nobody, and catches up when it wakes', async () => {
    const session = newId()
    const start = (await status()).lastSeq
    using reader = await sleepyReader({ after: start, session })
    await send(session, 0)
    const before = (await status()).memoryBytes
    // 60 MB of events, 100 KB each; the reader's socket holds a small part of that.
    for (let i = 1; i <= 600; i++) expect((await send(session, i, 'x'.repeat(100_000)))?.exit).toBe(0)
    await grewLess(45 * 1024 * 1024, before)
    expect((await status()).subscribers).toBeGreaterThan(0)
    expect(reader.lines).toEqual([])
    reader.wake()
    await until(() => reader.lines.length >= 602, 'caught up')
    const [welcome, ...events] = reader.lines.map((line) => JSON.parse(line))
    expect(welcome).toEqual({ ok: true, data: null })
    expect(events.map(({ event }) => Number(event.cwd))).toEqual(Array.from({ length: 601 }, (_, i) => i))
  })

  test('in front of a long backlog costs nothing either', async () => {
    const before = (await status()).memoryBytes
    {
      using readers = new DisposableStack()
      for (let n = 0; n < 5; n++) readers.use(await sleepyReader({ after: 0 }))
      await until(async () => (await status()).subscribers >= 5, 'subscribed')
      await Bun.sleep(200)
      await grewLess(40 * 1024 * 1024, before)
    }
    await until(async () => (await status()).subscribers === 0, 'gone')
  })
})

test('an event that no one can print in full does not stop the others', async () => {
  const session = newId()
  const events = first(2, { session, after: 0 })
  await send(session, 0)
  const deep = `{"session_id":"${session}","hook_event_name":"Stop","cwd":"1","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  expect((await sendFrame(at, { payload: deep }))?.exit).toBe(0)
  expect((await events).map(({ cwd }) => cwd)).toEqual(['0', '1'])
  const listed = await call(at, 'events.list', { session })
  expect(listed).toHaveLength(2)
  expect(listed[1]?.raw).toBe(deep)
})

describe('gantry events --follow', () => {
  /** The command as a process, with what it has printed so far. */
  function follow(home: Places, ...args: string[]) {
    const child = Bun.spawn([GANTRY, 'events', '--follow', '--json', ...args], {
      env: envFor(home),
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    let text = ''
    void (async () => {
      for await (const chunk of child.stdout) text += new TextDecoder().decode(chunk)
    })()
    const seqs = () =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as WireEvent).seq)
    return { child, seqs }
  }

  test('goes on over restarts of the daemon, without a gap or a repetition', async () => {
    const home = makeHome()
    const put = () => sendFrame(home, { payload: JSON.stringify({ session_id: 's1', cwd: newId() }) })
    let own = await startDaemon(home)
    await put()
    const { child, seqs } = follow(home)
    await until(() => seqs().length === 1, 'the first')
    await put()
    await until(() => seqs().length === 2, 'the second, live')
    await own.kill('SIGKILL')
    own = await startDaemon(home)
    await put()
    await put()
    await until(() => seqs().length === 4, 'those of the new daemon')
    expect(seqs()).toEqual([1, 2, 3, 4])
    child.kill()
    await own.kill('SIGTERM')
  })
})

test('a frame in between disturbs no subscription on the same connection', async () => {
  const session = newId()
  const socket = connect(at.socket)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString()
  })
  socket.write(`${JSON.stringify({ sub: 'events', query: { session } })}\n`)
  await until(() => text.includes('"ok":true'), 'welcome')
  socket.write(frame({ payload: JSON.stringify({ session_id: session, hook_event_name: 'Stop' }) }))
  await until(() => text.includes('0 0 0\n') && text.includes(`"sessionId":"${session}"`), 'answer and event')
  socket.destroy()
})
