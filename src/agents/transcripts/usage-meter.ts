/**
 * Tokens and cost per turn and model, from the parts of a transcript. The state is plain data: a reader that stops and
 * resumes elsewhere counts nothing twice. A request is written again as it grows, so only its increase counts.
 */
import type { TokenCounts } from '../../events/index.ts'
import type { MessagePart, UsagePart } from './messages.ts'
import { costOf } from './prices.ts'

export interface UsageDelta {
  readonly turn: string
  /** Start of the turn. */
  readonly turnAt: number
  readonly at: number
  readonly model: string
  readonly counts: TokenCounts
  /** 1 for a request that was not counted before. */
  readonly requests: number
  /** Absent if the price is unknown. */
  readonly costUsd?: number
}

export interface MeterState {
  turn: string
  turnAt: number
  model: string
  /** Single requests are counted, so totals add nothing. */
  single: boolean
  total: TokenCounts
  /** The time of the newest counted request. */
  countedAt?: number
  /** The last requests and their counts, oldest first. */
  requests: [id: string, counts: TokenCounts, costUsd?: number][]
}

const REMEMBERED = 64 // lines of concurrent requests alternate, but only a few requests are concurrent
const UNKNOWN_MODEL = 'unknown'
const NOTHING: TokenCounts = { input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 }

export function newMeter(): MeterState {
  return { turn: '', turnAt: 0, model: UNKNOWN_MODEL, single: false, total: NOTHING, requests: [] }
}

/** Updates the state and returns what the part adds. */
export function meter(state: MeterState, part: MessagePart): UsageDelta | undefined {
  switch (part.kind) {
    case 'turn':
      state.turn = part.id.slice(0, 128)
      state.turnAt = part.at
      return undefined
    case 'model':
      state.model = part.model.slice(0, 128)
      return undefined
    case 'usage':
      state.single = true
      state.countedAt = Math.max(state.countedAt ?? 0, part.at)
      return countRequest(state, part)
    case 'total':
      return state.single ? undefined : countTotal(state, part)
    default:
      return undefined
  }
}

function countRequest(state: MeterState, part: UsagePart): UsageDelta | undefined {
  const model = (part.model ?? state.model).slice(0, 128)
  const id = part.id.slice(0, 128)
  const known = state.requests.find(([request]) => request === id)
  const before = known?.[1] ?? NOTHING
  const now = each((name) => Math.max(before[name], part.counts[name]))
  const counts = each((name) => now[name] - before[name])
  const paidBefore = known?.[2] ?? 0
  const said = part.costUsd === undefined ? undefined : Math.max(paidBefore, part.costUsd)
  const entry: MeterState['requests'][number] = said === undefined ? [id, now] : [id, now, said]
  if (known) state.requests[state.requests.indexOf(known)] = entry
  else {
    state.requests.push(entry)
    if (state.requests.length > REMEMBERED) state.requests.shift()
  }
  if (known && isNothing(counts)) return undefined
  const [cost, paid] =
    said === undefined ? [costOf(model, now, part.at), costOf(model, before, part.at)] : [said, paidBefore]
  const isPriced = part.standard && cost !== undefined && paid !== undefined
  return {
    ...whereIn(state, part.at),
    model,
    counts,
    requests: known ? 0 : 1,
    ...(isPriced ? { costUsd: cost - paid } : {}),
  }
}

/** The number and size of the requests are unknown, so all count as one. */
function countTotal(state: MeterState, part: { at: number; counts: TokenCounts }): UsageDelta | undefined {
  const counts = each((name) => Math.max(0, part.counts[name] - state.total[name]))
  state.total = part.counts
  if (isNothing(counts)) return undefined
  const cost = costOf(state.model, counts, part.at)
  return {
    ...whereIn(state, part.at),
    model: state.model,
    counts,
    requests: 1,
    ...(cost === undefined ? {} : { costUsd: cost }),
  }
}

function whereIn({ turn, turnAt }: MeterState, at: number): Pick<UsageDelta, 'turn' | 'turnAt' | 'at'> {
  return { turn, turnAt: turnAt || at, at }
}

function isNothing(counts: TokenCounts): boolean {
  return Object.values(counts).every((count) => count === 0)
}

function each(count: (name: keyof TokenCounts) => number): TokenCounts {
  return {
    input: count('input'),
    cacheRead: count('cacheRead'),
    cacheWrite5m: count('cacheWrite5m'),
    cacheWrite1h: count('cacheWrite1h'),
    output: count('output'),
  }
}
