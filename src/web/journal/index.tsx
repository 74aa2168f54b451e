/** Every event from the first to the newest: a place, filters, search, and the live end. */
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { AWAY, CallError, call, useCall } from '../live/call.ts'
import { useClock } from '../live/clock.ts'
import { useLive } from '../live/store.ts'
import { Button } from '../parts/controls.tsx'
import { toastError } from '../parts/toast.tsx'
import { go, partsOf, usePath, useQuery } from '../router.ts'
import { Before, hiddenWords, NothingHere, placeWords, verdictWords } from './captions.tsx'
import { Detail } from './detail.tsx'
import { Export } from './export.tsx'
import { type Filter, type Filters, isFiltered, pageArgs, pathOf, type Shown, shownIn } from './filters.ts'
import { Hits } from './hits.tsx'
import { useJournalKeys } from './keys.ts'
import { type Line, numberWords } from './line.ts'
import { type InView, List } from './list.tsx'
import { Rail } from './rail.tsx'
import { indexOf } from './scroll.ts'
import { useTail } from './tail.ts'
import { Toolbar } from './toolbar.tsx'
import { JournalWindow, type Part } from './window.ts'

const MAX_TOOLS = 300

export default function Journal() {
  const shown = shownIn(useQuery(), partsOf(usePath())[0])
  const { words, event } = shown
  const filters = useSame(shown.filters)
  const part = useWindow(filters)
  const now = useSyncExternalStore(part.subscribe, part.get)
  const here = useLive(({ hello }) => hello?.host)
  const day = useClock((time) => time - (time % 60_000))
  const [paused, setPaused] = useState(false)
  const [view, setView] = useState<InView>({ top: undefined, bottom: undefined, atEnd: true })
  const [selected, setSelected] = useState<number>()
  const [exports, setExports] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const isForeign = filters.host !== undefined && here !== undefined && filters.host !== here
  const follows = now.known && !paused && !now.newer && view.atEnd && words === '' && !isForeign
  const newest = Math.max(useTail({ part, filters, follows, paused }), now.last)
  const tools = useTools(now)
  const ahead = newest - now.to

  const show = useCallback((change: Partial<Shown>, how: 'push' | 'replace' = 'push') => {
    const from = shownIn(new URLSearchParams(location.search))
    go(pathOf({ ...from, ...change }), how)
  }, [])
  const onFilter = useCallback(
    (name: Filter, value: string | undefined) => {
      const { [name]: _, ...rest } = shownIn(new URLSearchParams(location.search)).filters
      show({ filters: value === undefined ? rest : { ...rest, [name]: value } })
    },
    [show],
  )
  const onAll = useCallback(() => show({ filters: {}, words: '' }), [show])
  const onWords = useCallback((text: string) => show({ words: text }, 'replace'), [show])
  const onPress = useCallback(
    ({ seq, id }: Line) => {
      setSelected(seq)
      show({ event: id, at: undefined })
    },
    [show],
  )
  const onOlder = useCallback(() => void part.older(), [part])
  const onNewer = useCallback(() => void part.newer(), [part])
  const onJump = useCallback((seq: number) => void part.jump(seq), [part])
  const toEnd = useCallback(() => {
    setPaused(false)
    void part.newest()
  }, [part])
  const onPlace = (seq: number) => {
    setSelected(seq)
    show({ words: '', filters: {} })
    if (!isFiltered(filters)) void part.jump(seq)
  }
  useStart(part, shown, setSelected)
  const again = () => void (now.known && !view.atEnd ? part.jump(view.top?.seq ?? now.last) : part.newest())
  const isConnected = useLive(({ link }) => link.state === 'live')
  const wasAway = now.error instanceof CallError && now.error.code === AWAY
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that the daemon comes back
  useEffect(() => {
    if (isConnected && wasAway) again()
  }, [isConnected, wasAway])

  const move = (by: number) => {
    const at = selected === undefined ? -1 : indexOf(now.lines, selected)
    const isThere = now.lines[at]?.seq === selected
    const to = isThere ? at + by : indexOf(now.lines, view.top?.seq ?? 0)
    const line = now.lines[Math.min(now.lines.length - 1, Math.max(0, to))]
    if (!line || words !== '') return false
    setSelected(line.seq)
    if (event !== undefined) show({ event: line.id, at: undefined }, 'replace')
  }
  useJournalKeys({
    move,
    first: () => void part.jump(now.first),
    newest: toEnd,
    pause: () => (paused ? toEnd() : setPaused(true)),
    open: () => {
      const line = now.lines[indexOf(now.lines, selected ?? -1)]
      if (line && line.seq === selected) onPress(line)
      else return false
    },
    search: () => {
      field.current?.focus()
      field.current?.select()
    },
    close: () => {
      if (event !== undefined) show({ event: undefined, at: undefined })
      else if (words !== '' || isFiltered(filters)) onAll()
      else setSelected(undefined)
    },
  })

  const place = placeWords(view, now, newest)
  const verdicts = verdictWords(now, filters, view.top?.seq)
  return (
    <div className="journal">
      <h1 className="hidden-text">Journal</h1>
      <Toolbar
        {...{ words, filters, tools, field, onWords, onFilter, onAll }}
        hidden={words === '' ? hiddenWords(filters, now) : undefined}
      >
        {words === '' ? (
          <>
            <Button hint="space" aria-pressed={paused} onClick={() => (paused ? toEnd() : setPaused(true))}>
              {paused ? 'Go on' : 'Pause'}
            </Button>
            <Button onClick={() => setExports(true)} disabled={now.lines.length === 0}>
              Export
            </Button>
          </>
        ) : null}
      </Toolbar>
      <div className={event === undefined ? 'journal-split' : 'journal-split with-event'}>
        {words !== '' ? (
          <Hits {...{ shown, onWords, onAll }} />
        ) : (
          <section className="journal-list" aria-label="Journal">
            <p className="journal-place">
              <span className="cut">{place}</span>
              {verdicts === undefined ? null : (
                <span
                  className="quiet cut"
                  title="gantry keeps its newest 10,000 decisions; payloads stay as long as the journal does."
                >
                  {verdicts}
                </span>
              )}
              <span className={follows ? 'work' : 'quiet'} role="status">
                {follows ? '● live' : paused ? '‖ paused' : ''}
              </span>
              {!follows && ahead > 0 && now.known ? (
                <button type="button" className="chip" onClick={toEnd}>
                  {numberWords(ahead)} newer ↓
                </button>
              ) : null}
            </p>
            {now.error && isConnected ? (
              <p className="error journal-error" role="alert">
                {now.error.message} <Button onClick={again}>Try again</Button>
              </p>
            ) : null}
            {now.known && now.lines.length === 0 && !now.older && !now.newer ? (
              <NothingHere filters={filters} isForeign={isForeign} isEmpty={now.last === 0} onAll={onAll} />
            ) : (
              <div className="journal-scroll">
                <List
                  part={now}
                  now={day}
                  head={<Before part={now} filters={filters} />}
                  onView={setView}
                  {...{ selected, follows, onPress, onOlder, onNewer }}
                />
                {now.last > now.first ? (
                  <Rail
                    range={{ first: now.first, last: newest }}
                    top={view.top?.seq ?? now.from}
                    bottom={view.bottom?.seq ?? now.to}
                    words={place}
                    onJump={onJump}
                    onEnd={toEnd}
                  />
                ) : null}
              </div>
            )}
          </section>
        )}
        {event === undefined ? null : (
          <Detail
            id={event}
            onClose={() => show({ event: undefined, at: undefined })}
            onFilter={onFilter}
            onPlace={words === '' && !isFiltered(filters) ? undefined : onPlace}
          />
        )}
      </div>
      {exports ? <Export filters={filters} upTo={now.to} onClose={() => setExports(false)} /> : null}
    </div>
  )
}

