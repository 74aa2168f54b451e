/**
 * Sessions that run without any hook: with hooks switched off, not trusted, or lost from the settings. Only their transcripts
 * show them, so the folders are watched in which agents begin transcripts. A file with a fresh tool call, of a session of
 * which no hook has come, is such a session.
 */
import { type Dirent, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { type Agent, agents, type TranscriptReader } from '../../agents/index.ts'
import { BoundedMap } from '../../core/bounded-map.ts'
import { readHead } from '../../core/files/lines.ts'
import { LocalFolders } from '../../core/files/local-folders.ts'
import { homeOf } from '../../core/files/paths.ts'
import { type Watching, watchPath } from '../../core/files/watch-files.ts'
import { allPids, commandLineOf } from '../../core/processes/proc.ts'
import { cwdOf, isOurs } from '../../core/processes/process-tree.ts'
import { type HookEvent, keyOf } from '../../events/index.ts'
import { hooklessEvent, versionObserved } from '../../journal/index.ts'
import { type Session, setBackBy } from '../state/index.ts'
import type { Observer, ObserverContext } from './observer.ts'
import { type Tail, tail } from './tail.ts'

const HOOK_FIRST_MS = 800 // with what follows, the alarm is due within 2 s of the call
const FRESH_MS = 10_000 // a file changes with its newest line; older calls are of a conversation that is continued
const LAST_WORDS_MS = 2_000 // lines that are written after the end of a session
const HEAD_BYTES = 256 * 1024 // Codex's first line has the whole instructions
const MAX_FOLDERS = 256 // per root; each costs a system watch. The ones used last are watched
const MAX_ENTRIES = 5_000 // of one folder
const MAX_SUSPECTS = 64 // transcripts read at once
const MAX_KNOWN = 2_000 // files whose session is known
const MAX_ROOTS = 16 // any hook may name another folder
const MAX_PROCESSES = 5_000

type Env = Readonly<Record<string, string | undefined>>

interface Root {
  readonly agent: Agent
  readonly reader: TranscriptReader
  readonly path: string
  /** The variables by which its agent found this folder. */
  readonly env: Readonly<Record<string, string>>
  /** By path, the one used last at the end. */
  readonly folders: Map<string, Watching>
}

interface Suspect {
  readonly tail: Tail
  sessionId?: string
  cwd?: string
  version?: string
  calledAt?: number
  timer?: ReturnType<typeof setTimeout>
}

type Context = Pick<
  ObserverContext,
  'session' | 'raise' | 'isWired' | 'isTaken' | 'spooled' | 'look' | 'comparesTranscripts'
>

export class HooklessObserver implements Observer {
  readonly #context: Context
  readonly #roots = new Map<string, Root>()
  readonly #suspects = new BoundedMap<string, Suspect>(MAX_SUSPECTS, close)
  /** Transcript → its session. `isThere`: its observer has been told that the file exists. */
  readonly #known = new BoundedMap<string, { readonly key: string; isThere: boolean }>(MAX_KNOWN)
  readonly #local = new LocalFolders()
  #since = Number.POSITIVE_INFINITY

  constructor(context: Context) {
    this.#context = context
  }

  /** A session's hooks name its agent's folder. */
  follow({ agent, transcriptPath, key }: Session, env: HookEvent['client']['env']): void {
    if (transcriptPath !== undefined) {
      this.#know(transcriptPath, key)
      this.#clear(transcriptPath)
    }
    const record = agents.get(agent)
    if (record && this.#since < Number.POSITIVE_INFINITY) this.#open(record, env)
  }

  see(event: HookEvent): void {
    this.#since -= setBackBy(event) ?? 0
  }

  /** Hooks are received from now on. */
  resumed(): void {
    this.#since = Date.now()
    this.tidy()
  }

  /** An agent's folder appears with its first session. */
  tidy(): void {
    for (const agent of agents.values()) if (this.#context.isWired(agent.id)) this.#open(agent, process.env)
  }

  close(): void {
    for (const { folders } of this.#roots.values()) for (const watching of folders.values()) watching.close()
    for (const path of [...this.#suspects.keys()]) this.#clear(path)
    this.#roots.clear()
  }

  #open(agent: Agent, env: Env): void {
    const reader = agent.transcript
    if (!reader?.places || !this.#context.comparesTranscripts()) return
    for (const path of reader.roots(env, homeOf(env))) {
      if (this.#roots.has(path) || this.#roots.size >= MAX_ROOTS || !this.#local.has(path)) continue
      const root: Root = { agent, reader, path, env: placing(agent, reader, env), folders: new Map() }
      this.#roots.set(path, root)
      this.#watch(root, path, 0, false)
      if (root.folders.size === 0) this.#roots.delete(path) // it is not there yet
    }
  }

  #watch(root: Root, folder: string, level: number, isNew: boolean): void {
    if (root.folders.has(folder)) return
    try {
      const watching = watchPath(
        folder,
        (_kind, name) => this.#changed(root, folder, level, name),
        () => this.#forget(root, folder),
      )
      root.folders.set(folder, watching)
    } catch {
      return // gone again, or not ours
    }
    this.#makeRoom(root)
    const { folders } = root.reader.places ?? { folders: [] }
    if (level < folders.length) {
      const inside = entriesOf(folder).filter((one) => one.isDirectory() && folders[level]?.test(one.name))
      for (const { name } of newest(folder, inside)) this.#watch(root, join(folder, name), level + 1, isNew)
    } else if (isNew) for (const { name } of entriesOf(folder)) this.#look(root, join(folder, name))
  }

  #changed(root: Root, folder: string, level: number, name: string | null): void {
    const { folders } = root.reader.places ?? { folders: [] }
    const names = name === null ? entriesOf(folder).map((one) => one.name) : [name]
    for (const one of names) {
      const path = join(folder, one)
      if (level === folders.length) this.#look(root, path)
      else if (folders[level]?.test(one) && !root.folders.has(path) && isFolder(path))
        this.#watch(root, path, level + 1, true)
    }
    const watching = root.folders.get(folder)
    if (level !== folders.length || !watching) return
    root.folders.delete(folder)
    root.folders.set(folder, watching)
  }

  /** The top folders have to stay. */
  #makeRoom(root: Root): void {
    if (root.folders.size <= MAX_FOLDERS) return
    const { length } = root.reader.places?.folders ?? []
    const level = (folder: string) => folder.slice(root.path.length).split('/').length - 1
    const oldest = root.folders.keys().find((folder) => level(folder) === length)
    if (oldest !== undefined) this.#forget(root, oldest)
  }

  #forget(root: Root, folder: string): void {
    root.folders.get(folder)?.close()
    root.folders.delete(folder)
    if (folder === root.path) this.#roots.delete(folder)
  }

  /** A file was written. Most are of sessions whose hooks come; only others are read. */
  #look(root: Root, path: string): void {
    if (!path.endsWith('.jsonl') || this.#suspects.has(path) || !this.#context.comparesTranscripts()) return
    const now = Date.now()
    const file = this.#known.get(path)
    const known = file && this.#context.session(file.key)
    if (file && known && (known.endedAt === undefined || now - known.endedAt < LAST_WORDS_MS)) {
      if (!file.isThere) this.#context.look(file.key) // the first hook may come before the file
      file.isThere = true
      return
    }
    const { agent, reader } = root
    const suspect: Omit<Suspect, 'tail'> = {}
    const tell = (line: string) => {
      const { sessionId, cwd, version } = reader.places?.whose(line) ?? {}
      if (sessionId !== undefined) suspect.sessionId ??= sessionId
      if (cwd !== undefined) suspect.cwd ??= cwd
      if (version !== undefined) suspect.version ??= version
    }
    const read = reader.reading?.() ?? reader.read
    let started: { readonly useId: string; readonly at: number } | undefined
    const from = Math.max(this.#since, now - FRESH_MS, known?.endedAt ?? 0)
    const onLine = (line: string) => {
      if (suspect.sessionId === undefined || suspect.cwd === undefined) tell(line)
      for (const fact of read(line)) {
        if (fact.kind === 'tool-start' && fact.at >= this.#since) started = { ...fact }
        // Gemini writes a call when it has ended, with the time of its beginning.
        const isCall =
          fact.kind === 'tool-start' || (fact.kind === 'tool-end' && fact.useId === started?.useId)
        if (!isCall || !started || fact.at < from || suspect.calledAt !== undefined) continue
        suspect.calledAt = started.at
        suspect.timer = setTimeout(() => void this.#judge(root, path), HOOK_FIRST_MS)
      }
    }
    readHead(path, [root.path], HEAD_BYTES, tell)
    const opened = tail(path, [root.path], onLine)
    if (!opened) return
    this.#suspects.set(path, Object.assign(suspect, { tail: opened }))
    const session = this.#session(agent, suspect)
    if (!session) return
    this.#know(path, session.key)
    this.#clear(path)
  }

  async #judge(root: Root, path: string): Promise<void> {
    const { agent, env } = root
    const isComing = (await this.#context.spooled()) > 0
    const suspect = this.#suspects.get(path)
    if (!suspect) return
    if (isComing) {
      suspect.timer = setTimeout(() => void this.#judge(root, path), HOOK_FIRST_MS)
      return
    }
    const { sessionId, cwd, version, calledAt = Date.now() } = suspect
    const isKnown = this.#session(agent, suspect) !== undefined
    this.#clear(path)
    if (sessionId === undefined) return
    const key = keyOf({ agent: agent.id, sessionId })
    this.#know(path, key)
    if (isKnown || !this.#context.isWired(agent.id)) return
    const pid = processOf(agent, cwd, (one) => this.#context.isTaken(one))
    const found = { sessionId, at: calledAt - 1, path, env }
    const more = { ...(cwd === undefined ? {} : { cwd }), ...(pid === undefined ? {} : { pid }) }
    this.#context.raise(hooklessEvent(agent.id, { ...found, ...more }, Date.now()))
    if (version !== undefined) this.#context.raise(versionObserved(key, version, Date.now()))
  }

  #session(agent: Agent, { sessionId }: { readonly sessionId?: string }): Session | undefined {
    const session =
      sessionId === undefined ? undefined : this.#context.session(keyOf({ agent: agent.id, sessionId }))
    return session?.endedAt === undefined ? session : undefined
  }

  #know(path: string, key: string): void {
    const known = this.#known.get(path)
    this.#known.set(path, known?.key === key ? known : { key, isThere: false })
  }

  #clear(path: string): void {
    const suspect = this.#suspects.get(path)
    if (suspect) close(suspect)
    this.#suspects.delete(path)
  }
}

function close({ timer, tail }: Suspect): void {
  clearTimeout(timer)
  tail.close()
}

/** Only variables that move the agent's folder: others name a process or a session. */
function placing(agent: Agent, reader: TranscriptReader, env: Env): Record<string, string> {
  const usual = String(reader.roots({}, homedir()))
  return Object.fromEntries(
    ['HOME', ...agent.env].flatMap((name) => {
      const value = env[name]
      const isPlacing = value !== undefined && String(reader.roots({ [name]: value }, homedir())) !== usual
      return isPlacing ? [[name, value]] : []
    }),
  )
}

/** The only process of this agent that works in this folder and has no session; nothing where there are several. */
function processOf(
  { settings }: Agent,
  cwd: string | undefined,
  isTaken: (pid: number) => boolean,
): number | undefined {
  if (cwd === undefined || !settings) return undefined
  const isAgent = (pid: number) =>
    commandLineOf(pid)
      .slice(0, 2) // an interpreter stands before the program
      .some((word) => settings.programs.some((name) => basename(word).replace(/\.\w+$/, '') === name))
  const found = allPids()
    .filter((pid) => pid > 1)
    .slice(0, MAX_PROCESSES)
    .filter((pid) => isOurs(pid) && cwdOf(pid) === cwd && isAgent(pid) && !isTaken(pid))
  return found.length === 1 ? found[0] : undefined
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).slice(-MAX_ENTRIES)
  } catch {
    return []
  }
}

/** The folders that changed last, the newest last. */
function newest(folder: string, entries: readonly Dirent[]): Dirent[] {
  const changedAt = ({ name }: Dirent) =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return entries
    .map((one) => ({ one, at: changedAt(one) }))
    .sort((a, b) => a.at - b.at)
    .slice(-MAX_FOLDERS)
    .map(({ one }) => one)
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
