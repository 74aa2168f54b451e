/** A clock that is set back, for the daemon and for the hooks alike: what happens next is next. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '../../src/events/index.ts'
import { settableClock } from '../clock/clock.ts'
import { gantry, journal, makeHome, type RunningDaemon, startDaemon, until } from '../kit.ts'
import { type FakeAgent, startAgent } from './agent-kit.ts'
import { ATTENDED, first, hold, permission } from './approval-kit.ts'
import { phaseIn, sessionIn, sessionWhen } from './session-kit.ts'

const LIMIT_MS = 60_000
const HALF_A_MINUTE = -30_000
const THREE_HOURS = -3 * 3_600_000

const at = makeHome()
const clock = settableClock()
let addedMs = 0
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at, clock.env)
})
afterAll(() => daemon.kill('SIGKILL'))

const setBacks = () =>
  journal<{ raw: string }>(at, "SELECT raw FROM events WHERE type = 'ClockSetBack' ORDER BY seq").map(
    ({ raw }) => (JSON.parse(raw) as { by_ms: number }).by_ms,
  )

/** From what it is now. */
function setBack(byMs: number): void {
  addedMs += byMs
  clock.set(addedMs)
}

interface Scene extends AsyncDisposable {
  readonly id: string
  readonly agent: FakeAgent
  readonly transcript: string
  says(event: string, fields?: object): Promise<void>
  /** By how much the clock was set back since the turn. */
  setBacks(): number[]
}

/** An agent whose first turn is over, on a machine whose clock can be set. */
async function afterATurn(): Promise<Scene> {
  const id = newId()
  const agent = await startAgent(at, 'claude', { env: clock.env })
  const transcript = join(transcripts, `${id}.jsonl`)
  const says = (event: string, fields: object = {}) =>
    agent.hook(event, { session_id: id, transcript_path: transcript, cwd: '/', ...fields })
  await says('SessionStart', { source: 'startup' })
  await says('UserPromptSubmit', { prompt: 'go' })
  await says('Stop')
  const before = setBacks().length // what came before this turn was noticed with its hooks
  return {
    id,
    agent,
    transcript,
    says,
    setBacks: () => setBacks().slice(before),
    [Symbol.asyncDispose]: () => agent.kill(),
  }
}

const transcripts = join(at.home ?? '', '.claude/projects/acme')
mkdirSync(transcripts, { recursive: true })

const bash = { tool_name: 'Bash', tool_input: { command: './x' } }

describe.each([
  ['half a minute', HALF_A_MINUTE],
  ['three hours', THREE_HOURS],
])('a clock that is set back by %s after a turn', (_words, byMs) => {
  test('hides neither the next turn, nor its dialog, nor what is held for it', async () => {
    await using scene = await afterATurn()
    const { id, says, setBacks } = scene
    setBack(byMs)
    await says('UserPromptSubmit', { prompt: 'again' })
    expect(await sessionIn(at, id)).toMatchObject({ phase: 'working', lastPrompt: 'again' })
    await says('PreToolUse', { ...bash, tool_use_id: 't1' })
    const held = hold(at, permission('./x', id), undefined, { ...ATTENDED, ...clock.env })
    const asks = await first(at)
    expect((await sessionIn(at, id)).phase).toBe('blocked')
    await gantry(at, 'approve', asks.id)
    expect((await held.reply).stdout).toContain('"behavior":"allow"')
    await phaseIn(at, id, 'working')
    await says('PostToolUse', { ...bash, tool_use_id: 't1' })
    await says('Stop')
    expect((await sessionIn(at, id)).phase).toBe('idle')
    expect(setBacks()).toHaveLength(1)
    expect(Math.abs((setBacks()[0] ?? 0) + byMs)).toBeLessThan(1_000)
  })

  test('hides no kill', async () => {
    await using scene = await afterATurn()
    const { id, agent } = scene
    setBack(byMs)
    await agent.kill()
    await phaseIn(at, id, 'ended')
  })

  test('ends no question that is open, and nothing that is held for it', async () => {
    await using scene = await afterATurn()
    const { id, says, setBacks } = scene
    await says('UserPromptSubmit', { prompt: 'again' })
    await says('PreToolUse', { ...bash, tool_use_id: 't1' })
    const held = hold(at, permission('./x', id), undefined, { ...ATTENDED, ...clock.env })
    const asks = await first(at)
    setBack(byMs)
    await until(() => setBacks().length > 0, 'it to be noticed', LIMIT_MS)
    const asked = await phaseIn(at, id, 'blocked')
    expect(Math.abs((asked.attention[0]?.since ?? 0) - (asks.since + byMs))).toBeLessThan(2_000)
    expect((await first(at)).id).toBe(asks.id)
    await gantry(at, 'deny', asks.id)
    expect((await held.reply).stdout).toContain('"behavior":"deny"')
  })

  test('hides no Esc that only the transcript tells', async () => {
    await using scene = await afterATurn()
    const { id, says, setBacks, transcript } = scene
    writeFileSync(transcript, '')
    await says('UserPromptSubmit', { prompt: 'again' })
    await says('PreToolUse', { ...bash, tool_use_id: 't1' })
    const write = (line: object, timestamp: number) =>
      appendFileSync(
        transcript,
        `${JSON.stringify({ ...line, isSidechain: false, timestamp: new Date(timestamp).toISOString() })}\n`,
      )
    const title = { type: 'custom-title', customTitle: 'read along' } // by the clock as it was
    write(title, Date.now() + addedMs)
    await sessionWhen(at, id, (shown) => shown.title === title.customTitle)
    setBack(byMs)
    await until(() => setBacks().length > 0, 'it to be noticed', LIMIT_MS)
    const content = [{ type: 'text', text: '[Request interrupted by user]' }]
    write({ type: 'user', message: { role: 'user', content } }, Date.now() + addedMs)
    await phaseIn(at, id, 'idle')
  })

  test('while no daemon is there hides nothing either', async () => {
    await using scene = await afterATurn()
    const { id, says } = scene
    const rows = () => journal(at, `SELECT 1 FROM session_states WHERE key = 'claude:${id}'`)
    await until(() => rows().length > 0, 'the row')
    await daemon.kill('SIGKILL')
    setBack(byMs)
    daemon = await startDaemon(at, clock.env)
    await says('UserPromptSubmit', { prompt: 'again' })
    expect(await sessionIn(at, id)).toMatchObject({ phase: 'working', lastPrompt: 'again' })
    await says('PermissionRequest', bash)
    expect((await sessionIn(at, id)).phase).toBe('blocked')
  })
})
