/**
 * Decisions that gantry could not make, or that did not reach the agent. They are counted under the kind `missed`, with the
 * key "<agent> <event or tool> <reason>".
 */
import type { HookEvent } from './hook-event.ts'
import { UNREADABLE } from './names.ts'

const MISSED: Readonly<Record<string, { readonly says: string; readonly fix: string }>> = {
  late: {
    says: 'the deadline passed',
    fix: 'Make the handler faster, or raise its limit: gantry handlers',
  },
  left: {
    says: 'the agent ended its hook before the answer',
    fix: 'Raise the timeout of the hook, or make the handler faster: gantry install wires the timeouts again',
  },
  full: { says: 'too many agents waited already', fix: 'See who waits: gantry approvals' },
  stopping: { says: 'gantry was stopped meanwhile', fix: 'Nothing, if you stopped it' },
  failed: { says: 'it failed', fix: 'The log says why: less "$(gantry config path log)"' },
  paused: { says: 'the handler is paused after three failures', fix: 'Try it: gantry handlers' },
  away: {
    says: 'gantry was away, and the agent went on',
    fix: 'Let it run: gantry up. For rules that must hold without it, see --required in docs/hooks.md',
  },
  unreadable: {
    says: 'the call could not be read: it was cut, incomplete or nested too deeply',
    fix: 'Look at what was sent: gantry events --json. Guards ask about such a call; what rules do is their "onUnknown"',
  },
  'no-hook': {
    says: 'no hook announced the call',
    fix: 'Its hooks are off, not trusted, or it was started without its settings. Wire them again: gantry install',
  },
}

export const VERDICTS_DOC = 'docs/verdicts.md has what each agent can be told, and when'

/** A tool call, or an event that may be one, whose input nobody knows. */
export function isUnreadableCall({ type, partial, tool }: HookEvent): boolean {
  if (!partial || tool?.input !== undefined) return false
  return type === 'PreToolUse' || type === 'PermissionRequest' || type === UNREADABLE
}

/** Words of a verdict whose loss changes no decision. */
const ADVICE: ReadonlySet<string> = new Set(['context', 'systemMessage'])

export function isDecisionWord(word: string): boolean {
  return !ADVICE.has(word)
}

const NO_WORDS = 'no-words:'

/** The reason for a verdict that the agent cannot express, such as "ask". */
export function unsupportedWord(word: string): string {
  return `${NO_WORDS}${word}`
}

export interface MissedReason {
  /** What was to be decided: agent and event, or the handler. */
  readonly about: string
  readonly reason: string
  readonly says: string
  readonly fix: string
}

/** Parses a counter's key. Older keys have no reason. */
export function missedReason(key: string): MissedReason {
  const cut = key.lastIndexOf(' ')
  const [about, reason] = [key.slice(0, cut), key.slice(cut + 1)]
  if (reason.startsWith(NO_WORDS)) {
    const says = `the agent cannot be told "${reason.slice(NO_WORDS.length)}" there`
    return { about, reason, says, fix: VERDICTS_DOC }
  }
  const known = Object.hasOwn(MISSED, reason) ? MISSED[reason] : undefined
  return known
    ? { about, reason, ...known }
    : {
        about: key,
        reason: 'unknown',
        says: 'for an unknown reason',
        fix: 'The log may say why: less "$(gantry config path log)"',
      }
}
