/** The page from a start to its demo: what a new user does, and what the programs bring along. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Finding, SessionView } from '../../src/client/index.ts'
import {
  envFor,
  GANTRY,
  journal,
  makeHome,
  ROOT,
  type RunningDaemon,
  run,
  sendFrame,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'
import { processes } from '../litter.ts'
import { ask, cookieIn, live, originOf, post, signIn } from './page-kit.ts'

const at = makeHome()
let daemon: RunningDaemon
let cookie = ''
beforeAll(async () => {
  daemon = await startDaemon(at)
  cookie = await signIn(at)
})
afterAll(async () => {
  await daemon?.kill('SIGKILL')
})

test('a daemon in the foreground prints a link that shows the page; inside an agent it prints none', async () => {
  for (const [env, isForPerson] of [
    [{}, true],
    [{ CLAUDECODE: '1' }, false],
  ] as const) {
    const at = makeHome()
    const child = Bun.spawn([GANTRY, 'up', '--foreground'], {
      env: envFor(at, env),
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'ignore',
    })
    processes.add(child)
    let text = ''
    const decoder = new TextDecoder()
    for await (const part of child.stdout) {
      text += decoder.decode(part)
      if (text.includes('Next:')) break
    }
    child.kill('SIGTERM')
    const link = /http:\/\/127\.0\.0\.1:\d+(\/open\?once=[\w-]{43})/.exec(text)
    expect(link !== null).toBe(isForPerson)
    await child.exited
  }
})

test('on an empty fleet the demo appears live, marked as replayed, and ends when it is told to', async () => {
  const say = async (cmd: string) => JSON.parse((await post(at, cookie, '/api/call', { cmd })).text)
  using page = live(at, { cookie, origin: originOf(at) })
  await page.has('snapshot')
  const { ok, data } = await say('demo.start')
  expect({ ok, isLater: data?.until > Date.now() }).toEqual({ ok: true, isLater: true })
  expect((await say('demo.start')).data).toEqual(data) // the same one
  const sessions = () => page.messages.flatMap(({ session }) => (session ? [session as SessionView] : []))
  await until(() => new Set(sessions().map(({ agent }) => agent)).size >= 2, 'sessions of two agents')
  expect(sessions().every(({ replayed }) => replayed === true)).toBe(true)
  expect((await say('demo.stop')).data).toEqual({ stopped: true })
  await until(async () => {
    const { data: all } = await say('sessions.list')
    return (all as SessionView[]).length === 0 && (await say('demo.stop')).data.stopped === false
  }, 'the end of the demo')
  const own = "SELECT count(*) AS n FROM events WHERE transport NOT IN ('replay') AND agent <> 'gantry'"
  expect(journal<{ n: number }>(at, own)).toEqual([{ n: 0 }])
})

test('among agents at work there is no demo', async () => {
  const prompt = { hook_event_name: 'UserPromptSubmit', session_id: 's1', cwd: '/', prompt: 'go' }
  await sendFrame(at, { payload: JSON.stringify(prompt) })
  const got = await post(at, cookie, '/api/call', { cmd: 'demo.start' })
  expect(JSON.parse(got.text)).toMatchObject({ ok: false, message: expect.stringContaining('at work') })
})

test('the pane of a session is shown in the terminal that was used last, and no other pane', async () => {
  const socket = join(tempDir(), 'tmux')
  const tmux = async (...argv: string[]) =>
    (await run(['tmux', '-f', '/dev/null', '-S', socket, ...argv], at, '', { TERM: 'xterm' })).stdout.trim()
  const wanted = await tmux('new-session', '-d', '-P', '-F', '#{pane_id}', '-s', 'agents', 'sleep 600')
  await tmux('new-session', '-d', '-s', 'mine', 'sleep 600')
  const attach = `tmux -S ${socket} attach -t mine`
  const terminal = Bun.spawn(['script', '-qfc', attach, '/dev/null'], {
    env: envFor(at, { TERM: 'xterm' }),
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  processes.add(terminal)
  try {
    await until(async () => (await tmux('list-clients')) !== '', 'a terminal')
    const pid = await tmux('display-message', '-p', '#{pid}')
    const jump = async (session: string) =>
      JSON.parse((await post(at, cookie, '/api/call', { cmd: 'tmux.jump', args: { session } })).text)
    for (const [session_id, header] of [
      ['inside', { tmux: `${socket},${pid},0`, pane: wanted }],
      ['outside', {}],
      ['lost', { tmux: `${socket},${pid},0`, pane: '%99' }],
    ] as const)
      await sendFrame(at, {
        payload: JSON.stringify({ hook_event_name: 'Stop', session_id, cwd: '/' }),
        header,
      })
    expect(await jump('inside')).toMatchObject({
      ok: true,
      data: { client: expect.stringContaining('/dev/') },
    })
    expect(await tmux('list-clients', '-F', '#{client_session}')).toBe('agents')
    expect(await jump('outside')).toMatchObject({
      ok: false,
      message: expect.stringContaining('no tmux pane'),
    })
    expect(await jump('lost')).toMatchObject({ ok: false, message: expect.stringContaining('is gone') })
    expect(await jump('nobody')).toMatchObject({ ok: false })
    terminal.kill()
    await until(async () => (await tmux('list-clients')) === '', 'no terminal')
    expect(await jump('inside')).toMatchObject({
      ok: true,
      data: { client: null, attach: `tmux -S ${socket} attach-session -t '${wanted}'` },
    })
  } finally {
    terminal.kill()
    await tmux('kill-server')
  }
})

test('the one binary brings the page along, whatever lies around it', async () => {
  const program = join(process.env.GANTRY_TEST_PROGRAMS ?? '', 'gantry')
  if (process.env.GANTRY_TEST_PROGRAMS === undefined) return // "npm test" has built it
  const alone = join(tempDir(), 'gantry')
  copyFileSync(program, alone)
  const at = makeHome()
  expect((await run([alone, 'up', '--quiet'], at)).exit).toBe(0)
  try {
    const link = (await run([alone, 'web', '--print'], at)).stdout.trim().slice(originOf(at).length)
    const cookie = cookieIn(await ask(at, { path: link }))
    const { status, body } = await ask(at, { headers: { cookie } })
    expect(status).toBe(200)
    const script = /src="(\/assets\/[^"]+)"/.exec(gunzipSync(body).toString())?.[1] ?? ''
    expect((await ask(at, { path: script, headers: { cookie } })).status).toBe(200)
    const found = JSON.parse((await run([alone, 'rpc', 'doctor'], at)).stdout) as Finding[]
    expect(found.filter(({ about }) => about === 'page')).toEqual([])
  } finally {
    await run([alone, 'down'], at)
  }
})

test('a package has it', async () => {
  const { stdout } = await run(['npm', 'pack', '--dry-run', '--json', '--ignore-scripts', ROOT], makeHome())
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }]
  const names = files.map(({ path }) => path)
  expect(names).toContain('dist/page.assets')
  expect(names).not.toContain('dist/gantry')
})
