/** One line of the list: a place, a session, or a sub-agent. A line is rendered again only when something of it changed. */
import { memo } from 'react'
import type { ActivitySegment, SessionView } from '../../client/index.ts'
import { shortCost } from '../../core/text/amount.ts'
import { clean } from '../../core/text/text.ts'
import { childLook, LOOKS, lookOf } from '../../sessions/state/look.ts'
import type { ChildRow } from '../../sessions/state/tree.ts'
import { Age } from '../parts/age.tsx'
import { Bar } from '../parts/bar.tsx'
import { Glyph, Mark } from '../parts/mark.tsx'
import { Strip } from '../parts/strip.tsx'
import { linkTo, sessionPath } from '../router.ts'
import type { GroupRow, Row, SessionRow } from './tree.ts'

interface ListPosition {
  readonly index: number
  readonly start: number
  readonly size: number
}

interface RowProps extends ListPosition {
  readonly row: Row
  readonly selected: boolean
  /** Its details are shown below. */
  readonly opened: boolean
  readonly strips: boolean
  readonly segments: readonly ActivitySegment[] | undefined
  readonly now: number
  readonly onPress: (id: string) => void
  readonly onFold: (id: string) => void
}

export const RowLine = memo(
  function RowLine(props: RowProps) {
    const { row, index, start, size, selected, opened, onPress, onFold } = props
    const open = row.kind === 'group' ? row.open : row.kind === 'session' ? opened : undefined
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the view's own keys do the same for the selected row
      <div
        role="row"
        id={`row-${index}`}
        data-id={row.id}
        className={`row ${row.kind}${row.kind === 'session' && row.host && row.host.state !== 'here' ? ' away' : ''}`}
        aria-level={row.kind === 'group' ? 1 : row.depth + 1}
        aria-rowindex={index + 1}
        aria-expanded={open}
        aria-selected={selected}
        tabIndex={selected ? 0 : -1}
        style={{ transform: `translateY(${start}px)`, height: size }}
        onClick={({ target }) => {
          if (target instanceof Element && target.closest('a, button')) return
          if (row.kind === 'group') onFold(row.id)
          else onPress(row.id)
        }}
      >
        {row.kind === 'group' ? (
          <GroupCells row={row} />
        ) : row.kind === 'session' ? (
          <SessionCells {...props} row={row} />
        ) : (
          <ChildCells row={row} />
        )}
      </div>
    )
  },
  (a, b) => {
    const { row: x, ...before } = a
    const { row: y, ...after } = b
    return sameFields(before, after) && sameFields(x, y)
  },
)

/** Rows are made anew with every change; what they hold is not. */
function sameFields(a: object, b: object): boolean {
  const [x, y] = [Object.entries(a), b as Readonly<Record<string, unknown>>]
  return x.length === Object.keys(b).length && x.every(([name, value]) => value === y[name])
}

function GroupCells({ row }: { readonly row: GroupRow }) {
  const { host } = row
  return (
    <div role="gridcell" className="group-cell">
      <span className={row.open ? 'fold open' : 'fold'} aria-hidden="true">
        {row.open ? '▾' : '▸'}
      </span>
      <b>{row.project}</b>
      <span className="quiet cut">{row.place}</span>
      {host ? (
        <span className="quiet">
          on {host.host}
          {host.state === 'here' ? null : (
            <>
              , {host.state}
              {host.heardAt === undefined ? null : (
                <>
                  {' '}
                  for <Age since={host.heardAt} />
                </>
              )}
            </>
          )}
        </span>
      ) : null}
      {row.open ? null : (
        <span className="quiet">
          {row.count} folded
          {row.needs > 0 ? (
            <span className="need">
              {' '}
              {LOOKS.asks.mark} {row.needs}
            </span>
          ) : null}
        </span>
      )}
    </div>
  )
}

function SessionCells({ row, strips, segments, now }: RowProps & { readonly row: SessionRow }) {
  const { session } = row
  const look = lookOf(session)
  const said = saidOf(session, look.text === look.word)
  return (
    <>
      <div role="gridcell" className="name" style={{ paddingLeft: (row.depth - 1) * 18 }}>
        <Mark look={look} />
        <Glyph agent={session.agent} />
        <a className="cut" tabIndex={-1} {...linkTo(sessionPath(session.key))}>
          {clean(session.name, 80)}
        </a>
      </div>
      <div role="gridcell" className="doing cut">
        <span className={look.tone}>{look.word}</span>
        {look.text === look.word ? null : <span> {look.text}</span>}
        {said === '' ? null : <span className="quiet"> {said}</span>}
      </div>
      <div role="gridcell" className="prompt cut quiet">
        {clean(session.title ?? session.lastPrompt ?? '', 300)}
      </div>
      {strips ? (
        <div role="gridcell" className="lane">
          <Strip segments={segments ?? []} now={now} />
        </div>
      ) : null}
      <div role="gridcell" className="context">
        {session.usage.contextPct === undefined ? null : (
          <Bar
            label="context"
            pct={session.usage.contextPct}
            tone={session.usage.near === 'full' ? 'error' : session.usage.near === 'warn' ? 'need' : 'quiet'}
          />
        )}
      </div>
      <div role="gridcell" className="cost number">
        {session.usage.costUsd === undefined ? null : (
          <span title={session.usage.costEstimated ? 'estimated from tokens at list prices' : undefined}>
            {session.usage.costEstimated ? '~' : ''}
            {shortCost(session.usage.costUsd)}
          </span>
        )}
      </div>
      <div role="gridcell" className="age number quiet">
        <Age since={look.since} />
      </div>
    </>
  )
}

/** What it said last, once it rests. */
function saidOf(session: SessionView, plain: boolean): string {
  if (!plain || (session.phase !== 'idle' && session.phase !== 'ended')) return ''
  return clean(session.summary ?? session.lastMessage ?? '', 300)
}

function ChildCells({ row }: { readonly row: ChildRow }) {
  const look = childLook(row.child, row.session)
  return (
    <>
      <div role="gridcell" className="name" style={{ paddingLeft: (row.depth - 1) * 18 }}>
        <span className="branch" aria-hidden="true">
          {row.last ? '└' : '├'}
        </span>
        <Mark look={look} />
        <span className="cut">{look.text}</span>
      </div>
      <div role="gridcell" className="doing cut quiet">
        <span className={look.tone}>{look.word}</span> sub-agent
      </div>
      <div role="gridcell" className="age number quiet">
        <Age since={look.since} />
      </div>
    </>
  )
}
