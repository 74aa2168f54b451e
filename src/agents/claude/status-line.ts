/**
 * Claude Code runs a single status line command. gantry needs the same JSON (cost, context, rate limits), so its command
 * runs first and passes the input on unchanged to the user's. The user's line looks the same if gantry is stopped, removed,
 * or uninstalled without Claude's knowledge.
 */
import { isObject } from '../../core/is-object.ts'
import { quoted } from '../../core/text/text.ts'
import { formsOf, type HookClient, invocation } from '../command-line.ts'
import type { Json, Path, Piece, Written } from '../settings.ts'

const READS_ALONG = 'Your status line shows the same as before; gantry reads cost and context from its input.'
const READS_AND_SHOWS_NOTHING = 'gantry adds an empty status line to read cost and context.'

const PATH: Path = ['statusLine']
const COMMAND: Path = ['statusLine', 'command']

/** The dot preserves trailing newlines, which `$(…)` would drop. */
const TAKE = 'gantry_input=$(cat; printf .)'
// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own placeholder
const GIVE = 'printf %s "${gantry_input%.}" 2>/dev/null'

/** What to write where, given the user's own status line; undefined if its form is unknown. */
export function chainStatusLine(client: HookClient, previous: unknown): Piece | undefined {
  if (previous === undefined) {
    const command = `${feed(client)}; true`
    return { path: PATH, value: { type: 'command', command }, means: READS_AND_SHOWS_NOTHING }
  }
  if (!isObject(previous) || previous.type !== 'command' || typeof previous.command !== 'string')
    return undefined
  // A newline before the parenthesis, because the user's command may end in a comment or a here-document.
  const command = `${feed(client)}; ${GIVE} | ( ${previous.command}\n)`
  return { path: COMMAND, value: command, means: READS_ALONG }
}

export function recogniseStatusLine(client: HookClient, statusLine: unknown): Written[] {
  if (!isObject(statusLine) || typeof statusLine.command !== 'string') return []
  const { command } = statusLine
  const feeds = formsOf(client).map(feed)
  if (feeds.some((one) => command === `${one}; true`)) {
    return [{ kind: 'set', path: PATH, value: statusLine as Json }]
  }
  const before = feeds.map((one) => `${one}; ${GIVE} | ( `).find((one) => command.startsWith(one))
  if (before === undefined || !command.endsWith('\n)')) return []
  return [{ kind: 'set', path: COMMAND, value: command, previous: command.slice(before.length, -2) }]
}

function feed(client: HookClient): string {
  const call = invocation(client, 'claude', 'statusline')
  return `${TAKE}; [ -x ${quoted(client.path)} ] && ${GIVE} | ${call} >/dev/null 2>&1`
}
