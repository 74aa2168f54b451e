/** Names and values: numbers on top of a view, each with a few words about it, and facts, one per line. */
import type { ReactNode } from 'react'

export interface Figure {
  readonly name: string
  readonly value: ReactNode
  readonly about?: string | undefined
  readonly tone?: 'need' | 'error' | undefined
}

export function Figures({ all }: { readonly all: readonly Figure[] }) {
  return (
    <dl className="figures">
      {all.map(({ name, value, about, tone }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={tone}>
            <b>{value}</b>
            {about === undefined ? null : <small> {about}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A line of a list with the class `pairs`. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
