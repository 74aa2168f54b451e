/** A timeline for people: one line an entry, in columns, coloured by kind, no wider than the terminal. */

import {
  bold,
  columns,
  cut,
  cyan,
  dim,
  duration,
  green,
  magenta,
  padTo,
  plain,
  red,
  widthOf,
  yellow,
} from './terminal.ts'
import type { Entry, EntryKind } from './timeline-entry.ts'

const STYLES: Readonly<Record<EntryKind, readonly [mark: string, colour: (text: string) => string]>> = {
  session: ['○', bold],
  prompt: ['›', (text) => bold(cyan(text))],
  tool: ['·', (text) => text],
  error: ['✗', red],
  ask: ['▲', yellow],
  stop: ['■', green],
  agent: ['◆', magenta],
  window: ['▣', (text) => bold(magenta(text))],
  log: ['✎', cyan],
  note: ['·', dim],
}

const CLOCK_COLUMNS = 9
const LABEL_COLUMNS = 14

/** `since` is the moment that the times are counted from. */
export function timelineLines(entries: readonly Entry[], since: number, now: number): string[] {
  const width = columns()
  return entries.map((entry) => {
    const [mark, colour] = STYLES[entry.kind]
    const clock = clockOf(entry.at - since).padStart(CLOCK_COLUMNS)
    const inset = entry.child ? '│ ' : ''
    const label = padTo(cut(plain(labelOf(entry)), LABEL_COLUMNS), LABEL_COLUMNS)
    const end = endOf(entry, now)
    const room = width - CLOCK_COLUMNS - LABEL_COLUMNS - inset.length - widthOf(end) - 7
    const text = padTo(cut(plain(entry.text), Math.max(10, room)), end === '' ? 0 : room)
    const said = entry.kind === 'prompt' ? bold(text) : entry.kind === 'note' ? dim(text) : text
    return `${dim(clock)}  ${dim(inset)}${colour(`${mark} ${label}`)} ${said}${end === '' ? '' : `  ${dim(end)}`}`.trimEnd()
  })
}

/** Of an MCP tool its own name: the server's is in front of it. */
function labelOf({ kind, label }: Entry): string {
  return kind === 'tool' && label.startsWith('mcp__') ? (label.split('__').at(-1) ?? label) : label
}

function endOf({ tookMs, open, at, kind }: Entry, now: number): string {
  if (open) return `${kind === 'ask' ? 'waits' : 'runs'} ${took(now - at)}`
  return tookMs === undefined ? '' : took(tookMs)
}

/** 320 ms, 4.2 s, 3 min 1 s. */
export function took(ms: number): string {
  const span = Math.max(0, ms)
  if (span < 1000) return `${Math.round(span)} ms`
  return span < 60_000 ? `${(span / 1000).toFixed(1)} s` : duration(span)
}

/** +0:07, +1:02:03, +2d 03:04. */
export function clockOf(ms: number): string {
  const s = Math.floor(Math.abs(ms) / 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const [d, h, m] = [Math.floor(s / 86_400), Math.floor(s / 3600) % 24, Math.floor(s / 60) % 60]
  const sign = ms < 0 ? '-' : '+'
  if (d > 0) return `${sign}${d}d ${two(h)}:${two(m)}`
  return h > 0 ? `${sign}${h}:${two(m)}:${two(s % 60)}` : `${sign}${m}:${two(s % 60)}`
}
