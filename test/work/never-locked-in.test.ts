/**
 * The heartbeat denies, and nobody is locked in by it: what `effort start` announces, what an agent is told to run, and how
 * one is let go that cannot reach gantry. With the real hook client, as an agent runs it.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { EffortDetail } from '../../src/client/index.ts'
import { HOOK, makeHome, type Ran, type RunningDaemon, run, startDaemon, tempDir } from '../kit.ts'
import { type Place, placeIn } from './places.ts'

setDefaultTimeout(120_000)

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
})
afterAll(async () => {
  await daemon.kill('SIGTERM')
})

interface Said {
  readonly systemMessage?: string
  readonly hookSpecificOutput?: {
    readonly permissionDecision?: string
    readonly permissionDecisionReason?: string
    readonly additionalContext?: string
  }
}

/** What Claude Code reads on the client's output. */
async function hook(here: Place, event: string, fields: Record<string, unknown>): Promise<Said> {
  const payload = { session_id: here.session, cwd: here.cwd, hook_event_name: event, ...fields }
  const { exit, stdout } = await run([HOOK, 'claude', event], at, JSON.stringify(payload))
  expect(exit).toBe(0)
  return stdout === '' ? {} : (JSON.parse(stdout) as Said)
}

let calls = 0
const before = (here: Place, tool_name = 'Bash', tool_input: object = { command: 'npm test' }) => {
  calls += 1
  return hook(here, 'PreToolUse', { tool_name, tool_input, tool_use_id: `t${calls}` })
}
const isDenied = (said: Said) => said.hookSpecificOutput?.permissionDecision === 'deny'
const reasonOf = (said: Said) => said.hookSpecificOutput?.permissionDecisionReason ?? ''

/** Up to the tenth call, which is denied; gives the reason. */
async function denied(here: Place): Promise<string> {
  for (let i = 1; i < 10; i++) expect(isDenied(await before(here))).toBe(false)
  const said = await before(here)
  expect(isDenied(said)).toBe(true)
  return reasonOf(said)
}

