/** gantry's own commands, by whatever name they are started, and what ends it. */
import { OWNER_COMMANDS } from '../../agents/inside-agent.ts'
import { GUARDED_CALLS } from '../../rpc/index.ts'
import { type Call, has, isHelp, operands, options } from './call.ts'
import type { Facts } from './guard.ts'
import { isOwnPath } from './own-access.ts'

/** Its other commands that change what it guards, or answer for its owner. */
const COMMANDS =
  /^(?:install|uninstall|stop|approve|deny|budgets? (?:set|reset)|bus (?:register|unregister)|handlers? (?:add|remove|set)|effort guard \S)/
/** Calls of `gantry rpc` that do the same, besides those that the daemon refuses. */
const CALLS =
  /^(?:budgets?\.(?:set|reset)|config\.(?:set|edit)|guards\.\w+|effort\.guard|(?:daemon|server)\.\w+)$/

export function ownCommand(facts: Facts): string | undefined {
  for (const call of facts.calls) {
    const own = asGantry(call)
    const said = own && changing(own)
    if (said !== undefined) return said
  }
  return undefined
}

const RUNNERS =
  /^(?:(?:ba|z|da|k|a)?sh|node|nodejs|bun|deno|tsx|ts-node|npm|pnpm|yarn|npx|bunx|pnpx|source|\.|python[\d.]*)$/
const RUN_VALUES = options(
  '-r --require --import --config --tsconfig-override -C --cwd --prefix --filter -o -O',
)

/** `gantry x`, and `node …/gantry x`, `yarn gantry x`, `bun …/gantry/src/cli/main.ts x`: the words behind the name are its own. */
function asGantry(call: Call): Call | undefined {
  if (call.program === 'gantry') return call
  if (!RUNNERS.test(call.program)) return undefined
  const [first = '', second = ''] = operands(call, RUN_VALUES)
  const script = /^(?:run|exec|x|dlx|run-script)$/.test(first) ? second : first
  if (!/(?:^|\/)gantry(?:@[\w.-]+|\.[cm]?[jt]s)?$|\bgantry\b.*\/cli\/main\.[jt]s$/.test(script))
    return undefined
  const at = call.words.indexOf(script)
  const rest = call.words.slice(at + 1)
  return { ...call, program: 'gantry', words: rest[0] === '--' ? rest.slice(1) : rest }
}

function changing(call: Call): string | undefined {
  if (isHelp(call)) return undefined
  const [first = '', second = '', third = ''] = operands(call, options('--home'))
  const name = `${first} ${second}`.trim()
  if (first === 'rpc') return GUARDED_CALLS.has(second) || CALLS.test(second) ? `gantry ${name}` : undefined
  const isOwners = OWNER_COMMANDS.has(name) || (OWNER_COMMANDS.has(first) && name !== 'web devices')
  if (!isOwners && !COMMANDS.test(`${name} ${third}`)) return undefined
  if (first === 'approve' && second === '') return undefined
  return /^(?:un)?install$/.test(first) && has(call, '--dry-run')
    ? undefined
    : `gantry ${name} ${third}`.trim()
}

/** What its process is called, and its command line: it runs on Bun. */
const PROCESSES = ['gantry', 'bun', 'gantryd']
const LINES = [
  '/home/user/.bun/bin/bun --no-env-file /home/user/.local/lib/gantry/src/cli/main.ts up --foreground',
  'bun /usr/lib/node_modules/gantry/src/cli/main.ts up --foreground',
  '/usr/local/bin/gantry up --foreground',
]
const KILL_VALUES = options(
  '-s --signal -u --euid -U --uid -g --pgroup -G --group -P --parent -t --terminal -F --pidfile -o -y',
)

export function endsGantry(facts: Facts): string | undefined {
  const { calls, effects, own } = facts
  const isKilled = calls.some(isKill)
  for (const call of calls) {
    const { program, words } = call
    if (/^(?:pkill|killall|skill|snice)$/.test(program) && picksGantry(call) && !isHelp(call))
      return `${program} ends gantry`
    if (
      /^(?:kill|systemctl|launchctl|service|initctl|supervisorctl|pm2)$/.test(program) &&
      words.some((word) => /\bgantry\b/.test(word)) &&
      !words.some((word) => /^(?:status|is-active|list|show)$/.test(word))
    )
      return `${program} ends gantry`
    if (
      /^(?:npm|pnpm|yarn|bun|brew|pip|apt|apt-get)$/.test(program) &&
      words.some((word) => /^(?:uninstall|remove|rm|un|purge)$/.test(word)) &&
      words.includes('gantry')
    )
      return `${program} removes gantry`
    if (!isKilled) continue
    if (/^(?:pgrep|pidof)$/.test(program) && picksGantry(call)) return 'kill ends gantry'
    if (/^(?:lsof|ps|grep|egrep|rg|awk|fuser|cat)$/.test(program) && words.some(namesGantry))
      return 'kill ends gantry'
  }
  const isPid =
    isKilled && effects.reads.some(({ path }) => /\.pid$|\.lock$/.test(path) && isOwnPath(path, own))
  return isPid ? 'kill ends gantry' : undefined
}

function isKill({ program, words }: Call): boolean {
  return program === 'kill' || (/^(?:xargs|parallel)$/.test(program) && words.includes('kill'))
}

function namesGantry(word: string): boolean {
  return /\bgantry\b|g\[a\]ntry|\[g\]antry/.test(word)
}

/** Whether its pattern, or its name, is that of gantry's process. */
function picksGantry(call: Call): boolean {
  const isPattern = /^p(?:kill|grep)$/.test(call.program)
  const isLine = isPattern && has(call, '-f', '--full')
  const isExact = !isPattern || has(call, '-x', '--exact')
  return operands(call, KILL_VALUES).some((word) =>
    (isLine ? LINES : PROCESSES).some((name) => matches(word, name, isExact && !isLine)),
  )
}

const MAX_PATTERN = 64

/** A pattern with groups, or with many repeats, could take long: its letters have to do. */
function matches(pattern: string, name: string, isExact: boolean): boolean {
  if (pattern === name) return true
  if (isExact) return pattern.replace(/[[\]]/g, '') === name
  const isSimple =
    pattern.length <= MAX_PATTERN && !/[(){}\\]/.test(pattern) && (pattern.match(/[*+?]/g) ?? []).length < 4
  try {
    if (isSimple) return new RegExp(pattern).test(name)
  } catch {} // no pattern: only its letters count
  return pattern
    .split('|')
    .map((part) => part.replace(/[^\w./-]/g, ''))
    .some((part) => part.length > 2 && name.includes(part))
}
