/** `gantry search`, the call and the page of it over HTTP, against a real daemon with real recordings in its journal. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { call, type SearchAnswer } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { childrenOf } from '../../src/core/processes/proc.ts'
import {
  endDaemon,
  fixtureLines,
  framesOf,
  GANTRY,
  gantry,
  isGone,
  makeHome,
  type RunningDaemon,
  run,
  sendFrame,
  sendFrames,
  startDaemon,
  until,
} from '../kit.ts'

setDefaultTimeout(120_000) // many processes each, on machines that are busy

const at = makeHome()
let daemon: RunningDaemon

async function send(home: Places, file: string): Promise<void> {
  await sendFrames(home, framesOf(fixtureLines(file)))
}

const say = (home: Places, prompt: string, session = 's1') =>
  sendFrame(home, {
    payload: JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: session, prompt }),
  })

/** It exits 1 when nothing is found. */
const search = async (...args: string[]) =>
  JSON.parse((await gantry(at, 'search', '--json', ...args)).stdout) as SearchAnswer
const snippets = async (...args: string[]) => (await search(...args)).hits.map(({ snippet }) => snippet)

beforeAll(async () => {
  daemon = await startDaemon(at)
  await send(at, 'claude/2.1.325/basic.jsonl')
  await send(at, 'codex/0.166.0/apply-patch.jsonl')
  await send(at, 'gemini/0.61.0/basic.jsonl')
  await say(at, 'please \u001b[31mlook\u001b[0m at the zebra\nand its stripes')
  // Observers and followers have their say a moment later.
  await until(
    async () => (await call(at, 'search', { text: 'zebra' })).behind === 0,
    'everything in the index',
  )
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

describe('gantry search', () => {
  test('finds an answer of Gemini, whose transcript nobody can read, by what AfterAgent says', async () => {
    const payload = {
      hook_event_name: 'AfterAgent',
      session_id: 'g-answer',
      prompt: 'x',
      prompt_response: 'A marmot whistles.',
    }
    await sendFrame(at, { agent: 'gemini', payload: JSON.stringify(payload) })
    const hits = await until(async () => {
      const found = (await search('marmot')).hits
      return found.length > 0 ? found : undefined
    }, 'the answer in the index')
    expect(hits).toMatchObject([
      { agent: 'gemini', kind: 'answer', type: 'Stop', snippet: expect.stringContaining('whistles') },
    ])
  })

  test('finds prompts, commands and paths of every agent, newest first', async () => {
    // Summaries and usage may still come after the sessions.
    const { hits, more, behind } = await until(async () => {
      const found = await search('hello.txt')
      return found.behind === 0 ? found : undefined
    }, 'an index that is not behind')
    expect(hits.map(({ agent }) => agent)).toEqual(['gemini', 'gemini', 'gemini', 'codex'])
    expect(hits.map(({ kind }) => kind)).toEqual(['command', 'path', 'prompt', 'command'])
    expect(hits.map(({ seq }) => seq)).toEqual(hits.map(({ seq }) => seq).sort((a, b) => b - a))
    expect({ more, behind }).toEqual({ more: false, behind: 0 })
    expect(hits[0]).toMatchObject({ type: 'PreToolUse', tool: 'run_shell_command', name: expect.any(String) })
  })

  test('keeps to a session, an agent, a type and a time', async () => {
    const [hit] = (await search('hello.txt', '--agent', 'codex')).hits
    expect(hit).toMatchObject({ agent: 'codex', kind: 'command' })
    expect((await search('hello.txt', '--session', hit?.name ?? '')).hits).toHaveLength(1)
    expect((await search('hello.txt', '--session', hit?.session ?? '')).hits).toHaveLength(1)
    expect(await snippets('hello.txt', '--type', 'UserPromptSubmit')).toHaveLength(1)
    expect(await snippets('hello.txt', '--since', '1h')).toHaveLength(4)
    expect(await snippets('hello.txt', '--since', '2099-01-01')).toEqual([])
    expect(await search('hello.txt', '--limit', '1', '--best')).toMatchObject({ more: true, hits: [{}] })
  })

  test('has what was said a moment ago, and what a session is called', async () => {
    await say(at, 'where is the walrus')
    expect(await snippets('walrus')).toEqual(['where is the walrus'])
    await call(at, 'sessions.rename', { session: 's1', name: 'ocean-release' })
    expect((await search('ocean')).hits).toMatchObject([{ kind: 'title', session: 's1', agent: 'claude' }])
  })

  test('shows a line each, with the words marked, and lets nobody drive the terminal', async () => {
    const { stdout } = await gantry(at, 'search', 'zebra')
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect(stdout).toContain('prompt')
    expect(stdout).toContain('at the zebra and its stripes')
    expect(stdout).not.toContain('\u001b')
    const byName = [GANTRY, 'search', 'zebra', '--home', at.home ?? '']
    const { stdout: coloured } = await run(byName, at, '', { GANTRY_HOME: '', FORCE_COLOR: '1' })
    expect(coloured).toContain('\u001b[1m\u001b[33mzebra\u001b[39m\u001b[22m')
    expect(coloured).not.toContain('\u001b[31m')
  })

  test('says what to do when there is nothing to look for, or nothing is found', async () => {
    expect(await gantry(at, 'search')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--help') })
    expect(await gantry(at, 'search', '"*"')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('no word'),
    })
    expect(await gantry(at, 'search', 'x', '--best', '--newest')).toMatchObject({ exit: 2 })
    expect(await gantry(at, 'search', 'x', '--limit', '0')).toMatchObject({ exit: 2 })
    for (const [args, said] of [
      [['zebra', '--session', 'nope'], 'There is no session "nope".'],
      [['zebra', '--type', 'Nope'], 'Events of type "Nope" are not searchable. Searchable'],
      [['zebra', '--limit', '5000'], '--limit takes a whole number from 1 to 200, not "5000".'],
      [['zebra', '--limit', '-1'], '--limit takes a whole number from 1 to 200, not "-1".'],
      [[''], 'Say what to look for.'],
      [['  '], 'Say what to look for.'],
      [['x'.repeat(1_001)], 'A question has at most 1000 characters'],
    ] as const) {
      const { exit, stdout, stderr } = await gantry(at, 'search', ...args)
      expect({ args, exit: exit > 0, stdout, said: stderr.slice(0, said.length + 8) }).toEqual({
        args,
        exit: true,
        stdout: '',
        said: `gantry: ${said}`,
      })
    }
    const none = async (text: string) => {
      const ran = await gantry(at, 'search', text)
      expect(ran.exit).toBe(1)
      return ran.stdout
    }
    expect(await none('nosuchwor')).toBe(
      `nothing found with "nosuchwor"\nWords are found whole. Those that begin so: gantry search 'nosuchwor*'\n`,
    )
    expect(await none('"nosuch word" OR other*')).toBe(
      'nothing found with all of "nosuch word", "or", "other*"\n',
    )
    expect(await gantry(makeHome(), 'search', 'x')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('gantry up'),
    })
  })

  test('takes any question for words, and answers the next one as before', async () => {
    const hostile = [
      '"',
      "'; DROP TABLE words; --",
      'NEAR(a b',
      'said:x*',
      '*',
      'a AND OR NOT',
      '{',
      '\u0000',
      '🦓',
    ]
    for (const text of hostile) {
      const asked = await call(at, 'search', { text: `${text} zebra` }).catch((error: Error) => error)
      expect(asked).not.toBeInstanceOf(Error)
    }
    expect(await snippets('zebra')).toHaveLength(1)
  })
})

describe('GET /search', () => {
  const ask = async (query: string, headers: Record<string, string> = {}) => {
    const { url } = JSON.parse(readFileSync(at.http, 'utf8')) as { url: string }
    const token = readFileSync(at.token, 'utf8').trim()
    return fetch(`${url}/search${query}`, { headers: { authorization: `Bearer ${token}`, ...headers } })
  }

  test('gives the same answer', async () => {
    const answer = (await (await ask('?q=hello.txt&agent=codex&order=best&limit=5')).json()) as SearchAnswer
    expect(answer).toEqual(await search('hello.txt', '--agent', 'codex', '--best', '--limit', '5'))
  })

  test('needs the token, and says what is wrong', async () => {
    expect((await ask('?q=x', { authorization: 'Bearer no' })).status).toBe(401)
    for (const query of ['', '?q=', '?q=x&limit=many', '?q=x&what=1', '?q=x&order=odd', '?q=%22'])
      expect((await ask(query)).status, query).toBe(400)
  })
})

describe('the index', () => {
  test('is private, goes on after kill -9, and is made again when it is broken or of another journal', async () => {
    const home = makeHome()
    const found = async (text: string) => {
      const { hits } = await call(home, 'search', { text })
      return hits.map(({ snippet }) => snippet)
    }
    await using first = await startDaemon(home)
    await say(home, 'one fish')
    expect(await found('fish')).toEqual(['one fish'])
    const [worker = 0] = childrenOf(first.pid)
    await first.kill('SIGKILL')
    await until(() => isGone(worker), 'the end of the process behind it')
    expect(statSync(home.searchIndex).mode & 0o777).toBe(0o600)
    await using second = await startDaemon(home)
    await say(home, 'red fish')
    expect(await found('fish')).toEqual(['red fish', 'one fish'])
    await second.kill('SIGTERM')
    writeFileSync(home.searchIndex, 'x'.repeat(100_000))
    await using third = await startDaemon(home)
    expect(await found('fish')).toEqual(['red fish', 'one fish'])
    await say(home, 'blue fish')
    expect(await found('fish')).toHaveLength(3)
    await third.kill('SIGTERM')
    renameSync(home.database, `${home.database}.old`)
    await using _fourth = await startDaemon(home)
    await say(home, 'other fish')
    expect(await found('fish')).toEqual(['other fish'])
    expect(await found('red')).toEqual([])
  })

  test('is not kept when it is off', async () => {
    const home = makeHome('[search]\nenabled = false\n')
    await using off = await startDaemon(home)
    await say(home, 'one fish')
    expect(await gantry(home, 'search', 'fish')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('[search]'),
    })
    expect(childrenOf(off.pid)).toEqual([])
    await endDaemon(home, 'SIGTERM')
  })
})
