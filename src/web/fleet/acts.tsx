/** The buttons of a session: what can be done to it now. The keys do the same. */
import type { SessionView } from '../../client/index.ts'
import { amount } from '../../core/text/amount.ts'
import { isResting, refusesAct } from '../../sessions/state/phase.ts'
import { useCall } from '../live/call.ts'
import { Button } from '../parts/controls.tsx'
import { shown } from '../parts/format.ts'
import { goToPane, markSeen } from './act.ts'
import { askFor, interrupt } from './dialogs.tsx'

interface Budget {
  readonly words: string
  readonly isUsedUp: boolean
}

/** Of all that cap the session, the one of which most was used. */
export function useBudget({ key }: SessionView, isHere = true): Budget | undefined {
  const { data = [] } = useCall('budgets.list', isHere ? { session: key } : undefined)
  const caps = data.flatMap(({ id, uses }) =>
    uses.flatMap(({ caps: all }) => all.map((cap) => ({ id, cap }))),
  )
  const [most] = caps.sort((a, b) => b.cap.used / b.cap.limit - a.cap.used / a.cap.limit)
  if (!most) return undefined
  const { cap, used, limit } = most.cap
  const isUsedUp = used >= limit
  const words = `${shown(most.id)}: ${amount(cap, used)} of ${amount(cap, limit)}${isUsedUp ? ', used up' : ''}`
  return { words, isUsedUp }
}

interface Props {
  readonly session: SessionView
  readonly budget: Budget | undefined
}

export function Acts({ session, budget }: Props) {
  const { pane, phase, seen, turn } = session
  const isOver = phase === 'ended'
  const hasPane = pane !== undefined && !isOver
  return (
    <>
      {hasPane ? (
        <Button hint="↵" onClick={() => void goToPane(session)}>
          Go to pane
        </Button>
      ) : null}
      {seen || isOver || turn.stoppedAt === undefined || !isResting(phase) ? null : (
        <Button hint="m" onClick={() => void markSeen(session)}>
          Mark as seen
        </Button>
      )}
      {refusesAct(session, 'send') === undefined ? (
        <Button hint="s" onClick={() => askFor('send', session)}>
          Send text
        </Button>
      ) : null}
      {refusesAct(session, 'interrupt') === undefined ? (
        <Button hint="i" onClick={() => interrupt(session)}>
          Interrupt
        </Button>
      ) : null}
      <Button hint="r" onClick={() => askFor('rename', session)}>
        Rename
      </Button>
      {budget === undefined ? null : (
        <Button hint="b" onClick={() => askFor('budgets', session)}>
          Budgets
        </Button>
      )}
      {isOver ? null : (
        <Button hint="K" onClick={() => askFor('end', session)}>
          End…
        </Button>
      )}
    </>
  )
}
