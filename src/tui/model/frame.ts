/**
 * The whole dashboard as lines: the positions of tree and detail at each size, header, footer, dialogs.
 *
 *   const { lines, treeTop, top } = fleetFrame(state, { width: 100, height: 30 }, 0, Date.now())
 */
import { LOOKS } from '../../client/index.ts'
import { cut } from '../../core/text/columns.ts'
import { clean, counted } from '../../core/text/text.ts'
import { approvalLines } from './approval.ts'
import { rowsOf, selectedIndex } from './cursor.ts'
import { detailLines, detailTitle } from './detail-lines.ts'
import type { FleetState } from './fleet-state.ts'
import { footerLine } from './footer.ts'
import { helpLines } from './help.ts'
import { apart, bounded, EMPTY, type Line, line, type Span, span, spansWidth } from './line.ts'
import { cost } from './session-format.ts'
import { totalsOf } from './tree.ts'
import { treeLine, treeStyle } from './tree-lines.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Frame {
  readonly lines: readonly Line[]
  /** The tree's first line, its number of lines, and the row at its top. */
  readonly treeTop: number
  readonly treeHeight: number
  readonly top: number
  /** Id of the row under the cursor. */
  readonly selected: string | undefined
  /** The tree's columns; the detail is right of them. */
  readonly treeWidth: number
}

/** From this many columns the detail is beside the tree, from this many lines below it. */
const BESIDE_COLUMNS = 130
const BELOW_LINES = 24
const FRAME_LINES = 2 // header and footer
const COST_COLUMNS = 70

export function fleetFrame(state: FleetState, size: Size, previousTop: number, now: number): Frame {
  const { width, height } = size
  const body = Math.max(1, height - FRAME_LINES)
  const rows = rowsOf(state)
  const at = selectedIndex(state, rows)
  const where = placesOf(state, width, body, rows.length)
  const top = scrolled(previousTop, at, where.treeHeight, rows.length)
  const lines = [headerLine(state, width)]
  if (state.mode.kind === 'help') lines.push(...helpLines(width, body, state.mode.page))
  else if (state.mode.kind === 'approve') {
    const name = state.sessions.get(state.mode.key)?.name ?? ''
    lines.push(...approvalLines(state.mode, name, width, body))
  } else {
    const inner = where.treeWidth - 1 // the cursor has a column of its own
    const style = treeStyle(rows, inner, now)
    const shown = rows
      .slice(top, top + where.treeHeight)
      .map((row, i) => treeLine(row, style, top + i === at))
    const tree = rows.length === 0 ? emptyLines(state, where.treeWidth) : shown
    while (tree.length < where.treeHeight) tree.push(EMPTY)
    const detail = detailLines(state, rows[at], { width: where.detailWidth, height: where.detailHeight }, now)
    const title = detailTitle(rows[at])
    if (where.side)
      lines.push(...beside(tree, [ruleLine(title, where.detailWidth), ...detail], where.treeWidth))
    else {
      lines.push(...tree.slice(0, where.treeHeight))
      if (where.detailHeight > 0) lines.push(ruleLine(title, width), ...detail)
    }
  }
  const all = [...bounded(lines, width, height - 1), footerLine(state, width, now, where.alone)]
  return {
    lines: bounded(all, width, height),
    treeTop: 1,
    treeHeight: where.treeHeight,
    top,
    selected: rows[at]?.id,
    treeWidth: where.treeWidth,
  }
}

interface Places {
  readonly side: boolean
  /** There is room for the tree or the detail, not for both. */
  readonly alone: boolean
  readonly treeWidth: number
  readonly treeHeight: number
  readonly detailWidth: number
  readonly detailHeight: number
}

function placesOf(state: FleetState, width: number, body: number, rows: number): Places {
  if (width >= BESIDE_COLUMNS) {
    const treeWidth = Math.floor(width * 0.58)
    return {
      side: true,
      alone: false,
      treeWidth,
      treeHeight: body,
      detailWidth: width - treeWidth - 2,
      detailHeight: body - 1,
    }
  }
  if (body + FRAME_LINES >= BELOW_LINES) {
    // The tree takes what it needs, up to two thirds; the detail has the rest.
    const treeHeight = Math.max(6, Math.min(rows, Math.floor((body * 2) / 3)))
    return {
      side: false,
      alone: false,
      treeWidth: width,
      treeHeight,
      detailWidth: width,
      detailHeight: body - treeHeight - 1,
    }
  }
  const treeHeight = state.detailOpen ? 0 : body
  return {
    side: false,
    alone: true,
    treeWidth: width,
    treeHeight,
    detailWidth: width,
    detailHeight: body - treeHeight - (state.detailOpen ? 1 : 0),
  }
}

