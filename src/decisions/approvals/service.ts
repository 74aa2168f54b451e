/**
 * Approvals in their place: what they are told of sessions, and whom they tell. Every beginning and end is a message on
 * DECISION_EVENTS; those of one turn of the event loop share a commit.
 */
import type { Sources } from '../../bus/index.ts'
import { messageOf } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { counted } from '../../core/text/text.ts'
import { keyOf, type RawEvent } from '../../events/index.ts'
import { heldEvent, refusedEvent, resolvedEvent } from '../../journal/index.ts'
import type { SessionTracker } from '../../sessions/index.ts'
import type { Store } from '../../store/index.ts'
import { approvalMessage } from '../stream-messages.ts'
import { Approvals } from './approvals.ts'
import type { ApprovalSettings } from './config.ts'
import { attentionFor } from './permission.ts'
import type { Approval, Ending } from './waiting.ts'

interface ApprovalServiceParts {
  readonly store: Store
  readonly sources: Sources
  readonly tracker: SessionTracker
  readonly config: () => { readonly approvals: ApprovalSettings }
  readonly log: Log
  readonly raise: (rawEvent: RawEvent) => void
}

const CUT_STEP_S = 10 // so that one timeout is one line of the doctor

export function openApprovals(parts: ApprovalServiceParts): Approvals {
  const { store, sources, tracker, config, log, raise } = parts
  const untold: (readonly [Approval, Ending | undefined])[] = []
  const tell = () => {
    const messages = untold.splice(0)
    if (messages.length === 0) return
    try {
      store.journal.commit(() => {
        for (const [approval, ending] of messages) sources.decisions.record(approvalMessage(approval, ending))
      })
      sources.committed([])
    } catch (error) {
      log.error(
        'approvals',
        `${counted(messages.length, 'message')} could not be stored: ${messageOf(error)}`,
      )
    }
  }
  return new Approvals({
    settings: () => config().approvals,
    session: (key) => tracker.sessions.get(key),
    told: (approval, ending) => {
      if (untold.length === 0) setImmediate(tell)
      untold.push([approval, ending])
    },
    asked: (event) => raise(heldEvent(event, Date.now())),
    answered: (event, print, { how, by, message }) => {
      const session = tracker.sessions.get(keyOf(event))
      const call = session && attentionFor(session, event, print)?.call
      if (!session || call === undefined) return
      const reason = by === undefined ? how : `${how} from ${by}`
      const { name = '' } = event.tool ?? {}
      if (how === 'denied') {
        const said = message?.trim() ? `: ${message}` : ''
        raise(refusedEvent(session, event, call, `refused by a person, from ${by}${said}`, Date.now()))
      } else raise(resolvedEvent(session, name, call, reason, Date.now()))
    },
    cutShort: ({ agent, since, until }, afterMs) => {
      const after = Math.ceil(afterMs / 1000 / CUT_STEP_S) * CUT_STEP_S
      const wanted = Math.round((until - since) / 1000)
      store.counters.count('approval-cut', `${agent}: after at most ${after} of ${wanted} s`, Date.now())
    },
  })
}
