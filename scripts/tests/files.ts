/**
 * Selects the test files for a command line, and the lane of each by its name:
 *
 *   x.test.ts          in parallel with others; waits for what it expects, and asserts no durations
 *   x.timing.test.ts   asserts durations, so it runs alone, at the end
 *
 * Files that import test/long.ts run longer with --long, which runs only them.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { changedFiles, dependants, importers } from './changed.ts'
import type { Lane } from './run.ts'

const ROOT = join(import.meta.dir, '../..')
/** Tests wait for processes, sockets and timers: with six workers on two cores, a seventh of the time was idle. */
const WORKERS = 8
const LATER = '20000' // instead of 1000; none at all costs tests that compute themselves twice as much
/**
 * Engine options for short tests and the programs under test (test/kit.ts), which take a fifth less processor time so. What
 * asserts a duration is not in this lane.
 */
const FOR_SHORT_TESTS = {
  // Most tests are over before optimized code pays.
  BUN_JSC_thresholdForOptimizeAfterWarmUp: LATER,
  BUN_JSC_thresholdForOptimizeAfterLongWarmUp: LATER,
  BUN_JSC_thresholdForOptimizeSoon: LATER,
  // Eight workers have the processors busy; threads that collect garbage side by side only wait for each other.
  BUN_JSC_numberOfGCMarkers: '1',
  // Memory is kept until the end, not given back and asked for again.
  MIMALLOC_PURGE_DELAY: '-1',
}
const OPTIONS = {
  changed: { type: 'boolean' },
  since: { type: 'string' },
  long: { type: 'boolean', default: false },
  times: { type: 'string' },
  minutes: { type: 'string' },
  'keep-timings': { type: 'boolean', default: false },
  'test-name-pattern': { type: 'string', short: 't' },
  help: { type: 'boolean', short: 'h' },
} as const
const HELP = `npm test [-- options] [parts of paths …]

  -t <pattern>            only tests with such a name
  --changed               only what depends on files that are changed since HEAD
  --since <commit>        the same since this commit
  --keep-timings          writes test/timings.json, which says what takes longest, and so starts first
npm run test:long plays random tests for longer; --times 25 for a long night, --times 0.2 for a minute. --minutes 2 starts
no file after two minutes, names how many are left, and begins elsewhere for the next commit. From --times 1 on, without
--minutes and without parts of paths, it ends with npm run test:mutants: small faults in the code that matters, which the
tests have to notice

  npm test -- src/store test/daemon/spool
  npm test -- test/hook/away -t 'starts the daemon once'`

interface Wanted {
  readonly lanes: readonly Lane[]
  /** For `bun test` itself. */
  readonly flags: readonly string[]
  /** Factor for test/long.ts; 0 without --long. */
  readonly times: number
  /** The whole long run was requested, so it includes the mutants. */
  readonly mutants: boolean
  readonly keepTimings: boolean
  /** Some start gantry, so it must be built. */
  readonly drivesPrograms: boolean
}

export async function wantedFiles(args: readonly string[]): Promise<Wanted> {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  if (values.help) {
    console.log(HELP)
    process.exit(0)
  }
  const every = await testFiles()
  const all = values.long ? importers(every, ['test/long.ts'], ROOT) : every
  for (const part of positionals)
    if (withAnyOf([part], all).length === 0)
      throw new Error(`No ${values.long ? 'long test' : 'test'} file has ${part} in its path.`)
  const isChanged = values.changed || values.since !== undefined
  const chosen = isChanged ? dependants(all, changedFiles(ROOT, values.since ?? 'HEAD'), ROOT) : all
  const files = withAnyOf(positionals, chosen)
  const pattern = values['test-name-pattern']
  if (pattern !== undefined) new RegExp(pattern) // throws what is wrong with it
  const flags = pattern === undefined ? [] : ['--pass-with-no-tests', '-t', pattern]
  const times = values.long ? Number(values.times ?? 1) : 0
  if (values.long && !(times > 0)) throw new Error(`--times takes a number above 0, not "${values.times}".`)
  if (!values.long && values.times !== undefined) throw new Error('--times goes with npm run test:long.')
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes)
  if (minutes !== undefined && !(values.long && minutes > 0))
    throw new Error('--minutes takes a number above 0, and goes with npm run test:long.')
  const lanes = minutes === undefined ? lanesOf(files, values.long) : budgetedLanes(files, minutes)
  const drivesPrograms = files.some((file) => file.startsWith('test/'))
  const isWhole = positionals.length === 0 && flags.length === 0 && !isChanged && minutes === undefined
  const mutants = times >= 1 && isWhole
  return { lanes, flags, times, mutants, keepTimings: values['keep-timings'], drivesPrograms }
}

/** What drives the real agents, and measures how true gantry is about them. */
export async function agentFiles(words: readonly string[]): Promise<string[]> {
  const files = await filesOf('test/{agents,truth}/*.{agents,truth}.ts')
  return withAnyOf(words, files).map((file) => `./${file}`)
}

/** The files with one of these words in their path; without words, all. */
function withAnyOf(words: readonly string[], files: readonly string[]): readonly string[] {
  if (words.length === 0) return files
  const parts = words.map((word) => word.replace(/^\.\//, ''))
  return files.filter((file) => parts.some((part) => file.includes(part)))
}

export const testFiles = () => filesOf('{src,test,bench,scripts}/**/*.test.{ts,tsx}')

async function filesOf(pattern: string): Promise<string[]> {
  return (await Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: ROOT }))).sort()
}

/** The files side by side, from another place for each commit, so that a short run gets to all of them in time. */
function budgetedLanes(files: readonly string[], minutes: number): Lane[] {
  const [beside] = lanesOf(files, true)
  if (!beside) return []
  const head = Bun.spawnSync(['git', 'rev-parse', 'HEAD'], { cwd: ROOT }).stdout.toString().trim()
  const from = Number.parseInt(head.slice(0, 8) || '0', 16) % Math.max(1, beside.files.length)
  const rotated = [...beside.files.slice(from), ...beside.files.slice(0, from)]
  return [{ ...beside, files: rotated, budgetMs: minutes * 60_000 }]
}

function lanesOf(files: readonly string[], isLong: boolean): Lane[] {
  const isTimed = (file: string) => file.includes('.timing.test.')
  const paths = (some: readonly string[]) => some.map((file) => `./${file}`)
  return [
    {
      name: 'side by side',
      files: paths(files.filter((file) => !isTimed(file))),
      workers: WORKERS,
      ...(isLong ? {} : { env: FOR_SHORT_TESTS, inMemory: true }),
    },
    { name: 'alone', files: paths(files.filter(isTimed)), workers: 1 },
  ]
}
