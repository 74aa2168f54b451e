/** What travels on the socket besides hook frames: calls and their envelope, and subscriptions. */
import type { HookEvent } from '../events/index.ts'
import type { SessionView } from '../sessions/state/index.ts'

export type { ChildView, SessionView } from '../sessions/state/index.ts'

/** An event as JSON; `rawBase64` stands in for `raw` when the payload was not valid UTF-8. */
export type WireEvent = Omit<HookEvent, 'raw'> & { readonly raw?: string; readonly rawBase64?: string }

/**
 * What a subscription to sessions says: all of them first, then one at a time. `seq` is the number of the change, one more
 * each time; a jump says that a slow reader was spared what lay between.
 */
export type SessionChange =
  | { readonly snapshot: { readonly seq: number; readonly sessions: readonly SessionView[] } }
  | { readonly seq: number; readonly session: SessionView }

export interface EventQuery {
  readonly session?: string
  readonly type?: string
  readonly agent?: string
  /** Only events of this sub-agent, by its id. */
  readonly subagent?: string
  /** All agents but this one; "gantry" are the events that it raises itself. */
  readonly except?: string
  /** UTC milliseconds. */
  readonly since?: number
  readonly after?: number
  readonly before?: number
  /** Case-insensitive text in the payload. */
  readonly grep?: string
  /** What is asked of one `gantry run`; whoever reads this is taken for its supervisor. */
  readonly run?: string
}

export interface Status {
  readonly version: string
  readonly pid: number
  readonly startedAt: number
  readonly socket: string
  readonly http: string | null
  readonly database: string
  readonly events: number
  readonly lastSeq: number
  readonly taken: number
  readonly unstored: number
  readonly fault: string | null
  readonly spooled: number
  /** Events that hooks could keep nowhere, as they noted it. */
  readonly lost: number
  /** Payloads that are no JSON object, or name no event; they are stored as they came. */
  readonly unreadable: number
  /** Hooks without a session id: stored, and no session shows them. */
  readonly sessionless: number
  /** Hooks of agents that gantry does not know: kept, and never answered. */
  readonly strangers: number
  readonly databaseBytes: number
  readonly memoryBytes: number
  readonly connections: number
  readonly subscribers: number
  /** The folder with gantry.toml and the rules. */
  readonly config: string
  /** What of gantry.toml is refused, and of the rules; the last good ones are in force. */
  readonly configProblem: string | null
  readonly rulesProblem: string | null
  /** What went wrong at the start or since, with what to do: a port that is taken, a broken database, NATS that is gone. */
  readonly problems: readonly Pick<Finding, 'about' | 'message' | 'fix'>[]
  readonly log: string
  /** Where the bus is on NATS, in a line. */
  readonly nats: string
  /** The nats-server that gantry runs by itself. */
  readonly natsServer: string | null
}

/** A message that NATS or a webhook would not take. */
export interface DeadLetter {
  readonly id: string
  /** `jetstream`, or `webhook:<name>`. */
  readonly target: string
  readonly stream: string
  readonly seq: number
  readonly session: string
  readonly attempts: number
  readonly error: string
  readonly deadAt: number
}

/** One line of `gantry doctor`. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly about: string
  readonly message: string
  /** What to do about it. */
  readonly fix?: string
  /** Many findings of one kind are shown as one. */
  readonly kind?: string
  /** How often it was seen, and when. */
  readonly seen?: { readonly count: number; readonly firstAt: number; readonly lastAt: number }
}

/** What is looked for in prompts, answers, commands, paths, tools and titles. */
export interface SearchQuery {
  /** Words that must all be there, `"words next to each other"`, and `begin*`. */
  readonly text: string
  readonly session?: string
  readonly agent?: string
  readonly type?: string
  /** UTC milliseconds. */
  readonly since?: number
  readonly order: 'newest' | 'best'
  readonly limit: number
}

export interface SearchHit {
  readonly seq: number
  readonly id: string
  readonly at: number
  readonly agent: string
  readonly session: string
  /** What the session is called, where that is known. */
  readonly name?: string
  readonly type: string
  readonly tool?: string
  /** What it was found in. */
  readonly kind: 'prompt' | 'answer' | 'command' | 'path' | 'tool' | 'error' | 'title'
  /** One line of it. */
  readonly snippet: string
  /** Where in the snippet the words are: beginnings and ends. */
  readonly matches: readonly (readonly [number, number])[]
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[]
  /** There are more than were asked for. */
  readonly more: boolean
  /** Events that are not in the index yet. */
  readonly behind: number
}
