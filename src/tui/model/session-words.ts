/** A session in a few words and signs: what it does, since when, how full its context is, what it costs. */
import type { ChildView, SessionView } from '../../client/index.ts'
import { age, clean } from '../../text.ts'
import type { Span, Tone } from './line.ts'
import { span } from './line.ts'

export interface State {
  readonly mark: string
  readonly tone: Tone
  /** In one word, for filters and where there is no colour. */
  readonly word: string
  readonly text: string
  readonly since: number
}

/** One column each, and no emoji: terminals agree on their width. */
const GLYPHS: Readonly<Record<string, string>> = {
  claude: '✻',
  codex: '⬡',
  gemini: '✦',
  copilot: '◈',
  opencode: '▣',
}

export function glyphOf(agent: string): string {
  return Object.hasOwn(GLYPHS, agent) ? (GLYPHS[agent] ?? '•') : '•'
}

export function stateOf(session: SessionView): State {
  const { phase, lastActivity, turn } = session
  const asked = session.attention.find(({ kind }) => kind !== 'idle' && kind !== 'error')
  const failed = session.attention.find(({ kind }) => kind === 'error')
  if (phase === 'ended')
    return { mark: '·', tone: 'quiet', word: 'ended', text: 'ended', since: session.endedAt ?? lastActivity }
  if (asked) {
    const more = session.attention.filter(({ kind }) => kind !== 'idle').length - 1
    const text = `${askWords(asked)}${more > 0 ? ` +${more}` : ''}`
    return { mark: '▲', tone: 'need', word: 'needs you', text, since: asked.since }
  }
  if (failed) return { mark: '✖', tone: 'error', word: 'error', text: askWords(failed), since: failed.since }
  const detail = clean(session.detail ?? '')
  const since = turn.startedAt ?? lastActivity
  if (phase === 'compacting')
    return { mark: '◐', tone: 'busy', word: 'compacting', text: detail || 'Compacting', since }
  if (phase === 'working')
    return { mark: '●', tone: 'work', word: 'working', text: detail || 'working', since }
  if (phase === 'starting')
    return { mark: '◌', tone: 'quiet', word: 'starting', text: 'starting', since: session.startedAt }
  if (session.stale) return { mark: '○', tone: 'quiet', word: 'stale', text: 'stale', since: lastActivity }
  const stopped = turn.stoppedAt ?? lastActivity
  return session.seen || turn.stoppedAt === undefined
    ? { mark: '○', tone: 'quiet', word: 'idle', text: detail || 'idle', since: stopped }
    : { mark: '✓', tone: 'done', word: 'done', text: 'done', since: stopped }
}

/** A question and a plan have only the name of their tool for a reason, an error only its kind. */
export function askWords({ kind, reason }: SessionView['attention'][number]): string {
  if (kind === 'question') return 'Question for you'
  if (kind === 'plan') return 'Plan to approve'
  return kind === 'error' ? clean(reason).replaceAll('_', ' ') : clean(reason)
}

export function childState({ phase, type, agentId, startedAt }: ChildView): State {
  const text = clean(type || agentId)
  if (phase === 'blocked') return { mark: '▲', tone: 'need', word: 'needs you', text, since: startedAt }
  return { mark: '●', tone: 'work', word: 'working', text, since: startedAt }
}

/** What it is about: its title, or else what was last asked of it. */
export function topicOf(session: SessionView): string {
  return clean(session.title ?? session.lastPrompt ?? '')
}

export function ageOf(since: number, now: number): string {
  return age(now - since)
}

const BAR_CELLS = 5

export function contextTone({ usage }: SessionView): Tone {
  return usage.near === 'full' ? 'error' : usage.near === 'warn' ? 'need' : 'quiet'
}

/** `▰▰▰▱▱  62%`, ten columns; nothing is shown for nothing known. */
export function contextBar(session: SessionView): Span[] {
  const pct = session.usage.contextPct
  if (pct === undefined) return [span(' '.repeat(BAR_CELLS + 5))]
  const full = Math.min(BAR_CELLS, Math.max(0, Math.round((pct / 100) * BAR_CELLS)))
  const tone = contextTone(session)
  return [
    span('▰'.repeat(full) + '▱'.repeat(BAR_CELLS - full), tone),
    span(percent(pct).padStart(5), tone === 'quiet' ? 'plain' : tone),
  ]
}

export function percent(pct: number): string {
  return `${Math.min(999, Math.max(0, Math.round(pct)))}%`
}

/** Up to seven columns. */
export function cost(usd: number | undefined): string {
  if (usd === undefined || !Number.isFinite(usd)) return ''
  return usd < 1000 ? `$${usd.toFixed(2)}` : `$${Math.round(usd / 100) / 10}k`
}
