/**
 * One change of one settings file, shown first and then applied. The order makes a kill at any moment harmless: backup,
 * receipt, file. Removal goes the other way: file, receipt, backup.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { GantryError } from '../core/errors.ts'
import { lockHolder, waitForLock } from '../core/files/lock.ts'
import type { Places } from '../core/files/paths.ts'
import {
  dropDrafts,
  type FileNow,
  makeFolders,
  missingFolders,
  readForChange,
  removeFile,
  removeFolders,
  removeIfThere,
  replaceFile,
} from './files.ts'
import {
  backupOf,
  keepBackup,
  makeReceiptFolder,
  pruneBackups,
  type Receipt,
  writeReceipt,
} from './receipt.ts'

interface Change {
  readonly agent: string
  readonly file: FileNow
  /** Undefined removes the file. */
  readonly after: Buffer | undefined
  readonly receiptPath: string
  /** Somebody changed a file that was wholly ours: a copy goes to the backups. */
  readonly keep: boolean
}

export interface InstallChange extends Change {
  readonly after: Buffer
  /** The file without our entries, for uninstall; undefined if there was none. */
  readonly base: Buffer | undefined
  readonly receipt: Omit<Receipt, 'base' | 'folders'>
  readonly folders: readonly string[]
}

export interface RemovalChange extends Change {
  /** Something in the file still starts the hook client, so the receipt is kept. */
  readonly kept?: Receipt
  /** Folders to remove if they are empty, outermost first. */
  readonly folders: readonly string[]
}

export function isSameContent(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b)
}

/** Attributes of the files that could not be kept. */
type Lost = readonly string[]
type Step = () => Lost | undefined

export function applyInstall(places: Places, change: InstallChange): Lost {
  return installSteps(places, change).flatMap((step) => step() ?? [])
}

export function applyRemoval(places: Places, change: RemovalChange): Lost {
  return removalSteps(places, change).flatMap((step) => step() ?? [])
}

/** After each step the change can still be undone. */
export function installSteps(places: Places, change: InstallChange): Step[] {
  const { agent, file, after, base } = change
  const folders = [...new Set([...change.folders, ...missingFolders(file.target)])]
  const original = base === undefined ? null : backupOf(agent, file.path, base)
  const isChanged = !isSameContent(file.bytes, after)
  return [
    silent(() => makeReceiptFolder(places)),
    silent(() => keepTheirs(places, change)),
    silent(() => base && keepBackup(places, agent, file.path, base)),
    silent(() => writeReceipt(change.receiptPath, { ...change.receipt, base: original, folders })),
    silent(() => isChanged && makeFolders(folders)),
    () => (isChanged ? replaceFile(file.target, after, { check: () => refuseIfChanged(file) }) : undefined),
    silent(() => pruneBackups(places, agent)),
  ]
}

export function removalSteps(places: Places, change: RemovalChange): Step[] {
  const { agent, file, after, kept } = change
  const isChanged = !isSameContent(file.bytes, after)
  const check = () => refuseIfChanged(file)
  return [
    silent(() => makeReceiptFolder(places)),
    silent(() => keepTheirs(places, change)),
    silent(() => isChanged && after === undefined && removeFile(file.target, check)),
    () => (isChanged && after !== undefined ? replaceFile(file.target, after, { check }) : undefined),
    silent(() => dropDrafts(file.target)),
    silent(() => removeFolders(change.folders)),
    silent(() =>
      kept ? writeReceipt(change.receiptPath, { ...kept, removed: true }) : removeIfThere(change.receiptPath),
    ),
    silent(() => pruneBackups(places, agent)),
  ]
}

function silent(work: () => unknown): Step {
  return () => void work()
}

function keepTheirs(places: Places, { agent, file, keep }: Change): void {
  if (keep && file.bytes) keepBackup(places, agent, file.path, file.bytes)
}

/** Somebody else wrote the file after it was read, so the plan is outdated. */
class ChangedMeanwhile extends GantryError {}

/** Agents write their settings, too, and a confirmation prompt may stay open for long. */
function refuseIfChanged(file: FileNow): void {
  if (isSameContent(readForChange(file.path).bytes, file.bytes)) return
  throw new ChangedMeanwhile(
    'BAD_CONFIG',
    `${file.path} was changed by somebody else in this moment. Nothing was written. End what writes it, or wait for it, and run this again.`,
  )
}

const ATTEMPTS = 6 // agents write their settings now and then, not all the time
const PAUSE_MS = 20

/** Reads, plans and writes; starts over if somebody else wrote in between, so that their edit is kept. */
export async function retryIfChanged<T>(work: () => T): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || attempt === ATTEMPTS) throw error
      await Bun.sleep(PAUSE_MS * attempt)
    }
  }
}

/** One install or uninstall at a time: others wait for the lock, then plan from the current state. */
const PATIENCE_MS = 20_000 // one takes a tenth of a second, or several seconds on a busy machine

export async function withInstallLock<T>(
  places: Places,
  work: () => T | Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  mkdirSync(places.state, { recursive: true, mode: 0o700 })
  const path = join(places.state, 'install.lock')
  const lock = await waitForLock(path, patienceMs)
  if (!lock) throw new GantryError('ALREADY_RUNNING', busyWords(lockHolder(path), patienceMs))
  try {
    return await work()
  } finally {
    lock.release()
  }
}

function busyWords(pid: number | undefined, patienceMs: number): string {
  const who = `Another gantry install or uninstall${pid === undefined ? '' : ` (pid ${pid})`}`
  const how = pid === undefined ? 'Wait for it to end' : `Wait for it, or end it with: kill ${pid}`
  return `${who} has been writing for ${patienceMs / 1000} s. Nothing was written. ${how}; then run this again.`
}
