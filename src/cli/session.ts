/** One session: all that is known, what happened in it, why it is in that state, another name for it. */
import { askWords, type ChildView, call, childLook, lookOf, type SessionView } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/paths.ts'
import { age } from '../core/text.ts'
import { type Command, countFlag, stringFlag } from './command.ts'
import { sessionTimeline, showTimeline, timelineLimit } from './session-timeline.ts'
import { showTranscript, showUsage } from './session-transcript.ts'
import { bare, bold, byTone, dim, out, plain } from './terminal.ts'

export const session: Command = {
  name: 'session',
  summary: 'Show one session: what it does, what happened, and why',
  usage: '<id|name> [--timeline] [--transcript [--markdown]] [--usage] [--why] [--rename <name>] [--seen]',
  takes: 1,
  options: {
    timeline: {
      type: 'boolean',
      short: 't',
      help: 'All that happened in it; on a terminal the end of it is always there',
    },
    limit: {
      type: 'string',
      short: 'n',
      value: 'n',
      help: 'At most so many lines of it, newest kept (default 200); "all" for all of them',
    },
    transcript: { type: 'boolean', help: 'What was said in it, as Markdown; with --json, as messages' },
    markdown: { type: 'boolean', help: 'As Markdown, which --transcript is anyway' },
    usage: { type: 'boolean', help: 'Tokens and cost by turn and model' },
    why: { type: 'boolean', help: 'Show the event that set the state' },
    rename: { type: 'string', value: 'name', help: 'Give it another name' },
    seen: { type: 'boolean', help: 'Mark it as looked at' },
    json: { type: 'boolean', help: 'Print the record as JSON; with --timeline, what happened is in it' },
  },
  examples: [
    { line: 'gantry session brave-otter', does: 'What it does, its sub-agents, its context and cost' },
    {
      line: 'gantry session brave-otter --timeline',
      does: 'Prompts, tools, permissions, sub-agents, context windows and logs, in order',
    },
    {
      line: 'gantry session brave-otter --transcript > session.md',
      does: 'The conversation of Claude Code, Codex or Gemini CLI, tools and all',
    },
    { line: 'gantry session brave-otter --usage', does: 'What each turn used, and what it cost' },
    { line: 'gantry session brave-otter --why', does: 'The hook that set its state' },
    { line: 'gantry session 4f1c --rename release', does: 'Finds it by the beginning of its id' },
  ],
  async run(input) {
    const [which] = input.args
    if (!which)
      throw new GantryError(
        'USAGE',
        'Say which session: an id, the beginning of one, a name, or the id of a sub-agent.',
      )
    const name = stringFlag(input, 'rename')
    if (input.flags.why) return why(input.places, which)
    const asJson = input.flags.json === true
    if (input.flags.usage) return showUsage(input.places, which, asJson)
    if (input.flags.transcript || input.flags.markdown)
      return showTranscript(
        input.places,
        which,
        countFlag(input, 'limit', MAX_MESSAGES, MOST_MESSAGES),
        asJson,
      )
    if (input.flags.seen) await call(input.places, 'sessions.seen', { session: which })
    const found = (await (name === undefined
      ? call(input.places, 'sessions.get', { session: which })
      : call(input.places, 'sessions.rename', { session: which, name }))) as SessionView
    const limit = timelineLimit(input)
    const timeline = limit === undefined ? undefined : await sessionTimeline(input.places, found, limit)
    if (input.flags.json) {
      out(JSON.stringify(timeline ? { ...found, timeline: timeline.entries } : found, null, 2))
      return 0
    }
    show(found)
    if (timeline) showTimeline(found, timeline)
    return 0
  },
}

const MAX_MESSAGES = 1_000
const MOST_MESSAGES = 20_000 // the daemon's own limit of one answer

async function why(places: Places, which: string): Promise<number> {
  const { cause, event } = await call(places, 'sessions.why', { session: which })
  if (!cause) out('Nothing has changed its state yet.')
  else
    out(
      `${bold(plain(cause.type))} at ${new Date(cause.at).toISOString()} (event ${cause.id}, sequence ${cause.seq})`,
    )
  if (event) out(JSON.stringify(event, null, 2))
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

function durationOf({ startedAt, endedAt }: SessionView, now: number): string {
  const end = endedAt === undefined ? '' : `, ended ${new Date(endedAt).toISOString()}`
  return `${age((endedAt ?? now) - startedAt)}, began ${new Date(startedAt).toISOString()}${end}`
}

/** With its id: it is found by it. */
function childText(child: ChildView, view: SessionView, now: number): string {
  const { mark, word, text } = childLook(child, view)
  const id = text === child.agentId ? '' : ` ${child.agentId}`
  return `${mark} ${text}${id} ${word} ${age((child.endedAt ?? now) - child.startedAt)}`
}

function costOf({ costUsd, costEstimated }: SessionView['usage']): string | undefined {
  if (costUsd === undefined) return undefined
  return `$${costUsd.toFixed(2)}${costEstimated ? ', estimated from its tokens' : ''}`
}
