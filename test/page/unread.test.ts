/** Live connections whose other end reads nothing: what they leave in memory is bounded, and no other page suffers for long. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { call } from '../../src/client/index.ts'
import { makeHome, type RunningDaemon, sendFrames, startDaemon, until } from '../kit.ts'
import { live, originOf, portOf, signIn } from './page-kit.ts'

const SESSIONS = 3_000
const DEAF = 63 // with one more, all that the daemon takes
const MB = 1024 * 1024

const at = makeHome()
let daemon: RunningDaemon
let cookie = ''

beforeAll(async () => {
  daemon = await startDaemon(at)
  cookie = await signIn(at)
  for (let from = 0; from < SESSIONS; from += 500)
    await sendFrames(
      at,
      Array.from({ length: 500 }, (_, n) => ({
        payload: JSON.stringify({
          ...{ hook_event_name: 'UserPromptSubmit', session_id: `s${from + n}`, cwd: '/' },
          prompt: `${from + n} ${'long '.repeat(1_000)}`,
        }),
      })),
    )
})

afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

/** Opens a live connection, and reads nothing of it but the answer to its handshake. */
function deaf(): Socket {
  const socket = connect(portOf(at), '127.0.0.1')
  const head = [
    'GET /api/live HTTP/1.1',
    `host: 127.0.0.1:${portOf(at)}`,
    `origin: ${originOf(at)}`,
    `cookie: ${cookie}`,
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==',
  ]
  socket.on('error', () => {})
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.pause()
  return socket
}

const memory = () => Number(readFileSync(`/proc/${daemon.pid}/statm`, 'utf8').split(' ')[1]) * 4096

test('they do not add up, and a page that reads gets its sessions', async () => {
  using first = live(at, { cookie, origin: originOf(at) })
  const { snapshot } = await first.has('snapshot')
  const { sessions } = snapshot as { sessions: object[] }
  expect(sessions.length).toBe(SESSIONS)
  const bytes = JSON.stringify(sessions).length
  first.socket.close()
  await call(at, 'status')
  const before = memory()
  const sockets = Array.from({ length: DEAF }, deaf)
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, memory())
  }, 100)
  await Bun.sleep(8_000) // they are served, as far as they are
  const grown = (most - before) / MB
  console.log(`${(bytes / MB).toFixed(1)} MB each, ${grown.toFixed(0)} MB more for ${DEAF} that do not read`)
  // All of them together would be 63 times as much.
  expect(grown).toBeLessThan((DEAF * bytes) / MB / 4)

  using page = live(at, { cookie, origin: originOf(at) })
  const asked = performance.now()
  await until(() => page.messages.some((one) => 'snapshot' in one), 'the sessions, for who reads')
  console.log(`whoever reads has waited ${Math.round(performance.now() - asked)} ms`)
  clearInterval(watch)
  for (const socket of sockets) socket.destroy()
}, 120_000)
