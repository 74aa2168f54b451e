/** `POST /hooks/in/<source>` of the real daemon: who gets in by signature alone, and what becomes of it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import { newId } from '../../src/events/index.ts'
import {
  gantry,
  gantryJson,
  journal,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'

const SECRET = 'a secret for the tests of inbound'
const at = makeHome(`
[inbound.github]
secret = "${SECRET}"
signature = "github"

[inbound.pay]
secret = "wrong, the file wins"
secret_file = "pay.secret"
signature = "stripe"

[inbound.other-gantry]
secret = "${SECRET}"

[inbound.gitlab]
secret = "${SECRET}"
signature = "token"
header = "X-Gitlab-Token"
event_header = "X-Gitlab-Event"
id_header = "X-Gitlab-Event-UUID"

[inbound.inner]
secret = "${SECRET}"
signature = "token"
event_field = "event.kind"
id_field = "event.n"

[inbound.no-secret]
secret_file = "nowhere.secret"
signature = "token"

[inbound.off]
secret = "${SECRET}"
signature = "token"
enabled = false
`)
mkdirSync(at.rules)
writeFileSync(join(at.rules, 'all.yaml'), "rules:\n  - { id: no, on: '*', decision: deny, reason: no }\n")
writeFileSync(join(at.config, 'pay.secret'), `${SECRET}\n`, { mode: 0o600 })
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

const address = () => JSON.parse(readFileSync(at.http, 'utf8')) as { url: string; port: number }
const hex = (text: string, secret = SECRET) => createHmac('sha256', secret).update(text).digest('hex')
const seconds = (offset = 0) => String(Math.floor(Date.now() / 1000) + offset)

type Sign = (body: string, secret?: string, offset?: number) => Record<string, string>

/** A genuine request of each source. */
const SIGNERS: Record<string, Sign> = {
  github: (body, secret) => ({
    'x-hub-signature-256': `sha256=${hex(body, secret)}`,
    'x-github-event': 'push',
  }),
  pay: (body, secret, offset) => {
    const t = seconds(offset)
    return { 'stripe-signature': `t=${t},v1=${hex(`${t}.${body}`, secret)}` }
  },
  'other-gantry': (body, secret, offset) => {
    const t = seconds(offset)
    return { 'gantry-timestamp': t, 'gantry-signature': `v1=${hex(`${t}.${body}`, secret)}` }
  },
  gitlab: (_body, secret = SECRET) => ({ 'x-gitlab-token': secret, 'x-gitlab-event': 'Push Hook' }),
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly body: { readonly ok: boolean; readonly id?: string; readonly message?: string }
}

