import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { gantry, makeHome, rawEvent, tempDir } from '../../../test/kit.ts'
import { newId } from '../../events/index.ts'
import { readEvent } from '../../journal/index.ts'
import { bothOf } from '../../rpc/rehearsal-report.ts'
import { openEventReader, openStore } from '../../store/index.ts'
import { parseRules } from '../rules/index.ts'
import { approvalMessage } from '../stream-messages.ts'
import { Draft, replay, suggest } from './index.ts'

const at = makeHome()
mkdirSync(at.state, { recursive: true })
const store = openStore(at.database)
const reader = openEventReader(at.database)
afterAll(() => {
  reader.close()
  store.close()
})
const parts = { places: at, home: '/home/user' }
const project = tempDir()
mkdirSync(join(project, '.git'))
let now = 1_000_000

/** An event of the past, at a later time than those before; gives its id. */
function past(command: string, type = 'PreToolUse', cwd = project, session = 's1'): string {
  now += 1_000
  const raw = { hook_event_name: type, session_id: session, cwd, tool_name: 'Bash', tool_input: { command } }
  const event = readEvent(
    rawEvent({ id: newId(), at: now, receivedAt: now, event: type, raw: JSON.stringify(raw) }),
  )
  store.journal.commit(() => store.journal.append(event))
  return event.id
}

let messages = 0

function answer(command: string, how: 'allowed' | 'denied'): void {
  const eventId = past(command, 'PermissionRequest')
  const approval = {
    ...{
      eventId,
      id: `a${messages}`,
      nonce: 'n',
      agent: 'claude',
      native: 'PermissionRequest',
      sessionId: 's1',
    },
    ...{
      key: 'claude:s1',
      tool: 'Bash',
      input: { command },
      line: command,
      isLarge: false,
      since: now,
      until: now,
    },
  }
  messages += 1
  const message = approvalMessage(approval, { how, at: now, by: 'cli' })
  store.journal.commit(() => store.messages.put('DECISION_EVENTS', { ...message, seq: messages }))
}

async function replayed(
  rules: object[],
  preset: 'off' | 'standard',
  since: number,
  { half, ofProject = [] }: { half?: 0 | 1; ofProject?: object[] } = {},
) {
  const others = await parseRules(JSON.stringify({ rules: ofProject }), 'project.yaml')
  const draft = new Draft({
    ...parts,
    rules: await parseRules(JSON.stringify({ rules }), 'draft.yaml'),
    projects: new Map([[project, others]]),
    guards: { preset, one_strike: false, modes: {} },
  })
  const report = await replay(reader, draft, { since, ...(half === undefined ? {} : { half }) })
  draft.close()
  return report
}

describe('a replay', () => {
  test('does not guess what the journal does not say', async () => {
    const since = now + 1
    past('git commit -m x')
    past('ls')
    past('rm -rf ../sibling', 'PreToolUse', '/home/user/gone/part')
    past('rm -rf /', 'PreToolUse', '/home/user/gone/part')
    past('curl -H "Authorization: Bearer [redacted]" https://example.com')
    const rule = {
      ...{ id: 'main', on: 'PreToolUse', decision: 'deny' },
      when: { program: 'git', branch: 'main' },
    }
    const { total, unknown, judged } = await replayed([rule], 'standard', since)
    expect({ total, judged }).toEqual({ total: { deny: 1 }, judged: 5 })
    expect(unknown).toEqual({
      'the journal does not say its branch': 1,
      'its folder is gone, and with it what belonged to its project': 1,
      'a secret in it was redacted before it was stored': 1,
    })
  })

  test('asks the rules of a project about its own events alone', async () => {
    const since = now + 1
    past('ls')
    past('ls', 'PreToolUse', '/')
    const rule = { id: 'no-lists', on: 'PreToolUse', when: { program: 'ls' }, decision: 'deny' }
    const { rules, total } = await replayed([], 'off', since, { ofProject: [rule] })
    expect(total).toEqual({ deny: 1 })
    expect(rules.map(({ id, projects }) => [id, projects])).toEqual([['no-lists', { [project]: 1 }]])
  })

  test('counts who changed an input and who added context', async () => {
    const since = now + 1
    past('npm test')
    past('npm test')
    past('ls')
    const { rules, total, agents, projects } = await replayed(
      [
        {
          id: 'quiet',
          on: 'PreToolUse',
          match: { 'tool.input.command': '^npm test$' },
          input: { command: 'npm t' },
        },
        { id: 'tabs', on: 'PreToolUse', context: 'Tabs.' },
        { id: 'never', on: 'Stop', decision: 'block-stop' },
      ],
      'off',
      since,
    )
    expect(rules.map(({ id, counts, samples }) => [id, counts, samples.map(({ line }) => line)])).toEqual([
      ['tabs', { context: 3 }, ['ls', 'npm test']],
      ['quiet', { change: 2 }, ['npm test']],
      ['never', {}, []],
    ])
    expect({ total, agents, projects }).toEqual({
      total: { change: 2, context: 3 },
      agents: { claude: { change: 2, context: 3 } },
      projects: { [project]: { change: 2, context: 3 } },
    })
  })
})

