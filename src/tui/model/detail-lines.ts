/** The selected session: its requests and the offered answers, what runs, what happened, its screen. */
import {
  askWords,
  denialWords,
  factsOf,
  LOOKS,
  lookOf,
  type SessionView,
  uncoveredWords,
} from '../../client/index.ts'
import { percentWords } from '../../core/text/amount.ts'
import { cut, elide, widthOf, wrap } from '../../core/text/columns.ts'
import { clean, clock, counted } from '../../core/text/text.ts'
import { type Entry, endOf, sentenceOf, styleOf } from '../../timeline/index.ts'
import { heldLine } from './approval.ts'
import type { FleetState } from './fleet-state.ts'
import type { Size } from './frame.ts'
import { apart, EMPTY, type Line, line, type Span, span } from './line.ts'
import { ageOf, cost } from './session-format.ts'
import type { GroupRow, Row } from './tree.ts'

const MAX_OPTIONS = 5
const MAX_SUBJECT_LINES = 3

export function detailLines(state: FleetState, row: Row | undefined, size: Size, now: number): Line[] {
  if (!row) return padded([], size)
  if (row.kind === 'group') return padded(groupLines(row), size)
  const { session } = row
  const mine = state.timeline?.key === session.key ? state.timeline.entries : []
  const head = [
    factLine(session, size.width, now),
    ...needLines(session, mine, size, now),
    ...workLines(session, size, now),
  ]
  const most = Math.max(2, size.height - 3)
  const shown = head.slice(0, most)
  const tabs = tabLine(state, size.width)
  const room = size.height - shown.length - 1
  const below =
    state.tab === 'timeline'
      ? timelineLines(mine, size.width, room, now)
      : screenLines(state, session, size.width, room)
  return padded([...shown, tabs, ...below], size)
}

export function detailTitle(row: Row | undefined): string {
  if (!row) return ''
  if (row.kind === 'group') return row.group.label
  const { session } = row
  return `${factsOf(session.agent).glyph} ${clean(session.name)}${row.kind === 'child' ? ` › ${clean(row.child.type || row.child.agentId)}` : ''}`
}

function groupLines({ group }: GroupRow): Line[] {
  return [
    line(span(` ${counted(group.count, 'session')}`)),
    line(span(` ${counted(group.needs, 'needs you', 'need you')}`, group.needs > 0 ? 'need' : 'quiet')),
    line(span(` ${group.working} ${LOOKS.working.word}`, group.working > 0 ? 'work' : 'quiet')),
  ]
}

function factLine(session: SessionView, width: number, now: number): Line {
  const { usage } = session
  const facts = [
    [session.agent, session.agentVersion].filter(Boolean).join(' '),
    uncoveredWords(session),
    session.model,
    session.branch,
    `age ${ageOf(session.startedAt, session.endedAt ?? now)}`,
    session.permissionMode === 'default' ? undefined : session.permissionMode,
    usage.contextPct === undefined ? undefined : `context ${percentWords(usage.contextPct)}`,
    cost(usage.costUsd),
    session.pane && `pane ${session.pane}`,
    session.pid && `pid ${session.pid}`,
  ]
  return line(
    span(
      cut(
        ` ${wholeFacts(
          facts.flatMap((fact) => clean(fact || '') || []),
          width - 1,
        )}`,
        width,
      ),
      'quiet',
    ),
  )
}

/** As many whole facts as fit: half a number says nothing. */
function wholeFacts(facts: readonly string[], room: number): string {
  let text = facts[0] ?? ''
  for (const fact of facts.slice(1)) {
    const longer = `${text} · ${fact}`
    if (widthOf(longer) > room) break
    text = longer
  }
  return text
}

function needLines(session: SessionView, entries: readonly Entry[], { width }: Size, now: number): Line[] {
  const lines: Line[] = []
  for (const one of session.attention.filter(({ kind }) => kind !== 'idle').slice(0, 2)) {
    const tone = one.kind === 'error' ? 'error' : 'need'
    const waits = one.kind === 'error' ? 'for' : 'waits'
    lines.push(
      line(
        span(
          ` ${LOOKS[tone === 'error' ? 'failed' : 'asks'].mark} ${cut(askWords(one), width - 16)}`,
          tone,
          true,
        ),
        span(`  ${waits} ${ageOf(one.since, now)}`, 'quiet'),
      ),
    )
    if (one.kind !== 'error') lines.push(...askLines(session, one, entries, width))
  }
  lines.push(...heldLine(session, now))
  if (session.error && lines.length === 0) {
    const text = [session.error.tool, session.error.message].filter(Boolean).join(': ')
    lines.push(line(span(cut(` ✗ ${clean(text)}`, width), 'error')))
  }
  return lines
}

/** If the text is too long, the middle is cut, so that its end is always visible. */
function subjectLines(subject: string, width: number): string[] {
  const columns = [MAX_SUBJECT_LINES, MAX_SUBJECT_LINES - 0.5, MAX_SUBJECT_LINES - 1].map((n) => n * width)
  const whole = columns.map((room) => wrap(elide(subject, room), width, MAX_SUBJECT_LINES + 1))
  return whole.find((lines) => lines.length <= MAX_SUBJECT_LINES) ?? wrap(subject, width, MAX_SUBJECT_LINES)
}

