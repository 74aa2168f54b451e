/** Summaries at the end of turns: without a model, by a command, by an endpoint; never in the way, never of themselves. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { childrenOf } from '../../src/core/processes/proc.ts'
import {
  gantryJson,
  HOOK,
  isGone,
  journal,
  makeHome,
  type RunningDaemon,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'
import { claudeTranscript, hook, sessionWith } from './kit.ts'

const summed = (at: Places, session = 's1') => sessionWith(at, session, ({ summary }) => summary, 'a summary')

async function turn(
  at: Places,
  session = 's1',
  answer = 'The cache evicts the oldest entry first now.',
): Promise<void> {
  await hook(at, 'UserPromptSubmit', { session_id: session, prompt: 'please fix the cache' })
  const call = {
    session_id: session,
    tool_name: 'Bash',
    tool_use_id: 't1',
    tool_input: { command: 'npm test' },
  }
  await hook(at, 'PreToolUse', call)
  await hook(at, 'PostToolUse', { ...call, tool_response: {} })
  await hook(at, 'PostToolUse', {
    session_id: session,
    tool_name: 'Write',
    tool_use_id: 't2',
    tool_input: { file_path: '/w/cache.ts' },
  })
  await hook(at, 'Stop', { session_id: session, last_assistant_message: answer })
}

interface Told {
  readonly agent: string
  readonly session_id: string
  readonly raw: string
}
const told = (at: Places, session?: string) =>
  journal<Told>(
    at,
    "SELECT agent, session_id, raw FROM events WHERE type = 'SessionSummarized' ORDER BY seq",
  ).filter(({ session_id }) => session === undefined || session_id === session)
const doctor = async (at: Places) => JSON.stringify(await call(at, 'doctor'))

const EXTRACTED = {
  title: 'Fix the cache',
  summary: 'The cache evicts the oldest entry first now. Changed cache.ts, ran 1 command.',
}

/** A program that a test writes, and the next one anew. */
function script(): { path: string; write(text: string): void } {
  const path = join(tempDir(), 'sum.sh')
  const write = (text: string) => {
    writeFileSync(`${path}.new`, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    renameSync(`${path}.new`, path)
  }
  return { path, write }
}

describe('without a model', () => {
  const at = makeHome()
  let daemon: RunningDaemon
  beforeAll(async () => {
    daemon = await startDaemon(at)
  })

  test('a stop is followed by a title and a summary, in the journal, on the stream and in TeleClaude’s words', async () => {
    await turn(at)
    expect(await summed(at)).toMatchObject(EXTRACTED)
    const [event] = told(at)
    expect(event).toMatchObject({ agent: 'gantry', session_id: 's1' })
    expect(JSON.parse(event?.raw ?? '{}')).toMatchObject({
      session_key: 'claude:s1',
      by: 'extract',
      ...EXTRACTED,
    })
    const [said] = (await gantryJson(at, 'sessions', '--json', '--dialect', 'teleclaude')) as object[]
    expect(said).toMatchObject({
      event_type: 'stop',
      ...EXTRACTED,
      last_message_sent: 'please fix the cache',
    })
    const streamed = "SELECT data FROM bus_messages WHERE stream = 'SESSION_EVENTS' AND type = 'idle'"
    await until(
      () => journal<{ data: string }>(at, streamed).some(({ data }) => data.includes(EXTRACTED.summary)),
      'the summary on the stream',
    )
  })

  test('the answer is found in the transcript where the stop does not say it', async () => {
    const session_id = 'docs'
    const transcript_path = claudeTranscript(at, session_id, [
      { type: 'user', uuid: 'u1', message: { role: 'user', content: 'fix the docs' } },
      {
        type: 'assistant',
        uuid: 'a1',
        message: { id: 'm', content: [{ type: 'text', text: 'Mended all three pages.' }] },
      },
    ])
    await hook(at, 'UserPromptSubmit', { session_id, prompt: 'fix the docs', transcript_path })
    await hook(at, 'Stop', { session_id, transcript_path })
    expect(await summed(at, session_id)).toMatchObject({
      title: 'Fix the docs',
      summary: 'Mended all three pages.',
      lastMessage: 'Mended all three pages.',
    })
  })

  test('a fleet that stops at once is summed up to the last, while hooks go on', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `fleet-${n}`)
    await Promise.all(
      names.map(async (session_id) => {
        await hook(at, 'UserPromptSubmit', { session_id, prompt: `mend ${session_id}` })
        await hook(at, 'Stop', { session_id, last_assistant_message: 'It works as it should again.' })
      }),
    )
    const left = () => {
      const done = new Set(told(at).map(({ session_id }) => session_id))
      return names.filter((name) => !done.has(name))
    }
    await until(
      async () => {
        await hook(at, 'PreToolUse', { session_id: 'busy', tool_name: 'Read' })
        return left().length === 0
      },
      'a summary of each',
      60_000,
    )
  })

  test('the same is not said twice, and a restart knows what was said and done before it', async () => {
    await hook(at, 'Stop', { last_assistant_message: 'The cache evicts the oldest entry first now.' })
    await daemon.kill('SIGKILL')
    await using _again = await startDaemon(at)
    expect(await summed(at)).toMatchObject(EXTRACTED)
    await hook(at, 'Stop', { last_assistant_message: 'The cache evicts the oldest entry first now.' })
    await turn(at, 's2')
    await summed(at, 's2')
    expect(told(at, 's1')).toHaveLength(1)
  })

  test('off is off', async () => {
    const at = makeHome('[summary]\nmode = "off"\n')
    await using _daemon = await startDaemon(at)
    const usage = { input_tokens: 1_000 }
    const message = { id: 'm1', role: 'assistant', model: 'claude-sonnet-4-5', content: [], usage }
    const line = { type: 'assistant', timestamp: '2026-11-15T10:00:00.000Z', message }
    const transcript_path = claudeTranscript(at, 's1', [line])
    await hook(at, 'SessionStart', { source: 'startup', transcript_path })
    await turn(at)
    // The cost of a turn is looked up where it would be summed up, and what was left out then stays out.
    await sessionWith(at, 's1', (view) => (view.usage as { costUsd?: number }).costUsd === 0.003, 'its cost')
    writeFileSync(at.configFile, '[http]\nport = 0\n')
    await until(async () => {
      await turn(at, 'later')
      return told(at, 'later').length > 0
    }, 'a summary once it is on')
    expect(told(at, 's1')).toEqual([])
  })
})

