/** What is asked before something is done to a session: its new name, the text, a yes, a new limit. One at a time. */
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import type { CallResult, SessionView } from '../../client/index.ts'
import { amount } from '../../core/text/amount.ts'
import { refusesAct } from '../../sessions/state/phase.ts'
import { useCall } from '../live/call.ts'
import { shared } from '../live/shared.ts'
import { useSession } from '../live/store.ts'
import { Button } from '../parts/controls.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { shown } from '../parts/format.ts'
import { toast } from '../parts/toast.tsx'
import { doTo, raiseTo, rename } from './act.ts'
import { PairDialog } from './pair.tsx'

type Kind = 'rename' | 'send' | 'end' | 'budgets'
interface Asked {
  readonly kind: Kind
  readonly session: SessionView
}

const asked = shared<Asked | undefined>(undefined)

export function askFor(kind: Kind, session: SessionView): void {
  const why = kind === 'send' || kind === 'end' ? refusesAct(session, kind) : undefined
  if (why === undefined) asked.set({ kind, session })
  else toast(why)
}

/** Escape into its pane; nothing to ask. */
export function interrupt(session: SessionView): void {
  const why = refusesAct(session, 'interrupt')
  if (why === undefined) void doTo(session, 'interrupt')
  else toast(why)
}

/** Once in every view that has sessions. */
export function SessionDialogs() {
  const now = asked.use()
  useEffect(() => () => asked.set(undefined), [])
  const live = useSession(now?.session.key ?? '')
  const close = () => asked.set(undefined)
  const session = live ?? now?.session
  return (
    <>
      {now && session ? <Open kind={now.kind} session={session} onClose={close} /> : null}
      <PairDialog />
    </>
  )
}

interface Props {
  readonly session: SessionView
  readonly onClose: () => void
}

function Open({ kind, ...props }: Props & { readonly kind: Kind }) {
  switch (kind) {
    case 'rename':
      return <Rename {...props} />
    case 'send':
      return <Send {...props} />
    case 'end':
      return <End {...props} />
    case 'budgets':
      return <Budgets {...props} />
  }
}

interface FormProps {
  readonly title: string
  readonly action: string
  readonly danger?: boolean
  /** True closes it. */
  readonly run: (text: string) => Promise<boolean>
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A form of one field, `text`. */
function FormDialog({ title, action, danger = false, run, onClose, children }: FormProps) {
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('text') ?? '').trim()
    setBusy(true)
    if (await run(text)) onClose()
    else setBusy(false)
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <Button kind={danger ? 'danger' : 'main'} type="submit" form="session-form" disabled={busy}>
          {action}
        </Button>
      }
    >
      <form id="session-form" onSubmit={(event) => void submit(event)}>
        {children}
      </form>
    </Dialog>
  )
}

const NAME = '[A-Za-z0-9][A-Za-z0-9_.\\-]{0,63}'

function Rename({ session, onClose }: Props) {
  return (
    <FormDialog
      title={`Rename ${session.name}`}
      action="Rename"
      run={(name) => rename(session, name)}
      onClose={onClose}
    >
      <label>
        New name
        <input
          className="field"
          name="text"
          required
          pattern={NAME}
          title="Up to 64 letters, digits, dots, dashes and underscores"
          defaultValue={session.name}
          autoComplete="off"
        />
      </label>
    </FormDialog>
  )
}

const MAX_SENT = 2_000 // characters; longer texts belong in the agent's own editor

function Send({ session, onClose }: Props) {
  // It may go on while somebody types.
  const why = refusesAct(session, 'send')
  return (
    <FormDialog
      title={`Send text to ${session.name}`}
      action="Send"
      run={(text) => (text === '' ? Promise.resolve(false) : doTo(session, 'send', text))}
      onClose={onClose}
    >
      <label>
        It is typed into its pane, with Enter
        <input className="field" name="text" required maxLength={MAX_SENT} autoComplete="off" />
      </label>
      {why === undefined ? null : (
        <p className="need" role="status">
          {why}
        </p>
      )}
    </FormDialog>
  )
}

function End({ session, onClose }: Props) {
  return (
    <FormDialog
      title={`End ${session.name}?`}
      action="End it"
      danger
      run={() => doTo(session, 'end')}
      onClose={onClose}
    >
      <p>
        The agent gets a few seconds to finish, then its process is killed. What it has written to files
        stays; what it was about to do is lost.
      </p>
    </FormDialog>
  )
}

type BudgetList = CallResult<'budgets.list'>
type Cap = BudgetList[number]['uses'][number]['caps'][number]

function Budgets({ session, onClose }: Props) {
  const [again, setAgain] = useState(0)
  const found = useCall('budgets.list', { session: session.key }, again)
  const caps = (found.data ?? []).flatMap(({ id, per, uses }) =>
    uses.flatMap(({ scope, name, caps: all }) => all.map((cap) => ({ id, per, scope, name, cap }))),
  )
  return (
    <Dialog title={`Budgets of ${session.name}`} onClose={onClose}>
      {found.state === 'failed' ? <p className="error">{found.error.message}</p> : null}
      {found.data && caps.length === 0 ? (
        <p>No budget caps it. docs/budgets.md says how to set one.</p>
      ) : null}
      {caps.map(({ id, per, scope, name, cap }) => (
        <form
          key={`${id} ${scope} ${cap.cap} ${cap.limit}`}
          className="budget"
          onSubmit={(event) => {
            event.preventDefault()
            const limit = Number(new FormData(event.currentTarget).get('limit'))
            void raiseTo(id, scope, cap.cap, limit).then((done) => done && setAgain((n) => n + 1))
          }}
        >
          <p>
            <b>{shown(id)}</b>{' '}
            <span className="quiet">
              per {per}
              {per === 'session' ? '' : ` · ${shown(name)}`}
            </span>
            <br />
            <span className={cap.used >= cap.limit ? 'error' : undefined}>
              {amount(cap.cap, cap.used)} of {amount(cap.cap, cap.limit)}
              {cap.used >= cap.limit ? ': used up' : ''}
            </span>
          </p>
          <div className="actions">
            <label>
              <span className="hidden-text">New limit of {id}</span>
              <input
                className="field"
                name="limit"
                type="number"
                step="any"
                min={cap.limit}
                required
                defaultValue={asMuchAgain(cap)}
              />
            </label>
            <Button type="submit" kind={cap.used >= cap.limit ? 'main' : 'plain'}>
              Raise
            </Button>
          </div>
        </form>
      ))}
      <p className="quiet">
        A raise holds until the session, effort, project or day is over. It is signed by this browser, as an
        answer.
      </p>
    </Dialog>
  )
}

/** As the key does it on the terminal. */
function asMuchAgain({ limit, extra }: Cap): number {
  return 2 * limit - extra
}
