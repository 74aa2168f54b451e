/** The runner of these tests, on files of its own: what it counts, what it runs again, what it says at the end. */
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changedFiles, dependants, foldersOf } from '../scripts/tests/changed.ts'
import { agentFiles, testFiles, wantedFiles } from '../scripts/tests/files.ts'
import { TestOutput } from '../scripts/tests/output.ts'
import type { Lane } from '../scripts/tests/run.ts'
import { makeHome, ROOT, run, tempDir } from './kit.ts'

const HEAD = "import { expect, test } from 'bun:test'\nimport { existsSync, writeFileSync } from 'node:fs'\n"
const GOOD = `${HEAD}test('holds', () => {})\ntest.skip('waits for better days', () => {})\n`
const BAD = `${HEAD}test('holds', () => {})\ntest('does not (ever) hold', () => expect(1).toBe(2))\n`
const BROKEN = `${HEAD}throw new Error('at its first line')\n`
const CRASH = `${HEAD}test('ends its process', () => process.kill(process.pid, 'SIGKILL'))\n`
const unsteady = (mark: string) =>
  `${HEAD}test('holds alone', () => {
    const isSecond = existsSync('${mark}')
    writeFileSync('${mark}', '')
    expect(isSecond).toBe(true)
  })\n`

/** Runs these files by the runner; gives what it printed. */
async function ran(
  files: Record<string, string>,
  options: Partial<Lane> = {},
): Promise<{ said: string; outcome: Record<string, number> }> {
  const dir = tempDir()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  const paths = Object.keys(files).map((name) => `./${name}`)
  const lane = { name: 'side by side', files: paths, workers: 2, ...options }
  writeFileSync(
    join(dir, 'main.ts'),
    `import { runTests } from '${ROOT}/scripts/tests/run.ts'
    const runner = { command: (args: string[]) => [process.execPath, 'test', ...args], cwd: '${dir}', env: {},
      limitMs: 60_000, timings: '${dir}/timings.json', again: (file: string, pattern?: string) => 'npm test -- ' + file + (pattern ? ' -t ' + pattern : '') }
    const { took, ...outcome } = await runTests(runner, [${JSON.stringify(lane)}])
    console.log(JSON.stringify(outcome))`,
  )
  const { stdout } = await run([process.execPath, join(dir, 'main.ts')], makeHome())
  return { said: stdout, outcome: JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '{}') }
}

test('what passes is counted and not listed', async () => {
  const { said, outcome } = await ran({ 'a.test.ts': GOOD, 'b.test.ts': GOOD })
  expect(outcome).toEqual({ passed: 2, failed: 0, skipped: 2 })
  expect(said).not.toContain('holds')
})

test('what fails twice has failed, with its error and the command that runs just that', async () => {
  const { said, outcome } = await ran({ 'a.test.ts': GOOD, 'b.test.ts': BAD })
  expect(outcome).toEqual({ passed: 2, failed: 1, skipped: 1 })
  expect(said).toContain('Expected: 2')
  expect(said).toContain("failed: does not (ever) hold\n  npm test -- ./b.test.ts -t 'does not .ever. hold'")
})

test('a file that breaks while it loads, and one whose process dies, have failed', async () => {
  const { said, outcome } = await ran({ 'a.test.ts': GOOD, 'b.test.ts': BROKEN, 'c.test.ts': CRASH })
  expect(outcome).toEqual({ passed: 1, failed: 2, skipped: 1 })
  expect(said).toContain('failed: outside of a test\n  npm test -- ./b.test.ts\n')
  expect(said).toContain('failed: ./c.test.ts, which ended before its tests did\n  npm test -- ./c.test.ts\n')
  expect(said).not.toContain('Passed only alone')
})

