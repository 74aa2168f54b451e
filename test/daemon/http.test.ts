/** The HTTP door of the real daemon: who gets in, and what becomes of what they bring. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { PAYLOAD_LIMIT_BYTES } from '../../src/client/wire.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { VERSION } from '../../src/core/version.ts'
import { newId } from '../../src/events/index.ts'
import {
  fixtureLines,
  gantryJson,
  journal,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
} from '../kit.ts'

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

const address = (home: Places) =>
  JSON.parse(readFileSync(home.http, 'utf8')) as { url: string; port: number; pid: number }
const token = (home: Places) => readFileSync(home.token, 'utf8').trim()

interface Ask {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string | undefined>
  readonly body?: string | Uint8Array
}

interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/** One request as bytes, so that every header is exactly what the test says; undefined leaves one out. */
function ask(
  { method = 'POST', path = '/hooks/claude', headers = {}, body = '{}' }: Ask = {},
  home = at,
): Promise<Answer> {
  const { port } = address(home)
  const bytes = Buffer.from(body)
  const all: Record<string, string | undefined> = {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${token(home)}`,
    'content-type': 'application/json',
    'content-length': method === 'GET' ? undefined : String(bytes.length),
    connection: 'close',
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  )
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const got: Buffer[] = []
    socket.on('data', (chunk) => got.push(Buffer.from(chunk)))
    socket.on('error', (error) => (got.length > 0 ? undefined : reject(error)))
    socket.on('close', () => {
      const [head = '', ...rest] = Buffer.concat(got).toString().split('\r\n\r\n')
      const [first = '', ...fields] = head.split('\r\n')
      const names = fields.map((line) => [line.split(':')[0]?.toLowerCase(), line.replace(/^[^:]*:\s*/, '')])
      resolve({
        status: Number(first.split(' ')[1]),
        headers: Object.fromEntries(names) as Record<string, string>,
        body: rest.join('\r\n\r\n'),
      })
    })
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    if (method !== 'GET') socket.write(bytes)
  })
}

const hook = (body: string | Uint8Array, home = at) => ask({ body }, home)
const rawOf = (text: string) =>
  journal<{ raw: string; transport: string }>(at).filter(({ raw }) => raw === text)

describe('the address', () => {
  test('is on loopback only, in a file for its owner', async () => {
    const { url, port, pid } = address(at)
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect(pid).toBe(daemon.pid)
    expect(statSync(at.http).mode & 0o777).toBe(0o600)
    expect(statSync(at.token).mode & 0o777).toBe(0o600)
    const hex = port.toString(16).toUpperCase().padStart(4, '0')
    const listening = ['tcp', 'tcp6'].flatMap((name) =>
      readFileSync(`/proc/${daemon.pid}/net/${name}`, 'utf8')
        .split('\n')
        .filter((line) => line.includes(`:${hex} `) && line.includes(' 0A ')),
    )
    expect(listening.map((line) => line.trim().split(/\s+/)[1])).toEqual([`0100007F:${hex}`])
  })
})

describe('nobody gets in', () => {
  const refused: Record<string, [Ask, number]> = {
    'without a token': [{ headers: { authorization: undefined } }, 401],
    'with a wrong token': [{ headers: { authorization: `Bearer ${'x'.repeat(43)}` } }, 401],
    'with half a token': [{ headers: { authorization: `Bearer ${'x'.repeat(20)}` } }, 401],
    'with an empty token': [{ headers: { authorization: 'Bearer ' } }, 401],
    'with the token as a password': [{ headers: { authorization: `Basic ${btoa('a:b')}` } }, 401],
    'with a foreign Host': [{ headers: { host: 'evil.example' } }, 403],
    'with a Host that only begins right': [{ headers: { host: '127.0.0.1.evil.example' } }, 403],
    'with the Host of another port': [{ headers: { host: '127.0.0.1:1' } }, 403],
    'with a foreign Origin': [{ headers: { origin: 'https://evil.example' } }, 403],
    'with an Origin of null': [{ headers: { origin: 'null' } }, 403],
    'with an Origin of another port': [{ headers: { origin: 'http://127.0.0.1:1' } }, 403],
    'with text instead of JSON': [{ headers: { 'content-type': 'text/plain' } }, 415],
    'with a form': [{ headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415],
    'without a content type': [{ headers: { 'content-type': undefined } }, 415],
    'with another method': [{ method: 'GET' }, 405],
    'with OPTIONS': [{ method: 'OPTIONS' }, 405],
    'with PUT': [{ method: 'PUT' }, 405],
    'at an unknown path': [{ path: '/nope' }, 404],
    'at a path with dots': [{ path: '/hooks/../health' }, 405],
    'as an agent that is no name': [{ path: '/hooks/Claude%20Code' }, 404],
    'as no agent': [{ path: '/hooks/' }, 404],
    'as an agent below another': [{ path: '/hooks/claude/x' }, 404],
  }
  for (const [name, [request, status]] of Object.entries(refused)) {
    test.concurrent(name, async () => {
      const body = `{"refused":"${name}"}`
      const answer = await ask({ body, ...request })
      expect(answer.status).toBe(status)
      // A browser must learn nothing, and may not be told that it could.
      const cors = Object.keys(answer.headers).filter((header) => header.startsWith('access-control'))
      expect(cors).toEqual([])
      expect(answer.body).not.toContain(token(at))
      expect(JSON.parse(answer.body)).toMatchObject({ ok: false, message: expect.any(String) })
      expect(rawOf(body)).toEqual([])
    })
  }

  test.concurrent('with the Host of the name localhost is everybody', async () => {
    const { port } = address(at)
    const headers = { host: `LOCALHOST:${port}`, origin: `http://localhost:${port}` }
    expect((await ask({ headers, body: '{"local":1}' })).status).toBe(204)
  })

  test.concurrent('with nonsense instead of HTTP', async () => {
    const socket = connect(address(at).port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write('\x16\x03\x01\x00\xff garbage\r\n\r\n')
    expect((await ask({ method: 'GET', path: '/health' })).status).toBe(200)
    socket.destroy()
  })
})

