import { describe, expect, test } from 'bun:test'
import { needyOf, sessionOf } from '../../tui/model/testkit.ts'
import { type Asked, type Placed, shownOf } from './tree.ts'

const ASKED: Asked = { filter: 'live', agent: undefined, search: '', folded: new Set() }

const shown = (placed: readonly Placed[], asked: Partial<Asked> = {}) =>
  shownOf(placed, { ...ASKED, ...asked })
const lines = (placed: readonly Placed[], asked: Partial<Asked> = {}) =>
  shown(placed, asked).rows.map((row) =>
    row.kind === 'group'
      ? `${row.project} ${row.place}`
      : row.kind === 'session'
        ? `${'  '.repeat(row.depth)}${row.session.name}`
        : `${'  '.repeat(row.depth)}${row.child.type}`,
  )

describe('the rows of the fleet', () => {
  test('are grouped by checkout; where somebody needs you comes first', () => {
    const rows = lines([
      { session: sessionOf('calm', { project: 'acme' }) },
      {
        session: sessionOf('branch', {
          project: 'acme',
          root: '/work/acme-2',
          worktree: 'acme-2',
          branch: 'fix',
        }),
      },
      { session: needyOf('asks', { project: 'zoo', root: '/work/zoo' }) },
    ])
    expect(rows).toEqual(['zoo main', '  asks', 'acme main', '  calm', 'acme acme-2 · fix', '  branch'])
  })

  test('show sub-agents, and sessions inside others, below them', () => {
    const child = { agentId: 'a1', type: 'Explore', phase: 'working', startedAt: 0, inferred: false } as const
    const outer = sessionOf('outer', { children: [child] })
    const inner = sessionOf('inner', { parentSessionId: outer.id })
    expect(lines([{ session: inner }, { session: outer }])).toEqual([
      'acme main',
      '  outer',
      '    Explore',
      '    inner',
    ])
    expect(lines([{ session: outer }], { folded: new Set([outer.key]) })).toEqual(['acme main', '  outer'])
  })

  test('keep the same checkout of two hosts apart', () => {
    const host = { host: 'build-2', state: 'silent', version: '1', sessions: [] } as const
    const { rows } = shown([{ session: sessionOf('here') }, { session: sessionOf('there'), host }])
    expect(rows.filter(({ kind }) => kind === 'group')).toHaveLength(2)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(4)
  })

  test('whatever is left out is counted and named', () => {
    const all = [
      { session: sessionOf('works', { lastPrompt: 'shear the sheep' }) },
      { session: sessionOf('over', { phase: 'ended', endedAt: 1 }) },
      { session: sessionOf('other', { agent: 'codex' }) },
    ]
    expect(shown(all).hidden).toEqual(['1 ended'])
    expect(shown(all, { agent: 'claude', search: 'sheep' }).hidden).toEqual([
      '1 without these words',
      '1 of other agents',
    ])
    expect(shown(all, { filter: 'all' })).toMatchObject({
      hidden: [],
      counts: { all: 3, live: 2, working: 2 },
    })
  })

  test('a filter by state hides no card of what needs you; other words and agents do, and say so', () => {
    const all = [
      { session: needyOf('asks', { lastPrompt: 'shear the sheep' }) },
      { session: sessionOf('works', { lastPrompt: 'feed the goats' }) },
    ]
    const cards = (asked: Partial<Asked>) => shown(all, asked).needs.map(({ session }) => session.name)
    expect(cards({ filter: 'working' })).toEqual(['asks'])
    expect(cards({ search: 'sheep' })).toEqual(['asks'])
    expect(cards({ search: 'goats' })).toEqual([])
    expect(shown(all, { search: 'goats' }).hidden).toEqual(['1 without these words (1 needs you)'])
    expect(shown(all, { agent: 'codex' }).hidden).toEqual(['2 of other agents (1 needs you)'])
  })

  test('a search opens what is folded', () => {
    const one = { session: sessionOf('works') }
    const [group] = shown([one]).rows
    const folded = new Set([group?.id ?? ''])
    expect(lines([one], { folded })).toEqual(['acme main'])
    expect(lines([one], { folded, search: 'works' })).toEqual(['acme main', '  works'])
  })
})
