/** The table that says how true gantry was. */
import { loadavg } from 'node:os'
import { type Share, sharesLine } from './shares.ts'
import { type Lag, SAMPLE_MS, type Score } from './timeline.ts'

export interface Result extends Score {
  readonly name: string
  readonly seconds: number
  readonly shares: readonly Share[]
}

export interface Total {
  readonly rightPct: number
  /** Of the samples that there should be. */
  readonly sampledPct: number
  /** Of all samples: nobody could say what was true just then. */
  readonly excludedPct: number
  readonly lagP95Ms: number
  /** From the agent's word until it is shown. */
  readonly ownP95Ms: number
}

export function table(agent: string, results: readonly Result[]): string {
  const head = [
    'scenario',
    'seconds',
    'right %',
    'wrong',
    'excluded',
    'changes',
    'missed',
    'p50',
    'p95',
    'max',
  ]
  const all = sum(results)
  const rows = [head, ...results.map(rowOf), rowOf(all)]
  const widths = head.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  const lines = rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  )
  const load = loadavg().map((one) => one.toFixed(1))
  return [
    `${agent}: samples every ${SAMPLE_MS} ms, lag in ms, load average ${load.join(' ')}`,
    ...lines,
    sharesLine(all.shares),
    `from the agent's word to what gantry shows: ${quantiles(ownOf(all))
      .map((ms, at) => `${['p50', 'p95', 'max'][at]} ${ms}`)
      .join(', ')} ms`,
  ].join('\n')
}

export function total(results: readonly Result[]): Total {
  const all = sum(results)
  const due = (all.seconds * 1000) / SAMPLE_MS
  const taken = all.right + all.wrong + all.excluded
  return {
    rightPct: pctOf(all),
    sampledPct: (100 * taken) / due,
    excludedPct: (100 * all.excluded) / taken,
    lagP95Ms: quantile(msOf(all.lags), 0.95),
    ownP95Ms: quantile(ownOf(all), 0.95),
  }
}

export function sum(results: readonly Result[]): Result {
  const add = (pick: (result: Result) => number) => results.reduce((all, result) => all + pick(result), 0)
  return {
    name: 'total',
    seconds: add(({ seconds }) => seconds),
    right: add(({ right }) => right),
    wrong: add(({ wrong }) => wrong),
    excluded: add(({ excluded }) => excluded),
    lags: results.flatMap(({ lags }) => lags),
    shares: results.flatMap(({ shares }) => shares),
  }
}

function rowOf(result: Result): string[] {
  const ms = msOf(result.lags)
  return [
    result.name,
    result.seconds.toFixed(1),
    pctOf(result).toFixed(2),
    String(result.wrong),
    String(result.excluded),
    String(result.lags.length),
    String(result.lags.filter(({ missed }) => missed).length),
    ...quantiles(ms),
  ]
}

function pctOf({ right, wrong }: Score): number {
  return right + wrong === 0 ? 0 : (100 * right) / (right + wrong)
}

function msOf(lags: readonly Lag[]): number[] {
  return lags.map(({ ms }) => ms).sort((a, b) => a - b)
}

export function ownOf({ shares }: Result): number[] {
  return shares.map(({ own }) => own).sort((a, b) => a - b)
}

export function quantiles(sorted: readonly number[]): string[] {
  return [0.5, 0.95, 1].map((share) => quantile(sorted, share).toFixed(0))
}

/** The smallest value that so large a share does not exceed. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}
