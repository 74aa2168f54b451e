/**
 * One change of one settings file, ready to be shown and then done. The order makes a kill at any moment harmless:
 * backup, receipt, file. Taking back goes the other way: file, receipt, backup.
 */
import { GantryError } from '../errors.ts'
import type { Places } from '../places.ts'
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

export interface Change {
  readonly agent: string
  readonly file: FileNow
  /** Undefined removes the file. */
  readonly after: Buffer | undefined
  readonly receiptPath: string
  /** Somebody changed a file that was wholly ours: a copy of theirs goes to the backups. */
  readonly keep: boolean
}

export interface InstallChange extends Change {
  readonly after: Buffer
  /** The file without us, to come back to; undefined when there was none. */
  readonly base: Buffer | undefined
  readonly receipt: Omit<Receipt, 'base' | 'folders'>
  readonly folders: readonly string[]
}

export interface RemovalChange extends Change {
  /** Folders to remove when they are empty, outermost first. */
  readonly folders: readonly string[]
}

export function isSameContent(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b)
}

export function applyInstall(places: Places, change: InstallChange): void {
  for (const step of installSteps(places, change)) step()
}

export function applyRemoval(places: Places, change: RemovalChange): void {
  for (const step of removalSteps(places, change)) step()
}

type Step = () => void

/** Between any two of them the way back is open. */
export function installSteps(places: Places, change: InstallChange): Step[] {
  const { agent, file, after, base } = change
  const folders = [...new Set([...change.folders, ...missingFolders(file.target)])]
  const original = base === undefined ? null : backupOf(agent, file.path, base)
  const isChanged = !isSameContent(file.bytes, after)
  return [
    () => makeReceiptFolder(places),
    () => keepTheirs(places, change),
    () => base && keepBackup(places, agent, file.path, base),
    () => writeReceipt(change.receiptPath, { ...change.receipt, base: original, folders }),
    () => isChanged && makeFolders(folders),
    () => isChanged && refuseIfChanged(file),
    () => isChanged && replaceFile(file.target, after),
    () => pruneBackups(places, agent),
  ]
}

export function removalSteps(places: Places, change: RemovalChange): Step[] {
  const { agent, file, after } = change
  const isChanged = !isSameContent(file.bytes, after)
  return [
    () => makeReceiptFolder(places),
    () => keepTheirs(places, change),
    () => isChanged && refuseIfChanged(file),
    () => isChanged && (after === undefined ? removeFile(file.target) : replaceFile(file.target, after)),
    () => dropDrafts(file.target),
    () => removeFolders(change.folders),
    () => removeIfThere(change.receiptPath),
    () => pruneBackups(places, agent),
  ]
}

function keepTheirs(places: Places, { agent, file, keep }: Change): void {
  if (keep && file.bytes) keepBackup(places, agent, file.path, file.bytes)
}

/** Agents write their settings, too, and a question to a person can stay open for long. */
function refuseIfChanged(file: FileNow): void {
  if (isSameContent(readForChange(file.path).bytes, file.bytes)) return
  throw new GantryError(
    'BAD_CONFIG',
    `${file.path} was changed by somebody else in this moment. Nothing was written. Run this again.`,
  )
}
