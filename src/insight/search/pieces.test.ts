import { describe, expect, test } from 'bun:test'
import { fixtureLines, rawEvent } from '../../../test/kit.ts'
import { agentFor } from '../../agents/index.ts'
import type { HookEvent } from '../../events/index.ts'
import { indexedText, sessionOf } from './indexed.ts'
import { piecesOf } from './pieces.ts'

/** The events of a recording, as the agent's reader makes them. */
function recorded(file: string): HookEvent[] {
  return fixtureLines(file).map(({ agent, event, env, payload }) => {
    const raw = JSON.stringify(payload)
    return agentFor(agent).read(payload, rawEvent({ agent, event, client: { env }, raw }))
  })
}

const texts = (file: string) =>
  recorded(file).flatMap((event) => piecesOf(event).map(({ kind, text }) => `${event.type} ${kind} ${text}`))

const own = (name: string, fields: Record<string, unknown>) =>
  agentFor('gantry').read(
    { hook_event_name: name, ...fields },
    rawEvent({ agent: 'gantry', transport: 'emit' }),
  )

describe('what is searched', () => {
  test('of Claude Code: prompts, commands, paths, answers; a call once', () => {
    const found = texts('claude/2.1.325/i-basic.jsonl')
    expect(found).toContain('UserPromptSubmit prompt hello [[s:a]]')
    expect(found).toContain('PreToolUse command touch perm1; echo done')
    expect(found).toContain('PreToolUse path /home/dev/acme/n.txt')
    expect(found.filter((one) => one.startsWith('PostToolUse '))).toEqual([])
    expect(found.some((one) => one.startsWith('Stop answer '))).toBe(true)
  })

  test('of the other agents as well', () => {
    expect(texts('codex/0.166.0/apply-patch.jsonl').join('\n')).toContain('*** Update File: hello.txt')
    expect(texts('gemini/0.61.0/basic.jsonl')).toContain('PreToolUse path does-not-exist.txt')
    expect(texts('copilot/1.0.102/copilot-basic.jsonl').join('\n')).toMatch(/PreToolUse command \w/)
    expect(texts('opencode/1.18.33/opencode-basic.jsonl').join('\n')).toMatch(/PreToolUse command \w/)
  })

  test('not generated prompts, nor hidden events', () => {
    const prompt = '<task-notification>done</task-notification>'
    const payload = { hook_event_name: 'UserPromptSubmit', session_id: 's1', prompt }
    expect(piecesOf(agentFor('claude').read(payload, rawEvent()))).toEqual([])
    expect(texts('copilot/1.0.102/copilot-permission-allow.jsonl').join('\n')).not.toContain(
      'PermissionRequest',
    )
  })

  test('names and titles of sessions, under their session', () => {
    const event = own('TitleObserved', { session_key: 'claude:s:1', title: 'Fix the upload' })
    expect(piecesOf(event)).toEqual([{ kind: 'title', text: 'Fix the upload' }])
    expect(sessionOf(event)).toEqual({ agent: 'claude', sessionId: 's:1' })
    expect(indexedText(event)?.facts).toContain('ss1')
  })

  test('only the first pages of a long event', () => {
    const payload = { hook_event_name: 'UserPromptSubmit', session_id: 's1', prompt: 'x '.repeat(4_000_000) }
    const event = agentFor('claude').read(payload, rawEvent())
    expect(indexedText(event)?.said.length).toBeLessThan(20_000)
  })

  test('strange tool inputs do no harm', () => {
    const inputs = [null, 7, [], 'ls -l', { command: ['ls', 3, '-l'] }, { command: {}, path: [['x']] }]
    const found = inputs.map((tool_input) =>
      piecesOf(
        agentFor('claude').read(
          { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'T', tool_input },
          rawEvent(),
        ),
      ).slice(1),
    )
    expect(found).toEqual([
      [],
      [],
      [],
      [{ kind: 'command', text: 'ls -l' }],
      [{ kind: 'command', text: 'ls -l' }],
      [],
    ])
  })
})
