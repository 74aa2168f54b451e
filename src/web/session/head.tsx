/** Which session this is, how it stands, and what can be done with it. */
import { type FormEvent, useState } from 'react'
import type { SessionView } from '../../client/index.ts'
import { lookOf, uncoveredWords } from '../../sessions/state/look.ts'
import { goToPane, markSeen } from '../fleet/act.ts'
import { useKeys } from '../keys.ts'
import { call } from '../live/call.ts'
import { useLive } from '../live/store.ts'
import { Age } from '../parts/age.tsx'
import { Button } from '../parts/controls.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Glyph, Mark } from '../parts/mark.tsx'
import { toast, toastError } from '../parts/toast.tsx'
import { shown } from '../parts/words.ts'
import { linkTo } from '../router.ts'
import { ExportDialog } from './export/dialog.tsx'

export function Head({ session }: { readonly session: SessionView }) {
  const [dialog, setDialog] = useState<'rename' | 'export'>()
  const host = useLive(({ hello }) => hello?.host)
  const look = lookOf(session)
  const { pane, name, seen, phase } = session
  const canSee = !seen && phase === 'idle'
  const close = () => setDialog(undefined)
  useKeys([
    {
      keys: ['Enter'],
      shown: '↵',
      does: 'go to its pane',
      run: () => (pane === undefined ? false : goToPane(session)),
    },
    { keys: ['m'], shown: 'm', does: 'mark as seen', run: () => (canSee ? markSeen(session) : false) },
    { keys: ['r'], shown: 'r', does: 'rename', run: () => setDialog('rename') },
    { keys: ['e'], shown: 'e', does: 'export', run: () => setDialog('export') },
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
          {pane === undefined ? null : (
            <Button hint="↵" onClick={() => void goToPane(session)}>
              Go to pane
            </Button>
          )}
          {canSee ? (
            <Button hint="m" onClick={() => void markSeen(session)}>
              Seen
            </Button>
          ) : null}
          <Button hint="r" onClick={() => setDialog('rename')}>
            Rename
          </Button>
          <Button hint="e" onClick={() => setDialog('export')}>
            Export
          </Button>
        </div>
      </div>
      <Facts session={session} host={session.host ?? host} />
      {session.title ? <p className="session-title cut">{shown(session.title)}</p> : null}
      {dialog === 'rename' ? <Rename session={session} onClose={close} /> : null}
      {dialog === 'export' ? <ExportDialog session={session} onClose={close} /> : null}
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

const NAME = '[A-Za-z0-9][A-Za-z0-9_.\\-]{0,63}'

function Rename({ session, onClose }: { readonly session: SessionView; readonly onClose: () => void }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
    call('sessions.rename', { session: session.key, name }).then(
      () => {
        toast(`It is called ${name} now.`, 'done')
        onClose()
      },
      (error: unknown) => toastError(error),
    )
  }
  return (
    <Dialog
      title={`Rename ${session.name}`}
      onClose={onClose}
      actions={
        <Button kind="main" type="submit" form="rename">
          Rename
        </Button>
      }
    >
      <form id="rename" onSubmit={submit}>
        <label>
          New name
          <input
            className="field"
            name="name"
            required
            pattern={NAME}
            title="Up to 64 letters, digits, dots, dashes and underscores"
            defaultValue={session.name}
            autoFocus
          />
        </label>
      </form>
    </Dialog>
  )
}
