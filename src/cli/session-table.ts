/**
 * Sessions as a table: a row is one line. On a terminal it is as wide as that, and what matters less gives way; in a pipe
 * nothing is cut.
 */
import { inOrder, lookOf, type SessionView } from '../client/index.ts'
import { fit, fitRight } from '../core/columns.ts'
import { age } from '../core/text.ts'
import { bare, bold, byTone, cut, dim, elide, padTo, plain, widthOf } from './terminal.ts'

interface Column {
  readonly title: string
  readonly right?: true
  /** More columns than this are cut on a terminal. */
  readonly most?: number
  /** From so many columns of the terminal on it is there. */
  readonly from: number
  text(session: SessionView, now: number): string
  colour?(session: SessionView): (text: string) => string
}

const COLUMNS: readonly Column[] = [
  { title: 'NAME', from: 0, most: 18, text: ({ name }) => plain(name), colour: () => bold },
  { title: 'AGENT', from: 76, most: 10, text: ({ agent }) => plain(agent) },
  { title: 'PROJECT', from: 66, most: 16, text: ({ project }) => plain(project ?? ''), colour: () => dim },
  {
    title: 'STATE',
    from: 0,
    text: (session) => lookOf(session).word,
    colour: (session) => byTone(lookOf(session).tone),
  },
  { title: 'FOR', right: true, from: 0, text: (session, now) => age(now - lookOf(session).since) },
  { title: 'AGE', right: true, from: 70, text: ageText, colour: () => dim },
  { title: 'CTX', right: true, from: 100, text: ({ usage }) => percent(usage), colour: () => dim },
  { title: 'COST', right: true, from: 110, text: ({ usage }) => cost(usage), colour: () => dim },
]

const MARK_COLUMNS = 2
const LEAST_COMMAND = 16 // columns: of less, nobody knows what it does

export interface Table {
  readonly header: string
  row(session: SessionView): string
}

/** Made for all that are shown, so that their columns stand under each other. */
export function tableOf(sessions: readonly SessionView[], width: number, now: number): Table {
  const isPipe = width === Number.POSITIVE_INFINITY
  const shown = COLUMNS.filter(({ from }) => width >= from)
    .map((column) => ({ column, width: widthIn(column, sessions, now, isPipe) }))
    .filter(({ width: own }) => own > 0)
  const used = shown.reduce((sum, one) => sum + one.width + 1, MARK_COLUMNS)
  const room = Math.max(0, width - used)
  const cells = (cell: (column: Column) => string, paint: (column: Column) => (text: string) => string) =>
    shown.map((one) => paint(one.column)(placed(one.column, cell(one.column), one.width))).join(' ')
  const within = (line: string) => line.trimEnd()
  return {
    header: dim(
      within(
        `${' '.repeat(MARK_COLUMNS)}${cells(
          ({ title }) => title,
          () => String,
        )} WHAT`,
      ),
    ),
    row: (session) => {
      const { mark, tone } = lookOf(session)
      const facts = cells(
        (column) => column.text(session, now),
        (column) => column.colour?.(session) ?? String,
      )
      return within(`${byTone(tone)(mark)} ${facts} ${whatOf(session, room)}`)
    },
  }
}

/** Those that pass, in order. */
export function inTable(
  sessions: Iterable<SessionView>,
  passes: (session: SessionView) => boolean,
): SessionView[] {
  return [...sessions].filter(passes).sort(inOrder)
}

function widthIn(column: Column, sessions: readonly SessionView[], now: number, isPipe: boolean): number {
  const widest = Math.max(0, ...sessions.map((session) => widthOf(column.text(session, now))))
  if (widest === 0) return 0 // a column that nobody fills gives its place away
  return Math.max(widthOf(column.title), isPipe ? widest : Math.min(column.most ?? widest, widest))
}

function placed({ right }: Column, text: string, width: number): string {
  return right ? fitRight(text, width) : fit(text, width)
}

/** What can be approved, with the end of its command; else what it does, and what was asked of it. */
function whatOf(session: SessionView, room: number): string {
  const [approval] = session.approvals ?? []
  if (approval) {
    const whole = `approve ${approval.id}: ${bare(approval.tool)} `
    const ask = room - widthOf(whole) < LEAST_COMMAND ? `approve ${approval.id}: ` : whole
    return cut(ask + elide(bare(approval.line), Math.max(0, room - widthOf(ask))), room)
  }
  const { word, text } = lookOf(session)
  const about = (session.title ?? session.lastPrompt ?? '').replace(/\s+/g, ' ')
  return cut(plain([text === word ? '' : text, about].filter(Boolean).join(' · ')), room)
}

/** How long the session has been there, or was. */
export function ageText({ startedAt, endedAt }: SessionView, now: number): string {
  return Number.isFinite(startedAt) ? age((endedAt ?? now) - startedAt) : ''
}

function percent({ contextPct }: SessionView['usage']): string {
  return contextPct === undefined ? '' : `${Math.round(contextPct)}%`
}

function cost({ costUsd, costEstimated }: SessionView['usage']): string {
  return costUsd === undefined ? '' : `${costEstimated ? '~' : ''}$${costUsd.toFixed(2)}`
}

/** One session without a table around it, for a log of changes. */
export function changeLine(session: SessionView): string {
  const { mark, tone, word } = lookOf(session)
  const head = `${padTo(plain(session.name), 18)} ${padTo(plain(session.agent), 8)}`
  return `${byTone(tone)(`${mark} ${padTo(word, 10)}`)} ${bold(head)} ${whatOf(session, Number.POSITIVE_INFINITY)}`.trimEnd()
}
