/**
 * Sessions as a table, one line each. A narrow terminal gets fewer columns, and long texts are cut; in a pipe nothing is cut.
 */
import { inOrder, lookOf, type SessionView, uncoveredWords } from '../../client/index.ts'
import { age, costWords, percentWords } from '../../core/text/amount.ts'
import { fit, fitRight } from '../../core/text/columns.ts'
import { bare, bold, byTone, cut, dim, elide, padTo, plain, widthOf } from '../framework/terminal.ts'

interface Column {
  readonly title: string
  readonly right?: true
  /** Cut to this width on a terminal. */
  readonly most?: number
  /** Shown if the terminal has at least this many columns. */
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
  { title: 'CTX', right: true, from: 100, text: ({ usage }) => context(usage), colour: () => dim },
  { title: 'COST', right: true, from: 110, text: ({ usage }) => cost(usage), colour: () => dim },
]

const MARK_COLUMNS = 2
const LEAST_COMMAND = 16 // columns: of less, nobody knows what it does

interface Table {
  readonly header: string
  row(session: SessionView): string
}

/** Takes all sessions, to align their columns. */
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

/** The sessions that pass, sorted. */
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

/** The request to approve with its command, else the activity and the title or prompt. */
export function whatOf(session: SessionView, room: number): string {
  const [approval] = session.approvals ?? []
  if (approval) {
    const whole = `approve ${approval.id}: ${bare(approval.tool)} `
    const ask = room - widthOf(whole) < LEAST_COMMAND ? `approve ${approval.id}: ` : whole
    return cut(ask + elide(bare(approval.line), Math.max(0, room - widthOf(ask))), room)
  }
  const { word, text } = lookOf(session)
  const about = (session.title ?? session.lastPrompt ?? '').replace(/\s+/g, ' ')
  const parts = [text === word ? '' : text, uncoveredWords(session), about]
  return cut(plain(parts.filter(Boolean).join(' · ')), room)
}

/** The age of the session, or how long it lasted. */
function ageText({ startedAt, endedAt }: SessionView, now: number): string {
  return Number.isFinite(startedAt) ? age((endedAt ?? now) - startedAt) : ''
}

function context({ contextPct }: SessionView['usage']): string {
  return contextPct === undefined ? '' : percentWords(contextPct)
}

function cost({ costUsd, costEstimated }: SessionView['usage']): string {
  return costUsd === undefined ? '' : `${costEstimated ? '~' : ''}${costWords(costUsd)}`
}

/** One session as a line of a log. */
export function changeLine(session: SessionView): string {
  const { mark, tone, word } = lookOf(session)
  const head = `${padTo(plain(session.name), 18)} ${padTo(plain(session.agent), 8)}`
  return `${byTone(tone)(`${mark} ${padTo(word, 10)}`)} ${bold(head)} ${whatOf(session, Number.POSITIVE_INFINITY)}`.trimEnd()
}
