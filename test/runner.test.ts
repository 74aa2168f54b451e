/** The runner of these tests, on files of its own: what it counts, what it runs again, what it says at the end. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { changedFiles, dependants } from '../scripts/tests/changed.ts'
import { agentFiles, wantedFiles } from '../scripts/tests/files.ts'
import { TestOutput } from '../scripts/tests/output.ts'
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
  budget: { budgetMs?: number } = {},
): Promise<{ said: string; outcome: Record<string, number> }> {
  const dir = tempDir()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  const paths = Object.keys(files).map((name) => `./${name}`)
  const lane = { name: 'side by side', files: paths, workers: 2, ...budget }
  writeFileSync(
    join(dir, 'main.ts'),
    `import { runTests } from '${ROOT}/scripts/tests/run.ts'
    const runner = { command: (args: string[]) => [process.execPath, 'test', ...args], cwd: '${dir}', env: {},
      limitMs: 60_000, timings: '${dir}/timings.json', again: (file: string, pattern: string) => 'npm test -- ' + file + ' -t ' + pattern }
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
  expect(said).toContain('failed: outside of a test\n  npm test -- ./b.test.ts')
  expect(said).toContain('./c.test.ts')
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
  expect((await wantedFiles(['-t', 'a name', 'src/text'])).flags).toEqual([
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
  expect(dependants(tests, ['docs/bus.md'], ROOT)).toEqual([])
  expect(() => changedFiles(ROOT, 'no-such-name')).toThrow('no-such-name')
})
