import { expect, test } from 'bun:test'
import { detailLines } from './detail-lines.ts'
import { FIRST_STATE } from './fleet-state.ts'
import { NOW, needyOf, textsOf } from './testkit.ts'

test('each of two questions is shown with its own command', () => {
  const asked = (subject: string, at: number) => {
    const asks = { tool: 'Bash', subject, questions: [] }
    return { seq: at, at, kind: 'ask', label: 'permission', text: subject, open: true, asks } as const
  }
  const attention = [NOW - 2000, NOW - 1000].map(
    (since) => ({ kind: 'permission', reason: 'Permission for Bash', tool: 'Bash', since }) as const,
  )
  const session = needyOf('two', { attention })
  const entries = [asked('rm -rf build', NOW - 2000), asked('ls', NOW - 1000)]
  const state = { ...FIRST_STATE, timeline: { key: session.key, entries } }
  const row = { kind: 'session', id: session.key, depth: 0, session, under: 0, open: true } as const
  const lines = textsOf(detailLines(state, row, { width: 80, height: 20 }, NOW))
  expect(lines.slice(1, 5)).toEqual([
    ' ▲ Permission for Bash  waits 2s',
    '   rm -rf build',
    ' ▲ Permission for Bash  waits 1s',
    '   ls',
  ])
})
