/** Strips: stretches of time by status, from the stream of changes. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type ChangeMessage, SessionActivities } from './activity.ts'
import { blankSession } from './state/index.ts'

const session = { ...blankSession({ agent: 'claude', sessionId: 's1', at: 0 }), turn: { open: true } }

function streamOf(messages: readonly Partial<ChangeMessage>[]) {
  const all = messages.map((one, at) => ({
    ...{ seq: at + 1, at: 0, agent: 'claude', session: 's1', type: 'working', data: '{"attention":[]}' },
    ...one,
  }))
  let reads = 0
  return {
    all,
    reads: () => reads,
    lastSeq: () => all.length,
    read: (after: number, limit: number) => {
      reads += 1
      return all.slice(after, after + limit)
    },
  }
}

async function segmentsOf(
  messages: readonly Partial<ChangeMessage>[],
  since: number,
  now: number,
  asked = now,
) {
  const activities = new SessionActivities(streamOf(messages))
  await activities.upToDate()
  return activities.of(session, since, now, asked).map(({ from, to, status }) => [from, to, status])
}

const asking = JSON.stringify({ attention: [{ kind: 'permission', reason: 'Bash' }] })
const broken = JSON.stringify({ attention: [{ kind: 'error', reason: 'rate_limit' }] })

describe('the strip of a session', () => {
  test('has one segment per status, clipped to what was asked for', async () => {
    const messages = [
      { at: 100, type: 'starting' },
      { at: 200, type: 'working' },
      { at: 250, type: 'working' }, // another tool: the same status
      { at: 300, type: 'blocked', data: asking },
      { at: 400, type: 'idle', data: broken },
      { at: 500, type: 'compacting' },
      { at: 600, type: 'idle' },
    ]
    expect(await segmentsOf(messages, 150, 700)).toEqual([
      [150, 200, 'starting'],
      [200, 300, 'working'],
      [300, 400, 'asks'],
      [400, 500, 'failed'],
      [500, 600, 'compacting'],
      [600, 700, 'idle'],
    ])
    expect(await segmentsOf(messages, 650, 700)).toEqual([[650, 700, 'idle']])
  })

  test('is by the time at which things happened, where gantry heard of them later', async () => {
    const told = (at: number, attention = '[]') => `{"attention":${attention},"cause":{"seq":1,"at":${at}}}`
    const messages = [
      { at: 900, type: 'starting', data: told(100) },
      { at: 901, type: 'working', data: told(200) },
      { at: 902, type: 'blocked', data: told(500, '[{"kind":"permission"}]') },
      { at: 903, type: 'working', data: told(600) },
      { at: 904, type: 'idle', data: told(300) }, // a clock that was set back
      { at: 905, type: 'working', data: told(700) },
      { at: 950, type: 'idle', data: told(5_000) }, // nothing happens after it was heard of
    ]
    expect(await segmentsOf(messages, 0, 1_000)).toEqual([
      [100, 200, 'starting'],
      [200, 500, 'working'],
      [500, 600, 'asks'],
      [600, 700, 'idle'],
      [700, 950, 'working'],
      [950, 1_000, 'idle'],
    ])
  })

  test('without a change has its present status all along, and none before it began', async () => {
    expect(await segmentsOf([], -50, 100)).toEqual([[0, 100, 'working']])
    expect(await segmentsOf([{ session: 'other', at: 5 }], 20, 100)).toEqual([[20, 100, 'working']])
  })

  test('is empty while the session had ended, and goes on when it is resumed', async () => {
    const messages = [
      { at: 10, type: 'working' },
      { at: 20, type: 'ended' },
      { at: 50, type: 'idle' },
    ]
    expect(await segmentsOf(messages, 0, 100)).toEqual([
      [10, 20, 'working'],
      [50, 100, 'idle'],
    ])
  })

  test('shows that gantry itself asks for an approval', async () => {
    expect(await segmentsOf([{ at: 10 }], 0, 100, 60)).toEqual([
      [10, 60, 'working'],
      [60, 100, 'asks'],
    ])
  })

  test('survives payloads that are none, and a clock that was set back', async () => {
    const odd = ['', '[]', '{"attention":7}', '{"attention":[null,{"kind":9}]}']
    const messages = odd.map((data, n) => ({ data, at: 900 - n * 100 }))
    for (const [from, to] of await segmentsOf(messages, 0, 500))
      expect(from as number).toBeLessThan(to as number)
  })

  test('never overlaps, never leaves its bounds', async () => {
    const step = fc.record({
      at: fc.integer({ min: 0, max: 1_000 }),
      type: fc.constantFrom('starting', 'working', 'blocked', 'idle', 'compacting', 'ended'),
      data: fc.constantFrom('{"attention":[]}', asking, broken),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step), fc.nat(1_000), fc.nat(1_000), async (steps, since, now) => {
        let end = since
        for (const [from, to] of (await segmentsOf(steps, since, now)) as [number, number][]) {
          expect(from).toBeGreaterThanOrEqual(end)
          expect(to).toBeGreaterThan(from)
          end = to
        }
        expect(end).toBeLessThanOrEqual(Math.max(now, since))
      }),
    )
  })
})

test('messages are read once, in slices, however often a strip is asked for', async () => {
  const stream = streamOf(Array.from({ length: 1_000 }, (_, at) => ({ at })))
  const activities = new SessionActivities(stream)
  await Promise.all([activities.upToDate(), activities.upToDate()])
  const reads = stream.reads()
  expect(reads).toBeLessThanOrEqual(6)
  await activities.upToDate()
  expect(stream.reads()).toBe(reads)
})
