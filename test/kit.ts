/**
 * What tests drive the real thing with: a home of their own, a real daemon process in it, raw frames on its socket.
 *
 *   const home = makeHome()
 *   const daemon = await startDaemon(home)
 *   await sendFrame(home, { payload: '{}' })   // → { exit: 0, stdout: '', stderr: '' }
 *   await daemon.kill('SIGKILL')
 */
import { Database } from 'bun:sqlite'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Places, places } from '../src/core/files/paths.ts'
import type { Log } from '../src/core/log.ts'
import { childrenOf, commandLineOf, isAlive } from '../src/core/processes/proc.ts'
import { HEAP_OPTIONS } from '../src/core/processes/small-heap.ts'
import { type HookEvent, newId, type RawEvent } from '../src/events/index.ts'
import { daemonIn, dirs, processes } from './litter.ts'

export const ROOT = join(import.meta.dir, '..')
/** The programs under test: the checkout's own, or those that `npm test` built of it, which need a third of the time to start. */
export const PROGRAMS = programs(process.env)
export const GANTRY = join(PROGRAMS, 'gantry')
export const HOOK = join(PROGRAMS, 'gantry-hook')
export const FIXTURES = join(import.meta.dir, 'fixtures')

/**
 * What Bun makes of the sources is kept in the home folder; all homes of the tests share one, which halves a start. Programs
 * optimize where their test does, which the runner says. A daemon has its engine's options at once, and need not begin anew.
 */
export const TRANSPILED: Readonly<Record<string, string>> = {
  ...HEAP_OPTIONS,
  BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(ROOT, 'node_modules/.cache/gantry-tests'),
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('BUN_JSC_'))),
}

/** The runners build first, and then nothing is looked for: a file that is edited meanwhile must not end a run. */
function programs({ GANTRY_TEST_PROGRAMS: dir, GANTRY_TEST_RUNNER: runner }: NodeJS.ProcessEnv): string {
  if (dir === undefined) return join(ROOT, 'bin')
  const [newer] = runner === undefined ? newerThan(join(dir, '.made-of')) : []
  if (newer !== undefined) throw new Error(`${newer} has changed since ${dir} was built: run npm run build`)
  return dir
}

/** As `bin/gantry` looks. */
function newerThan(mark: string): string[] {
  const sources = ['src', 'native', 'package-lock.json', 'node_modules/.package-lock.json']
  const found = Bun.spawnSync(['find', ...sources, '-cnewer', mark, '-print', '-quit'], { cwd: ROOT })
  return found.success ? found.stdout.toString().split('\n').filter(Boolean) : [mark]
}

/** A folder that goes when the tests end. */
export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'gantry-'))
  dirs.add(dir)
  return dir
}

/** The processor time that work takes in this process, which does not depend on what else the machine does. */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** What came in, with what the test cares about. */
export function rawEvent(parts: Partial<RawEvent> = {}): RawEvent {
  return {
    id: newId(),
    at: 1_763_000_000_000,
    receivedAt: 1_763_000_000_000,
    agent: 'claude',
    client: { env: {} },
    transport: 'socket',
    raw: '{"hook_event_name":"Stop","session_id":"s1"}',
    ...parts,
  }
}

/** An event as the readers make them, with what the test cares about. */
export function eventOf(parts: Partial<HookEvent> = {}): HookEvent {
  return { ...rawEvent(), seq: 0, type: 'Stop', native: 'Stop', sessionId: 's1', ...parts }
}

/** A log that tests can look at. */
export function silentLog(): Log & { readonly lines: string[] } {
  const lines: string[] = []
  const at = (level: string) => (room: string, message: string) => {
    lines.push(`${level} ${room} ${message}`)
  }
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), close() {} }
}

