/**
 * The living table of `gantry demo`: the sessions as they change, those that need somebody first. On a terminal it is
 * drawn in place a few times a second; elsewhere each change of state is a line.
 */
import { inOrder, lookOf, type SessionView } from '../../client/index.ts'
import {
  age,
  bold,
  byTone,
  columns,
  counted,
  cut,
  cyan,
  dim,
  green,
  magenta,
  padTo,
  plain,
  red,
  yellow,
} from '../framework/terminal.ts'

const ENDED_SHOWN_MS = 3_000
const BAR_CELLS = 6

export interface Frame {
  readonly sessions: readonly SessionView[]
  readonly events: number
  readonly elapsedMs: number
  readonly totalMs: number
  readonly home: string
  readonly now: number
}

export function frameOf(frame: Frame, rows: number): string {
  const { sessions, events, elapsedMs, totalMs, now } = frame
  const shown = sessions.filter(({ endedAt }) => endedAt === undefined || now - endedAt < ENDED_SHOWN_MS)
  const count = (test: (session: SessionView) => boolean) => shown.filter(test).length
  const needs = count(({ needsYou }) => needsYou)
  const seconds = `${Math.floor(elapsedMs / 1000)}s of ${Math.round(totalMs / 1000)}s`
  const title = `${bold('gantry demo')}  ${dim(`recorded sessions of five agents, played through a real daemon · ${seconds}`)}`
  const sums = [
    counted(shown.length, 'session'),
    green(`${count(({ phase }) => phase === 'working')} working`),
    needs > 0 ? yellow(counted(needs, 'needs you', 'need you')) : dim('nobody needs you'),
    dim(counted(events, 'event')),
  ].join('  ')
  const hints = hintsOf(frame)
  const room = Math.max(3, rows - hints.length - 4)
  const list = [...shown]
    .sort(inOrder)
    .slice(0, room)
    .map((session) => lineOf(session, now))
  return [title, sums, '', ...list, '', ...hints].map((line) => line.trimEnd()).join('\n')
}

export function hintsOf({ home }: Pick<Frame, 'home'>): string[] {
  const at = `--home ${home}`
  const gantry = process.env.npm_lifecycle_event === undefined ? 'gantry' : './bin/gantry'
  return [
    dim('Ctrl-C ends it and leaves nothing behind. Meanwhile, in another terminal:'),
    `  ${cyan(`${gantry} sessions ${at}`)}`,
    `  ${cyan(`${gantry} bus subscribe ${at}`)}`,
    `  ${cyan(`${gantry} search tests ${at}`)}`,
    `  ${cyan(`GANTRY_HOME=${home} ${gantry}`)}`,
  ]
}

/** For a log: what changed, in a line. */
export function changeOf(session: SessionView): string {
  return `${session.agent.padEnd(8)} ${session.name.padEnd(18)} ${lookOf(session).word}  ${plain(whatOf(session))}`.trimEnd()
}

function lineOf(session: SessionView, now: number): string {
  const { name, agent, usage, children, lastActivity } = session
  const subs = children.filter(({ endedAt }) => endedAt === undefined)
  const left = `${padTo(cut(name, 18), 18)} ${agent.padEnd(8)} `
  const { mark, tone, word } = lookOf(session)
  const colour = byTone(tone)
  const context = usage.contextPct === undefined ? ' '.repeat(BAR_CELLS + 5) : bar(usage.contextPct)
  const quiet = age(now - lastActivity).padStart(4)
  const under = subs.length > 0 ? magenta(` +${subs.length} ${cut(plain(subs[0]?.type ?? ''), 16)} `) : ''
  const room = columns() - left.length - 11 - BAR_CELLS - 5 - quiet.length - Bun.stringWidth(under) - 6
  const what = cut(plain(whatOf(session)), Math.max(8, room))
  return `${colour(mark)} ${bold(left)}${colour(word.padEnd(11))}${context} ${dim(quiet)} ${under} ${what}`
}

function whatOf(session: SessionView): string {
  const { lastPrompt, lastMessage, phase } = session
  const { text, word } = lookOf(session)
  const state = text === word ? '' : text
  const said = phase === 'idle' ? (lastMessage ?? lastPrompt) : lastPrompt
  return [state, said].filter(Boolean).join(' · ')
}

function bar(pct: number): string {
  const full = Math.min(BAR_CELLS, Math.round((pct / 100) * BAR_CELLS))
  const colour = pct >= 90 ? red : pct >= 80 ? yellow : green
  return `${colour('█'.repeat(full))}${dim('░'.repeat(BAR_CELLS - full))}${`${Math.round(pct)}%`.padStart(5)}`
}
