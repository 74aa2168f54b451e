/**
 * What `apply` found and what it wrote, one file for each tmux server. It is written before tmux is touched, so an
 * `apply` that was cut short can be taken back, too; the daemon colours the panes of servers that have one.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Places } from '../places.ts'
import type { Server } from './server.ts'

const MAX_SERVERS = 64 // a person has a few; forgotten ones go as soon as they are looked for

const schema = z.strictObject({
  v: z.literal(1),
  socket: z.string().startsWith('/'),
  pid: z.int().positive(),
  /** While it is taken back nobody may colour. */
  state: z.enum(['applied', 'leaving']),
  options: z.array(
    z.strictObject({ name: z.string(), at: z.string(), before: z.string(), ours: z.string() }),
  ),
  hook: z.string(),
  keys: z.array(z.string()),
})

export type Receipt = z.infer<typeof schema>

export function receiptFile(places: Places, socket: string): string {
  return join(places.tmux, `${createHash('sha256').update(socket).digest('hex').slice(0, 16)}.json`)
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
  const path = receiptFile(places, receipt.socket)
  const draft = `${path}.${process.pid}.tmp`
  writeFileSync(draft, `${JSON.stringify(receipt, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, path)
}

/** Not that of a server which has taken its place. */
export function dropReceipt(places: Places, server: Server): void {
  if (readReceipt(places, server)) rmSync(receiptFile(places, server.socket), { force: true })
}

/** One that cannot be read is as none: what is ours is found by its text. */
function parse(path: string): Receipt | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}