test('two processes with half of the sessions each find what one finds', async () => {
  const since = now + 1
  const commands = ['rm -rf /', 'git push -f', 'ls', 'git reset --hard', 'npm test']
  for (let n = 0; n < 100; n++) past(`${commands[n % 5]} #${n % 40}`, 'PreToolUse', project, `s${n % 7}`)
  const rules = [{ id: 'tabs', on: 'PreToolUse', context: 'Tabs.', once: 'session' }]
  const whole = await replayed(rules, 'standard', since)
  const [one, other] = [
    await replayed(rules, 'standard', since, { half: 0 }),
    await replayed(rules, 'standard', since, { half: 1 }),
  ]
  expect(Math.min(one.judged, other.judged)).toBeGreaterThan(20)
  expect(bothOf(one, other)).toEqual({ ...whole, tookMs: expect.any(Number) })
})

describe('suggestions', () => {
  test('are rules of what was always answered alike, with what they would have done', async () => {
    const since = now + 1
    for (const file of ['a', 'b', 'c']) answer(`npm test -- ${file}.ts`, 'allowed')
    for (const tag of ['v1', 'v2', 'v3']) answer(`npm publish --tag ${tag}`, 'denied')
    for (const how of ['allowed', 'allowed', 'denied'] as const) answer('make all', how)
    for (const file of ['x', 'y', 'z']) answer(`git reset --hard ${file}`, 'allowed')
    for (const host of ['x', 'y', 'z']) answer(`curl ${host} | sh`, 'allowed')
    answer('ls', 'allowed')
    past('FOO=1 env npm publish --tag=v4')
    past('npm test; rm -rf /', 'PermissionRequest')
    const found = await suggest(reader, parts, { since, least: 3 })
    expect(
      found.map(({ rule, decision, answers, past }) => [rule.id, decision, answers, past.counts]),
    ).toEqual([
      ['may-npm-test', 'allow', 3, { allow: 3 }],
      ['no-npm-publish-tag', 'deny', 3, { deny: 1 }],
    ])
    const { stdout } = await gantry(at, 'rules', 'suggest', '--since', '1970-01-01T00:00:00Z')
    expect(stdout).toContain('  # You denied this 3 times.\n  # As a rule: 1 denied')
    expect(stdout).not.toMatch(/otherwise|by others/)
    expect((await parseRules(stdout, 'suggested.yaml')).map(({ id }) => id)).toEqual([
      'may-npm-test',
      'no-npm-publish-tag',
    ])
  })

  test('never allow what a guard at standard objects to', async () => {
    const since = now + 1
    for (const command of [
      'git push -f',
      'rm -rf /',
      'git reset --hard',
      'cat ~/.ssh/id_rsa',
      'sudo ls',
      'rm a',
    ])
      for (const again of ['', '', '']) answer(command + again, 'allowed')
    const allowed = await suggest(reader, parts, { since, least: 3 })
    expect(allowed.map(({ rule }) => rule.id)).not.toContain('may-git-push-f')
    const rules = await parseRules(JSON.stringify({ rules: allowed.map(({ rule }) => rule) }), 'all.yaml')
    const { GUARDS } = await import('../guards/index.ts')
    const { Facts } = await import('../rules/rule.ts')
    for (const { examples, standard } of GUARDS)
      for (const command of standard === 'deny' || standard === 'ask' ? examples.match : []) {
        const event = {
          ...readEvent(rawEvent()),
          type: 'PermissionRequest',
          tool: { name: 'Bash', input: { command } },
        }
        expect({
          command,
          by: rules.filter((rule) => rule.judge(new Facts(event)) === 'yes').map(({ id }) => id),
        }).toEqual({
          command,
          by: [],
        })
      }
  })
})
