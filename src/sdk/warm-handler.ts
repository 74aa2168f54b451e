/**
 * A warm handler: a file in gantry's `handlers` folder that is loaded once and answers events in microseconds.
 *
 *   export default handler({ on: 'PreToolUse' }, ({ commands }) =>
 *     commands.some(({ program }) => program === 'shutdown') ? deny('The machine stays on.') : pass(),
 *   )
 */
import { GantryError } from '../core/errors.ts'
import type { EventType, HookEvent, HookTool } from '../events/index.ts'
import type { SessionView } from '../sessions/state/index.ts'
import type { Command } from '../shell/command.ts'
import type { Verdict } from './verdicts.ts'

export interface HandlerOptions<T extends EventType = EventType> {
  /** Canonical types of the events it handles. */
  readonly on: T | readonly T[]
  /** Only calls of these tools, by their exact names. */
  readonly tool?: string | readonly string[]
  /** Only events of these agents. */
  readonly agent?: string | readonly string[]
  /** Its name; default: the name of its file. */
  readonly name?: string
  /** Lower runs first; default 50. */
  readonly priority?: number
  /** How long its agent waits, in milliseconds; default 1000, at most 30,000. */
  readonly timeoutMs?: number
  /** If it throws, is too slow or not available: `open` (no opinion, the default) or `closed` (denied). */
  readonly onFailure?: 'open' | 'closed'
}

export interface HandlerContext {
  /** The session of the event, as `gantry.session()` returns it; undefined if the event has none. */
  readonly session: SessionView | undefined
  /** Aborts at the timeout. */
  readonly signal: AbortSignal
  /** Writes a line to gantry's log, as `console.log` does. */
  log(text: string): void
}

/** The event as gantry stores it, redacted, with the parsed command line. */
export interface HandlerEvent extends HookEvent {
  /** The commands that a shell tool would start, parsed when first read: wrappers unwrapped, variables followed. Empty for other tools. */
  readonly commands: readonly Command[]
  /** False if gantry cannot parse the command line; then `commands` may be incomplete. */
  readonly understood: boolean
}

type ToolEvent = 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'PermissionRequest'
/** An input that is not an object is in `value`. */
type WithTool = { readonly tool: HookTool & { readonly input: Readonly<Record<string, unknown>> } }

/** An event of one type, or a union of several; fields that the type always has are not optional. */
export type EventOf<T extends EventType> = T extends EventType
  ? HandlerEvent & { readonly type: T } & (T extends ToolEvent ? WithTool : unknown) &
      (T extends 'UserPromptSubmit' ? { readonly prompt: string } : unknown)
  : never

type Said = Verdict | undefined

export interface WarmHandler extends HandlerOptions {
  /** The daemon calls it only for events of its own types. */
  run(event: never, context: HandlerContext): Said | Promise<Said>
}

/** Defines a warm handler. */
export function handler<const T extends EventType>(
  options: HandlerOptions<T>,
  run: (event: EventOf<T>, context: HandlerContext) => Said | Promise<Said>,
): WarmHandler {
  if (typeof run !== 'function')
    throw new GantryError('USAGE', "A handler needs a function: handler({ on: 'PreToolUse' }, (event) => …)")
  return { ...options, run }
}