async function send(source: string, body: string, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(`${address().url}/hooks/in/${source}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) }
}

const signed = (source: string, body: string, more: Record<string, string> = {}) =>
  send(source, body, { ...SIGNERS[source]?.(body), ...more })

const stored = (id: string | undefined) =>
  journal<Record<string, unknown>>(at, `SELECT * FROM events WHERE id = '${id}'`)
const count = () => journal(at, 'SELECT 1 FROM events').length
const unique = () => JSON.stringify({ id: newId(), type: 'made.here', note: newId() })

describe.each(Object.keys(SIGNERS))('%s', (source) => {
  test('gets in with its signature alone, and is stored as it came', async () => {
    const body = ` ${unique()}\n`
    const answer = await signed(source, body)
    expect(answer).toMatchObject({ status: 200, body: { ok: true } })
    expect(stored(answer.body.id)).toMatchObject([
      { agent: source, transport: 'http', session_id: '', raw: body },
    ])
  })

  test('does not get in with a wrong signature, none, or that of another body', async () => {
    const body = unique()
    const before = count()
    expect((await send(source, body, SIGNERS[source]?.(body, 'another secret') ?? {})).status).toBe(401)
    expect((await send(source, body, {})).status).toBe(401)
    if (source !== 'gitlab') {
      expect((await send(source, body, SIGNERS[source]?.(unique()) ?? {})).status).toBe(401)
    }
    const answer = await send(source, body, {
      authorization: `Bearer ${readFileSync(at.token, 'utf8').trim()}`,
    })
    expect(answer.status).toBe(401)
    expect(answer.text).not.toContain(SECRET)
    expect(count()).toBe(before)
  })

  test('counts once, however often a delivery comes', async () => {
    const body = unique()
    const first = await signed(source, body)
    const before = count()
    for (let i = 0; i < 3; i++) expect((await signed(source, body)).body).toEqual(first.body)
    expect(count()).toBe(before)
  })
})

describe('a signature with a time', () => {
  test.each(['pay', 'other-gantry'])(
    'of %s is refused when it is too old or from the future',
    async (source) => {
      const body = unique()
      for (const offset of [-310, 310, -86_400]) {
        const answer = await send(source, body, SIGNERS[source]?.(body, SECRET, offset) ?? {})
        expect(answer).toMatchObject({ status: 401, body: { message: expect.stringContaining('too old') } })
      }
      expect((await send(source, body, SIGNERS[source]?.(body, SECRET, -200) ?? {})).status).toBe(200)
    },
  )
})

describe('the event', () => {
  const typeOf = async (answer: Promise<Answer>) => stored((await answer).body.id)[0]?.type

  test('has the name that its sender gives it, where its kind has it', async () => {
    expect(await typeOf(signed('github', unique(), { 'x-github-delivery': newId() }))).toBe('push')
    expect(await typeOf(signed('pay', unique()))).toBe('made.here')
    expect(await typeOf(signed('gitlab', unique(), { 'x-gitlab-event-uuid': newId() }))).toBe('Push_Hook')
  })

  test('has it from an inner field, and a name of its own where there is none', async () => {
    const token = { 'x-gantry-token': SECRET }
    const answer = await send('inner', '{"event":{"kind":"build","n":7}}', token)
    expect(stored(answer.body.id)).toMatchObject([{ type: 'build', native: 'build' }])
    expect((await send('inner', '{"event":{"kind":"build","n":7,"again":true}}', token)).body).toEqual(
      answer.body,
    )
    expect((await send('inner', '{"event":{"kind":"build","n":8}}', token)).body.id).not.toBe(answer.body.id)
    for (const body of [
      '{"event":[]}',
      '{"event":{"kind":{}}}',
      '[]',
      '1',
      'null',
      '{"__proto__":{"kind":"x"}}',
    ]) {
      expect(await typeOf(send('inner', body, token))).toBe('Inbound')
    }
    const long = JSON.stringify({ event: { kind: `\u001b[31m${'k'.repeat(500)}` } })
    expect(await typeOf(send('inner', long, token))).toMatch(/^_+31mk{40,}$/)
  })

  test('counts by the id of its delivery; without one, by its content', async () => {
    const body = unique()
    const [one, two] = [{ 'x-github-delivery': newId() }, { 'x-github-delivery': newId() }]
    const first = await signed('github', body, one)
    expect((await signed('github', `${body} `, one)).body).toEqual(first.body)
    expect((await signed('github', body, two)).body.id).not.toBe(first.body.id)
    const bare = await signed('github', body)
    expect((await signed('github', `${body} `)).body.id).not.toBe(bare.body.id)
  })

  test('never is that of an agent: no session, no decision, whatever it says', async () => {
    const payload = {
      id: newId(),
      type: 'PreToolUse',
      hook_event_name: 'PreToolUse',
      session_id: 'victim',
      agent: 'claude',
      tool_name: 'Bash',
      tool_input: { command: 'rm -rf /' },
    }
    const decisions = () => journal(at, "SELECT * FROM bus_messages WHERE stream = 'DECISION_EVENTS'")
    const before = decisions().length
    const answer = await signed('other-gantry', JSON.stringify(payload))
    expect(answer).toMatchObject({ status: 200, body: { ok: true } })
    expect(Object.keys(answer.body)).toEqual(['ok', 'id'])
    expect(stored(answer.body.id)).toMatchObject([
      { agent: 'other-gantry', type: 'PreToolUse', session_id: '' },
    ])
    expect(await gantryJson(at, 'sessions', '--json', '--all')).toEqual([])
    expect(decisions()).toHaveLength(before)
    // The same over the door for agents is asked about: the rule is there.
    const asked = await fetch(`${address().url}/hooks/claude`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${readFileSync(at.token, 'utf8').trim()}`,
      },
      body: JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: {} }),
    })
    expect(await asked.text()).toContain('deny')
    expect(decisions()).toHaveLength(before + 1)
  })

  test('that another gantry sent as a webhook arrives here', async () => {
    const other = makeHome(`
[[webhooks]]
name = "there"
url = "${address().url}/hooks/in/other-gantry"
secret = "${SECRET}"
`)
    const sender = await startDaemon(other)
    const { kind, status, answer } = await call(other, 'bus.webhooks.test', { name: 'there' })
    expect({ kind, status }).toMatchObject({ kind: 'delivered', status: 200 })
    expect(stored((JSON.parse(answer) as { id: string }).id)).toMatchObject([{ type: 'Test' }])
    await sender.kill('SIGTERM')
  })
})

