/** Events that gantry itself raises. They are stored like any other, with the agent "gantry". */
export const OWN_AGENT = 'gantry'

interface OwnEvent {
  readonly means: string
  /** It only describes a session, so a replay sends it again. All others ask for an action, or rename something. */
  readonly isReplayed?: true
}

const OWN_EVENTS = {
  SchemaDrift: { means: 'a payload differs from the expected schema' },
  AgentVersionChanged: { means: 'the first event from a new version of an agent' },
  StopLoopDetected: { means: 'rules kept a turn going too often; the agent may stop' },
  CollisionFound: { means: 'a session writes a file that another living session wrote' },
  BudgetWarned: { means: 'four fifths of a budget are used' },
  BudgetReached: { means: 'a budget is used up: the next hook is stopped or asked' },
  BudgetRaised: { means: 'a person raised a budget' },
  LoopDetected: { means: 'an agent repeats the same calls with the same results' },
  EffortDehydrated: { means: 'a summary of an effort was written for its next context window' },
  RestartRequested: { means: 'a supervised agent is to be started afresh' },
  SessionRenamed: { means: 'a person gave a session a name' },
  SessionSeen: { means: 'a person looked at a session', isReplayed: true },
  SessionSummarized: { means: 'a summary of a turn', isReplayed: true },
  TitleObserved: { means: 'the title that an agent gave a session', isReplayed: true },
  VersionObserved: { means: 'the version of an agent, from its transcript', isReplayed: true },
  ParentObserved: { means: 'a session runs inside a tool call of another', isReplayed: true },
  OriginObserved: { means: 'a session continues the conversation of another' },
  TranscriptObserved: { means: 'where the transcript of a session is' },
  UsageObserved: { means: 'tokens, context and cost of a session', isReplayed: true },
  GraceSet: {
    means: 'how long after its turn a session may still be between two tool calls, if not one minute',
    isReplayed: true,
  },
  GraceEnded: { means: 'that time is over: the session waits for input', isReplayed: true },
  ToolCallUncovered: { means: 'a tool call in a transcript that no hook announced' },
  ClockSetBack: { means: 'the clock of this machine was set back' },
} as const satisfies Readonly<Record<string, OwnEvent>>

export type RaisedType = keyof typeof OWN_EVENTS

/** They are on the stream GANTRY_EVENTS; no hook has such a name. */
export const RAISED: Readonly<Record<RaisedType, OwnEvent>> = OWN_EVENTS

/** Session ids of the events with which the installer tries a hook. No session is made of them, and nobody decides. */
export const CANARY = 'gantry-canary-'

/** Raised under an agent's name, because its hooks do not report it. */
export const INFERRED = ['PermissionResolved', 'UserPromptDenied', 'StopBlocked', 'TurnObserved'] as const

/** Excludes events that a program publishes with `gantry bus emit`, although they have the same agent. */
export function isRaised({ agent, type }: { readonly agent: string; readonly type: string }): boolean {
  return agent === OWN_AGENT && Object.hasOwn(RAISED, type)
}
