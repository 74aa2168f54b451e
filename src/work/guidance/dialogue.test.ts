import { describe, expect, test } from 'bun:test'
import { fixtureLines } from '../../../test/kit.ts'
import { dialogueEntry } from './dialogue.ts'

const questions = [
  { question: 'Which colour?', header: 'Colour', options: [{ label: 'Red' }, { label: 'Blue' }] },
  { question: 'Which size?', options: ['S', 'L'] },
]

describe('a question and its answer', () => {
  test('as the real Claude Code sends them', () => {
    const asked = fixtureLines('claude/2.1.325/i-ask.jsonl').find(
      ({ event, payload }) => event === 'PostToolUse' && payload.tool_name === 'AskUserQuestion',
    )
    const { tool_input, tool_response } = asked?.payload ?? {}
    expect(dialogueEntry('AskUserQuestion', tool_input, tool_response)).toBe(
      'Q: Which colour?\nOptions: Red | Blue\nA: Red',
    )
  })

  test('several of them, with several answers', () => {
    const answers = { 'Which colour?': ['Red', 'Blue'], 'Which size?': 'L' }
    expect(dialogueEntry('AskUserQuestion', { questions }, { answers })).toBe(
      [
        'Q: Which colour?',
        'Options: Red | Blue',
        'A: Red, Blue',
        'Q: Which size?',
        'Options: S | L',
        'A: L',
      ].join('\n'),
    )
  })

  test('by the id of the question, in a JSON string', () => {
    const input = { questions: [{ id: 'c', question: 'Which colour?' }] }
    const response = JSON.stringify({ answers: { c: { answers: ['Red'] } } })
    expect(dialogueEntry('request_user_input', input, response)).toBe('Q: Which colour?\nA: Red')
  })

  test('as plain text, or empty', () => {
    expect(dialogueEntry('ask_user', { question: 'Go on?' }, 'yes')).toBe('Q: Go on?\nA: yes')
    expect(dialogueEntry('AskUserQuestion', { questions }, undefined)).toContain('Q: Which size?')
  })

  test('of another tool are ignored', () => {
    expect(dialogueEntry('Bash', { questions }, 'x')).toBeNull()
  })

  test('of any shape never throw, and stay short', () => {
    const shapes = [undefined, null, 7, 'text', [], [null], { questions: 'x' }, { questions: [null, 7] }]
    for (const input of shapes)
      for (const response of [...shapes, { answers: null }, '{broken', { answers: { a: { b: 1 } } }])
        expect(typeof dialogueEntry('AskUserQuestion', input, response)).toBe('string')
    const long = { questions: Array(50).fill({ question: 'x'.repeat(5_000) }) }
    expect(dialogueEntry('AskUserQuestion', long, '')?.length).toBe(8_000)
  })
})
