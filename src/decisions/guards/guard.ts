/**
 * A guard: what it protects from, what it does at each preset, and how it finds it in the effects of a command. It is a row of
 * data with one pure function; its examples stand inside of it, and a test holds it to them.
 */
import type { ToolCall } from '../tool-calls.ts'
import type { Call } from './call.ts'
import type { Mode } from './config.ts'

export interface Guard {
  readonly id: string
  /** What it protects from, as a line of a list. */
  readonly about: string
  readonly standard: Mode
  readonly strict: Mode
  /** What the agent can do instead. Commands stand in backticks; no guard objects to them. */
  readonly instead: string
  /** Looks at each call of these programs, and says in a few words what it found. */
  readonly programs?: readonly string[]
  call?(call: Call, facts: Facts): string | undefined
  /** Looks at the whole. */
  finds?(facts: Facts): string | undefined
  readonly examples: { readonly match: readonly string[]; readonly noMatch: readonly string[] }
}

/** What guards ask of one tool call. */
export interface Facts extends ToolCall {
  readonly calls: readonly Call[]
  readonly own: OwnFiles
}

/** Files that guards protect for gantry's sake; absolute. */
export interface OwnFiles {
  /** Folders of gantry: its configuration, its state, its socket. */
  readonly gantry: readonly string[]
  /** Whoever has one of these can answer for the owner. */
  readonly keys: readonly string[]
  /** Names of the files in which agents keep their hooks, relative to any folder; `*` in the last name. */
  readonly hooks: readonly string[]
  /** Files in which agents keep their logins. */
  readonly credentials: readonly string[]
  /** Folders with agents' settings, relative to any folder; absolute if they are outside of the home. */
  readonly agentFolders: readonly string[]
  /** Agents by each name that starts one. */
  readonly agents: ReadonlyMap<string, AgentStart>
}

/** What makes an agent work without permissions or hooks when it starts. */
export interface AgentStart {
  readonly bypasses: readonly string[]
  /** Variables that say where its settings are, or that switch hooks off. */
  readonly variables: ReadonlySet<string>
}

export interface Finding {
  readonly guard: Guard
  readonly found: string
}
