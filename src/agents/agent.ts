/** The record of an agent: every fact that gantry knows about it. */
import type { HookEvent, HookReply, RawEvent, Verdict } from '../events/index.ts'
import type { AgentSettings } from './settings.ts'
import type { MessagePart } from './transcripts/messages.ts'
import type { TranscriptReader } from './transcripts/transcript.ts'

/**
 * Facts that are plain data. `npm run docs` copies them to `facts.gen.ts`, so the hook client, the reducer and the terminal
 * can use them without loading any agent's code.
 */
export interface AgentFacts {
  /** Also the name of its folder. */
  readonly id: string
  /** One column wide; represents the agent in lists. */
  readonly glyph: string
  /** Variables that the hook client forwards. None may hold a secret. */
  readonly env: readonly string[]
  /** The subset of `env` that stays true on replay: values that refer to no process, pane or file. */
  readonly lastingEnv?: readonly string[]
  /** The variable in `env` that names the project folder. */
  readonly projectVariable?: string
  /** The variable in `env` that names the agent's process. */
  readonly pidVariable?: string
  /** Hooks run inside the agent's own process, so the hook client's process is the agent. */
  readonly inProcess?: true
  /** Variables that are set in everything the agent runs, and in no person's own shell. */
  readonly marks: readonly string[]
  /** Its tools by purpose. A tool name means the same for every agent. */
  readonly tools?: ToolNames
  /** Names of instruction files that the agent loads by itself. */
  readonly ownFiles?: readonly string[]
  /** Types of its notifications that ask for a permission, if it has no PermissionRequest. */
  readonly asksBy?: readonly string[]
  /** Fields of the tool input that appear in a permission request but not in the call itself. */
  readonly askOnlyFields?: readonly string[]
  /** The agent clears its context if the answer to a Stop says so; it needs no restart for that. */
  readonly clearsContext?: true
  /** The native event that reports a whole turn when it is over, its prompt included, also where no hook runs. */
  readonly turnReport?: string
}

export interface ToolNames {
  /** Run a command line of sh. */
  readonly shell?: readonly string[]
  /** Type text into a shell that is running. */
  readonly typing?: readonly string[]
  /** Run a command line of another shell. */
  readonly otherShell?: readonly string[]
  /** The call asks a person: the session is blocked until it ends. */
  readonly question?: readonly string[]
  /** The same, about a plan. */
  readonly plan?: readonly string[]
  /** The call may ask a person, but does not tell whether it waits for an answer. */
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

/** An agent with its reader, answers, settings and transcripts. The rest of gantry knows only `HookEvent` and `Verdict`. */
export interface Agent extends AgentFacts {
  /** Native payload in, canonical event out. Pure; never throws; unknown fields stay in `fields`. */
  read(payload: unknown, from: RawEvent): HookEvent
  /** Translates a verdict for this agent. What the agent cannot express is degraded and reported. */
  answer(event: HookEvent, verdict: Verdict): Answer
  /**
   * When the agent shows its own permission dialog: `concurrent` if beside the running hook, where the first answer wins,
   * or `after-hook` if only once the hook has ended. Undefined if a hook cannot answer the permission. `isWaitedFor`: the main
   * thread asks, or a sub-agent that the main thread waits for.
   */
  permissionPrompt?(event: HookEvent, isWaitedFor: boolean): 'concurrent' | 'after-hook' | undefined
  /** Native event name → what is known about it. The tables in the docs are made from this. */
  readonly events: Readonly<Record<string, NativeEvent>>
  /** Native fields that any of its events may have. */
  readonly commonFields?: readonly string[]
  /** Maximum characters of context in one answer; `answer` drops the rest and says so. */
  readonly contextLimit?: number
  /** For docs/verdicts.md: what its table does not show. */
  readonly answerNote?: string
  /** Facts that the transcript has and the hooks lack. */
  readonly transcript?: TranscriptReader
  /** For an agent without a transcript: reads each model request from its events of one type. */
  readonly requests?: { readonly type: string; partsOf(event: HookEvent): readonly MessagePart[] }
  /** A file with the agent's own state, written sooner than its transcript. */
  readonly status?: StatusReader
  /** The variable that names the tool call in the environment of each command the agent runs. */
  readonly callVariable?: string
  /** A file that lists open sessions, written sooner than the hooks run. */
  readonly presence?: PresenceReader
  /** How a person triggers events, by native name, where the words for the canonical type do not fit. */
  readonly triggers?: Readonly<Record<string, string>>
  /** For events with two names: each alias, and the name that gantry shows. */
  readonly otherNames?: ReadonlyMap<string, string>
  /** The hook that ends a session, unless it is `SessionEnd` with a `session_id`. */
  endOf?(sessionId: string): { readonly event: string; readonly payload: unknown }
  /** The command line for a new conversation that starts with this prompt; undefined if the agent must not be restarted. */
  freshArguments?(args: readonly string[], prompt: string): Promise<FreshArguments | undefined>
  /** How hooks are installed; without it they cannot be. */
  readonly settings?: AgentSettings
}

export interface NativeEvent {
  /** The canonical type it becomes. */
  readonly type: string
  /** Native fields seen on it, beyond the agent's common ones. */
  readonly fields: readonly string[]
  /** The oldest version of the agent that was seen to send it. */
  readonly since?: string
}

/** Arguments after the program's name. */
export interface FreshArguments {
  readonly args: readonly string[]
  /** The agent exits by itself when the work is done. */
  readonly headless: boolean
}

export interface Answer {
  readonly reply: HookReply
  /** Parts of the verdict that this agent cannot express here, e.g. `ask` or `rewrite`. Counted and shown. */
  readonly degraded?: readonly string[]
  /** It ends the turn, and no hook reports that. */
  readonly endsTurn?: true
}

/** A status file that an agent writes while it runs: whether it works, asks, or waits for a prompt. */
export interface Status {
  readonly sessionId: string
  readonly status: 'busy' | 'waiting' | 'idle'
  /** Start time of the status, by the agent's clock. */
  readonly at: number
}

export interface StatusReader {
  /** The file of one process. */
  path(env: Readonly<Record<string, string | undefined>>, home: string, pid: number): string
  /** Undefined if the text is incomplete or the status unknown. */
  read(text: string): Status | undefined
}

/** Files in which an agent lists the open sessions of its terminals, before any hook runs. */
export interface PresenceReader {
  /** The agent's own folder. */
  folder(env: Readonly<Record<string, string | undefined>>, home: string): string
  /** The file in it that changes whenever a session is opened or closed. */
  readonly file: string
  /** The open sessions; none if the text is incomplete. */
  read(text: string): readonly Opened[]
  /** A session's folder, relative to the agent's. */
  placeOf(sessionId: string): string
  /** The file there that tells where the session runs. */
  readonly about: string
  /** Parses the file names there and the content of that file. */
  whereabouts(names: readonly string[], about: string): { readonly pid?: number; readonly cwd?: string }
}

export interface Opened {
  readonly sessionId: string
  /** The time of opening, by the agent's clock. */
  readonly at: number
}
