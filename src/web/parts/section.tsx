/** A titled part of a view that shows the answer to a call: what is known stays while it is asked again or fails. */
import type { ReactNode } from 'react'
import type { Asked } from '../live/call.ts'

interface Props<Data> {
  readonly title: string
  readonly note?: ReactNode
  readonly asked: Asked<Data>
  readonly children: (data: Data) => ReactNode
}

export function Section<Data>({ title, note, asked, children }: Props<Data>) {
  return (
    <Titled title={title} note={note}>
      {asked.state === 'failed' ? <p className="error">{asked.error.message}</p> : null}
      {asked.data === undefined ? (
        asked.state === 'loading' ? (
          <p className="quiet">Loading…</p>
        ) : null
      ) : (
        children(asked.data)
      )}
    </Titled>
  )
}

export function Titled({
  title,
  note,
  children,
}: {
  readonly title: string
  readonly note?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <div className="part">
      <header>
        <h2>{title}</h2>
        {note === undefined ? null : <span className="quiet">{note}</span>}
      </header>
      {children}
    </div>
  )
}

const MARKS = { ok: ['✓', 'work'], warn: ['!', 'need'], fail: ['✖', 'error'] } as const

/** A mark with a label for screen readers. */
export function LevelMark({ level }: { readonly level: keyof typeof MARKS }) {
  const [mark, tone] = MARKS[level]
  return (
    <span className={`mark ${tone}`} role="img" aria-label={level === 'fail' ? 'failure' : level}>
      {mark}
    </span>
  )
}
