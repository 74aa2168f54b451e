/** Addresses in a browser: those that lead nowhere, those that only look like this page, and pages around it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Places } from '../../src/core/files/paths.ts'
import { makeHome, type RunningDaemon, sendFrame, startDaemon, until } from '../kit.ts'
import { startBrowser, type TestBrowser, type TestPage, violationsOf } from './kit.ts'
import { ask, hookToken, originOf, portOf } from './page-kit.ts'

const FOREIGN = 'rebound.example'

let at: Places
let daemon: RunningDaemon
let browser: TestBrowser
let opened: TestPage

beforeAll(async () => {
  at = makeHome()
  ;[daemon, browser] = await Promise.all([
    startDaemon(at),
    startBrowser([`--host-resolver-rules=MAP ${FOREIGN} 127.0.0.1`]),
  ])
  await sendFrame(at, {
    payload: JSON.stringify({ hook_event_name: 'Stop', session_id: 'secret-otter', cwd: '/' }),
  })
  opened = await browser.open(at)
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await daemon?.kill('SIGKILL')
})

/** As a browser asks when somebody types an address. */
const typed = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const LOST = [
  '/nonsense',
  '/nonsense/',
  '/a/b/c.html',
  '/bus/nonsense',
  '/session',
  '/session/',
  '/%3Cscript%3Ealert(1)%3C/script%3E',
]

describe('an address that leads nowhere', () => {
  test('says so, and leads to the fleet', async () => {
    const { page } = opened
    for (const path of LOST) {
      const answer = await page.goto(originOf(at) + path)
      expect({ path, status: answer?.status() }).toEqual({ path, status: 404 })
      await page.getByRole('heading', { name: 'There is no such view' }).waitFor()
      if (path === LOST[0]) expect(await violationsOf(page)).toEqual([]) // the others show the same
      await page.getByRole('link', { name: 'To the fleet' }).click()
      await page.getByText('secret-otter').or(page.locator('.row.session')).first().waitFor()
    }
  })

  test('without a cookie the same as any other: how to get in, and nothing else', async () => {
    const known = await ask(at, { path: '/journal', headers: typed })
    for (const path of LOST) {
      const got = await ask(at, { path, headers: typed })
      expect({ path, status: got.status, text: got.text }).toEqual({ path, status: 401, text: known.text })
    }
    const context = await opened.context.browser()?.newContext()
    const page = await context?.newPage()
    await page?.goto(`${originOf(at)}/nonsense`)
    expect(await page?.locator('main').textContent()).toMatch(/^gantry\s*Run gantry web in a terminal\./)
    await context?.close()
  })

  test('of a view with a slash at its end is that view', async () => {
    const answer = await opened.page.goto(`${originOf(at)}/journal/`)
    expect(answer?.status()).toBe(200)
    await opened.page.getByRole('search', { name: 'Events' }).waitFor()
  })

  test('is JSON for programs, and so is every address of theirs', async () => {
    const authorization = `Bearer ${hookToken(at)}`
    const asked = [
      [{ path: '/nonsense' }, 401],
      [{ path: '/nonsense', headers: { accept: '*/*' } }, 401],
      [{ path: '/nonsense', headers: { ...typed, authorization } }, 404],
      [{ path: '/nonsense', method: 'POST', headers: typed }, 401],
      [{ path: '/sessions', headers: typed }, 401],
      [{ path: '/metrics', headers: typed }, 401],
      [{ path: '/hooks/claude', headers: typed }, 401],
      [{ path: '/api/nonsense', headers: typed }, 403],
    ] as const
    for (const [one, status] of asked) {
      const got = await ask(at, one)
      expect({ ...one, status: got.status }).toEqual({ ...one, status })
      expect(JSON.parse(got.text)).toMatchObject({ ok: false })
    }
  })
})

describe('a page around this one', () => {
  test('is refused by the browser, also one of this very host, which the cookie is sent for', async () => {
    using server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ url }) =>
        new URL(url).pathname === '/inner'
          ? new Response('<h1>inner</h1>', { headers: { 'content-type': 'text/html' } })
          : new Response(
              `<iframe name="own" src="/inner"></iframe>
               ${['/', '/journal', '/nonsense', '/open']
                 .map((path) => `<iframe name="ours" src="${originOf(at)}${path}"></iframe>`)
                 .join('')}`,
              { headers: { 'content-type': 'text/html' } },
            ),
    })
    const page = await opened.context.newPage()
    const refused: string[] = []
    page.on('console', (message) => refused.push(message.text()))
    for (const host of ['127.0.0.1', FOREIGN]) {
      refused.length = 0
      await page.goto(`http://${host}:${server.port}/`)
      expect(await page.frame('own')?.locator('h1').textContent()).toBe('inner') // frames as such do work here
      await until(
        () => refused.filter((text) => /frame-ancestors|X-Frame-Options/i.test(text)).length >= 4,
        'four refusals',
      )
      const frames = page.frames().filter((frame) => frame.name() === 'ours')
      expect(frames.length).toBe(4)
      for (const frame of frames) {
        expect(frame.url()).toMatch(/^chrome-error:/)
        expect(await frame.locator('nav, .plain').count()).toBe(0)
      }
    }
    await page.close()
  })
})

describe('a foreign name that leads here', () => {
  test('shows nothing of the page, and its scripts are answered nothing', async () => {
    const page = await opened.context.newPage()
    const foreign = `http://${FOREIGN}:${portOf(at)}`
    for (const path of ['/', '/journal', '/open?once=x', '/assets/x.js', '/nonsense', '/health']) {
      const answer = await page.goto(foreign + path)
      expect({ path, status: answer?.status() }).toEqual({ path, status: 403 })
      expect(await page.locator('body').textContent()).toContain('this Host is not allowed')
    }
    // A document of that origin: what a script of theirs could read as its own.
    const got = await page.evaluate<{ calls: number[]; opened: boolean }>(`(async () => {
      const headers = { 'content-type': 'application/json', 'x-gantry-page': '1' }
      const ask = (path, more) => fetch(path, { credentials: 'include', ...more }).then(({ status }) => status)
      const calls = [
        await ask('/'),
        await ask('/sessions'),
        await ask('/api/call', { method: 'POST', headers, body: '{"cmd":"status"}' }),
        await ask('/hooks/claude', { method: 'POST', headers, body: '{}' }),
      ]
      const opened = await new Promise((done) => {
        const socket = new WebSocket('ws://' + location.host + '/api/live')
        socket.onopen = () => done(true)
        socket.onerror = () => done(false)
      })
      return { calls, opened }
    })()`)
    expect(got).toEqual({ calls: [403, 403, 403, 403], opened: false })
    await page.close()
  })
})
