import { describe, expect, test } from 'bun:test'
import type { WireEvent } from '../../client/index.ts'
import { currentAsk, subjectOf, withEvents } from './happening.ts'

let seq = 0
function event(type: string, parts: Partial<WireEvent> = {}): WireEvent {
  seq += 1
  return {
    id: `e${seq}`,
    seq,
    at: seq,
    receivedAt: seq,
    agent: 'claude',
    type,
    native: type,
    sessionId: 's',
    client: { env: {} },
    transport: 'socket',
    ...parts,
  }
}

const bash = (command: string, useId?: string) => ({
  name: 'Bash',
  input: { command },
  ...(useId ? { useId } : {}),
})

describe('what happened in a session', () => {
  test('one call is one line: its end takes the place of its beginning', () => {
    const list = withEvents(
      [],
      [
        event('PreToolUse', { tool: bash('npm test', 'a') }),
        event('PreToolUse', { tool: bash('ls', 'b') }),
        event('PostToolUse', { tool: { ...bash('npm test', 'a'), durationMs: 1234 } }),
      ],
    )
    expect(list.map(({ mark, text }) => `${mark} ${text}`)).toEqual(['✓ Bash npm test 1.2s', '▸ Bash ls'])
  })

  test('why a permission was denied stands apart from what was asked', () => {
    const [one] = withEvents([], [event('PermissionDenied', { tool: bash('rm x'), reason: 'from cli' })])
    expect(one?.text).toBe('permission denied Bash rm x from cli')
  })

  test('events that say nothing to a person are left out', () => {
    const list = withEvents(
      [],
      [
        event('StatusLine'),
        event('PreModelRequest'),
        event('Stop', { hidden: 'title-thread' }),
        event('Stop'),
      ],
    )
    expect(list.map(({ text }) => text)).toEqual(['turn over'])
  })

  test('what it asks is found with its answers, in the words of several agents', () => {
    const claude = event('PreToolUse', {
      tool: {
        name: 'AskUserQuestion',
        input: {
          questions: [
            { question: 'Which?', options: [{ label: 'A', description: 'first' }, { label: 'B' }] },
          ],
        },
      },
    })
    const copilot = event('PreToolUse', {
      tool: { name: 'ask_user', input: { question: 'Go on?', choices: ['yes', 'no'] } },
    })
    const list = withEvents([], [claude, copilot])
    expect(currentAsk(list, 'AskUserQuestion')?.questions).toEqual([
      { text: 'Which?', options: ['A — first', 'B'] },
    ])
    expect(currentAsk(list, undefined)?.questions).toEqual([{ text: 'Go on?', options: ['yes', 'no'] }])
    expect(currentAsk(list, 'Bash')).toBeUndefined()
  })

  test('the subject of a call is the field that says most, whatever the input is', () => {
    expect(subjectOf({ description: 'd', command: 'rm \u001b[2J-r x' })).toBe('rm -r x')
    expect(subjectOf({ command: ['git', 'push'] })).toBe('git push')
    expect(subjectOf({ other: 1, text: 'x' })).toBe('x')
    for (const odd of [undefined, null, 3, [], {}, { command: {} }]) expect(subjectOf(odd)).toBe('')
  })

  test('hostile questions do not throw and stay short', () => {
    const input = {
      questions: [null, 3, { question: 'x'.repeat(9_000), options: [null, {}, 5, 'y'.repeat(9_000)] }],
    }
    const [one] = withEvents([], [event('PreToolUse', { tool: { name: 'AskUserQuestion', input } })])
    expect(JSON.stringify(one).length).toBeLessThan(2_000)
  })

  test('a long session keeps its end only', () => {
    const events = Array.from({ length: 500 }, (_, n) => event('UserPromptSubmit', { prompt: `p${n}` }))
    const list = withEvents([], events)
    expect(list.length).toBe(200)
    expect(list.at(-1)?.text).toBe('p499')
  })
})
