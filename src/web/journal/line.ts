/** One event as a line of the journal: only what the line shows is kept, so that thousands of lines stay small. Pure. */
import type { CallResult } from '../../client/index.ts'
import { bare, clean } from '../../core/text/text.ts'
import { dayOf, twoDigits } from '../../core/time/days.ts'
import { sessionKeyOf } from '../../events/keys.ts'
import { isDenial, type LineEvent, lineOf, type TypeTone, toolLine, typeTone } from '../../timeline/line.ts'

export interface Line {
  readonly seq: number
  readonly id: string
  readonly at: number
  readonly agent: string
  readonly session: string
  /** Key of its session; gantry's own events tell whose they are. */
  readonly key: string
  readonly type: string
  readonly tone: TypeTone
  readonly tool: string
  readonly text: string
  /** What gantry answered; else what became of it. */
  readonly verdict: VerdictWord
  /** Which rule said so, and why. */
  readonly why: string
}

type VerdictWord = '' | 'allowed' | 'denied' | 'asked' | 'stop blocked' | 'failed' | 'asks' | 'not counted'

type PagedVerdict = NonNullable<CallResult<'events.page'>['events'][number]['verdict']>
type Listed = LineEvent & { readonly verdict?: PagedVerdict }

const TEXT_CHARS = 400 // more than the widest screen shows

export function toLine(event: Listed): Line {
  const { seq, id, at, agent, sessionId, type, tool } = event
  const text = tool && !isDenial(event) ? toolLine(tool) : lineOf(event)
  return {
    ...{ seq, id, at, agent, session: sessionId, key: sessionKeyOf(event), type, tone: typeTone(type) },
    tool: clean(tool?.name ?? ''),
    text: clean(bare(text.slice(0, TEXT_CHARS))),
    verdict: verdictOf(event),
    why: clean([event.verdict?.by, event.verdict?.reason].filter(Boolean).join(': ')),
  }
}

const ANSWERED = {
  none: '',
  allow: 'allowed',
  deny: 'denied',
  ask: 'asked',
  'block-stop': 'stop blocked',
} as const satisfies Readonly<Record<PagedVerdict['decision'], VerdictWord>>

/** State is never by colour alone. */
export const VERDICT_LOOKS: Readonly<Record<VerdictWord, { readonly mark: string; readonly tone: string }>> =
  {
    '': { mark: '', tone: '' },
    allowed: { mark: '✓', tone: 'work' },
    denied: { mark: '✖', tone: 'error' },
    asked: { mark: '△', tone: 'need' },
    'stop blocked': { mark: '↺', tone: 'need' },
    failed: { mark: '✖', tone: 'error' },
    asks: { mark: '▲', tone: 'need' },
    'not counted': { mark: '', tone: 'quiet' },
  }

function verdictOf(event: Listed): VerdictWord {
  const answered = ANSWERED[event.verdict?.decision ?? 'none']
  if (answered !== '') return answered
  if (isDenial(event)) return 'denied'
  if (event.type.endsWith('Failure') || event.tool?.error !== undefined) return 'failed'
  if (event.type === 'PermissionRequest' || event.type === 'Elicitation') return 'asks'
  return event.hidden === undefined ? '' : 'not counted'
}

/** `14:02:07`, with the day if it is not today. */
export function timeWords(at: number, now: number): string {
  const time = new Date(at)
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':')
  return dayOf(at) === dayOf(now) ? clock : `${dayOf(at).slice(5)} ${clock}`
}

export function numberWords(count: number): string {
  return count.toLocaleString('en')
}
