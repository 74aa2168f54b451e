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

export const EMPTY_REPLY: HookReply = { exit: 0, stdout: '', stderr: '' }
