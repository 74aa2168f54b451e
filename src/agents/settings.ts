/**
 * How an agent is wired: where its settings are, which of its events gantry asks for, and what stands in the file
 * for that. All of it is pure; src/install reads, shows and writes.
 *
 *   const wiring = claude.settings?.wiring({ version: '2.1.325', client, with: new Map(), statusLine: true })
 */
import type { HookClient } from './command-line.ts'
import { isAtLeast } from './versions.ts'

export type Env = Readonly<Record<string, string | undefined>>
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export interface AgentSettings {
  /** What people call it. */
  readonly title: string
  /** Names of its program on PATH. */
  readonly programs: readonly string[]
  /** Where its own installer puts the program, besides PATH. */
  programPlaces?(env: Env, user: string): readonly string[]
  readonly npmPackage: string
  /** The user's own settings folder; `user` is the home folder. */
  folder(env: Env, user: string): string
  /** Versions whose events and handler forms are known, oldest first. */
  readonly versions: readonly [string, ...string[]]
  /** Every event that can be hooked, in the order in which it is written. */
  readonly hooks: readonly HookChoice[]
  wiring(input: WiringInput): Wiring
  /** What its reader takes beyond JSON in the file that hooks are merged into. For anything else it refuses the whole file. */
  readonly takes: readonly BeyondJson[]
  /** What in these settings is exactly ours, for when the receipt is lost: made again and compared, never guessed. */
  recognise(settings: unknown, client: HookClient): readonly Written[]
  /** Why no hook runs although it is written, as these settings say. */
  switchedOff?(settings: unknown): string | undefined
  /** Files with hooks of other people, relative to the settings folder and to a project; `*` in the last name. */
  readonly hookFiles: { readonly user: readonly string[]; readonly project: readonly string[] }
  /** How to ask the agent itself whether it lets our hooks run. */
  readonly trust?: TrustQuestion
  /** What a version before the oldest known may need, since it may run no hook at all. */
  older?(client: HookClient): string
  /** What the user has to do after hooks were written. */
  readonly next?: string
}

export type BeyondJson = 'a comment' | 'a trailing comma' | 'a byte order mark'

export interface HookChoice {
  readonly event: string
  /** The oldest version it was seen on. */
  readonly since: string
  /** Why it is not wired unless asked for. */
  readonly off?: string
  /** Why it is never wired. */
  readonly never?: string
  /** It needs to be told what to watch: `--with FileChanged=.env`. */
  readonly needsMatcher?: true
  /** Its answer can change what the agent does, so the daemon may hold it for an approval. */
  readonly held?: true
}

export interface WiringInput {
  /** As found; undefined is taken for the oldest known. */
  readonly version: string | undefined
  readonly client: HookClient
  /** Events asked for beyond the usual ones, with their matcher. */
  readonly with: ReadonlyMap<string, string | undefined>
  readonly statusLine: boolean
}

export type Wiring = MergedWiring | OwnWiring | RefusedWiring

/** Anything written for this version could do harm. */
export interface RefusedWiring {
  readonly kind: 'refused'
  readonly why: string
}

/** Entries among other people's in a JSON file. */
export interface MergedWiring {
  readonly kind: 'merge'
  /** Relative to the settings folder. */
  readonly file: string
  readonly events: readonly string[]
  readonly entries: readonly Entry[]
}

/** A file of which every byte is ours. */
export interface OwnWiring {
  readonly kind: 'own'
  readonly file: string
  readonly events: readonly string[]
  readonly text: string
  /** Whether a file that is already there was written by some gantry. */
  isOurs(text: string): boolean
}

export type Entry =
  /** One more element at the end of the array at `path`. */
  | { readonly kind: 'append'; readonly path: Path; readonly value: Json }
  /** A value made from the one that the user has at `path`; undefined leaves it alone. */
  | { readonly kind: 'chain'; readonly path: Path; make(previous: unknown): Piece | undefined }

export type Path = readonly string[]

/** A value and where it goes: at the entry's path or somewhere below it. */
export interface Piece {
  readonly path: Path
  readonly value: Json
  /** What it means to the user. */
  readonly means: string
}

/** An entry as it stands in a file. */
export type Written =
  | { readonly kind: 'append'; readonly path: Path; readonly value: Json }
  /** `previous` is what the user had there; without it there was nothing. */
  | { readonly kind: 'set'; readonly path: Path; readonly value: Json; readonly previous?: Json }

/** A program that speaks JSON lines on stdio, as language servers do. */
export interface TrustQuestion {
  readonly args: readonly string[]
  /** Lines to send at once. */
  lines(cwd: string): readonly string[]
  /** Trust of each of our hooks, once the line with the answer came. */
  read(line: string, client: HookClient): readonly HookTrust[] | undefined
}

export interface HookTrust {
  readonly event: string
  readonly trusted: boolean
  /** The agent's own word for it. */
  readonly status: string
}

/** A table of choices from an agent's table of events; `none` are entries of that table that are not hooks. */
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

/** The events to wire: known to this version, and wanted by default or asked for. */
export function chooseHooks(
  { hooks, versions }: Pick<AgentSettings, 'hooks' | 'versions'>,
  { version, with: more }: Pick<WiringInput, 'version' | 'with'>,
): readonly HookChoice[] {
  return knownHooks({ hooks, versions }, version).filter(
    ({ event, off, never }) => never === undefined && (off === undefined || more.has(event)),
  )
}

/** All events that this version can be hooked on. One that nobody knows, or an older one, counts as the oldest known. */
export function knownHooks(
  { hooks, versions: [oldest] }: Pick<AgentSettings, 'hooks' | 'versions'>,
  version: string = oldest,
): readonly HookChoice[] {
  const taken = isAtLeast(version, oldest) ? version : oldest
  return hooks.filter(({ since }) => isAtLeast(taken, since))
}

/** Elements of `hooks.<Event>` that are ours. */
export function recogniseGroups(settings: unknown, isOurs: (group: unknown) => boolean): Written[] {
  const hooks = isRecord(settings) ? settings.hooks : undefined
  if (!isRecord(hooks)) return []
  return Object.entries(hooks).flatMap(([event, groups]) =>
    Array.isArray(groups)
      ? groups
          .filter(isOurs)
          .map((value): Written => ({ kind: 'append', path: ['hooks', event], value: value as Json }))
      : [],
  )
}

/** The one handler of a group `{ matcher?, hooks: [handler] }`; ours never have two. */
export function onlyHandler(group: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(group) || !Array.isArray(group.hooks) || group.hooks.length !== 1) return undefined
  const [handler] = group.hooks
  return isRecord(handler) ? handler : undefined
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Relative paths are nobody's settings: an agent would look for them in each working folder. */
export function folderFrom(value: string | undefined, fallback: string): string {
  return value?.startsWith('/') ? value : fallback
}
