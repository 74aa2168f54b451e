/** Tools about sessions: what was said and done, by whom, in which order. */
import { z } from 'zod'
import { call, type SearchHit, type SessionView } from '../client/index.ts'
import { age, tookWords } from '../core/text/amount.ts'
import { counted } from '../core/text/text.ts'
import { utcTime } from '../core/time/days.ts'
import { keyOf } from '../events/index.ts'
import { row, text } from './answer.ts'
import { type Asked, tool } from './tool.ts'

const MAX_LISTED = 40
const MAX_SEARCHED = 200 // sessions of the project in one search, the newest
const PROMPT_CHARS = 600

export const which = z.string().min(1).max(200).describe('Name, id, or the beginning of one')

export const search = tool({
  name: 'search',
  description: "Search this project's sessions of all agents: prompts, answers, commands, paths",
  args: z.object({
    text: z.string().min(1).max(500).describe('All words must occur; "a phrase", prefix*'),
    session: which.optional(),
    limit: z.int().min(1).max(30).default(10),
  }),
  async answer({ text: words, session, limit }, { places, project }) {
    const own = session === undefined ? await project.sessions() : [await project.session(session)]
    if (own.length === 0) return ['No session of this project is known.']
    const newest = own.toSorted((a, b) => b.lastActivity - a.lastActivity).slice(0, MAX_SEARCHED)
    const { hits, more, behind } = await call(places, 'search', {
      text: words,
      sessions: newest.map(({ id }) => id),
      limit,
    })
    // An id is the agent's own: another agent's session may have the same one.
    const keys = new Set(own.map(({ key }) => key))
    const found = hits
      .filter((hit) => keys.has(keyOf({ agent: hit.agent, sessionId: hit.session })))
      .map(hitLine)
    return [
      ...(found.length === 0 ? ['Nothing was found.'] : found),
      ...(more ? ['There are more: use rarer words, or a session.'] : []),
      ...(own.length > newest.length ? [`Only the newest ${MAX_SEARCHED} sessions were searched.`] : []),
      ...(behind > 0 ? [`Not indexed yet: ${counted(behind, 'event')}.`] : []),
    ]
  },
})

function hitLine({ at, name, agent, session, type, tool, snippet }: SearchHit): string {
  const what = tool === undefined ? type : `${type} ${tool}`
  return row(utcTime(at), text(name ?? session, 80), agent, text(what, 80), text(snippet))
}

export const session = tool({
  name: 'session',
  description: "One session: state, task, todos, files. Without an argument: this project's sessions",
  args: z.object({
    session: which.optional(),
    ended: z.boolean().default(false).describe('List ended ones, too'),
  }),
  async answer({ session, ended }, asked) {
    if (session !== undefined) return oneSession(await asked.project.session(session), asked)
    const all = await asked.project.sessions()
    const shown = all.filter(({ endedAt }) => ended || endedAt === undefined)
    if (shown.length === 0) return [`No session of this project ${ended ? 'is known' : 'lives'}.`]
    const now = Date.now()
    return [
      ...shown.slice(0, MAX_LISTED).map((one) => glance(one, now)),
      ...(shown.length > MAX_LISTED ? [`${shown.length - MAX_LISTED} more.`] : []),
    ]
  },
})

function glance(one: SessionView, now: number): string {
  return row(
    text(one.name, 80),
    one.agent,
    one.phase,
    text(one.detail, 80),
    one.needsYou && 'needs a person',
    one.branch !== undefined && `branch ${text(one.branch, 80)}`,
    one.worktree !== undefined && `worktree ${text(one.worktree, 80)}`,
    `${age(now - one.lastActivity)} ago`,
    text(one.title ?? one.lastPrompt, 160),
  )
}

async function oneSession(one: SessionView, { places }: Asked): Promise<string[]> {
  const files = await call(places, 'sessions.files', { session: one.key })
  const line = (name: string, value: string | undefined, chars?: number) =>
    value === undefined || value === '' ? [] : [`${name}: ${text(value, chars)}`]
  return [
    glance(one, Date.now()),
    ...line('id', one.id),
    ...line('folder', one.cwd),
    `started: ${utcTime(one.startedAt)}${one.endedAt === undefined ? '' : `, ended: ${utcTime(one.endedAt)}`}`,
    ...line('model', one.model),
    ...line('first prompt', one.firstPrompt, PROMPT_CHARS),
    ...line('last prompt', one.lastPrompt, PROMPT_CHARS),
    ...line('last answer', one.lastMessage, PROMPT_CHARS),
    ...line('result', one.summary, PROMPT_CHARS),
    ...line('denied last', one.denied && [one.denied.tool, one.denied.reason].filter(Boolean).join(': ')),
    ...line('error', one.error && JSON.stringify(one.error)),
    ...(one.todos ?? []).slice(0, MAX_LISTED).map((todo) => `todo: ${text(JSON.stringify(todo))}`),
    ...one.children.slice(0, MAX_LISTED).map((child) => `sub-agent: ${text(`${child.type} ${child.phase}`)}`),
    ...files.slice(0, MAX_LISTED).map(({ change, path }) => `${change}: ${text(path)}`),
    ...(files.length > MAX_LISTED ? [`${counted(files.length - MAX_LISTED, 'more file')}.`] : []),
  ]
}

export const timeline = tool({
  name: 'timeline',
  description: 'What happened in a session, in order: prompts, tool calls, questions, sub-agents',
  args: z.object({ session: which, limit: z.int().min(1).max(200).default(60).describe('The newest') }),
  async answer({ session, limit }, { places, project }) {
    const { key } = await project.session(session)
    const { entries, cut } = await call(places, 'sessions.timeline', { session: key, limit })
    const lines = entries.map((one) =>
      row(
        utcTime(one.at),
        one.kind,
        text(one.label, 80),
        text(one.text),
        one.denied && 'denied',
        one.open && 'still runs',
        one.agentType !== undefined && `by sub-agent ${text(one.agentType, 80)}`,
        one.tookMs !== undefined && tookWords(one.tookMs),
      ),
    )
    return [
      ...(cut ? ['Earlier entries are left out.'] : []),
      ...(lines.length === 0 ? ['Nothing yet.'] : lines),
    ]
  },
})
