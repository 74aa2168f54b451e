/**
 * One change of one settings file, ready to be shown and then done. The order makes a kill at any moment harmless:
 * backup, receipt, file. Taking back goes the other way: file, receipt, backup.
 */
import { existsSync } from 'node:fs'
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
import { keepBackup, makeReceiptFolder, pruneBackups, type Receipt, writeReceipt } from './receipt.ts'

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
  const { agent, file, after, base, receipt } = change
  keepTheirs(places, change)
  const folders = [...new Set([...change.folders, ...missingFolders(file.target)])]
  writeReceipt(change.receiptPath, {
    ...receipt,
    base: base === undefined ? null : keepBackup(places, agent, file.path, base),
    folders,
  })
  if (!isSameContent(file.bytes, after)) {
    makeFolders(folders)
    refuseIfChanged(file)
    replaceFile(file.target, after)
  }
  pruneBackups(places, agent)
}

export function applyRemoval(places: Places, change: RemovalChange): void {
  const { agent, file, after } = change
  keepTheirs(places, change)
  if (!isSameContent(file.bytes, after)) {
    refuseIfChanged(file)
    if (after === undefined) removeFile(file.target)
    else replaceFile(file.target, after)
  }
  if (existsSync(file.target) || change.folders.length > 0) dropDrafts(file.target)
  removeFolders(change.folders)
  removeIfThere(change.receiptPath)
  pruneBackups(places, agent)
}

function keepTheirs(places: Places, { agent, file, keep }: Change): void {
  makeReceiptFolder(places)
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
