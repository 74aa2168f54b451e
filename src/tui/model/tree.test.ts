import { describe, expect, test } from 'bun:test'
import { needyOf, sessionOf } from './testkit.ts'
import { type Filter, type Row, totalsOf, treeOf } from './tree.ts'

const NOTHING = { filter: 'live' as Filter, search: '', collapsed: new Set<string>() }

function shapeOf(rows: readonly Row[]): string[] {
  return rows.map((row) => {
    const name =
      row.kind === 'group'
        ? `${row.group.label}(${row.group.needs})`
        : row.kind === 'child'
          ? row.child.type
          : row.session.name
    return `${'  '.repeat(row.depth)}${name}`
  })
}

const child = (type: string, phase: 'working' | 'ended' = 'working') => ({
  agentId: type,
  type,
  phase,
  startedAt: 0,
  inferred: false,
})

describe('the tree', () => {
  test('puts sessions that need a person first, in the project and among projects', () => {
    const rows = treeOf(
      [
        sessionOf('a', { project: 'alpha', root: '/alpha' }),
        sessionOf('b', { project: 'beta', root: '/beta', startedAt: 1 }),
        needyOf('c', { project: 'beta', root: '/beta', startedAt: 2 }),
      ],
      NOTHING,
    )
    expect(shapeOf(rows)).toEqual(['beta(1)', '  c', '  b', 'alpha(0)', '  a'])
  })

  test('keeps the position of a session that continues to work', () => {
    const a = sessionOf('a', { startedAt: 1, lastActivity: 1 })
    const b = sessionOf('b', { startedAt: 2, lastActivity: 2 })
    const before = shapeOf(treeOf([a, b], NOTHING))
    const idle = { ...a, phase: 'idle' as const, lastActivity: 99 }
    expect(shapeOf(treeOf([b, idle], NOTHING))).toEqual(before)
  })

  test('shows worktrees only where a project has more than one checkout', () => {
    const main = sessionOf('a')
    const linked = sessionOf('b', { root: '/work/acme-x', worktree: 'x', branch: 'feature' })
    expect(shapeOf(treeOf([main], NOTHING))).toEqual(['acme(0)', '  a'])
    expect(shapeOf(treeOf([main, linked], NOTHING))).toEqual([
      'acme(0)',
      '  main(0)',
      '    a',
      '  x(0)',
      '    b',
    ])
  })

  test('shows live sub-agents under their session, and sessions in a tool call of another', () => {
    const parent = sessionOf('a', { children: [child('Explore'), child('over', 'ended')] })
    const inner = sessionOf('b', { parentSessionId: 'a' })
    expect(shapeOf(treeOf([parent, inner], NOTHING))).toEqual(['acme(0)', '  a', '    Explore', '    b'])
  })

  test('loses no session to a cycle of parents', () => {
    const a = sessionOf('a', { parentSessionId: 'b' })
    const b = sessionOf('b', { parentSessionId: 'a' })
    const names = treeOf([a, b], NOTHING).flatMap((row) => (row.kind === 'session' ? [row.session.name] : []))
    expect(names.sort()).toEqual(['a', 'b'])
  })

  test('a folded group counts sessions that need a person', () => {
    const rows = treeOf([needyOf('a'), sessionOf('b')], { ...NOTHING, collapsed: new Set(['project:acme']) })
    expect(shapeOf(rows)).toEqual(['acme(1)'])
  })

  test('filters by state; ended sessions are there only when asked for', () => {
    const all = [
      needyOf('needy'),
      sessionOf('busy'),
      sessionOf('idle', { phase: 'idle' }),
      sessionOf('over', { phase: 'ended' }),
    ]
    const names = (filter: Filter) =>
      treeOf(all, { ...NOTHING, filter }).flatMap((row) => (row.kind === 'session' ? [row.session.name] : []))
    expect(names('live')).toEqual(['needy', 'busy', 'idle'])
    expect(names('needs')).toEqual(['needy'])
    expect(names('working')).toEqual(['busy'])
    expect(names('idle')).toEqual(['idle'])
    expect(names('all')).toEqual(['needy', 'busy', 'idle', 'over'])
  })

  test('a search finds every word somewhere in the visible text', () => {
    const all = [sessionOf('a', { lastPrompt: 'Fix the upload' }), sessionOf('b', { agent: 'codex' })]
    const found = (search: string) =>
      treeOf(all, { ...NOTHING, search }).filter(({ kind }) => kind === 'session').length
    expect(found('UPLOAD fix')).toBe(1)
    expect(found('codex main')).toBe(1)
    expect(found('upload codex')).toBe(0)
  })

  test('the totals exclude ended sessions', () => {
    const all = [
      needyOf('a', { usage: { near: 'none', costUsd: 1 } }),
      sessionOf('b', { usage: { near: 'none', costUsd: 2 } }),
      sessionOf('c', { phase: 'ended', usage: { near: 'none', costUsd: 9 } }),
    ]
    expect(totalsOf(all)).toEqual({ live: 2, needs: 1, working: 1, costUsd: 3 })
  })
})
