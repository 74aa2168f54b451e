/** A session that needs you, whole: who, where, since when, the very command or question, and the answers. */
import { memo, useCallback, useEffect, useRef, useState } from 'react'
import type { SessionView, WireEvent } from '../../client/index.ts'
import { askWords, lookOf } from '../../sessions/state/look.ts'
import { refusesAct } from '../../sessions/state/phase.ts'
import { projectOf } from '../../sessions/state/tree.ts'
import { questionsOf } from '../../timeline/entry.ts'
import { useCall } from '../live/call.ts'
import type { OtherHost } from '../live/store.ts'
import { Age } from '../parts/age.tsx'
import { Button } from '../parts/controls.tsx'
import { shown } from '../parts/format.ts'
import { Glyph, Mark } from '../parts/mark.tsx'
import { linkTo, sessionPath } from '../router.ts'
import { goToPane, markSeen } from './act.ts'
import { askFor } from './dialogs.tsx'
import { type Answers, Held } from './held.tsx'
import { wholeInput } from './input.ts'
import { branchWords } from './tree.ts'
import { Why } from './why.tsx'

interface Props {
  readonly session: SessionView
  readonly host?: OtherHost | undefined
  readonly selected: boolean
  readonly onSelect: (key: string) => void
  readonly onAnswers: (key: string, answers: Answers | undefined) => void
}

export const Card = memo(function Card({ session, host, selected, onSelect, onAnswers }: Props) {
  const [why, setWhy] = useState(false)
  const ref = useRef<HTMLElement>(null)
  const look = lookOf(session)
  const { key, approvals = [] } = session
  const answersRef = useCallback((answers: Answers | undefined) => onAnswers(key, answers), [key, onAnswers])
  useEffect(() => {
    if (selected) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  const place = [session.agent, projectOf(session), branchWords(session), host && `on ${host.host}`]
  const buttons = host ? null : (
    <>
      <Button onClick={() => setWhy(true)}>Why asked</Button>
      {session.pane === undefined ? null : (
        <Button hint="↵" onClick={() => void goToPane(session)}>
          Go to pane
        </Button>
      )}
    </>
  )
  return (
    <article
      ref={ref}
      className={`card ${look.tone}`}
      data-key={key}
      data-selected={selected || undefined}
      data-seen={session.seen || undefined}
      aria-label={`${session.name}: ${look.text}`}
      onFocus={() => onSelect(key)}
      tabIndex={-1}
    >
      <header>
        <Mark look={look} />
        <strong>
          <Glyph agent={session.agent} /> <a {...linkTo(sessionPath(key))}>{shown(session.name)}</a>
        </strong>
        <span className="quiet cut">{place.filter(Boolean).join(' · ')}</span>
        <Age since={look.since} exact className={`since ${look.tone}`} />
      </header>
      {session.lastPrompt ? <div className="quiet cut asked">» {shown(session.lastPrompt)}</div> : null}
      {approvals.map((held, n) => (
        <Held key={held.id} session={session} held={held} keys={n === 0} answersRef={answersRef}>
          {n === 0 ? buttons : null}
        </Held>
      ))}
      {approvals.length === 0 ? <Elsewhere session={session} host={host} onWhy={() => setWhy(true)} /> : null}
      {why ? <Why session={session} onClose={() => setWhy(false)} /> : null}
    </article>
  )
})

interface ElsewhereProps {
  readonly session: SessionView
  readonly host?: OtherHost | undefined
  readonly onWhy: () => void
}

/** Asked in the agent's own dialog, or failed: the page shows it, and the way there. */
function Elsewhere({ session, host, onWhy }: ElsewhereProps) {
  const [first] = session.attention.filter(({ kind }) => kind !== 'idle')
  const asked = useCall('sessions.why', host ? undefined : { session: session.key }, session.cause?.seq)
  const event = asked.data?.event
  const isMine = event?.tool && (first?.tool === undefined || event.tool.name === first.tool)
  const questions = isMine ? questionsOf(event.tool?.input) : []
  const failed = first?.kind === 'error'
  const said = saidIn(event)
  return (
    <>
      {questions.length > 0 ? (
        questions.map(({ text, options }) => (
          <div key={text} className="question">
            <div>
              Question: <b>{text}</b>
            </div>
            {options.length > 0 ? (
              <ol className="box options">
                {options.map((option, n) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: options have nothing else, and never move
                  <li key={n}>{option}</li>
                ))}
              </ol>
            ) : null}
          </div>
        ))
      ) : (
        <>
          <div>
            {failed ? 'Failed: ' : ''}
            <b>{first ? askWords(first) : lookOf(session).text}</b>
          </div>
          {failed && session.error ? <pre className="box tall">{shown(session.error.message)}</pre> : null}
          {said === '' || failed ? null : <div>{shown(said)}</div>}
          {isMine && !failed ? <pre className="box tall">{wholeInput(event.tool?.input).main}</pre> : null}
        </>
      )}
      <div className="actions">
        {session.pane === undefined || host ? (
          <span className="quiet">
            {host
              ? `Answer it on ${host.host}.`
              : failed
                ? 'Go on in its own terminal.'
                : 'Answer it in its own terminal.'}
          </span>
        ) : (
          <Button kind="main" hint="↵" onClick={() => void goToPane(session)}>
            {failed ? 'Go to pane' : 'Answer in pane'}
          </Button>
        )}
        {host || failed || refusesAct(session, 'send') !== undefined ? null : (
          <Button hint="s" onClick={() => askFor('send', session)}>
            Send text
          </Button>
        )}
        {host ? null : <Button onClick={onWhy}>{failed ? 'Why failed' : 'Why asked'}</Button>}
        {host ? null : session.seen ? (
          <span className="quiet">seen</span>
        ) : (
          <Button hint="m" onClick={() => void markSeen(session)}>
            Seen
          </Button>
        )}
      </div>
    </>
  )
}

/** What the agent or an MCP server says with its question. */
function saidIn(event: WireEvent | null | undefined): string {
  if (!event || event.tool) return ''
  const said = event.notification?.message ?? event.message ?? event.fields?.message
  return typeof said === 'string' ? said : ''
}
