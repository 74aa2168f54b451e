/** The Unix socket of the real daemon: everything a client may send, and worse. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { call } from '../../src/client/index.ts'
import { PAYLOAD_LIMIT_BYTES } from '../../src/client/wire.ts'
import { newId } from '../../src/events/index.ts'
import {
  exchange,
  frame,
  journal,
  makeHome,
  parseReply,
  type Ran,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
})
afterAll(async () => {
  // Whatever came through the door, the daemon is the one that was started, and it goes when asked to.
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

const OK: Ran = { exit: 0, stdout: '', stderr: '' }
const status = () => call(at, 'status')

interface Row {
  seq: number
  id: string
  agent: string
  type: string
  session_id: string
  cut_from: number | null
  transport: string
  raw: string | Uint8Array
}

const rowsOf = (...ids: string[]) =>
  journal<Row>(at, `SELECT * FROM events WHERE id IN (${ids.map((id) => `'${id}'`).join()}) ORDER BY seq`)

function rowOf(id: string): Row {
  const [row] = rowsOf(id)
  if (!row) throw new Error(`${id} is not in the journal`)
  return row
}

/** A connection that a test writes to as it likes. */
async function open(): Promise<{ socket: Socket; text(): string; ended: Promise<void> }> {
  const socket = connect(at.socket)
  const got: Buffer[] = []
  socket.on('data', (chunk) => got.push(Buffer.from(chunk)))
  socket.on('error', () => {})
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await new Promise((resolve) => socket.once('connect', resolve))
  return { socket, text: () => Buffer.concat(got).toString(), ended }
}

