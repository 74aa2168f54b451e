/** Events as a file of JSON lines: what passes the filters, up to the newest that is shown; bounded, and it says so. */
import { useEffect, useRef, useState } from 'react'
import type { CallResult } from '../../client/index.ts'
import { counted } from '../../core/text/text.ts'
import { call } from '../live/call.ts'
import { Button } from '../parts/controls.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Command } from '../parts/empty.tsx'
import { save } from '../parts/save.ts'
import { toastError } from '../parts/toast.tsx'
import { type Filters, isFiltered, pageArgs } from './filters.ts'
import { numberWords } from './line.ts'

type Event = CallResult<'events.page'>['events'][number]

const MAX = 10_000 // events
const PAGE = 500

interface Props {
  readonly filters: Filters
  /** Sequence of the newest event that is shown. */
  readonly upTo: number
  readonly onClose: () => void
}

interface Progress {
  readonly count: number
  readonly isDone: boolean
  /** There are older ones. */
  readonly more: boolean
}

export function Export({ filters, upTo, onClose }: Props) {
  const [progress, setProgress] = useState<Progress>()
  const end = useRef<AbortController>(undefined)
  useEffect(() => () => end.current?.abort(), [])
  const run = async () => {
    end.current = new AbortController()
    try {
      const { events, more } = await collect(filters, upTo, end.current.signal, (count) =>
        setProgress({ count, isDone: false, more: false }),
      )
      saveLines(events)
      setProgress({ count: events.length, isDone: true, more })
    } catch (error) {
      if (!end.current.signal.aborted) toastError(error)
      setProgress(undefined)
    }
  }
  return (
    <Dialog
      title="Export events"
      onClose={onClose}
      actions={
        <Button kind="main" disabled={progress && !progress.isDone} onClick={() => void run()}>
          Export
        </Button>
      }
    >
      <p>
        A file of JSON lines with {isFiltered(filters) ? 'the events that pass the filters' : 'all events'} up
        to number {numberWords(upTo)}, {numberWords(MAX)} at most, without payloads and with long texts cut.
      </p>
      <p role="status">
        {progress === undefined
          ? ''
          : progress.isDone
            ? `${counted(progress.count, 'event')} exported.${progress.more ? ' Older ones are left out.' : ''}`
            : `${counted(progress.count, 'event')}…`}
      </p>
      <p className="quiet">Everything, with payloads:</p>
      <Command>gantry events --json --limit all &gt; events.jsonl</Command>
    </Dialog>
  )
}

async function collect(
  filters: Filters,
  upTo: number,
  signal: AbortSignal,
  tell: (count: number) => void,
): Promise<{ events: Event[]; more: boolean }> {
  const pages: (readonly Event[])[] = []
  let [before, count, more] = [upTo + 1, 0, true]
  while (more && count < MAX) {
    const limit = Math.min(PAGE, MAX - count)
    const page = await call('events.page', { ...pageArgs(filters), before, limit }, signal)
    pages.unshift(page.events)
    count += page.events.length
    more = page.older && page.from < before
    before = page.from
    tell(count)
  }
  return { events: pages.flat(), more }
}

function saveLines(events: readonly Event[]): void {
  save(
    `gantry-events-${events[0]?.seq ?? 0}-${events.at(-1)?.seq ?? 0}.jsonl`,
    'application/jsonl',
    events.map((event) => `${JSON.stringify(event)}\n`),
  )
}
