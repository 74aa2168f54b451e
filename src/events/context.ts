/**
 * Context of an event: its ids, parent, project and git state. Made after the commit, never on the hook path. The field
 * names are those of claude-hooks-sdk.
 */

export interface GitFacts {
  readonly user?: string
  readonly email?: string
  /** URL of the remote, without credentials. */
  readonly repo?: string
  readonly branch?: string
  readonly commit?: string
  /** There are uncommitted changes. Absent if unknown. */
  readonly dirty?: boolean
}

/** `written`: whether the file existed before is unknown. */
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
  /** The parent session of a sub-agent, or of a session started inside a tool call. */
  readonly parentSessionId?: string
  readonly agentId?: string
  readonly project_dir?: string
  readonly git?: GitFacts
  readonly sessionName?: string
  /** File changes made by this event's tool call. */
  readonly files?: readonly FileChange[]
  /** On a Stop: files that changed since the prompt. */
  readonly editedFiles?: readonly string[]
}