/** The same object for the same filters. */
function useSame(filters: Filters): Filters {
  const key = JSON.stringify(filters)
  return useMemo(() => JSON.parse(key) as Filters, [key])
}

function useWindow(filters: Filters): JournalWindow {
  const [part, end] = useMemo(() => {
    const ended = new AbortController()
    const load = (where: object) => call('events.page', { ...pageArgs(filters), ...where }, ended.signal)
    return [new JournalWindow(load), ended] as const
  }, [filters])
  useEffect(() => () => end.abort(), [end])
  return part
}

/** Begins at the event that the address names, else at the newest. */
function useStart(part: JournalWindow, { event, at }: Shown, select: (seq: number) => void): void {
  const named = useRef({ event, at })
  named.current = { event, at }
  useEffect(() => {
    const { event: id, at: seq } = named.current
    if (seq !== undefined) {
      select(seq)
      void part.jump(seq)
    } else if (id === undefined) void part.newest()
    else
      call('events.get', { id }).then(
        (found) => {
          select(found.seq)
          void part.jump(found.seq)
        },
        (error: unknown) => {
          toastError(error)
          void part.newest()
        },
      )
  }, [part, select])
}

/** For the filter: tools that the journal has, and those that have come since. */
function useTools({ known, lines }: Part): readonly string[] {
  // After the lines, which one came for.
  const stored = useCall('events.tools', known ? {} : undefined).data?.tools
  const [seen] = useState(() => new Set<string>())
  return useMemo(() => {
    for (const { tool } of lines) if (tool !== '' && seen.size < MAX_TOOLS) seen.add(tool)
    return [...new Set([...(stored ?? []), ...seen])].sort()
  }, [stored, lines, seen])
}
