/** What gantry decides about an event. Each agent's `answer` puts it into that agent's words. */
export interface Verdict {
  readonly decision: 'none' | 'allow' | 'deny' | 'ask' | 'block-stop'
  readonly reason?: string
  /** Replaces the tool's input. The original stays in the journal. */
  readonly input?: Readonly<Record<string, unknown>>
  /** Text for the model, in the order the rules gave it. */
  readonly context?: readonly string[]
  /** Text for the person. */
  readonly systemMessage?: string
  /** The agent forgets its conversation and goes on afresh, where it can. */
  readonly clearContext?: boolean
  /** The rule that decided. */
  readonly by?: string
}

export const NO_VERDICT: Verdict = { decision: 'none' }

/** What the hook client prints and how it exits. */
export interface HookReply {
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

/** A hook that failed: there is no decision, and the reason is on stderr. A client with --required makes it 2. */
export const UNDECIDED_EXIT = 1

export const EMPTY_REPLY: HookReply = { exit: 0, stdout: '', stderr: '' }

/** Two verdicts in their order: the first that objects wins, else the first that decides; contexts and messages add up. */
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
