/**
 * Every command, by the headings of `gantry --help`. Only definitions are loaded here; the code of a command
 * is loaded when it runs.
 */
import { commands as agents } from './agents/index.ts'
import { commands as bus } from './bus/index.ts'
import { commands as configuration } from './configuration/index.ts'
import { commands as daemon } from './daemon/index.ts'
import { commands as decisions } from './decisions/index.ts'
import { commands as events } from './events/index.ts'
import { commands as fleet } from './fleet/index.ts'
import type { Command } from './framework/define.ts'
import { commands as programs } from './programs/index.ts'
import { commands as schema } from './schema/index.ts'
import { commands as sessions } from './sessions/index.ts'
import { commands as terminal } from './terminal/index.ts'
import { commands as work } from './work/index.ts'
import { commands as workers } from './workers/index.ts'

/** One folder each. */
export const HEADINGS: Readonly<Record<string, readonly Command[]>> = {
  Daemon: daemon,
  Configuration: configuration,
  Agents: agents,
  Sessions: sessions,
  Decisions: decisions,
  Events: events,
  Bus: bus,
  Fleet: fleet,
  Work: work,
  Schema: schema,
  Terminal: terminal,
  Programs: programs,
}

const ALL = [...Object.values(HEADINGS).flat(), ...workers]
export const VISIBLE_COMMANDS: readonly Command[] = ALL.filter(({ hidden }) => !hidden)
const BY_NAME: ReadonlyMap<string, Command> = new Map(ALL.map((one) => [one.name, one]))

interface Found {
  readonly name: string
  readonly command: Command | undefined
  /** What comes after its name. */
  readonly rest: readonly string[]
}

/** The longest name that the arguments begin with: `bus status` before `bus`. */
export function findCommand(argv: readonly string[]): Found {
  const [first = '', second] = argv
  const long = `${first} ${second}`
  const name = BY_NAME.has(long) ? long : first
  return { name, command: BY_NAME.get(name), rest: argv.slice(name === first ? 1 : 2) }
}

/** `bus` has no command of its own, only those under it. */
export function isGroup(name: string): boolean {
  return VISIBLE_COMMANDS.some((other) => other.name.startsWith(`${name} `))
}
