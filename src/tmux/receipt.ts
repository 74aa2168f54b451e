/**
 * What `apply` found and wrote, one file per tmux server. It is written before tmux is changed, so an interrupted
 * `apply` can be undone, too. The daemon colours the panes of servers that have a receipt.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../core/files/paths.ts'
import { writeAtomic } from '../core/files/private-files.ts'
import { readPlain } from '../core/files/small-file.ts'
import { jsonIn } from '../core/json.ts'
import type { Server } from '../core/tmux.ts'

const MAX_SERVERS = 64 // a person has a few; receipts of dead servers are deleted when they are looked up

export interface Receipt {
  readonly v: 1
  readonly socket: string
  readonly pid: number
  /** While `leaving`, nobody may colour. */
  readonly state: 'applied' | 'leaving'
  readonly options: readonly ReceiptOption[]
  readonly hook: string
  readonly keys: readonly string[]
}

interface ReceiptOption {
  readonly name: string
  readonly at: string
  readonly before: string
  readonly ours: string
}

export function receiptFile(places: Places, socket: string): string {
  return join(places.tmux, `${new Bun.CryptoHasher('sha256').update(socket).digest('hex').slice(0, 16)}.json`)
}

/** Only for this very server process: a restarted one has lost everything in it. */
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

/** Keeps the receipt of a server that has replaced this one. */
export function dropReceipt(places: Places, server: Server): void {
  if (readReceipt(places, server)) rmSync(receiptFile(places, server.socket), { force: true })
}

/** An unreadable receipt counts as none: our parts are found by their text. */
function parse(path: string): Receipt | undefined {
  const found = jsonIn(readPlain(path))
  return isReceipt(found) ? found : undefined
}

/** Checked by hand: a tmux key starts this process, and a validation library would take most of its time. */
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
