/**
 * Every error a person can meet: a code for programs, one line that says what happened and what to do next, and the cause
 * for `--verbose`.
 *
 *   throw new GantryError('DAEMON_AWAY', 'The daemon is not running. Start it with: gantry up')
 */
export type ErrorCode =
  | 'ALREADY_RUNNING'
  | 'BAD_CONFIG'
  | 'BAD_FRAME'
  | 'BUSY'
  | 'DAEMON_AWAY'
  | 'DATABASE'
  | 'DEADLINE'
  | 'HANDLER_ERROR'
  | 'PATH_TOO_LONG'
  | 'PERMISSION'
  | 'START_FAILED'
  | 'TOO_LARGE'
  | 'UNKNOWN_COMMAND'
  | 'USAGE'
  | 'VALIDATION_ERROR'

export class GantryError extends Error {
  readonly code: ErrorCode
  readonly details?: unknown

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; details?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'GantryError'
    this.code = code
    if (options.details !== undefined) this.details = options.details
  }
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** Whether SQLite reports a corrupt file. Also judged by the text, because an error from another process has only that. */
export function isCorrupt(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, message } = (error.cause instanceof Error ? error.cause : error) as Error & { code?: unknown }
  return /^SQLITE_(CORRUPT|NOTADB)/.test(String(code)) || CORRUPT.test(message)
}

const CORRUPT = /disk image is malformed|malformed database schema|not a database/i // but not "malformed JSON"

/** Turns an error of SQLite or of the disk into one that says what to do. Returns any other error as it is. */
export function plainly(error: unknown): unknown {
  if (error instanceof GantryError) return error
  const next = nextAfter(error)
  if (next !== undefined)
    return new GantryError('PERMISSION', `${messageOf(error)}. ${next}`, { cause: error })
  if (!isCorrupt(error)) return error
  const message = `The journal is broken (${messageOf(error)}). To see what is broken and what to do, run: gantry doctor --deep`
  return new GantryError('DATABASE', message, { cause: error })
}

const UNWRITABLE =
  'Make that place writable for you. For folders of gantry itself, GANTRY_HOME can name another one.'
const FULL = 'Make room on that disk, then run it again.'
const NEXT: Readonly<Record<string, string>> = {
  EACCES: UNWRITABLE,
  EPERM: UNWRITABLE,
  EROFS: UNWRITABLE,
  ENOSPC: FULL,
  EDQUOT: FULL,
}

/** What helps against the system's refusal to touch a file. */
function nextAfter(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('path' in error)) return undefined
  return NEXT[String((error as NodeJS.ErrnoException).code)]
}
