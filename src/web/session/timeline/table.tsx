/** The spans of the swimlane as a table, for screen readers and for sorting. */
import { memo, useMemo, useState } from 'react'
import type { Lane, Lanes, Span } from '../../../timeline/lanes.ts'
import { Button } from '../../parts/controls.tsx'
import { clockWords, shown } from '../../parts/format.ts'
import { Table } from '../../parts/table.tsx'
import { laneName, lengthWords, markOf, textOf } from './labels.ts'
import type { Range } from './range.ts'

interface Row {
  readonly lane: Lane
  readonly span: Span
}

const PAGE = 200
const UNSEEN = 50 // rows while only screen readers have it; the button shows all

interface Props {
  readonly lanes: Lanes
  /** Only what overlaps it. */
  readonly range: Range | undefined
  readonly isShown: boolean
}

export const SpanTable = memo(function SpanTable({ lanes, range, isShown }: Props) {
  const [limit, setLimit] = useState(PAGE)
  const [longest, setLongest] = useState(false)
  const rows = useMemo(() => {
    const all = lanes.lanes.flatMap((lane) => lane.spans.map((span): Row => ({ lane, span })))
    const seen = range ? all.filter(({ span }) => span.to >= range.from && span.from <= range.to) : all
    return longest
      ? seen.sort((a, b) => b.span.to - b.span.from - (a.span.to - a.span.from))
      : seen.sort((a, b) => a.span.from - b.span.from)
  }, [lanes, range, longest])
  const most = isShown ? limit : UNSEEN
  return (
    <div className={isShown ? 'span-table' : 'hidden-text'}>
      <Table
        label={range ? 'Spans of the time in view' : 'Spans of the timeline'}
        rows={rows.slice(0, most)}
        keyOf={({ lane, span }) => `${lane.id} ${span.row} ${span.from} ${span.seq ?? ''} ${span.label}`}
        columns={[
          { name: 'Begins', cell: ({ span }) => clockWords(span.from) },
          { name: 'Lane', cell: ({ lane }) => shown(laneName(lane)) },
          { name: 'What', cell: ({ span }) => <What span={span} /> },
          { name: 'Took', number: true, cell: ({ span }) => lengthWords(span) },
        ]}
      />
      {isShown ? (
        <div className="actions">
          <Button onClick={() => setLongest(!longest)}>
            {longest ? 'In order of time' : 'Longest first'}
          </Button>
          {rows.length > most ? (
            <Button onClick={() => setLimit(limit + PAGE)}>
              {Math.min(PAGE, rows.length - most)} more of {rows.length - most}
            </Button>
          ) : null}
        </div>
      ) : null}
    </div>
  )
})

function What({ span }: { readonly span: Span }) {
  return (
    <>
      <span className={span.tone === 'error' || span.tone === 'need' ? span.tone : undefined}>
        {markOf(span)}
        {shown(span.label)}
      </span>{' '}
      <span className="span-text">{shown(textOf(span))}</span>
    </>
  )
}