describe('GET /health', () => {
  test.concurrent('says that all is well, and takes nothing', async () => {
    const answer = await ask({ method: 'GET', path: '/health' })
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body)).toEqual({ ok: true, version: VERSION, fault: null })
    expect((await ask({ method: 'POST', path: '/health' })).status).toBe(405)
  })
})

describe('a hook', () => {
  test.concurrent('is stored byte for byte as it came, with its transport', async () => {
    const body = ` {"session_id":"h1","hook_event_name":"Stop","odd":"\\u00fc\\n${newId()}","odd":1e3}\n`
    const answer = await hook(body)
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 204, body: '' })
    expect(rawOf(body)).toMatchObject([
      { transport: 'http', session_id: 'h1', type: 'Stop', agent: 'claude' },
    ])
  })

  test.concurrent('of every kind that Claude sends is stored', async () => {
    const lines = fixtureLines('claude/2.1.325/_one-of-each.jsonl')
    const bodies = lines.map(({ payload }) => JSON.stringify({ ...payload, session_id: newId() }))
    const answers = await Promise.all(bodies.map((body) => hook(body)))
    expect(answers.every(({ status }) => status === 204)).toBe(true)
    for (const body of bodies) expect(rawOf(body)).toHaveLength(1)
  })

  test.concurrent('with a charset, of another agent, or not JSON at all is stored', async () => {
    const body = `{"n":"${newId()}"}`
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    expect((await ask({ headers, body, path: '/hooks/gemini' })).status).toBe(204)
    expect(rawOf(body)).toMatchObject([{ agent: 'gemini' }])
    const nonsense = `nonsense ${newId()}`
    expect((await hook(nonsense)).status).toBe(204)
    expect(rawOf(nonsense)).toHaveLength(1)
    expect((await hook('')).status).toBe(204)
  })

  test.concurrent('of exactly 8 MB is stored whole', async () => {
    const body = `{"session_id":"large","x":"${'y'.repeat(PAYLOAD_LIMIT_BYTES - 29)}"}`
    expect(body.length).toBe(PAYLOAD_LIMIT_BYTES)
    expect((await hook(body)).status).toBe(204)
    expect(
      journal(at, "SELECT 1 FROM events WHERE session_id = 'large' AND length(raw) = 8388608"),
    ).toHaveLength(1)
  })
})