/** Scrolls as little as needed to show the cursor. */
export function scrolled(top: number, at: number, height: number, total: number): number {
  if (height <= 0) return 0
  const most = Math.max(0, total - height)
  const low = at - height + 1
  return Math.min(most, Math.max(0, Math.min(at, Math.max(top, low))))
}

function headerLine(state: FleetState, width: number): Line {
  const { live, needs, working, costUsd } = totalsOf(state.sessions.values())
  const left = [
    span(' gantry ', 'accent', true),
    span(` ${counted(live, 'session')}`, 'plain'),
    ...(needs > 0
      ? [span(`  ${LOOKS.asks.mark} `, 'need'), span(counted(needs, 'needs you', 'need you'), 'need', true)]
      : []),
    ...(working > 0 ? [span(`  ${LOOKS.working.mark} ${working} ${LOOKS.working.word}`, 'work')] : []),
    ...hostSpans(state),
    ...(costUsd > 0 && width >= COST_COLUMNS ? [span(`  ${cost(costUsd)}`, 'quiet')] : []),
  ]
  return line(...apart(left, [...scopeSpans(state), ...linkSpans(state), span(' ')], width))
}

function hostSpans({ hosts: { names, silent } }: FleetState): Span[] {
  if (names.length === 0) return []
  const dead = silent.length > 0 ? [span(`, ${silent.length} silent`, 'need')] : []
  return [span(`  ${counted(names.length + 1, 'host')}`, 'quiet'), ...dead]
}

function scopeSpans({ filter, search, mode }: FleetState): Span[] {
  const looks = mode.kind === 'search'
  return [
    ...(filter === 'live' ? [] : [span(` ${filter}  `, 'accent', true)]),
    ...(search === '' || looks ? [] : [span(` /${clean(search)}  `, 'accent')]),
  ]
}

function linkSpans({ link }: FleetState): Span[] {
  if (link.state === 'live') return [span('● live', 'work')]
  if (link.state === 'connecting') return [span('○ …', 'quiet')]
  return [span(link.starting ? '○ starting' : '○ daemon away', 'error', true)]
}

function emptyLines({ link, sessions, hosts, filter, search }: FleetState, width: number): Line[] {
  const say = (...texts: string[]) => [
    EMPTY,
    ...texts.map((text) => line(span(cut(`  ${text}`, width), 'quiet'))),
  ]
  if (link.state === 'away')
    return say('The daemon is away: nothing is known of any session.', 'u starts it.')
  if (link.state === 'connecting') return say('Asking the daemon …')
  if (sessions.size > 0 && (filter !== 'live' || search !== ''))
    return say('No session matches. esc shows all again.')
  const ended = sessions.size + hosts.sessions.size
  if (ended > 0)
    return say(
      `No session runs. ${counted(ended, 'session has ended: f shows it', 'sessions have ended: f shows them')}.`,
    )
  return say(
    'No sessions. Start an agent whose hooks are wired;',
    '"gantry install" wires them, "gantry doctor" shows which are.',
  )
}

function ruleLine(title: string, width: number): Line {
  const name = title === '' ? '' : ` ${cut(title, Math.max(0, width - 6))} `
  const head = [span('──', 'quiet'), span(name, 'strong', true)]
  return line(...head, span('─'.repeat(Math.max(0, width - spansWidth(head))), 'quiet'))
}

function beside(left: readonly Line[], right: readonly Line[], width: number): Line[] {
  return left.map((one, i) => {
    const marked = one.marked ? { marked: true } : {}
    const gap = ' '.repeat(Math.max(0, width - spansWidth(one.spans)))
    return {
      spans: [...one.spans, span(gap)],
      rest: [span('│ ', 'quiet'), ...(right[i]?.spans ?? [])],
      ...marked,
    }
  })
}
