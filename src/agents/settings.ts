/**
 * How gantry's hooks are installed: where the agent's settings are, which events are hooked, and what is written. All of it
 * is pure; src/install reads, shows and writes.
 *
 *   const wiring = claude.settings?.wiring({ version: '2.1.325', client, with: new Map(), statusLine: true })
 */
import { isObject } from '../core/is-object.ts'
import type { Bundle, BundleInput } from './bundle.ts'
import type { HookClient } from './command-line.ts'
import { isAtLeast } from './versions.ts'

export type Env = Readonly<Record<string, string | undefined>>
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export interface AgentSettings {
  /** The name that people use. */
  readonly title: string
  /** Names of its program on PATH. */
  readonly programs: readonly string[]
  /** Where its own installer puts the program, besides PATH. */
  programPlaces?(env: Env, user: string): readonly string[]
  readonly npmPackage: string
  /** The user's settings folder; `user` is the home folder. */
  folder(env: Env, user: string): string
  /** Versions with known events and handler forms, oldest first. */
  readonly versions: readonly [string, ...string[]]
  /** Every event that can be hooked, in the order of writing. */
  readonly hooks: readonly HookChoice[]
  wiring(input: WiringInput): Wiring
  /**
   * JSON extensions that the agent accepts in the file into which hooks are merged. It refuses the whole file for any
   * other.
   */
  readonly takes: readonly BeyondJson[]
  /** Finds exactly our entries if the receipt is lost: they are generated again and compared, never guessed. */
  recognise(settings: unknown, client: HookClient): readonly Written[]
  /** Why these settings keep installed hooks from running. */
  switchedOff?(settings: unknown): string | undefined
  /** Files that may hold other hooks, relative to the settings folder and to a project; `*` in the last name. */
  readonly hookFiles: { readonly user: readonly string[]; readonly project: readonly string[] }
  /** Files in which it keeps its login, relative to the settings folder. */
  readonly credentials: readonly string[]
  /**
   * Options that start it without asking for permissions, without its sandbox or without hooks, each as it is typed; with
   * the value if only that value does so, or with `!` before the one without which it does.
   */
  readonly bypasses: readonly string[]
  /** Variables that do the same. */
  readonly bypassVariables?: readonly string[]
  /** How to ask the agent whether it lets our hooks run. */
  readonly trust?: TrustQuestion
  /** Advice for versions before the oldest known, which may not support hooks at all. */
  older?(client: HookClient): string
  /** The same hooks as a plugin of the agent's own form. */
  bundle?(input: BundleInput): Bundle
  /** What the user must do after hooks were written. */
  readonly next?: string
}

export type BeyondJson = 'a comment' | 'a trailing comma' | 'a byte order mark'

export interface HookChoice {
  readonly event: string
  /** The oldest version on which it was seen. */
  readonly since: string
  /** Why it is installed only on request. */
  readonly off?: string
  /** Why it is never installed. */
  readonly never?: string
  /** Needs a pattern to watch: `--with FileChanged=.env`. */
  readonly needsMatcher?: true
  /** Its answer can change what the agent does, so the daemon may hold it for an approval. */
  readonly held?: true
}

export interface WiringInput {
  /** The installed version; undefined counts as the oldest known. */
  readonly version: string | undefined
  readonly client: HookClient
  /** Events requested beyond the default ones, with their matcher. */
  readonly with: ReadonlyMap<string, string | undefined>
  readonly statusLine: boolean
}

export type Wiring = MergedWiring | OwnWiring | RefusedWiring

/** Writing anything for this version could do harm. */
interface RefusedWiring {
  readonly kind: 'refused'
  readonly why: string
}

/** Entries merged into a JSON file among other people's. */
interface MergedWiring {
  readonly kind: 'merge'
  /** Relative to the settings folder. */
  readonly file: string
  readonly events: readonly string[]
  readonly entries: readonly Entry[]
}

