/** The page as the real daemon serves it, without a browser: who gets in, and who does not. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { call } from '../../src/client/index.ts'
import { PAGE_CALLS } from '../../src/server/page/calls.ts'
import {
  gantry,
  makeHome,
  ROOT,
  type RunningDaemon,
  run,
  sendFrame,
  sendFrames,
  startDaemon,
  until,
} from '../kit.ts'
import { anyPort } from '../nats-kit.ts'
import {
  ask,
  cookieIn,
  type Got,
  hookToken,
  live,
  newLink,
  originOf,
  portOf,
  post,
  signIn,
} from './page-kit.ts'

const PORT = await anyPort()
const at = makeHome(`[http]\nport = ${PORT}\n`)
let daemon: RunningDaemon
let cookie = ''
beforeAll(async () => {
  daemon = await startDaemon(at)
  cookie = await signIn(at)
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

const stop = { hook_event_name: 'Stop', session_id: 's1', cwd: '/' }
const status = { cmd: 'status' }
const headersOf = ({ headers }: Got) => headers as Record<string, string | undefined>

describe('signing in', () => {
  test('a link becomes a cookie that only this server gets and no script reads', async () => {
    const got = await ask(at, { path: await newLink(at) })
    expect(got.status).toBe(200)
    expect(got.headers['set-cookie']).toEqual([
      expect.stringMatching(
        new RegExp(
          `^gantry-page-${portOf(at)}=[A-Za-z0-9_-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000$`,
        ),
      ),
    ])
    expect(got.text).toContain('<meta http-equiv="refresh" content="0;url=/">')
    expect((await ask(at, { headers: { cookie: cookieIn(got) } })).status).toBe(200)
  })

  test('a used link is refused, so a stolen one is found out', async () => {
    const path = await newLink(at)
    expect(cookieIn(await ask(at, { path }))).toBeDefined()
    const again = await ask(at, { path })
    expect(again.status).toBe(403)
    expect(again.headers['set-cookie']).toBeUndefined()
    expect(again.text).toContain('gantry web')
  })

  test('of many at the same time one gets in', async () => {
    const path = await newLink(at)
    const all = await Promise.all(Array.from({ length: 20 }, () => ask(at, { path })))
    expect(all.filter(({ status }) => status === 200).length).toBe(1)
    expect(all.filter((got) => cookieIn(got) !== undefined).length).toBe(1)
  })

  test('a browser that only looks ahead does not use it up', async () => {
    const path = await newLink(at)
    expect((await ask(at, { path, headers: { 'sec-purpose': 'prefetch;prerender' } })).status).toBe(403)
    expect((await ask(at, { path })).status).toBe(200)
  })

  test('made-up links', async () => {
    for (const path of [
      '/open',
      '/open?once=',
      '/open?once=x',
      `/open?once=${'A'.repeat(43)}`,
      '/open?once=%00',
    ])
      expect(cookieIn(await ask(at, { path }))).toBeUndefined()
  })

  test('a link leads to a view of this page, and nowhere else', async () => {
    const goesTo = async (to: string) => {
      const path = `${await newLink(at)}&to=${encodeURIComponent(to)}`
      return /content="0;url=([^"]*)"/.exec((await ask(at, { path })).text)?.[1]
    }
    expect(await goesTo('/session/claude:s1?tab=changes#42')).toBe('/session/claude:s1?tab=changes#42')
    for (const to of [
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https://evil.example/',
      'javascript:alert(1)',
      '/\t/evil.example',
      '/open?once=x',
      '/api/call',
      '/journal/../../hooks/claude',
      '',
    ])
      expect(await goesTo(to), to).toBe('/')
    expect(await goesTo('/journal?q="><script>alert(1)</script>')).not.toMatch(/[<>]/)
  })

  test('the page and its files without a cookie', async () => {
    for (const path of ['/', '/journal', '/session/x', '/bus', '/insights', '/rules', '/schema', '/doctor']) {
      const got = await ask(at, { path })
      expect({ path, status: got.status }).toEqual({ path, status: 401 })
      expect(got.text).toContain('<code>gantry web</code>')
      expect(got.text).not.toContain('<script')
    }
  })

  test('the hook token is no cookie, and the cookie no token', async () => {
    const token = hookToken(at)
    for (const headers of [
      { authorization: `Bearer ${token}` },
      { cookie: `gantry-page-${portOf(at)}=${token}` },
    ]) {
      expect((await ask(at, { headers })).status).toBe(401)
      expect((await post(at, '', '/api/call', status, headers)).status).toBe(401)
    }
    expect((await ask(at, { path: '/sessions', headers: { cookie } })).status).toBe(401)
    const hook = { method: 'POST', path: '/hooks/claude', body: '{}' }
    expect((await ask(at, { ...hook, headers: { cookie, 'content-type': 'application/json' } })).status).toBe(
      401,
    )
  })

  test('a cookie is still good after a restart, and the one-time links are gone', async () => {
    const path = await newLink(at)
    expect(await daemon.kill('SIGKILL')).not.toBe(0)
    daemon = await startDaemon(at)
    expect(portOf(at)).toBe(PORT)
    expect((await ask(at, { headers: { cookie } })).status).toBe(200)
    expect((await post(at, cookie, '/api/call', status)).status).toBe(200)
    expect((await ask(at, { path })).status).toBe(403)
    const file = at.pageLogins
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).not.toContain(cookie.split('=')[1] ?? '-')
  })

  test('"gantry web sign-out" signs out every browser at once', async () => {
    const mine = await signIn(at)
    using page = live(at, { cookie: mine, origin: originOf(at) })
    await page.has('snapshot')
    const { stdout } = await gantry(at, 'web', 'sign-out')
    expect(stdout).toMatch(/^Signed out \d+ browsers?\.\n$/)
    await until(() => page.socket.readyState === WebSocket.CLOSED, 'the end of its connection')
    expect((await post(at, mine, '/api/call', status)).status).toBe(401)
    cookie = await signIn(at)
  })

  test('a link that nobody has used yet is void after a sign-out', async () => {
    const path = await newLink(at)
    await gantry(at, 'web', 'sign-out')
    expect((await ask(at, { path })).status).toBe(403)
    cookie = await signIn(at)
  })

  test('a flood of calls holds up no hook, and what is too much is refused', async () => {
    const heavy = {
      cmd: 'rules.test',
      args: { agent: 'claude', command: 'cd a;rm b;'.repeat(6_000), cwd: '/' },
    }
    let done = 0
    const calls = Array.from({ length: 120 }, () =>
      post(at, cookie, '/api/call', heavy).then(({ status }) => {
        done += 1
        return status
      }),
    )
    await until(() => done > 0, 'the first answer')
    await sendFrame(at, { payload: JSON.stringify(stop) })
    expect(done).toBeLessThan(calls.length) // the hook did not wait for all of them
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200, 503]))
  })

  test('"gantry web --print" prints a link, of a session, too; an agent gets none', async () => {
    await sendFrame(at, { payload: JSON.stringify(stop) })
    const { stdout } = await gantry(at, 'web', '--print', 's1')
    expect(stdout).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/open\?once=[\w-]{43}&to=%2Fsession%2Fclaude%253As1\n$/,
    )
    const inside = await run([join(ROOT, 'bin/gantry'), 'web', '--print'], at, '', { CLAUDECODE: '1' })
    expect(inside.exit).toBe(1)
    expect(inside.stdout).toBe('')
    expect(inside.stderr).toContain('inside an agent')
  })
})

describe('addresses', () => {
  test('another Host is refused for everything, also with the cookie and a good link', async () => {
    for (const host of [
      'evil.example',
      `evil.example:${PORT}`,
      '127.0.0.1',
      `127.0.0.1.evil.example:${PORT}`,
      '[::1]',
    ]) {
      expect((await ask(at, { headers: { host, cookie } })).status, host).toBe(403)
      expect(cookieIn(await ask(at, { path: await newLink(at), headers: { host } })), host).toBeUndefined()
      expect((await post(at, cookie, '/api/call', status, { host })).status, host).toBe(403)
    }
  })

  test('a foreign Origin, and none at all on a POST', async () => {
    for (const origin of [
      'http://evil.example',
      'null',
      `http://127.0.0.1:${PORT + 1}`,
      `https://127.0.0.1:${PORT}`,
      `http://localhost:${PORT}`, // ours, but not where the page is
      undefined,
    ])
      expect((await post(at, cookie, '/api/call', status, { origin })).status, origin).toBe(403)
  })

  test('a request of another site is refused, whatever it looks like', async () => {
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await post(at, cookie, '/api/call', status, { 'sec-fetch-site': site })).status).toBe(403)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', undefined])
      expect((await post(at, cookie, '/api/call', status, { 'content-type': type })).status).toBe(415)
    for (const header of [undefined, '', '0', 'yes'])
      expect((await post(at, cookie, '/api/call', status, { 'x-gantry-page': header })).status).toBe(403)
    expect((await post(at, cookie, '/api/call', status)).status).toBe(200)
  })

  test('other methods', async () => {
    const origin = originOf(at)
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
      const got = await ask(at, { method, path: '/api/call', headers: { cookie, origin } })
      expect(got.status).toBe(405)
      expect(headersOf(got)['access-control-allow-origin']).toBeUndefined()
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect((await ask(at, { method, path: '/', headers: { cookie, origin } })).status).toBe(405)
  })
})

describe('what is served', () => {
  test('the same strict headers on everything', async () => {
    const paths = ['/', '/open', '/journal', '/assets/nothing.js', '/api/call', '/api/nothing']
    for (const path of paths)
      for (const headers of [{}, { cookie }]) {
        const got = headersOf(await ask(at, { path, headers }))
        const policy = got['content-security-policy'] ?? ''
        for (const part of [
          "default-src 'none'",
          "script-src 'self'",
          "frame-ancestors 'none'",
          "form-action 'none'",
        ])
          expect(policy).toContain(part)
        expect(policy).not.toContain('unsafe')
        expect(got).toMatchObject({
          'x-frame-options': 'DENY',
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
          'cache-control': 'no-store',
        })
      }
  })

  test('every view is the page; its files have hashed names and stay', async () => {
    const { body, headers } = await ask(at, { headers: { cookie } })
    expect(headers['content-encoding']).toBe('gzip')
    const html = gunzipSync(body).toString()
    expect(gunzipSync((await ask(at, { path: '/session/a%2Fb', headers: { cookie } })).body).toString()).toBe(
      html,
    )
    expect(html).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=|\sstyle=/)
    const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1] ?? '')
    expect(files.length).toBeGreaterThanOrEqual(2)
    for (const path of files) {
      expect(path).toMatch(/^\/assets\/[\w-]+-[a-z0-9]{8}\.(js|css|svg)$/)
      const got = await ask(at, { path, headers: { cookie } })
      expect(got.status).toBe(200)
      expect(got.headers['cache-control']).toContain('immutable')
      expect(gunzipSync(got.body).length).toBeGreaterThan(0)
    }
  })

  test('no other file of this machine', async () => {
    for (const path of [
      '/assets/../../../etc/passwd',
      '/assets/..%2f..%2f..%2fetc%2fpasswd',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/assets//etc/passwd',
      '/assets/index.html',
      '/assets/',
      '/assets/__proto__',
      '/assets/constructor',
      '/assets/a%00b',
    ]) {
      const got = await ask(at, { path, headers: { cookie } })
      expect([401, 404], path).toContain(got.status)
      expect(got.text, path).not.toContain('root:')
    }
  })
})

describe('calls', () => {
  test('reads are answered as on the socket', async () => {
    await sendFrame(at, { payload: JSON.stringify(stop) })
    const got = await post(at, cookie, '/api/call', { cmd: 'sessions.get', args: { session: 's1' } })
    expect(got.status).toBe(200)
    expect(JSON.parse(got.text)).toMatchObject({ ok: true, data: { key: 'claude:s1' } })
    const query = await post(at, cookie, '/api/call', { cmd: 'events.list', args: { limit: 1 } })
    expect(JSON.parse(query.text)).toMatchObject({ ok: true, data: [{ type: 'Stop' }] })
    const wrong = await post(at, cookie, '/api/call', { cmd: 'sessions.get', args: { session: 'nobody' } })
    expect(JSON.parse(wrong.text)).toMatchObject({ ok: false, error: 'VALIDATION_ERROR' })
  })

  test('everything that is not on the list is refused, first of all what decides for a person', async () => {
    const names = (await call(at, 'calls')).map(({ name }) => name)
    const refused = names.filter((name) => !PAGE_CALLS.has(name))
    for (const name of [
      ...[
        'approvals.answer',
        'budgets.raise',
        'rules.trust',
        'rules.untrust',
        'stop',
        'web.link',
        'web.allow',
      ],
      ...[
        'web.revoke',
        'web.signOut',
        'bus.register',
        'bus.unregister',
        'bus.emit',
        'events.import',
        'query',
      ],
      ...['bus.natsInfo', 'effort.inject', 'notify.test', 'bus.webhooks.test', 'bus.consumers.delete'],
    ])
      expect(refused).toContain(name)
    for (const cmd of [...refused, 'nothing', '', 7, null, 'constructor', ['status']]) {
      const got = await post(at, cookie, '/api/call', { cmd, args: {} })
      expect({ cmd, status: got.status }).toEqual({ cmd, status: 403 })
      expect(JSON.parse(got.text)).toMatchObject({ ok: false, error: 'PERMISSION' })
    }
    expect(await call(at, 'status')).toMatchObject({ pid: daemon.pid })
  })

  test('what is no call', async () => {
    for (const body of ['', '{', 'null', '[]', '"x"', '7'])
      expect((await post(at, cookie, '/api/call', body)).status, body).toBe(400)
    expect((await post(at, cookie, '/api/nothing', {})).status).toBe(404)
  })

  test('a huge body is refused before it is read', async () => {
    const large = JSON.stringify({ cmd: 'status', args: { x: 'x'.repeat(300_000) } })
    expect((await post(at, cookie, '/api/call', large)).status).toBe(413)
    expect(await endlessPost()).toContain(' 413 ')
  })

  /** Says that gigabytes come, and sends a part. */
  function endlessPost(): Promise<string> {
    const head = [
      'POST /api/call HTTP/1.1',
      `host: 127.0.0.1:${PORT}`,
      `origin: ${originOf(at)}`,
      `cookie: ${cookie}`,
      'content-type: application/json',
      'x-gantry-page: 1',
      'content-length: 1500000000',
    ]
    return new Promise((resolve, reject) => {
      const socket = connect(PORT, '127.0.0.1', () => {
        socket.write(`${head.join('\r\n')}\r\n\r\n`)
        socket.write(Buffer.alloc(1024 * 1024, 'x'))
      })
      socket.on('error', reject)
      socket.on('data', (chunk: Buffer) => {
        resolve(chunk.toString())
        socket.destroy()
      })
    })
  }
})

