/**
 * What a handler may say of an event, and how that travels to the daemon.
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
  /** A person is to be asked. */
  readonly ask?: true
  readonly reason?: string
  /** The input that the tool is to get instead. */
  readonly input?: Readonly<Record<string, unknown>>
  /** Texts for the model. */
  readonly inject?: readonly string[]
  /** Texts for the person. */
  readonly warnings?: readonly string[]
}

/** No objection. Rules and the agent's own permissions still have their say. */
export function allow(): Verdict {
  return NO_VERDICT
}

/** No opinion; the same as `allow` and as nothing. */
export function pass(): Verdict {
  return NO_VERDICT
}

/**
 * The tool runs without the agent's own question, unless a rule or another handler objects. Only warm handlers can say it. Means
 * nothing at the end of a turn.
 */
export function approve(reason: string): Verdict {
  return { decision: 'allow', reason }
}

/** Refuses the tool or the prompt; the model is told why. Means nothing at the end of a turn: see `blockStop`. */
export function deny(reason: string): Verdict {
  return { decision: 'deny', reason }
}

/**
 * A person decides: in the agent's own dialog, or by `gantry approve` where it has none. Where nobody can be asked it is
 * refused. Means nothing at the end of a turn.
 */
export function ask(reason: string): Verdict {
  return { decision: 'ask', reason }
}

/** Another input for the tool, in place of all of it. Agents that cannot take one leave it as it was. */
export function rewrite(input: Readonly<Record<string, unknown>>): Verdict {
  return { decision: 'none', input }
}

/** At `Stop` and `SubagentStop`: the turn goes on, with this to do. Means nothing elsewhere. */
export function blockStop(reason: string): Verdict {
  return { decision: 'block-stop', reason }
}

/** Text for the model. */
export function context(...texts: string[]): Verdict {
  return { decision: 'none', context: texts }
}

/** Text for the person. */
export function warn(text: string): Verdict {
  return { decision: 'none', systemMessage: text }
}

/** The first that objects wins; contexts and warnings add up. */
export function both(...verdicts: Verdict[]): Verdict {
  return verdicts.reduce(mergeVerdicts, NO_VERDICT)
}

/** The verdict in the daemon's words. What has no meaning for the event's type is left out. */
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