describe('by a command', () => {
  const command = script()
  const at = makeHome(`[summary]\nmode = "command"\ncommand = "${command.path}"\n`)
  let daemon: RunningDaemon
  beforeAll(async () => {
    command.write('true')
    daemon = await startDaemon(at, { SECRET_TOKEN: 'x' })
  })
  afterAll(async () => {
    const children = childrenOf(daemon.pid)
    expect(await daemon.kill('SIGTERM')).toBe(0)
    for (const pid of children) await until(() => isGone(pid), `the end of ${pid}`)
  })

  test('it gets the turn as JSON, and what it says is cut to size', async () => {
    const got = join(tempDir(), 'input.json')
    const words = Array.from({ length: 50 }, (_, n) => `w${n}`).join(' ')
    command.write(`cat > '${got}'\nenv > '${got}.env'\nprintf '{"title":"${words}","summary":"${words}"}'`)
    const transcript_path = claudeTranscript(at, 's1', [
      { type: 'user', uuid: 'u1', message: { role: 'user', content: 'please fix the cache' } },
      { type: 'assistant', uuid: 'a1', message: { id: 'm', content: [{ type: 'text', text: 'Looking.' }] } },
    ])
    await hook(at, 'SessionStart', { source: 'startup', transcript_path, cwd: '/w' })
    await turn(at)
    const view = await summed(at)
    expect(view).toMatchObject({ title: 'W0 w1 w2 w3 w4 w5 w6…' })
    expect(String(view.summary).split(' ')).toHaveLength(30)
    expect(JSON.parse(readFileSync(got, 'utf8'))).toMatchObject({
      session: { id: 's1', agent: 'claude', cwd: '/w' },
      prompt: 'please fix the cache',
      answer: 'The cache evicts the oldest entry first now.',
      files: [{ path: '/w/cache.ts', change: 'written' }],
      commands: ['npm test'],
      transcript: expect.stringContaining('Looking.'),
    })
    const env = readFileSync(`${got}.env`, 'utf8')
    expect(env).toContain('GANTRY_OFF=1')
    expect(env).not.toContain('SECRET_TOKEN')
  })

  test('no hook waits for it, and one session has one at a time', async () => {
    const dir = tempDir()
    const [log, go] = [join(dir, 'log'), join(dir, 'go')]
    const lines = () => (existsSync(log) ? readFileSync(log, 'utf8') : '')
    command.write(
      `echo begin >> '${log}'; while [ ! -e '${go}' ]; do sleep 0.05; done; echo end >> '${log}'; printf '{"title":"t","summary":"s"}'`,
    )
    for (let n = 0; n < 5; n++) await turn(at, 'busy', `Answer number ${n} is here.`)
    await until(() => lines() === 'begin\n', 'the first one')
    for (let n = 5; n < 10; n++) await turn(at, 'busy', `Answer number ${n} is here.`)
    writeFileSync(go, '')
    await summed(at, 'busy')
    await until(() => lines().split('end').length === 3, 'the last stop being summed up')
    expect(lines()).toBe('begin\nend\nbegin\nend\n')
  })

  test('an agent that it runs is not summed up: its hooks are silent, and where they are required they are known', async () => {
    const runs = join(tempDir(), 'runs')
    const say = (session: string, flags: string) =>
      `printf '{"hook_event_name":"Stop","session_id":"${session}","last_assistant_message":"I am a summary."}' | '${HOOK}' ${flags} claude Stop`
    command.write(
      `echo run >> '${runs}'\n${say('silent', '')}\n${say('required', '--required')}\nprintf '{"title":"t","summary":"s"}'`,
    )
    const of = (session: string) => journal(at, `SELECT * FROM events WHERE session_id = '${session}'`)
    await turn(at, 'outer')
    expect(await summed(at, 'outer')).toMatchObject({ title: 'T', summary: 's' })
    await until(() => of('required').length > 0, 'the required hook')
    // What stops after it is summed up after it.
    await turn(at, 'next')
    await summed(at, 'next')
    expect(of('silent')).toEqual([])
    expect(readFileSync(runs, 'utf8')).toBe('run\nrun\n')
    expect(told(at, 'required')).toEqual([])
    expect(told(at, 'outer')).toHaveLength(1)
  })
})

