/** Rows of the tree as lines of a given width; the least important parts are dropped first. */
import { childLook, factsOf, LOOKS, type Look, lookOf, type SessionView } from '../../client/index.ts'
import { percentWords } from '../../core/text/amount.ts'
import { cut, fit, fitRight, widthOf } from '../../core/text/columns.ts'
import { clean, counted } from '../../core/text/text.ts'
import { apart, type Line, type Span, span } from './line.ts'
import { ageOf, contextBar, contextTone, cost, topicOf } from './session-format.ts'
import type { ChildRow, Group, Row, SessionRow } from './tree.ts'

/** Minimum widths for the context bar, the cost and the topic. */
const BAR_COLUMNS = 96
const PERCENT_COLUMNS = 50
const COST_COLUMNS = 88
const TOPIC_COLUMNS = 56
const MAX_NAME = 18
const MIN_STATE = 10
const MAX_STATE = 26
const MIN_TOPIC = 12 // columns; less says nothing

interface TreeStyle {
  readonly width: number
  readonly now: number
  /** Common width of the names, so that columns align. */
  readonly nameWidth: number
  /** Width of the longest state. */
  readonly stateWidth: number
  /** Whether any session has context usage or a cost; empty columns are not shown. */
  readonly hasContext: boolean
  readonly hasCost: boolean
}

export function treeStyle(rows: readonly Row[], width: number, now: number): TreeStyle {
  const sessions = rows.flatMap((row) => (row.kind === 'session' ? [row.session] : []))
  const states = sessions.map((session) => widthOf(lookOf(session).text) + widthOf(failureOf(session)))
  return {
    width,
    now,
    nameWidth: nameWidthOf(rows, width),
    stateWidth: Math.min(Math.max(MAX_STATE, Math.floor(width / 3)), Math.max(MIN_STATE, ...states)),
    hasContext: width >= PERCENT_COLUMNS && sessions.some(({ usage }) => usage.contextPct !== undefined),
    hasCost: width >= COST_COLUMNS && sessions.some(({ usage }) => usage.costUsd !== undefined),
  }
}

/** Measured from the left edge, so that the columns after the names align at every depth. */
function nameWidthOf(rows: readonly Row[], width: number): number {
  const most = width < TOPIC_COLUMNS ? 14 : MAX_NAME
  let end = 10
  for (const row of rows)
    if (row.kind === 'session') end = Math.max(end, row.depth * 2 + Math.min(most, widthOf(row.session.name)))
  return end
}

export function treeLine(row: Row, style: TreeStyle, marked: boolean): Line {
  const spans =
    row.kind === 'session'
      ? sessionSpans(row, style)
      : row.kind === 'child'
        ? childSpans(row, style)
        : groupSpans(row.group, row.depth, style)
  return marked ? { spans: [span('▌', 'accent', true), ...spans], marked } : { spans: [span(' '), ...spans] }
}

function groupSpans(group: Group, depth: number, { width }: TreeStyle): Span[] {
  const left = [
    span('  '.repeat(depth)),
    span(group.open ? '▾ ' : '▸ ', 'quiet'),
    span(group.label, depth === 0 ? 'strong' : 'plain', depth === 0),
    span(group.branch === undefined ? '' : `  ${group.branch}`, 'quiet'),
  ]
  const right = [
    ...(group.needs > 0 ? [span(`${LOOKS.asks.mark} ${group.needs}`, 'need', true)] : []),
    ...(!group.open && group.working > 0 ? [span(`  ${LOOKS.working.mark} ${group.working}`, 'work')] : []),
    ...(group.open ? [] : [span(`  ${counted(group.count, 'session')}`, 'quiet')]),
    span(' '),
  ]
  return apart(left, right, width)
}

function sessionSpans(row: SessionRow, style: TreeStyle): Span[] {
  const { session } = row
  const state = lookOf(session)
  const isOver = session.phase === 'ended' || session.stale
  const indent = '  '.repeat(row.depth)
  const fold = row.under > 0 && !row.open ? ` +${row.under}` : ''
  const room = Math.max(4, style.nameWidth - indent.length)
  const head = [
    span(indent),
    span(`${state.mark} `, state.tone, state.tone === 'need' || state.tone === 'error'),
    span(`${factsOf(session.agent).glyph} `, 'quiet'),
    span(fit(clean(session.name) + fold, room), isOver ? 'quiet' : 'strong', session.needsYou),
    span(' '),
  ]
  const tail = tailSpans(session, state, style)
  const used = indent.length + 5 + room + tail.reduce((sum, { text }) => sum + widthOf(text), 0)
  return [...head, ...middle(session, state, style.width - used, style), ...tail]
}

function failureOf({ error, needsYou }: SessionView): string {
  return error && !needsYou ? ` ✗ ${clean(error.tool ?? error.message)}` : ''
}

/** The state and, if both fit, the session's topic or the command to approve. */
function middle(session: SessionView, state: Look, room: number, { width, stateWidth }: TreeStyle): Span[] {
  const hasTopic = width >= TOPIC_COLUMNS && room - stateWidth >= MIN_TOPIC
  const [held] = session.approvals ?? []
  const topic = !hasTopic ? '' : held ? clean(held.line) : topicOf(session)
  const stateRoom = topic === '' ? room : stateWidth
  const said = cut(state.text, stateRoom)
  const failed = cut(failureOf(session), stateRoom - widthOf(said))
  const gap = ' '.repeat(Math.max(0, stateRoom - widthOf(said) - widthOf(failed)))
  const rest = room - stateRoom
  return [
    span(said, state.tone),
    span(failed, 'error'),
    span(gap),
    ...(rest > 0 ? [span(fit(` ${topic}`, rest), held ? 'plain' : 'quiet')] : []),
  ]
}

function tailSpans(session: SessionView, state: Look, style: TreeStyle): Span[] {
  const { width, now, hasContext, hasCost } = style
  const pct = session.usage.contextPct
  const bar =
    width >= BAR_COLUMNS
      ? contextBar(session)
      : [span(fitRight(pct === undefined ? '' : percentWords(pct), 5), contextTone(session))]
  return [
    ...(hasContext ? [span(' '), ...bar] : []),
    ...(hasCost ? [span(fitRight(cost(session.usage.costUsd), 8), 'quiet')] : []),
    span(fitRight(ageOf(state.since, now), 5), state.tone),
    span(' '),
  ]
}

function childSpans(row: ChildRow, { width, now }: TreeStyle): Span[] {
  const state = childLook(row.child, row.session)
  const left = [
    span('  '.repeat(row.depth)),
    span(row.last ? '└ ' : '├ ', 'quiet'),
    span(`${state.mark} `, state.tone),
    span(state.text, 'plain'),
    span(` ${state.word === 'working' ? '' : state.word}`, state.tone),
  ]
  return apart(left, [span(fitRight(ageOf(state.since, now), 5), 'quiet'), span(' ')], width)
}
