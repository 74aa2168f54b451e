/** The screen of a stream: rates on top, messages as they come, the payload of one below. */
import { cut, fit, fitRight } from '../../core/text/columns.ts'
import { cleanCells, clock, counted } from '../../core/text/text.ts'
import { messageTone } from '../../timeline/index.ts'
import { type BusState, cursorOf, passing, type Shown } from './bus-state.ts'
import { type Size, scrolled } from './frame.ts'
import { apart, bounded, EMPTY, type Line, line, type Span, span, spansWidth, type Tone } from './line.ts'
import { busiest, perSecond, sessionsSeen, sparkline } from './rates.ts'

export interface BusFrame {
  readonly lines: readonly Line[]
  readonly listTop: number
  readonly listHeight: number
  readonly top: number
}

const HEAD_LINES = 2
const SPARK_COLUMNS = 92

export const BUS_KEYS: readonly (readonly [key: string, does: string])[] = [
  ['j k ↓ ↑', 'move; G follows the newest again'],
  ['p space', 'hold the screen; what comes is kept'],
  ['enter', 'the payload; ctrl-d ctrl-u scroll it'],
  ['/', 'only messages with these words'],
  ['f', 'only this type; again: all'],
  ['o', 'only this session; again: all'],
  ['esc', 'all again'],
  ['? q', 'this help; quit'],
]

export function busFrame(state: BusState, size: Size, previousTop: number, now: number): BusFrame {
  const body = Math.max(1, size.height - HEAD_LINES - 1)
  const detailHeight = state.detailOpen ? Math.max(3, Math.floor(body * 0.55)) : 0
  const listHeight = Math.max(1, body - detailHeight)
  const list = passing(state)
  const at = cursorOf(state, list)
  const top = scrolled(
    state.selected === undefined ? list.length : previousTop,
    Math.max(0, at),
    listHeight,
    list.length,
  )
  const lines: Line[] = [headerLine(state, size.width, now), ratesLine(state, size.width, now)]
  if (state.mode === 'help') lines.push(...help(body))
  else {
    const rows = list
      .slice(top, top + listHeight)
      .map((one, i) => messageLine(one, size.width, top + i === at))
    if (rows.length === 0) rows.push(EMPTY, line(span(`  ${emptyWords(state)}`, 'quiet')))
    lines.push(...bounded(rows, size.width, listHeight))
    if (state.detailOpen) lines.push(...payloadLines(list[at], state.detailTop, size.width, detailHeight))
  }
  const all = [...bounded(lines, size.width, size.height - 1), footerLine(state, size.width)]
  return { lines: bounded(all, size.width, size.height), listTop: HEAD_LINES, listHeight, top }
}

function headerLine(state: BusState, width: number, now: number): Line {
  const rate = perSecond(state.rates, now)
  const left = [
    span(' gantry bus ', 'accent', true),
    span(` ${state.stream}`, 'strong', true),
    ...[state.filter, state.type, state.session?.slice(0, 8), state.text && `/${state.text}`]
      .filter((one) => one !== undefined && one !== '')
      .map((one) => span(`  ${cleanCells(one ?? '')}`, 'accent')),
  ]
  const right = [
    span(`${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`, 'plain', true),
    span(`  ${counted(sessionsSeen(state.rates, now), 'session')}  ${state.rates.total} so far  `, 'quiet'),
    linkSpan(state),
    span(' '),
  ]
  return line(...apart(left, right, width))
}

function linkSpan({ link, held, messages }: BusState): Span {
  const last = held?.at(-1)?.seq ?? 0
  if (held) return span(`‖ held +${messages.filter(({ seq }) => seq > last).length}`, 'need', true)
  if (link === 'live') return span('● live', 'work')
  return link === 'connecting' ? span('○ …', 'quiet') : span('○ daemon away', 'error', true)
}

function ratesLine({ rates }: BusState, width: number, now: number): Line {
  const spark = width >= SPARK_COLUMNS ? [span(sparkline(rates, now), 'work'), span(' ')] : []
  const types = busiest(rates, now, 8).flatMap(({ type, rate }) => [
    span(` ${cleanCells(type)}`, toneOf(type)),
    span(` ${rate.toFixed(1)} `, 'quiet'),
  ])
  return line(...apart(types, spark, width))
}

function messageLine(one: Shown, width: number, marked: boolean): Line {
  const isWide = width >= 90
  const spans = [
    span(marked ? '▌' : ' ', 'accent', true),
    span(`${clock(one.at)} `, 'quiet'),
    ...(isWide ? [span(`${fitRight(String(one.seq), 7)}  `, 'quiet')] : []),
    span(fit(one.agent || '-', 9), 'quiet'),
    ...(isWide ? [span(fit(one.session.slice(0, 8) || '-', 10), 'quiet')] : []),
    span(fit(one.type, isWide ? 20 : 18), toneOf(one.type)),
    span(' '),
  ]
  const room = width - spansWidth(spans) - 1
  return { spans: [...spans, span(fit(one.detail, Math.max(0, room)))], ...(marked ? { marked } : {}) }
}

function toneOf(type: string): Tone {
  const tone = messageTone(type)
  return tone === 'done' ? 'work' : tone
}

function payloadLines(one: Shown | undefined, from: number, width: number, height: number): Line[] {
  if (!one) return []
  const title = ` ${one.subject}  ${one.seq} `
  const rule = line(
    span('──', 'quiet'),
    span(cut(title, width - 4), 'strong', true),
    span('─'.repeat(Math.max(0, width - 2 - title.length)), 'quiet'),
  )
  const text = pretty(one.data).split('\n')
  const top = Math.min(from, Math.max(0, text.length - height + 1))
  return [
    rule,
    ...text.slice(top, top + height - 1).map((part) => line(span(cut(` ${cleanCells(part)}`, width)))),
  ]
}

function pretty(data: string): string {
  try {
    return JSON.stringify(JSON.parse(data), null, 2)
  } catch {
    return data // cut, or not JSON: shown as it is
  }
}

function emptyWords({ link, messages, held }: BusState): string {
  if (link === 'away') return 'The daemon is away. Trying again. "gantry up" starts it.'
  if ((held ?? messages).length > 0) return 'Nothing passes. esc shows all again.'
  return 'Nothing came yet. Messages appear here as agents work.'
}

function help(height: number): Line[] {
  const rows = BUS_KEYS.map(([key, does]) => line(span(fit(`  ${key}`, 12), 'accent', true), span(does)))
  return bounded([EMPTY, ...rows], Infinity, height)
}

function footerLine(state: BusState, width: number): Line {
  const hint = (key: string, does: string) => [span(` ${key}`, 'accent'), span(` ${does} `, 'quiet')]
  if (state.mode === 'search')
    return line(
      ...apart(
        [span(' /', 'accent', true), span(`${cleanCells(state.text)}▏`)],
        hint('enter', 'keep'),
        width,
      ),
    )
  const left = [
    ...hint('p', state.held ? 'go on' : 'hold'),
    ...hint('enter', 'payload'),
    ...hint('/', 'search'),
    ...hint('f', 'type'),
    ...(width < 76 ? [] : hint('o', 'session')),
  ]
  return line(...apart(left, [...hint('?', 'help'), ...hint('q', 'quit')], width))
}
