/**
 * A permission that gantry holds, and its answers. The whole input is shown, and the answer carries the nonce that came
 * with it: a yes is valid for exactly what was seen.
 */
import { useEffect, useRef, useState } from 'react'
import type { ApprovalDecision, SessionView } from '../../client/index.ts'
import { ageWords } from '../../core/text/amount.ts'
import { CallError, useCall } from '../live/call.ts'
import { useClock } from '../live/clock.ts'
import { answer, NOT_ALLOWED } from '../live/device.ts'
import { Button } from '../parts/controls.tsx'
import { shown } from '../parts/format.ts'
import { toast, toastError } from '../parts/toast.tsx'
import { wholeInput } from './input.ts'
import { askToPair } from './pair.tsx'

type Glance = NonNullable<SessionView['approvals']>[number]

/** What the keys A and X do for a card. */
export interface Answers {
  readonly approve: () => void
  readonly deny: () => void
}

const SETTLE_MS = 600 // a question that has just taken the place of another one must not get its answer

interface Props {
  readonly session: SessionView
  readonly held: Glance
  /** The first question of a card takes the keys. */
  readonly keys: boolean
  readonly answersRef: (answers: Answers | undefined) => void
  readonly children?: React.ReactNode
}

export function Held({ session, held, keys, answersRef, children }: Props) {
  const asked = useCall('approvals.get', { id: held.id })
  const [state, setState] = useState<'open' | 'denying' | 'busy' | 'answered'>('open')
  const [message, setMessage] = useState('')
  const shownAt = useRef(performance.now())
  const field = useRef<HTMLInputElement>(null)
  const view = asked.data

  const send = async (decision: ApprovalDecision) => {
    if (!view || state === 'busy' || state === 'answered') return
    setState('busy')
    try {
      await answer(view, decision, decision === 'deny' && message.trim() !== '' ? message.trim() : undefined)
      setState('answered')
      toast(`${session.name}: ${decision === 'allow' ? 'approved' : 'denied'}.`, 'done')
    } catch (error) {
      setState(decision === 'deny' ? 'denying' : 'open')
      if (error instanceof CallError && error.code === NOT_ALLOWED) askToPair()
      else toastError(error)
    }
  }
  const settled = () => performance.now() - shownAt.current > SETTLE_MS
  const answers = useRef<Answers>({ approve: () => {}, deny: () => {} })
  useEffect(() => {
    answers.current = {
      approve: () => settled() && void send('allow'),
      deny: () => settled() && setState('denying'),
    }
  })
  useEffect(() => {
    if (!keys) return
    shownAt.current = performance.now()
    answersRef({ approve: () => answers.current.approve(), deny: () => answers.current.deny() })
    return () => answersRef(undefined)
  }, [keys, answersRef])
  useEffect(() => {
    if (state === 'denying') field.current?.focus()
  }, [state])

  const input = view ? wholeInput(view.input) : { main: shown(held.line), rest: '', words: '' }
  return (
    <div className="held">
      <div>
        <b>Permission for {shown(held.tool)}</b>
        {input.words === '' ? null : <span className="quiet"> · {input.words}</span>}
      </div>
      <pre className="box tall" tabIndex={input.main.length > 400 ? 0 : undefined}>
        {input.main || '(no input)'}
        {input.rest === '' ? null : <span className="quiet">{`\n${input.rest}`}</span>}
      </pre>
      {view?.reason === undefined ? null : <div className="quiet">asked because: {shown(view.reason)}</div>}
      {asked.state === 'failed' ? <div className="error">{asked.error.message}</div> : null}
      {state === 'denying' ? (
        <form
          className="actions"
          onSubmit={(event) => {
            event.preventDefault()
            void send('deny')
          }}
        >
          <input
            ref={field}
            className="field"
            aria-label="Why not? The agent is told."
            placeholder="Why not? The agent is told (may be empty)"
            maxLength={4_000}
            value={message}
            onChange={({ target }) => setMessage(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              event.stopPropagation()
              setState('open')
            }}
          />
          <Button type="submit" kind="danger" hint="↵">
            Deny
          </Button>
          <Button onClick={() => setState('open')} hint="esc">
            Cancel
          </Button>
        </form>
      ) : (
        <div className="actions">
          <Button
            kind="main"
            hint={keys ? 'A' : undefined}
            disabled={!view || state !== 'open'}
            onClick={() => void send('allow')}
          >
            Approve
          </Button>
          <Button
            hint={keys ? 'X' : undefined}
            disabled={!view || state !== 'open'}
            onClick={() => setState('denying')}
          >
            Deny
          </Button>
          {children}
          <Left until={held.until} />
        </div>
      )}
    </div>
  )
}

/** How long gantry still holds it; after that the agent asks in its own terminal. */
function Left({ until }: { readonly until: number }) {
  const text = useClock((now) => ageWords(until - now))
  return (
    <span className="quiet left" title="After that the agent asks in its own terminal">
      {text} left
    </span>
  )
}
