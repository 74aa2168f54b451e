/** Handlers of files, through the real daemon and the real hook client: asked, reloaded, survived. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import {
  childrenWith,
  gantry,
  HOOK,
  isGone,
  journal,
  makeHome,
  ROOT,
  type RunningDaemon,
  run,
  startDaemon,
  until,
} from '../kit.ts'
import { isLong } from '../long.ts'

setDefaultTimeout(120_000)

const payloadOf = (event: string, extra: object = {}) =>
  JSON.stringify({ hook_event_name: event, session_id: 's1', prompt_id: newId(), cwd: '/', ...extra })
const bash = (command = 'ls', tool = 'Bash') =>
  payloadOf('PreToolUse', { session_id: `s-${tool}`, tool_name: tool, tool_input: { command } })

async function hook(at: Places, event: string, payload: string, agent = 'claude') {
  const { exit, stdout } = await run([HOOK, agent, event], at, payload, { GANTRY_NO_AUTOSTART: '1' })
  return { exit, said: stdout === '' ? {} : JSON.parse(stdout) }
}

/** What Claude Code is told about a shell command: its decision and the reason. */
async function asked(at: Places, command: string, tool?: string): Promise<string> {
  const { hookSpecificOutput: own = {} } = (await hook(at, 'PreToolUse', bash(command, tool))).said
  return [own.permissionDecision ?? 'nothing', own.permissionDecisionReason ?? ''].join(' ').trim()
}

function write(at: Places, name: string, text: string): string {
  const file = join(at.handlers, name)
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(file, text, { mode: 0o600 })
  return file
}

/** A handler of shell commands: `body` says what becomes of `command`. */
const onBash = (body: string, options = '', tool = 'Bash') => `
import * as gantry from 'gantry/sdk'
import { deny, handler, pass } from 'gantry/sdk'
export default handler({ on: 'PreToolUse', tool: '${tool}', ${options} }, async (event, ctx) => {
  const command = String(event.tool.input.command)
  ${body}
  return pass()
})
`
/** Holds the event loop for ever: without the processor time of a busy loop, except in a long run. */
const SPIN = isLong ? 'for (;;) {}' : 'for (;;) Bun.sleepSync(1_000)'
const NO_RM = onBash(`if (command.startsWith('rm')) return deny('not that')`)

const status = async (at: Places, id: string) => (await call(at, 'bus.handlers')).find((one) => one.id === id)
const workersOf = (pid: number, named = 'handler-worker') => childrenWith(pid, named)
const log = (at: Places) => readFileSync(at.log, 'utf8')

/** One daemon for all handlers that leave it as it was, each asked about a tool of its own. */
const shared = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  mkdirSync(shared.rules, { recursive: true })
  writeFileSync(
    join(shared.rules, 'r.yaml'),
    'rules: [{ id: r, on: PreToolUse, tool: prior, match: { tool.input.command: ruled }, decision: deny, reason: by rule }]',
  )
  daemon = await startDaemon(shared)
})
afterAll(() => daemon.kill('SIGKILL'))

/** Adds a handler of the tool with its name, and gives the way to ask it. */
async function added(
  name: string,
  body: string,
  options = '',
): Promise<(command: string) => Promise<string>> {
  write(shared, `${name}.ts`, onBash(body, options, name))
  await until(() => status(shared, name), `the handler ${name}`)
  return (command) => asked(shared, command, name)
}