describe('a frame', () => {
  test.concurrent('is stored byte for byte and answered', async () => {
    const id = newId()
    const payload = '{"session_id":"s1","hook_event_name":"Stop",  "odd":"\\u00fc\\n","odd":2}\n'
    expect(await sendFrame(at, { id, payload })).toEqual(OK)
    expect(rowOf(id)).toMatchObject({
      agent: 'claude',
      type: 'Stop',
      session_id: 's1',
      transport: 'socket',
      raw: payload,
    })
  })

  test.concurrent('of an agent nobody knows is stored', async () => {
    const id = newId()
    expect(await sendFrame(at, { id, agent: 'brand-new', payload: '{"session_id":"s9"}' })).toEqual(OK)
    expect(rowOf(id)).toMatchObject({ agent: 'brand-new', session_id: 's9' })
  })

  const payloads: Record<string, string | Buffer> = {
    'without a payload': '',
    'of binary garbage': Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)),
    'of text that is not UTF-8': Buffer.concat([
      Buffer.from('{"a":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]),
    'with a zero in its text': '{"a":"\0"}',
    'with a byte order mark': '\ufeff{"session_id":"s1"}',
    'of half a JSON': '{"session_id":"s1",',
    'of JSON that is no object': '[1,2,3]',
    'nested 100,000 deep': `{"session_id":"deep","tool_input":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    'with names that objects have': '{"__proto__":{"a":1},"constructor":"x","session_id":"s1","toString":1}',
    'with a number for a session': '{"session_id":5,"hook_event_name":["Stop"]}',
    'with a text of 2 MB': JSON.stringify({ session_id: 's1', prompt: 'ü'.repeat(1_000_000) }),
  }
  for (const [name, payload] of Object.entries(payloads)) {
    test.concurrent(`${name} is stored byte for byte and answered`, async () => {
      const id = newId()
      expect(await sendFrame(at, { id, payload })).toEqual(OK)
      expect(Buffer.from(rowOf(id).raw).equals(Buffer.from(payload))).toBe(true)
    })
  }

  test.concurrent('with garbage for facts is stored with those that make sense', async () => {
    const header = {
      agent: 5,
      event: 'a b',
      at: 'now',
      pid: -1,
      pane: {},
      env: [1],
      cut: 'x',
      hold: 'y',
      more: [],
    }
    const id = newId()
    expect(await sendFrame(at, { id, payload: '{}', header })).toEqual(OK)
    expect(rowOf(id)).toMatchObject({ agent: 'unknown' })
  })

  test.concurrent('without an id gets one', async () => {
    const payload = `{"session_id":"${newId()}"}`
    expect(await sendFrame(at, { payload, header: { id: null } })).toEqual(OK)
    const [row] = journal<Row>(at, `SELECT * FROM events WHERE raw = '${payload}'`)
    expect(row?.id).toMatch(/^[0-9A-Z]{26}$/)
  })

  test.concurrent('with an id that came before is answered and stored once', async () => {
    const id = newId()
    expect(await sendFrame(at, { id, payload: '{"n":1}' })).toEqual(OK)
    expect(await sendFrame(at, { id, payload: '{"n":2}' })).toEqual(OK)
    expect(rowsOf(id).map(({ raw }) => raw)).toEqual(['{"n":1}'])
  })

  test.concurrent('of 9 MB is cut to 8, marked with its length, and answered', async () => {
    const id = newId()
    const payload = JSON.stringify({
      session_id: 's-large',
      hook_event_name: 'PostToolUse',
      x: 'y'.repeat(9_000_000),
    })
    expect(await sendFrame(at, { id, payload })).toEqual(OK)
    const row = rowOf(id)
    expect(row).toMatchObject({ session_id: 's-large', type: 'PostToolUse', cut_from: payload.length })
    expect(row.raw === payload.slice(0, PAYLOAD_LIMIT_BYTES)).toBe(true)
  })

  test.concurrent('of 9 MB whose beginning is no JSON does no harm', async () => {
    const id = newId()
    const payload = `{"session_id":"\\q","cwd":"\\u12","x":"${'y'.repeat(9_000_000)}`
    expect(await sendFrame(at, { id, payload })).toEqual(OK)
    expect(rowOf(id).cut_from).toBe(payload.length)
  })
})

describe('on one connection', () => {
  test.concurrent('two frames in one piece get two answers, in order', async () => {
    const ids = [newId(), newId()]
    const { socket, text } = await open()
    socket.write(Buffer.concat(ids.map((id) => frame({ id, payload: `{"n":"${id}"}` }))))
    await until(() => text() === '0 0 0\n0 0 0\n', 'two answers')
    expect(rowsOf(...ids).map(({ id }) => id)).toEqual(ids)
    socket.destroy()
  })

  test.concurrent('a thousand frames one after the other are all stored', async () => {
    const ids = Array.from({ length: 1000 }, () => newId())
    const { socket, text } = await open()
    for (const id of ids) socket.write(frame({ id, payload: `{"n":"${id}"}` }))
    await until(() => text().length === 6 * ids.length, 'all answers')
    expect(rowsOf(...ids)).toHaveLength(1000)
    socket.destroy()
  })

  test.concurrent('a frame byte by byte is a frame', async () => {
    const id = newId()
    const { socket, text } = await open()
    socket.setNoDelay(true)
    for (const byte of frame({ id, payload: '{"session_id":"slow"}' })) {
      socket.write(Buffer.from([byte]))
      await new Promise(setImmediate)
    }
    await until(() => text() === '0 0 0\n', 'an answer')
    expect(rowOf(id).session_id).toBe('slow')
    socket.destroy()
  })

  test.concurrent('a large payload in many pieces arrives whole', async () => {
    const id = newId()
    const payload = Buffer.from(JSON.stringify({ data: Array.from({ length: 200_000 }, (_, i) => i) }))
    const bytes = frame({ id, payload })
    const { socket, text } = await open()
    for (let i = 0; i < bytes.length; i += 10_007) {
      socket.write(bytes.subarray(i, i + 10_007))
      if (i % 3 === 0) await new Promise(setImmediate)
    }
    await until(() => text() === '0 0 0\n', 'an answer')
    expect(Buffer.from(rowOf(id).raw).equals(payload)).toBe(true)
    socket.destroy()
  })

  test.concurrent('frames and calls may be mixed', async () => {
    const { socket, text } = await open()
    socket.write(Buffer.concat([frame({ payload: '{"mixed":1}' }), Buffer.from('{"cmd":"counters"}\n')]))
    await until(() => text().includes('0 0 0\n') && text().includes('"ok":true'), 'both answers')
    socket.destroy()
  })

  test.concurrent('half a frame and then nothing is forgotten', async () => {
    const id = newId()
    const bytes = frame({ id, payload: 'x'.repeat(1000) })
    for (const length of [1, 20, bytes.indexOf(10) + 1, bytes.length - 1]) {
      const { socket, ended } = await open()
      socket.end(bytes.subarray(0, length))
      await ended
    }
    expect(rowsOf(id)).toEqual([])
  })

  test.concurrent('a client that leaves before the answer is stored all the same', async () => {
    const ids = Array.from({ length: 20 }, () => newId())
    for (const id of ids) {
      const { socket } = await open()
      socket.end(frame({ id, payload: `{"n":"${id}"}` }))
      socket.destroy()
    }
    await until(() => rowsOf(...ids).length === 20, 'all of them')
  })
})

describe('what is no frame is refused with a reason, and the connection ends', () => {
  const bad: Record<string, [string | Buffer, RegExp]> = {
    'a header that is no JSON': ['{"v":1,"kind":"hook",\n', /not JSON/],
    'a web request': ['GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', /not JSON/],
    'binary garbage': [Buffer.concat([Buffer.from([0, 255, 1, 2, 128]), Buffer.from('\n')]), /not JSON/],
    'an empty line': ['\n', /not JSON/],
    'a list': ['[]\n', /not a JSON object/],
    'a header over 64 KB': [`{"v":1,"kind":"hook","pad":"${'x'.repeat(70_000)}","len":0}\n`, /over 64 KB/],
    'a header without an end': [`{"v":1,"kind":"hook","pad":"${'x'.repeat(200_000)}`, /over 64 KB/],
    'a len below zero': ['{"v":1,"kind":"hook","len":-1}\n', /len/],
    'a len as text': ['{"v":1,"kind":"hook","len":"5"}\n12345', /len/],
    'no len': ['{"v":1,"kind":"hook"}\n', /len/],
    'a call over 8 MB': [`{"cmd":"status","args":"${'x'.repeat(9_000_000)}"}\n`, /over 8 MB/],
  }
  for (const [name, [bytes, reason]] of Object.entries(bad)) {
    test.concurrent(name, async () => {
      const { socket, text, ended } = await open()
      socket.write(bytes)
      await ended
      const [first = ''] = text().split('\n')
      expect(JSON.parse(first)).toEqual({
        ok: false,
        error: 'BAD_FRAME',
        message: expect.stringMatching(reason),
      })
      expect(text().trim().split('\n')).toHaveLength(1)
    })
  }

  test.concurrent('and a frame behind it is not stored', async () => {
    const id = newId()
    const { socket, ended } = await open()
    socket.write(Buffer.concat([Buffer.from('nonsense\n'), frame({ id, payload: '{}' })]))
    await ended
    expect(rowsOf(id)).toEqual([])
  })
})

describe('a call', () => {
  const ask = async (request: unknown) =>
    JSON.parse((await exchange(at, Buffer.from(`${JSON.stringify(request)}\n`))).toString())

  test.concurrent('is answered in an envelope', async () => {
    expect(await ask({ cmd: 'status', args: {} })).toMatchObject({ ok: true, data: { pid: daemon.pid } })
    expect(await ask({ cmd: 'status' })).toMatchObject({ ok: true })
  })

  test.concurrent('that nobody knows, with wrong arguments, or that is none at all, says what is wrong', async () => {
    expect(await ask({ cmd: 'hooks.nope' })).toMatchObject({ ok: false, error: 'UNKNOWN_COMMAND' })
    expect(await ask({ cmd: 'status', args: { a: 1 } })).toMatchObject({
      ok: false,
      error: 'VALIDATION_ERROR',
    })
    expect(await ask({ cmd: 'events.get', args: { id: 'nope' } })).toMatchObject({
      ok: false,
      error: 'VALIDATION_ERROR',
    })
    expect(await ask({ hello: 1 })).toMatchObject({ ok: false, error: 'BAD_FRAME' })
    expect(await ask({ cmd: 5 })).toMatchObject({ ok: false, error: 'BAD_FRAME' })
  })

  test.concurrent('of several MB is read whole', async () => {
    const id = 'x'.repeat(5_000_000)
    const envelope = await ask({ cmd: 'events.get', args: { id } })
    expect(envelope).toMatchObject({ ok: false, error: 'VALIDATION_ERROR' })
  })

  test.concurrent('may have an answer of many MB', async () => {
    const session = newId()
    for (let i = 0; i < 4; i++) {
      await sendFrame(at, {
        payload: JSON.stringify({ session_id: session, prompt: `${i}${'x'.repeat(1_500_000)}` }),
      })
    }
    const events = (await call(at, 'events.list', { session, limit: 100 })) as { raw: string }[]
    expect(events).toHaveLength(4)
    expect(events.every(({ raw }) => raw.length > 1_500_000)).toBe(true)
  })

  test.concurrent('after the other is answered in the same order', async () => {
    const { socket, text } = await open()
    const names = ['query', 'status', 'nope', 'counters']
    const args = { query: { sql: 'SELECT 1 AS one' } }
    for (const cmd of names) socket.write(`${JSON.stringify({ cmd, args: args[cmd as 'query'] ?? {} })}\n`)
    await until(() => text().trim().split('\n').length === 4, 'four answers')
    const answers = text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(answers).toMatchObject([
      { data: { columns: ['one'] } },
      { data: { pid: daemon.pid } },
      { error: 'UNKNOWN_COMMAND' },
      { ok: true },
    ])
    socket.destroy()
  })

  test.concurrent('every one there is has an example that works or says why not', async () => {
    const calls = await call(at, 'calls')
    expect(calls.length).toBeGreaterThan(7)
    for (const { name, summary, example } of calls.filter((one) => one.name !== 'stop')) {
      expect(summary).not.toBe('')
      const envelope = await ask({ cmd: name, args: example })
      if (!envelope.ok)
        expect(envelope.message).toMatch(
          /There is no|NATS is off|No effort is active|is finished|is not open|agents are at work here|cannot answer for a person|not proved with the approval key|are trusted/,
        )
    }
  })

  test.concurrent('of a caller who leaves does no harm', async () => {
    for (let i = 0; i < 20; i++) {
      const { socket } = await open()
      socket.write('{"cmd":"query","args":{"sql":"SELECT 1"}}\n')
      socket.destroy()
    }
    expect((await status()).pid).toBe(daemon.pid)
  })
})

describe('many connections', () => {
  test('500 that say nothing do not hurt', async () => {
    const idle = await Promise.all(Array.from({ length: 500 }, () => open()))
    expect((await status()).connections).toBeGreaterThanOrEqual(500)
    for (let i = 0; i < 50; i++) expect(await sendFrame(at, { payload: `{"idle":${i}}` })).toEqual(OK)
    for (const { socket } of idle) socket.destroy()
    await until(async () => (await status()).connections < 10, 'all of them closed')
  })

  test('with unfinished frames can only hold so much together', async () => {
    const bytes = frame({ payload: Buffer.alloc(PAYLOAD_LIMIT_BYTES, 'x') })
    const unfinished = bytes.subarray(0, bytes.length - 1)
    let closed = 0
    const open20 = await Promise.all(Array.from({ length: 20 }, () => open()))
    for (const { ended } of open20) {
      void ended.then(() => {
        closed += 1
      })
    }
    for (const { socket } of open20) socket.write(unfinished)
    await until(() => closed > 0, 'some to be closed')
    expect(closed).toBeLessThan(10)
    expect(await sendFrame(at, { payload: '{"still":"here"}' })).toEqual(OK)
    for (const { socket } of open20) socket.destroy()
    await until(async () => (await status()).connections < 10, 'all of them closed')
    // What they held is free again: as much can be held anew.
    const id = newId()
    expect(await sendFrame(at, { id, payload: 'y'.repeat(PAYLOAD_LIMIT_BYTES) })).toEqual(OK)
    expect(rowOf(id).raw.length).toBe(PAYLOAD_LIMIT_BYTES)
  })

  test('300 at once are all answered', async () => {
    const ids = Array.from({ length: 300 }, () => newId())
    const replies = await Promise.all(ids.map((id) => sendFrame(at, { id, payload: `{"n":"${id}"}` })))
    expect(replies.every((reply) => reply?.exit === 0)).toBe(true)
    expect(rowsOf(...ids)).toHaveLength(300)
  })
})

test('nothing of all this is in the log but the refusals', async () => {
  expect((await status()).pid).toBe(daemon.pid)
  const lines = readFileSync(at.log, 'utf8').split('\n').filter(Boolean)
  const unexpected = lines.filter((line) => !/ (info |warn {2}(door|log) )/.test(line))
  expect(unexpected).toEqual([])
})

test('a reply that is none is not taken for one', () => {
  expect(parseReply(Buffer.from('0 5 0\nabc'))).toBeUndefined()
  expect(parseReply(Buffer.from('0 3 0\nabc'))).toEqual({ exit: 0, stdout: 'abc', stderr: '' })
})
