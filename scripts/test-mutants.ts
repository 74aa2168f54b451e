/**
 * npm run test:mutants [-- part of a path … [--each 8]]: makes small faults in the code that matters most, one
 * at a time, in a copy of the tree, and runs the tests that should notice. Names the faults that no test noticed, and
 * fails when they are more than one in twenty. Ends with "N passed, N failed".
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutant, mutantsOf, spread } from './mutants.ts'

const ROOT = join(import.meta.dir, '..')
const KILLED_PCT = 95
const LIMIT_MS = 120_000 // a fault may make a test wait for ever
const COPIED = ['src', 'test', 'native', 'bin', 'package.json', 'tsconfig.json', 'bunfig.toml', 'docs']

interface Target {
  readonly file: string
  /** The quick ones first: what they notice, the others are not asked. */
  readonly tests: readonly string[]
}

const REDUCER = ['src/sessions']
const TARGETS: readonly Target[] = [
  { file: 'src/sessions/reduce.ts', tests: REDUCER },
  { file: 'src/sessions/asks.ts', tests: REDUCER },
  { file: 'src/sessions/tools.ts', tests: REDUCER },
  { file: 'src/sessions/turns.ts', tests: REDUCER },
  { file: 'src/sessions/children.ts', tests: REDUCER },
  { file: 'src/daemon/pipeline.ts', tests: ['src/daemon', 'test/daemon/faults.test.ts'] },
  { file: 'src/daemon/twins.ts', tests: ['src/daemon'] },
  { file: 'src/daemon/held.ts', tests: ['src/daemon'] },
  { file: 'src/daemon/decisions.ts', tests: ['src/daemon', 'test/daemon/rules.test.ts'] },
  { file: 'src/policy/evaluate.ts', tests: ['src/policy', 'src/daemon/rules.test.ts'] },
  { file: 'src/store/journal.ts', tests: ['src/store', 'src/daemon/pipeline.test.ts'] },
  { file: 'src/install/plan.ts', tests: ['src/install', 'test/install'] },
  { file: 'src/install/json-edit.ts', tests: ['src/install', 'test/install'] },
  { file: 'src/install/uninstall.ts', tests: ['src/install', 'test/install'] },
]

interface Job extends Mutant {
  readonly target: Target
}

const { values, positionals } = parseArgs({
  options: { each: { type: 'string', default: '5' } },
  allowPositionals: true,
})
const targets = TARGETS.filter(
  ({ file }) => positionals.length === 0 || positionals.some((word) => file.includes(word)),
)
const jobs: Job[] = []
for (const target of targets) {
  const source = await Bun.file(join(ROOT, target.file)).text()
  jobs.push(...spread(mutantsOf(source), Number(values.each)).map((mutant) => ({ ...mutant, target })))
}
const survivors: Job[] = []
let done = 0
await Promise.all(Array.from({ length: availableParallelism() }, work))
for (const { target, line, before, after } of survivors.toSorted((a, b) => a.line - b.line))
  console.log(`not noticed: ${target.file}:${line}\n  - ${before}\n  + ${after || '(taken out)'}`)
const killed = jobs.length - survivors.length
const pct = (100 * killed) / Math.max(1, jobs.length)
console.log(
  `\n${killed} of ${jobs.length} faults were noticed: ${pct.toFixed(1)} %, at least ${KILLED_PCT} are wanted`,
)
const isEnough = jobs.length > 0 && pct >= KILLED_PCT
console.log(`\n${isEnough ? 1 : 0} passed, ${isEnough ? 0 : 1} failed`)
process.exit(isEnough ? 0 : 1)

/** Takes one fault after the other, in a tree of its own. */
async function work(): Promise<void> {
  const tree = mkdtempSync(join(tmpdir(), 'gantry-mutants-'))
  for (const name of COPIED) cpSync(join(ROOT, name), join(tree, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
  for (let job = jobs[done]; job; job = jobs[done]) {
    done++
    process.stderr.write(`\r${done}/${jobs.length} ${job.target.file}:${job.line}\x1b[K`)
    const file = join(tree, job.target.file)
    const whole = await Bun.file(file).text()
    writeFileSync(file, job.text)
    if (await passes(tree, job.target.tests)) survivors.push(job)
    writeFileSync(file, whole)
  }
  rmSync(tree, { recursive: true, force: true })
  process.stderr.write('\r\x1b[K')
}

async function passes(tree: string, tests: readonly string[]): Promise<boolean> {
  for (const test of tests) {
    const child = Bun.spawn([process.execPath, 'test', '--bail', '--timeout', '30000', `./${test}`], {
      cwd: tree,
      env: { PATH: process.env.PATH ?? '', HOME: tree, LANG: 'C.UTF-8', TERM: 'dumb' },
      stdio: ['ignore', 'ignore', 'ignore'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    })
    if ((await child.exited) !== 0) return false
  }
  return true
}