describe('a warm handler', () => {
  test("is asked, and each of its verdicts is said in the agent's words", async () => {
    const at = shared
    write(
      at,
      'words.ts',
      `import { approve, ask, blockStop, both, context, deny, handler, pass, rewrite, warn } from 'gantry/sdk'
const WORDS: Record<string, () => ReturnType<typeof pass> | undefined> = {
  deny: () => deny('no'), ask: () => ask('sure?'), approve: () => approve('harmless'), pass, nothing: () => undefined,
  rewrite: () => rewrite({ command: 'ls -l' }), both: () => both(context('be kind'), warn('hm')),
}
export default [
  handler({ on: 'PreToolUse', tool: 'words', name: 'words' }, ({ tool }) => WORDS[String(tool.input.command)]?.()),
  handler({ on: 'Stop' }, async ({ message }) => (message?.includes('TODO') ? blockStop('finish it') : pass())),
]`,
    )
    await until(() => status(at, 'words'), 'the handlers')
    const said = async (command: string) => (await hook(at, 'PreToolUse', bash(command, 'words'))).said
    expect((await said('deny')).hookSpecificOutput).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: 'no',
    })
    expect((await said('ask')).hookSpecificOutput).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: 'sure?',
    })
    expect((await said('approve')).hookSpecificOutput).toMatchObject({ permissionDecision: 'allow' })
    expect((await said('rewrite')).hookSpecificOutput.updatedInput).toEqual({ command: 'ls -l' })
    expect(await said('both')).toMatchObject({
      systemMessage: 'hm',
      hookSpecificOutput: { additionalContext: 'be kind' },
    })
    expect([await said('pass'), await said('nothing')]).toEqual([{}, {}])
    expect(
      (
        await hook(
          at,
          'Stop',
          payloadOf('Stop', { session_id: 's-words', last_assistant_message: 'one TODO' }),
        )
      ).said,
    ).toMatchObject({
      decision: 'block',
      reason: 'finish it',
    })
    const decided = journal<{ data: string }>(
      at,
      `SELECT data FROM bus_messages WHERE stream = 'DECISION_EVENTS'
         AND id IN (SELECT id FROM events WHERE session_id = 's-words') ORDER BY seq`,
    )
    expect(decided.map(({ data }) => JSON.parse(data).by)).toEqual([
      ...['words', 'words', 'words', 'words'].map((id) => `handler:${id}`),
      undefined,
      'handler:words-2',
    ])
    expect(await status(at, 'words')).toMatchObject({
      kind: 'file',
      runs: 7,
      blocks: 1,
      failures: 0,
      circuit: 'closed',
    })
    expect((await gantry(at, 'handlers')).stdout).toMatch(
      /words +ready +PreToolUse[\s\S]*7 runs · 1 block · p50 .* p99/,
    )
  })

  test('is asked about the tools and agents it names, and sees the event without secrets, its session and a signal', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    const ask = await added(
      'facts',
      `return deny(JSON.stringify([command, ctx.session?.id, ctx.session?.phase, ctx.signal.aborted, event.agent]))`,
      `agent: ['claude']`,
    )
    const reason = (await ask(`curl -H ${token}`)).slice('deny '.length)
    const [command, ...facts] = JSON.parse(reason)
    expect(command).toContain('curl -H')
    expect(command).not.toContain(token)
    expect(facts).toEqual(['s-facts', 'working', false, 'claude'])
    const read = payloadOf('PreToolUse', { tool_name: 'Read', tool_input: { file_path: '/x' } })
    expect((await hook(shared, 'PreToolUse', read)).said).toEqual({})
    expect((await hook(shared, 'PreToolUse', bash('ls', 'facts'), 'codex')).said).toEqual({})
    expect((await status(shared, 'facts'))?.runs).toBe(1)
  })

  test('sees the session with the call that it is asked about, the first and the next', async () => {
    write(shared, 'before.ts', onBash('', 'priority: 1', 'open')) // `open` is asked when it has answered
    await until(() => status(shared, 'before'), 'the handler before')
    const ask = await added('open', 'return deny(ctx.session?.openTools.map(({ name }) => name).join())')
    expect([await ask('ls'), await ask('ls -l')]).toEqual(['deny open', 'deny open'])
  })

  test('gets the parsed commands of a command line', async () => {
    const lines = `event.commands.map(({ argv }) => argv.map(({ text }) => text).join(' '))`
    write(shared, 'parsed.ts', onBash(`return deny([...${lines}, event.understood].join('; '))`))
    await until(() => status(shared, 'parsed'), 'the handler')
    expect(await asked(shared, `G=git; sudo $G -C x push -f`)).toBe(
      'deny ; sudo git -C x push -f; git -C x push -f; true',
    )
    expect(await asked(shared, 'echo $(')).toEndWith('false')
  })

  test('gets the commands of each field of a tool, with their own parents and pipes', async () => {
    const tool = 'mcp__host__run'
    const facts =
      'event.commands.map(({ program, parent, pipedFrom, span }) => [program, parent, pipedFrom, span])'
    write(shared, 'fields.ts', onBash(`return deny(JSON.stringify(${facts}))`, '', tool))
    await until(() => status(shared, 'fields'), 'the handler')
    const input = { command: 'ls; pwd', script: 'date | sudo tee x' }
    const payload = payloadOf('PreToolUse', { tool_name: tool, tool_input: input })
    const { said } = await hook(shared, 'PreToolUse', payload)
    const source = Object.values(input).join('\n')
    const at = (text: string, length = text.length) => [source.indexOf(text), source.indexOf(text) + length]
    expect(JSON.parse(said.hookSpecificOutput.permissionDecisionReason)).toEqual([
      ['ls', null, null, at('ls')],
      ['pwd', null, null, at('pwd')],
      ['date', null, null, at('date')],
      ['sudo', null, 2, at('sudo tee x')],
      ['tee', 3, 2, at('sudo tee x')],
    ])
  })

  test('comes in the order of priorities with registered commands, and a rule that denies comes first', async () => {
    const at = shared
    const ask = await added('prior', `return deny('late')`, 'priority: 60')
    const command = `grep -q early && echo '{"block":true,"reason":"early"}'; true`
    await call(at, 'bus.register', { id: 'early', events: ['PreToolUse'], command, priority: 10 })
    expect(await ask('early')).toBe('deny early')
    expect(await ask('other')).toBe('deny late')
    expect(await ask('ruled')).toBe('deny by rule')
    const both = (await call(at, 'bus.handlers')).filter(({ id }) => id === 'early' || id === 'prior')
    expect(both.map(({ id, kind, runs }) => [id, kind, runs])).toEqual([
      ['early', 'command', 2],
      ['prior', 'file', 1],
    ])
    await call(at, 'bus.unregister', { id: 'early' })
  })

  test('runs after the answer where nobody waits for it', async () => {
    write(
      shared,
      'watch.ts',
      `import { deny, handler } from 'gantry/sdk'\nexport default handler({ on: 'PostToolUse' }, ({ tool }) => { console.log('saw', tool.name); return deny('too late') })`,
    )
    await until(() => status(shared, 'watch'), 'the handler')
    const done = payloadOf('PostToolUse', {
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_response: {},
    })
    await hook(shared, 'PostToolUse', done)
    await until(() => log(shared).includes('saw Bash'), 'the line in the log')
  })
})

