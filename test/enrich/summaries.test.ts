/** Summaries at the end of turns: without a model, by a command, by an endpoint; never in the way, never of themselves. */
import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../../src/core/paths.ts'
import {
  childrenOf,
  gantry,
  gantryJson,
  HOOK,
  isGone,
  journal,
  makeHome,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'
import { claudeTranscript, events, hook, sessionWith } from './kit.ts'

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

const TOLD = "SELECT raw ->> 'session_id' AS id FROM events WHERE type = 'SessionSummarized'"

const EXTRACTED = {
  title: 'Fix the cache',
  summary: 'The cache evicts the oldest entry first now. Changed cache.ts, ran 1 command.',
}

function script(text: string): string {
  const path = join(tempDir(), 'sum.sh')
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

describe('without a model', () => {
  test('a stop is followed by a title and a summary, in the journal, on the stream and in TeleClaude’s words', async () => {
    const at = makeHome()
    await using _daemon = await startDaemon(at)
    await turn(at)
    expect(await summed(at)).toMatchObject(EXTRACTED)
    const [event] = await events(at, '--type', 'SessionSummarized')
    expect(event).toMatchObject({ agent: 'gantry', sessionId: 's1' })
    expect(JSON.parse(event?.raw ?? '{}')).toMatchObject({
      session_key: 'claude:s1',
      by: 'extract',
      ...EXTRACTED,
    })
    const [told] = (await gantryJson(at, 'sessions', '--json', '--dialect', 'teleclaude')) as object[]
    expect(told).toMatchObject({
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
    const at = makeHome()
    await using _daemon = await startDaemon(at)
    const transcript_path = claudeTranscript(at, 's1', [
      { type: 'user', uuid: 'u1', message: { role: 'user', content: 'fix the docs' } },
      {
        type: 'assistant',
        uuid: 'a1',
        message: { id: 'm', content: [{ type: 'text', text: 'Mended all three pages.' }] },
      },
    ])
    await hook(at, 'UserPromptSubmit', { prompt: 'fix the docs', transcript_path })
    await hook(at, 'Stop', { transcript_path })
    expect(await summed(at)).toMatchObject({
      title: 'Fix the docs',
      summary: 'Mended all three pages.',
      lastMessage: 'Mended all three pages.',
    })
  })

  test('the same is not said twice, and a restart knows what was said and done before it', async () => {
    const at = makeHome()
    const daemon = await startDaemon(at)
    await turn(at)
    await summed(at)
    await hook(at, 'Stop', { last_assistant_message: 'The cache evicts the oldest entry first now.' })
    await daemon.kill('SIGKILL')
    await using _again = await startDaemon(at)
    expect(await summed(at)).toMatchObject(EXTRACTED)
    await hook(at, 'Stop', { last_assistant_message: 'The cache evicts the oldest entry first now.' })
    await turn(at, 's2')
    await summed(at, 's2')
    const all = await events(at, '--type', 'SessionSummarized')
    expect(all.filter(({ sessionId }) => sessionId === 's1')).toHaveLength(1)
  })

  test('a fleet that stops at once is summed up to the last, while hooks go on', async () => {
    const at = makeHome()
    await using _daemon = await startDaemon(at)
    const names = Array.from({ length: 40 }, (_, n) => `fleet-${n}`)
    await Promise.all(
      names.map(async (session_id) => {
        await hook(at, 'UserPromptSubmit', { session_id, prompt: `mend ${session_id}` })
        await hook(at, 'Stop', { session_id, last_assistant_message: 'It works as it should again.' })
      }),
    )
    const told = () => new Set(journal<{ id: string }>(at, TOLD).map(({ id }) => id))
    await until(
      async () => {
        await hook(at, 'PreToolUse', { session_id: 'busy', tool_name: 'Read' })
        return told().size === names.length
      },
      'a summary of each',
      60_000,
    )
    expect(names.filter((name) => !told().has(name))).toEqual([])
  })

  test('off is off', async () => {
    const at = makeHome('[summary]\nmode = "off"\n')
    await using _daemon = await startDaemon(at)
    await turn(at)
    await Bun.sleep(300)
    expect(await events(at, '--type', 'SessionSummarized')).toEqual([])
  })
})

describe('by a command', () => {
  const config = (path: string, more = '') => `[summary]\nmode = "command"\ncommand = "${path}"\n${more}`

  test('it gets the turn as JSON, and what it says is cut to size', async () => {
    const got = join(tempDir(), 'input.json')
    const words = Array.from({ length: 50 }, (_, n) => `w${n}`).join(' ')
    const path = script(
      `cat > '${got}'\nenv > '${got}.env'\nprintf '{"title":"${words}","summary":"${words}"}'`,
    )
    const at = makeHome(config(path))
    await using _daemon = await startDaemon(at, { SECRET_TOKEN: 'x' })
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

  test.each([
    ['fails', 'exit 3', 'exit code 3'],
    ['says nothing', 'true', 'no JSON'],
    ['says junk', 'echo "{\\"title\\": 7}"', 'its answer has no'],
    ['never ends', 'sleep 600 & sleep 600', 'was killed'],
    ['never stops talking', 'yes', 'longer than 64 KB'],
  ])('one that %s leaves what can be said without it, and doctor tells', async (_what, body, why) => {
    const at = makeHome(config(script(body), 'timeout_s = 0.5\n'))
    const daemon = await startDaemon(at)
    await turn(at)
    expect(await summed(at)).toMatchObject(EXTRACTED)
    const { stdout } = await gantry(at, 'rpc', 'doctor')
    expect(stdout).toContain(why)
    const children = childrenOf(daemon.pid)
    expect(await daemon.kill('SIGTERM')).toBe(0)
    for (const pid of children) await until(() => isGone(pid), `the end of ${pid}`)
  })

  test('no hook waits for it, and one session has one at a time', async () => {
    const log = join(tempDir(), 'log')
    const path = script(
      `echo begin >> '${log}'; sleep 0.4; echo end >> '${log}'; printf '{"title":"t","summary":"s"}'`,
    )
    const at = makeHome(config(path))
    await using _daemon = await startDaemon(at)
    const began = performance.now()
    for (let n = 0; n < 5; n++) await turn(at, 's1', `Answer number ${n} is here.`)
    expect(performance.now() - began).toBeLessThan(2_000)
    await summed(at)
    await until(
      () => readFileSync(log, 'utf8').split('end').length === 3,
      'the last stop being summed up',
      15_000,
    )
    expect(readFileSync(log, 'utf8')).toBe('begin\nend\nbegin\nend\n')
  })

  test('an agent that it runs is not summed up: its hooks are silent, and where they are required they are known', async () => {
    const runs = join(tempDir(), 'runs')
    const say = (session: string, flags: string) =>
      `printf '{"hook_event_name":"Stop","session_id":"${session}","last_assistant_message":"I am a summary."}' | '${HOOK}' ${flags} claude Stop`
    const path = script(
      `echo run >> '${runs}'\n${say('silent', '')}\n${say('required', '--required')}\nprintf '{"title":"t","summary":"s"}'`,
    )
    const at = makeHome(config(path))
    await using _daemon = await startDaemon(at)
    await turn(at)
    expect(await summed(at)).toMatchObject({ title: 'T', summary: 's' })
    await until(async () => (await events(at, '--session', 'required')).length > 0, 'the required hook')
    await Bun.sleep(500)
    expect(await events(at, '--session', 'silent')).toEqual([])
    expect(readFileSync(runs, 'utf8')).toBe('run\n')
    expect(await events(at, '--type', 'SessionSummarized')).toHaveLength(1)
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
    `[summary]\nmode = "${mode}"\nurl = "${url}"\nmodel = "small"\nkey_file = "key"\ntimeout_s = 1\n${more}`

  function home(text: string): Places {
    const at = makeHome(text)
    writeFileSync(join(at.config, 'key'), 'the-key\n', { mode: 0o600 })
    return at
  }

  test('of OpenAI’s form: chat completions with a bearer key', async () => {
    using server = model(() =>
      Response.json({ choices: [{ message: { content: `\`\`\`json\n${JSON.stringify(SAID)}\n\`\`\`` } }] }),
    )
    const at = home(config('openai', server.url))
    await using _daemon = await startDaemon(at)
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
    ['hangs', () => new Promise<Response>(() => {}), 'timed out'],
    ['floods', () => new Response('x'.repeat(1024 * 1024)), 'longer than 64 KB'],
    ['sends elsewhere', () => Response.redirect('http://127.0.0.1:9/', 307), 'edirect'],
    ['says something else', () => Response.json({ choices: [{ message: { content: 'Sure!' } }] }), 'no JSON'],
  ])('one that %s leaves what can be said without it, and doctor tells', async (_what, answer, why) => {
    using server = model(answer)
    const at = home(config('openai', server.url))
    await using _daemon = await startDaemon(at)
    await turn(at)
    expect(await summed(at)).toMatchObject(EXTRACTED)
    expect((await gantry(at, 'rpc', 'doctor')).stdout).toContain(why)
  })

  test('secrets do not go there, and the key is in no answer', async () => {
    using server = model(() => Response.json({ choices: [{ message: { content: JSON.stringify(SAID) } }] }))
    const at = home(config('openai', server.url))
    await using _daemon = await startDaemon(at)
    const token = `ghp_${'b'.repeat(36)}`
    await turn(at, 's1', `Your token is ${token}.`)
    await summed(at)
    expect(JSON.stringify(server.asked)).not.toContain(token)
    expect((await gantry(at, 'rpc', 'doctor')).stdout).not.toContain('the-key')
  })

  test('a mistake in its configuration is named, and plain http stays on this machine', async () => {
    const at = makeHome('[summary]\nmode = "openai"\nurl = "http://models.example/v1"\nmodel = "m"\n')
    await using _daemon = await startDaemon(at)
    const { stdout } = await gantry(at, 'rpc', 'doctor')
    expect(stdout).toContain('summary.url')
    expect(existsSync(at.database)).toBe(true)
  })
})
