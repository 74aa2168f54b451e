/**
 * Which test files a command line asks for, and the lane of each by its name:
 *
 *   x.test.ts          side by side with others; waits for what it expects, and asserts no time
 *   x.timing.test.ts   asserts time, so it runs alone, at the end
 *   x.long.test.ts     takes minutes: npm run test:long
 */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Lane } from './run-tests.ts'
import { changedFiles, dependants } from './test-changed.ts'

const ROOT = join(import.meta.dir, '..')
/** Most of a test is waiting: for processes, sockets, timers. */
const WORKERS_PER_CORE = 2
const MOST_WORKERS = 8
const OPTIONS = {
  changed: { type: 'boolean' },
  since: { type: 'string' },
  long: { type: 'boolean' },
  'keep-timings': { type: 'boolean' },
  'test-name-pattern': { type: 'string', short: 't' },
} as const

export interface Wanted {
  readonly lanes: readonly Lane[]
  /** For `bun test` itself. */
  readonly flags: readonly string[]
  readonly isLong: boolean
  readonly keepTimings: boolean
}

export async function wantedFiles(args: readonly string[]): Promise<Wanted> {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  const isLong = values.long === true
  const all = (await testFiles()).filter((file) => file.includes('.long.test.') === isLong)
  const chosen = values.changed ? dependants(all, changedFiles(ROOT, values.since ?? 'HEAD'), ROOT) : all
  const words = positionals.map((word) => word.replace(/^\.\//, ''))
  const files =
    words.length === 0 ? chosen : chosen.filter((file) => words.some((word) => file.includes(word)))
  const flags = values['test-name-pattern'] === undefined ? [] : ['-t', values['test-name-pattern']]
  return { lanes: lanesOf(files), flags, isLong, keepTimings: values['keep-timings'] === true }
}

async function testFiles(): Promise<string[]> {
  const files = await Array.fromAsync(
    new Bun.Glob('{src,test,bench,scripts}/**/*.test.{ts,tsx}').scan({ cwd: ROOT }),
  )
  return files.sort()
}

function lanesOf(files: readonly string[]): Lane[] {
  const isTimed = (file: string) => /\.(timing|long)\.test\./.test(file)
  const paths = (some: readonly string[]) => some.map((file) => `./${file}`)
  return [
    {
      name: 'side by side',
      files: paths(files.filter((file) => !isTimed(file))),
      workers: Math.min(MOST_WORKERS, availableParallelism() * WORKERS_PER_CORE),
    },
    { name: 'alone', files: paths(files.filter(isTimed)), workers: 1 },
  ]
}
