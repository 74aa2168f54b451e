/**
 * The verdicts a handler may return, and their format on the way to the daemon.
 *
 *   return event.tool?.name === 'Bash' ? deny('No shell here.') : allow()
 *   return both(context('The API changed.'), warn('Told it about the API.'))
 */
import { mergeVerdicts, NO_VERDICT, type Verdict } from '../events/verdict.ts'

export type { Verdict } from '../events/verdict.ts'

/** What a handler prints for the daemon. */
export interface Opinion {
  readonly block?: true
  /** The tool may run without a question, unless somebody objects. */
  readonly approve?: true
  /** Ask a person. */
  readonly ask?: true
  readonly reason?: string
  /** Replaces the tool's input. */
  readonly input?: Readonly<Record<string, unknown>>
  /** Texts for the model. */
  readonly inject?: readonly string[]
  /** Texts for the person. */
  readonly warnings?: readonly string[]
}

/** No objection. Rules and the agent's own permissions still apply. */
export function allow(): Verdict {
  return NO_VERDICT
}

/** No opinion, like `allow` and like returning nothing. */
export function pass(): Verdict {
  return NO_VERDICT
}

/**
 * The tool runs without the agent's own question, unless a rule, a guard or another handler objects. Only warm handlers can
 * approve. Has no effect at the end of a turn.
 */
export function approve(reason: string): Verdict {
  return { decision: 'allow', reason }
}

/** Denies the tool or the prompt; the model is told why. Has no effect at the end of a turn: see `blockStop`. */
export function deny(reason: string): Verdict {
  return { decision: 'deny', reason }
}

/**
 * Asks a person: in the agent's own dialog, or by `gantry approve` if it has none. If nobody can be asked, it is
 * denied. Has no effect at the end of a turn.
 */
export function ask(reason: string): Verdict {
  return { decision: 'ask', reason }
}

/** Replaces the tool's whole input. Agents that do not support this keep the original. */
export function rewrite(input: Readonly<Record<string, unknown>>): Verdict {
  return { decision: 'none', input }
}

/** At `Stop` and `SubagentStop`: the turn continues with this task. Has no effect elsewhere. */
export function blockStop(reason: string): Verdict {
  return { decision: 'block-stop', reason }
}

/** Adds text for the model. */
export function context(...texts: string[]): Verdict {
  return { decision: 'none', context: texts }
}

/** Shows text to the person. */
export function warn(text: string): Verdict {
  return { decision: 'none', systemMessage: text }
}

/** The stricter decision wins; contexts and warnings add up. */
export function both(...verdicts: Verdict[]): Verdict {
  return verdicts.reduce(mergeVerdicts, NO_VERDICT)
}

/** The verdict in the daemon's format. Parts that do not apply to the event's type are left out. */
export function opinionOf(type: string, verdict: Verdict): Opinion {
  const { context: inject = [], systemMessage, input } = verdict
  return {
    ...saidOf(type === 'Stop' || type === 'SubagentStop', verdict),
    ...(input === undefined ? {} : { input }),
    ...(inject.length === 0 ? {} : { inject }),
    ...(systemMessage ? { warnings: [systemMessage] } : {}),
  }
}

function saidOf(isStop: boolean, { decision, reason = 'No reason was given.' }: Verdict): Opinion {
  switch (decision) {
    case 'deny':
      return isStop ? {} : { block: true, reason }
    case 'ask':
      return isStop ? {} : { ask: true, reason }
    case 'block-stop':
      return isStop ? { block: true, reason } : {}
    case 'allow':
      return isStop ? {} : { approve: true, reason }
    case 'none':
      return {}
  }
}
