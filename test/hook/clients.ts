/**
 * The hook clients as programs, and boxes to run them in: a home of its own, and a folder with the client and a
 * `gantry` beside it that only notes how it was started.
 *
 *   useClients()
 *   const box = openBox(client)
 *   const { code } = await box.run(['claude', 'Stop'], { stdin: '{}' })
 */
import { afterAll, beforeAll, expect, setDefaultTimeout } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allPids, commandLineOf, environOf } from '../../src/core/processes/proc.ts'
import { TRANSPILED, tempDir } from '../kit.ts'
import { isLong } from '../long.ts'

const ROOT = join(import.meta.dir, '../..')
const BUILD = join(ROOT, 'scripts/build-native.mjs')
const BUILDS = join(ROOT, 'node_modules/.cache/gantry-tests/clients')
const SANITIZERS = {
  ASAN_OPTIONS: 'detect_leaks=0:abort_on_error=1',
  UBSAN_OPTIONS: 'halt_on_error=1:abort_on_error=1:print_stacktrace=1',
}

export interface Client {
  readonly name: string
  /** What it calls itself. */
  readonly says: string
  /** How many of it two cores can bear at once. */
  readonly storm: number
  /** Flags of its build; the twin has none. */
  readonly build?: readonly string[]
}

export const NATIVE: Client = { name: 'native', says: 'gantry-hook', storm: isLong ? 200 : 50, build: [] }
export const SANITIZED: Client = {
  ...NATIVE,
  name: 'sanitized native',
  storm: isLong ? 100 : 25,
  build: ['--sanitize'],
}
export const TWIN: Client = { name: 'typescript', says: 'gantry hook', storm: isLong ? 40 : 10 }
export const CLIENTS = [NATIVE, SANITIZED, TWIN]

export interface Outcome {
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
  readonly ms: number
  readonly pid: number
}

export interface RunOptions {
  readonly stdin?: string | Uint8Array | 'open'
  readonly env?: Record<string, string | undefined>
  readonly cwd?: string
  /** A shell script that runs the client as "$@". */
  readonly through?: string
  /** Called with the pipe to a client whose stdin is left open. */
  readonly feed?: (pipe: Bun.FileSink) => void
}

export interface Start {
  readonly args: string
  readonly home: string
  readonly cwd: string
  /** Which of 0, 1 and 2 are /dev/null. */
  readonly null: string
  /** Whether fd 9 of the agent has leaked into it. */
  readonly leak: string
  readonly umask: string
  /** Set for what nobody asked for. */
  readonly auto: string
  readonly session: string
}

export type Box = ReturnType<typeof openBox>

const boxes = new Set<string>()
const twin = tempDir()

