/**
 * The collision radar: two living sessions that write the same file learn of each other before one undoes the other's work. Writes
 * are taken in after their commit. A decision only looks them up: it reads a command line only if somebody else wrote in the
 * same repository.
 */
import { dirname } from 'node:path'
import { agentFor, shellLine, touchedFiles } from '../../agents/index.ts'
import { BoundedMap } from '../../core/bounded-map.ts'
import { messageOf } from '../../core/errors.ts'
import { isInside } from '../../core/files/paths.ts'
import { lazy } from '../../core/lazy.ts'
import { Slices } from '../../core/time/slices.ts'
import { type HookEvent, isPast, keyOf, NO_VERDICT, type RawEvent, type Verdict } from '../../events/index.ts'
import type { Git } from '../../git/index.ts'
import { collisionEvent, parseRow } from '../../journal/index.ts'
import { type Change, isStale, type Session } from '../../sessions/state/index.ts'
import type { Store } from '../../store/index.ts'
import type { ToolCalls } from '../tool-calls.ts'
import { isAnother, isSibling, type Me, mayBeItself } from './another.ts'
import type { CollisionSettings } from './config.ts'
import { mayWrite } from './may-write.ts'
import { type Inside, keyInside, RecentWrites, type Write } from './recent-writes.ts'
import { Repositories, Worktrees } from './repositories.ts'
import { type SharedWrites, sharedWritesIn } from './shared-writes.ts'
import type { CollisionKind, Found, Neighbour, Other } from './words.ts'

const wording = lazy(() => require('./words.ts') as typeof import('./words.ts'))

interface CollisionParts {
  readonly settings: () => CollisionSettings
  readonly calls: Pick<ToolCalls, 'of'>
  readonly git: Pick<Git, 'repositoryAround'>
  readonly session: (key: string) => Session | undefined
  readonly sessions: () => Iterable<Session>
  readonly store: Pick<Store, 'oldest' | 'seqBefore' | 'journal'>
  readonly raise: (rawEvent: RawEvent) => void
  readonly warn: (message: string) => void
  readonly now?: () => number
}

/** A write of this session meets one of another. */
interface Collision {
  readonly kind: CollisionKind
  /** As it is found in the index. */
  readonly key: string
  readonly path: string
  readonly write: Write
}

const MAX_FILES = 50 // of one call
const MAX_PATH_CHARS = 1_024
const MAX_NAME_CHARS = 100
const MAX_TOLD = 5_000
const MAX_NEIGHBOURS = 20 // looked at; a worktree with more has another problem
const PAGE = 20 // rows; a payload may have megabytes
const MAX_READ = 20_000 // events at a start
const COLLISION = 'CollisionFound'
const ENDS: ReadonlySet<string> = new Set(['PostToolUse', 'PostToolUseFailure'])
/** The same agent goes on, so it was told before. */
const CONTINUES: ReadonlySet<string | undefined> = new Set(['clear', 'compact'])
const NO_FILE = /\/\.git\/|^\/(?:dev|proc|sys)\//

export class Collisions {
  readonly writes = new RecentWrites()
  readonly #parts: CollisionParts
  readonly #repositories: Repositories
  /** Who was told of whom about which file; also in the journal. */
  readonly #told = new BoundedMap<string, true>(MAX_TOLD)
  readonly #worktrees: Worktrees
  readonly #listeners: ((key: string) => void)[] = []
  #begun: Promise<void> | undefined
  #closed = false

  constructor(parts: CollisionParts) {
    this.#parts = parts
    this.#repositories = new Repositories(parts.git)
    this.#worktrees = new Worktrees(this.#repositories)
  }

  get isOn(): boolean {
    return this.#parts.settings().mode !== 'off'
  }

  /** Takes in what was written before this start. */
  begin(): Promise<void> {
    if (!this.isOn) return Promise.resolve()
    this.#begun ??= this.#recall().catch((error) => this.#parts.warn(messageOf(error)))
    return this.#begun
  }

  close(): void {
    this.#closed = true
  }

