/** Events that gantry itself raises. They are stored like any other, with the agent "gantry". */
export const OWN_AGENT = 'gantry'

/** Name and meaning of each. They are on the stream GANTRY_EVENTS; no hook has such a name. */
export const RAISED: Readonly<Record<string, string>> = {
  SchemaDrift: 'a payload differs from the expected schema',
  AgentVersionChanged: 'the first event from a new version of an agent',
  StopLoopDetected: 'rules kept a turn going too often; the agent may stop',
  CollisionFound: 'a session writes a file that another living session wrote',
  BudgetWarned: 'four fifths of a budget are used',
  BudgetReached: 'a budget is used up: the next hook is stopped or asked',
  BudgetRaised: 'a person raised a budget',
  LoopDetected: 'an agent repeats the same calls with the same results',
  EffortDehydrated: 'a summary of an effort was written for its next context window',
  RestartRequested: 'a supervised agent is to be started afresh',
  SessionRenamed: 'a person gave a session a name',
  SessionSeen: 'a person looked at a session',
  SessionSummarized: 'a summary of a turn',
  TitleObserved: 'the title that an agent gave a session',
  VersionObserved: 'the version of an agent, from its transcript',
  ParentObserved: 'a session runs inside a tool call of another',
  OriginObserved: 'a session continues the conversation of another',
  TranscriptObserved: 'where the transcript of a session is',
  UsageObserved: 'tokens, context and cost of a session',
  GraceSet: 'how long after its turn a session may still be between two tool calls, if not one minute',
  GraceEnded: 'that time is over: the session waits for input',
  ToolCallUncovered: 'a tool call in a transcript that no hook announced',
  ClockSetBack: 'the clock of this machine was set back',
}

/** Session ids of the events with which the installer tries a hook. No session is made of them, and nobody decides. */
export const CANARY = 'gantry-canary-'

/** Raised under an agent's name, because its hooks do not report it. */
export const INFERRED = ['PermissionResolved', 'UserPromptDenied', 'StopBlocked', 'TurnObserved'] as const

/** Excludes events that a program publishes with `gantry bus emit`, although they have the same agent. */
export function isRaised({ agent, type }: { readonly agent: string; readonly type: string }): boolean {
  return agent === OWN_AGENT && Object.hasOwn(RAISED, type)
}
