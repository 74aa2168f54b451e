/**
 * Entries of ours that their owner has changed: another timeout, `--required`, a matcher. They still start the hook
 * client, so the event is wired. Install leaves them as they are, and doctor judges them.
 */
import type { Env, HookClient } from '../agents/index.ts'
import type { Finding } from '../client/index.ts'
import { isObject } from '../core/is-object.ts'
import { names, startsClient } from './edit/pointers.ts'

/** A place in a settings file where a changed entry starts the client. */
export interface ChangedEntry {
  /** `hooks.PreToolUse`, `statusLine`. */
  readonly place: string
  /** What is wrong with it; undefined if it reports the event like ours would. */
  readonly problem?: 'other' | 'unpinned' | 'twice'
}

interface YoursInput {
  readonly agent: string
  readonly client: HookClient
  readonly env: Env
}

/** `places`: settings paths where an entry that is not exactly ours starts the client. */
export function judgeChanged(
  settings: unknown,
  places: readonly (readonly string[])[],
  input: YoursInput,
): ChangedEntry[] {
  return places.map((path) => {
    const value = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), settings)
    const problem = Array.isArray(value) ? problemOf(value, path.at(-1) ?? '', input) : undefined
    return { place: path.join('.'), ...(problem === undefined ? {} : { problem }) }
  })
}

/** Changed entries count as wired if they do what ours would do. */
export function yoursFindings({ agent: { id }, file, yours }: YoursPlan): Finding[] {
  const again = `Correct it there, or remove it and run: gantry install ${id}`
  const finding = (
    problem: ChangedEntry['problem'],
    words: (places: string) => string,
    fix?: string,
  ): Finding[] => {
    const places = yours.filter((one) => one.problem === problem).map(({ place }) => place)
    const level = problem === undefined ? 'ok' : 'warn'
    const message = words(places.join(', '))
    return places.length === 0 ? [] : [{ level, about: id, message, ...(fix === undefined ? {} : { fix }) }]
  }
  const starts = (places: string) => `${places} in ${file} starts the hook client`
  return [
    ...finding(undefined, (places) => `changed by you, and left as it is: ${places}`),
    ...finding('other', (places) => `${starts(places)}, but not for "${id}" and that event`, again),
    ...finding('unpinned', (places) => `${starts(places)} without the --home of this gantry`, again),
    ...finding(
      'twice',
      (places) => `${starts(places)} more than once, so that each event comes twice`,
      'Keep one of these entries, and remove the others',
    ),
  ]
}

interface YoursPlan {
  readonly agent: { readonly id: string }
  readonly file: string
  readonly yours: readonly ChangedEntry[]
}

function problemOf(groups: readonly unknown[], event: string, input: YoursInput): ChangedEntry['problem'] {
  const starters = groups.flatMap((group) =>
    handlersOf(group)
      .filter((handler) => startsClient(handler, input.client, input.env))
      .map((handler) => ({ matcher: matcherOf(group), handler })),
  )
  const matchers = starters.map(({ matcher }) => matcher)
  if (starters.length > 1 && (matchers.includes('') || new Set(matchers).size < matchers.length))
    return 'twice'
  const lines = starters.map(({ handler }) => commandLine(handler))
  if (!lines.every((line) => reports(line, input.agent, event))) return 'other'
  const { home } = input.client
  return home === undefined || lines.every((line) => names(line, home, input.env)) ? undefined : 'unpinned'
}

/** A group contains its handlers; in Copilot CLI there are no groups. */
export function handlersOf(group: unknown): readonly unknown[] {
  return isObject(group) && Array.isArray(group.hooks) ? group.hooks : [group]
}

/** Empty for a group that matches everything. Two different patterns are assumed to match different tools. */
function matcherOf(group: unknown): string {
  const matcher = isObject(group) && typeof group.matcher === 'string' ? group.matcher : ''
  return matcher === '*' || matcher === '.*' ? '' : matcher
}

function commandLine(handler: unknown): string {
  if (!isObject(handler)) return ''
  const args = Array.isArray(handler.args) ? handler.args : []
  return [handler.command, ...args].join(' ')
}

/** `… claude PreToolUse`, or `… claude` if the payload names the event. */
function reports(line: string, agent: string, event: string): boolean {
  const named = `['"]?${event}(?![\\w.])`
  return new RegExp(`(?:^|[\\s'"])${agent}['"]?(?:\\s+${named}|\\s*(?:$|[;&|<>)]))`).test(line)
}
