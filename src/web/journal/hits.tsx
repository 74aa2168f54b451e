/** What the full-text search finds, newest first. A hit opens its event, and leads to its place in the journal. */
import { startTransition, useEffect, useState } from 'react'
import type { CallResult } from '../../client/index.ts'
import { counted } from '../../core/text/text.ts'
import { keyOf } from '../../events/keys.ts'
import { useCall } from '../live/call.ts'
import { useClock } from '../live/clock.ts'
import { Button, Chip } from '../parts/controls.tsx'
import { Empty } from '../parts/empty.tsx'
import { shown } from '../parts/format.ts'
import { Glyph } from '../parts/mark.tsx'
import { linkTo } from '../router.ts'
import { type Filters, pathOf, type Shown } from './filters.ts'
import { timeWords } from './line.ts'
import { SessionName } from './row.tsx'

type Hit = CallResult<'search'>['hits'][number]

const LIMIT = 200
const AGAIN_MS = 1_000 // while the index is behind
const FIRST = 40 // more than a screen shows; the others come right after them

interface Props {
  readonly shown: Shown
  readonly onWords: (words: string) => void
  readonly onAll: () => void
}

export function Hits({ shown: { words, filters, event }, onWords, onAll }: Props) {
  const { agent, session, type, tool } = filters
  const [again, setAgain] = useState(0)
  const asked = useCall(
    'search',
    {
      ...{ text: words, limit: LIMIT },
      ...(agent && { agent }),
      ...(session && { session }),
      ...(type && { type }),
    },
    again,
  )
  useEffect(() => {
    if (asked.state !== 'done' || asked.data.behind === 0) return
    const timer = setTimeout(() => setAgain((n) => n + 1), AGAIN_MS)
    return () => clearTimeout(timer)
  }, [asked])
  const day = useClock((now) => now - (now % 60_000))
  const isDrawn = useDrawn(asked.data, JSON.stringify([words, agent, session, type]))
  if (!asked.data)
    return asked.state === 'failed' ? (
      <p className="error">{asked.error.message}</p>
    ) : (
      <p className="waits">Searching…</p>
    )
  const { hits: all, more, behind } = asked.data
  const hits = tool === undefined ? all : all.filter((hit) => hit.tool === tool)
  return (
    <section className="hits" aria-label="Found" aria-busy={asked.state === 'loading'}>
      <p className="hits-said" role="status">
        {counted(hits.length, 'event')} found, newest first
        {more ? `; there are more than ${LIMIT}: more words, or a filter, find fewer` : ''}
        {behind > 0 ? `; not searched yet: ${counted(behind, 'new event')}` : ''}
        {ignored(filters)}
        {hits.length < all.length ? (
          <Chip onClick={onAll}>hidden: {all.length - hits.length} with other tools</Chip>
        ) : null}
      </p>
      {hits.length === 0 ? (
        <Empty title="Nothing has these words">
          <p>All words have to occur. {'"A phrase"'} stays together; word* finds words that begin so.</p>
          {/[\p{L}\p{N}_]$/u.test(words) ? (
            <Button kind="main" onClick={() => onWords(`${words}*`)}>
              Search for {shown(words)}*
            </Button>
          ) : null}
        </Empty>
      ) : (
        <ul>
          {(isDrawn ? hits : hits.slice(0, FIRST)).map((hit) => (
            <li key={`${hit.seq} ${hit.kind}`}>
              <a
                {...linkTo(pathOf({ filters, words, event: hit.id }))}
                className="hit"
                aria-current={hit.id === event ? 'true' : undefined}
              >
                <span className="event-time">{timeWords(hit.at, day)}</span>
                <span className="event-who cut">
                  <Glyph agent={hit.agent} />{' '}
                  {hit.name ?? (
                    <SessionName of={keyOf({ agent: hit.agent, sessionId: hit.session })} id={hit.session} />
                  )}
                </span>
                <span className="event-type cut">{hit.tool ?? hit.type}</span>
                <span className="hit-kind quiet">{hit.kind}</span>
                <span className="event-text">
                  <Snippet hit={hit} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** False for the frame in which the answer to another question is new. */
function useDrawn(data: object | undefined, question: string): boolean {
  const [drawn, setDrawn] = useState<{ data: object | undefined; question: string }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the question that the data answers, not the next one
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setDrawn({ data, question })))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [data])
  return drawn?.data === data || drawn?.question === question
}

function ignored({ verdict, host }: Filters): string {
  const names = [verdict && 'verdict', host && 'host'].filter(Boolean)
  return names.length === 0 ? '' : `; the filter by ${names.join(' and ')} does not apply to a search`
}

function Snippet({ hit: { snippet, matches } }: { readonly hit: Hit }) {
  let at = 0
  const parts = matches.flatMap(([start, end]) => {
    const before = snippet.slice(at, start)
    at = end
    return [
      <span key={`b${start}`}>{shown(before)}</span>,
      <mark key={start}>{shown(snippet.slice(start, end))}</mark>,
    ]
  })
  return (
    <>
      {parts}
      {shown(snippet.slice(at))}
    </>
  )
}
