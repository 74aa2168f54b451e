/**
 * What a command is, as data. Usage, `--help`, completions, the manual and docs/commands.md are made of it, and the
 * command gets its options and arguments checked and typed by it.
 *
 *   export const tail = define({
 *     name: 'tail',
 *     summary: 'Print the last events',
 *     args: [{ name: 'session', kind: 'session' }],
 *     options: { limit: { kind: 'count', short: 'n', default: 20, help: 'Print at most this many' } },
 *     examples: { 'gantry tail': 'Prints 20 events' },
 *   })
 *   export const commands = [command(tail, () => import('./tail.ts'))]
 *
 *   // tail.ts
 *   export async function run({ args, flags }: Input<typeof commands.tail>) { … }   // flags.limit is a number
 */
import type { BusDeliver, BusStreamName } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'

/** The kinds of values, and what a command gets of each. `kinds.ts` checks them, `cli/terminal/complete.ts` completes them. */
export interface Values {
  readonly text: string
  readonly choice: string
  /** A whole number, from `least` (1) to `most`. */
  readonly count: number
  /** Any number above 0. */
  readonly number: number
  /** `90s`, in milliseconds. */
  readonly duration: number
  /** A time span ago or an ISO time, in milliseconds. */
  readonly time: number
  /** Where to begin in a stream. */
  readonly position: BusDeliver
  readonly stream: BusStreamName
  readonly effort: number
  readonly file: string
  readonly dir: string
  readonly command: string
  readonly session: string
  readonly approval: string
  readonly agent: string
  readonly type: string
  readonly channel: string
  readonly consumer: string
  readonly handler: string
  readonly webhook: string
  readonly guard: string
  /** A key of gantry.toml. */
  readonly key: string
  /** The value of the key before it. */
  readonly setting: string
}

export type Kind = keyof Values

export interface Value {
  readonly kind: Kind
  /** The word for it in the usage, where that of its kind is not enough. */
  readonly value?: string
  /** Of the kind `choice`. */
  readonly choices?: readonly string[]
  readonly least?: number
  readonly most?: number
  /** Words that stand for a number, such as `all`. */
  readonly also?: Readonly<Record<string, number>>
}

interface Flag {
  readonly kind: 'flag'
  readonly short?: string
  readonly help: string
}

interface ValueOption extends Value {
  readonly short?: string
  readonly help: string
  readonly multiple?: true
  readonly required?: true
  /** As it would be typed. */
  readonly default?: string | number
}

export type Option = Flag | ValueOption

export interface Argument extends Value {
  readonly name: string
  readonly required?: true
  /** It takes all words that are left: as a list, or joined to one text. */
  readonly many?: 'list' | 'text'
  /** What to say when it is missing. */
  readonly missing?: string
}

export interface Definition {
  readonly name: string
  /** One line, verb first. */
  readonly summary: string
  readonly args?: readonly Argument[]
  readonly options?: Readonly<Record<string, Option>>
  /** Options of which only one may be given, or has to be. */
  readonly oneOf?: { readonly names: readonly string[]; readonly required?: true }
  /** Command lines, and what each does. */
  readonly examples?: Readonly<Record<string, string>>
  /** The part of the configuration that it shows: if that part is refused, it says so and exits 1. */
  readonly shows?: 'config' | 'rules'
  /** An agent may run it as a hook: exit 2 then blocks, so a mistake in its usage is exit 1. */
  readonly blocksByExit2?: true
  /** From its first word on, the command line belongs to another program. */
  readonly passesOn?: true
  /** For gantry itself: in no list. */
  readonly hidden?: true
}

export interface Command extends Definition {
  /** What runs it. */
  load(): Promise<(input: Input<Definition>) => Promise<number>>
}

export const COMMON_OPTIONS = {
  home: { kind: 'dir', help: 'Use this folder instead of GANTRY_HOME or the XDG folders' },
  help: { kind: 'flag', short: 'h', help: 'Show this help' },
  verbose: { kind: 'flag', help: 'Show the cause of an error' },
} as const satisfies Readonly<Record<string, Option>>

type Read<V> = V extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : V extends { readonly kind: infer K extends Kind }
    ? Values[K]
    : never

type OptionValue<O> = O extends { readonly kind: 'flag' }
  ? boolean
  : O extends { readonly multiple: true }
    ? readonly Read<O>[]
    : O extends { readonly required: true } | { readonly default: string | number }
      ? Read<O>
      : Read<O> | undefined

type ArgumentValue<A> = A extends { readonly many: 'text' }
  ? string
  : A extends { readonly many: 'list' }
    ? readonly Read<A>[]
    : A extends { readonly required: true }
      ? Read<A>
      : Read<A> | undefined

type FlagsOf<Options> = { readonly [Name in keyof Options]: OptionValue<Options[Name]> }

/** What a command is run with. */
export interface Input<D> {
  readonly args: D extends { readonly args: infer Args extends readonly Argument[] }
    ? { readonly [A in Args[number] as A['name']]: ArgumentValue<A> }
    : unknown
  readonly flags: FlagsOf<typeof COMMON_OPTIONS> &
    (D extends { readonly options: infer Options } ? FlagsOf<Options> : unknown)
  readonly places: Places
  /** Why the part of the configuration that it shows is refused; the user was told. */
  readonly refused?: string
}

export function flag(help: string, short?: string): Flag {
  return { kind: 'flag', help, ...(short === undefined ? {} : { short }) }
}

export function define<const D extends Definition>(definition: D): D {
  return definition
}

/** A definition with the module that runs it, which is loaded only then, and the name of the function there. */
export function command<D extends Definition, Name extends string = 'run'>(
  definition: D,
  load: () => Promise<{ readonly [N in NoInfer<Name>]: (input: Input<D>) => Promise<number> }>,
  name = 'run' as Name,
): Command {
  return { ...definition, load: async () => (await load())[name] as Awaited<ReturnType<Command['load']>> }
}
