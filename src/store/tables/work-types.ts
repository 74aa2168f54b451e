/** Rows of the work engine, with JSON columns parsed. */
export interface ProjectRow {
  readonly id: number
  readonly path: string
  readonly name: string
}

export interface TaskRow {
  readonly dirPath: string
  readonly projectId: number
  readonly title: string
  readonly keywords: readonly string[]
}

export interface EffortRow {
  readonly id: number
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
}

export interface WorkSessionRow {
  readonly id: number
  readonly effortId: number
  readonly prevSessionId: number | null
  readonly agent: string
  readonly nativeId: string
  /** A sub-agent's id; empty for the session itself. */
  readonly agentId: string
  readonly heartbeatCounter: number
  readonly contextUsage: number
  readonly loadedFiles: readonly string[]
  readonly dehydrationPayload: string | null
  readonly runId: string | null
  /** The window whose payload it received, 0 if it was informed otherwise; null while it was not informed. */
  readonly recoveredFrom: number | null
  readonly startedAt: number
  readonly endedAt: number | null
  readonly endReason: string | null
}

export interface MessageRow {
  readonly sessionId: number
  readonly role: string
  readonly content: string
  readonly toolName: string | null
  readonly at: number
}

export interface AgentRow {
  readonly id: string
  readonly label: string
  readonly effortId: number | null
  readonly status: string
  readonly detail: string | null
  readonly updatedAt: number
}

export interface PhaseRow {
  readonly phase: string
  readonly at: number
}
