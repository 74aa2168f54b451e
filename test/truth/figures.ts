/**
 * What a truth file measured, as data. Each run leaves its figures in the folder that GANTRY_TRUTH_FIGURES names; those
 * that are kept are in figures.json beside this file, and docs/truth.md is made from them:
 *
 *   npm run test:agents -- truth --write      # or `truth/claude --write` for the files of one agent
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { ownOf, quantiles, type Result, sum } from './report.ts'

export interface Row {
  readonly name: string
  readonly seconds: number
  readonly right: number
  readonly wrong: number
  /** Samples while nobody could say what was true. */
  readonly excluded: number
  readonly changes: number
  readonly missed: number
  /** p50, p95 and the largest, in ms: from the change until it was shown. */
  readonly lag: readonly number[]
  /** The same from the agent's word. */
  readonly own: readonly number[]
}

export interface Figures {
  /** `claude.elicitation` for claude.elicitation.truth.ts. */
  readonly file: string
  readonly agent: string
  readonly version: string
  readonly date: string
  readonly cores: number
  readonly load: number
  readonly scenarios: readonly Row[]
  readonly total: Row
}

const JUDGED_LOAD = 2 // for each core
const KEPT = join(import.meta.dir, 'figures.json')

export function figuresOf(
  release: { readonly agent: string; readonly version: string },
  file: string,
  results: readonly Result[],
): Figures {
  const { agent, version } = release
  return {
    file,
    agent,
    version,
    date: new Date().toISOString().slice(0, 10),
    cores: availableParallelism(),
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
    scenarios: results.map(rowOf),
    total: rowOf(sum(results)),
  }
}

/** Above that load, agents, hooks and the script wait for each other: the figures say nothing of gantry. */
export const isJudged = ({ load, cores }: Figures) => load <= JUDGED_LOAD * cores

/** For whoever started the run. */
export function leave(figures: Figures): void {
  const folder = process.env.GANTRY_TRUTH_FIGURES
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${figures.file}.json`), JSON.stringify(figures))
}

export function left(folder: string): Figures[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return files.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Figures)
}

export function kept(): Figures[] {
  return JSON.parse(readFileSync(KEPT, 'utf8')) as Figures[]
}

/** Takes the place of what was kept of the same files; what is kept of files that are gone goes. */
export function keep(fresh: readonly Figures[]): void {
  const files = new Set(truthFiles())
  const others = kept().filter(({ file }) => files.has(file) && !fresh.some((one) => one.file === file))
  const all = [...others, ...fresh].sort((a, b) => a.file.localeCompare(b.file))
  writeFileSync(KEPT, `${JSON.stringify(all, null, 2)}\n`)
}

export function truthFiles(): string[] {
  const names = readdirSync(import.meta.dir).filter((name) => name.endsWith('.truth.ts'))
  return names.map((name) => name.replace(/\.truth\.ts$/, '')).sort()
}

function rowOf(result: Result): Row {
  const { name, seconds, right, wrong, excluded, lags } = result
  const ms = lags.map((lag) => lag.ms).sort((a, b) => a - b)
  return {
    name,
    seconds: Number(seconds.toFixed(1)),
    right,
    wrong,
    excluded,
    changes: lags.length,
    missed: lags.filter(({ missed }) => missed).length,
    lag: quantiles(ms).map(Number),
    own: quantiles(ownOf(result)).map(Number),
  }
}
