/** What the journal says about itself: where one is, what filters hide, what is not there any more. */
import { counted } from '../../core/text/text.ts'
import { Button } from '../parts/controls.tsx'
import { Command, Empty } from '../parts/empty.tsx'
import { shown } from '../parts/format.ts'
import { type Filters, isFiltered } from './filters.ts'
import { numberWords } from './line.ts'
import type { InView } from './list.tsx'
import type { Part } from './window.ts'

export function placeWords({ top, bottom }: InView, { known, first, last }: Part, newest: number): string {
  if (!known) return 'Reading the journal…'
  if (!top || !bottom) return last === 0 ? '' : counted(newest - first + 1, 'event')
  const day = new Date(top.at).toLocaleDateString('en', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
  return `${day} · ${numberWords(top.seq)} to ${numberWords(bottom.seq)} of ${numberWords(newest)}`
}

/** Counts only the events loaded so far: a chip is not worth counting five million. */
export function hiddenWords(filters: Filters, { known, lines, from, to }: Part): string | undefined {
  if (!isFiltered(filters) || !known) return undefined
  const looked = to === 0 ? 0 : to - from + 1
  return `hidden: ${numberWords(Math.max(0, looked - lines.length))} of ${numberWords(looked)} looked at`
}

/** Only the newest verdicts are kept: shown if a filter asks for verdicts, or older events are in view. */
export function verdictWords(
  { verdictsFrom }: Part,
  { verdict }: Filters,
  top: number | undefined,
): string | undefined {
  if (verdictsFrom === undefined) return undefined
  if (verdict === undefined && (top === undefined || top >= verdictsFrom)) return undefined
  return `verdicts are known from event ${numberWords(verdictsFrom)} on`
}

/** What is before the first line. */
export function Before({ part, filters }: { readonly part: Part; readonly filters: Filters }) {
  const { known, older, first, from, busy, lines } = part
  const isLater = isFiltered(filters) && lines[0]?.seq !== first
  if (!known) return null
  if (older)
    return (
      <span className="quiet">
        {lines.length === 0 || isFiltered(filters)
          ? `Looked back to event ${numberWords(from)}${busy ? '…' : ''}`
          : 'Older events…'}
      </span>
    )
  const deleted = first > 1 ? `events 1 to ${numberWords(first - 1)} were deleted by retention` : ''
  if (isLater)
    return (
      <span className="quiet">
        No earlier event of the journal passes the filters{deleted === '' ? '.' : `; ${deleted}.`}
      </span>
    )
  return (
    <span className="quiet">
      {deleted === '' ? 'The first event of the journal.' : `The journal begins here: ${deleted}.`}
    </span>
  )
}

interface NothingProps {
  readonly filters: Filters
  readonly isForeign: boolean
  readonly isEmpty: boolean
  readonly onAll: () => void
}

export function NothingHere({ filters, isForeign, isEmpty, onAll }: NothingProps) {
  if (isForeign)
    return (
      <Empty title={`The journal of ${shown(filters.host ?? '')} is there`}>
        <p>Each host keeps its own events. Open its page on that host:</p>
        <Command>gantry web</Command>
        <Button onClick={onAll}>Events of this host</Button>
      </Empty>
    )
  if (isEmpty)
    return (
      <Empty title="The journal has no events yet">
        <p>Every hook of every agent will be here as soon as it comes. To connect the agents:</p>
        <Command>gantry install</Command>
      </Empty>
    )
  return (
    <Empty title="No event passes these filters">
      <p>
        {counted(Object.keys(filters).length, 'filter')}:{' '}
        {Object.entries(filters)
          .map(([name, value]) => `${name} ${shown(value)}`)
          .join(', ')}
      </p>
      <Button kind="main" onClick={onAll}>
        Show all
      </Button>
    </Empty>
  )
}
