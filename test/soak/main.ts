/**
 * npm run soak -- --minutes 3: agents at work, while the daemon, its processes, nats-server and hook clients are killed
 * with SIGKILL, the disk is full and the clock jumps. Ends with the account. It runs in namespaces of its own: whatever
 * is left ends with it, and nobody else sees its disk or its network.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { messageOf } from '../../src/core/errors.ts'
import { needSystemPackages, shutIn } from '../agents/loopback.ts'
import { HOOK } from '../kit.ts'
import { cleanUp } from '../litter.ts'
import { svgOf } from './plot.ts'
import { problemsIn, progressLine, report } from './report.ts'
import { type SoakResult, soak } from './run.ts'

const HELP = `usage: npm run soak -- [--minutes N] [--seed N] [--rate N] [--out DIR] [--json]

Lets agents work for N minutes (default 3) while processes are killed, the disk is full and the clock is set. Exits with 1
if an event is lost or doubled, or memory grows. Writes samples.jsonl, chaos.jsonl, soak.svg and result.json.

  --minutes N   how long; 20 and more also judge whether memory grows
  --seed N      repeats the faults of another run
  --rate N      events a second (default 80)
  --out DIR     for the results (default dist/soak)
  --json        print the result as JSON

example: npm run soak -- --minutes 10 --seed 7
`
const MAY_NOT = 'As another user than root, it needs user namespaces: kernel.unprivileged_userns_clone.'
const INSIDE = 'GANTRY_SOAK_DIR'
const LOGS = ['gantry.log', 'nats/nats.log']
const DATA = ['gantry.db', 'gantry.db-wal', 'lost']

const options = parsed()
process.exit(process.env[INSIDE] === undefined ? await outside() : await inside(process.env[INSIDE]))

function parsed() {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string', default: '3' },
        seed: { type: 'string', default: String(Date.now() % 1_000_000) },
        rate: { type: 'string', default: '80' },
        out: { type: 'string', default: join(import.meta.dir, '../../dist/soak') },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    const { minutes, seed, rate } = { minutes: +values.minutes, seed: +values.seed, rate: +values.rate }
    if (values.help) {
      console.log(HELP)
      process.exit(0)
    }
    if (![minutes, rate].every((one) => one > 0) || !Number.isSafeInteger(seed))
      throw new Error('--minutes, --seed and --rate take numbers.')
    return { ...values, minutes, seed, rate }
  } catch (error) {
    console.error(`soak: ${messageOf(error)}\n\n${HELP}`)
    process.exit(2)
  }
}

/** Makes the folder, runs this again inside of it, and removes it. */
async function outside(): Promise<number> {
  if (!Bun.which('nats-server') || !Bun.which('cc')) {
    console.error(
      'soak: needs nats-server and a C compiler, e.g.: sudo apt-get install -y nats-server gcc libc6-dev',
    )
    return 1
  }
  if (!existsSync(HOOK)) {
    console.error(`soak: ${HOOK} is missing. Compile the hook client with: node scripts/build-native.mjs`)
    return 1
  }
  try {
    needSystemPackages()
  } catch (error) {
    console.error(`soak: ${messageOf(error)}`)
    return 1
  }
  const dir = mkdtempSync(join(tmpdir(), 'gantry-soak-'))
  const argv = [process.execPath, import.meta.path, '--seed', String(options.seed), ...process.argv.slice(2)]
  const child = Bun.spawn(shutIn(argv), {
    env: { ...process.env, [INSIDE]: dir, TMPDIR: dir },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  let isStopped = false
  const stop = () => {
    isStopped = true
    child.kill('SIGKILL') // unshare ignores what can be ignored; all inside die with it
  }
  process.on('SIGINT', () => {}) // the inner one ends early, with its account
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  const exit = await child.exited
  rmSync(dir, { recursive: true, force: true })
  if (exit > 2) console.error(isStopped ? 'soak: stopped' : `soak: it did not reach its end. ${MAY_NOT}`)
  return exit
}

async function inside(dir: string): Promise<number> {
  const { minutes, seed, rate, out, json } = options
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const disk = join(dir, 'disk')
  mkdirSync(disk, { mode: 0o700 })
  const stopping = new AbortController()
  process.on('SIGINT', () => stopping.abort())
  console.error(`soak: ${minutes} minutes, ${rate} events a second, seed ${seed}`)
  const tell = progressLine(minutes)
  try {
    const result = await soak({
      ...{ minutes, seed, aSecond: rate, dir, disk, out },
      progress: tell,
      stopped: stopping.signal,
    })
    write(out, result)
    const problems = problemsIn(result)
    keepState(disk, out, problems.length > 0 ? [...LOGS, ...DATA] : LOGS)
    if (json) console.log(JSON.stringify({ seed, minutes, rate, problems, ...shortened(result) }, null, 2))
    else console.log(report(result, out))
    return problems.length === 0 ? 0 : 1
  } finally {
    cleanUp()
    Bun.spawnSync(['umount', '-l', disk])
  }
}

function write(out: string, result: SoakResult): void {
  const { samples, happened, account, killed } = result
  const title = `gantry soak, seed ${options.seed}: ${account.sent} events sent, ${killed} kills`
  writeFileSync(join(out, 'soak.svg'), svgOf(samples, happened, title))
  writeFileSync(join(out, 'chaos.jsonl'), happened.map((one) => `${JSON.stringify(one)}\n`).join(''))
  writeFileSync(join(out, 'result.json'), JSON.stringify(shortened(result), null, 2))
}

function shortened({ samples: _, happened: __, ...rest }: SoakResult): object {
  return rest
}

/** What one needs to find out why. */
function keepState(home: string, out: string, names: readonly string[]): void {
  mkdirSync(join(out, 'state'), { recursive: true })
  for (const name of names) {
    const file = join(home, 'state', name)
    if (existsSync(file)) copyFileSync(file, join(out, 'state', basename(name)))
  }
}