test('webhooks that lead in a circle come to an end', async () => {
  const here = makeHome()
  const first = await startDaemon(here)
  const { url } = JSON.parse(readFileSync(here.http, 'utf8')) as { url: string }
  const config = `[http]\nport = ${new URL(url).port}\n\n[inbound.self]\nsecret = "${SECRET}"\n
[[webhooks]]\nname = "round"\nurl = "${url}/hooks/in/self"\nsecret = "${SECRET}"\n`
  await first.kill('SIGTERM')
  writeFileSync(here.configFile, config)
  await using _again = await startDaemon(here)
  for (let i = 0; i < 5; i++)
    await sendFrame(here, { payload: JSON.stringify({ hook_event_name: 'Stop', session_id: 's', i }) })
  const status = async () => (await call(here, 'bus.webhooks'))[0]
  await until(async () => (await status())?.delivered === 10 && (await status())?.backlog === 0, 'rest')
  expect(
    journal(here, 'SELECT agent FROM events')
      .map((row) => row.agent)
      .sort(),
  ).toEqual([...Array(5).fill('claude'), ...Array(5).fill('self')])
})

describe('nobody gets in', () => {
  const body = '{"type":"x"}'
  const good = SIGNERS.github?.(body) ?? {}
  test.each<[string, string, Record<string, string>, number]>([
    ['as a source that is not there', 'nope', good, 404],
    ['as one that is off', 'off', { 'x-gantry-token': SECRET }, 404],
    ['as no source', '', good, 404],
    ['as a name of objects', 'constructor', good, 404],
    ['below a source', 'github/x', good, 404],
    ['with text', 'github', { ...good, 'content-type': 'text/plain' }, 415],
    ['with a form', 'github', { ...good, 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['from a page, even one of its own', 'github', { ...good, origin: 'http://127.0.0.1' }, 403],
    ['while the secret cannot be read', 'no-secret', { 'x-gantry-token': 'undefined' }, 503],
  ])('%s', async (_name, source, headers, status) => {
    const before = count()
    const answer = await send(source, body, headers)
    expect(answer).toMatchObject({ status, body: { ok: false, message: expect.any(String) } })
    expect(answer.text).not.toContain(SECRET)
    expect(answer.text).not.toContain(readFileSync(at.token, 'utf8').trim())
    expect(count()).toBe(before)
  })

  test('with GET', async () => {
    expect((await fetch(`${address().url}/hooks/in/github`)).status).toBe(405)
  })

  test('from a page whose origin is this very address', async () => {
    const { url } = address()
    expect((await send('github', body, { ...good, origin: url })).status).toBe(403)
  })

  test.each(['{"type":', 'nonsense', '', '{"a":1}}'])(
    'with %j instead of JSON, signed or not',
    async (text) => {
      expect((await signed('github', text)).status).toBe(400)
    },
  )

  test('into anything else: the signature opens no other door', async () => {
    for (const path of [
      '/sessions',
      '/health',
      '/hooks/claude',
      '/hooks/in',
      '/hooks/in/../claude',
      '/hooks/in/%2e%2e/claude',
    ]) {
      const response = await fetch(`${address().url}${path}`, {
        method: path === '/sessions' || path === '/health' ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json', ...good },
        ...(path.startsWith('/hooks') ? { body } : {}),
      })
      expect(`${path} ${response.status}`).toBe(`${path} 401`)
    }
  })

  test('with the Host of another place', async () => {
    const { port } = address()
    const head = Object.entries({ ...good, host: 'evil.example', 'content-type': 'application/json' })
    const text = await exchange(port, head, body)
    expect(text).toStartWith('HTTP/1.1 403')
  })
})

describe('a body', () => {
  const padded = (bytes: number) => {
    const body = `{"id":"${newId()}","x":"`
    return `${body}${'y'.repeat(bytes - body.length - 2)}"}`
  }

  test('of exactly 1 MB is taken, one byte more is not', async () => {
    expect((await signed('github', padded(1024 * 1024))).status).toBe(200)
    expect((await signed('github', padded(1024 * 1024 + 1))).status).toBe(413)
    expect((await signed('github', padded(7 * 1024 * 1024))).status).toBe(413)
  })

  test('without a length is cut off at the limit', async () => {
    const { port } = address()
    const chunk = `10000\r\n${'y'.repeat(65_536)}\r\n`
    const head = [
      ['host', `127.0.0.1:${port}`],
      ['content-type', 'application/json'],
      ['transfer-encoding', 'chunked'],
    ] as [string, string][]
    expect(await exchange(port, head, chunk.repeat(24))).toStartWith('HTTP/1.1 413')
  })

  test('that is nested a hundred thousand times does no harm', async () => {
    const deep = (open: string, close: string) =>
      `{"type":"deep","a":${open.repeat(100_000)}1${close.repeat(100_000)}}`
    for (const body of [deep('[', ']'), deep('{"a":', '}')])
      expect((await signed('pay', body)).status).toBe(200)
  })

  test('that never comes holds up nobody', async () => {
    const { port } = address()
    const sockets = Array.from({ length: 70 }, () => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(
        `POST /hooks/in/github HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
      )
      return socket
    })
    try {
      const { url } = address()
      const token = readFileSync(at.token, 'utf8').trim()
      await until(async () => (await signed('github', unique())).status === 503, 'it to be busy')
      const health = await fetch(`${url}/health`, { headers: { authorization: `Bearer ${token}` } })
      expect(health.status).toBe(200)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
    await until(async () => (await signed('github', unique())).status === 200, 'it to be free again')
  })
})

test('doctor tells who was refused, how often and why, and which secret is missing', async () => {
  const findings = await call(at, 'doctor')
  const about = findings.filter((one) => one.about === 'inbound').map(({ message }) => message)
  expect(about).toContainEqual(
    expect.stringMatching(/^github: the signature does not fit: refused \d+ times/),
  )
  expect(about).toContainEqual(
    expect.stringMatching(/^\(unknown\): there is no such source in gantry.toml: refused/),
  )
  expect(about).toContainEqual(expect.stringMatching(/^inbound no-secret: the secret cannot be read/))
  expect(JSON.stringify(findings)).not.toContain(SECRET)
})

test('the same after a restart: what came in still belongs to no session', async () => {
  await daemon.kill('SIGKILL')
  daemon = await startDaemon(at)
  expect(await gantryJson(at, 'sessions', '--json', '--all')).toEqual([])
  const { stdout } = await gantry(at, 'events', '--json', '--limit', '1000')
  const lines = stdout.trimEnd().split('\n')
  const events = lines.map((line) => JSON.parse(line) as { agent: string; sessionId: string; type: string })
  expect(events.some(({ agent, type }) => agent === 'other-gantry' && type === 'PreToolUse')).toBe(true)
  expect(events.every(({ sessionId }) => sessionId === '')).toBe(true)
})

/** One request as bytes; the answer as far as it came. */
function exchange(
  port: number,
  headers: readonly (readonly [string, string])[],
  body: string,
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const length = headers.some(([name]) => name === 'transfer-encoding')
      ? []
      : [`content-length: ${body.length}`]
    const head = [...headers.map(([name, value]) => `${name}: ${value}`), ...length, 'connection: close']
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
    socket.write(`POST /hooks/in/github HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`)
  })
}
