/** Where the time went, and what it cost. */
import type { SessionView } from '../../client/index.ts'
import { percentWords, shortCost, shortNumber, spanWords } from '../../core/text/amount.ts'
import type { TimeSums } from '../../timeline/lanes.ts'
import { Figures } from '../parts/figures.tsx'

interface Props {
  readonly session: SessionView
  readonly sums: TimeSums | undefined
  readonly tools: { readonly calls: number; readonly failed: number } | undefined
}

export function SessionFigures({ session: { usage }, sums, tools }: Props) {
  const waits = sums !== undefined && sums.waitedMs >= 1_000
  return (
    <Figures
      all={[
        { name: 'Worked', value: sums ? spanWords(sums.workedMs) : '…' },
        {
          name: 'Waited for you',
          value: sums ? spanWords(sums.waitedMs) : '…',
          tone: waits ? 'need' : undefined,
        },
        { name: 'Idle', value: sums ? spanWords(sums.idleMs) : '…' },
        {
          name: 'Cost',
          value: usage.costUsd === undefined ? NONE : shortCost(usage.costUsd),
          about: usage.costEstimated ? 'by list prices' : undefined,
        },
        {
          name: 'Context',
          value: usage.contextPct === undefined ? NONE : percentWords(usage.contextPct),
          about: usage.tokens === undefined ? undefined : `${shortNumber(usage.tokens)} tokens`,
          tone: usage.near === 'full' ? 'error' : usage.near === 'warn' ? 'need' : undefined,
        },
        {
          name: 'Tools',
          value: (
            <>
              {tools ? tools.calls.toLocaleString('en') : '…'}
              {tools && tools.failed > 0 ? <span className="error">, {tools.failed} failed</span> : null}
            </>
          ),
        },
      ]}
    />
  )
}

const NONE = <span title="This agent does not report it">–</span>