export function openBox(client: Client) {
  const root = mkdtempSync(join(tmpdir(), 'gh-'))
  boxes.add(root)
  const home = join(root, 'home')
  const bin = join(root, 'bin')
  const gantry = join(bin, 'gantry')
  const log = join(root, 'starts')
  const spoolFolder = join(home, 'state/spool')
  for (const folder of [bin, home, join(home, 'run')]) mkdirSync(folder, { mode: 0o700 })
  writeFileSync(gantry, recorder(log))
  chmodSync(gantry, 0o755)
  const program = join(bin, 'gantry-hook')
  if (client.build) copyFileSync(built(client.build), program)
  const command = client.build
    ? [program]
    : [process.execPath, '--no-env-file', '--config=/dev/null', join(twin, 'typescript-client.js')]

  const environment = (extra: RunOptions['env'] = {}) => {
    const all = {
      PATH: process.env.PATH,
      HOME: root,
      GANTRY_HOME: home,
      CLIENT_GANTRY: gantry,
      ...(client.build ? {} : TRANSPILED),
      ...SANITIZERS,
      ...extra,
    }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  }

  async function run(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    const { stdin = '{}', through } = options
    const began = performance.now()
    const cmd = through ? ['sh', '-c', through, 'sh', ...command, ...args] : [...command, ...args]
    const child = Bun.spawn(cmd, {
      cwd: options.cwd ?? root,
      env: environment(options.env),
      stdin: stdin === 'open' ? 'pipe' : Buffer.from(stdin),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const pipe: unknown = child.stdin
    if (stdin === 'open') options.feed?.(pipe as Bun.FileSink)
    const [code, stdout, stderr] = await Promise.all([child.exited, bytes(child.stdout), bytes(child.stderr)])
    const outcome = { code, stdout, stderr: stderr.toString(), ms: performance.now() - began, pid: child.pid }
    expect(outcome.stderr).not.toMatch(/Sanitizer|runtime error/)
    return outcome
  }

  return {
    client,
    root,
    home,
    bin,
    gantry,
    command,
    environment,
    run,
    socket: join(home, 'run/gantry.sock'),
    state: join(home, 'state'),
    spoolFolder,
    /** Every frame that waits in the spool, and nothing else may be there. */
    spooled(folder = spoolFolder): Buffer[] {
      if (!existsSync(folder)) return []
      const names = readdirSync(folder).sort()
      expect(names.filter((name) => !/^[0-9A-Z]{26}\.frame$/.test(name))).toEqual([])
      return names.map((name) => readFileSync(join(folder, name)))
    },
    /** Has the gantry that is started run on until this is disposed of. */
    linger(): Disposable {
      writeFileSync(`${log}.linger`, '')
      return { [Symbol.dispose]: () => rmSync(`${log}.linger`) }
    },
    /** The environment that the last gantry was started with, without what a shell adds. */
    startedWith(): Record<string, string> {
      const values = readLines(`${log}.env`).map((line) => line.split(/=(.*)/s) as [string, string])
      return Object.fromEntries(values.filter(([name]) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name)))
    },
    /** The limits it was started with that are below their hard ones, and its niceness. */
    limits: () => readLines(`${log}.limits`),
    /** How gantry was started so far; waits for as many starts as are expected, and for the end of one too many. */
    async starts(expected: number): Promise<Start[]> {
      for (let i = 0; i < 1000 && readLines(log).length < expected; i++) await Bun.sleep(5)
      if (expected === 0) while (isRunning(root)) await Bun.sleep(5)
      return readLines(log).map((line) => JSON.parse(line))
    },
  }
}

/** At the top of a test file: builds the clients before its first test, and leaves nothing behind. */
export function useClients(): void {
  setDefaultTimeout(120_000) // on a busy machine a client takes its time; what a test asserts does not change
  beforeAll(async () => {
    for (const { build } of CLIENTS) if (build) built(build)
    // One file starts in two thirds of the time of sixteen.
    const entrypoints = [join(import.meta.dir, 'typescript-client.ts')]
    await Bun.build({ entrypoints, outdir: twin, target: 'bun', minify: { whitespace: true, syntax: true } })
  }, 120_000)
  afterAll(() => {
    for (const path of boxes) rmSync(path, { recursive: true, force: true })
    boxes.clear()
  })
}

/** Splits a frame as the daemon would. */
export function parseFrame(frame: Buffer): {
  header: Record<string, unknown>
  text: string
  payload: Buffer
} {
  const end = frame.indexOf('\n')
  const text = frame.toString('utf8', 0, end)
  return { header: JSON.parse(text), text, payload: frame.subarray(end + 1) }
}

export async function inBatches<T>(items: readonly T[], size: number, work: (item: T) => Promise<void>) {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: size }, worker))
}

/** Built once for these sources, whoever asks first; then copied into every box. */
function built(flags: readonly string[]): string {
  const out = join(BUILDS, String(Bun.hash([...flags, ...sources()].join('\n'))), 'gantry-hook')
  if (existsSync(out)) return out
  const { stdout } = Bun.spawnSync(['node', BUILD, '--out', out, ...flags])
  if (stdout.length > 0) throw new Error(`${stdout}Install a C compiler with its sanitizers (gcc or clang).`)
  return out
}

function sources(): string[] {
  const native = readdirSync(join(ROOT, 'native')).sort()
  const paths = [BUILD, join(ROOT, 'package.json'), ...native.map((name) => join(ROOT, 'native', name))]
  return paths.map((path) => readFileSync(path, 'utf8'))
}

function recorder(log: string): string {
  return `#!/bin/sh
null=
for fd in 0 1 2; do [ /dev/fd/$fd -ef /dev/null ] && null=$null$fd; done
leak=no
[ -e /dev/fd/9 ] && leak=yes
env >'${log}.env'
for one in t f n; do [ "$(ulimit -S -$one)" = "$(ulimit -H -$one)" ] || echo "$one"; done >'${log}.limits'
nice >>'${log}.limits'
session=$(cut -d' ' -f6 /proc/$$/stat 2>/dev/null)
printf '{"args":"%s","home":"%s","cwd":"%s","null":"%s","leak":"%s","umask":"%s","auto":"%s","session":"%s"}\\n' \\
  "$*" "\${GANTRY_HOME-none}" "$(pwd)" "$null" "$leak" "$(umask)" "\${GANTRY_AUTOSTART-none}" "$session" >>'${log}'
while [ -e '${log}.linger' ]; do sleep 0.1; done
`
}

/** Whether anything that a client of this box has started is still there: the box is in its command or environment. */
function isRunning(root: string): boolean {
  if (process.platform !== 'linux') return false
  return allPids().some((pid) => [...commandLineOf(pid), ...environOf(pid)].some((one) => one.includes(root)))
}

function readLines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
}

async function bytes(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.from(await new Response(stream).arrayBuffer())
}