describe('a file of handlers', () => {
  test('that changes counts at once; one with an error is named with its line, and the last good one stays', async () => {
    const at = makeHome()
    write(at, 'lib/word.ts', `export const WORD: string = 'one'\n`)
    const file = write(
      at,
      'guard.ts',
      onBash(`if (command === 'x') return deny(WORD)`).replace(
        '\n',
        `\nimport { WORD } from './lib/word.ts'\n`,
      ),
    )
    await using daemon = await startDaemon(at)
    const [first = 0] = workersOf(daemon.pid)
    expect(await asked(at, 'x')).toBe('deny one')
    write(at, 'lib/word.ts', `export const WORD: string = 'another'\n`)
    await until(async () => (await asked(at, 'x')) === 'deny another', 'the new word')
    await until(() => isGone(first), 'the end of the process before')

    writeFileSync(file, `${onBash(`if (command === 'x') return deny('late')`)}\nawait Bun.sleep(1_000)\n`)
    await until(() => workersOf(daemon.pid).length === 2, 'the next process')
    expect(await asked(at, 'x')).toBe('deny another') // the one before answers until the next is ready
    await until(async () => (await asked(at, 'x')) === 'deny late', 'the next one')

    writeFileSync(
      file,
      `import { handler } from 'gantry/sdk'\n\nexport default handler({ on: 'Stop' }, () => { const a = ; })\n`,
    )
    const found = async () => (await call(at, 'doctor')).find(({ about }) => about === 'handler')
    const finding = await until(found, 'the finding')
    expect(finding).toMatchObject({ level: 'fail' })
    expect(finding.message).toStartWith(`${file}:3: `)
    expect(log(at)).toContain(`${file}:3: `)
    expect((await gantry(at, 'handlers')).stderr).toContain(`${file}:3: `)
    expect(await asked(at, 'x')).toBe('deny late')
    writeFileSync(file, `import gone from 'not-there'\nexport default gone`)
    await until(
      async () => (await found())?.message.startsWith(`${file}:1: `),
      'the package that is not there',
    )
    writeFileSync(file, `export default 7\n`)
    await until(async () => (await found())?.message.includes('default export'), 'the other finding')

    writeFileSync(file, onBash(`return deny('mended')`))
    await until(async () => (await asked(at, 'y')) === 'deny mended', 'the mended file')
    expect(await found()).toBeUndefined()
    rmSync(file)
    await until(async () => (await asked(at, 'y')) === 'nothing', 'the end of the handler')
    await until(() => workersOf(daemon.pid).length === 0, 'the end of its process')
  })

  test('that ends or spins while it is loaded is named, and holds up no other', async () => {
    const at = makeHome()
    write(at, 'exits.ts', 'process.exit(7)')
    write(at, 'spins.ts', SPIN)
    write(at, 'throws.js', '\nthrow new Error("at the top")')
    write(at, 'guard.ts', NO_RM)
    await using daemon = await startDaemon(at)
    expect(await asked(at, 'rm x')).toBe('deny not that')
    const messages = (await call(at, 'doctor'))
      .filter(({ about }) => about === 'handler')
      .map(({ message }) => message)
    expect(messages).toContainEqual(expect.stringMatching(/exits\.ts: its process ended with exit code 7/))
    expect(messages).toContainEqual(expect.stringMatching(/throws\.js:2: at the top/))
    const isNamed = async () =>
      (await call(at, 'doctor')).some(({ message }) => /spins\.ts: is not loaded after 5 s/.test(message))
    await until(() => log(at).includes('spins.ts: is not loaded'), 'the line in the log')
    await until(isNamed, 'the one that spins to be named')
    await until(() => workersOf(daemon.pid).length === 1, 'its end')
  })

  test('that others can write, or in such a folder, is refused', async () => {
    const at = makeHome()
    const file = write(at, 'guard.ts', NO_RM)
    const good = write(at, 'good.ts', onBash(`if (command === 'x') return deny('good')`))
    chmodSync(file, 0o666)
    await using daemon = await startDaemon(at)
    expect(await asked(at, 'rm x')).toBe('nothing')
    expect(await asked(at, 'x')).toBe('deny good')
    const messages = async () => (await call(at, 'doctor')).map(({ message }) => message).join('\n')
    expect(await messages()).toContain(`${file} can be written by others. Run: chmod go-w ${file}`)
    chmodSync(at.handlers, 0o777)
    writeFileSync(good, NO_RM)
    await until(() => workersOf(daemon.pid).length === 0, 'the end of all')
    expect(await messages()).toContain(`${at.handlers} can be written by others`)
  })

  test('costs a process; without one there is none', async () => {
    const at = makeHome()
    await using daemon = await startDaemon(at)
    expect(workersOf(daemon.pid)).toEqual([])
    write(at, 'guard.ts', NO_RM)
    await until(async () => (await asked(at, 'rm x')) === 'deny not that', 'the handler')
    expect(workersOf(daemon.pid)).toHaveLength(1)
    expect(await daemon.kill('SIGTERM')).toBe(0)
  })
})

