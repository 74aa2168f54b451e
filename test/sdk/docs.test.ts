/** The snippets in docs/sdk.md run on Bun and on Node, and what they print makes sense. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as sdk from '../../src/sdk/index.ts'
import { askHandler, connect } from '../../src/sdk/index.ts'
import * as testing from '../../src/sdk/testing/index.ts'
import { envFor, makeHome, ROOT, type RunningDaemon, run, sendFrames, startDaemon, until } from '../kit.ts'
import { processes } from '../litter.ts'
import { commandFor, programFor, RUNTIMES, type Runtime, userFolder } from './sdk-kit.ts'

const PAGE = join(ROOT, 'docs/sdk.md')
const page = readFileSync(PAGE, 'utf8')
const snippets = [...page.matchAll(/<!-- run(?:: (\w+))? -->\n```ts\n([\s\S]*?)```/g)].map(
  ([, kind = 'program', code = '']) => ({ kind, code }),
)

/** What each prints, in the order of the page. */
const PRINTED = [
  /^\d+\.\d+\.\d+ \d+\n$/,
  /^DAEMON_AWAY The daemon is not running/,
  /^\d+ claude PreToolUse Bash\n\d+ claude Stop Done\.\n$/,
  /^ls default\n/,
  /^\S+ idle false\n\d+\n$/,
  /^\d+ \{[\s\S]*Done\./,
  /^\[ ['"]plan['"], ['"]test['"] \]\n$/,
  /^0 wait\n$/,
  /^\{"block":true,"reason":"Open a pull request instead."\}\n$/,
  /hook_event_name[\s\S]*block: true,\s*reason: ['"]Finish the TODOs\.['"]/,
  /^working\n$/,
]

/** What stands behind the output of each. */
const PLAYED = '--- played'

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  userFolder('node')
  daemon = await startDaemon(at)
}, 120_000)
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

test('the page has as many snippets as this test knows', () => expect(snippets).toHaveLength(PRINTED.length))

for (const runtime of RUNTIMES) {
  let programs: ReturnType<typeof startPrograms> | undefined

  snippets.forEach(({ kind, code }, i) => {
    const [title] = code.split('\n').filter((line) => /^(const|await|for|try)\b/.test(line))
    test(`${runtime}: ${i + 1} ${title}`, async () => {
      const program = programFor(runtime, `snippet-${i}`, code)
      if (kind === 'program') {
        await world()
        programs ??= startPrograms(runtime)
        expect(await programs.play(program)).toMatch(PRINTED[i] as RegExp)
        return
      }
      const payload = {
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command: 'git push' },
      }
      const ran = await run(commandFor(runtime, program), at, JSON.stringify(payload))
      expect({ exit: ran.exit, stderr: ran.stderr }).toEqual({ exit: 0, stderr: '' })
      expect(ran.stdout).toMatch(PRINTED[i] as RegExp)
    }, 60_000)
  })

  test(`${runtime}: they leave nothing open, and say nothing else`, async () => {
    programs ??= startPrograms(runtime)
    expect(await programs.end()).toEqual({ exit: 0, stderr: '' })
  }, 120_000)
}

/** Plays programs in one process, which ends by itself behind the last if each has closed what it opened. */
function startPrograms(runtime: Runtime) {
  const code = `import { createInterface } from 'node:readline'
for await (const file of createInterface({ input: process.stdin })) {
  await import(file)
  console.log('${PLAYED}')
}`
  const child = Bun.spawn(commandFor(runtime, programFor(runtime, 'programs', code)), {
    env: envFor(at),
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  processes.add(child)
  let printed = ''
  const reading = (async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) printed += text
  })()
  const stderr = new Response(child.stderr).text()
  const play = async (program: string) => {
    const from = printed.length
    child.stdin.write(`${program}\n`)
    child.stdin.flush()
    const end = `${PLAYED}\n`
    const isPlayed = () => printed.length > from && printed.endsWith(end)
    await until(() => isPlayed() || child.exitCode !== null, `the end of ${program}`)
    if (!isPlayed()) throw new Error(`${program}: ${await stderr}`)
    return printed.slice(from, -end.length)
  }
  const end = async () => {
    child.stdin.end()
    const exit = await child.exited
    await reading
    return { exit, stderr: await stderr }
  }
  return { play, end }
}

/** A session as the snippets expect it: one tool, one end of a turn, a name that nobody has taken. */
async function world(): Promise<void> {
  const common = { session_id: 's1', permission_mode: 'default' }
  const tool = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't' }
  const events = [
    { hook_event_name: 'PreToolUse', ...tool },
    { hook_event_name: 'PostToolUse', ...tool },
    { hook_event_name: 'Stop', last_assistant_message: 'Done.' },
  ]
  await sendFrames(
    at,
    events.map((event) => ({ payload: JSON.stringify({ ...common, ...event }) })),
  )
  const gantry = await connect({ home: at.home })
  const consumers = (await gantry.call('bus.consumers')) as { name: string }[]
  for (const { name } of consumers) await gantry.call('bus.consumers.delete', { name })
  gantry.close()
}

test('every name in the page is there, and no link leads nowhere', () => {
  for (const name of [
    'allow',
    'approve',
    'pass',
    'deny',
    'blockStop',
    'ask',
    'handler',
    'context',
    'warn',
    'both',
  ]) {
    expect(page.includes(`\`${name}(`), `the page lacks ${name}()`).toBe(true)
    expect(sdk).toHaveProperty(name)
  }
  for (const name of ['event', 'tryHandler', 'fakeClock', 'startTestDaemon']) {
    expect(page.includes(name), `the page lacks ${name}`).toBe(true)
    expect(testing).toHaveProperty(name)
  }
  for (const [, target = ''] of page.matchAll(/\]\((?!https?:|#)([^)#]+)/g))
    expect(existsSync(join(dirname(PAGE), target)), target).toBe(true)
})

test('a handler that throws is a failure, and blocks nothing', async () => {
  const code = `import { defineHandler, runHandler } from 'gantry/sdk'
await runHandler(defineHandler({ handle: () => { throw new Error('broken') } }))`
  for (const runtime of RUNTIMES) {
    const ran = await run(commandFor(runtime, programFor(runtime, 'broken', code)), at, '{}')
    expect({ exit: ran.exit, stdout: ran.stdout }).toEqual({ exit: 1, stdout: '' })
    expect(ran.stderr).toContain('broken')
  }
  expect(
    askHandler({ handle: () => Promise.reject(new Error('broken')) }, testing.event.stop().event),
  ).rejects.toThrow()
}, 120_000)