/** The newest open request about the same tool; a held request describes itself. */
function askLines(
  { approvals = [] }: SessionView,
  { tool, agentId, since }: SessionView['attention'][number],
  entries: readonly Entry[],
  width: number,
): Line[] {
  const isMine = ({ open, asks, at, agentId: whose }: Entry) =>
    open && asks && at <= since && (tool === undefined || asks.tool === tool) && whose === agentId
  const held = approvals.find((one) => one.tool === tool)
  const ask = entries.findLast(isMine)?.asks ?? (held && { questions: [], subject: clean(held.line) })
  if (!ask) return []
  if (ask.questions.length === 0)
    return subjectLines(ask.subject, width - 5).map((text) => line(span(`   ${text}`)))
  return ask.questions.flatMap(({ text, options }) => [
    ...wrap(text, width - 5, 2).map((part) => line(span(`   ${part}`, 'strong'))),
    ...options
      .slice(0, MAX_OPTIONS)
      .map((option, i) => line(span(`   ${i + 1} `, 'need'), span(cut(option, width - 7)))),
    ...(options.length > MAX_OPTIONS
      ? [line(span(`   … ${options.length - MAX_OPTIONS} more`, 'quiet'))]
      : []),
  ])
}

function workLines(session: SessionView, { width }: Size, now: number): Line[] {
  const lines: Line[] = []
  const state = lookOf(session)
  if (session.openTools.length > 0 && !session.needsYou) {
    const tools = session.openTools.map(({ name, since }) => `${clean(name)} ${ageOf(since, now)}`)
    lines.push(line(span(' ▸ ', state.tone), span(cut(`runs ${tools.slice(0, 6).join(' · ')}`, width - 4))))
  }
  if (session.denied && session.phase !== 'ended') {
    const { denied, denials = 1 } = session
    const why = denied.line === undefined ? undefined : denied.reason
    const words = [denialWords(denied), denials > 1 && `${denials} in all`, why && clean(why)]
    lines.push(line(span(' ✗ ', 'error'), span(cut(words.filter(Boolean).join(' · '), width - 4))))
  }
  const children = session.children.filter(({ phase }) => phase !== 'ended')
  if (children.length > 0) {
    const names = children.map(
      ({ type, agentId, startedAt }) => `${clean(type || agentId)} ${ageOf(startedAt, now)}`,
    )
    lines.push(line(span(' ⤷ ', 'work'), span(cut(`sub-agents ${names.slice(0, 8).join(' · ')}`, width - 4))))
  }
  if (session.background.length > 0) {
    const names = session.background.map(({ description, type, id }) => clean(description ?? type ?? id, 80))
    lines.push(line(span(' ↻ ', 'work'), span(cut(`background ${names.slice(0, 6).join(' · ')}`, width - 4))))
  }
  if (session.lastPrompt)
    lines.push(line(span(' » ', 'accent'), span(cut(clean(session.lastPrompt), width - 4))))
  lines.push(...todoLine(session, width))
  const said = session.summary ?? session.lastMessage
  if (said && session.phase === 'idle')
    lines.push(line(span(' ■ ', 'done'), span(cut(clean(said), width - 4))))
  return lines
}

/** Progress of its own task list, and the current item. */
function todoLine({ todos = [], phase }: SessionView, width: number): Line[] {
  if (todos.length === 0 || phase === 'ended') return []
  const done = todos.filter(({ status }) => status === 'completed').length
  const now =
    todos.find(({ status }) => status === 'in_progress') ?? todos.find(({ status }) => status === 'pending')
  const text = `${done} of ${todos.length} done${now ? ` · ${clean(now.text)}` : ''}`
  return [line(span(' ☐ ', 'accent'), span(cut(text, width - 4)))]
}

function tabLine({ tab }: FleetState, width: number): Line {
  const name = (which: FleetState['tab']): Span =>
    span(` ${which} `, tab === which ? 'accent' : 'quiet', tab === which)
  return line(...apart([name('timeline'), name('screen')], [span('tab ', 'quiet')], width))
}

/** The newest at the end. */
function timelineLines(entries: readonly Entry[], width: number, room: number, now: number): Line[] {
  if (entries.length === 0) return [line(span(' Nothing happened yet.', 'quiet'))]
  return entries.slice(-Math.max(0, room)).map((entry) => {
    const { mark, tone } = styleOf(entry)
    const end = endOf(entry, now)
    const text = cut(clean(sentenceOf(entry)), width - 13 - widthOf(end))
    return line(
      span(` ${clock(entry.at)} `, 'quiet'),
      span(`${mark} ${entry.child ? '│ ' : ''}`, tone),
      span(text, tone === 'strong' ? 'plain' : tone),
      span(end === '' ? '' : ` ${end}`, 'quiet'),
    )
  })
}

function screenLines(state: FleetState, session: SessionView, width: number, room: number): Line[] {
  if (session.pane === undefined)
    return [line(span(' It runs in no tmux pane, so its screen cannot be seen from here.', 'quiet'))]
  const shot = state.screen?.key === session.key ? state.screen : undefined
  if (!shot) return [line(span(' …', 'quiet'))]
  if (shot.problem !== undefined) return [line(span(cut(` ${shot.problem}`, width), 'need'))]
  const last = shot.lines.findLastIndex((text) => text.trim() !== '')
  return shot.lines
    .slice(Math.max(0, last + 1 - room), last + 1)
    .map((text) => line(span(cut(` ${text}`, width))))
}

function padded(lines: readonly Line[], { height }: Size): Line[] {
  const kept = lines.slice(0, height)
  while (kept.length < height) kept.push(EMPTY)
  return kept
}
