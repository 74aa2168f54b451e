import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedBaselines } from '../../../../scripts/generate/baselines.ts'
import { FIXTURES, fixtureLines, ROOT } from '../../../../test/kit.ts'
import type { Shape } from '../../../rpc/index.ts'
import {
  Baselines,
  DOCUMENTED,
  differenceText,
  diffVersions,
  expectedAll,
  expectedOf,
  parseBaseline,
  SchemaWatch,
  SHIPPED,
} from '../index.ts'
import { recordedOf } from '../source.ts'

const VERSIONS = readdirSync(FIXTURES).flatMap((agent) =>
  readdirSync(join(FIXTURES, agent)).map((version) => ({ agent, version })),
)

function recordings(agent: string, version: string) {
  const files = readdirSync(join(FIXTURES, agent, version)).filter((name) => name.endsWith('.jsonl'))
  return files
    .flatMap((file) => fixtureLines(join(agent, version, file)))
    .flatMap((line) => recordedOf(line) ?? [])
}

function learned(agent: string, version: string): Shape[] {
  const watch = new SchemaWatch({ expected: () => undefined, recall: () => undefined })
  for (const { kind, payload, at } of recordings(agent, version)) watch.see(kind, () => payload, at)
  return watch.shapes()
}

describe('the shipped baselines', () => {
  test('equal the output of npm run baselines', () => {
    for (const [name, text] of Object.entries(generatedBaselines()))
      expect(readFileSync(join(ROOT, 'src/insight/schema/baselines/shipped', name), 'utf8'), name).toBe(text)
  })

  test('exist for every recorded version, in order', () => {
    const shipped = SHIPPED.map(({ agent, version }) => `${agent} ${version}`)
    expect(shipped.toSorted()).toEqual(VERSIONS.map(({ agent, version }) => `${agent} ${version}`).toSorted())
    for (const baseline of [...SHIPPED, ...DOCUMENTED])
      expect(parseBaseline(baseline, 'shipped')).toEqual(baseline)
  })

  for (const { agent, version } of VERSIONS) {
    test(`find nothing strange in any recorded payload of ${agent} ${version}, whether it tells its version or not`, () => {
      for (const told of [version, '']) {
        const baselines = new Baselines(SHIPPED)
        const watch = new SchemaWatch({
          expected: (kind) => baselines.expected(kind),
          recall: () => undefined,
        })
        const all = recordings(agent, version)
        expect(all.length).toBeGreaterThan(30)
        for (const { kind, payload } of all)
          expect(watch.see({ ...kind, version: told }, () => payload, 1).drifts).toEqual([])
      }
    })
  }

  test('know that what Gemini shows of a slow command are the lines of a terminal', () => {
    const baselines = new Baselines(SHIPPED)
    const watch = new SchemaWatch({ expected: (kind) => baselines.expected(kind), recall: () => undefined })
    const shell = recordings('gemini', '0.61.0').find(
      ({ kind }) => kind.event === 'AfterTool' && kind.tool === 'run_shell_command',
    )
    const { kind, payload } = shell ?? expect.unreachable()
    const shown = (returnDisplay: unknown) => {
      const { tool_response, ...rest } = payload as { tool_response: object }
      return { ...rest, tool_response: { ...tool_response, returnDisplay } }
    }
    const lines = [[{ text: 'done', bold: false, fg: '' }]]
    expect(watch.see(kind, () => shown(lines), 1).drifts).toEqual([])
    expect(watch.see(kind, () => ({ ...shown(lines), tool_response: 'done' }), 1).drifts).toHaveLength(1)
  })

  test("have what Codex's own schemas require, also where it was never recorded", () => {
    const codex = new Baselines(SHIPPED)
    const of = (event: string) =>
      codex.expected({ agent: 'codex', version: '0.166.0', event, tool: '' })?.fields
    expect(of('SessionStart')?.source?.words).toEqual(['startup', 'resume', 'clear', 'compact', 'fork'])
    expect(of('Stop')?.last_assistant_message).toMatchObject({ types: ['string', 'null'], required: true })
    expect(of('UserPromptSubmit')?.agent_id?.required).toBe(false)
  })
})

