import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { FleetSessions } from '../../client/index.ts'
import { widthOf } from '../../core/text/columns.ts'
import { rowsOf } from './cursor.ts'
import { FIRST_STATE, type FleetState, hostOf, withChanges, withHosts } from './fleet-state.ts'
import { fleetFrame, scrolled } from './frame.ts'
import { KEYS, SIGNS } from './help.ts'
import { press } from './keys.ts'
import { textOf } from './line.ts'
import { NOW, needyOf, sessionOf, textsOf } from './testkit.ts'

const many = Array.from({ length: 40 }, (_, n) =>
  (n === 7 ? needyOf : sessionOf)(`session-${n}`, {
    startedAt: NOW - 100_000 + n,
    lastPrompt: 'translate everything to 日本語 👩‍👩‍👧 and more \u001b[2J',
    usage: { near: 'warn', contextPct: 84, costUsd: 12.5 },
    project: `project-${n % 3}`,
    root: `/p/${n % 4}`,
    children: [{ agentId: 'x', type: 'Explore', phase: 'working', startedAt: NOW, inferred: true }],
  }),
)
const fleet = withChanges(FIRST_STATE, [{ snapshot: { seq: 1, sessions: many } }])

describe('the frame', () => {
  test('fills the screen exactly, at every size and in every mode', () => {
    const modes: FleetState['mode'][] = [
      { kind: 'browse' },
      { kind: 'help' },
      { kind: 'search', before: '' },
      { kind: 'send', key: many[0]?.key ?? '', text: 'x'.repeat(300) },
      { kind: 'confirm-kill', key: many[0]?.key ?? '' },
    ]
    const anything = fc.record({
      width: fc.integer({ min: 1, max: 220 }),
      height: fc.integer({ min: 3, max: 80 }),
      mode: fc.constantFrom(...modes),
      open: fc.boolean(),
      tab: fc.constantFrom('timeline' as const, 'screen' as const),
      at: fc.integer({ min: 0, max: 39 }),
      search: fc.constantFrom('', 'session-1', 'nothing at all'),
    })
    fc.assert(
      fc.property(anything, ({ width, height, mode, open, tab, at, search }) => {
        const state = { ...fleet, mode, tab, search, detailOpen: open, selected: many[at]?.key }
        const { lines } = fleetFrame(state, { width, height }, 3, NOW)
        expect(lines).toHaveLength(height)
        if (width < 20) return // a terminal so narrow only has to stay alive
        for (const line of lines) expect(widthOf(textOf(line))).toBeLessThanOrEqual(width)
      }),
      { numRuns: 400 },
    )
  })

  test('the help shows every key and sign on some page, also on a small screen', () => {
    for (const [width, height] of [
      [60, 15],
      [80, 24],
      [40, 8],
    ] as const) {
      const pages = Array.from({ length: 12 }, (_, page) => {
        const { lines } = fleetFrame({ ...fleet, mode: { kind: 'help', page } }, { width, height }, 0, NOW)
        return lines.map(textOf).join('\n')
      })
      for (const [key] of KEYS) expect(pages.some((page) => page.includes(`  ${key} `))).toBe(true)
      for (const sign of SIGNS.flat()) expect(pages.some((page) => page.includes(sign))).toBe(true)
      expect(pages[0]?.includes('space shows more')).toBe(height < 24)
    }
  })

  test('the cursor is always on the screen', () => {
    for (const at of many.keys()) {
      const state = { ...fleet, selected: many[at]?.key }
      const { lines } = fleetFrame(state, { width: 80, height: 20 }, 0, NOW)
      expect(lines.filter(({ marked }) => marked)).toHaveLength(1)
    }
  })

  test('scrolls as little as needed', () => {
    expect(scrolled(0, 5, 10, 40)).toBe(0)
    expect(scrolled(0, 10, 10, 40)).toBe(1)
    expect(scrolled(20, 15, 10, 40)).toBe(15)
    expect(scrolled(35, 39, 10, 40)).toBe(30)
    expect(scrolled(9, 0, 0, 40)).toBe(0)
  })

  test('says what is missing: the daemon, sessions, matches', () => {
    const at = (state: FleetState) =>
      textsOf(fleetFrame(state, { width: 80, height: 20 }, 0, NOW).lines).join('\n')
    expect(at({ ...FIRST_STATE, link: { state: 'away', why: '', starting: false } })).toContain(
      'u starts it.',
    )
    expect(at({ ...FIRST_STATE, link: { state: 'live' } })).toContain('No sessions.')
    expect(at({ ...fleet, search: 'nothing at all' })).toContain('No session matches.')
  })

  test('says how many have ended, where all have, and f shows them at once', () => {
    const ended = many.map((session) => ({ ...session, phase: 'ended' as const, needsYou: false }))
    const over = withChanges(FIRST_STATE, [{ snapshot: { seq: 1, sessions: ended } }])
    const at = (state: FleetState) =>
      textsOf(fleetFrame(state, { width: 60, height: 15 }, 0, NOW).lines).join('\n')
    expect(at(over)).toContain('40 sessions have ended: f shows them.')
    expect(at(over)).not.toContain('gantry install')
    const { state } = press(over, { kind: 'text', text: 'f' }, 5, NOW)
    expect(state.filter).toBe('all')
    expect(at(state)).toContain('session-1')
    const one = withChanges(FIRST_STATE, [{ snapshot: { seq: 1, sessions: ended.slice(0, 1) } }])
    expect(at(one)).toContain('1 session has ended: f shows it.')
  })

  test('of a project says how many work in the word of all other places', () => {
    const [group] = rowsOf(fleet)
    const { lines } = fleetFrame({ ...fleet, selected: group?.id }, { width: 150, height: 30 }, 0, NOW)
    expect(textsOf(lines).join('\n')).toMatch(/\d+ working\n/)
  })

  test('a notice disappears after its time', () => {
    const state: FleetState = { ...fleet, notice: { text: 'Sent to a.', tone: 'done', until: NOW + 1 } }
    const foot = (now: number) => textsOf(fleetFrame(state, { width: 80, height: 20 }, 0, now).lines).at(-1)
    expect(foot(NOW)).toBe(' Sent to a.')
    expect(foot(NOW + 2)).toContain('enter jump')
  })
})

