/**
 * Records which files with the address of NATS gantry wrote, so that none outlives the server it names. A killed daemon
 * cannot remove them; the next one finds them by this record, also in another program's folder.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../core/files/paths.ts'
import { writeAtomic } from '../core/files/private-files.ts'
import { readPlain } from '../core/files/small-file.ts'
import { objectIn } from '../core/json.ts'

interface InfoRecord {
  readonly files: readonly string[]
  /** The text written there. If a file differs, another program has replaced it. */
  readonly text: string
}

const CONNECT_MS = 500

/** `dir` is the bus's private folder, because the text holds a token. */
export function rememberInfo(dir: string, record: InfoRecord): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  writeAtomic(recordIn(dir), JSON.stringify(record))
}

/** The files that still hold what gantry wrote. */
function writtenInfo(dir: string): readonly string[] {
  const record = recordOf(dir)
  return record?.files.filter((file) => readPlain(file) === record.text) ?? []
}

export function removeInfo(dir: string, except: readonly string[] = []): void {
  for (const file of writtenInfo(dir)) if (!except.includes(file)) rmSync(file, { force: true })
  rmSync(recordIn(dir), { force: true })
}

/** Files that name a server which no longer listens. The server may outlive a killed daemon. */
export async function staleInfo({ nats }: Pick<Places, 'nats'>): Promise<readonly string[]> {
  const files = writtenInfo(nats)
  const port = files.length === 0 ? undefined : portIn(recordOf(nats)?.text ?? '')
  return port === undefined || (await listens(port)) ? [] : files
}

function recordIn(dir: string): string {
  return join(dir, 'told.json')
}

function recordOf(dir: string): InfoRecord | undefined {
  const record: Partial<InfoRecord> = objectIn(readPlain(recordIn(dir))) ?? {}
  return Array.isArray(record.files) && typeof record.text === 'string' ? (record as InfoRecord) : undefined
}

/** Only for servers on this machine; no other is contacted. */
function portIn(text: string): number | undefined {
  const { url, port } = objectIn(text) ?? {}
  return /^nats:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):/.test(String(url)) ? Number(port) : undefined
}

async function listens(port: number): Promise<boolean> {
  const { createConnection } = await import('node:net') // loaded here, so a start of the daemon does not pay for it
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
