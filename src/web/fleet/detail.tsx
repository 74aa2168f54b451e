/** The selected session, opened below its line: what was asked, what it said, what runs, and what can be done. */
import type { SessionView } from '../../client/index.ts'
import { shortNumber } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import { denialWords, uncoveredWords } from '../../sessions/state/look.ts'
import type { OtherHost } from '../live/store.ts'
import { Age } from '../parts/age.tsx'
import { Button } from '../parts/controls.tsx'
import { Fact } from '../parts/figures.tsx'
import { shown } from '../parts/format.ts'
import { openSession } from './act.ts'
import { Acts, useBudget } from './acts.tsx'

export function Detail({
  session,
  host,
}: {
  readonly session: SessionView
  readonly host?: OtherHost | undefined
}) {
  const { usage, todos = [] } = session
  const budget = useBudget(session, host === undefined)
  const said = session.summary ?? session.lastMessage
  const doneTodos = todos.filter(({ status }) => /^(completed|done)$/.test(status)).length
  const current = todos.find(({ status }) => /^in[_ -]?progress$/.test(status))
  const facts = [
    [session.agent, session.agentVersion].filter(Boolean).join(' '),
    session.model,
    session.permissionMode === 'default' ? undefined : session.permissionMode,
    usage.tokens === undefined ? undefined : `${shortNumber(usage.tokens)} tokens`,
    usage.linesAdded === undefined ? undefined : `+${usage.linesAdded} −${usage.linesRemoved ?? 0} lines`,
    session.pane && `pane ${session.pane}`,
    session.pid && `pid ${session.pid}`,
    uncoveredWords(session),
    session.replayed && 'replayed',
    session.cwd,
  ]
  return (
    <div className="detail">
      <dl className="pairs">
        {session.lastPrompt ? <Fact name="asked">{shown(session.lastPrompt)}</Fact> : null}
        {said ? <Fact name="said">{shown(said)}</Fact> : null}
        {session.openTools.length > 0 ? (
          <Fact name="runs">
            {session.openTools.slice(0, 6).map(({ name, since, agentId }) => (
              <span key={`${name} ${since} ${agentId ?? ''}`} className="tool">
                {shown(name)} <Age since={since} className="quiet" />
              </span>
            ))}
          </Fact>
        ) : null}
        {session.background.length > 0 ? (
          <Fact name="behind">
            {session.background
              .map(({ description, type, id }) => shown(description ?? type ?? id))
              .join(' · ')}
          </Fact>
        ) : null}
        {todos.length > 0 ? (
          <Fact name="to do">
            {doneTodos} of {todos.length} done{current ? ` · now: ${shown(current.text)}` : ''}
          </Fact>
        ) : null}
        {session.denied ? (
          <Fact name="denied">
            {denialWords(session.denied)}
            {(session.denials ?? 1) > 1 ? ` · ${counted(session.denials ?? 1, 'denial')} in all` : ''}
          </Fact>
        ) : null}
        {budget === undefined ? null : (
          <Fact name="budget">
            <span className={budget.isUsedUp ? 'error' : undefined}>{budget.words}</span>
          </Fact>
        )}
        <Fact name="facts">
          <span className="quiet">
            {facts.flatMap((fact) => (fact ? [shown(fact)] : [])).join(' · ')} · age{' '}
            <Age since={session.startedAt} until={session.endedAt} />
          </span>
        </Fact>
      </dl>
      {host ? null : (
        <div className="actions">
          <Button kind="main" hint="o" onClick={() => openSession(session)}>
            Open session
          </Button>
          <Acts session={session} budget={budget} />
        </div>
      )}
    </div>
  )
}
