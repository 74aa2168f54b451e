/** Messages that NATS or a webhook rejected: sent again or dropped, one or all. */
import { useState } from 'react'
import type { DeadLetter } from '../../client/index.ts'
import { counted } from '../../core/text/text.ts'
import { call } from '../live/call.ts'
import { useFresh } from '../live/fresh.ts'
import { Age } from '../parts/age.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Button } from '../parts/controls.tsx'
import { shown } from '../parts/format.ts'
import { Section } from '../parts/section.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { toast, toastError } from '../parts/toast.tsx'
import { linkTo } from '../router.ts'

const MAX_SHOWN = 200

export function DeadLetters() {
  const letters = useFresh('bus.deadLetters', { limit: MAX_SHOWN })
  const [dropping, setDropping] = useState<DeadLetter | 'all'>()
  const requeue = (id: string) =>
    call('bus.deadLetters.requeue', { id })
      .then(({ requeued }) => toast(`${counted(requeued, 'dead letter')} sent again.`, 'done'), toastError)
      .finally(letters.refresh)
  const columns: readonly Column<DeadLetter>[] = [
    ...COLUMNS.slice(0, 2),
    {
      name: 'Do',
      cell: (letter) => (
        <div className="actions tight">
          <Button onClick={() => void requeue(letter.id)} aria-label={`Send again: event ${letter.seq}`}>
            Send again
          </Button>
          <Button onClick={() => setDropping(letter)} aria-label={`Drop… event ${letter.seq}`}>
            Drop…
          </Button>
        </div>
      ),
    },
    ...COLUMNS.slice(2),
  ]
  return (
    <Section title="Dead letters" note="what NATS or a webhook would not take" asked={letters}>
      {(rows) =>
        rows.length === 0 ? (
          <p className="quiet">None: everything was taken, or is still being tried.</p>
        ) : (
          <>
            <div className="actions">
              <Button onClick={() => void requeue('all')}>Send all again</Button>
              <Button kind="danger" onClick={() => setDropping('all')}>
                Drop all…
              </Button>
              {rows.length === MAX_SHOWN ? (
                <span className="quiet">The newest {MAX_SHOWN} are shown.</span>
              ) : null}
            </div>
            <Table
              label="Dead letters"
              columns={columns}
              rows={rows}
              keyOf={({ target, id }) => `${target} ${id}`}
            />
            {dropping === undefined ? null : (
              <Drop letter={dropping} onClose={() => setDropping(undefined)} onDone={letters.refresh} />
            )}
          </>
        )
      }
    </Section>
  )
}

function Drop({
  letter,
  onClose,
  onDone,
}: {
  readonly letter: DeadLetter | 'all'
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const isAll = letter === 'all'
  return (
    <Confirm
      title={isAll ? 'Drop all dead letters?' : `Drop event ${letter.seq} for ${shown(letter.target)}?`}
      action={isAll ? 'Drop all' : 'Drop it'}
      kind="danger"
      onClose={onClose}
      run={async () => {
        const { dropped } = await call('bus.deadLetters.drop', { id: isAll ? 'all' : letter.id })
        onDone()
        return `${counted(dropped, 'dead letter')} dropped.`
      }}
    >
      <p>It is not sent any more. The events themselves stay in the journal.</p>
    </Confirm>
  )
}

const COLUMNS: readonly Column<DeadLetter>[] = [
  {
    name: 'Event',
    cell: ({ seq, stream }) =>
      stream === 'HOOK_EVENTS' ? <a {...linkTo(`/journal/${seq}`)}>{seq}</a> : <span>{seq}</span>,
  },
  { name: 'For', cell: ({ target }) => <b>{shown(target)}</b> },
  { name: 'Because', cell: ({ error }) => <span className="wraps">{shown(error)}</span> },
  { name: 'Tried', number: true, cell: ({ attempts }) => attempts },
  { name: 'Given up', number: true, cell: ({ deadAt }) => <Age since={deadAt} /> },
  { name: 'Stream', cell: ({ stream }) => stream },
  { name: 'Session', cell: ({ session }) => <code>{shown(session.slice(0, 12))}</code> },
]
