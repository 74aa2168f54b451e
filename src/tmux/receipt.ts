/**
 * What `apply` found and what it wrote, one file for each tmux server. It is written before tmux is touched, so an
 * `apply` that was cut short can be taken back, too; the daemon colours the panes of servers that have one.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../core/files/paths.ts'
import { writeAtomic } from '../core/files/private-files.ts'
import type { Server } from './server.ts'

const MAX_SERVERS = 64 // a person has a few; forgotten ones go as soon as they are looked for

export interface Receipt {
  readonly v: 1
  readonly socket: string
  readonly pid: number
  /** While it is taken back nobody may colour. */
  readonly state: 'applied' | 'leaving'
  readonly options: readonly ReceiptOption[]
  readonly hook: string
  readonly keys: readonly string[]
}

export interface ReceiptOption {
  readonly name: string
  readonly at: string
  readonly before: string
  readonly ours: string
}

export function receiptFile(places: Places, socket: string): string {
  return join(places.tmux, `${new Bun.CryptoHasher('sha256').update(socket).digest('hex').slice(0, 16)}.json`)
}

/** Of this very server: one that was started again has none of what is in it. */
export function readReceipt(places: Places, server: Server): Receipt | undefined {
  const receipt = parse(receiptFile(places, server.socket))
  return receipt?.pid === server.pid ? receipt : undefined
}

export function readReceipts(places: Places): Receipt[] {
  if (!existsSync(places.tmux)) return []
  return readdirSync(places.tmux)
    .filter((name) => name.endsWith('.json'))
    .slice(0, MAX_SERVERS)
    .flatMap((name) => parse(join(places.tmux, name)) ?? [])
}

export function writeReceipt(places: Places, receipt: Receipt): void {
  mkdirSync(places.tmux, { recursive: true, mode: 0o700 })
  writeAtomic(receiptFile(places, receipt.socket), `${JSON.stringify(receipt, null, 2)}\n`)
}

/** Not that of a server which has taken its place. */
export function dropReceipt(places: Places, server: Server): void {
  if (readReceipt(places, server)) rmSync(receiptFile(places, server.socket), { force: true })
}

/** One that cannot be read is as none: what is ours is found by its text. */
function parse(path: string): Receipt | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isReceipt(found) ? found : undefined
  } catch {
    return undefined
  }
}

/** By hand: a key in tmux starts this, and a library that checks would be most of what it takes. */
function isReceipt(value: unknown): value is Receipt {
  const receipt = value as Partial<Receipt> | null
  return (
    receipt?.v === 1 &&
    typeof receipt.socket === 'string' &&
    receipt.socket.startsWith('/') &&
    Number.isSafeInteger(receipt.pid) &&
    Number(receipt.pid) > 0 &&
    (receipt.state === 'applied' || receipt.state === 'leaving') &&
    typeof receipt.hook === 'string' &&
    isList(receipt.keys, (key) => typeof key === 'string') &&
    isList(receipt.options, isOption)
  )
}

function isOption(value: unknown): value is ReceiptOption {
  const { name, at, before, ours } = (value ?? {}) as Partial<ReceiptOption>
  return [name, at, before, ours].every((text) => typeof text === 'string')
}

function isList(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem)
}
