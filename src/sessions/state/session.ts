/**
 * What is known of one session. Everything here follows from its events alone; the phase that people see is derived
 * from these facts (`phase.ts`), never stored beside them. Times are UTC milliseconds, and called `at`, `since`, `…At` or
 * `…Until`: by these names they are moved when the clock is set back (`set-back.ts`).
 */
export type AttentionKind = 'permission' | 'question' | 'plan' | 'elicitation' | 'idle' | 'error'

export interface Attention {
  readonly kind: AttentionKind
  readonly reason: string
  readonly tool?: string
  readonly since: number
  /** The tool call it waits for; it ends with that call and with no other. */
  readonly call?: string
  /** It was bound to the only call of its tool; one with this very print takes it over. */
  readonly print?: string
  /** The sub-agent that asks. */
  readonly agentId?: string
}

export interface OpenTool {
  /** The agent's id of the call, or one made from agent, tool and input where it gives none. */
  readonly call: string
  readonly name: string
  /** Agent, tool and input: how a permission without an id finds its call. */
  readonly print: string
  readonly since: number
  readonly agentId?: string
}

export interface Child {
  readonly agentId: string
  readonly type: string
  readonly startedAt: number
  readonly endedAt?: number
  /** A teammate that waits for work; it goes on with its next call. */
  readonly idle?: true
  /** Its agent said that it works by itself: nobody waits for it, and a turn that is broken off leaves it. */
  readonly background?: true
  /** One of a team: between two tasks it rests, and does not end. */
  readonly teammate?: true
  /** The sub-agent above it; absent where that is the session itself. */
  readonly parentId?: string
  /** The tool call that started it. */
  readonly call?: string
  /** It is that call, and ends with it. */
  readonly inCall?: true
  /** Which call started it was concluded; Claude says it of those that it sends to the background. */
  readonly inferred: boolean
}

export interface Background {
  readonly id: string
  readonly type?: string
  readonly description?: string
  /** It is over, and its agent is about to take up what came of it. */
  readonly endedAt?: number
}

export interface Usage {
  readonly contextPct?: number
  readonly tokens?: number
  /** How many tokens its context can hold, where its agent says so. */
  readonly contextWindow?: number
  readonly linesAdded?: number
  readonly linesRemoved?: number
  readonly costUsd?: number
  /** The agent does not say what it costs: this is its tokens at list prices. */
  readonly costEstimated?: true
}

/** One thing to do, in the agent's words; `status` is its own, too. */
export interface Todo {
  readonly id?: string
  readonly text: string
  readonly status: string
}

/** What the last turn was about and came to. */
export interface Summary {
  readonly title: string
  readonly text: string
  readonly at: number
}

export interface Cause {
  readonly seq: number
  readonly id: string
  readonly type: string
  readonly at: number
}

export interface Session {
  /** Agent and native session id: the key. */
  readonly key: string
  readonly id: string
  readonly agent: string
  readonly agentVersion?: string
  readonly name: string
  /** Names it had before; it is still found by them. */
  readonly aliases?: readonly string[]
  readonly generation: number
  /** When this generation began, by the source's clock; what is older cannot change it. */
  readonly generationAt: number
  readonly startedAt: number
  readonly endedAt?: number
  /** In the agent's word, `clear` for one. */
  readonly endReason?: string
  readonly lastActivity: number

  readonly starting: boolean
  readonly compacting: boolean
  readonly turn: {
    readonly open: boolean
    readonly startedAt?: number
    readonly stoppedAt?: number
    readonly graceUntil?: number
    /** That time was said to be over. */
    readonly settled?: true
  }
  readonly prompted: boolean
  readonly detail?: string
  readonly attention: readonly Attention[]
  readonly openTools: readonly OpenTool[]
  /** Calls that ended lately: their late beginnings are ignored. */
  readonly closedCalls: readonly {
    readonly call: string
    readonly print: string
    readonly name: string
    readonly at: number
    readonly agentId?: string
    /** The sub-agent that it sent off. */
    readonly spawned?: { readonly agentId: string; readonly teammate?: boolean | undefined }
  }[]
  readonly background: readonly Background[]
  readonly children: readonly Child[]
  /** Sub-agents that ended before they began: their late beginnings are ignored. */
  readonly stoppedChildren?: readonly { readonly agentId: string; readonly at: number }[]
  readonly error?: {
    readonly tool?: string
    readonly kind?: string
    readonly message: string
    /** The sub-agent whose call failed. */
    readonly agentId?: string
  }
  /** A person has looked at it since it stopped. */
  readonly seen: boolean

  readonly usage: Usage
  /** What it costs by thread, where sub-agents say so for themselves: '' is the main one. */
  readonly costs?: Readonly<Record<string, number>>
  readonly model?: string
  readonly cwd?: string
  readonly transcriptPath?: string
  readonly permissionMode?: string
  readonly pane?: string
  readonly tmux?: string
  /** Process of the agent itself; absent where it is not known, or cannot be seen. */
  readonly pid?: number
  readonly firstPrompt?: string
  readonly lastPrompt?: string
  readonly lastPromptAt?: number
  readonly lastMessage?: string
  readonly title?: string
  readonly summary?: Summary
  readonly todos?: readonly Todo[]
  readonly prevSessionId?: string
  /** /clear began it, and the window before it has not ended yet. */
  readonly awaitsPrev?: true
  /** The first session of the chain that this one goes on with; absent where that is itself. */
  readonly conversationId?: string
  /** The session in whose tool call this one runs. */
  readonly parentSessionId?: string
  /** It is only played back: no process, pane or transcript belongs to it. */
  readonly replayed?: true
  /** The event that last changed what people see. */
  readonly cause?: Cause
}
