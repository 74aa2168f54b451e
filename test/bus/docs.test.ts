/** The examples in docs/bus.md do what the page says. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { BURSTY } from '../../src/bus/consumers/reader.ts'
import { makeHome, ROOT, type RunningDaemon, run, sendFrame, startDaemon, tempDir, until } from '../kit.ts'

const page = readFileSync(join(ROOT, 'docs/bus.md'), 'utf8')

/** The blocks under a comment "run", by what it says they are. */
const blocks = (kind: string) =>
  [...page.matchAll(/<!-- run(?:: (\w+))? -->\n```\w*\n([\s\S]*?)```/g)]
    .filter(([, named = 'sh']) => named === kind)
    .map(([, , text = '']) => text.trimEnd())

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
  for (const hook_event_name of ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop'])
    await sendFrame(at, { payload: JSON.stringify({ session_id: 's1', hook_event_name, tool_name: 'Bash' }) })
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

test('every line of the shell examples works', async () => {
  const lines = blocks('sh').flatMap((block) => block.split('\n'))
  expect(lines.length).toBeGreaterThan(8)
  for (const line of lines) {
    expect(line).toStartWith('gantry ')
    const ran = await run(['sh', '-c', `PATH=${join(ROOT, 'bin')}:$PATH; ${line}`], at)
    expect({ line, exit: ran.exit, stderr: ran.stderr }).toEqual({ line, exit: 0, stderr: '' })
    expect(ran.stdout).not.toBe('')
    if (line.includes('--json')) for (const one of jsonOf(ran.stdout)) expect(one).toBeDefined()
  }
}, 120_000)

/** One value, or one a line. */
function jsonOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
  }
}

test('the conversation on the socket goes as it is written', async () => {
  const [talk = ''] = blocks('socket')
  const socket = connect(at.socket)
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk.toString()
  })
  const answers: string[] = []
  for (const line of talk.split('\n')) {
    if (line.startsWith('→ ')) {
      socket.write(`${line.slice(2)}\n`)
      continue
    }
    answers.push(line.slice(2))
    await until(() => heard.split('\n').length > answers.length, line)
  }
  socket.destroy()
  expect(answers).toHaveLength(4)
  const got = heard.trim().split('\n')
  expect(got.map(shapeOf)).toEqual(answers.map(shapeOf))
})

/** Ids, times and payloads differ from day to day; the fields and the rest do not. */
function shapeOf(line: string): unknown {
  const varying = ['id', 'at', 'data']
  return JSON.parse(line, (key, value: unknown) =>
    varying.includes(key) && (typeof value === 'string' || typeof value === 'number') ? typeof value : value,
  )
}

test('the example in TypeScript runs', async () => {
  const [code = ''] = blocks('ts')
  const file = join(tempDir(), 'example.ts')
  writeFileSync(file, code.replaceAll("'gantry/sdk'", `'${ROOT}/src/sdk/index.ts'`))
  const ran = await run([process.execPath, file], at)
  expect(ran).toMatchObject({ exit: 0, stdout: '4 s1\n' })
})

test('the address over HTTP is there', async () => {
  const [line = ''] = blocks('http')
  const path = /http:\/\/127\.0\.0\.1:\d+(\/[^"]+)"/.exec(line)?.[1] ?? ''
  expect(path).toStartWith('/bus/events?')
  const { url } = JSON.parse(readFileSync(at.http, 'utf8')) as { url: string }
  const headers = { authorization: `Bearer ${readFileSync(at.token, 'utf8').trim()}` }
  const response = await fetch(url + path, { headers })
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  while (!text.includes('id: 4\n')) text += new TextDecoder().decode((await reader.read()).value)
  await reader.cancel()
})

test('the page names the events that may be coalesced, and no link leads nowhere', () => {
  for (const type of BURSTY) expect(page.includes(`\`${type}\``), `the page lacks ${type}`).toBe(true)
  for (const [, target = ''] of page.matchAll(/\]\((?!https?:|#)([^)#]+)/g))
    expect(existsSync(join(dirname(join(ROOT, 'docs/bus.md')), target)), target).toBe(true)
})
