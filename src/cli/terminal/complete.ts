/**
 * What the completion scripts ask on each Tab: prints words, one per line, as the shell takes them, or `:file`, `:dir` or
 * `:command`, which the shell completes itself. It starts no daemon, waits for none, and prints nothing on stderr.
 */
import { expandHome, type Places, places } from '../../core/files/paths.ts'
import { plain } from '../../core/text/text.ts'
import { VISIBLE_COMMANDS } from '../commands.ts'
import { expectedAfter, type Offer } from '../framework/completion.ts'
import type { Input, Kind, Value } from '../framework/define.ts'
import { out } from '../framework/terminal.ts'
import type * as commands from './index.ts'

const ASK_LIMIT_MS = 400 // somebody has just pressed Tab
const SAFE_WORD = /^[A-Za-z0-9-][A-Za-z0-9_.@+-]*$/ // it ends up on a command line

export async function run({ args: { shell, words } }: Input<typeof commands.complete>): Promise<number> {
  const line = shell === 'bash' ? withEqualSigns(words) : words
  const { words: known, value, typed, given = [] } = expectedAfter(line, VISIBLE_COMMANDS)
  if (value?.kind === 'file' || value?.kind === 'dir' || value?.kind === 'command') out(`:${value.kind}`)
  else {
    // The words of a command's first argument may be commands of its group, too.
    const isNew = ([word]: Offer) => !known.some(([one]) => one === word)
    const offers = [...known, ...(value ? (await offersOf(value, line, given)).filter(isNew) : [])]
    const fitting = offers.filter(([word]) => SAFE_WORD.test(word) && word.startsWith(typed))
    const last = line.at(-1) ?? ''
    const before = shell === 'fish' ? last.slice(0, last.length - typed.length) : ''
    if (fitting.length > 0)
      out(fitting.map(([word, about]) => LINES[shell](before + word, plain(about))).join('\n'))
  }
  return 0
}

const LINES = {
  bash: (word: string) => word,
  zsh: (word: string, about: string) => (about === '' ? word : `${word}:${about}`),
  fish: (word: string, about: string) => (about === '' ? word : `${word}\t${about}`),
} as const

/** bash takes `--name=value` apart at the sign. */
function withEqualSigns(words: readonly string[]): string[] {
  const line: string[] = []
  for (const [i, word] of words.entries()) {
    const isValue = words[i - 1] === '=' && line.at(-1)?.endsWith('=') === true
    if (i > 0 && (word === '=' || isValue)) line.push(`${line.pop()}${word}`)
    else line.push(word)
  }
  return line
}

function homeIn(line: readonly string[]): Places {
  const at = line.indexOf('--home')
  const home =
    at >= 0 ? line[at + 1] : line.find((word) => word.startsWith('--home='))?.slice('--home='.length)
  return home ? places(process.env, expandHome(home)) : places()
}

async function offersOf(
  { kind, choices }: Value,
  line: readonly string[],
  given: readonly string[],
): Promise<readonly Offer[]> {
  const at = homeIn(line)
  const { AGENT_NAMES, call, listApprovals, STORED_TYPES, STREAMS } = await import('../../client/index.ts')
  const options = { signal: AbortSignal.timeout(ASK_LIMIT_MS) }
  const sources: { readonly [K in Kind]?: () => readonly Offer[] | Promise<readonly Offer[]> } = {
    choice: () => (choices ?? []).map(alone),
    agent: () => AGENT_NAMES.map(alone),
    type: () => STORED_TYPES.map(alone),
    stream: () => STREAMS.map(alone),
    session: async () =>
      (await call(at, 'sessions.list', {}, options)).map(({ name, agent }) => [name, agent]),
    approval: async () =>
      (await listApprovals(at, options)).approvals.map(({ id, tool, name }) => [id, `${tool} (${name})`]),
    channel: async () =>
      (await call(at, 'notify.test', { send: false }, options)).map(({ channel, kind }) => [channel, kind]),
    consumer: async () =>
      (await call(at, 'bus.consumers', {}, options)).map(({ name, stream }) => [name, stream]),
    effort: async () =>
      (await call(at, 'effort.list', {}, options)).map(({ id, title }) => [String(id), title]),
    handler: async () =>
      (await call(at, 'bus.handlers', {}, options)).map(({ id, command }) => [id, command]),
    webhook: async () =>
      (await call(at, 'bus.webhooks', {}, options)).map(({ name, stream }) => [name, stream]),
    guard: async () =>
      (await import('../../decisions/guards/index.ts')).GUARDS.map(({ id, about }) => [id, about]),
    key: async () => {
      const { namedKeys, storedRows } = await config()
      const rows = await storedRows(at)
      return namedKeys(rows).map((key, i) => [key, JSON.stringify(rows[i]?.value)])
    },
    setting: async () => (await config()).choicesOf(given.at(-1) ?? '').map(alone),
  }
  try {
    return (await sources[kind]?.()) ?? []
  } catch {
    return [] // the shell then offers nothing
  }
}

const config = () => import('../../daemon/config/index.ts')

function alone(word: string): Offer {
  return [word, '']
}
