/**
 * npm run test:mutants [-- part of a path … [--each 8] [--workers 1]]: makes small faults in the most important code,
 * one at a time, in a copy of the tree, and runs the tests that should notice. Lists the faults that no test noticed,
 * and fails if they are more than one in twenty. Ends with "N passed, N failed".
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { messageOf } from '../../src/core/errors.ts'
import { type Mutant, mutantsOf, spread } from './mutants.ts'

const ROOT = join(import.meta.dir, '../..')
const HELP = `npm run test:mutants [-- options] [parts of paths …]

  --each <n>      faults in each file (5)
  --workers <n>   tests at the same time (one for each core)

  npm run test:mutants -- reduce --each 20`
const KILLED_PCT = 95
const LIMIT_MS = 240_000 // a fault may make a test hang
const QUICK_MS = 1_000 // by test/timings.json
const COPIED = [
  'src',
  'test',
  'native',
  'bin',
  'package.json',
  'tsconfig.json',
  'bunfig.toml',
  'docs',
  'examples',
]

interface Target {
  readonly file: string
  /** Globs of tests that should notice. A fault noticed in one round is not tried in the next. */
  readonly tests: readonly string[]
}

const REDUCER = ['src/sessions/*.test.ts', 'src/sessions/state/*.test.ts']
const INSTALL = ['src/install/*.test.ts', 'test/install/{edits,yours,left}.test.ts']
const TARGETS: readonly Target[] = [
  { file: 'src/sessions/state/reduce.ts', tests: REDUCER },
  { file: 'src/sessions/state/permissions.ts', tests: REDUCER },
  { file: 'src/sessions/state/tools.ts', tests: REDUCER },
  { file: 'src/sessions/state/turns.ts', tests: REDUCER },
  { file: 'src/sessions/state/children.ts', tests: REDUCER },
  { file: 'src/sessions/state/look.ts', tests: ['src/sessions/state/look.test.ts'] },
  { file: 'src/ingest/pipeline.ts', tests: ['src/ingest/{pipeline,pending-decisions}.test.ts'] },
  { file: 'src/ingest/dedupe.ts', tests: ['src/ingest/{dedupe,pipeline}.test.ts'] },
  { file: 'src/ingest/pending-decisions.ts', tests: ['src/ingest/pending-decisions.test.ts'] },
  {
    file: 'src/decisions/decisions.ts',
    tests: ['src/decisions/decisions.test.ts', 'src/decisions/rules/rule-files.test.ts'],
  },
  { file: 'src/decisions/rules/evaluate.ts', tests: ['src/decisions/rules/*.test.ts'] },
  {
    file: 'src/store/journal.ts',
    tests: ['src/store/{journal,rows}.test.ts', 'src/store/files/database.test.ts'],
  },
  { file: 'src/install/plan.ts', tests: INSTALL },
  { file: 'src/install/edit/json-edit.ts', tests: INSTALL },
  { file: 'src/install/uninstall.ts', tests: INSTALL },
]

/** Equivalent mutants: faults that change nothing observable, by their line, with the reason. */
const EQUAL: readonly { readonly file: string; readonly before: string; readonly why: string }[] = []

interface Job extends Mutant {
  readonly target: Target
}

const { values, targets } = parsed()
const took: Record<string, number> = JSON.parse(readFileSync(join(ROOT, 'test/timings.json'), 'utf8')).files
const jobs: Job[] = targets.flatMap((target) => {
  const all = mutantsOf(readFileSync(join(ROOT, target.file), 'utf8'))
  const some = all.filter(
    ({ before }) => !EQUAL.some((one) => one.file === target.file && one.before === before),
  )
  return spread(some, Number(values.each)).map((mutant) => ({ ...mutant, target }))
})
const survivors: Job[] = []
let done = 0

await mustPassWithoutFault()
await Promise.all(Array.from({ length: Math.max(1, Number(values.workers)) }, work))
process.stderr.write('\r\x1b[K')
for (const { target, line, before, after } of survivors.toSorted((a, b) => a.line - b.line))
  console.log(`not noticed: ${target.file}:${line}\n  - ${before}\n  + ${after || '(removed)'}`)
