/**
 * Every error a person can meet: a code for programs, one line that says what happened and what to do next,
 * and the cause for `--verbose`.
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

/** The one line of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