test('a file that ends its process has failed, whatever its exit code, alone and beside others', async () => {
  const leaves = `${HEAD}test('leaves', () => process.exit(0))\ntest('fails', () => expect(1).toBe(2))\n`
  const alone = await ran({ 'a.test.ts': leaves })
  expect(alone.outcome).toMatchObject({ passed: 0, failed: 1 })
  expect(alone.said).toContain('which ended before its tests did. No result from ./a.test.ts')
  const beside = await ran({ 'a.test.ts': leaves, 'b.test.ts': GOOD })
  expect(beside.outcome).toEqual({ passed: 1, failed: 1, skipped: 1 })
  expect(beside.said).toContain('failed: ./a.test.ts, which ended before its tests did')
})

test('what a test prints is no result', async () => {
  const forged = `${HEAD}test('holds', () => console.error('(pass) another [1.00ms]'))\n`
  expect((await ran({ 'a.test.ts': forged })).outcome).toEqual({ passed: 1, failed: 0, skipped: 0 })
})

test('the command for a failure finds its test, or takes the whole file', async () => {
  const named = `${HEAD}import { beforeAll, describe } from 'bun:test'
    describe('sums', () => void test('1 + 1 > 3', () => expect(1).toBe(2)))
    describe('late', () => { beforeAll(() => { throw new Error('x') }); test('y', () => {}) })\n`
  const { said } = await ran({ 'a.test.ts': named })
  expect(said).toContain("failed: sums > 1 + 1 > 3\n  npm test -- ./a.test.ts -t 'sums.+1 . 1.+3'\n")
  expect(said).toMatch(/failed: late > .unnamed.\n {2}npm test -- \.\/a\.test\.ts\n/)
})

test('an error outside of a test is of the file that it names, whatever file Bun last spoke of', () => {
  const output = new TestOutput(['./a.test.ts', './b.test.ts'], () => {})
  const rule = '-'.repeat(31)
  output.read(
    `a.test.ts:\n\n# Unhandled error between tests\n${rule}\nerror: x\n  at /x/b.test.ts:2:11\n${rule}\n`,
  )
  expect([...output.seen.failedFiles.keys()]).toEqual(['./b.test.ts'])
})

test('an error keeps its empty lines, and nothing else is shown empty', () => {
  const shown: string[] = []
  const output = new TestOutput(['./a.test.ts', './b.test.ts'], (line) => shown.push(...line.split('\n')))
  output.read(
    'a.test.ts:\n\nerror: x\n\nExpected: 2\n(fail) y [1.00ms]\n\nb.test.ts:\n(pass) z\n\na.test.ts:\n(pass) w\n\n',
  )
  expect(shown).toEqual(['', 'a.test.ts:', 'error: x', '', 'Expected: 2', '(fail) y [1.00ms]'])
})

test('what passes only alone is named with both durations and the load, and only a few of them are taken', async () => {
  const files = { 'a.test.ts': unsteady('a'), 'b.test.ts': unsteady('b') }
  const { said, outcome } = await ran(files)
  expect(outcome).toEqual({ passed: 2, failed: 0, skipped: 0 })
  expect(said).toMatch(
    /Passed only alone:\n {2}\.\/[ab]\.test\.ts: [\d.]+ s at load [\d.]+, alone [\d.]+ s at load [\d.]+\n {4}holds alone/,
  )
  const names = [...'abc']
  const many = await ran(Object.fromEntries(names.map((name) => [`${name}.test.ts`, unsteady(name)])))
  expect(many.outcome).toEqual({ passed: 3, failed: 1, skipped: 0 })
  expect(many.said).toContain('failed: 3 files passed only alone')
})

test('a lane with a budget starts no more files when it is used up, and says how many are left', async () => {
  const files = Object.fromEntries([...'abcde'].map((name) => [`${name}.test.ts`, GOOD]))
  const { said, outcome } = await ran(files, { budgetMs: 1 })
  expect(outcome).toMatchObject({ passed: 2, failed: 0 })
  expect(said).toContain('not started, because the time is over: 3 of 5 files')
  expect((await ran(files, { budgetMs: 60_000 })).outcome).toMatchObject({ passed: 5, failed: 0 })
})

