/** The configuration file of the nats-server that gantry runs: loopback only, with a token, its store beside it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomText } from '../../core/random.ts'

export interface ServerConfig {
  /** Identifies our server among others that may answer on its port. */
  readonly name: string
  readonly port: number
  /** The configured port; `port` differs only if that was taken. */
  readonly wanted: number
  readonly token: string
  /** Folder of everything that belongs to the server. */
  readonly dir: string
  /** Set if it is a leaf node: its JetStream domain, and the lines about its hub. */
  readonly leaf?: { readonly domain: string; readonly lines: readonly string[] } | undefined
}

export interface ServerFiles {
  readonly config: string
  readonly pid: string
  readonly log: string
  /** Its output before it has a log. */
  readonly output: string
}

const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024 + 64 * 1024 // the largest hook payload and its headers
const MAX_FILE_STORE = '1GB' // four streams of 100 MiB, and what others keep on this server
const MAX_LEAF_STORE = '4GB' // its streams are larger: they keep what the hub does not have yet
const MAX_MEMORY_STORE = '64MB'
const LOG_BYTES = 1024 * 1024 // then it rotates; gantry removes the old ones

/** The oldest server that the client library fully supports. */
export const OLDEST_SERVER = '2.9.4'

export function serverFiles(dir: string): ServerFiles {
  return {
    config: join(dir, 'nats.conf'),
    pid: join(dir, 'nats.pid'),
    log: join(dir, 'nats.log'),
    output: join(dir, 'nats.out'),
  }
}

export function newServerName(): string {
  return `gantry-${randomText(6, 'hex')}`
}

/** Deterministic, so that a server left running can be compared with it. */
export function configText({ name, port, wanted, token, dir, leaf }: ServerConfig): string {
  const { pid, log } = serverFiles(dir)
  const quoted = JSON.stringify
  return [
    '# Written by gantry at every start of the server; changes are lost. See docs/bus-nats.md.',
    `# wanted port: ${wanted}`,
    `server_name: ${quoted(name)}`,
    'host: "127.0.0.1"',
    `port: ${port}`,
    `authorization { token: ${quoted(token)} }`,
    `jetstream { store_dir: ${quoted(dir)}, max_file_store: ${leaf ? MAX_LEAF_STORE : MAX_FILE_STORE}, max_memory_store: ${MAX_MEMORY_STORE}${leaf ? `, domain: ${quoted(leaf.domain)}` : ''} }`,
    `max_payload: ${MAX_PAYLOAD_BYTES}`,
    `pid_file: ${quoted(pid)}`,
    `log_file: ${quoted(log)}`,
    `logfile_size_limit: ${LOG_BYTES}`,
    ...(leaf?.lines ?? []),
    '',
  ].join('\n')
}

/** Name and ports of an existing configuration. */
export function readConfig(text: string): Pick<ServerConfig, 'name' | 'port' | 'wanted'> | undefined {
  const name = /^server_name: "(gantry-[0-9a-f]+)"$/m.exec(text)?.[1]
  const port = Number(/^port: (\d+)$/m.exec(text)?.[1])
  const wanted = Number(/^# wanted port: (\d+)$/m.exec(text)?.[1])
  return name && port > 0 && wanted >= 0 ? { name, port, wanted } : undefined
}

/** The address of the server that gantry ran last, running or not. */
export function lastAddress(dir: string): string | undefined {
  const { config } = serverFiles(dir)
  const known = existsSync(config) ? readConfig(readFileSync(config, 'utf8')) : undefined
  return known && `127.0.0.1:${known.port}`
}

/** 2.9.10 is newer than 2.9.4; an unreadable version is not too old. */
export function isTooOld(version: string, oldest = OLDEST_SERVER): boolean {
  const parts = (text: string) => /(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number)
  const [have, least] = [parts(version), parts(oldest)]
  if (!have || !least) return false
  for (const [at, want] of least.entries()) {
    const is = have[at] ?? 0
    if (is !== want) return is < want
  }
  return false
}
