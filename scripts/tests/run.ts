/**
 * Runs test files in lanes: one lane after the other, the files of a lane in parallel, the longest first. A file that
 * fails runs once more, alone, after all lanes. A file that passes only then is a defect of the test: it is listed at
 * the end with both durations and the load, and more than a few such files fail the run. A file that fails twice has
 * failed.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { mayHaveMemoryDisk, onMemoryDisk } from './memory-disk.ts'
import { CRASH, OUTSIDE, plain, TestOutput, TestProgress } from './output.ts'

const MOST_UNSTEADY = 2
const SLOWEST = 10
const UNKNOWN_MS = 10_000 // a file that was never timed may be long, so it is not left for the end

export interface Lane {
  readonly name: string
  readonly files: readonly string[]
  /** Files that run at the same time. */
  readonly workers: number
  /** Waits for this, if nothing may run beside it. */
  readonly after?: Promise<unknown>
  /** No file starts later than this after the first. */
  readonly budgetMs?: number
  /** Besides that of the run. */
  readonly env?: Readonly<Record<string, string>>
  /** Temporary files are in memory, where that can be had. */
  readonly inMemory?: boolean
}

export interface TestRunner {
  /** The command line for these arguments of `bun test`. */
  readonly command: (args: readonly string[]) => string[]
  readonly cwd: string
  readonly env: Record<string, string>
  readonly limitMs: number
  /** Durations of earlier runs by file, to start the longest first. */
  readonly timings: string
  /** The command that runs just this; all of the file without a pattern. */
  readonly again: (file: string, pattern?: string) => string
}

interface Outcome {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Milliseconds by file. */
  readonly took: Readonly<Record<string, number>>
}

interface Run extends Outcome {
  readonly failures: ReadonlyMap<string, readonly string[]>
  readonly load: number
  /** It did not end before its tests. */
  readonly isWhole: boolean
  /** Files of which no test has ended. */
  readonly silent: readonly string[]
}

export async function runTests(runner: TestRunner, lanes: readonly Lane[]): Promise<Outcome> {
  const runs: Run[] = []
  for (const lane of lanes.filter(({ files }) => files.length > 0)) {
    await lane.after
    runs.push(...(await runWithin(runner, lane)))
  }
  const took = Object.assign({}, ...runs.map((one) => one.took)) as Record<string, number>
  const count = (of: 'passed' | 'failed' | 'skipped') => runs.reduce((sum, one) => sum + one[of], 0)
  const total = { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), took }
  tellSlowest(took)
  const failures = runs.flatMap((one) =>
    [...one.failures].map(([file, names]) => ({ file, names, run: one })),
  )
  for (const one of runs.filter(({ isWhole }) => !isWhole)) console.log(`failed: ${endedEarly(one)}`)
  if (failures.length === 0) return total
  let failed = runs.filter(({ isWhole }) => !isWhole).length
  let mended = 0
  const unsteady: string[] = []
  for (const { file, names, run: first } of failures) {
    const second = await run(runner, { name: `once more, alone: ${file}`, files: [file], workers: 1 })
    const still = [...second.failures.values()].flat()
    failed += second.failed
    for (const name of still) console.log(`failed: ${name}\n  ${runner.again(file, patternOf(name))}`)
    if (!second.isWhole) {
      console.log(`failed: ${file}, which ended before its tests did\n  ${runner.again(file)}`)
      continue
    }
    const late = names.filter((name) => !still.includes(name))
    // Bun counts no test of a file whose process died.
    mended += names.some((name) => name.startsWith(CRASH)) ? second.passed : late.length
    if (late.length > 0) unsteady.push(unsteadyLine(file, late, first, second))
  }
  if (unsteady.length > 0) console.log(`\nPassed only alone:\n${unsteady.join('\n')}`)
  if (unsteady.length > MOST_UNSTEADY) {
    console.log(`failed: ${unsteady.length} files passed only alone; at most ${MOST_UNSTEADY} are accepted`)
    failed++
  }
  return { ...total, passed: total.passed + mended, failed }
}

/** A lane with a budget runs a few files at a time, because a started run takes all of its files. */
async function runWithin(runner: TestRunner, lane: Lane): Promise<Run[]> {
  const { budgetMs, files, workers } = lane
  if (budgetMs === undefined) return [await run(runner, lane)]
  const runs: Run[] = []
  const start = performance.now()
  let next = 0
  while (next < files.length && performance.now() - start < budgetMs) {
    runs.push(await run(runner, { ...lane, files: files.slice(next, next + workers) }))
    next += workers
  }
  const left = files.length - next
  if (left > 0) console.log(`not started, because the time is over: ${left} of ${files.length} files`)
  return runs
}

