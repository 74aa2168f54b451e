/** Events that gantry raises itself. They are in the journal like any other, from the agent "gantry". */
export const OWN_AGENT = 'gantry'

/** By name, with what each says: they are on the stream GANTRY_EVENTS, and no hook has such a name. */
export const RAISED: Readonly<Record<string, string>> = {
  SchemaDrift: 'a payload differs from what was expected of it',
  AgentVersionChanged: 'the first event of another version of an agent',
  StopLoopDetected: 'rules kept a turn going too often; the agent may stop',
  EffortDehydrated: 'an effort was put into words, for its next context window',
  RestartRequested: 'a supervised agent is to be started afresh',
  SessionRenamed: 'a person gave a session a name',
  SessionSeen: 'a person looked at a session',
  SessionSummarized: 'what a turn came to',
  TitleObserved: 'the title that an agent gave a session',
  VersionObserved: 'the version of an agent, as its transcript tells',
  ParentObserved: 'a session runs inside a tool call of another',
  OriginObserved: 'a session goes on with the conversation of another',
  TranscriptObserved: 'where the transcript of a session is',
  UsageObserved: 'tokens, context and cost of a session',
  GraceSet:
    'how long after its turn a session may only be between two tool calls, where that is not a minute',
  GraceEnded: 'that time is over: the session waits for input',
  ClockSetBack: 'the clock of this machine was set back',
}

/** Raised in the name of an agent, whose hooks do not tell it. */
export const INFERRED = ['PermissionResolved', 'UserPromptDenied', 'TurnObserved'] as const

/** What a program puts on the bus with `gantry bus emit` is not gantry's own, though it has the same agent. */
export function isRaised({ agent, type }: { readonly agent: string; readonly type: string }): boolean {
  return agent === OWN_AGENT && Object.hasOwn(RAISED, type)
}