describe('the footer', () => {
  const foot = (state: FleetState, width: number, height: number) =>
    textsOf(fleetFrame(state, { width, height }, 0, NOW).lines).at(-1)
  const one = withChanges(FIRST_STATE, [{ snapshot: { seq: 1, sessions: [sessionOf('a')] } }])
  const group: FleetState = { ...one, selected: rowsOf(one)[0]?.id }

  test('tells of the detail only where a key opens it, and there always', () => {
    expect(foot(one, 120, 40)).not.toContain('detail')
    expect(foot(one, 80, 24)).not.toContain('detail')
    expect(foot(one, 40, 12)).toContain('enter jump  d detail')
    expect(foot({ ...one, detailOpen: true }, 40, 12)).toContain('d list')
  })

  test('of a group tells that enter folds it, and of nothing that only sessions have', () => {
    expect(foot(group, 120, 40)).toMatch(
      /^ enter fold {2}n next need {2}\/ search {2}f filter +\? help {2}q quit$/,
    )
    const folded = { ...group, collapsed: new Set([group.selected ?? '']) }
    expect(foot(folded, 120, 40)).toContain('enter unfold')
    expect(foot(one, 120, 40)).toContain('tab screen  K end')
  })
})

test('other hosts are in the header and in the tree, with who is silent; nonsense of theirs does no harm', () => {
  const about = { heardAt: NOW, version: '1', sessions: 1 }
  const view = { ...needyOf('theirs'), host: 'build-2', hostState: 'silent' as const }
  const odd = {
    ...view,
    id: 'odd',
    key: 'odd',
    todos: 7,
    error: 'x',
    openTools: [{ name: 'x' }],
    startedAt: 'y',
  }
  const told = {
    hosts: [
      { host: 'here', state: 'here', self: true, ...about },
      { host: 'build-1', state: 'here', self: false, ...about },
      { host: 'build-2', state: 'silent', self: false, ...about },
    ],
    sessions: [view, odd],
    problem: null,
  } as unknown as FleetSessions
  const state = withHosts(fleet, told)
  const { lines } = fleetFrame({ ...state, selected: 'build-2\nodd' }, { width: 140, height: 80 }, 0, NOW)
  const text = textsOf(lines).join('\n')
  expect(text).toContain('3 hosts, 1 silent')
  expect(text).toContain('build-2 (silent) › acme')
  expect(text).toContain('theirs')
  const keys = rowsOf(state).flatMap((row) => (row.kind === 'session' ? [row.session.key] : []))
  expect(keys.map(hostOf).filter(Boolean)).toEqual(['build-2', 'build-2'])
  expect(textsOf(fleetFrame(fleet, { width: 140, height: 80 }, 0, NOW).lines)[0]).not.toContain('host')
})