async function run(runner: TestRunner, { name, files, workers, env, inMemory }: Lane): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-tests-'))
  const memory = inMemory && mayHaveMemoryDisk() ? mkdtempSync(join(tmpdir(), 'gt-')) : undefined // short, for sockets
  const timings = join(folder, 'timings.json')
  const expected = { ...unknown(files), ...timed(runner.timings) }
  writeFileSync(timings, JSON.stringify({ version: 1, files: expected }))
  const output = new TestOutput(files, (line) => progress.say(line))
  const title = `${name}: ${files.length} ${files.length === 1 ? 'file' : 'files'}`
  const progress = new TestProgress(title, output)
  const flags = [`--parallel=${workers}`, '--parallel-delay=0', `--timings=${timings}`, '--update-timings']
  const command = runner.command([...flags, ...files])
  const child = Bun.spawn(memory ? onMemoryDisk(memory, command) : command, {
    cwd: runner.cwd,
    env: { ...runner.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: runner.limitMs,
    killSignal: 'SIGKILL', // in a namespace it ends with everything in it
  })
  const printed = printedBy(child.stdout, progress)
  for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
    output.read(chunk)
    progress.show(output)
  }
  output.end()
  await printed
  const exit = await child.exited
  const took = tookBy(timings, files, expected)
  for (const one of [folder, memory]) if (one) rmSync(one, { recursive: true })
  const { passed, skipped, failedFiles } = output.seen
  const isWhole = output.seen.isWhole && (exit === 0 || output.seen.failed > 0)
  // A run that was cut off has no failed test to count.
  const failed = Math.max(output.seen.failed, isWhole ? 0 : 1)
  progress.end(output)
  const silent = files.filter((file) => !output.seen.files.has(plain(file)))
  return { passed, failed, skipped, took, failures: failedFiles, load: loadavg()[0] ?? 0, isWhole, silent }
}

/** Bun does not say which of its files hang: those without a result are the first to look at. */
function endedEarly({ silent }: Run): string {
  const names = silent.slice(0, SLOWEST).join(', ')
  const more = silent.length > SLOWEST ? ` and ${silent.length - SLOWEST} more` : ''
  return `the run itself, which ended before its tests did${names ? `. No result from ${names}${more}` : ''}`
}

/** Records the durations of these files, beside those of other existing files. */
export function keepTimings(path: string, root: string, took: Readonly<Record<string, number>>): void {
  const here = Object.entries({ ...timed(path), ...took }).filter(([file]) => existsSync(join(root, file)))
  const files = Object.fromEntries(here.toSorted(([, a], [, b]) => b - a))
  writeFileSync(path, `${JSON.stringify({ version: 1, files }, null, 1)}\n`)
}

function timed(path: string): Record<string, number> {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).files : {}
}

const unknown = (files: readonly string[]) =>
  Object.fromEntries(files.map((file) => [plain(file), UNKNOWN_MS]))

/** Output of the tests themselves. */
async function printedBy(
  stdout: ReadableStream<Uint8Array<ArrayBuffer>>,
  progress: TestProgress,
): Promise<void> {
  let rest = ''
  const say = (line: string) => {
    if (line && !line.startsWith('bun test v')) progress.say(line)
  }
  for await (const chunk of stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    lines.forEach(say)
  }
  say(rest)
}

/** Bun leaves the expected duration of a file that did not end. */
function tookBy(
  timings: string,
  files: readonly string[],
  expected: Readonly<Record<string, number>>,
): Record<string, number> {
  const ran = new Set(files.map(plain))
  const entries = Object.entries(timed(timings))
  return Object.fromEntries(entries.filter(([file, ms]) => ran.has(plain(file)) && ms !== expected[file]))
}

/** Bun takes a pattern over the names of the groups and the test, separated by spaces. No pattern for what is no test. */
function patternOf(name: string): string | undefined {
  if (name === OUTSIDE || name.startsWith(CRASH) || name.endsWith('(unnamed)')) return undefined
  const parts = name.split(' > ').map((part) => part.replace(/[^\p{L}\p{N} ,:_-]/gu, '.'))
  return `'${parts.join('.+')}'`
}
const seconds = (ms: number | undefined) => (ms === undefined ? 'unknown' : `${(ms / 1000).toFixed(1)} s`)

function tellSlowest(took: Readonly<Record<string, number>>): void {
  const slowest = Object.entries(took).toSorted(([, a], [, b]) => b - a)
  if (slowest.length <= SLOWEST) return
  console.log('\nThe slowest files:')
  for (const [file, ms] of slowest.slice(0, SLOWEST)) console.log(`  ${seconds(ms).padStart(8)}  ${file}`)
}

function unsteadyLine(file: string, names: readonly string[], first: Run, second: Run): string {
  const beside = `${seconds(first.took[plain(file)])} at load ${first.load.toFixed(1)}`
  const alone = `${seconds(second.took[plain(file)])} at load ${second.load.toFixed(1)}`
  return `  ${file}: ${beside}, alone ${alone}\n${names.map((name) => `    ${name}`).join('\n')}`
}
