/**
 * The known facts of one session. All of them follow from its events; the visible phase is derived (`phase.ts`), never
 * stored. Times are UTC milliseconds named `at`, `since`, `…At` or `…Until`: by these names they are moved when the clock
 * is set back (`set-back.ts`).
 */
type AttentionKind = 'permission' | 'question' | 'plan' | 'elicitation' | 'idle' | 'error'

export interface Attention {
  readonly kind: AttentionKind
  readonly reason: string
  readonly tool?: string
  readonly since: number
  /** The tool call it waits for; it ends only with that call. */
  readonly call?: string
  /** It was bound to the only call of its tool; a call with exactly this print takes it over. */
  readonly print?: string
  /** The sub-agent that asks. */
  readonly agentId?: string
}

export interface OpenTool {
  /** The agent's id of the call, or one derived from agent, tool and input. */
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
  /** A teammate that waits for work; its next call wakes it. */
  readonly idle?: true
  /** It works in the background: nobody waits for it, and an interrupt leaves it. */
  readonly background?: true
  /** Member of a team: between two tasks it rests and does not end. */
  readonly teammate?: true
  /** The parent sub-agent; absent if the session itself is the parent. */
  readonly parentId?: string
  /** The tool call that started it. */
  readonly call?: string
  /** It exists only as that call and ends with it. */
  readonly inCall?: true
  /** The starting call was inferred; Claude names it only for background sub-agents. */
  readonly inferred: boolean
}

export interface Background {
  readonly id: string
  readonly type?: string
  readonly description?: string
  /** It has ended, and its agent is about to handle the result. */
  readonly endedAt?: number
}

export interface Usage {
  readonly contextPct?: number
  readonly tokens?: number
  /** Context window in tokens, if the agent reports it. */
  readonly contextWindow?: number
  readonly linesAdded?: number
  readonly linesRemoved?: number
  readonly costUsd?: number
  /** Estimated from tokens at list prices, because the agent does not report its cost. */
  readonly costEstimated?: true
}

/** One todo item; text and status as the agent wrote them. */
export interface Todo {
  readonly id?: string
  readonly text: string
  readonly status: string
}

/** Topic and result of the last turn. */
interface Summary {
  readonly title: string
  readonly text: string
  readonly at: number
}

/** A tool call or prompt that was refused. */
export interface Denial {
  readonly at: number
  readonly tool?: string
  /** The call's input on one line; a prompt has none. */
  readonly line?: string
  /** A rule's id, `guard:<id>`, `handler:<id>`, `work`, or a person; absent if the agent itself refused it. */
  readonly by?: string
  readonly reason?: string
  /** The sub-agent whose call it was. */
  readonly agentId?: string
}

interface Cause {
  readonly seq: number
  readonly id: string
  readonly type: string
  readonly at: number
}

export interface Session {
  /** Agent and native session id. */
  readonly key: string
  readonly id: string
  readonly agent: string
  readonly agentVersion?: string
  readonly name: string
  /** Former names, by which it is still found. */
  readonly aliases?: readonly string[]
  readonly generation: number
  /** Start of this generation by the agent's clock; older events cannot change it. */
  readonly generationAt: number
  readonly startedAt: number
  readonly endedAt?: number
  /** In the agent's own word, e.g. `clear`. */
  readonly endReason?: string
  readonly lastActivity: number

  readonly starting: boolean
  readonly compacting: boolean
  readonly turn: {
    readonly open: boolean
    readonly startedAt?: number
    readonly stoppedAt?: number
    readonly graceUntil?: number
    /** The grace period has ended. */
    readonly settled?: true
  }
  readonly prompted: boolean
  readonly detail?: string
  readonly attention: readonly Attention[]
  readonly openTools: readonly OpenTool[]
  /** Recently ended calls: their late starts are ignored. */
  readonly closedCalls: readonly {
    readonly call: string
    readonly print: string
    readonly name: string
    readonly at: number
    readonly agentId?: string
    /** The sub-agent that it started in the background. */
    readonly spawned?: { readonly agentId: string; readonly teammate?: boolean | undefined }
  }[]
  readonly background: readonly Background[]
  readonly children: readonly Child[]
  /** Sub-agents that ended before they started: their late starts are ignored. */
  readonly stoppedChildren?: readonly { readonly agentId: string; readonly at: number }[]
  readonly error?: {
    readonly tool?: string
    readonly kind?: string
    readonly message: string
    /** The sub-agent whose call failed. */
    readonly agentId?: string
  }
  /** What was refused last, until the next tool call or prompt. */
  readonly denied?: Denial
  /** How many calls and prompts were refused. */
  readonly denials?: number
  /** A person has looked at it since it stopped. */
  readonly seen: boolean

  readonly usage: Usage
  /** Tool calls that began, sub-agents' included, without those that were refused. */
  readonly toolCalls?: number
  /** How long its closed turns took together. */
  readonly workedMs?: number
  /** The budget that is nearly used up, or has been. */
  readonly budget?: { readonly text: string; readonly since: number }
  /** Cost per thread if sub-agents report their own; '' is the main thread. */
  readonly costs?: Readonly<Record<string, number>>
  readonly model?: string
  readonly cwd?: string
  readonly transcriptPath?: string
  readonly permissionMode?: string
  readonly pane?: string
  /** The agent's TMUX, "<socket>,<pid of the server>,<session>": a pane id means nothing without it. */
  readonly tmux?: string
  /** The agent's own process; absent if unknown or not visible. */
  readonly pid?: number
  readonly firstPrompt?: string
  readonly lastPrompt?: string
  readonly lastPromptAt?: number
  readonly lastMessage?: string
  readonly title?: string
  readonly summary?: Summary
  readonly todos?: readonly Todo[]
  readonly prevSessionId?: string
  /** /clear started it, and the window before it has not ended yet. */
  readonly awaitsPrev?: true
  /** The first session of the chain that this one continues; absent if it is the first. */
  readonly conversationId?: string
  /** The session in whose tool call this one runs. */
  readonly parentSessionId?: string
  /** Tool calls in its transcript that no hook announced. */
  readonly uncoveredCalls?: number
  /** Known from its transcript alone: no hook of it has come. */
  readonly hookless?: true
  /** It is a replay: no process, pane or transcript belongs to it. */
  readonly replayed?: true
  /** The event that last changed the visible state. */
  readonly cause?: Cause
}
