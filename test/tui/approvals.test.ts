/** A permission that is held, answered on the fleet's screen in a real tmux. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { waiting } from '../daemon/approval-kit.ts'
import {
  envFor,
  frame,
  GANTRY,
  makeHome,
  parseReply,
  type RunningDaemon,
  startDaemon,
  until,
} from '../kit.ts'
import { startTmux, type TestPane, type Tmux } from './terminal.ts'

const LIMIT_MS = 120_000
const home = makeHome('[summary]\nmode = "off"\n')
let daemon: RunningDaemon
let tmux: Tmux
const sockets = new Set<Socket>()

beforeAll(async () => {
  daemon = await startDaemon(home)
  tmux = await startTmux()
}, LIMIT_MS)

afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await tmux[Symbol.asyncDispose]()
  await daemon.kill('SIGKILL')
})

/** As the hook of a Claude Code that somebody sits before; gives what it is answered, once it is. */
function asks(session: string, command: string, cwd = '/'): () => string | undefined {
  const payload = JSON.stringify({
    hook_event_name: 'PermissionRequest',
    session_id: session,
    prompt_id: session,
    cwd,
    tool_name: 'Bash',
    tool_input: { command },
  })
  const socket = connect(home.socket)
  sockets.add(socket)
  let got = ''
  socket.on('data', (chunk) => {
    got += chunk.toString()
  })
  const env = { CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_CODE_SESSION_ATTENDED: '1' }
  socket.write(frame({ event: 'PermissionRequest', payload, header: { hold: true, env } }))
  return () => parseReply(Buffer.from(got.replace(/^(hold \d+\n)+/, '')))?.stdout
}

async function open(): Promise<TestPane> {
  await waiting(home) // a cursor that has just moved counts as not yet seen
  const pane = tmux.open([GANTRY], { env: envFor(home), width: 100, height: 30 })
  await pane.shows('approve')
  return pane
}

describe('on the screen of the fleet', () => {
  test(
    'the cursor stays on the session that was answered, whoever asks next',
    async () => {
      const web = asks('first', 'npm publish', '/web')
      const pane = await open()
      const name = /▌ +▲ ✻ (\S+)/.exec(await pane.shows(/▌ +▲ ✻ /))?.[1] ?? ''
      pane.keys('a')
      await pane.shows('Approve this?')
      pane.keys('y')
      await until(web, 'the answer', LIMIT_MS)
      const api = asks('second', 'npm test', '/api')
      expect(await pane.shows(/▾ api +▲ 1/)).toMatch(new RegExp(`▌ +\\S ✻ ${name} `))
      pane.keys('n')
      await pane.shows('x deny')
      pane.keys('x')
      await pane.shows('because:')
      pane.keys('Enter')
      await until(api, 'the answer', LIMIT_MS)
      pane.keys('q')
    },
    LIMIT_MS,
  )

  test(
    'a approves after a yes to the whole command',
    async () => {
      const answer = asks('s1', 'touch made && git push')
      const pane = await open()
      await pane.shows(/a approve .* left/)
      pane.keys('a')
      await pane.shows(/wants to use Bash:\s+touch made && git push/)
      await pane.shows('Approve this?')
      expect(answer()).toBeUndefined()
      pane.keys('y')
      await until(answer, 'the answer', LIMIT_MS)
      expect(answer()).toContain('"behavior":"allow"')
      await pane.shows('Approved')
      pane.keys('q')
    },
    LIMIT_MS,
  )

  test(
    'x denies, and says why',
    async () => {
      const answer = asks('s2', 'rm -r x')
      const pane = await open()
      pane.keys('n')
      await pane.shows(/x deny/)
      pane.keys('x')
      await pane.shows('because:')
      pane.keys('-l', 'not now')
      await pane.shows('not now')
      pane.keys('Enter')
      await until(answer, 'the answer', LIMIT_MS)
      expect(answer()).toContain('"message":"not now"')
      pane.keys('q')
    },
    LIMIT_MS,
  )
})
