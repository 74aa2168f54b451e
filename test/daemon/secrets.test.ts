/** A secret that comes in by any road is in no file that the daemon keeps, and goes to nobody; the agent is not harmed by it. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { TOKENS } from '../../src/redaction/secret-samples.ts'
import { gantry, gantryJson, HOOK, journal, makeHome, run, sendFrame, startDaemon, until } from '../kit.ts'
import { first, hold, permission } from './approval-kit.ts'

setDefaultTimeout(120_000)

const SAMPLES = Object.values(TOKENS).flat()
let next = 0
/** Another one for each road, so that a find tells which. */
const secret = () => SAMPLES[next++ * 3] ?? ''

/** Files below a folder that hold the text. */
function holders(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text))
}

const journaled = (at: Places, count: number) =>
  until(() => journal(at).length >= count, `${count} events`, 30_000)

test('it is in no file of the state folder', async () => {
  const at = makeHome()
  mkdirSync(join(at.spool), { recursive: true, mode: 0o700 })
  const roads: Record<string, string> = {}
  const road = (name: string) => {
    roads[name] = secret()
    return roads[name]
  }
  writeFileSync(join(at.spool, '01KA0000000000000000000000.frame'), `garbage ${road('spooled garbage')} \n`)
  {
    await using _daemon = await startDaemon(at)
    const payload = {
      hook_event_name: 'UserPromptSubmit',
      session_id: 's1',
      prompt: `use ${road('payload')}`,
    }
    await sendFrame(at, {
      payload: JSON.stringify(payload),
      header: { env: { CLAUDE_PROJECT_DIR: `/a/${road('environment')}` } },
    })
    await sendFrame(at, { payload: 'not json', event: road('name of the event').slice(0, 64) })
    await run(
      [HOOK, 'claude', 'Stop'],
      at,
      JSON.stringify({ hook_event_name: 'Stop', session_id: 's1', last_assistant_message: road('message') }),
      { CLAUDE_PROJECT_DIR: `/b/${road('environment of a client')}` },
    )
    await gantry(
      at,
      'bus',
      'emit',
      '--hook=Stop',
      `--payload={"session_id":"s2","note":"${road('emitted')}"}`,
    )
    await gantry(at, 'session', 's1', '--name', road('name of a session'))
    const held = hold(at, permission(`curl -H 'PRIVATE-TOKEN: ${road('approval')}' x`))
    const { id, line } = await first(at)
    expect(line).toContain('[redacted]')
    await gantry(at, 'deny', id, '--message', `use ${road('answer of a person')}`)
    expect((await held.reply).stdout).toContain(roads['answer of a person'] ?? '') // their own words reach the agent
    await gantry(at, 'effort', 'start', 'implement', '--title', road('effort'))
    await journaled(at, 5)
    await until(() => readdirSync(join(at.spool, 'bad')).length === 1, 'the garbage set aside')
    await gantry(at, 'search', 'redacted')
    await call(at, 'events.list', { limit: 1 })
    await gantry(at, 'down')
  }
  const found = Object.entries(roads).flatMap(([name, text]) =>
    holders(at.state, text).map((path) => `${name}: ${path.slice(at.state.length)}`),
  )
  expect(found).toEqual([])
  const clients = journal<{ client: string }>(at, 'SELECT client FROM events').map(({ client }) => client)
  expect(clients.join()).toContain('/a/[redacted]')
})

test('a rule sees what was sent, and its rewrite gives the secret back to the agent alone', async () => {
  const at = makeHome()
  mkdirSync(at.rules, { recursive: true })
  writeFileSync(
    join(at.rules, 'rules.yaml'),
    `
rules:
  - { id: no-key, on: PreToolUse, match: { tool.input.command: 'ghp_[a-zA-Z0-9]+ example' }, decision: deny, reason: no keys there }
  - { id: quick, on: PreToolUse, tool: Bash, match: { tool.input.command: '^curl' }, input: { timeout: 5 } }
`,
  )
  await using _daemon = await startDaemon(at)
  const [key = ''] = TOKENS.GitHub ?? []
  const ask = async (command: string) =>
    (
      await run(
        [HOOK, 'claude', 'PreToolUse'],
        at,
        JSON.stringify({
          hook_event_name: 'PreToolUse',
          session_id: 's1',
          tool_name: 'Bash',
          tool_input: { command },
          tool_use_id: 't1',
        }),
      )
    ).stdout
  expect(await ask(`push ${key} example`)).toContain('no keys there')
  const rewritten = await ask(`curl -H 'PRIVATE-TOKEN: ${key}' x`)
  expect(JSON.parse(rewritten)).toMatchObject({
    hookSpecificOutput: { updatedInput: { command: `curl -H 'PRIVATE-TOKEN: ${key}' x`, timeout: 5 } },
  })
  expect(JSON.stringify(await gantryJson(at, 'events', '--json', '-n', '1'))).not.toContain(key)
  await gantry(at, 'down')
  expect(holders(at.state, key)).toEqual([])
})
