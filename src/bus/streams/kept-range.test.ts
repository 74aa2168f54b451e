import { describe, expect, test } from 'bun:test'
import { cpuMsOf } from '../../../test/kit.ts'
import { KEPT } from '../../store/kept.ts'
import { event, journal, range } from '../testkit.ts'
import { KeptRange } from './kept-range.ts'
import { SESSION_FLOOR } from './names.ts'

const LIMITS = { messages: 100, bytes: 1_000_000, perSession: 3 }

/** A window whose every look is a new one. */
function windowOn(at = journal(), limits = LIMITS) {
  let now = 0
  const window = new KeptRange(at.store, at.sources.get('HOOK_EVENTS'), limits, () => (now += 10_000))
  return { ...at, window }
}

describe('a window', () => {
  test('of an empty stream is empty', () => {
    expect(windowOn().window.view()).toEqual({ start: 1, end: 0, bytes: 0, floor: [] })
  })

  test('holds everything while there is little', () => {
    const { window, fill } = windowOn()
    fill(100, () => event())
    expect(window.view()).toEqual({ start: 1, end: 100, bytes: 200, floor: [] })
  })

  test('holds the last messages up to its limit, oldest out first', () => {
    const { window, fill } = windowOn()
    fill(250, () => event())
    expect(window.view()).toMatchObject({ start: 151, end: 250, bytes: 200 })
    fill(30, () => event())
    expect(window.view()).toMatchObject({ start: 181, end: 280, bytes: 200 })
    fill(500, () => event('s1', 'Stop', '[1]'))
    expect(window.view()).toMatchObject({ start: 681, end: 780, bytes: 300 })
  })

  test('holds no more bytes than its limit, but always the newest', () => {
    const { window, fill } = windowOn(journal(), { ...LIMITS, bytes: 1_000 })
    fill(20, () => event('s1', 'Stop', 'x'.repeat(300)))
    expect(window.view()).toMatchObject({ start: 18, end: 20, bytes: 900 })
    fill(1, () => event('s1', 'Stop', 'x'.repeat(5_000)))
    expect(window.view()).toMatchObject({ start: 21, end: 21, bytes: 5_000 })
    fill(2, () => event('s1', 'Stop', 'x'.repeat(400)))
    expect(window.view()).toMatchObject({ start: 22, end: 23, bytes: 800 })
  })

  test('counts bytes, not characters, also of binary data', () => {
    const { window, fill, store } = windowOn()
    fill(1, () => event('s1', 'Stop', '日本'))
    store.journal.commit(() => store.journal.append({ ...event(), raw: Buffer.from([255, 0, 1]) }))
    expect(window.view().bytes).toBe(9)
  })

  test('never reaches below what retention left', () => {
    const { window, fill, store } = windowOn()
    fill(90, () => event())
    expect(window.view().start).toBe(1)
    while (store.retain({ maxAgeMs: 1, maxBytes: 1e12 }, Date.now() * 2));
    const { start, end, bytes } = window.view()
    expect({ start, end, bytes }).toEqual({ start: 90, end: 90, bytes: 2 })
  })

  test('takes in a long journal in short steps', () => {
    const { window, fill } = windowOn()
    fill(250, () => event())
    let steps = 1
    while (window.advance(10)) steps += 1
    expect(steps).toBe(10)
    expect(window.view()).toMatchObject({ start: 151, end: 250 })
  })

  test('has the documented size by default', () => {
    const at = journal()
    at.fill(KEPT.streamMessages + 50, () => event())
    const window = new KeptRange(at.store, at.sources.get('HOOK_EVENTS'))
    expect(window.view()).toMatchObject({ start: 51, end: KEPT.streamMessages + 50 })
  })
})

describe('the floor', () => {
  test('keeps the last few of each session below the window, in order', () => {
    const { window, fill, know } = windowOn()
    for (const session of ['quiet', 'other', 'loud']) know(session)
    fill(10, (n) => event(n % 2 === 0 ? 'quiet' : 'other'))
    fill(200, () => event('loud'))
    expect(window.view()).toMatchObject({ start: 111, floor: [5, 6, 7, 8, 9, 10] })
  })

  test('counts what a session still has in the window', () => {
    const { window, fill, know } = windowOn()
    for (const session of ['quiet', 'loud']) know(session)
    fill(5, () => event('quiet'))
    fill(150, () => event('loud'))
    fill(2, () => event('quiet'))
    expect(window.view()).toMatchObject({ start: 58, floor: [5] })
    fill(1, () => event('quiet'))
    expect(window.view().floor).toEqual([])
  })

  test('keeps as many as the constant says', () => {
    const { window, fill, know } = windowOn(journal(), { ...LIMITS, perSession: SESSION_FLOOR })
    know('quiet')
    fill(60, () => event('quiet'))
    fill(100, () => event('loud'))
    expect(window.view().floor).toEqual(range(60 - SESSION_FLOOR + 1, 60))
  })

  test('is for the most recently active sessions, so that it stays bounded', () => {
    const { window, fill, know } = windowOn()
    for (let n = 0; n < 700; n++) know(`s${n}`, n)
    fill(700, (n) => event(`s${n}`))
    fill(100, () => event('loud'))
    const { floor } = window.view()
    expect(floor).toEqual(range(201, 700))
  })

  test('is found without reading the journal: in a few milliseconds beside a long one', () => {
    const { window, fill, know } = windowOn()
    for (let n = 0; n < 300; n++) know(`s${n}`)
    fill(30_000, (n) => event(`s${n % 300}`))
    window.view()
    fill(1, () => event('loud'))
    expect(cpuMsOf(() => expect(window.view().floor).toHaveLength(900 - 99))).toBeLessThan(100)
  })

  test('is shared by readers within a second, unless much has expired meanwhile', () => {
    const at = journal()
    const window = new KeptRange(
      at.store,
      at.sources.get('HOOK_EVENTS'),
      { ...LIMITS, messages: 1_000 },
      () => 0,
    )
    at.know('quiet')
    at.fill(5, () => event('quiet'))
    at.fill(1_000, () => event('loud'))
    const { floor } = window.view()
    at.fill(9, () => event('loud'))
    expect(window.view().floor).toBe(floor)
    expect(window.view()).toMatchObject({ start: 6, end: 1_014 })
    at.fill(1, () => event('loud'))
    expect(window.view()).toMatchObject({ start: 16, end: 1_015 })
  })
})
