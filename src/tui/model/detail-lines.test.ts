import { expect, test } from 'bun:test'
import { detailLines } from './detail-lines.ts'
import { FIRST_STATE } from './fleet-state.ts'
import { NOW, needyOf, textsOf } from './testkit.ts'
import type { GroupRow } from './tree.ts'

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

test('a project says how many need you', () => {
  const saidOf = (needs: number) => {
    const group = { key: 'g', label: 'web', count: 2, needs, working: 0 }
    const row = { kind: 'group', id: 'g', depth: 0, group, open: false } as unknown as GroupRow
    return textsOf(detailLines(FIRST_STATE, row, { width: 40, height: 5 }, NOW))[1]
  }
  expect([saidOf(1), saidOf(2)]).toEqual([' 1 needs you', ' 2 need you'])
})

test('the line of facts drops whole facts from its end, and cuts none', () => {
  const facts = {
    agentVersion: '2.1.325',
    model: 'claude-opus-5',
    branch: 'feature/words',
    pane: '%4',
    pid: 14_312,
  }
  const session = needyOf('facts', facts)
  const row = { kind: 'session', id: session.key, depth: 0, session, under: 0, open: true } as const
  const factsIn = (width: number) =>
    textsOf(detailLines(FIRST_STATE, row, { width, height: 9 }, NOW))[0]?.trim()
  const whole = factsIn(200) ?? ''
  expect(whole).toEndWith('pid 14312')
  for (let width = 20; width < whole.length + 1; width++) {
    const shown = factsIn(width) ?? ''
    expect(whole.startsWith(`${shown} · `), `${width}: ${shown}`).toBe(true)
  }
  expect(factsIn(whole.length + 1)).toBe(whole)
})