describe('one hook wired twice', () => {
  const payload = (name: string) =>
    JSON.stringify({ session_id: newId(), hook_event_name: 'Stop', cwd: name })

  test.concurrent('by command and by HTTP counts once, whichever comes first', async () => {
    const [first, second] = [payload('command first'), payload('http first')]
    await sendFrame(at, { payload: first })
    expect((await hook(first)).status).toBe(204)
    await hook(second)
    expect((await sendFrame(at, { payload: second }))?.exit).toBe(0)
    expect(rawOf(first)).toMatchObject([{ transport: 'socket' }])
    expect(rawOf(second)).toMatchObject([{ transport: 'http' }])
  })

  test.concurrent('and said twice counts twice', async () => {
    const body = payload('continue')
    await Promise.all([sendFrame(at, { payload: body }), hook(body)])
    await Promise.all([sendFrame(at, { payload: body }), hook(body)])
    expect(rawOf(body)).toHaveLength(2)
  })

  test.concurrent('the same payload twice by command is two events', async () => {
    const body = payload('twice')
    await sendFrame(at, { payload: body })
    await sendFrame(at, { payload: body })
    expect(rawOf(body)).toHaveLength(2)
  })
})

/** Late: looking for a payload takes longer from here on. */
test('a body over 8 MB is taken, cut and marked', async () => {
  for (const bytes of [PAYLOAD_LIMIT_BYTES + 1, PAYLOAD_LIMIT_BYTES + 1_000_000]) {
    const body = `{"session_id":"long","hook_event_name":"Stop","x":"${'y'.repeat(bytes)}`.slice(0, bytes)
    expect((await ask({ body })).status).toBe(204)
    const [row] = journal(at, `SELECT length(raw) AS kept, type FROM events WHERE cut_from = ${bytes}`)
    expect(row).toEqual({ kept: PAYLOAD_LIMIT_BYTES, type: 'Stop' })
  }
})

describe('the port', () => {
  const opened: Server[] = []
  afterAll(() => {
    for (const server of opened) server.close()
  })

  test('that is taken is no reason not to start: another one is used and named', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    opened.push(server)
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const home = makeHome(`[http]\nport = ${port}\n`)
    const other = await startDaemon(home)
    expect(address(home).port).not.toBe(port)
    expect((await ask({ method: 'GET', path: '/health' }, home)).status).toBe(200)
    expect(await gantryJson(home, 'status', '--json')).toMatchObject({ http: address(home).url })
    expect(readFileSync(home.log, 'utf8')).toContain(`port ${port} is taken`)
    await other.kill('SIGTERM')
  })

  test('that is taken leads to the next ones, so that the next start finds the same', async () => {
    const port = 29_700 // below those that the system gives away
    const server = createServer().listen(port, '127.0.0.1')
    opened.push(server)
    await Promise.race([once(server, 'listening'), once(server, 'error')]) // somebody else has it, which is as good
    const home = makeHome(`[http]\nport = ${port}\n`)
    const found: number[] = []
    for (let start = 0; start < 2; start++) {
      const daemon = await startDaemon(home)
      found.push(address(home).port)
      await daemon.kill('SIGKILL')
    }
    expect(found[0]).toBeGreaterThan(port)
    expect(found[0]).toBeLessThan(port + 10)
    expect(found[1]).toBe(found[0] as number)
  })

  test('can be switched off', async () => {
    const home = makeHome('[http]\nenabled = false\n')
    const other = await startDaemon(home)
    expect(() => address(home)).toThrow()
    expect(await gantryJson(home, 'status', '--json')).toMatchObject({ http: null })
    await other.kill('SIGTERM')
  })
})
