/** What the calls of the work engine answer: efforts, their context windows, tasks, the agents that work on them. */

export interface EffortView {
  readonly id: number
  /** Folder of the task. */
  readonly taskId: string
  readonly agentId: string | null
  readonly skill: string
  readonly mode: string | null
  readonly ordinal: number
  readonly lifecycle: 'active' | 'finished'
  readonly currentPhase: string | null
  readonly discoveredDirectives: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>>
  readonly createdAt: number
  readonly finishedAt: number | null
  readonly title: string
  /** Sub-agents aside. */
  readonly windows: number
  readonly openSessions: number
  readonly heartbeat: number
  /** Share of the context, 0 to 1. */
  readonly contextUsage: number
  readonly dehydrated: boolean
}

export interface EffortDetail extends EffortView {
  readonly phases: readonly { readonly phase: string; readonly at: number }[]
  readonly sessions: readonly WindowView[]
  /** The newest, oldest first. */
  readonly messages: readonly MessageView[]
  readonly artifacts: readonly { readonly name: string; readonly path: string }[]
  /** The numbers in force for it. */
  readonly settings: {
    readonly heartbeat_warn: number
    readonly heartbeat_block: number
    readonly heartbeat_denials: number
    readonly overflow_warn: number
    readonly overflow_dehydrate: number
  }
}

/** What `effort.start` answers: the effort, and whom it is about. */
export interface EffortBegun extends EffortView {
  /** Folder of the project. */
  readonly project: string
  /** Names of the sessions that work on it already. */
  readonly sessionsHere: readonly string[]
  readonly settings: EffortDetail['settings']
}

/** One context window of a session, or a sub-agent's. */
export interface WindowView {
  readonly id: number
  readonly effortId: number
  readonly prevSessionId: number | null
  readonly agent: string
  readonly nativeId: string
  /** Empty for the session itself. */
  readonly agentId: string
  readonly heartbeatCounter: number
  readonly contextUsage: number
  readonly loadedFiles: readonly string[]
  readonly dehydrationPayload: string | null
  readonly runId: string | null
  /** The window whose payload it was told, 0 for other words; null while it was told nothing of those before. */
  readonly recoveredFrom: number | null
  readonly startedAt: number
  readonly endedAt: number | null
  readonly endReason: string | null
}

export interface MessageView {
  readonly sessionId: number
  readonly role: string
  readonly content: string
  readonly toolName: string | null
  readonly at: number
}

export interface TaskView {
  readonly dirPath: string
  readonly projectId: number
  readonly title: string
  readonly keywords: readonly string[]
  readonly active: boolean
  readonly efforts: readonly EffortView[]
}

export interface AgentView {
  readonly id: string
  readonly label: string
  readonly effortId: number | null
  readonly status: string
  readonly detail: string | null
  readonly updatedAt: number
}

export interface FleetView {
  /** The most urgent of all. */
  readonly status: string
  readonly agents: readonly AgentView[]
}

export interface SignalView {
  readonly n: number
  readonly kind: 'CHILD' | 'WORK'
  readonly about: string
  readonly detail?: string
  readonly effort?: number
  readonly at: number
}

export interface AwaitedView {
  readonly result: 'CHILD' | 'WORK' | 'TIMEOUT'
  readonly signals: readonly SignalView[]
}