  decide(event: HookEvent): Verdict {
    const { mode } = this.#parts.settings()
    if (mode === 'off' || isPast(event)) return NO_VERDICT
    if (event.type === 'SessionStart') return this.#greet(event)
    if (event.tool === undefined || (event.type !== 'PreToolUse' && !ENDS.has(event.type))) return NO_VERDICT
    const now = this.#now()
    if (!this.#mayCollide(event, now)) return NO_VERDICT
    const me = this.#me(event)
    const all = this.#collisions(event, me, now)
    if (all.length === 0) return NO_VERDICT
    if (mode === 'ask' && event.type === 'PreToolUse') {
      const asked = all.filter((one) => one.kind === 'file' && !this.#isAnswered(one, me))
      if (asked.length > 0 && canSay(event, { decision: 'ask', reason: '?' }, 'ask')) {
        this.#tell(event, me, asked, now)
        const reason = wording().questionOf(this.#found(asked, me), now)
        return { decision: 'ask', reason, by: 'collision:file' }
      }
    }
    const news = all.filter((one) => !this.#told.has(toldKey(one, me)))
    // Where the agent takes no context now, the next event of this call has the chance.
    if (news.length === 0 || !canSay(event, { decision: 'none', context: ['?'] }, 'context'))
      return NO_VERDICT
    this.#tell(event, me, news, now)
    const text = wording().warningOf(this.#found(news, me), event.type === 'PreToolUse', now)
    return { decision: 'none', context: [text] }
  }

  /** After each commit. */
  committed(events: readonly HookEvent[], changes: readonly Change[]): void {
    if (!this.isOn) return
    void this.begin()
    for (const { session } of changes) this.#locate(session)
    for (const event of events) if (!isPast(event)) this.#record(event)
  }

  /** `changed` is called with each session of which `shared` says something else now. */
  listen(changed: (key: string) => void): void {
    this.#listeners.push(changed)
  }

  /** What other hosts are told of a session: its last files in repositories that they may have, too. */
  shared(key: string): SharedWrites | undefined {
    const session = this.#parts.session(key)
    if (!this.isOn || !session || session.endedAt !== undefined) return undefined
    const writes = this.writes
      .by(key)
      .flatMap(({ inside, at, tool }) =>
        inside?.isShared ? [{ repository: inside.id, path: inside.path, at, tool }] : [],
      )
    return writes.length === 0 ? undefined : { name: session.name, agent: session.agent, writes }
  }

  /** What a session of another host wrote; undefined if it has ended. */
  heard(host: string, id: string, value: unknown): void {
    const session = `fleet\n${id}` // an end names no host
    this.writes.forget(session)
    if (!this.isOn) return
    const { name, agent, writes } = sharedWritesIn(value)
    for (const { repository, path, at, tool } of writes)
      this.writes.add({
        ...{ session, tool, path },
        at: Math.min(at, this.#now()), // its clock may be ahead
        inside: { id: repository, path, isShared: true },
        remote: { host: host.slice(0, MAX_NAME_CHARS), name, agent },
      })
  }

  /** Who wrote a file, or the files below a folder, newest first. */
  async recent(path: string | undefined): Promise<readonly Write[]> {
    await this.begin()
    const since = this.#now() - this.#withinMs
    const all = this.writes.all()
    const found = new Set(path === undefined ? all : await this.#below(path, all))
    return [...found].filter(({ at }) => at >= since).sort((a, b) => b.at - a.at)
  }

  async #below(path: string, all: readonly Write[]): Promise<Write[]> {
    await this.#repositories.learn(path)
    await this.#repositories.learn(dirname(path))
    const inside = this.#insideOf(path)
    const root = this.#repositories.of(path)
    const isInRepository = ({ inside: other }: Write) =>
      inside
        ? other?.id === inside.id && isInside(other.path, inside.path)
        : root?.root === path && other?.id === root.id
    const found = all.filter((one) => (!one.remote && isInside(one.path, path)) || isInRepository(one))
    return [...found, ...this.writes.of(path), ...(inside ? this.writes.of(keyInside(inside)) : [])]
  }

  /** Two living sessions in one worktree: the new one is told. */
  #greet(event: HookEvent): Verdict {
    if (event.agentId !== undefined || event.cwd === undefined || CONTINUES.has(event.source))
      return NO_VERDICT
    const root = this.#repositories.of(event.cwd)?.root
    if (root === undefined) return NO_VERDICT
    const now = this.#now()
    const me = this.#me(event)
    const neighbours: Neighbour[] = []
    for (const key of this.#worktrees.sessionsIn(root).slice(-MAX_NEIGHBOURS)) {
      const other = this.#parts.session(key)
      if (!other || isStale(other, now) || !isAnother(other, me, 0) || mayBeItself(other, event)) continue
      const files = this.writes.by(key).map(({ path, inside }) => inside?.path ?? path)
      const { startedAt: since, lastActivity } = other
      neighbours.push({ other: { name: other.name, agent: other.agent }, since, lastActivity, files })
    }
    if (neighbours.length === 0) return NO_VERDICT
    neighbours.sort((a, b) => b.lastActivity - a.lastActivity)
    const { greetingOf, greetingLine } = wording()
    return {
      decision: 'none',
      context: [greetingOf(neighbours, root, now)],
      systemMessage: greetingLine(neighbours),
    }
  }

  /** Cheap: whether anybody else wrote where this call may write; anywhere, if its folder is in no known repository. */
  #mayCollide(event: HookEvent, now: number): boolean {
    const { tool, cwd } = event
    if (tool === undefined) return false
    const me = { session: keyOf(event), ...(event.agentId === undefined ? {} : { agentId: event.agentId }) }
    const line = shellLine(tool)
    const folders = line ? [line.folder ?? cwd] : touchedFiles(event).map(({ path }) => dirname(path))
    const since = now - this.#withinMs
    const hasOthers = folders.some((folder) => {
      if (!folder?.startsWith('/')) return false
      return this.writes.hasOthers(this.#repositories.of(folder)?.id, me, since)
    })
    return hasOthers && (!line || mayWrite(line.line))
  }

  #collisions(event: HookEvent, me: Me, now: number): Collision[] {
    const since = now - this.#withinMs
    const isOther = (write: Write) => write.at >= since && this.#isAnothers(write, me)
    return this.#filesOf(event).flatMap((path): Collision[] => {
      const same = this.writes.of(path).find(isOther)
      if (same) return [{ kind: 'file', key: path, path, write: same }]
      const inside = this.#insideOf(path)
      if (!inside) return []
      const key = keyInside(inside)
      const copy = this.writes.of(key).find(isOther)
      return copy ? [{ kind: 'repository', key, path, write: copy }] : []
    })
  }

  /** The files that a call writes or deletes, as far as they are certain. */
  #filesOf(event: HookEvent): string[] {
    const effects = this.#parts.calls.of(event)?.effects
    if (!effects) return []
    const all = [...effects.writes, ...effects.deletes].filter(
      ({ known, recursive, path }) =>
        known && !recursive && path.startsWith('/') && path.length <= MAX_PATH_CHARS && !NO_FILE.test(path),
    )
    return [...new Set(all.map(({ path }) => path))].slice(0, MAX_FILES)
  }

  #isAnothers(write: Write, me: Me): boolean {
    if (write.remote) return true // it is forgotten when its host says that the session has ended
    if (write.session === me.key) return isSibling(write.agentId, me)
    const other = this.#parts.session(write.session)
    return other !== undefined && isAnother(other, me, write.at)
  }

