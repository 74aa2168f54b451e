/**
 * npm test: all tests, on a bare machine. Installs the system packages that tests need if it may (root and apt), else
 * names them; then runs all tests, with lint and types in parallel. Ends with "N passed, N failed".
 */
import { join } from 'node:path'
import { AGENT_NAMES, ofAllAgents } from '../../src/agents/facts.ts'
import { messageOf } from '../../src/core/errors.ts'
import { check, ran } from '../check.ts'
import { wantedFiles } from './files.ts'
import { keepTimings, runTests } from './run.ts'

const ROOT = join(import.meta.dir, '../..')
const TEST_TIMEOUT_MS = 120_000
const WHOLE_LIMIT_MS = 2_700_000
const APT_LOCK_MS = 300_000
const APT_PAUSE_MS = 5_000
const TIMINGS = join(ROOT, 'test/timings.json')

/** Programs that the tests run for real, and their Debian packages. */
const NEEDED = [
  { command: 'cc', package: 'gcc', also: 'libc6-dev' },
  { command: 'ps', package: 'procps', also: '' },
  { command: 'git', package: 'git', also: '' },
  { command: 'jq', package: 'jq', also: '' }, // commands from the documentation of other tools
  { command: 'mount', package: 'mount', also: '' }, // full disks and read-only disks
  { command: 'script', package: 'bsdutils', also: '' }, // a terminal for prompts
  { command: 'tmux', package: 'tmux', also: '' },
  { command: 'nats-server', package: 'nats-server', also: '' },
  { command: 'chromium-headless-shell', package: 'chromium-headless-shell', also: '' }, // the page
  { command: 'openssl', package: 'openssl', also: '' }, // certificates for a TLS server
  { command: 'dash', package: 'dash', also: '' }, // shells that agents run hooks in
  { command: 'zsh', package: 'zsh', also: '' },
  { command: 'fish', package: 'fish', also: '' },
  { command: 'groff', package: 'groff-base', also: '' }, // renders the manual page
  { command: 'setfacl', package: 'acl', also: '' }, // access lists of settings files
  { command: 'setfattr', package: 'attr', also: '' },
  { command: 'strace', package: 'strace', also: '' }, // delays a program at one system call
] as const

const wanted = await wantedFiles(process.argv.slice(2)).catch((error) => {
  console.error(`${messageOf(error)}\nnpm test -- --help shows what there is.`)
  process.exit(2)
})
if (wanted.lanes.every(({ files }) => files.length === 0)) {
  console.log('No test depends on what has changed: lint and types alone.')
  process.exit((await check()) === 0 ? 0 : 1)
}
const missing = NEEDED.filter(({ command }) => !Bun.which(command))
if (missing.length > 0) await install(missing.flatMap((one) => [one.package, one.also]).filter(Boolean))
if (missing.some(({ command }) => command === 'cc'))
  await must('native client', ['node', 'scripts/build-native.mjs'])

if (wanted.drivesPrograms) await must('binary', [process.execPath, 'scripts/build.ts'])
else await must('page', [process.execPath, 'scripts/build-page.ts'])
// The long run only tests; lint and types are in `npm test` and `npm run check`.
const checked =
  wanted.times > 0
    ? Promise.resolve(0)
    : check((line) => console.log(`${process.stdout.isTTY ? '\r\x1b[2K' : ''}${line}`))
const { passed, failed, skipped, took } = await runTests(
  {
    command: (args) => [
      process.execPath,
      'test',
      '--timeout',
      String(TEST_TIMEOUT_MS),
      ...wanted.flags,
      ...args,
    ],
    cwd: ROOT,
    env: {
      ...cleanEnv(),
      ...(wanted.drivesPrograms ? { GANTRY_TEST_PROGRAMS: join(ROOT, 'dist'), GANTRY_TEST_RUNNER: '1' } : {}),
      ...(wanted.times > 0 ? { GANTRY_TEST_TIMES: String(wanted.times) } : {}),
    },
    limitMs: WHOLE_LIMIT_MS,
    timings: TIMINGS,
    again: (file, pattern) =>
      `npm ${wanted.times > 0 ? 'run test:long' : 'test'} -- ${file}${pattern === undefined ? '' : ` -t ${pattern}`}`,
  },
  wanted.lanes.map((lane) => (lane.workers === 1 ? { ...lane, after: checked } : lane)),
)
if (wanted.keepTimings) keepTimings(TIMINGS, ROOT, took)
const unnoticed = wanted.mutants && !(await noticesMutants()) ? 1 : 0
const unchecked = await checked
if (unchecked > 0) console.log('failed: lint or types\n  npm run check')
const bad = failed + unnoticed + unchecked
const good = passed + (wanted.mutants ? 1 - unnoticed : 0)
console.log(`\n${good} passed, ${bad} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
if (good + bad === 0) console.log('No test has such a name.')
process.exit(bad === 0 && good > 0 ? 0 : 1)

/** A gantry or an agent around the tests must not affect them. */
function cleanEnv(): Record<string, string> {
  const agents = new Set(ofAllAgents(({ env, marks }) => [...env, ...marks]))
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) {
    const isForeign =
      agents.has(name) ||
      AGENT_NAMES.some((agent) => name.startsWith(agent.toUpperCase())) ||
      /^(GANTRY_(?!GOLDEN$)|TMUX|COOP_|BD_|BEADS_|NODE_EXTRA_CA_CERTS)/.test(name)
    if (value !== undefined && !isForeign) env[name] = value
  }
  return env
}

/** Runs the mutants of the important code: a test that should notice one must fail. */
async function noticesMutants(): Promise<boolean> {
  const argv = [process.execPath, 'scripts/tests/try-mutants.ts']
  const child = Bun.spawn(argv, { cwd: ROOT, stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' })
  return (await child.exited) === 0
}

async function must(what: string, argv: string[]): Promise<void> {
  const { isGood, said } = await ran(argv)
  if (isGood) return console.log(`✓ ${what}`)
  console.error(`${said}\n✗ ${what}`)
  console.log('\n0 passed, 1 failed')
  process.exit(1)
}

async function install(packages: string[]): Promise<void> {
  const line = `apt-get install -y ${packages.join(' ')}`
  if (process.getuid?.() !== 0 || !Bun.which('apt-get')) {
    console.error(
      `The tests need ${packages.join(', ')}. Install them and run npm test again, e.g.: sudo ${line}`,
    )
    process.exit(1)
  }
  console.log(`installing what the tests need: ${packages.join(', ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' }
  for (const argv of [['apt-get', 'update', '-qq'], line.split(' ')]) {
    const until = performance.now() + APT_LOCK_MS
    for (;;) {
      const child = Bun.spawnSync(argv, { env, stdout: 'ignore', stderr: 'pipe' })
      if (child.success) break
      const said = child.stderr.toString()
      if (said.includes('Could not get lock') && performance.now() < until) {
        await Bun.sleep(APT_PAUSE_MS) // another installation is at work
        continue
      }
      console.error(`${argv.join(' ')} failed: ${said}`)
      process.exit(1)
    }
  }
}