test('temporary files of a lane in memory go with it, and it runs without memory, too', async () => {
  const mark = join(tempDir(), 'mark')
  const writes = `${HEAD}import { tmpdir } from 'node:os'
    test('writes', () => { writeFileSync(tmpdir() + '/left', ''); writeFileSync('${mark}', tmpdir()) })\n`
  const { outcome } = await ran({ 'a.test.ts': writes }, { inMemory: true })
  expect(outcome).toEqual({ passed: 1, failed: 0, skipped: 0 })
  const folder = readFileSync(mark, 'utf8')
  const isMounted = folder !== tmpdir()
  expect(existsSync(join(folder, 'left'))).toBe(!isMounted)
  if (!isMounted) rmSync(join(folder, 'left'))
})

test('minutes are for the long run, which then has no lane for time', async () => {
  expect(wantedFiles(['--minutes', '2'])).rejects.toThrow('--minutes takes a number')
  expect(wantedFiles(['--long', '--minutes', '0'])).rejects.toThrow('--minutes takes a number')
  const { lanes, mutants } = await wantedFiles(['--long', '--minutes', '2'])
  const [whole] = (await wantedFiles(['--long'])).lanes
  expect(mutants).toBe(false)
  expect(lanes.map(({ budgetMs }) => budgetMs)).toEqual([120_000])
  expect(lanes[0]?.files.toSorted()).toEqual(whole?.files.toSorted())
})

test('a file has its lane by its name', async () => {
  const files = async (...args: string[]) => (await wantedFiles(args)).lanes.map((lane) => lane.files)
  const [together = [], alone = []] = await files()
  expect(together).toContain('./test/runner.test.ts')
  expect(together.join()).not.toContain('.timing.')
  for (const file of alone) expect(file).toMatch(/\.timing\.test\./)
  expect(await files('./test/runner')).toEqual([['./test/runner.test.ts'], []])
  expect((await files('--long')).flat()).toContain('./test/daemon/kill-9.test.ts')
  expect((await files('--long')).flat()).not.toContain('./test/runner.test.ts')
  expect(wantedFiles(['--long', '--times', 'often'])).rejects.toThrow('--times takes a number')
  expect(wantedFiles(['--times', '2'])).rejects.toThrow('--times goes with')
  expect(wantedFiles(['test/runner', 'no/such'])).rejects.toThrow('No test file has no/such in its path')
  expect(wantedFiles(['-t', '['])).rejects.toThrow('regular expression')
  expect(wantedFiles(['--since', 'no-such-commit'])).rejects.toThrow('no-such-commit')
  expect((await wantedFiles(['-t', 'a name', 'src/core/text'])).flags).toEqual([
    '--pass-with-no-tests',
    '-t',
    'a name',
  ])
})

test('parts of paths choose files with any of them, of the agents, too', async () => {
  const { lanes } = await wantedFiles(['test/runner', './scripts/tests/mutants'])
  expect(lanes[0]?.files).toEqual(['./scripts/tests/mutants.test.ts', './test/runner.test.ts'])
  const chosen = await agentFiles(['truth/codex', './test/agents/pi.agents'])
  expect(chosen).toEqual([
    './test/agents/pi.agents.ts',
    './test/truth/codex.commands.truth.ts',
    './test/truth/codex.truth.ts',
  ])
  for (const kind of ['agents', 'truth'])
    for (const file of await agentFiles([kind])) expect(file).toEndWith(`.${kind}.ts`)
  expect(await agentFiles(['no such'])).toEqual([])
})

