/**
 * A warm handler: a file in gantry's `handlers` folder that is loaded once and asked about events in microseconds.
 *
 *   export default handler({ on: 'PreToolUse', tool: 'Bash' }, (event) =>
 *     String(event.tool.input.command).includes('git push') ? deny('Open a pull request instead.') : pass(),
 *   )
 */
import { GantryError } from '../core/errors.ts'
import type { EventType, HookEvent, HookTool } from '../events/index.ts'
import type { SessionView } from '../sessions/state/index.ts'
import type { Command } from '../shell/command.ts'
import type { Verdict } from './verdicts.ts'

export interface HandlerOptions<T extends EventType = EventType> {
  /** Canonical types of the events it is asked about. */
  readonly on: T | readonly T[]
  /** Only calls of these tools, by their exact names. */
  readonly tool?: string | readonly string[]
  /** Only events of these agents. */
  readonly agent?: string | readonly string[]
  /** What it is called; the name of its file when left out. */
  readonly name?: string
  /** The lowest is asked first; 50 when left out. */
  readonly priority?: number
  /** How long its agent waits for it; 1000 when left out, 30,000 at most. */
  readonly timeoutMs?: number
  /** What counts when it throws, takes too long or cannot be asked: `open` (no opinion, the default) or `closed` (refused). */
  readonly onFailure?: 'open' | 'closed'
}

export interface HandlerContext {
  /** The session of the event, as `gantry.session()` gives it; undefined for an event of no session. */
  readonly session: SessionView | undefined
  /** Aborts when its time is over. */
  readonly signal: AbortSignal
  /** A line for gantry's log. `console.log` does the same. */
  log(text: string): void
}

/** The event as gantry stores it, without secrets, and what it would run. */
export interface HandlerEvent extends HookEvent {
  /** The commands that a shell tool would start, parsed when first read: wrappers unwrapped, variables followed. Empty for other tools. */
  readonly commands: readonly Command[]
  /** False if gantry cannot parse the command line; then `commands` may be incomplete. */
  readonly understood: boolean
}

type ToolEvent = 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'PermissionRequest'
/** An input that is no object is in `value`. */
type WithTool = { readonly tool: HookTool & { readonly input: Readonly<Record<string, unknown>> } }

/** An event of one type, or of several as a union: what each of that type has is not optional. */
export type EventOf<T extends EventType> = T extends EventType
  ? HandlerEvent & { readonly type: T } & (T extends ToolEvent ? WithTool : unknown) &
      (T extends 'UserPromptSubmit' ? { readonly prompt: string } : unknown)
  : never

type Said = Verdict | undefined

export interface WarmHandler extends HandlerOptions {
  /** Each takes the events of its own types; the daemon gives it no others. */
  run(event: never, context: HandlerContext): Said | Promise<Said>
}

/** Checks it once, where it is written. */
export function handler<const T extends EventType>(
  options: HandlerOptions<T>,
  run: (event: EventOf<T>, context: HandlerContext) => Said | Promise<Said>,
): WarmHandler {
  if (typeof run !== 'function')
    throw new GantryError('USAGE', "A handler needs a function: handler({ on: 'PreToolUse' }, (event) => …)")
  return { ...options, run }
}
