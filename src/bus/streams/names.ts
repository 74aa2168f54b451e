/**
 * The streams: names, sizes, and the subjects of their messages. The same on this host and on NATS, whose subjects are
 * parts between dots, with `*` for one part and `>` for the rest.
 *
 *   subjectOf('HOOK_EVENTS', 'PreToolUse')     // hooks.PreToolUse
 *   matchesSubject('hooks.*', 'hooks.Stop')    // true
 */
import { GantryError } from '../../core/errors.ts'
import { STREAMS, type StreamName } from '../../events/index.ts'

export { STREAMS, type StreamName }

/** First part of every subject of a stream. */
export const PREFIX: Readonly<Record<StreamName, string>> = {
  HOOK_EVENTS: 'hooks',
  SESSION_EVENTS: 'sessions',
  DECISION_EVENTS: 'decisions',
  GANTRY_EVENTS: 'gantry',
}

/** Events of each session that are kept, however many the other sessions send. */
export const SESSION_FLOOR = 20

const MAX_TOKEN_CHARS = 100

export function isStream(name: string): name is StreamName {
  return (STREAMS as readonly string[]).includes(name)
}

/** A type may be any string; a part of a subject may not. */
export function token(text: string): string {
  return text.replace(/[^\w-]/g, '_').slice(0, MAX_TOKEN_CHARS) || '_'
}

/** With a host, the subject for a fleet; the type is always the last part. */
export function subjectOf(stream: StreamName, type: string, host?: string): string {
  const parts = host === undefined ? [type] : [host, type]
  return [PREFIX[stream], ...parts.map(token)].join('.')
}

/** A subject pattern, or just a type: `Stop` means `hooks.Stop` on HOOK_EVENTS. */
export function filterFor(stream: StreamName, text: string): string {
  const pattern = /[.>*]/.test(text) ? text : `${PREFIX[stream]}.${text}`
  const parts = pattern.split('.')
  const wrong = parts.some(
    (part, at) => part === '' || /\s/.test(part) || (part === '>' && at < parts.length - 1),
  )
  if (!wrong) return pattern
  throw new GantryError(
    'VALIDATION_ERROR',
    `Invalid subject "${text}". Write a type (Stop), or parts with dots, "*" and a last ">": ${PREFIX[stream]}.*`,
  )
}

export function matchesSubject(pattern: string, subject: string): boolean {
  const wanted = pattern.split('.')
  const parts = subject.split('.')
  for (const [at, want] of wanted.entries()) {
    if (want === '>') return parts.length > at
    const part = parts[at]
    if (part === undefined || (want !== '*' && want !== part)) return false
  }
  return wanted.length === parts.length
}
