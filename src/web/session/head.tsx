/** Which session this is, how it stands, and what can be done with it. */
import { useState } from 'react'
import type { SessionView } from '../../client/index.ts'
import { lookOf, uncoveredWords } from '../../sessions/state/look.ts'
import { goToPane, markSeen } from '../fleet/act.ts'
import { Acts, useBudget } from '../fleet/acts.tsx'
import { askFor, interrupt } from '../fleet/dialogs.tsx'
import { useKeys } from '../keys.ts'
import { useLive } from '../live/store.ts'
import { Age } from '../parts/age.tsx'
import { Button } from '../parts/controls.tsx'
import { shown } from '../parts/format.ts'
import { Glyph, Mark } from '../parts/mark.tsx'
import { linkTo } from '../router.ts'
import { ExportDialog } from './export/dialog.tsx'

export function Head({ session }: { readonly session: SessionView }) {
  const [exports, setExports] = useState(false)
  const host = useLive(({ hello }) => hello?.host)
  const look = lookOf(session)
  const { pane, name, seen, phase } = session
  const canSee = !seen && phase !== 'ended'
  useKeys([
    {
      keys: ['Enter'],
      shown: '↵',
      does: 'go to its pane',
      run: () => (pane === undefined ? false : goToPane(session)),
    },
    { keys: ['m'], does: 'mark as seen', run: () => (canSee ? markSeen(session) : false) },
    { keys: ['r'], does: 'rename', run: () => askFor('rename', session) },
    { keys: ['s'], does: 'send text', run: () => askFor('send', session) },
    { keys: ['i'], does: 'interrupt', run: () => interrupt(session) },
    { keys: ['b'], does: 'raise a budget', run: () => askFor('budgets', session) },
    { keys: ['K'], does: 'end it, after a yes', run: () => askFor('end', session) },
    { keys: ['e'], does: 'export', run: () => setExports(true) },
  ])
  return (
    <header className="session-head">
      <div className="session-line">
        <a className="back quiet" title="Back to the fleet" {...linkTo('/')}>
          <span aria-hidden="true">←</span>
          <span className="hidden-text">Back to the fleet</span>
        </a>
        <h1>
          <Glyph agent={session.agent} /> {shown(name)}
        </h1>
        <span className={look.tone}>
          <Mark look={look} />
          {look.word}
          {look.text === look.word ? '' : `: ${look.text}`} <Age since={look.since} className="quiet" />
        </span>
        <div className="actions">
          <Acts session={session} budget={useBudget(session)} />
          <Button hint="e" onClick={() => setExports(true)}>
            Export
          </Button>
        </div>
      </div>
      <Facts session={session} host={session.host ?? host} />
      {session.title ? <p className="session-title cut">{shown(session.title)}</p> : null}
      {exports ? <ExportDialog session={session} onClose={() => setExports(false)} /> : null}
    </header>
  )
}

function Facts({ session, host }: { readonly session: SessionView; readonly host: string | undefined }) {
  const { agent, agentVersion, model, project, branch, worktree, pane, root, cwd } = session
  const facts = [
    [agent, agentVersion].filter(Boolean).join(' '),
    model,
    project ?? (root ?? cwd)?.split('/').at(-1),
    worktree,
    branch === worktree ? undefined : branch,
    host,
    pane === undefined ? undefined : `pane ${pane}`,
    uncoveredWords(session) || undefined,
  ]
  return (
    <p className="facts" title={cwd}>
      {facts
        .filter((fact) => fact !== undefined && fact !== '')
        .map((fact) => shown(String(fact)))
        .join(' · ')}
    </p>
  )
}