describe('what Claude Code changed from 2.0.77 to 2.1.325', () => {
  const all = (version: string) =>
    SHIPPED.filter((one) => one.agent === 'claude' && one.version === version).flatMap(expectedAll)
  const found = diffVersions(all('2.0.77'), all('2.1.325'))
  const texts = found.map(differenceText)

  test('is 21 new events', () => {
    const events = found.filter(({ kind }) => kind === 'new-event').map(({ event }) => event)
    expect(events).toHaveLength(21)
    for (const event of ['StopFailure', 'PostToolBatch', 'TeammateIdle', 'Elicitation', 'WorktreeCreate'])
      expect(events).toContain(event)
  })

  test('is the fields that 2.0.77 did not have', () => {
    const fields = [
      ...['PreToolUse', 'PostToolUse', 'Stop', 'UserPromptSubmit', 'SubagentStop'].map(
        (event) => `${event} prompt_id`,
      ),
      ...['PreToolUse', 'PostToolUse', 'Stop'].map((event) => `${event} effort`),
      ...['PostToolUse duration_ms', 'PostToolUseFailure duration_ms'],
      ...['Stop', 'SubagentStop'].flatMap((event) => [
        `${event} last_assistant_message`,
        `${event} background_tasks`,
      ]),
      ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure'].map((event) => `${event} agent_id`),
      'SubagentStop agent_type',
    ]
    const news = found.filter(({ kind }) => kind === 'new-field').map(({ event, path }) => `${event} ${path}`)
    for (const field of fields) expect(news).toContain(field)
    expect(news).not.toContain('UserPromptSubmit source') // in the tables, and never sent
  })

  test('breaks one thing: the tool for sub-agents has another name', () => {
    expect(found.filter(({ severity }) => severity === 'breaking').map(differenceText)).toEqual([
      'tool "Task" is now "Agent"',
    ])
    expect(texts).toContain('PreCompact: "custom_instructions" may be string | null, was string')
  })
})

describe('recorded payloads against the documentation of their time', () => {
  for (const version of ['2.0.77', '2.1.325']) {
    const documented = DOCUMENTED.flatMap(expectedAll)
    const texts = diffVersions(documented, learned('claude', version).map(expectedOf)).map(differenceText)
    const expected = {
      '1. permission_mode': ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop', 'SubagentStop'].map(
        (event) => new RegExp(`^${event}: new field "permission_mode"`),
      ),
      '2. source': [/^SessionStart: new field "source"/],
      '3. stop_hook_active': [
        /^Stop: new field "stop_hook_active"/,
        /^SubagentStop: new field "stop_hook_active"/,
      ],
      '4. agent_id, not agent_name': [/^SubagentStop: field "agent_name" is now "agent_id"$/],
      '5. agent_transcript_path': [/^SubagentStop: new field "agent_transcript_path"/],
      '6. prompt, not user_input': [/^UserPromptSubmit: field "user_input" is now "prompt"$/],
      '7. tool_response, not tool_output': [/^PostToolUse: field "tool_output" is now "tool_response"$/],
      '8. tool_input in PostToolUse': [/^PostToolUse: new field "tool_input"/],
      'and the structure of Notification': [
        /^Notification: structure was unknown: cwd, hook_event_name, message, notification_type, (?:prompt_id, )?session_id, transcript_path$/,
      ],
    }
    for (const [name, patterns] of Object.entries(expected)) {
      test(`${version} differs in ${name}`, () => {
        for (const pattern of patterns) expect(texts.join('\n')).toMatch(new RegExp(pattern.source, 'm'))
      })
    }
  }
})
