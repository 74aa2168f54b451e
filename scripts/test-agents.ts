/**
 * npm run test:agents [-- claude truth …]: the real agents, with gantry on their hooks, and how true it is what gantry
 * shows of them. Installs them from npm into a cache on first use, then runs them against models on loopback, shut in
 * where nothing leaves the machine. Ends with "N passed, N failed".
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../src/errors.ts'
import { agentProgram, RELEASES } from '../test/agents/cache.ts'
import { bareEnv, needSystemPackages, shutIn } from '../test/agents/loopback.ts'
import { runTests, type TestRunner } from './run-tests.ts'

const ROOT = join(import.meta.dir, '..')
const TEST_TIMEOUT_MS = 120_000
const WHOLE_LIMIT_MS = 900_000 // about five minutes on two quiet cores

try {
  needSystemPackages()
  for (const release of RELEASES) await agentProgram(release)
} catch (error) {
  console.error(messageOf(error))
  console.log('\n0 passed, 1 failed')
  process.exit(1)
}
const runner: TestRunner = {
  command: (files) => shutIn([process.execPath, 'test', '--timeout', String(TEST_TIMEOUT_MS), ...files]),
  cwd: ROOT,
  env: bareEnv(process.env.GANTRY_TRUTH_TRACE ? { GANTRY_TRUTH_TRACE: '1' } : {}),
  limitMs: WHOLE_LIMIT_MS,
}
const { passed, failed } = await runTests(runner, filesOf(process.argv.slice(2)))
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)

function filesOf(names: readonly string[]): string[] {
  const all = [...filesIn('agents'), ...filesIn('truth')]
  const chosen = all.filter(({ words }) => names.every((name) => words.includes(name)))
  if (chosen.length > 0) return chosen.map(({ path }) => path)
  const known = [...new Set(all.flatMap(({ words }) => words))]
  console.error(`There is no ${names.join(' ')}. There are: ${known.join(', ')}`)
  process.exit(2)
}

/** `claude.truth.ts` answers to "claude" and to "truth". */
function filesIn(kind: 'agents' | 'truth'): { path: string; words: string[] }[] {
  const names = readdirSync(join(ROOT, 'test', kind)).filter((file) => file.endsWith(`.${kind}.ts`))
  return names.sort().map((file) => ({ path: `./test/${kind}/${file}`, words: file.split('.').slice(0, -1) }))
}
