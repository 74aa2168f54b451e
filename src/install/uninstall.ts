/**
 * Plans the removal: the original bytes if the file is as gantry left it, otherwise the current file minus exactly our
 * entries.
 *
 *   for (const { change } of planUninstall('claude', settings, { places, env })) applyRemoval(places, change)
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentSettings, Env, HookClient } from '../agents/index.ts'
import { homeOf, type Places } from '../core/files/paths.ts'
import { readPlain } from '../core/files/small-file.ts'
import type { RemovalChange } from './change.ts'
import { pointersIn } from './edit/pointers.ts'
import { decode, isEmptySettings, recognised } from './edit/settings-text.ts'
import { readForChange } from './files.ts'
import { installedClient } from './hook-client.ts'
import { oursOf } from './install.ts'
import { type Ours, planRemoval } from './plan.ts'
import {
  type Receipt,
  readBackup,
  readReceipts,
  receiptFolder,
  receiptPath,
  type StoredReceipt,
  sha256,
} from './receipt.ts'

export interface UninstallPlan {
  readonly change: RemovalChange
  /** `exact`: the original bytes. `ours`: the file has newer edits, so only our entries are removed. */
  readonly way: 'exact' | 'ours' | 'nothing'
  readonly notes: readonly string[]
  /**
   * Entries that stay and start the hook client, because somebody changed them and they are not exactly ours any more.
   */
  readonly left: readonly string[]
}

export function planUninstall(
  agent: string,
  settings: AgentSettings,
  { places, env }: { places: Places; env: Env },
): UninstallPlan[] {
  const receipts = readReceipts(places, agent)
  const plans =
    receipts.length > 0
      ? receipts.map((stored) => ({ ...planByReceipt(stored, places), receipt: stored.receipt }))
      : planBySight(agent, settings, places, env)
  return plans.map((plan) => withLeft(plan, installedClient(places, env), env))
}

type Planned = Omit<UninstallPlan, 'left'> & { readonly receipt?: Receipt }

function withLeft({ receipt, ...plan }: Planned, client: HookClient, env: Env): UninstallPlan {
  const { file, after } = plan.change
  const left = after ? pointersIn(after, file.path, client, env) : []
  const kept = left.length > 0 ? receipt : undefined
  return { ...plan, left, change: kept ? { ...plan.change, kept } : plan.change }
}

function planByReceipt({ path, receipt }: StoredReceipt, places: Places): Planned {
  const file = readForChange(receipt.file)
  const change = { agent: receipt.agent, file, receiptPath: path, folders: receipt.folders, keep: false }
  const { bytes } = file
  const hash = bytes && sha256(bytes)
  if (bytes === undefined || hash === receipt.base?.sha256) {
    return { change: { ...change, after: bytes }, way: 'nothing', notes: [] }
  }
  const isKnown = receipt.states.some((state) => state.sha256 === hash)
  const original = receipt.base && readBackup(places, receipt.base)
  const hasOriginal = receipt.base === null || original !== undefined
  if (hasOriginal && (isKnown || receipt.kind === 'own')) {
    const notes = isKnown ? [] : ['Somebody has changed it; a copy is kept with the backups.']
    return { change: { ...change, after: original ?? undefined, keep: !isKnown }, way: 'exact', notes }
  }
  return { change: { ...change, after: remaining(bytes, receipt) }, way: 'ours', notes: [] }
}

/** Undefined if we created the file and nobody added to it. */
function remaining(bytes: Buffer, receipt: Receipt): Buffer | undefined {
  if (receipt.kind === 'own') return undefined
  const left = planRemoval(decode(bytes, receipt.file), receipt.file, oursOf(receipt))
  return receipt.base === null && isEmptySettings(left) ? undefined : Buffer.from(left)
}

/** Without a receipt: removes entries that are exactly what gantry writes, where it would write them today. */
function planBySight(agent: string, settings: AgentSettings, places: Places, env: Env): Planned[] {
  const client = installedClient(places, env)
  const folder = settings.folder(env, homeOf(env))
  const wiring = settings.wiring({
    version: undefined,
    client,
    with: new Map(),
    statusLine: true,
  })
  if (wiring.kind === 'refused') return []
  const path = join(folder, wiring.file)
  const text = readPlain(path) ?? ''
  const isOwn = wiring.kind === 'own'
  const ours = isOwn ? NOTHING : seen(text, path, settings, client)
  if (isOwn ? !wiring.isOurs(text) : ours.entries.length === 0) return []
  const file = readForChange(path)
  const change: RemovalChange = {
    agent,
    file,
    after: isOwn
      ? undefined
      : Buffer.from(planRemoval(decode(file.bytes ?? Buffer.alloc(0), path), path, ours)),
    receiptPath: receiptPath(places, agent, path, false),
    folders: [],
    keep: false,
  }
  return [{ change, way: 'ours', notes: ['There is no receipt; these are exactly what gantry writes.'] }]
}

const NOTHING: Ours = { entries: [], containers: [] }

/** A file that does not parse as settings is ignored, unless it contains our client. */
function seen(text: string, path: string, settings: AgentSettings, client: HookClient): Ours {
  try {
    return recognised(text, path, settings, client)
  } catch (error) {
    if (text.includes(client.path)) throw error
    return NOTHING
  }
}

/** True if no agent has a receipt any more, besides `gone`: paths of receipts that are about to go. */
export function isNothingWired(places: Places, gone: readonly string[]): boolean {
  const folder = receiptFolder(places)
  const isLeft = (name: string) => name.endsWith('.json') && !gone.includes(join(folder, name))
  return !existsSync(folder) || !readdirSync(folder).some(isLeft)
}