describe('the daemon survives a handler that', () => {
  const DEEDS: Readonly<Record<string, { body: string; error: RegExp; isEnd?: true }>> = {
    throws: { body: `throw new Error('broken')`, error: /broken \(.*throws\.ts:\d+\)/ },
    'returns nonsense': {
      body: `return 'deny' as never`,
      error: /not a verdict.*\(\/\S+\/handlers\/\S+\.ts\)$/,
    },
    exits: { body: 'process.exit(3)', error: /exit code 3/, isEnd: true },
    aborts: { body: 'process.abort()', error: /SIGABRT|SIGILL|SIGTRAP/, isEnd: true },
    'kills itself': { body: `process.kill(process.pid, 'SIGKILL')`, error: /SIGKILL/, isEnd: true },
    'fills buffers': {
      body: 'const kept: unknown[] = []; for (;;) kept.push(new Uint8Array(64 * 1024 * 1024))',
      error: /Out of memory/,
    },
    'uses up the memory': {
      body: 'const kept: unknown[] = []; for (;;) kept.push({ at: kept.length, text: String(kept.length) })',
      error: /was ended by SIG|Out of memory/, // as the engine notices it, or not
    },
  }
  for (const [name, { body, error, isEnd }] of Object.entries(DEEDS)) {
    if (name === 'uses up the memory' && !isLong) continue // some seconds of processor time
    test.concurrent(name, async () => {
      const id = name.replaceAll(' ', '-')
      const told = `if (command === 'now') { ${body} }\nif (command === 'rm') return deny('no')`
      const ask = await added(id, told, 'timeoutMs: 30_000')
      expect(await ask('now')).toBe('nothing')
      expect((await status(shared, id))?.lastError).toMatch(error)
      expect(await ask('rm')).toBe('deny no')
      expect((await call(shared, 'status')).pid).toBe(daemon.pid)
      if (isEnd) await until(() => replaced(id) > 0, 'the line in the log')
      expect(replaced(id)).toBeLessThanOrEqual(1) // it is not asked again
    })
  }
  /** How often a process of this file ended, and another took its place. */
  const replaced = (id: string) =>
    log(shared)
      .split('\n')
      .filter((line) => line.includes(`/${id}.ts: `) && line.includes('a new one replaces it')).length

  test.concurrent('leaves a promise that nobody catches: it is logged, and the handler answers', async () => {
    const forgets = `void Promise.reject(new Error('forgotten')); return deny('all the same')`
    const ask = await added('forgets', forgets)
    expect(await ask('x')).toBe('deny all the same')
    await until(() => log(shared).includes('unhandledRejection: forgotten'), 'the line in the log')
    expect(await ask('y')).toBe('deny all the same')
    expect(replaced('forgets')).toBe(0) // no process ended; a busy machine may make one look stuck
  })

  test.concurrent('is closed and cannot be asked: what it is asked about is refused, and left alone after three times', async () => {
    const ask = await added('closed', `throw new Error('broken')`, `onFailure: 'closed'`)
    for (const _ of [1, 2, 3]) expect(await ask('x')).toMatch(/^deny The handler closed failed, .*broken/)
    expect(await status(shared, 'closed')).toMatchObject({ circuit: 'open', runs: 3, failures: 3 })
    expect(await ask('x')).toMatch(/^deny The handler closed failed, .*paused/)
    expect((await status(shared, 'closed'))?.runs).toBe(3)
  })

  test.concurrent('is closed and has lost its process while its file is broken: what it is asked about is refused', async () => {
    const ask = await added('lost', '', `onFailure: 'closed'`)
    const file = join(shared.handlers, 'lost.ts')
    expect(await ask('x')).toBe('nothing')
    writeFileSync(file, 'export default {')
    const isFound = async () =>
      (await call(shared, 'doctor')).some(
        ({ about, message }) => about === 'handler' && message.startsWith(`${file}:`),
      )
    await until(isFound, 'the finding')
    expect(await ask('y')).toBe('nothing')
    for (const pid of workersOf(daemon.pid, '/lost.ts')) process.kill(pid, 'SIGKILL')
    await until(async () => (await ask('z')).startsWith('deny The handler lost failed'), 'the refusal')
    writeFileSync(file, onBash('', '', 'lost'))
    await until(async () => (await ask('z')) === 'nothing', 'the mended file')
  })

  test.concurrent('has its process killed: those that were asked are asked again', async () => {
    const go = join(shared.home ?? '', 'go')
    const ask = await added(
      'held',
      `while (!(await Bun.file('${go}').exists())) await Bun.sleep(5)\nreturn deny('answered ' + command)`,
      'timeoutMs: 20000',
    )
    const workers = () => workersOf(daemon.pid, '/held.ts')
    const askAll = async () => {
      const held = ['a', 'b', 'c'].map(ask)
      await until(async () => (await status(shared, 'held'))?.running === 3, 'all to be asked')
      return held
    }
    const letGo = async (held: readonly Promise<string>[]) => {
      writeFileSync(go, '')
      expect(await Promise.all(held)).toEqual(['deny answered a', 'deny answered b', 'deny answered c'])
      rmSync(go)
    }
    // On a busy machine it may look stuck, and then a second process has some of them.
    let held = await askAll()
    for (let tries = 0; workers().length > 1 && tries < 20; tries++) {
      await letGo(held)
      await until(() => workers().length === 1, 'one process')
      held = await askAll()
    }
    const [worker = 0] = workers()
    process.kill(worker, 'SIGKILL')
    await until(() => workers().some((pid) => pid !== worker), 'another process')
    await letGo(held)
    expect((await status(shared, 'held'))?.failures).toBe(0)
  })
})