for (const target of targets) {
  const count = (some: readonly Job[]) => some.filter((job) => job.target === target).length
  console.log(`${target.file}: ${count(jobs) - count(survivors)} of ${count(jobs)}`)
}
const killed = jobs.length - survivors.length
const pct = (100 * killed) / Math.max(1, jobs.length)
console.log(
  `\n${killed} of ${jobs.length} faults were noticed: ${pct.toFixed(1)} %, at least ${KILLED_PCT} are wanted`,
)
const isEnough = jobs.length > 0 && pct >= KILLED_PCT
console.log(`\n${isEnough ? 1 : 0} passed, ${isEnough ? 0 : 1} failed`)
process.exit(isEnough ? 0 : 1)

function parsed() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        each: { type: 'string', default: '5' },
        workers: { type: 'string', default: String(availableParallelism()) },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    })
    if (values.help) {
      console.log(HELP)
      process.exit(0)
    }
    const isCount = (text: string) => Number.isSafeInteger(Number(text)) && Number(text) > 0
    if (!isCount(values.each) || !isCount(values.workers))
      throw new Error('--each and --workers take numbers.')
    const targets = TARGETS.filter(
      ({ file }) => positionals.length === 0 || positionals.some((word) => file.includes(word)),
    )
    const files = TARGETS.map(({ file }) => file).join('\n  ')
    if (targets.length === 0)
      throw new Error(`No file has ${positionals.join(' or ')} in its path. There are:\n  ${files}`)
    return { values, targets }
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${HELP}`)
    process.exit(2)
  }
}

/** Tests that fail anyway would seem to notice everything. */
async function mustPassWithoutFault(): Promise<void> {
  const tree = copied()
  const globs = [...new Set(targets.flatMap(({ tests }) => tests))]
  const failed = await firstFailure(tree, globs)
  rmSync(tree, { recursive: true, force: true })
  if (failed === undefined) return
  console.error(`These fail without any fault; fix them first: npm test -- ${failed.join(' ')}`)
  console.log('\n0 passed, 1 failed')
  process.exit(1)
}

/** Takes one fault after the other, in its own copy of the tree. */
async function work(): Promise<void> {
  const tree = copied()
  for (let job = jobs[done]; job; job = jobs[done]) {
    done++
    process.stderr.write(`\r${done}/${jobs.length} ${job.target.file}:${job.line}\x1b[K`)
    const file = join(tree, job.target.file)
    const whole = readFileSync(file, 'utf8')
    writeFileSync(file, job.text)
    if ((await firstFailure(tree, job.target.tests)) === undefined) survivors.push(job)
    writeFileSync(file, whole)
  }
  rmSync(tree, { recursive: true, force: true })
}

function copied(): string {
  const tree = mkdtempSync(join(tmpdir(), 'gantry-mutants-'))
  for (const name of COPIED) cpSync(join(ROOT, name), join(tree, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
  return tree
}

/** The tests of the first round with a failure. */
async function firstFailure(tree: string, globs: readonly string[]): Promise<string[] | undefined> {
  for (const files of roundsOf(tree, globs)) {
    const child = Bun.spawn([process.execPath, 'test', '--bail', '--timeout', '60000', ...files], {
      cwd: tree,
      env: { PATH: process.env.PATH ?? '', HOME: tree, LANG: 'C.UTF-8', TERM: 'dumb' },
      stdio: ['ignore', 'ignore', 'ignore'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    })
    if ((await child.exited) !== 0) return files
  }
  return undefined
}

/** The quick ones together, then the others, the longest last. */
function roundsOf(tree: string, globs: readonly string[]): string[][] {
  const files = globs.flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: tree })])
  if (files.length === 0) throw new Error(`No test file matches ${globs.join(', ')}.`)
  const msOf = (file: string) => took[file] ?? 0
  const quick = files.filter((file) => msOf(file) <= QUICK_MS)
  const slow = files.filter((file) => msOf(file) > QUICK_MS).toSorted((a, b) => msOf(a) - msOf(b))
  return [quick, ...slow.map((file) => [file])]
    .filter((round) => round.length > 0)
    .map((round) => round.map((file) => `./${file}`))
}