describe('a command that', () => {
  const command = script()
  const at = makeHome(`[summary]\nmode = "command"\ncommand = "${command.path}"\ntimeout_s = 1.5\n`)
  let daemon: RunningDaemon
  beforeAll(async () => {
    daemon = await startDaemon(at)
  })
  afterAll(async () => {
    const children = childrenOf(daemon.pid)
    expect(await daemon.kill('SIGTERM')).toBe(0)
    for (const pid of children) await until(() => isGone(pid), `the end of ${pid}`)
  })

  test.each([
    ['fails', 'exit 3', 'exit code 3'],
    ['says nothing', 'true', 'not JSON'],
    ['says junk', 'echo "{\\"title\\": 7}"', 'its answer has no'],
    ['never ends', 'sleep 600 & sleep 600', 'was killed'],
    ['never stops talking', 'yes', 'longer than 64 KB'],
  ])('%s leaves what can be said without it, and doctor tells', async (what, body, why) => {
    command.write(body)
    await turn(at, what)
    expect(await summed(at, what)).toMatchObject(EXTRACTED)
    expect(await doctor(at)).toContain(why)
  })
})

describe('by an endpoint', () => {
  interface Asked {
    readonly path: string
    readonly headers: Record<string, string>
    readonly body: Record<string, unknown>
  }

  function model(answer: (asked: Asked) => Response | Promise<Response>) {
    const asked: Asked[] = []
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 30,
      async fetch(request) {
        const one = {
          path: new URL(request.url).pathname,
          headers: request.headers.toJSON() as Record<string, string>,
          body: (await request.json()) as Record<string, unknown>,
        }
        asked.push(one)
        return answer(one)
      },
    })
    return {
      asked,
      url: `http://127.0.0.1:${server.port}/v1`,
      [Symbol.dispose]: () => void server.stop(true),
    }
  }

  const SAID = { title: 'Cache mended', summary: 'Eviction is by age now; tests pass.' }
  const config = (mode: string, url: string, more = '') =>
    `[summary]\nmode = "${mode}"\nurl = "${url}"\nmodel = "small"\nkey_file = "key"\ntimeout_s = 5\n${more}`

  function home(text: string): Places {
    const at = makeHome(text)
    writeFileSync(join(at.config, 'key'), 'the-key\n', { mode: 0o600 })
    return at
  }

  let answer: (asked: Asked) => Response | Promise<Response> = () => new Response('', { status: 500 })
  const server = model((asked) => answer(asked))
  const at = home(config('openai', server.url))
  beforeAll(async () => void (await startDaemon(at)))
  afterAll(() => server[Symbol.dispose]())

  test('of OpenAI’s form: chat completions with a bearer key', async () => {
    answer = () =>
      Response.json({ choices: [{ message: { content: `\`\`\`json\n${JSON.stringify(SAID)}\n\`\`\`` } }] })
    await turn(at)
    expect(await summed(at)).toMatchObject(SAID)
    expect(server.asked).toHaveLength(1)
    expect(server.asked[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer the-key' },
      body: { model: 'small', messages: [{ role: 'system' }, { role: 'user' }] },
    })
    const [, user] = (server.asked[0]?.body.messages ?? []) as { content: string }[]
    expect(JSON.parse(user?.content ?? '')).toMatchObject({
      prompt: 'please fix the cache',
      commands: ['npm test'],
    })
  })

  test('of Anthropic’s form: messages with a key in its header', async () => {
    using server = model(() => Response.json({ content: [{ type: 'text', text: JSON.stringify(SAID) }] }))
    const at = home(config('anthropic', server.url))
    await using _daemon = await startDaemon(at)
    await turn(at)
    expect(await summed(at)).toMatchObject(SAID)
    expect(server.asked[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'the-key', 'anthropic-version': '2023-06-01' },
      body: { model: 'small', messages: [{ role: 'user' }] },
    })
  })

  test.each([
    ['refuses', () => new Response('no', { status: 401 }), 'answered 401'],
    ['hangs', () => new Promise<Response>(() => {}), 'no answer within'],
    ['floods', () => new Response('x'.repeat(1024 * 1024)), 'longer than 64 KB'],
    ['sends elsewhere', () => Response.redirect('http://127.0.0.1:9/', 307), 'edirect'],
    [
      'says something else',
      () => Response.json({ choices: [{ message: { content: 'Sure!' } }] }),
      'not JSON',
    ],
  ])('one that %s leaves what can be said without it, and doctor tells', async (what, says, why) => {
    answer = says
    await turn(at, what)
    expect(await summed(at, what)).toMatchObject(EXTRACTED)
    expect(await doctor(at)).toContain(why)
  })

  test('secrets do not go there, and the key is in no answer', async () => {
    answer = () => Response.json({ choices: [{ message: { content: JSON.stringify(SAID) } }] })
    const token = `ghp_${'b'.repeat(36)}`
    await turn(at, 'secret', `Your token is ${token}.`)
    await summed(at, 'secret')
    expect(server.asked.at(-1)?.body).toMatchObject({ model: 'small' })
    expect(JSON.stringify(server.asked)).not.toContain(token)
    expect(await doctor(at)).not.toContain('the-key')
  })

  test('a mistake in its configuration is named, and plain http stays on this machine', async () => {
    const at = makeHome('[summary]\nmode = "openai"\nurl = "http://models.example/v1"\nmodel = "m"\n')
    await using _daemon = await startDaemon(at)
    expect(await doctor(at)).toContain('summary.url')
    expect(existsSync(at.database)).toBe(true)
  })
})
