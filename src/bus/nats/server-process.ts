/** Facts about a nats-server from outside: its version, whether a process is ours, its greeting. */
import { readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import { readPlain } from '../../core/files/small-file.ts'
import { objectIn } from '../../core/json.ts'
import { run } from '../../core/processes/exec.ts'
import { commandEndsWith } from '../../core/processes/process-table.ts'
import { BusError, type BusLog } from './problem.ts'
import { serverFiles } from './server-config.ts'

const VERSION_DEADLINE_MS = 5_000
const GREETING_DEADLINE_MS = 1_000
const TAIL_CHARS = 4_000
const KEPT_LOGS = 2
export const STOP_DEADLINE_MS = 2_000 // a server whose disk was full does not stop by itself

/** A server that cannot write answers nobody any more, and the rest of the disk is for the journal. */
const LEAST_ROOM_BYTES = 64 * 1024 * 1024

export interface Greeting {
  readonly server_name: string
  readonly version: string
}

export async function serverVersion(executable: string): Promise<string> {
  let said = ''
  try {
    said = (await run([executable, '--version'], { timeoutMs: VERSION_DEADLINE_MS })).stdout
  } catch (cause) {
    throw new BusError(
      `${executable} cannot be run: ${messageOf(cause)}`,
      'Correct nats.server in gantry.toml.',
      { cause },
    )
  }
  const version = /v?(\d+\.\d+\.\d+)/.exec(said)?.[1]
  if (version) return version
  throw new BusError(
    `${executable} does not report a version: "${said.trim().slice(0, 80)}"`,
    'Set nats.server in gantry.toml to a nats-server.',
  )
}

/** The INFO line that a server sends first, before any token. */
export function greeting(port: number): Promise<Greeting | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let said = ''
    const finish = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(objectIn(/^INFO (\{.*\})\s*$/m.exec(said)?.[1]) as Greeting | undefined) // of another protocol: undefined
    }
    const timer = setTimeout(finish, GREETING_DEADLINE_MS)
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1')
      if (said.includes('\n') || said.length > TAIL_CHARS) finish()
    })
    socket.on('error', finish)
    socket.on('close', finish)
  })
}

/** The port if it is free, else undefined. 0 picks any. */
export function freePort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => {
      const { port: got } = server.address() as { port: number }
      server.close(() => resolve(got))
    })
  })
}

/** Whether the process was started as gantry starts one with this file; the pid may be somebody else's by now. */
export function runsWith(pid: number, file: string): Promise<boolean> {
  return commandEndsWith(pid, '-c', file)
}

/** Ends the server that a killed daemon left, if gantry runs none now. Its pid file goes with it, or tells the next start of it. */
export async function endLeftServer(dir: string, log: BusLog): Promise<void> {
  const { pid: file, config } = serverFiles(dir)
  const pid = pidIn(file)
  if (pid === undefined || !(await runsWith(pid, config))) return
  log.info('nats', `nats-server (pid ${pid}) of an earlier start is ended: gantry runs none now`)
  const send = async (signal: NodeJS.Signals) => {
    try {
      if (await runsWith(pid, config)) process.kill(pid, signal)
    } catch {
      // It has just ended.
    }
  }
  await send('SIGTERM')
  setTimeout(() => void send('SIGKILL'), STOP_DEADLINE_MS).unref()
}

const MAX_PID_CHARS = 32

/** Undefined for anything but a small file with a number. */
export function pidIn(file: string): number | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found?.isFile() || found.size > MAX_PID_CHARS) return undefined
  const pid = Number(/^(\d+)\s*$/.exec(textOf(file))?.[1])
  return pid > 1 ? pid : undefined
}

export function textOf(file: string): string {
  return readPlain(file) ?? ''
}

/** Why a server ended, from its output. */
export function lastWords(...files: string[]): string {
  const lines = files.flatMap((file) => textOf(file).slice(-TAIL_CHARS).split('\n')).filter(Boolean)
  const worst = lines.findLast((line) => /\[FTL\]|\[ERR\]|nats-server:|panic|fatal/i.test(line))
  return (worst ?? lines.at(-1) ?? 'it said nothing').replace(/^\[\d+\] [\d/]+ [\d:.]+ /, '').slice(0, 300)
}

/** The server rotates its log and leaves the old ones. */
export function removeOldLogs(log: string): void {
  const [dir, name] = [dirname(log), basename(log)]
  const old = readdirSync(dir).filter((file) => file.startsWith(`${name}.`))
  for (const file of old.sort().slice(0, -KEPT_LOGS)) rmSync(join(dir, file), { force: true })
}

export function hasRoom(dir: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dir)
    return bavail * bsize > LEAST_ROOM_BYTES
  } catch {
    return true // unknown is not full
  }
}

export function diskFull(dir: string): BusError {
  return new BusError(
    `less than ${LEAST_ROOM_BYTES / 1024 / 1024} MB are free on the disk of ${dir}; publishing is paused`,
    'Free disk space; events are kept in the journal, and published when there is room.',
  )
}