  /** This session wrote after the other one, so its person has said yes to that. */
  #isAnswered({ key, write }: Collision, me: Me): boolean {
    const isOwn = ({ session, agentId }: Write) => session === me.key && agentId === me.agentId
    const own = this.writes.of(key).find(isOwn)
    return own !== undefined && own.at >= write.at
  }

  #tell(event: HookEvent, me: Me, collisions: readonly Collision[], now: number): void {
    for (const one of collisions) {
      const told = toldKey(one, me)
      if (this.#told.has(told)) continue
      this.#told.set(told, true)
      const { kind, path, write } = one
      const message = this.#found([one], me).map((found) => wording().lineOf(found, now))[0]
      const about = { kind, path, other_key: write.session, wrote_at: write.at, tool: write.tool, told }
      const host = write.remote ? { host: write.remote.host } : {}
      this.#parts.raise(collisionEvent(event, { message, ...about, ...host }, now))
    }
  }

  #found(collisions: readonly Collision[], me: Me): Found[] {
    return collisions.map(({ kind, path, write }): Found => {
      const { at, tool, inside } = write
      const root = inside?.root === undefined ? {} : { root: inside.root }
      return {
        kind,
        path: this.#insideOf(path)?.path ?? path,
        other: this.#otherOf(write, me),
        at,
        tool,
        ...root,
      }
    })
  }

  #otherOf({ session: key, agentId, remote }: Write, me: Me): Other {
    if (remote) return remote
    const session = this.#parts.session(key)
    if (key !== me.key) return { name: session?.name ?? key, agent: session?.agent ?? '' }
    const child = session?.children.find((one) => one.agentId === agentId)
    return { name: child?.type ?? agentId ?? '', agent: session?.agent ?? '', isSibling: true }
  }

  /** Files of a finished call. A command that failed may have written all the same. */
  #record(event: HookEvent): void {
    const { tool, type, agentId } = event
    if (tool === undefined || !ENDS.has(type)) return
    const line = shellLine(tool)
    if (line && !mayWrite(line.line)) return
    if (!line && (type === 'PostToolUseFailure' || touchedFiles(event).length === 0)) return
    const session = keyOf(event)
    for (const path of this.#filesOf(event)) {
      const add = (inside: Inside | undefined) => {
        this.writes.add({
          ...{ session, at: event.receivedAt, tool: tool.name, path },
          ...(agentId === undefined ? {} : { agentId }),
          ...(inside ? { inside } : {}),
        })
        if (inside?.isShared) this.#tellListeners(session)
      }
      const known = this.#insideOf(path)
      add(known)
      void this.#repositories.learn(dirname(path)).then(() => {
        const inside = this.#insideOf(path)
        if (inside && (inside.id !== known?.id || inside.path !== known.path)) add(inside)
      })
    }
  }

  #tellListeners(key: string): void {
    for (const changed of this.#listeners) changed(key)
  }

  #insideOf(path: string): Inside | undefined {
    const repository = this.#repositories.of(dirname(path))
    if (!repository || !path.startsWith(`${repository.root}/`)) return undefined
    const { id, root, isShared } = repository
    return { id, root, isShared, path: path.slice(root.length + 1) }
  }

  #locate(session: Session): void {
    if (this.#worktrees.locate(session)) this.#tellListeners(session.key) // other hosts hear that it is over
  }

  /** What was written within the set time, and who was told of it, oldest first and in slices. */
  async #recall(): Promise<void> {
    const { store, sessions } = this.#parts
    for (const session of sessions()) this.#locate(session)
    const slices = new Slices(true)
    await slices.rest() // hooks that wait for this start come first
    const last = store.journal.lastSeq
    const types = [...ENDS, COLLISION]
    let after = Math.max(store.seqBefore(this.#now() - this.#withinMs), last - MAX_READ)
    while (after < last && !this.#closed) {
      const rows = [...store.oldest({ after, before: last + 1, types }, PAGE)]
      for (const row of rows) {
        const event = parseRow(row)
        if (row.type === COLLISION) this.#told.set(String(event.fields?.told ?? ''), true)
        else if (!isPast(event)) this.#record(event)
        await slices.breathe()
      }
      if (rows.length < PAGE) return
      after = rows.at(-1)?.seq ?? last
    }
  }

  #me(event: HookEvent): Me {
    const key = keyOf(event)
    return { key, agentId: event.agentId, session: this.#parts.session(key) }
  }

  get #withinMs(): number {
    return this.#parts.settings().within_minutes * 60_000
  }

  #now(): number {
    return this.#parts.now?.() ?? Date.now()
  }
}

function toldKey({ key, write }: Collision, me: Me): string {
  const whose = write.session === me.key ? [me.agentId, write.agentId] : []
  return [me.key, write.session, ...whose, key].join('\n')
}

function canSay(event: HookEvent, verdict: Verdict, what: string): boolean {
  return agentFor(event.agent).answer(event, verdict).degraded?.includes(what) !== true
}
