/** What gantry decides about an event. Each agent's `answer` translates it. */
export interface Verdict {
  readonly decision: 'none' | 'allow' | 'deny' | 'ask' | 'block-stop'
  readonly reason?: string
  /** Replaces the tool's input. The original stays in the journal. */
  readonly input?: Readonly<Record<string, unknown>>
  /** Text for the model, in the order the rules gave it. */
  readonly context?: readonly string[]
  /** Text for the person. */
  readonly systemMessage?: string
  /** Makes the agent clear its conversation and start afresh, if it can. */
  readonly clearContext?: boolean
  /** The rule that decided. */
  readonly by?: string
}

export const NO_VERDICT: Verdict = { decision: 'none' }

/** The hook client's output and exit code. */
export interface HookReply {
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

/** Exit code of a failed hook: no decision, and the reason on stderr. With --required the client exits with 2 instead. */
export const UNDECIDED_EXIT = 1

export const EMPTY_REPLY: HookReply = { exit: 0, stdout: '', stderr: '' }

/** Merges two verdicts in order: the first objection wins, else the first decision; contexts and messages are joined. */
export function mergeVerdicts(first: Verdict, second: Verdict): Verdict {
  if (second === NO_VERDICT) return first
  if (first === NO_VERDICT) return second
  const decides = objects(first) || (first.decision !== 'none' && !objects(second)) ? first : second
  const context = [...(first.context ?? []), ...(second.context ?? [])]
  const messages = [first.systemMessage, second.systemMessage].filter((one) => one !== undefined)
  return {
    ...second,
    ...first,
    decision: decides.decision,
    ...(decides.reason === undefined ? {} : { reason: decides.reason }),
    ...(decides.by === undefined ? {} : { by: decides.by }),
    ...(context.length === 0 ? {} : { context }),
    ...(messages.length === 0 ? {} : { systemMessage: messages.join('\n') }),
  }
}

function objects({ decision }: Verdict): boolean {
  return decision === 'deny' || decision === 'ask' || decision === 'block-stop'
}
