/** The environment of the cases: compiled floors, homes with a real daemon, the echo server, a payload. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Places, places } from '../src/core/files/paths.ts'
import { isAlive } from '../src/core/processes/proc.ts'
import { until } from '../src/core/time/waits.ts'

export const ROOT = join(import.meta.dir, '..')
export const GANTRY = join(ROOT, 'bin/gantry')
export const HOOK = join(ROOT, 'bin/gantry-hook')
/** gantry from source, as a checkout runs it after a change. */
export const SOURCE = [process.execPath, join(ROOT, 'src/cli/main.ts')] as const
const PROGRAMS = ['echo', 'spawn', 'load', 'fsync', 'readers'] as const

export interface Stage {
  readonly dir: string
  /** 1 for real figures, less for a quick look. */
  readonly effort: number
  /** File with a 2 KB PreToolUse payload. */
  readonly payload: string
  program(name: (typeof PROGRAMS)[number]): string
  home(): Places
  daemon(at: Places, env?: Record<string, string>, command?: readonly string[]): Promise<Running>
  echo(at: Places): Promise<Running>
  /** Bun and SQLite without any logic. */
  bareStore(at: Places): Promise<Running>
  /** The nats-server of a home whose daemon is down, with the configuration that the daemon wrote. It may not listen yet. */
  natsServer(at: Places): Promise<Running>
  env(at: Places): Record<string, string>
  close(): Promise<void>
}

export interface Running {
  readonly pid: number
  stop(): Promise<void>
}

export function openStage(effort: number): Stage {
  const dir = mkdtempSync(join(tmpdir(), 'gantry-bench-'))
  for (const name of PROGRAMS) {
    const built = Bun.spawnSync([
      'cc',
      '-O2',
      '-o',
      join(dir, name),
      join(import.meta.dir, 'native', `${name}.c`),
    ])
    if (!built.success) throw new Error(`cc failed on ${name}.c: ${built.stderr.toString()}`)
  }
  const payload = join(dir, 'payload.json')
  writeFileSync(payload, payloadOf(2048))
  const running = new Set<Running>()
  let homes = 0
  let closing = false
  const env = (at: Places) => ({
    PATH: process.env.PATH ?? '',
    HOME: at.home ?? '',
    GANTRY_HOME: at.home ?? '',
    GANTRY_NATS: 'off', // the bus has its own cases
    // One for all homes, as a user has one: else the first start in each is the first after an upgrade.
    BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(dir, 'transpiled'),
  })
  /** Resolves with its first output. */
  const start = async (argv: string[], vars: Record<string, string>): Promise<Running> => {
    const child = Bun.spawn(argv, { env: vars, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
    const one: Running = {
      pid: child.pid,
      stop: async () => {
        running.delete(one)
        child.kill('SIGTERM')
        await child.exited
      },
    }
    running.add(one) // registered before it is ready: a bench that is interrupted now must end it, too
    if (closing) await one.stop()
    else await child.stdout.getReader().read()
    return one
  }
  return {
    dir,
    effort,
    payload,
    program: (name) => join(dir, name),
    home: () => {
      const at = places({}, join(dir, `home-${homes++}`))
      for (const folder of [at.home ?? '', at.run, at.state, at.config])
        mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(at.configFile, '[http]\nport = 0\n')
      return at
    },
    daemon: (at, more = {}, command = [GANTRY]) =>
      start([...command, 'up', '--foreground'], { ...env(at), ...more, GANTRY_READY: '1' }),
    echo: (at) => start([join(dir, 'echo'), at.socket], env(at)),
    bareStore: (at) =>
      start(
        [process.execPath, join(import.meta.dir, 'bare-store.ts'), at.socket, join(at.state, 'events.db')],
        env(at),
      ),
    natsServer: (at) =>
      start(['sh', '-c', 'echo starts; exec nats-server -c "$0"', join(at.nats, 'nats.conf')], env(at)),
    env,
    close: async () => {
      closing = true
      await Promise.all([...running].map((one) => one.stop()))
      for (let i = 0; i < homes; i++) await endLeft(join(dir, `home-${i}`))
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** A daemon that a hook started, or that was starting when the bench was interrupted. */
async function endLeft(home: string): Promise<void> {
  const file = places({}, home).pid
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : Number.NaN
  if (!(pid > 1)) return
  try {
    process.kill(pid, 'SIGTERM')
    if (!(await until(() => !isAlive(pid), END_MS, END_POLL_MS))) process.kill(pid, 'SIGKILL')
  } catch {
    // it is gone
  }
}

const END_POLL_MS = 20
const END_MS = 5_000

export function payloadOf(bytes: number): string {
  const payload = (command: string) =>
    JSON.stringify({
      session_id: '5d1c0d0e-0f5e-4a07-9a53-3f6b1a1f0c11',
      transcript_path: '/home/dev/.claude/projects/-home-dev-acme/5d1c0d0e.jsonl',
      cwd: '/home/dev/acme',
      permission_mode: 'default',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_use_id: 'toolu_01A2B3C4D5',
      tool_input: { command },
    })
  return payload('make test '.repeat(bytes).slice(0, bytes - payload('').length))
}

/** Runs a program that prints one number per line. */
export async function numbers(argv: string[], env: Record<string, string>): Promise<number[]> {
  const child = Bun.spawn(argv, { env, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`${argv.join(' ')} failed`)
  return text.trim().split('\n').map(Number)
}

/** Alternates the measurements, so that a noisy minute hits all of them alike. */
export async function interleave(rounds: number, ...takes: (() => Promise<number[]>)[]): Promise<number[][]> {
  const samples: number[][] = takes.map(() => [])
  for (let i = 0; i < rounds; i++) {
    for (const [which, take] of takes.entries()) samples[which]?.push(...(await take()))
  }
  return samples
}