describe('the live connection', () => {
  test('needs the cookie and the Origin', async () => {
    const origin = originOf(at)
    for (const headers of [
      { origin },
      { cookie },
      { cookie, origin: 'http://evil.example' },
      { cookie, origin: `http://127.0.0.1:${PORT + 1}` },
      { cookie, origin: `http://localhost:${PORT}` },
      { cookie, origin, 'sec-fetch-site': 'same-site' },
      { cookie: `gantry-page-${PORT}=${hookToken(at)}`, origin },
      { authorization: `Bearer ${hookToken(at)}`, origin },
    ]) {
      using page = live(at, headers as Record<string, string>)
      await until(() => page.socket.readyState === WebSocket.CLOSED, 'a refusal')
      expect(page.messages).toEqual([])
    }
    const plain = await ask(at, { path: '/api/live', headers: { cookie, origin } })
    expect(plain.status).toBe(400)
  })

  test('says who it is, tells all sessions, then each that changes', async () => {
    using page = live(at, { cookie, origin: originOf(at) })
    const { snapshot } = await page.has('snapshot')
    expect(page.messages[0]).toMatchObject({
      hello: { version: expect.any(String), host: expect.any(String) },
    })
    const { seq } = snapshot as { seq: number }
    await sendFrame(at, { payload: JSON.stringify({ ...stop, session_id: 'live' }) })
    const change = await page.has('session')
    expect(change).toMatchObject({ session: { key: 'claude:live' } })
    expect(change.seq).toBeGreaterThan(seq)
  })

  test('tells events from any place on, without payloads, until it is told to stop', async () => {
    using page = live(at, { cookie, origin: originOf(at) })
    await page.has('snapshot')
    page.socket.send(JSON.stringify({ tail: { after: 0, query: { session: 'tail' } } }))
    const prompt = { hook_event_name: 'UserPromptSubmit', session_id: 'tail', prompt: '<b>\u2028"\n' }
    await sendFrames(at, [
      { payload: JSON.stringify({ ...stop, session_id: 'other' }) },
      { payload: JSON.stringify(prompt) },
      { payload: JSON.stringify({ ...stop, session_id: 'tail' }) },
    ])
    const seen = () => page.messages.flatMap((one) => (one.events ?? []) as Record<string, unknown>[])
    await until(() => seen().length === 2, 'two events')
    expect(seen()).toMatchObject([{ type: 'UserPromptSubmit', prompt: '<b>\u2028"\n' }, { type: 'Stop' }])
    for (const event of seen()) expect(Object.keys(event)).not.toContain('raw')
    const lasts = page.messages.map(({ last }) => last).filter((last) => last !== undefined)
    expect(lasts.at(-1)).toEqual(seen().at(-1)?.seq)
    page.socket.send(JSON.stringify({ tail: null }))
    page.socket.send(JSON.stringify({ tail: { query: { nonsense: 1 } } }))
    await page.has('refused')
    await sendFrame(at, { payload: JSON.stringify({ ...stop, session_id: 'tail' }) })
    await page.has('session', (one) => (one.session as { key: string }).key === 'claude:tail')
    expect(seen().length).toBe(2)
  })

  test('what it does not understand is refused; what is too long ends it', async () => {
    using page = live(at, { cookie, origin: originOf(at) })
    await page.has('snapshot')
    for (const said of ['x', '7', '[]', '{}', '{"tail":7}', '{"tail":{"after":"x"}}']) {
      const before = page.messages.length
      page.socket.send(said)
      await until(() => page.messages.slice(before).some((one) => 'refused' in one), `a refusal of ${said}`)
    }
    page.socket.send('x'.repeat(5000))
    await until(() => page.socket.readyState === WebSocket.CLOSED, 'the end')
  })

  test('a reader that does not read holds up nobody, and has everything at the end', async () => {
    const socket = connect(PORT, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    const head = [
      'GET /api/live HTTP/1.1',
      `host: 127.0.0.1:${PORT}`,
      `origin: ${originOf(at)}`,
      `cookie: ${cookie}`,
    ]
    const upgrade = ['connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13']
    const key = 'sec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg=='
    socket.write(`${[...head, ...upgrade, key].join('\r\n')}\r\n\r\n`)
    const text = () => Buffer.concat(chunks).toString('latin1')
    await until(() => text().includes('{"snapshot"'), 'a snapshot')
    const from = (await call(at, 'status')).lastSeq
    socket.write(textFrame(JSON.stringify({ tail: { after: from, query: { session: 'slow' } } })))
    socket.pause()
    const EVENTS = 3_000
    const prompt = 'y'.repeat(4_000) // twelve megabytes, more than the kernel takes
    const frames = Array.from({ length: EVENTS }, (_, n) => ({
      payload: JSON.stringify({
        hook_event_name: 'UserPromptSubmit',
        session_id: 'slow',
        prompt: `${n} ${prompt}`,
      }),
    }))
    await sendFrames(at, frames)
    expect((await post(at, cookie, '/api/call', status)).status).toBe(200)
    socket.resume()
    await until(() => text().includes(`"prompt":"${EVENTS - 1} yyy`), 'the last event', 60_000)
    const told = [...text().matchAll(/"prompt":"(\d+) y/g)].map((one) => Number(one[1]))
    socket.destroy()
    expect(told.filter((n, i) => n === i).length).toBe(EVENTS)
  })
})

/** A masked text frame of up to 125 bytes, as a browser sends it; the mask is zero. */
function textFrame(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]), bytes])
}
