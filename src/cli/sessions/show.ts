/** Shows one session, its timeline, transcript, usage or the cause of its state, and renames it. */
import {
  askWords,
  type ChildView,
  call,
  childLook,
  denialWords,
  lookOf,
  type SessionView,
  uncoveredWords,
} from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { age, costWords } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import type { Input } from '../framework/define.ts'
import { bare, bold, byTone, dim, out, outJson, plain } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import type * as commands from './index.ts'
import { sessionTimeline, showTimeline, timelineLimit } from './timeline.ts'
import { showTranscript, showUsage } from './transcript.ts'

export async function run({ args, flags, places }: Input<typeof commands.session>): Promise<number> {
  const { session } = args
  if (flags.why) return why(places, session)
  if (flags.usage) return showUsage(places, session, flags.json)
  if (flags.transcript || flags.markdown)
    return showTranscript(places, session, messagesIn(flags.limit), flags.json)
  if (flags.seen) await call(places, 'sessions.seen', { session })
  const found = await (flags.rename === undefined
    ? call(places, 'sessions.get', { session })
    : call(places, 'sessions.rename', { session, name: flags.rename }))
  if (flags.html !== undefined) return (await import('./html.ts')).writeHtml(places, found, flags.html)
  const limit = timelineLimit(flags)
  const timeline = limit === undefined ? undefined : await sessionTimeline(places, found, limit)
  if (flags.json) return outJson(timeline ? { ...found, timeline: timeline.entries } : found)
  show(found)
  if (timeline) showTimeline(found, timeline)
  return 0
}

const MAX_MESSAGES = 1_000
const MOST_MESSAGES = 20_000 // the daemon's own limit of one answer

function messagesIn(limit = MAX_MESSAGES): number {
  if (limit <= MOST_MESSAGES) return limit
  throw usageError(`--limit takes a whole number from 1 to ${MOST_MESSAGES} with --transcript.`)
}

async function why(places: Places, which: string): Promise<number> {
  const { cause, event } = await call(places, 'sessions.why', { session: which })
  if (!cause) out('Nothing has changed its state yet.')
  else
    out(
      `${bold(plain(cause.type))} at ${new Date(cause.at).toISOString()} (event ${cause.id}, sequence ${cause.seq})`,
    )
  if (event) outJson(event)
  return 0
}

function show(view: SessionView): void {
  const row = (label: string, value: string | undefined) =>
    value && out(`  ${dim(label.padEnd(10))} ${plain(value)}`)
  const now = Date.now()
  const look = lookOf(view)
  const text = look.text === look.word ? '' : ` · ${plain(look.text)}`
  out(`${byTone(look.tone)(look.mark)} ${bold(plain(view.name))} ${byTone(look.tone)(look.word)}${text}`)
  row('agent', [view.agent, view.agentVersion, view.model].filter(Boolean).join(' '))
  row('id', view.id)
  for (const one of view.attention.filter(({ kind }) => kind !== 'idle'))
    row('needs you', `${askWords(one)} (${one.kind}, for ${age(now - one.since)})`)
  for (const { id, tool, line } of view.approvals ?? [])
    row('approval', bare(`${id}: ${tool}  ${line}  (gantry approve ${id}, or deny)`))
  row('error', view.error?.message)
  row('denials', deniedText(view, now))
  row('coverage', uncoveredWords(view))
  row(
    'project',
    [view.project, view.branch, view.worktree && `worktree ${view.worktree}`].filter(Boolean).join(' · '),
  )
  row('duration', durationOf(view, now))
  row('folder', view.cwd)
  row('pane', view.pane)
  row('after', view.prevSessionId)
  row('pid', view.pid === undefined ? undefined : String(view.pid))
  row('context', view.usage.contextPct === undefined ? undefined : `${view.usage.contextPct}%`)
  row('cost', costOf(view.usage))
  for (const child of view.children) row('sub-agent', childText(child, view, now))
  row('title', view.title)
  row('summary', view.summary)
  for (const { status, text } of view.todos ?? [])
    row('to do', `${status === 'completed' ? '✓' : '·'} ${text}`)
  row('prompt', view.lastPrompt)
  row('answer', view.lastMessage)
}

/** The last one, if nothing has begun since, and how many there were. */
function deniedText({ denied, denials = 0 }: SessionView, now: number): string | undefined {
  if (denials === 0) return undefined
  const all = counted(denials, 'call or prompt', 'calls and prompts')
  if (!denied) return all
  const why = denied.line === undefined ? undefined : denied.reason
  const last = `${denialWords(denied)} (${age(now - denied.at)} ago${why ? `: ${why}` : ''})`
  return denials === 1 ? last : `${last}; ${all} in all`
}

function durationOf({ startedAt, endedAt }: SessionView, now: number): string {
  const end = endedAt === undefined ? '' : `, ended ${new Date(endedAt).toISOString()}`
  return `${age((endedAt ?? now) - startedAt)}, began ${new Date(startedAt).toISOString()}${end}`
}

/** With its id, by which it can be found. */
function childText(child: ChildView, view: SessionView, now: number): string {
  const { mark, word, text } = childLook(child, view)
  const id = text === child.agentId ? '' : ` ${child.agentId}`
  return `${mark} ${text}${id} ${word} ${age((child.endedAt ?? now) - child.startedAt)}`
}

function costOf({ costUsd, costEstimated }: SessionView['usage']): string | undefined {
  if (costUsd === undefined) return undefined
  return `${costWords(costUsd)}${costEstimated ? ', estimated from its tokens' : ''}`
}