/** Waits until `check` gives something true, and gives that; fails with `what` when it takes too long. */
export async function until<T>(
  check: () => T | Promise<T>,
  what: string,
  deadlineMs = 60_000,
): Promise<Exclude<T, false | null | undefined>> {
  const start = performance.now()
  for (;;) {
    const began = performance.now()
    const value = await check()
    if (value) return value as Exclude<T, false | null | undefined>
    const now = performance.now()
    if (now > start + deadlineMs) throw new Error(`not within ${deadlineMs} ms: ${what}`)
    // Whoever waits leaves three quarters of the processor to what is waited for, and more the longer it takes.
    await Bun.sleep(Math.min(200, Math.max(5, 3 * (now - began), (now - start) / 10)))
  }
}

/** A folder for one test, private as gantry wants it, with a free HTTP port in its configuration. */
export function makeHome(config = ''): Places {
  const at = places({}, tempDir())
  mkdirSync(at.config, { mode: 0o700 })
  writeFileSync(at.configFile, `${config.includes('[http]') ? '' : '[http]\nport = 0\n'}${config}`)
  return at
}

/** The environment of a program under test: nothing of this process's own but the way to programs. */
export function envFor(at: Places, extra: Record<string, string> = {}): Record<string, string> {
  const base = {
    PATH: process.env.PATH ?? '',
    HOME: at.home ?? '',
    GANTRY_HOME: at.home ?? '',
    GANTRY_NATS: 'off',
    ...TRANSPILED,
  }
  return { ...base, ...extra }
}

export function daemonPid(at: Places): number | undefined {
  return daemonIn(at.home ?? '')
}

/** Ends a daemon that this process is not the parent of. */
export async function endDaemon(at: Places, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  const pid = daemonPid(at)
  if (pid === undefined) return
  process.kill(pid, signal)
  await until(() => daemonPid(at) !== pid || isGone(pid), `the end of daemon ${pid}`)
}

/** Ended, collected or not: in a container nobody may ever collect a process that has ended. */
export function isGone(pid: number): boolean {
  return !isAlive(pid, true)
}

/** Those that have not ended, and have this word in their command. */
export function childrenWith(pid: number, word: string): number[] {
  return childrenOf(pid).filter(
    (child) => !isGone(child) && commandLineOf(child).some((one) => one.includes(word)),
  )
}

/** The ids of all events, in the order of the journal. */
export function idsIn(at: Places): string[] {
  return journal<{ id: string }>(at).map(({ id }) => id)
}

/** What is in the journal, from outside, with or without a daemon. */
export function journal<Row = Record<string, unknown>>(
  at: Places,
  sql = 'SELECT * FROM events ORDER BY seq',
): Row[] {
  const db = new Database(at.database, { readonly: true })
  try {
    return db.query(sql).all() as Row[]
  } finally {
    db.close()
  }
}

export interface RunningDaemon extends AsyncDisposable {
  readonly pid: number
  /** Sends the signal and waits for the end; gives the exit code. */
  kill(signal: NodeJS.Signals): Promise<number>
}

