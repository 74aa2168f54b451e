/**
 * The files that tell consumers where NATS is: which were written, so that none outlives the server that it names. A daemon
 * that is killed cannot take them back; whoever looks next finds them by this record, also those in the folder of another
 * program.
 */

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from './files/paths.ts'
import { writeAtomic } from './files/private-files.ts'

interface Told {
  readonly files: readonly string[]
  /** What was written there: a file that says something else is another program's by now. */
  readonly text: string
}

const CONNECT_MS = 500

/** `dir` is the private folder of the bus: the text holds a token. */
export function rememberInfo(dir: string, told: Told): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  writeAtomic(recordIn(dir), JSON.stringify(told))
}

/** Those that are still there as they were written. */
export function writtenInfo(dir: string): readonly string[] {
  const told = recordOf(dir)
  return told?.files.filter((file) => readOr(file) === told.text) ?? []
}

export function removeInfo(dir: string, except: readonly string[] = []): void {
  for (const file of writtenInfo(dir)) if (!except.includes(file)) rmSync(file, { force: true })
  rmSync(recordIn(dir), { force: true })
}

/** Files that name a server where nobody listens. A server may well outlive a daemon that was killed. */
export async function staleInfo({ nats }: Pick<Places, 'nats'>): Promise<readonly string[]> {
  const files = writtenInfo(nats)
  const port = files.length === 0 ? undefined : portIn(recordOf(nats)?.text ?? '')
  return port === undefined || (await listens(port)) ? [] : files
}

function recordIn(dir: string): string {
  return join(dir, 'told.json')
}

function recordOf(dir: string): Told | undefined {
  if (!existsSync(recordIn(dir))) return undefined
  try {
    const told = JSON.parse(readFileSync(recordIn(dir), 'utf8')) as Told
    return Array.isArray(told.files) && typeof told.text === 'string' ? told : undefined
  } catch {
    return undefined
  }
}

function readOr(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Only of a server on this machine: no other is asked. */
function portIn(text: string): number | undefined {
  try {
    const { url, port } = JSON.parse(text) as { url?: unknown; port?: unknown }
    return /^nats:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):/.test(String(url)) ? Number(port) : undefined
  } catch {
    return undefined
  }
}

async function listens(port: number): Promise<boolean> {
  const { createConnection } = await import('node:net') // not with every start of the daemon
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = createConnection({ host: '127.0.0.1', port, timeout: CONNECT_MS })
  const done = (heard: boolean) => {
    socket.destroy()
    resolve(heard)
  }
  socket.once('connect', () => done(true))
  socket.once('error', () => done(false))
  socket.once('timeout', () => done(false))
  return promise
}