test('the long run ends with the faults that tests should notice, a part of it does not', async () => {
  const mutants = async (...args: string[]) => (await wantedFiles(args)).mutants
  expect(await mutants('--long', '--times', '25')).toBe(true)
  expect(await mutants()).toBe(false)
  expect(await mutants('--long', '--times', '0.2')).toBe(false)
  expect(await mutants('--long', 'src/sessions')).toBe(false)
  expect(await mutants('--long', '-t', 'a name')).toBe(false)
})

test('changed files choose the tests that import them, and those that drive their room', () => {
  const tests = [
    'src/core/text/text.test.ts',
    'src/store/journal.test.ts',
    'test/tmux/apply.test.ts',
    'test/runner.test.ts',
  ]
  expect(dependants(tests, ['src/core/text/text.ts'], ROOT)).toContain('src/core/text/text.test.ts')
  expect(dependants(tests, ['src/tmux/text.ts'], ROOT)).toContain('test/tmux/apply.test.ts')
  expect(dependants(tests, ['scripts/tests/files.ts'], ROOT)).toEqual(['test/runner.test.ts'])
  expect(dependants(tests.slice(0, 3), ['LICENSE'], ROOT)).toEqual([])
  expect(() => changedFiles(ROOT, 'no-such-name')).toThrow('no-such-name')
})

test.each([
  ['src/web/rules/index.tsx', 'test/page/ops.test.ts'],
  ['src/insight/schema/registry.ts', 'test/schema/drift.test.ts'],
  ['src/insight/search/worker.ts', 'test/search/search.test.ts'],
  ['docs/bus.md', 'test/bus/docs.test.ts'],
  ['docs/coming-from/engine-hooks.md', 'test/coming-from/pages.test.ts'],
  ['bin/gantry', 'test/checkout.test.ts'],
  ['test/fixtures/codex/0.166.0/basic.jsonl', 'src/agents/codex/codex.test.ts'],
  ['test/tui/golden/help.txt', 'test/tui/golden.test.ts'],
  ['src/git/git.ts', 'test/layers.test.ts'],
  ['README.md', 'test/readme.test.ts'],
])('a change of %s chooses %s', async (changed, test) => {
  expect(dependants(await testFiles(), [changed], ROOT)).toContain(test)
})

test('every folder of test/ is for folders that exist, and a change of src/ chooses one of its tests', async () => {
  const tests = (await testFiles()).filter((file) => /^test\/[^/]+\//.test(file))
  const lost = tests.flatMap(foldersOf).filter((dir) => !existsSync(join(ROOT, dir)))
  expect([...new Set(lost)]).toEqual([])
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  const rooms = (files: readonly string[]) => [...new Set(files.map((file) => file.split('/')[1]))]
  const paths = sources.map((name) => `src/${name}`)
  expect(rooms(dependants(tests, paths, ROOT))).toEqual(rooms(tests))
})

test('no test keeps others from running', async () => {
  const files = (await wantedFiles([])).lanes.flatMap((lane) => lane.files)
  const focused = files.filter((file) =>
    /^\s*(?:test|describe|it)\.only\(/m.test(readFileSync(join(ROOT, file), 'utf8')),
  )
  expect(focused).toEqual([])
})

test('programs that are older than the sources are not tested by hand', async () => {
  const dir = tempDir()
  writeFileSync(join(dir, '.made-of'), '')
  utimesSync(join(dir, '.made-of'), 1, 1)
  const script = join(dir, 'try.ts')
  writeFileSync(script, `console.log((await import('${ROOT}/test/kit.ts')).PROGRAMS)`)
  const tried = (extra = {}) =>
    run([process.execPath, script], makeHome(), '', { GANTRY_TEST_PROGRAMS: dir, ...extra })
  expect((await tried()).stderr).toContain(`has changed since ${dir} was built: run npm run build`)
  expect((await tried({ GANTRY_TEST_RUNNER: '1' })).stdout).toBe(`${dir}\n`)
  rmSync(join(dir, '.made-of'))
  expect((await tried()).stderr).toContain('run npm run build')
})
