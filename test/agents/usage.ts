/**
 * What gantry says that a session used, beside what the model on loopback reported. One check for every agent:
 *
 *   await stage.ask('usage', [{ calls: [agent('usage-child')], ...FIRST }, { text: 'Done.', ...LAST }])
 *   await expectUsage(stage, 'usage', { scripts: ['usage', 'usage-child'], window: 200_000 })
 *
 * `scripts` are those that the session and its sub-agents played; the first is the main thread's. Side requests (titles,
 * probes) belong to no script and are not counted. The check waits until the figures are there, and then asks of
 *  - the sum (`gantry session --usage`): every request once, its tokens, and the cost at list prices;
 *  - the record: tokens and share of the context window as after the last request of the main thread, and the cost. An
 *    agent with a price list of its own gives `costUsd`; one whose model nobody has a price for gives null.
 */
import { expect } from 'bun:test'
import { costOf } from '../../src/agents/index.ts'
import { call, type SessionView } from '../../src/client/index.ts'
import type { Reported, Seen } from './mock/model.ts'
import { type Stage, settled } from './stage.ts'

const COUNTED_MS = 15_000 // transcripts are read when it is quiet
const MICRO_DIGITS = 6 // of a dollar
const PCT_DIGITS = 0 // agents round to whole points

/** Figures that cannot be taken for each other, or for the default ones. */
export const FIRST = { tokens: 41_000, cached: 1_500, output: 310 } as const
export const LAST = { tokens: 52_300, cached: 20_700, output: 420 } as const
export const CHILD_FIRST = { tokens: 7_100, cached: 200, output: 130 } as const
export const CHILD_LAST = { tokens: 8_600, cached: 3_000, output: 170 } as const

export interface Used {
  /** The main thread's first, then those of sub-agents. */
  readonly scripts: readonly [string, ...string[]]
  /** What the model's context holds, as the agent counts it. */
  readonly window: number
  /** Where it is not what list prices make of it. */
  readonly costUsd?: number | null
}

export async function expectUsage(stage: Stage, scenario: string, used: Used): Promise<void> {
  const requests = used.scripts.flatMap((script) => stage.model.seen(script).filter(hasReported))
  const last = requests.findLast(({ script }) => script === used.scripts[0])
  if (!last) throw new Error(`The model answered nothing in ${used.scripts[0]}.`)
  const cost = used.costUsd === undefined ? listPriceOf(requests) : used.costUsd
  const sum = { ...sumOf(requests.map(({ reported }) => reported)), requests: requests.length }

  const session = async () => {
    const listed = await call(stage.places, 'sessions.list', { all: true })
    const found = listed.findLast(({ cwd }) => cwd === stage.project(scenario))
    if (!found) throw new Error(`There is no session in ${scenario}.`)
    return found
  }
  const { key } = await session()
  const counted = await settled(
    () => call(stage.places, 'sessions.usage', { session: key }),
    ({ total }) => total.requests >= sum.requests,
    COUNTED_MS,
  )
  const { requests: times, input, cacheRead, output, costUsd } = counted.total
  expect({ requests: times, input, cacheRead, output }, JSON.stringify(counted.turns)).toEqual(sum)
  expectCost(costUsd, used.costUsd === undefined ? cost : costUsd)

  const record = await settled(session, ({ usage }) => holds(usage, last, cost), COUNTED_MS)
  const { tokens, contextPct } = record.usage
  const prompt = last.reported.input + last.reported.cacheRead
  // Some agents count the answer, which is part of the next prompt.
  expect([prompt, prompt + last.reported.output]).toContain(tokens ?? 0)
  expect(contextPct).toBeCloseTo((100 * (tokens ?? 0)) / used.window, PCT_DIGITS)
  expectCost(record.usage.costUsd ?? null, cost)
}

type Answered = Seen & { readonly reported: Reported }

function hasReported(seen: Seen): seen is Answered {
  return seen.reported !== undefined
}

function holds({ tokens = 0, costUsd }: SessionView['usage'], last: Answered, cost: number | null): boolean {
  const isCosted = cost === null || Math.abs((costUsd ?? 0) - cost) < 10 ** -MICRO_DIGITS
  return isCosted && tokens >= last.reported.input + last.reported.cacheRead
}

function expectCost(found: number | null, meant: number | null): void {
  if (meant === null || found === null) expect(found).toBe(meant)
  // The record is rounded to a millionth.
  else expect(Math.abs(found - meant), `${found} for ${meant}`).toBeLessThan(10 ** -MICRO_DIGITS)
}

function sumOf(all: readonly Reported[]): Reported {
  const add = (pick: (one: Reported) => number) => all.reduce((sum, one) => sum + pick(one), 0)
  return {
    input: add((one) => one.input),
    cacheRead: add((one) => one.cacheRead),
    output: add((one) => one.output),
  }
}

/** Null where one of the models has no price. */
function listPriceOf(requests: readonly Answered[]): number | null {
  const now = Date.now()
  const costs = requests.map(({ model, reported }) =>
    costOf(model, { ...reported, cacheWrite5m: 0, cacheWrite1h: 0 }, now),
  )
  return costs.reduce<number | null>((sum, one) => (sum === null || one === undefined ? null : sum + one), 0)
}