/** Runs a line as an agent's shell does: no gantry on PATH, nothing of gantry in the environment. */
async function shell(cwd: string, line: string, PATH = '/usr/bin:/bin'): Promise<Ran> {
  const child = Bun.spawn(['env', '-i', `PATH=${PATH}`, `HOME=${tempDir()}`, 'sh', '-c', line], {
    cwd,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { exit, stdout, stderr }
}

describe('the beginning of an effort', () => {
  test('says what is denied, to whom, and how to change that', async () => {
    const here = placeIn(at)
    await here.hook('SessionStart', { source: 'startup' })
    const { stdout } = await here.gantry('effort', 'start', 'implement', '--title', 'Search')
    const [session] = (await here.json<{ id: string; name: string }[]>('sessions')).filter(
      ({ id }) => id === here.session,
    )
    expect(stdout).toContain('denies the 10th tool call without a log')
    expect(stdout).toContain(`every session in ${here.cwd}`)
    expect(stdout).toContain(session?.name ?? 'a name')
    expect(stdout).toContain('never those of sub-agents')
    expect(stdout).toContain('heartbeat_block')
  })

  test('says so of one of a named agent, and of one that denies nothing', async () => {
    const named = placeIn(at)
    const own = await named.gantry('effort', 'start', 'test', '--agent-id', 'tester')
    expect(own.stdout).toContain('sessions with AGENT_ID=tester')
    const free = placeIn(at)
    const meta = '{"settings":{"heartbeat_block":0}}'
    const { stdout } = await free.gantry('effort', 'start', 'fix', '--meta', meta)
    expect(stdout).toContain('denies nothing')
    expect(stdout).not.toContain('10th')
  })
})

describe('an agent that is denied', () => {
  test('is told a command that works without PATH and environment', async () => {
    const here = placeIn(at)
    await here.gantry('effort', 'start', 'implement')
    const reason = await denied(here)
    const command = /: (\S*\/gantry effort log .*)$/.exec(reason)?.[1] ?? ''
    expect(command).toStartWith('/')
    expect(isDenied(await before(here, 'Bash', { command }))).toBe(false)
    const ran = await shell(here.cwd, command)
    expect(ran).toMatchObject({ exit: 0, stderr: '' })
    expect(isDenied(await before(here))).toBe(false)
    expect(await here.json<EffortDetail>('effort', 'show')).toMatchObject({ heartbeat: 1 })
  })

  test.each([
    ['by name', 'gantry effort log "x"'],
    ['by another path', '~/.local/share/gantry/bin/gantry effort log "x"'],
    ['from a checkout', './bin/gantry effort log x'],
    ['with a variable before it', 'GANTRY_HOME=/x gantry effort log x'],
    ['with the folder before the command', 'gantry --home /x effort log x'],
    ['after a change of folder', 'cd /app && gantry effort log "x"'],
    ['from the output of a program', 'gantry effort log "$(git log -1 --format=%s)"'],
    ['as a call', `gantry rpc effort.log '{"cwd":"/app","text":"x"}'`],
    ['into a pipe', 'gantry effort dehydrate < notes.json | cat'],
  ])('may log %s', async (_, command) => {
    const here = placeIn(at)
    await here.gantry('effort', 'start', 'implement')
    await denied(here)
    expect(isDenied(await before(here, 'Bash', { command }))).toBe(false)
    expect(isDenied(await before(here, 'Bash', { command: 'npm test' }))).toBe(true)
  })

  test('is let go after three denials in a row, and both it and the person are told', async () => {
    const here = placeIn(at)
    await here.gantry('effort', 'start', 'implement')
    await denied(here)
    for (let i = 2; i <= 3; i++) expect(isDenied(await before(here, 'Read', { file_path: '/x' }))).toBe(true)
    const free = await before(here, 'Read', { file_path: '/x' })
    expect(isDenied(free)).toBe(false)
    expect(free.systemMessage).toContain('did not log')
    const after = { tool_name: 'Read', tool_input: {}, tool_response: {}, tool_use_id: 'r1' }
    const told = await hook(here, 'PostToolUse', after)
    expect(told.hookSpecificOutput?.additionalContext).toContain('no longer denied')
    for (let i = 0; i < 12; i++) expect(isDenied(await before(here))).toBe(false)
    const { stdout } = await here.gantry('effort', 'show')
    expect(stdout).toContain('no longer denied')
    // With a word it is all as before.
    await here.gantry('effort', 'log', 'back')
    await denied(here)
  })

  test.each([
    ['as a failure', 'PostToolUseFailure', { error: 'exit code 127: gantry: not found' }],
    ['as an output', 'PostToolUse', { tool_response: { stdout: '', stderr: 'gantry: not found' } }],
  ])('is let go at once when it tried to log and could not, seen %s', async (_, event, result) => {
    const here = placeIn(at)
    await here.gantry('effort', 'start', 'implement')
    await denied(here)
    const call = { tool_name: 'Bash', tool_input: { command: 'gantry effort log "x"' }, tool_use_id: 'log1' }
    expect(isDenied(await hook(here, 'PreToolUse', call))).toBe(false)
    const empty = join(tempDir(), 'empty')
    mkdirSync(empty)
    expect((await shell(here.cwd, 'gantry effort log "x"', empty)).exit).toBe(127)
    const told = await hook(here, event, { ...call, ...result })
    expect(told.hookSpecificOutput?.additionalContext).toContain('did not arrive')
    for (let i = 1; i < 10; i++) expect(isDenied(await before(here))).toBe(false)
    const { messages } = await here.json<EffortDetail>('effort', 'show')
    expect(messages.filter(({ role }) => role === 'failure').map(({ content }) => content)).toContainEqual(
      expect.stringContaining('did not arrive'),
    )
  })

  test('hears nothing of that when its log arrived', async () => {
    const here = placeIn(at)
    await here.gantry('effort', 'start', 'implement')
    await denied(here)
    const call = { tool_name: 'Bash', tool_input: { command: 'gantry effort log "x"' }, tool_use_id: 'log2' }
    await hook(here, 'PreToolUse', call)
    await here.gantry('effort', 'log', 'x')
    const told = await hook(here, 'PostToolUse', { ...call, tool_response: { stdout: '✓' } })
    expect(told.hookSpecificOutput?.additionalContext ?? '').not.toContain('did not arrive')
  })

  test('is denied as often as the effort says', async () => {
    const here = placeIn(at)
    const meta = '{"settings":{"heartbeat_block":1,"heartbeat_denials":5}}'
    await here.gantry('effort', 'start', 'implement', '--meta', meta)
    const said = []
    for (let i = 0; i < 7; i++) said.push(isDenied(await before(here)))
    expect(said).toEqual([true, true, true, true, true, false, false])
  })
})