/** Up and listening when this resolves. */
export async function startDaemon(at: Places, env: Record<string, string> = {}): Promise<RunningDaemon> {
  const child = Bun.spawn([GANTRY, 'up', '--foreground'], {
    env: envFor(at, { GANTRY_READY: '1', ...env }),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  processes.add(child)
  void child.exited.then(() => processes.delete(child))
  const { value } = await child.stdout.getReader().read()
  if (!value) throw new Error(`the daemon did not start: ${await new Response(child.stderr).text()}`)
  const kill = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return child.exited
  }
  return { pid: child.pid, kill, [Symbol.asyncDispose]: async () => void (await kill('SIGKILL')) }
}

export interface Ran {
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end. */
export async function run(
  argv: string[],
  at: Places,
  stdin: string | Uint8Array = '',
  env = {},
): Promise<Ran> {
  const child = Bun.spawn(argv, {
    env: envFor(at, env),
    stdin: Buffer.from(stdin),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  processes.add(child)
  const [stdout, stderr, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  processes.delete(child)
  return { exit, stdout, stderr }
}

export function gantry(at: Places, ...args: string[]): Promise<Ran> {
  return run([GANTRY, ...args], at)
}

export async function gantryJson(at: Places, ...args: string[]): Promise<unknown> {
  const { stdout, stderr, exit } = await gantry(at, ...args)
  if (exit !== 0) throw new Error(`gantry ${args.join(' ')} gave ${exit}: ${stderr}`)
  return JSON.parse(stdout)
}

export interface FrameParts {
  readonly agent?: string
  readonly event?: string
  readonly id?: string
  readonly at?: number
  readonly payload: string | Uint8Array
  /** Overrides anything in the header. With a `pid` it comes from a hook client, whose agent is looked for above it. */
  readonly header?: Record<string, unknown>
}

export function frame({ payload, header, ...parts }: FrameParts): Buffer {
  const bytes = Buffer.from(payload)
  const head = {
    v: 1,
    kind: 'hook',
    agent: 'claude',
    id: newId(),
    at: Date.now(),
    env: {},
    len: bytes.length,
    ...parts,
    ...header,
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes])
}

/** Sends one frame and waits for its reply; undefined when the daemon hung up without one. */
export async function sendFrame(at: Places, parts: FrameParts): Promise<Ran | undefined> {
  return parseReply(await exchange(at, frame(parts)))
}

/** Sends frames one behind the other on one connection, so that they share commits; resolves when all are answered. */
export async function sendFrames(at: Places, frames: readonly FrameParts[]): Promise<void> {
  const socket = connect(at.socket)
  socket.on('error', () => {})
  let rest: Buffer = Buffer.alloc(0)
  let replies = 0
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const [head = '', out = 0, err = 0] = /^\d+ (\d+) (\d+)\n/.exec(rest.toString('latin1')) ?? []
      const length = head.length + Number(out) + Number(err)
      if (head === '' || rest.length < length) return
      rest = rest.subarray(length)
      replies += 1
    }
  })
  for (let n = 0; n < frames.length; n += FRAMES_AT_ONCE) {
    const some = frames.slice(n, n + FRAMES_AT_ONCE)
    socket.write(Buffer.concat(some.map(frame)))
    await until(() => replies === n + some.length || socket.destroyed, 'answers to the hooks', 60_000)
  }
  socket.destroy()
  if (replies < frames.length) throw new Error(`${replies} of ${frames.length} hooks were answered`)
}

const FRAMES_AT_ONCE = 200 // a commit or two

export function parseReply(bytes: Buffer): Ran | undefined {
  const match = /^(\d+) (\d+) (\d+)\n/.exec(bytes.subarray(0, 64).toString('latin1'))
  if (!match) return undefined
  const start = match[0].length
  const [exit = 0, out = 0, err = 0] = match.slice(1).map(Number)
  if (bytes.length < start + out + err) return undefined
  const stdout = bytes.subarray(start, start + out).toString()
  return { exit, stdout, stderr: bytes.subarray(start + out, start + out + err).toString() }
}

/** Writes raw bytes to the socket and gives back what came until a whole reply or line, the end, or a deadline. */
export function exchange(at: Places, bytes: Uint8Array, deadlineMs = 30_000): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(at.socket)
    const got: Buffer[] = []
    const finish = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(Buffer.concat(got))
    }
    const timer = setTimeout(finish, deadlineMs)
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      got.push(Buffer.from(chunk))
      const all = Buffer.concat(got)
      if (parseReply(all) || (all[0] === 0x7b && all.includes(10))) finish()
    })
    socket.on('close', finish)
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return finish() // it ended with the connection still in its queue
      clearTimeout(timer)
      reject(error)
    })
  })
}

export interface FixtureLine {
  readonly agent: string
  readonly version: string
  readonly event: string
  readonly at: string
  readonly env: Record<string, string>
  readonly payload: Record<string, unknown>
}

export function fixtureLines(file: string): FixtureLine[] {
  const text = readFileSync(join(FIXTURES, file), 'utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as FixtureLine)
}

/** Recorded lines as their agents would send them now. */
export function framesOf(lines: readonly FixtureLine[]): FrameParts[] {
  return lines.map(({ agent, event, env, payload }) => ({
    agent,
    event,
    payload: JSON.stringify(payload),
    header: { env },
  }))
}
