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
  /** Texts for the person that are worth a notification. */
  readonly notify?: readonly string[]
  /** Makes the agent clear its conversation and start afresh, if it can. */
  readonly clearContext?: boolean
  /** Beside a denial: ends the turn, too, if the agent can. */
  readonly stop?: true
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

/** Merges two verdicts: the stricter decision wins, of two alike the first; contexts and messages are joined. */
export function mergeVerdicts(first: Verdict, second: Verdict): Verdict {
  if (second === NO_VERDICT) return first
  if (first === NO_VERDICT) return second
  const decides = strictness(second) > strictness(first) ? second : first
  const context = [...(first.context ?? []), ...(second.context ?? [])]
  const notify = [...(first.notify ?? []), ...(second.notify ?? [])]
  const messages = [first.systemMessage, second.systemMessage].filter((one) => one !== undefined)
  return {
    ...second,
    ...first,
    decision: decides.decision,
    ...(decides.reason === undefined ? {} : { reason: decides.reason }),
    ...(decides.by === undefined ? {} : { by: decides.by }),
    ...(context.length === 0 ? {} : { context }),
    ...(notify.length === 0 ? {} : { notify }),
    ...(messages.length === 0 ? {} : { systemMessage: messages.join('\n') }),
  }
}

function strictness({ decision }: Verdict): number {
  if (decision === 'none') return 0
  if (decision === 'block-stop') return 4 // no agent can be told to deny the end of a turn
  if (decision === 'deny') return 3
  return decision === 'ask' ? 2 : 1
}
