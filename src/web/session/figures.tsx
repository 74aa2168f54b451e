/** Where the time went, and what it cost. */
import type { ReactNode } from 'react'
import type { SessionView } from '../../client/index.ts'
import type { TimeSums } from '../../timeline/lanes.ts'
import { costWords, exactWords, percentWords, shortNumber } from '../parts/words.ts'

interface Props {
  readonly session: SessionView
  readonly sums: TimeSums | undefined
  readonly tools: { readonly calls: number; readonly failed: number } | undefined
}

export function Figures({ session, sums, tools }: Props) {
  const { usage } = session
  return (
    <dl className="figures">
      <Figure name="Worked">{sums ? exactWords(sums.workedMs) : '…'}</Figure>
      <Figure name="Waited for you" tone={sums && sums.waitedMs >= 1_000 ? 'need' : undefined}>
        {sums ? exactWords(sums.waitedMs) : '…'}
      </Figure>
      <Figure name="Idle">{sums ? exactWords(sums.idleMs) : '…'}</Figure>
      <Figure name="Cost" about={usage.costEstimated ? 'by list prices' : undefined}>
        {usage.costUsd === undefined ? <None /> : costWords(usage.costUsd)}
      </Figure>
      <Figure
        name="Context"
        tone={usage.near === 'full' ? 'error' : usage.near === 'warn' ? 'need' : undefined}
        about={usage.tokens === undefined ? undefined : `${shortNumber(usage.tokens)} tokens`}
      >
        {usage.contextPct === undefined ? <None /> : percentWords(usage.contextPct)}
      </Figure>
      <Figure name="Tools">
        {tools ? tools.calls.toLocaleString('en') : '…'}
        {tools && tools.failed > 0 ? <span className="error">, {tools.failed} failed</span> : null}
      </Figure>
    </dl>
  )
}

interface FigureProps {
  readonly name: string
  readonly tone?: 'need' | 'error' | undefined
  readonly about?: string | undefined
  readonly children: ReactNode
}

function Figure({ name, tone, about, children }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={tone}>
        {children}
        {about === undefined ? null : <small> {about}</small>}
      </dd>
    </div>
  )
}

function None() {
  return <span title="This agent does not report it">–</span>
}
