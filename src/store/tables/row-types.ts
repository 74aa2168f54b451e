/** Rows that calls return as they are, with JSON columns parsed. Types only: the page and the SDK know them, too. */
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

export interface NotificationRow {
  /** Identifies the cause; stays the same as long as the cause persists. */
  readonly occasion: string
  readonly channel: string
  readonly reason: string
  readonly session: string
  readonly title: string
  readonly body: string
  readonly at: number
  /** `sending` if the daemon was killed meanwhile. */
  readonly outcome: 'sending' | 'sent' | 'failed' | 'skipped'
  /** Why it failed or was skipped. */
  readonly detail: string
}

/** One kind of payload: an event of an agent version; tool events by tool. */
export interface ShapeKey {
  readonly agent: string
  /** Empty if the agent does not report it. */
  readonly version: string
  readonly event: string
  /** Empty for events without a tool. */
  readonly tool: string
}

/** A difference that was found, and whether it was accepted. */
export interface DriftRow extends ShapeKey {
  readonly key: string
  readonly path: string
  readonly kind: string
  readonly severity: string
  readonly was: string | null
  readonly now: string | null
  /** The whole difference in words. */
  readonly message: string
  /** Id of the event in which it was found. */
  readonly cause: string
  readonly at: number
  readonly acceptedAt: number | null
}

/** What a day, an agent, a model and a project used. */
export interface UsageSum {
  readonly day: string
  readonly agent: string
  readonly model: string
  readonly project: string
  readonly requests: number
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  readonly costUsd: number
  /** Requests without a known price; they are not in the cost. */
  readonly unpriced: number
}

/** A durable consumer of a stream, besides how far it has come. */
export interface ConsumerFacts {
  readonly stream: string
  readonly name: string
  readonly filter: string
  readonly ackWaitMs: number
  readonly maxInFlight: number
  readonly createdAt: number
  readonly activeAt: number
}
