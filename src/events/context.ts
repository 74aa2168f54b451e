/**
 * What was around an event: its ids, whose it is, the project and its git state. Made after the commit, never on the hook
 * path; the names are those that programs written for claude-hooks-sdk know.
 */

export interface GitFacts {
  readonly user?: string
  readonly email?: string
  /** Address of the remote, without credentials. */
  readonly repo?: string
  readonly branch?: string
  readonly commit?: string
  /** Something is not committed. Absent where nobody could say. */
  readonly dirty?: boolean
}

/** `written`: nobody saw what was there before. */
export type FileChangeKind = 'created' | 'modified' | 'deleted' | 'written'

export interface FileChange {
  readonly path: string
  readonly change: FileChangeKind
}

export interface EventContext {
  readonly transactionId: string
  readonly promptId?: string
  /** The first session of a chain of cleared and forked ones. */
  readonly conversationId?: string
  /** The session that a sub-agent, or a session inside a tool call, belongs to. */
  readonly parentSessionId?: string
  readonly agentId?: string
  readonly project_dir?: string
  readonly git?: GitFacts
  readonly sessionName?: string
  /** What the tool call of this event did to files. */
  readonly files?: readonly FileChange[]
  /** On a Stop: files that changed since the prompt. */
  readonly editedFiles?: readonly string[]
}
