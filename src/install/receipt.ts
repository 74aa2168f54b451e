/**
 * Receipts of what was written where, so that it can be undone exactly. A receipt is on disk before the settings file
 * changes. It knows the original and every state of the file from which the original can be restored exactly.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { z } from 'zod'
import type { Json } from '../agents/index.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import { removeIfThere, replaceFile } from './files.ts'

const KEPT_BACKUPS = 5 // per agent: enough history, and bounded

const json = z.json() as z.ZodType<Json>
const path = z.array(z.string())
const entry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('append'), path, value: json }),
  z.object({ kind: z.literal('set'), path, value: json, previous: json.exactOptional() }),
])

const schema = z.object({
  v: z.literal(1),
  agent: z.string(),
  /** As the agent names it; may be a link. */
  file: z.string(),
  at: z.number(),
  gantry: z.string(),
  agentVersion: z.string().nullable(),
  kind: z.enum(['merge', 'own']),
  /** The user's choices, so that an upgrade makes the same ones. */
  asked: z.object({ with: z.array(z.tuple([z.string(), z.string().nullable()])), statusLine: z.boolean() }),
  /** The file without our entries; null if there was none. */
  base: z.object({ sha256: z.string(), backup: z.string() }).nullable(),
  /** States of the file that uninstall restores to `base`, the newest last. */
  states: z.array(z.object({ sha256: z.string(), entries: z.array(entry) })),
  containers: z.array(path),
  /** Folders created for the file, outermost first. */
  folders: z.array(z.string()),
  /** Our entries are removed, but an entry that somebody changed still starts the hook client. */
  removed: z.literal(true).exactOptional(),
})

export type Receipt = z.infer<typeof schema>

export function receiptFolder(places: Places): string {
  return join(places.state, 'install')
}

/** One per settings file: the standard one has the agent's name, others also a hash of their path. */
export function receiptPath(places: Places, agent: string, file: string, usual: boolean): string {
  const mark = usual ? '' : `-${sha256(Buffer.from(file)).slice(0, 8)}`
  return join(receiptFolder(places), `${agent}${mark}.json`)
}

export interface StoredReceipt {
  readonly path: string
  readonly receipt: Receipt
}

export function readReceipts(places: Places, agent: string): StoredReceipt[] {
  const folder = receiptFolder(places)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name === `${agent}.json` || (name.startsWith(`${agent}-`) && name.endsWith('.json')))
    .sort()
    .map((name) => join(folder, name))
    .map((path) => ({ path, receipt: parse(path) }))
}

function parse(path: string): Receipt {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    throw new GantryError(
      'BAD_CONFIG',
      `The receipt ${path} cannot be read. Move it away and run this again: gantry then finds its entries by their exact commands.`,
      { cause },
    )
  }
}

export function writeReceipt(path: string, receipt: Receipt): void {
  replaceFile(path, Buffer.from(`${JSON.stringify(receipt, null, 2)}\n`))
}

export function makeReceiptFolder(places: Places): void {
  mkdirSync(backupFolder(places), { recursive: true, mode: 0o700 })
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function backupFolder(places: Places): string {
  return join(receiptFolder(places), 'backups')
}

/** The backup of these bytes; equal bytes share one. */
export function backupOf(agent: string, file: string, bytes: Buffer): NonNullable<Receipt['base']> {
  const hash = sha256(bytes)
  return { sha256: hash, backup: `${agent}-${hash.slice(0, 16)}${extname(file)}` }
}

export function keepBackup(places: Places, agent: string, file: string, bytes: Buffer): void {
  const kept = backupOf(agent, file, bytes)
  if (readBackup(places, kept) === undefined) replaceFile(join(backupFolder(places), kept.backup), bytes)
}

/** Undefined if it is gone or was changed. */
export function readBackup(
  places: Places,
  { sha256: hash, backup }: NonNullable<Receipt['base']>,
): Buffer | undefined {
  const path = join(backupFolder(places), basename(backup))
  if (!existsSync(path)) return undefined
  const bytes = readFileSync(path)
  return sha256(bytes) === hash ? bytes : undefined
}

/** Deletes the oldest, except those that a receipt still needs. */
export function pruneBackups(places: Places, agent: string): void {
  const folder = backupFolder(places)
  if (!existsSync(folder)) return
  const needed = new Set(readReceipts(places, agent).map(({ receipt }) => receipt.base?.backup))
  const old = readdirSync(folder)
    .filter((name) => name.startsWith(`${agent}-`) && !needed.has(name))
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
    .slice(KEPT_BACKUPS)
  for (const { path } of old) removeIfThere(path)
}
