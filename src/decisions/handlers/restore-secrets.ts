/**
 * Handlers see an event with its secrets redacted. If one of them rewrites the input, the marks in it get their secrets back:
 * no tool ever gets "[redacted]" in place of a token.
 *
 *   withSecrets({ command: 'curl -s -H "Auth: [redacted]" x' }, shown, sent)   // the token that `sent` has
 */
import { isObject } from '../../core/is-object.ts'
import { MARK, secretsIn } from '../../redaction/redact.ts'

interface Hidden {
  readonly secret: string
  /** What stands before it, which tells it from others. */
  readonly before: string
}

const BEFORE_CHARS = 12

/** `shown`: the input as handlers saw it; `sent`: as the agent sent it. Undefined where it is not clear which secret belongs where. */
export function withSecrets<Input>(input: Input, shown: unknown, sent: unknown): Input | undefined {
  if (!hasMark(input)) return input
  const hidden = hiddenIn(shown, sent)
  return hidden && (restored(input, hidden) as Input | undefined)
}

function hasMark(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(MARK)
  return isObject(value) || Array.isArray(value) ? Object.values(value).some(hasMark) : false
}

/** All that was redacted, in order; undefined if a mark stands for no secret: the agent itself wrote it. */
function hiddenIn(shown: unknown, sent: unknown): Hidden[] | undefined {
  if (typeof shown === 'string' && typeof sent === 'string') {
    const pieces = shown.split(MARK)
    const secrets = secretsBetween(pieces, sent)
    if (secrets.length !== pieces.length - 1) return undefined
    return secrets.map((secret, i) => ({ secret, before: endOf(pieces[i] ?? '') }))
  }
  if (!isBranch(shown) || !isBranch(sent)) return []
  const all: Hidden[] = []
  const before: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(sent))
  for (const [key, value] of Object.entries(shown)) {
    const found = hiddenIn(value, Object.hasOwn(before, key) ? before[key] : undefined)
    if (found === undefined) return undefined
    all.push(...found)
  }
  return all
}

/** One is what stands there now, also if only the name of its member told that it is a secret. */
function secretsBetween([first = '', last, ...more]: readonly string[], sent: string): readonly string[] {
  if (last === undefined) return []
  const only = sent.slice(first.length, sent.length - last.length)
  if (more.length === 0 && `${first}${only}${last}` === sent) return only === MARK ? [] : [only]
  return secretsIn(sent)
}

function restored(value: unknown, hidden: readonly Hidden[]): unknown {
  if (typeof value === 'string') return restoredText(value, hidden)
  if (Array.isArray(value)) {
    const items = value.map((item) => restored(item, hidden))
    return items.some((item, i) => item === undefined && value[i] !== undefined) ? undefined : items
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, item]) => [key, restored(item, hidden)] as const)
  return entries.some(([key, item]) => item === undefined && value[key] !== undefined)
    ? undefined
    : Object.fromEntries(entries)
}

function restoredText(text: string, hidden: readonly Hidden[]): string | undefined {
  const pieces = text.split(MARK)
  let whole = pieces[0] ?? ''
  for (let i = 1; i < pieces.length; i++) {
    const before = endOf(pieces[i - 1] ?? '')
    const fitting = new Set(hidden.filter((one) => one.before === before).map(({ secret }) => secret))
    const any = fitting.size > 0 ? fitting : new Set(hidden.map(({ secret }) => secret))
    const [secret] = any
    if (any.size !== 1 || secret === undefined) return undefined
    whole += secret + (pieces[i] ?? '')
  }
  return whole
}

function endOf(text: string): string {
  return text.slice(-BEFORE_CHARS).trimStart()
}

function isBranch(value: unknown): value is object {
  return isObject(value) || Array.isArray(value)
}
