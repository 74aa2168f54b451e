/** A clock that is set back, for the daemon and for the hooks alike: what happens next is next. */
import { describe, expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../../src/core/files/paths.ts'
import { type SettableClock, settableClock } from '../clock/clock.ts'
import { endDaemon, gantry, journal, makeHome, startDaemon, until } from '../kit.ts'
import { type FakeAgent, startAgent } from './agent-kit.ts'
import { ATTENDED, first, hold, permission } from './approval-kit.ts'
import { phaseIn, sessionIn, sessionWhen } from './session-kit.ts'

const LIMIT_MS = 30_000
const HALF_A_MINUTE = -30_000
const THREE_HOURS = -3 * 3_600_000

const setBacks = (at: Places) =>
  journal<{ raw: string }>(at, "SELECT raw FROM events WHERE type = 'ClockSetBack'").map(
    ({ raw }) => (JSON.parse(raw) as { by_ms: number }).by_ms,
  )

interface Scene extends AsyncDisposable {
  readonly at: Places
  readonly clock: SettableClock
  readonly agent: FakeAgent
  says(event: string, fields?: object): Promise<void>
}

/** An agent whose first turn is over, on a machine whose clock can be set. */
async function afterATurn(): Promise<Scene> {
  const at = makeHome()
  const clock = settableClock()
  const daemon = await startDaemon(at, clock.env)
  const agent = await startAgent(at, 'claude', { env: clock.env })
  const path = transcriptIn(at)
  const says = (event: string, fields: object = {}) =>
    agent.hook(event, { session_id: 's1', transcript_path: path, cwd: '/', ...fields })
  await says('SessionStart', { source: 'startup' })
  await says('UserPromptSubmit', { prompt: 'go' })
  await says('Stop')
  const end = async () => {
    await agent.kill()
    await daemon.kill('SIGTERM')
  }
  return { at, clock, agent, says, [Symbol.asyncDispose]: end }
}

function transcriptIn(at: Places): string {
  const folder = join(at.home ?? '', '.claude/projects/acme')
  mkdirSync(folder, { recursive: true })
  return join(folder, 's1.jsonl')
}

const bash = { tool_name: 'Bash', tool_input: { command: './x' } }

describe.each([
  ['half a minute', HALF_A_MINUTE],
  ['three hours', THREE_HOURS],
])('a clock that is set back by %s after a turn', (_words, addedMs) => {
  test('hides neither the next turn, nor its dialog, nor what is held for it', async () => {
    await using scene = await afterATurn()
    const { at, clock, says } = scene
    clock.set(addedMs)
    await says('UserPromptSubmit', { prompt: 'again' })
    expect(await sessionIn(at, 's1')).toMatchObject({ phase: 'working', lastPrompt: 'again' })
    await says('PreToolUse', { ...bash, tool_use_id: 't1' })
    const held = hold(at, permission('./x'), undefined, { ...ATTENDED, ...clock.env })
    const { id } = await first(at)
    expect((await sessionIn(at, 's1')).phase).toBe('blocked')
    await gantry(at, 'approve', id)
    expect((await held.reply).stdout).toContain('"behavior":"allow"')
    await phaseIn(at, 's1', 'working')
    await says('PostToolUse', { ...bash, tool_use_id: 't1' })
    await says('Stop')
    expect((await sessionIn(at, 's1')).phase).toBe('idle')
    expect(setBacks(at)).toHaveLength(1)
    expect(Math.abs((setBacks(at)[0] ?? 0) + addedMs)).toBeLessThan(1_000)
  })

  test('hides no kill', async () => {
    await using scene = await afterATurn()
    const { at, clock, agent } = scene
    clock.set(addedMs)
    await agent.kill()
    await phaseIn(at, 's1', 'ended')
  })

  test('ends no question that is open, and nothing that is held for it', async () => {
    await using scene = await afterATurn()
    const { at, clock, says } = scene
    await says('UserPromptSubmit', { prompt: 'again' })
    await says('PreToolUse', { ...bash, tool_use_id: 't1' })
    const held = hold(at, permission('./x'), undefined, { ...ATTENDED, ...clock.env })
    const { id, since } = await first(at)
    clock.set(addedMs)
    await until(() => setBacks(at).length > 0, 'it to be noticed', LIMIT_MS)
    const asked = await phaseIn(at, 's1', 'blocked')
    expect(Math.abs((asked.attention[0]?.since ?? 0) - (since + addedMs))).toBeLessThan(2_000)
    expect((await first(at)).id).toBe(id)
    await gantry(at, 'deny', id)
    expect((await held.reply).stdout).toContain('"behavior":"deny"')
  })

  test('hides no Esc that only the transcript tells', async () => {
    await using scene = await afterATurn()
    const { at, clock, says } = scene
    writeFileSync(transcriptIn(at), '')
    await says('UserPromptSubmit', { prompt: 'again' })
    await says('PreToolUse', { ...bash, tool_use_id: 't1' })
    const write = (line: object, timestamp: number) =>
      appendFileSync(
        transcriptIn(at),
        `${JSON.stringify({ ...line, isSidechain: false, timestamp: new Date(timestamp).toISOString() })}\n`,
      )
    const title = { type: 'custom-title', customTitle: 'read along' } // by the clock as it was
    write(title, Date.now())
    await sessionWhen(at, 's1', (shown) => shown.title === title.customTitle)
    clock.set(addedMs)
    await until(() => setBacks(at).length > 0, 'it to be noticed', LIMIT_MS)
    const content = [{ type: 'text', text: '[Request interrupted by user]' }]
    write({ type: 'user', message: { role: 'user', content } }, Date.now() + addedMs)
    await phaseIn(at, 's1', 'idle')
  })

  test('while no daemon is there hides nothing either', async () => {
    await using scene = await afterATurn()
    const { at, clock, says } = scene
    await until(() => journal(at, 'SELECT * FROM session_states').length > 0, 'the row')
    await endDaemon(at)
    clock.set(addedMs)
    await using _again = await startDaemon(at, clock.env)
    await says('UserPromptSubmit', { prompt: 'again' })
    expect(await sessionIn(at, 's1')).toMatchObject({ phase: 'working', lastPrompt: 'again' })
    await says('PermissionRequest', bash)
    expect((await sessionIn(at, 's1')).phase).toBe('blocked')
  })
})
