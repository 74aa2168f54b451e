/** RPC handlers for sessions. */
import { GantryError } from '../core/errors.ts'
import { closest } from '../core/text/closest.ts'
import { Slices } from '../core/time/slices.ts'
import type { RawEvent } from '../events/index.ts'
import type { Git } from '../git/index.ts'
import type { Pipeline } from '../ingest/index.ts'
import { parseRow, renamedEvent, seenEvent, toWire } from '../journal/index.ts'
import type { CallHandlers, CallResult } from '../rpc/index.ts'
import type { Store } from '../store/index.ts'
import { type ChangeStream, SessionActivities } from './activity.ts'
import { dialectView } from './dialect-view.ts'
import { type ApprovalsOf, viewWithLocation } from './feed.ts'
import { encodedInSlices, sortedInSlices } from './in-slices.ts'
import { inOrder, type Session, type SessionView } from './state/index.ts'
import type { SessionTracker } from './tracker.ts'

export interface SessionCallParts {
  readonly tracker: SessionTracker
  readonly store: Store
  readonly pipeline: Pipeline
  readonly approvalsOf: ApprovalsOf
  readonly git: Git
  /** The stream of changes of sessions. */
  readonly changes: ChangeStream
}

const STRIP_MS = 30 * 60_000
const AT_ONCE = 200 // sessions of an answer that is encoded in one go

export function sessionCalls(parts: SessionCallParts) {
  const activities = new SessionActivities(parts.changes)
  const find = (text: string) => findSession(text, parts)
  const view = (session: Session) =>
    viewWithLocation(session, parts.git, Date.now(), parts.approvalsOf(session.key))
  const show = async (session: Session) => {
    await parts.git.see([session.cwd])
    return view(session)
  }
  const say = async (key: string, rawEvent: RawEvent) => {
    const reply = await new Promise((resolve) => parts.pipeline.take(rawEvent, resolve))
    if (reply === undefined)
      throw new GantryError('DATABASE', 'The change could not be stored. Run: gantry doctor')
    return show(find(key))
  }
  return {
    'sessions.list': async ({ all, dialect }) => {
      const now = Date.now()
      const slices = new Slices(true)
      const sessions = [...parts.tracker.sessions.all()].filter(
        (session) => all || session.endedAt === undefined,
      )
      if (dialect === 'gantry') await parts.git.see(sessions.map(({ cwd }) => cwd))
      const shown: { session: Session; view: SessionView }[] = []
      for (const session of sessions) {
        shown.push({ session, view: view(session) })
        await slices.breathe()
      }
      const ordered = await sortedInSlices(shown, (a, b) => inOrder(a.view, b.view), slices)
      const views =
        dialect === 'gantry'
          ? ordered.map((one) => one.view)
          : (ordered.flatMap(({ session }) => dialectView(session, dialect, now) ?? []) as SessionView[])
      return views.length <= AT_ONCE ? views : encodedInSlices(views, slices)
    },
    'sessions.get': ({ session }) => show(find(session)),
    'sessions.why': ({ session }) => {
      const { cause } = find(session)
      const row = cause && parts.store.byId(cause.id)
      return { cause: cause ?? null, event: row ? toWire(parseRow(row)) : null }
    },
    'sessions.rename': ({ session, name }) => {
      const other = parts.tracker.sessions.find(name)
      if (other && other.key !== find(session).key) {
        throw new GantryError(
          'VALIDATION_ERROR',
          `Another session is already called "${name}". Choose another name.`,
        )
      }
      const { key } = find(session)
      return say(key, renamedEvent(key, name, Date.now()))
    },
    'sessions.activity': async ({ session, since }) => {
      await activities.upToDate()
      const now = Date.now()
      const wanted = session === undefined ? living(parts.tracker) : [find(session)]
      const slices = new Slices(true)
      const strips: CallResult<'sessions.activity'>[number][] = []
      for (const one of wanted) {
        const asked = parts.approvalsOf(one.key)[0]?.since
        strips.push({ key: one.key, segments: activities.of(one, since ?? now - STRIP_MS, now, asked) })
        await slices.breathe()
      }
      return strips
    },
    'sessions.seen': ({ session }) => {
      const { key } = find(session)
      return say(key, seenEvent(key, Date.now()))
    },
  } satisfies Partial<CallHandlers>
}

function living({ sessions }: SessionTracker): Session[] {
  return [...sessions.all()].filter(({ endedAt }) => endedAt === undefined)
}

const MAX_COMPARED = 500 // the newest sessions: a person means one of them
const MAX_MEANT = 64 // longest text for which a similar name is suggested

/** By id or name, or a prefix of one; also sessions that ended long ago, by their id. */
export function findSession(
  text: string,
  { tracker, store }: Pick<SessionCallParts, 'tracker' | 'store'>,
): Session {
  const stored = tracker.sessions.find(text) ?? parsed(store.sessions.find(text)) ?? withChild(text, tracker)
  if (stored) return stored
  const byId = tracker.sessions.beginningWith(text)
  const several = byId.length > 0 ? byId : namedLike(text, tracker)
  if (several.length > 1) throw ambiguous(text, several)
  if (several[0]) return several[0]
  const names = text.length > MAX_MEANT ? [] : lastNames(tracker)
  const close = closest(text, names)
  const meant = close === undefined ? '' : ` Did you mean ${close}?`
  throw new GantryError(
    'VALIDATION_ERROR',
    `There is no session "${text}".${meant} "gantry sessions --all" lists them.`,
  )
}

function namedLike(text: string, { sessions }: SessionTracker): Session[] {
  return [...sessions.all()].filter(({ name }) => name.startsWith(text))
}

/** Comparing takes about 10 µs each. */
function lastNames({ sessions }: SessionTracker): string[] {
  const newest = [...sessions.all()].sort((a, b) => b.lastActivity - a.lastActivity)
  return newest.slice(0, MAX_COMPARED).map(({ name }) => name)
}

/** By the full id of one of its sub-agents. */
function withChild(agentId: string, { sessions }: SessionTracker): Session | undefined {
  return [...sessions.all()].find(({ children }) => children.some((child) => child.agentId === agentId))
}

const MOST_NAMED = 5

function ambiguous(text: string, sessions: readonly Session[]): GantryError {
  const latest = sessions.toSorted((a, b) => b.lastActivity - a.lastActivity)
  const named = latest.slice(0, MOST_NAMED).map(({ id, name }) => `${id} (${name})`)
  const more = sessions.length > MOST_NAMED ? `, and ${sessions.length - MOST_NAMED} more` : ''
  return new GantryError(
    'VALIDATION_ERROR',
    `${sessions.length} sessions begin with "${text}": ${named.join(', ')}${more}. Give more of the id, or the whole name.`,
  )
}

function parsed(state: string | undefined): Session | undefined {
  return state === undefined ? undefined : (JSON.parse(state) as Session)
}
