/**
 * npm run test:agents [-- claude truth … [--write]]: the real agents, with gantry on their hooks, and how true it is what
 * gantry shows of them; `--write` keeps the figures of that, and makes docs/truth.md of them. Installs them from npm into a cache on first use, then runs them against models on loopback, shut in
 * where nothing leaves the machine. Ends with "N passed, N failed".
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { messageOf } from '../src/errors.ts'
import { agentProgram, RELEASES } from '../test/agents/cache.ts'
import { bareEnv, needSystemPackages, shutIn } from '../test/agents/loopback.ts'
import { keep, left } from '../test/truth/figures.ts'
import { generatedDocs } from './docs-tables.ts'
import { truthLines } from './docs-truth.ts'
import { runTests, type TestRunner } from './run-tests.ts'

const ROOT = join(import.meta.dir, '..')
const TEST_TIMEOUT_MS = 120_000
const WHOLE_LIMIT_MS = 3_600_000 // the truth suites take what they play: some fifteen minutes on two quiet cores
const WRITE = '--write'

try {
  needSystemPackages()
  for (const release of RELEASES) await agentProgram(release)
} catch (error) {
  console.error(messageOf(error))
  console.log('\n0 passed, 1 failed')
  process.exit(1)
}
const words = process.argv.slice(2)
const figures = mkdtempSync(join(tmpdir(), 'gantry-truth-'))
const runner: TestRunner = {
  command: (args) => shutIn([process.execPath, 'test', '--timeout', String(TEST_TIMEOUT_MS), ...args]),
  cwd: ROOT,
  env: bareEnv({
    GANTRY_TRUTH_FIGURES: figures,
    ...(process.env.GANTRY_TRUTH_TRACE ? { GANTRY_TRUTH_TRACE: '1' } : {}),
  }),
  limitMs: WHOLE_LIMIT_MS,
  timings: join(ROOT, 'test/timings.json'),
  again: (file) => `npm run test:agents -- ${wordsOf(basename(file)).join(' ')}`,
}
const chosen = filesOf(words.filter((word) => word !== WRITE))
const { passed, failed } = await runTests(runner, [{ name: 'real agents', files: chosen, workers: 1 }])
await tellFigures()
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)

/** Whatever was measured, also by files that failed. */
async function tellFigures(): Promise<void> {
  const measured = left(figures)
  rmSync(figures, { recursive: true })
  if (measured.length > 0) console.log(`\n${truthLines(measured)}`)
  if (measured.length === 0 || !words.includes(WRITE)) return
  keep(measured)
  const page = 'docs/truth.md'
  writeFileSync(join(ROOT, page), (await generatedDocs())[page] ?? '')
}

function filesOf(names: readonly string[]): string[] {
  const all = [...filesIn('agents'), ...filesIn('truth')]
  const chosen = all.filter(({ words }) => names.every((name) => words.includes(name)))
  if (chosen.length > 0) return chosen.map(({ path }) => path)
  const known = [...new Set(all.flatMap(({ words }) => words))]
  console.error(`There is no ${names.join(' ')}. There are: ${known.join(', ')}`)
  process.exit(2)
}

function wordsOf(file: string): string[] {
  return file.split('.').slice(0, -1)
}

/** `claude.truth.ts` answers to "claude" and to "truth". */
function filesIn(kind: 'agents' | 'truth'): { path: string; words: string[] }[] {
  const names = readdirSync(join(ROOT, 'test', kind)).filter((file) => file.endsWith(`.${kind}.ts`))
  return names.sort().map((file) => ({ path: `./test/${kind}/${file}`, words: wordsOf(file) }))
}
