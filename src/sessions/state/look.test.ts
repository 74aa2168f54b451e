/** One order and one look for all surfaces. */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../test/kit.ts'
import { aged, childLook, inOrder, type Looked, lookOf } from './look.ts'
import { STALE_MS } from './phase.ts'

const session = (key: string, parts: Partial<Looked> = {}): Looked => ({
  key,
  phase: 'working',
  needsYou: false,
  stale: false,
  attention: [],
  turn: {},
  startedAt: 100,
  lastActivity: 1_000,
  ...parts,
})

const asks = (since: number, kind = 'permission', reason = 'Permission for Bash'): Partial<Looked> => ({
  phase: kind === 'error' ? 'idle' : 'blocked',
  needsYou: true,
  attention: [{ kind, reason, since }],
})

test('those that need you come first, then the live ones by start, the stale, and the ended', () => {
  const shuffled = [
    session('ended', { phase: 'ended', endedAt: 5_000 }),
    session('stale', { stale: true }),
    session('soft', { phase: 'idle', attention: [{ kind: 'idle', reason: 'Waiting for you', since: 1 }] }),
    session('new', { startedAt: 300, lastActivity: 9_999 }),
    session('waits', asks(30)),
    session('ended-later', { phase: 'ended', endedAt: 6_000 }),
    session('failed', asks(90, 'error', 'rate_limit')),
    session('waits-longer', asks(20, 'question', 'AskUserQuestion')),
    session('held', { approvals: [{ tool: 'Bash', since: 40 }], needsYou: true }),
  ]
  expect(shuffled.sort(inOrder).map(({ key }) => key)).toEqual([
    ...['failed', 'waits-longer', 'waits', 'held', 'soft', 'new', 'stale', 'ended-later', 'ended'],
  ])
})

test('two of the same time are ordered by key, whichever was known first', () => {
  const alike = [session('b'), session('a'), session('c')]
  expect(alike.toSorted(inOrder).map(({ key }) => key)).toEqual(['a', 'b', 'c'])
  expect(
    alike
      .toReversed()
      .sort(inOrder)
      .map(({ key }) => key),
  ).toEqual(['a', 'b', 'c'])
  expect(inOrder(session('a'), session('a'))).toBe(0)
})

describe('a session silent for hours', () => {
  const late = 1_000 + STALE_MS

  test('becomes stale by the clock, and not before', () => {
    const silent = session('s')
    expect(aged(silent, late)).toBe(silent)
    expect(aged(silent, late + 1)).toEqual({ ...silent, stale: true })
  })

  test('is no longer stale after its next event', () => {
    expect(aged(session('s', { stale: true, lastActivity: late }), late + 1).stale).toBe(false)
  })

  test('is not stale if it has ended', () => {
    const over = session('s', { phase: 'ended', endedAt: 1_000 })
    expect(aged(over, late + 1)).toBe(over)
  })
})

describe('a look', () => {
  test.each([
    ['a permission', asks(20), '▲ needs you: Permission for Bash, 20'],
    ['a question', asks(20, 'question', 'AskUserQuestion'), '▲ needs you: Question for you, 20'],
    ['a plan', asks(20, 'plan', 'ExitPlanMode'), '▲ needs you: Plan to approve, 20'],
    [
      'one that asks two things and waits for a prompt',
      {
        attention: ['permission', 'idle', 'elicitation'].map((kind, since) => ({
          kind,
          reason: kind,
          since,
        })),
      },
      '▲ needs you: permission +1, 0',
    ],
    ['a failed turn', asks(20, 'error', 'rate_limit'), '✖ failed: rate limit, 20'],
    [
      'one that has waited for hours',
      { ...asks(20), stale: true },
      '▲ needs you: Permission for Bash · stale, 20',
    ],
    ['work', { detail: 'Bash', turn: { startedAt: 7 } }, '● working: Bash, 7'],
    ['work that nobody has heard of for hours', { detail: 'Bash', stale: true }, '◇ stale: stale, 1000'],
    ['an answer', { phase: 'idle' as const, turn: { stoppedAt: 9 } }, '✓ done: done, 9'],
    [
      'an answer that was read',
      { phase: 'idle' as const, seen: true, turn: { stoppedAt: 9 } },
      '○ idle: idle, 9',
    ],
    ['an end', { phase: 'ended' as const, endedAt: 11, ...{ attention: [] } }, '· ended: ended, 11'],
    [
      'an end with something open',
      { ...asks(20), phase: 'ended' as const, endedAt: 11, stale: true },
      '· ended: ended, 11',
    ],
  ])('of %s', (_, parts, wanted) => {
    const { mark, word, text, since } = lookOf(session('s', parts))
    expect(`${mark} ${word}: ${text}, ${since}`).toBe(wanted)
  })

  test('of a sub-agent is stale with its session', () => {
    const child = { agentId: 'a1', type: 'Explore', phase: 'working', startedAt: 3 } as const
    expect(childLook(child, { stale: false })).toMatchObject({ mark: '●', tone: 'work' })
    expect(childLook(child, { stale: true })).toMatchObject({ mark: '◇', tone: 'quiet' })
  })

  test('of a sub-agent shows its type, or its id without one', () => {
    const lookAt = (phase: Looked['phase'], type = 'Explore', stale = false) => {
      const { status, text } = childLook({ agentId: 'a1', type, phase, startedAt: 3 }, { stale })
      return `${status} ${text}`
    }
    expect(lookAt('ended', 'Explore', true)).toBe('ended Explore')
    expect(lookAt('blocked', 'Explore', true)).toBe('asks Explore')
    expect(lookAt('idle')).toBe('idle Explore')
    expect(lookAt('working', '')).toBe('working a1')
  })
})

test('no other file defines an order or marks of sessions', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts') && file !== join('sessions', 'look.ts'),
  )
  const own = files.filter((file) => {
    const text = readFileSync(join(ROOT, 'src', file), 'utf8')
    return /needsYou \? [0-9]|function (byNeed|rank)\((a|\{ needsYou)/.test(text)
  })
  expect(own).toEqual([join('tmux', 'summary.ts')]) // sorts by the rank that it receives
})

test('a denial is what a session shows, at work and at rest, but never instead of a question', () => {
  const denied = { at: 1, by: 'guard:git-force-push', tool: 'Bash', line: 'git push -f', reason: 'why' }
  const words = 'denied by guard:git-force-push: git push -f'
  const text = (parts: Partial<Looked>) => lookOf(session('a', { detail: 'Thinking', denied, ...parts })).text
  expect(text({})).toBe(words)
  expect(text({ phase: 'idle', seen: true })).toBe(words)
  expect(text({ phase: 'idle', turn: { stoppedAt: 5 } })).toBe(`done · ${words}`)
  expect(text({ phase: 'compacting' })).toBe('Thinking')
  expect(text(asks(30))).toBe('Permission for Bash')
  expect(text({ phase: 'ended' })).toBe('ended')
})
