/**
 * npm run test:agents [-- parts of paths … [--write]]: tests the real agents with gantry on their hooks, and how
 * accurately gantry shows them. `--write` stores the figures and generates docs/truth.md; `--keep-timings` writes
 * test/timings.json. Installs the agents from npm into a cache on first use, then runs them without network against
 * models on loopback. An agent that npm cannot install is skipped, named and counted; so is a truth file that the load
 * kept from being judged. Ends with "N passed, N failed, N skipped".
 *
 *   npm run test:agents -- codex truth/claude      # all of Codex, and how true gantry is about Claude
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { messageOf } from '../../src/core/errors.ts'
import { agentProgram, CLAUDE, OLD_CLAUDE, RELEASES, type Release } from '../../test/agents/cache.ts'
import { bareEnv, needSystemPackages, shutIn } from '../../test/agents/loopback.ts'
import { type Figures, isJudged, keep, left } from '../../test/truth/figures.ts'
import { generatedDocs } from '../docs/tables.ts'
import { truthLines } from '../docs/truth.ts'
import { ownPlatform } from '../packages/platforms.ts'
import { agentFiles } from './files.ts'
import { keepTimings, runTests, type TestRunner } from './run.ts'

const ROOT = join(import.meta.dir, '../..')
const TEST_TIMEOUT_MS = 120_000
const WHOLE_LIMIT_MS = 3_600_000 // the truth suites run in real time: some fifteen minutes on two idle cores
const OPTIONS = {
  write: { type: 'boolean', default: false },
  'keep-timings': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const
const HELP = `npm run test:agents [-- options] [parts of paths …]

  --write          keeps the figures of the truth suite, and makes docs/truth.md of them
  --keep-timings   writes test/timings.json, which says what takes longest, and so starts first

  npm run test:agents -- codex truth/claude`
/** Three headless agents keep two cores nearly busy. */
const WORKERS = 3
/** An agent in a terminal mostly waits, for its model and for the person: a third of a core each. With five, the load was above what is judged. */
const TRUTH_WORKERS = 4
const TOO_BUSY = 'the machine was too busy. Run them again when it is quieter: npm run test:agents -- truth'
const TIMINGS = join(ROOT, 'test/timings.json')

const { values: options, positionals } = parsed()
if (options.help) {
  console.log(HELP)
  process.exit(0)
}
const chosen = await agentFiles(positionals)
if (chosen.length === 0) {
  console.error(`No file in test/agents or test/truth has ${positionals.join(' or ')} in its path.`)
  process.exit(2)
}
try {
  needSystemPackages()
} catch (error) {
  fail(messageOf(error))
}
const figures = mkdtempSync(join(tmpdir(), 'gantry-truth-'))
const runner: TestRunner = {
  command: (args) => shutIn([process.execPath, 'test', '--timeout', String(TEST_TIMEOUT_MS), ...args]),
  cwd: ROOT,
  env: bareEnv({
    GANTRY_TEST_PROGRAMS: join(ROOT, 'dist'),
    GANTRY_TEST_RUNNER: '1',
    GANTRY_TRUTH_FIGURES: figures,
    ...(process.env.GANTRY_TRUTH_TRACE ? { GANTRY_TRUTH_TRACE: '1' } : {}),
  }),
  limitMs: WHOLE_LIMIT_MS,
  timings: TIMINGS,
  again: (file) => `npm run test:agents -- ${file.replace(/^\.\//, '')}`,
}
const missing = await missingOf(chosen.flatMap(needsOf))
const [here, skipped] = partition(chosen, (file) => !needsOf(file).some((release) => missing.has(release)))
build('scripts/build.ts')
// What is published, as far as this machine can try it.
if (here.some((file) => file.includes('packages.agents')))
  build('scripts/build-packages.ts', ownPlatform()?.id ?? '')
const isTruth = (file: string) => file.endsWith('.truth.ts')
const outcome = await runTests(runner, [
  { name: 'real agents', files: here.filter((file) => !isTruth(file)), workers: WORKERS },
  { name: 'truth', files: here.filter(isTruth), workers: TRUTH_WORKERS },
])
if (options['keep-timings']) keepTimings(TIMINGS, ROOT, outcome.took)
const measured = left(figures)
rmSync(figures, { recursive: true })
await tellFigures(measured)
for (const file of skipped) console.log(`SKIPPED: ${file}, because its agent is not installed`)
const unjudged = measured.filter((one) => !isJudged(one)).length
if (unjudged > 0) console.log(`${unjudged} of ${measured.length} truth files were not judged: ${TOO_BUSY}`)
// The last test of a file that is not judged only seems to pass.
const passed = outcome.passed - unjudged
const { failed } = outcome
const leftOut = outcome.skipped + skipped.length + unjudged
console.log(`\n${passed} passed, ${failed} failed${leftOut > 0 ? `, ${leftOut} skipped` : ''}`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)

function parsed() {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: true })
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${HELP}`)
    process.exit(2)
  }
}

function build(...argv: string[]): void {
  const built = Bun.spawnSync([process.execPath, ...argv], { cwd: ROOT })
  if (!built.success) fail(built.stdout.toString() + built.stderr.toString())
}

function fail(why: string): never {
  console.error(why)
  console.log('\n0 passed, 1 failed')
  process.exit(1)
}

/** Installs what these files drive; returns what npm could not install. */
async function missingOf(needed: readonly Release[]): Promise<Set<Release>> {
  const missing = new Set<Release>()
  for (const release of new Set(needed)) {
    try {
      await agentProgram(release)
    } catch (error) {
      missing.add(release)
      console.error(messageOf(error))
    }
  }
  return missing
}

/** The agents that a file drives, by the drivers that it imports. */
function needsOf(file: string): Release[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const isOld = basename(file).startsWith('claude-old.')
  const unused = isOld ? CLAUDE : OLD_CLAUDE
  return RELEASES.filter((one) => one !== unused && new RegExp(`/${one.agent}\\.ts'`).test(text))
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))]
}

/** Reports all measurements, also of files that failed. */
async function tellFigures(measured: readonly Figures[]): Promise<void> {
  if (measured.length > 0) console.log(`\n${truthLines(measured)}`)
  if (measured.length === 0 || !options.write) return
  keep(measured)
  const page = 'docs/truth.md'
  writeFileSync(join(ROOT, page), (await generatedDocs())[page] ?? '')
}
