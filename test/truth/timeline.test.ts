/** The measure itself: it must find what is wrong, and forgive nothing but its own uncertainty. */
import { describe, expect, test } from 'bun:test'
import { table, total } from './report.ts'
import { sharesLine, sharesOf } from './shares.ts'
import { moment, type Sample, score, Timeline } from './timeline.ts'

/** Idle, working from 1000 on, idle from 3000 on. */
function truth(): Timeline {
  const timeline = new Timeline('idle', 0)
  timeline.mark('working', moment(1000))
  timeline.mark('idle', moment(3000))
  timeline.finish(5000)
  return timeline
}

/** What 50 ms samples see of changes. */
function sampled(changes: readonly Sample[]): Sample[] {
  return Array.from({ length: 100 }, (_, index) => {
    const at = index * 50 + 25
    return { at, phase: changes.findLast((change) => change.at <= at)?.phase }
  })
}

const measure = (changes: readonly Sample[]) => score(truth(), sampled(changes), changes)

describe('the measure', () => {
  test('what is shown at once is right all the time', () => {
    const result = measure([
      { at: 0, phase: 'starting' },
      { at: 1000, phase: 'working' },
      { at: 3000, phase: 'idle' },
    ])
    expect(result).toMatchObject({ right: 100, wrong: 0 })
    expect(result.lags.map(({ ms }) => ms)).toEqual([0, 0])
  })

  test('lag is wrong for as long as it lasts, and no longer', () => {
    const result = measure([
      { at: 0, phase: 'idle' },
      { at: 1400, phase: 'working' },
      { at: 3100, phase: 'idle' },
    ])
    expect(result).toMatchObject({ right: 90, wrong: 10, excluded: 0 })
    expect(result.lags.map(({ ms }) => ms)).toEqual([400, 100])
  })

  test('too early is wrong, too', () => {
    const result = measure([
      { at: 0, phase: 'idle' },
      { at: 500, phase: 'working' },
      { at: 3000, phase: 'idle' },
    ])
    expect(result).toMatchObject({ wrong: 10 })
  })

  test('a change that was never shown is missed, and costs all of its time', () => {
    const result = measure([{ at: 0, phase: 'idle' }])
    expect(result).toMatchObject({ right: 60, wrong: 40 })
    expect(result.lags[0]).toMatchObject({ phase: 'working', ms: 2000, missed: true })
  })

  test('a daemon that cannot be asked is never right', () => {
    const result = measure([
      { at: 0, phase: 'idle' },
      { at: 1000, phase: 'working' },
      { at: 2000, phase: undefined },
      { at: 2500, phase: 'working' },
      { at: 3000, phase: 'idle' },
    ])
    expect(result).toMatchObject({ wrong: 10 })
  })

  test('samples within a mark’s own uncertainty count neither way', () => {
    const timeline = new Timeline('ended', 0)
    timeline.mark('idle', { from: 1000, to: 2000 })
    timeline.finish(3000)
    const samples = [999, 1000, 1500, 2020, 2021].map((at) => ({ at, phase: 'ended' }))
    expect(score(timeline, samples, samples)).toMatchObject({ right: 1, excluded: 3, wrong: 1 })
  })

  test('in the meantime only what was, what will be, and what it was for a moment may be shown', () => {
    const timeline = new Timeline('idle', 0)
    timeline.mark('working', { from: 1000, to: 2000 })
    timeline.mark('idle', { from: 3000, to: 4000, by: 'ended' })
    timeline.finish(5000)
    const at = (moment: number, phase?: string) => score(timeline, [{ at: moment, phase }], [])
    for (const phase of ['idle', 'starting', 'working'])
      expect(at(1500, phase)).toMatchObject({ excluded: 1 })
    for (const phase of ['blocked', 'ended', undefined]) expect(at(1500, phase)).toMatchObject({ wrong: 1 })
    expect(at(3500, 'ended')).toMatchObject({ excluded: 1 })
    expect(at(3500, 'blocked')).toMatchObject({ wrong: 1 })
  })

  test('a change that is shown within a mark’s uncertainty is not late, and its moment is known', () => {
    const timeline = new Timeline('idle', 0)
    timeline.mark('working', { from: 1000, to: 1100 })
    timeline.finish(3000)
    const shown = [
      { at: 0, phase: 'idle' },
      { at: 1040, phase: 'working' },
    ]
    expect(score(timeline, [], shown).lags).toMatchObject([{ ms: 0, shownAt: 1040, missed: false }])
    expect(score(timeline, [], [{ at: 900, phase: 'working' }]).lags[0]).not.toHaveProperty('shownAt')
  })

  test('a lag is split between the agent, the way and gantry', () => {
    const { lags } = measure([
      { at: 0, phase: 'idle' },
      { at: 1400, phase: 'working' },
      { at: 3100, phase: 'idle' },
    ])
    const told = [
      { at: 1300, receivedAt: 1390, type: 'UserPromptSubmit', transport: 'socket' },
      { at: 2980, receivedAt: 3095, type: 'Interrupt', transport: 'healer' },
    ]
    const shares = sharesOf(lags, told)
    expect(shares).toMatchObject([
      { agent: 300, way: 90, gantry: 10, own: 100, by: 'UserPromptSubmit by socket' },
      { agent: 0, way: 95, gantry: 5, own: 120, by: 'Interrupt by healer' },
    ])
    expect(sharesLine(shares)).toBe("of 500 ms of lag: the agent's own 300, on the way 185, gantry 15")
    expect(sharesOf(lags, [])).toEqual([])
  })

  test('marks come in order', () => {
    expect(() => truth().mark('working', moment(2000))).toThrow('which came first')
  })

  test('the total weighs scenarios by their time, and names the slowest', () => {
    const late = measure([
      { at: 0, phase: 'idle' },
      { at: 1400, phase: 'working' },
      { at: 3100, phase: 'idle' },
    ])
    const results = [{ name: 'late', seconds: 5, shares: [], ...late }]
    expect(total(results)).toEqual({
      rightPct: 90,
      sampledPct: 100,
      excludedPct: 0,
      lagP95Ms: 400,
      ownP95Ms: 0,
    })
    expect(table('an agent', results)).toMatch(/late +5\.0 +90\.00 +10 +0 +2 +0 +100 +400 +400/)
  })
})