describe('a handler that spins', () => {
  const SPINS = onBash(`if (command === 'spin') ${SPIN}\nif (command === 'rm') return deny('no')`)

  test('costs its agent the limit; who asks meanwhile is answered by another process; it ends with a daemon that is killed', async () => {
    const at = makeHome()
    write(at, 'guard.ts', SPINS.replace(`tool: 'Bash',`, `tool: 'Bash', timeoutMs: 3000,`))
    write(at, 'other.ts', onBash(`if (command === 'other') return deny('other')`))
    await using daemon = await startDaemon(at)
    const before = workersOf(daemon.pid)
    expect(before).toHaveLength(2)
    const began = performance.now()
    let tookMs = 0
    const spinning = asked(at, 'spin').finally(() => {
      tookMs = performance.now() - began
    })
    await until(async () => (await status(at, 'guard'))?.running === 1, 'it to spin')
    expect(await Promise.all([asked(at, 'rm'), asked(at, 'rm')])).toEqual(['deny no', 'deny no'])
    expect(tookMs).toBe(0) // it still spins
    expect(await spinning).toBe('nothing')
    expect(tookMs).toBeGreaterThan(2_990)
    expect(await asked(at, 'rm')).toBe('deny no')
    expect(await asked(at, 'other')).toBe('deny other')
    expect(await status(at, 'guard')).toMatchObject({
      failures: 1,
      lastError: 'did not answer within 3000 ms',
    })
    await until(() => before.some(isGone), 'the end of the process that spun')
    await until(() => workersOf(daemon.pid).length === 2, 'two processes again')

    const workers = workersOf(daemon.pid)
    void asked(at, 'spin').catch(() => {})
    await until(async () => (await status(at, 'guard'))?.running === 1, 'it to spin')
    await daemon.kill('SIGKILL')
    for (const pid of workers) await until(() => isGone(pid), `the end of ${pid}`)
  })

  test('for a moment is answered for when it goes on', async () => {
    const ask = await added('slow', `Bun.sleepSync(400); return deny('slow ' + command)`, 'timeoutMs: 20000')
    const held = ['a', 'b', 'c'].map(ask)
    expect(await Promise.all(held)).toEqual(['deny slow a', 'deny slow b', 'deny slow c'])
    expect((await status(shared, 'slow'))?.failures).toBe(0)
  })

  test('asynchronously is only late: its process stays', async () => {
    const ask = await added('late', `await Bun.sleep(60_000)`, 'timeoutMs: 300')
    const workers = workersOf(daemon.pid, '/late.ts')
    expect(workers).toHaveLength(1)
    expect(await ask('x')).toBe('nothing')
    expect((await status(shared, 'late'))?.lastError).toBe('did not answer within 300 ms')
    expect(workersOf(daemon.pid, '/late.ts')).toEqual(workers)
  })
})

