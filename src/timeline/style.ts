/** Mark, tone and duration of an entry. The surface adds colours and columns. */
import { isMcpTool, mcpName } from '../agents/tools/mcp-name.ts'
import { age, tookWords } from '../core/text/amount.ts'
import { twoDigits } from '../core/time/days.ts'
import { LOOKS, type LookTone } from '../sessions/state/look.ts'
import { type Entry, ERROR_MARK } from './entry.ts'

type EntryTone = LookTone | 'plain' | 'strong' | 'accent'

interface EntryStyle {
  readonly mark: string
  readonly tone: EntryTone
}

export function styleOf({ kind, open, label }: Entry): EntryStyle {
  switch (kind) {
    case 'session':
      return { mark: label === 'end' ? '·' : '◌', tone: 'strong' }
    case 'prompt':
      return { mark: '»', tone: 'accent' }
    case 'tool':
      return open ? { mark: '▸', tone: 'plain' } : { mark: '✓', tone: 'quiet' }
    case 'error':
      return { mark: ERROR_MARK, tone: 'error' }
    case 'ask':
      return open ? { mark: LOOKS.asks.mark, tone: 'need' } : { mark: '△', tone: 'quiet' }
    case 'stop':
      return { mark: '■', tone: 'done' }
    case 'agent':
      return { mark: open ? '⤷' : '⤶', tone: 'busy' }
    case 'window':
      return { mark: label === 'compaction' ? '◐' : '▣', tone: 'busy' }
    case 'log':
      return { mark: '✎', tone: 'accent' }
    case 'note':
      return { mark: '·', tone: 'quiet' }
  }
}

/** The own name of an MCP tool, without the server's. */
export function nameOf({ kind, label }: Entry): string {
  return kind === 'tool' && isMcpTool(label) ? mcpName(label) : label
}

/** The whole entry in one line, for surfaces without columns. */
export function sentenceOf(entry: Entry): string {
  const { kind, text, agentType } = entry
  const who = entry.child && agentType ? `${agentType}: ` : ''
  if (kind === 'prompt' || kind === 'stop') return who + (text || nameOf(entry))
  return `${who}${nameOf(entry)}${kind === 'ask' && text !== '' ? ': ' : ' '}${text}`
}

/** How long it took, or has taken so far. */
export function endOf({ tookMs, open, held, at, kind }: Entry, now: number): string {
  if (held) return ''
  if (open) return `${kind === 'ask' ? 'waits' : 'runs'} ${age(now - at)}`
  return tookMs === undefined ? '' : tookWords(tookMs)
}

/** +0:07, +1:02:03, +2d 03:04. */
export function clockOf(ms: number): string {
  const s = Math.floor(Math.abs(ms) / 1000)
  const [d, h, m] = [Math.floor(s / 86_400), Math.floor(s / 3600) % 24, Math.floor(s / 60) % 60]
  const sign = ms < 0 ? '-' : '+'
  if (d > 0) return `${sign}${d}d ${twoDigits(h)}:${twoDigits(m)}`
  return h > 0 ? `${sign}${h}:${twoDigits(m)}:${twoDigits(s % 60)}` : `${sign}${m}:${twoDigits(s % 60)}`
}
