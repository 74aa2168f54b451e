/**
 * Whether the database at its path is still the one that is open. Somebody may remove it, or the whole home, while the daemon
 * runs: what is written then is written to a file that nobody will ever read.
 */
import { statSync } from 'node:fs'

export interface SameFile {
  /** Looks now. */
  check(): boolean
  close(): void
}

const LOOK_MS = 2_000

export function watchSameFile(path: string, lost: () => void): SameFile {
  const identity = identityOf(path)
  const check = () => identityOf(path) === identity
  const timer = setInterval(() => !check() && lost(), LOOK_MS)
  return { check, close: () => clearInterval(timer) }
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}