describe('the commands', () => {
  test('handlers new writes a file that an editor understands and handlers test runs, without a daemon', async () => {
    const at = makeHome()
    expect((await gantry(at, 'handlers', 'new', 'no-main')).exit).toBe(0)
    const file = join(at.handlers, 'no-main.ts')
    const wrong = join(at.handlers, 'wrong.ts')
    writeFileSync(
      wrong,
      `import { handler } from 'gantry/sdk'\nexport default handler({ on: 'PreToolUse' }, (event) => event.tool.nonsense)\n`,
    )
    const checked = await run([join(ROOT, 'node_modules/.bin/tsc'), '-p', at.handlers], at)
    expect(checked.stdout).toContain('wrong.ts(2,')
    expect(checked.stdout).not.toContain('no-main.ts')

    expect((await gantry(at, 'handlers', 'new', 'no-main')).exit).toBe(2)
    expect(await gantry(at, 'handlers', 'test', 'none.ts')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('There is no file none.ts'),
    })
    const typo = join(at.handlers, 'typo.ts')
    writeFileSync(
      typo,
      `import { handler } from 'gantry/sdk'\nexport default handler({ on: 'PreToolUze', tol: 'x' } as never, () => undefined)\n`,
    )
    const { stderr } = await gantry(at, 'handlers', 'test', typo)
    expect(stderr).toContain('typo: there is no event "PreToolUze". Did you mean PreToolUse?')
    expect(stderr).toContain('typo: there is no option "tol". Did you mean tool?')
    const asks = (payload: string) =>
      run(
        [
          join(process.env.GANTRY_TEST_PROGRAMS ?? join(ROOT, 'bin'), 'gantry'),
          'handlers',
          'test',
          file,
          '-',
        ],
        at,
        payload,
      )
    expect(await asks(bash('git push origin main'))).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('denies: Push to a branch'),
      stderr: expect.stringContaining('denied a push in s-Bash'),
    })
    expect((await asks(bash('git status'))).stdout).toContain('passes')
    expect((await asks(payloadOf('Stop'))).stdout).toContain('is not asked about this event')
    writeFileSync(file, onBash(SPIN, 'timeoutMs: 200'))
    expect(await asks(bash())).toMatchObject({
      exit: 1,
      stdout: expect.stringContaining('did not answer within 200 ms'),
    })
    writeFileSync(file, 'export default {')
    expect(await gantry(at, 'handlers', 'test', file)).toMatchObject({
      exit: 1,
      stdout: expect.stringContaining(`${file}:1: `),
    })
  })
})