/** A file that belongs to us entirely. */
interface OwnWiring {
  readonly kind: 'own'
  readonly file: string
  readonly events: readonly string[]
  readonly text: string
  /** Whether gantry wrote the existing file. */
  isOurs(text: string): boolean
}

export type Entry =
  /** Appends an element to the array at `path`. */
  | { readonly kind: 'append'; readonly path: Path; readonly value: Json }
  /** Derives a value from the user's own at `path`; undefined leaves it alone. */
  | { readonly kind: 'chain'; readonly path: Path; make(previous: unknown): Piece | undefined }

export type Path = readonly string[]

/** A value and its path: the entry's path or one below it. */
export interface Piece {
  readonly path: Path
  readonly value: Json
  /** Explanation for the user. */
  readonly means: string
}

/** An entry as found in a file. */
export type Written =
  | { readonly kind: 'append'; readonly path: Path; readonly value: Json }
  /** `previous` is the user's own value; absent if there was none. */
  | { readonly kind: 'set'; readonly path: Path; readonly value: Json; readonly previous?: Json }

/** A program that speaks JSON lines on stdio, like a language server. */
export interface TrustQuestion {
  readonly args: readonly string[]
  /** Lines to send at once. */
  lines(cwd: string): readonly string[]
  /** The trust of each of our hooks, once the line with the answer came. */
  read(line: string, client: HookClient): readonly HookTrust[] | undefined
}

export interface HookTrust {
  readonly event: string
  readonly trusted: boolean
  /** The agent's own term. */
  readonly status: string
}

/** Makes the table of choices from an agent's event table; `none` are entries that are not hooks. */
export function hookChoices(
  events: Readonly<Record<string, { readonly since?: string }>>,
  oldest: string,
  about: Readonly<Record<string, Omit<HookChoice, 'event' | 'since'>>>,
  none: readonly string[] = [],
): HookChoice[] {
  return Object.entries(events)
    .filter(([event]) => !none.includes(event))
    .map(([event, { since }]) => ({ event, since: since ?? oldest, ...about[event] }))
}

/** The events to install: known to this version, and enabled by default or requested. */
export function chooseHooks(
  { hooks, versions }: Pick<AgentSettings, 'hooks' | 'versions'>,
  { version, with: more }: Pick<WiringInput, 'version' | 'with'>,
): readonly HookChoice[] {
  return knownHooks({ hooks, versions }, version).filter(
    ({ event, off, never }) => never === undefined && (off === undefined || more.has(event)),
  )
}

/** All events that this version supports. An unknown or older version counts as the oldest known. */
export function knownHooks(
  { hooks, versions: [oldest] }: Pick<AgentSettings, 'hooks' | 'versions'>,
  version: string = oldest,
): readonly HookChoice[] {
  const taken = isAtLeast(version, oldest) ? version : oldest
  return hooks.filter(({ since }) => isAtLeast(taken, since))
}

/** Our elements of `hooks.<Event>`. */
export function recogniseGroups(settings: unknown, isOurs: (group: unknown) => boolean): Written[] {
  const hooks = isObject(settings) ? settings.hooks : undefined
  if (!isObject(hooks)) return []
  return Object.entries(hooks).flatMap(([event, groups]) =>
    Array.isArray(groups)
      ? groups
          .filter(isOurs)
          .map((value): Written => ({ kind: 'append', path: ['hooks', event], value: value as Json }))
      : [],
  )
}

/** The only handler of a group `{ matcher?, hooks: [handler] }`; ours never have two. */
export function onlyHandler(group: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(group) || !Array.isArray(group.hooks) || group.hooks.length !== 1) return undefined
  const [handler] = group.hooks
  return isObject(handler) ? handler : undefined
}

/** Ignores relative paths: an agent would resolve them against each working folder. */
export function folderFrom(value: string | undefined, fallback: string): string {
  return value?.startsWith('/') ? value : fallback
}
