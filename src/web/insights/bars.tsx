/** Bars that say their numbers: stacked by day, and lying for names. Tables say the same to screen readers. */
import type { ReactNode } from 'react'

export interface Piece {
  /** A class that gives its colour or hatching. */
  readonly kind: string
  readonly value: number
  readonly words: string
}

interface Stack {
  readonly key: string
  readonly label: string
  readonly pieces: readonly Piece[]
}

const LABELS = 7 // more do not fit below the bars on a phone

/** One upright bar for each day. The table beside it has the numbers. */
export function DayBars({ stacks, top }: { readonly stacks: readonly Stack[]; readonly top: string }) {
  const most = Math.max(1e-9, ...stacks.map(totalOf))
  const each = Math.ceil(stacks.length / LABELS)
  return (
    <div className="day-bars" aria-hidden="true">
      <span className="day-top quiet">{top}</span>
      <div className="day-columns">
        {stacks.map((stack, n) => (
          <div key={stack.key} className="day" title={titleOf(stack)}>
            <div className="day-bar">
              {stack.pieces.map(({ kind, value }) =>
                value > 0 ? (
                  <i key={kind} className={kind} style={{ height: `${(value / most) * 100}%` }} />
                ) : null,
              )}
            </div>
            <span className="quiet">{(stacks.length - 1 - n) % each === 0 ? stack.label : '\u00a0'}</span>
          </div>
        ))}
      </div>
    </div>
  )
}

/** A share of the longest, for a cell of a table. */
export function LyingBar({ pieces, most }: { readonly pieces: readonly Piece[]; readonly most: number }) {
  return (
    <span className="lying" aria-hidden="true">
      {pieces.map(({ kind, value, words }) =>
        value > 0 ? (
          <i
            key={kind}
            className={kind}
            title={words}
            style={{ width: `${(value / Math.max(1e-9, most)) * 100}%` }}
          />
        ) : null,
      )}
    </span>
  )
}

function totalOf({ pieces }: Pick<Stack, 'pieces'>): number {
  return pieces.reduce((sum, { value }) => sum + value, 0)
}

function titleOf({ key, pieces }: Stack): string {
  const parts = pieces.filter(({ value }) => value > 0).map(({ words }) => words)
  return `${key}: ${parts.length > 0 ? parts.join(', ') : 'nothing'}`
}

interface PanelProps {
  readonly title: string
  readonly about?: ReactNode
  readonly children: ReactNode
  readonly wide?: boolean
}

export function Panel({ title, about, children, wide = false }: PanelProps) {
  return (
    <section className={wide ? 'panel wide' : 'panel'} aria-label={title}>
      <h2>
        {title} {about === undefined ? null : <span className="quiet">{about}</span>}
      </h2>
      {children}
    </section>
  )
}

/** The numbers of a chart, opened when somebody wants them, and always there for screen readers. */
export function Numbers({ children }: { readonly children: ReactNode }) {
  return (
    <details className="numbers">
      <summary>Numbers</summary>
      {children}
    </details>
  )
}
