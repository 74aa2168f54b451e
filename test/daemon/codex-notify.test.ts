/** Codex's `notify`, with and without its hooks: what the seed of TeleClaude calls agent-turn-complete. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { call } from '../../src/client/index.ts'
import {
  fixtureLines,
  GANTRY,
  gantryJson,
  HOOK,
  journal,
  makeHome,
  type RunningDaemon,
  run,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
})
afterAll(async () => void (await daemon.kill('SIGTERM')))

/** As Codex sends it without `client`. */
const turn = (thread: string, prompts: readonly string[], answer: string, more: object = {}) => ({
  type: 'agent-turn-complete',
  'thread-id': thread,
  'input-messages': prompts,
  'last-assistant-message': answer,
  ...more,
})

const session = (id: string) => call(at, 'sessions.get', { session: id })
const types = (id: string) =>
  journal<{ type: string }>(at, `SELECT type FROM events WHERE session_id = '${id}' ORDER BY seq`).map(
    ({ type }) => type,
  )
const found = async (text: string) => {
  const { stdout } = await run([GANTRY, 'search', text, '--json'], at)
  return (JSON.parse(stdout) as { hits: { session: string }[] }).hits
}

describe.each([
  ['gantry-hook codex <json>', 'one', (json: string) => [HOOK, 'codex', json]],
  ['gantry-hook codex notify <json>', 'two', (json: string) => [HOOK, 'codex', 'notify', json]],
  ['gantry hook codex <json>', 'three', (json: string) => [GANTRY, 'hook', 'codex', json]],
  ['gantry hook codex notify <json>', 'four', (json: string) => [GANTRY, 'hook', 'codex', 'notify', json]],
])('%s', (_, name, argv) => {
  const id = `thread-${name}`
  test('makes a session with its prompt, its answer and the end of its turn', async () => {
    const payload = JSON.stringify(
      turn(id, ['first', `mend the ${name} gasket`], `The ${name} gasket holds.`),
    )
    expect(await run(argv(payload), at)).toEqual({ exit: 0, stdout: '', stderr: '' })
    const made = await until(() => session(id).catch(() => undefined), 'the session')
    expect(made).toMatchObject({
      agent: 'codex',
      phase: 'idle',
      lastPrompt: `mend the ${name} gasket`,
      lastMessage: `The ${name} gasket holds.`,
    })
    expect(types(id).filter((type) => type !== 'SessionSummarized')).toEqual(['UserPromptSubmit', 'Stop'])
    const { stdout } = await run([GANTRY, 'events', '--session', id], at)
    expect(stdout).toMatch(new RegExp(`Stop +The ${name} gasket holds\\.`))
    expect(stdout).toMatch(new RegExp(`UserPromptSubmit +mend the ${name} gasket`))
  })

  test('is summed up and found', async () => {
    await until(async () => (await session(id)).summary, 'the summary')
    await until(async () => (await found(`"${name} gasket holds"`)).length > 0, 'the answer')
    await until(async () => (await found(`"mend the ${name} gasket"`)).length > 0, 'the prompt')
  })
})

test('each turn has one prompt and one end, also when the same is said again', async () => {
  for (const prompts of [['go on'], ['go on', 'go on']])
    await sendFrame(at, {
      agent: 'codex',
      event: 'notify',
      payload: JSON.stringify(turn('again', prompts, 'ok')),
    })
  await until(() => types('again').filter((type) => type === 'UserPromptSubmit').length === 2, 'two prompts')
  expect(types('again').filter((type) => type === 'Stop')).toHaveLength(2)
  expect(await session('again')).toMatchObject({ phase: 'idle', turn: { open: false } })
})

test('with hooks wired, no prompt is invented, and neither the title thread nor a sub-agent is a session', async () => {
  const lines = [...fixtureLines('codex/0.166.0/subagent.jsonl')]
  const title = fixtureLines('codex/0.166.0/_one-of-each.jsonl').find(({ payload }) =>
    String((payload['input-messages'] as string[] | undefined)?.[0]).startsWith('Generate a concise'),
  )
  expect(title).toBeDefined()
  for (const { event, payload } of [...lines, ...(title ? [title] : [])])
    await sendFrame(at, { agent: 'codex', event, payload: JSON.stringify(payload) })
  const main = String(lines[0]?.payload.session_id)
  const child = String(lines.find(({ event }) => event === 'SubagentStart')?.payload.agent_id)
  const listed = (await gantryJson(at, 'sessions', '--json', '--all')) as { id: string }[]
  const ids = listed.map(({ id }) => id)
  expect(ids).toContain(main)
  expect(ids).not.toContain(child)
  expect(ids).not.toContain(String(title?.payload['thread-id']))
  const rows = journal<{ n: number }>(
    at,
    `SELECT count(*) AS n FROM events WHERE session_id = '${main}' AND type = 'UserPromptSubmit' AND transport = 'healer'`,
  )
  expect(rows[0]?.n).toBe(0)
})
