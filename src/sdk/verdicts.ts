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
  readonly reason?: string
  /** Texts for the model. */
  readonly inject?: readonly string[]
  /** Texts for the person. */
  readonly warnings?: readonly string[]
}

/** No objection. Rules and the agent's own permissions still have their say. */
export function allow(): Verdict {
  return NO_VERDICT
}

/** Refuses the tool or the prompt; the model is told why. Means nothing at the end of a turn: see `keepGoing`. */
export function deny(reason: string): Verdict {
  return { decision: 'deny', reason }
}

/** A person should decide. A handler cannot have one asked, so for now it refuses, and says that. */
export function ask(reason: string): Verdict {
  return { decision: 'ask', reason }
}

/** At `Stop` and `SubagentStop`: the turn goes on, with this to do. Means nothing elsewhere. */
export function keepGoing(reason: string): Verdict {
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
  const reason = blockReason(type === 'Stop' || type === 'SubagentStop', verdict)
  const { context: inject = [], systemMessage } = verdict
  return {
    ...(reason === undefined ? {} : { block: true, reason }),
    ...(inject.length === 0 ? {} : { inject }),
    ...(systemMessage ? { warnings: [systemMessage] } : {}),
  }
}

function blockReason(isStop: boolean, { decision, reason = 'No reason was given.' }: Verdict) {
  switch (decision) {
    case 'deny':
      return isStop ? undefined : reason
    case 'ask':
      return isStop ? undefined : `${reason} (A handler cannot ask a person, so it was denied.)`
    case 'block-stop':
      return isStop ? reason : undefined
    case 'allow':
    case 'none':
      return undefined
  }
}
