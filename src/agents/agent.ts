/** The record of an agent: every fact that gantry knows about it. */
import type { HookEvent, HookReply, RawEvent, Verdict } from '../events/index.ts'
import type { MessagePart } from './messages.ts'
import type { PresenceReader } from './presence.ts'
import type { AgentSettings } from './settings.ts'
import type { StatusReader } from './status-file.ts'
import type { TranscriptReader } from './transcript.ts'

/**
 * Facts that are plain data. `npm run docs` copies them to `facts.gen.ts`, so that the hook client, the reducer and the
 * terminal have them without loading any agent's code.
 */
export interface AgentFacts {
  /** Also the name of its folder here. */
  readonly id: string
  /** One column wide; stands for the agent in lists. */
  readonly glyph: string
  /** Variables that the hook client passes on. Never one that may hold a secret. */
  readonly env: readonly string[]
  /** Those of them that stay true when an event is replayed: they lead to no process, pane or file. */
  readonly lastingEnv?: readonly string[]
  /** The one of them that names the project's folder. */
  readonly projectVariable?: string
  /** The one of them that names the agent's process. */
  readonly pidVariable?: string
  /** Its hooks run inside of its own process, so the hook client's process is the agent. */
  readonly inProcess?: true
  /** Variables that are set in whatever the agent runs, and in no person's own shell. */
  readonly marks: readonly string[]
  /** What its tools do, by name. A name means the same with every agent. */
  readonly tools?: ToolNames
  /** Files with instructions that it loads by itself, wherever they are. */
  readonly ownFiles?: readonly string[]
  /** Types of its notifications that ask for a permission, where it has no PermissionRequest. */
  readonly asksBy?: readonly string[]
  /** Fields that the tool input has in a permission request, and not in the call that it is about. */
  readonly askOnlyFields?: readonly string[]
  /** It clears its context when the answer to a Stop says so, so it never has to be restarted for that. */
  readonly clearsContext?: true
}

export interface ToolNames {
  /** Run a command line of sh. */
  readonly shell?: readonly string[]
  /** Run a command line of another shell. */
  readonly otherShell?: readonly string[]
  /** Ask a person by being called: the session is blocked until the call ends. */
  readonly question?: readonly string[]
  /** The same, about a plan. */
  readonly plan?: readonly string[]
  /** Ask a person, too, but a call does not tell whether somebody is waited for. */
  readonly asking?: readonly string[]
  /** Start a sub-agent. */
  readonly subagent?: readonly string[]
  /** Write the whole list of things to do. */
  readonly todos?: readonly string[]
  /** Read a file. */
  readonly read?: readonly string[]
  /** Create a file, or replace all of it. */
  readonly write?: readonly string[]
  /** Change a part of a file. */
  readonly edit?: readonly string[]
  /** Change files by a patch of the form "*** Update File: …". */
  readonly patch?: readonly string[]
  /** Look through a folder. */
  readonly search?: readonly string[]
}

/** What one agent speaks. The rest of gantry knows only `HookEvent` and `Verdict`. */
export interface Agent extends AgentFacts {
  /** Native payload in, canonical event out. Pure; never throws; what it does not know stays in `fields`. */
  read(payload: unknown, from: RawEvent): HookEvent
  /** Our verdict in the words this agent understands; what it cannot say is degraded and reported. */
  answer(event: HookEvent, verdict: Verdict): Answer
  /**
   * What the person sees while a hook decides on this permission: its own dialog `meanwhile`, and whoever answers first
   * wins; or nothing before the hook has ended (`after`). Undefined where a hook cannot answer it. `isWaitedFor`: it is the
   * main thread that asks, or a sub-agent that the main thread stands still for.
   */
  permissionPrompt?(event: HookEvent, isWaitedFor: boolean): 'concurrent' | 'after-hook' | undefined
  /** Native event name → what is known about it. The tables in the docs are made from this. */
  readonly events: Readonly<Record<string, NativeEvent>>
  /** Native fields that any of its events may have. */
  readonly commonFields?: readonly string[]
  /** Characters of context that one answer may carry; `answer` leaves out what is beyond and says so. */
  readonly contextLimit?: number
  /** What its transcript tells beyond its hooks. */
  readonly transcript?: TranscriptReader
  /** Where there is no transcript: what its events of one type tell of each request to the model. */
  readonly requests?: { readonly type: string; partsOf(event: HookEvent): readonly MessagePart[] }
  /** What it writes of its own state, sooner than its transcript. */
  readonly status?: StatusReader
  /** The variable that names the tool call in the environment of each command that it runs. */
  readonly callVariable?: string
  /** What it writes of its open sessions, sooner than its hooks tell of them. */
  readonly presence?: PresenceReader
  /** The names of events that have two, each with the one that gantry shows. */
  readonly otherNames?: ReadonlyMap<string, string>
  /** The hook that ends a session, where it is not `SessionEnd` with a `session_id`. */
  endOf?(sessionId: string): { readonly event: string; readonly payload: unknown }
  /** Its command line for a new conversation that starts with this prompt; undefined if it must not be started again. */
  freshArguments?(args: readonly string[], prompt: string): Promise<FreshArguments | undefined>
  /** How it is wired; without it, it cannot be. */
  readonly settings?: AgentSettings
}

export interface NativeEvent {
  /** The canonical type it becomes. */
  readonly type: string
  /** Native fields it was seen with, beyond those all events of this agent share. */
  readonly fields: readonly string[]
  /** The oldest version of the agent it was seen on. */
  readonly since?: string
}

/** What follows the program's name. */
export interface FreshArguments {
  readonly args: readonly string[]
  /** It ends by itself when the work is done. */
  readonly headless: boolean
}

export interface Answer {
  readonly reply: HookReply
  /** What of the verdict this agent cannot express here, e.g. `ask` or `rewrite`. Counted and shown. */
  readonly degraded?: readonly string[]
}
