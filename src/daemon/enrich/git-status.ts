/**
 * Whether something in a repository is not committed: the one question that only git can answer. It is asked for one
 * repository at a time, with pauses, off the event loop and with a deadline; one that is slow is left alone for a while.
 *
 * A repository may have been written by anybody, and git runs what its configuration says. So nothing of it may run: no
 * hooks, no file system monitor, no submodules (their configuration is another one), no fetching of missing objects, no
 * lock and no write; and none at all where the configuration has filters (`GitIdentity.isPlain`).
 */
import { setPriority } from 'node:os'

export interface StatusResult {
  readonly dirty?: boolean
  /** From git itself, for repositories whose names are not in files (reftable). */
  readonly branch?: string
  readonly commit?: string
}

const DEADLINE_MS = 3_000
const PAUSE_MS = 250 // between two runs: four small repositories a second at most
const SLOW_AGAIN_MS = 600_000
const NICE = 10
const MAX_HEAD_BYTES = 64 * 1024
const MAX_QUEUED = 500
const MAX_KNOWN = 1_000

const SAFELY = [
  '--no-optional-locks', // never waits for the index, never writes it
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'core.untrackedCache=false'],
  ...['-c', 'protocol.allow=never'], // an object that is missing stays missing
  ...['-c', 'submodule.recurse=false'],
  ...['-c', 'core.pager=cat'],
]
const ASK = [
  'status',
  '--porcelain=v2',
  '--branch',
  '-z',
  '--untracked-files=normal',
  '--ignore-submodules=all',
  '--no-renames',
]

interface Known {
  readonly at: number
  readonly result: StatusResult
  /** Not asked again before. */
  readonly notBefore: number
}

export class GitStatus {
  readonly #env: Record<string, string>
  readonly #git: string | null
  readonly #freshMs: number
  readonly #known = new Map<string, Known>()
  readonly #queued = new Map<string, PromiseWithResolvers<void>>()
  #running = false
  #closed = false
  #kill: (() => void) | undefined

  constructor(env: Readonly<Record<string, string | undefined>>, freshMs: number) {
    this.#git = Bun.which('git', { PATH: env.PATH ?? '' })
    this.#env = envFor(env)
    this.#freshMs = freshMs
  }

  /** How many times git was run: for tests, and for whoever wonders. */
  runs = 0

  get(root: string): { at: number; result: StatusResult } | undefined {
    return this.#known.get(root)
  }

  /** Asks unless the answer is fresh, or is on its way. Resolves with the next answer, however it comes out. */
  ask(root: string, now: number): Promise<void> {
    const known = this.#known.get(root)
    if (this.#git === null || this.#closed) return Promise.resolve()
    if (known && (now - known.at < this.#freshMs || now < known.notBefore)) return Promise.resolve()
    const waiting = this.#queued.get(root)
    if (waiting) return waiting.promise
    if (this.#queued.size >= MAX_QUEUED) return Promise.resolve()
    const answer = Promise.withResolvers<void>()
    this.#queued.set(root, answer)
    if (!this.#running) void this.#run()
    return answer.promise
  }

  close(): void {
    this.#closed = true
    this.#kill?.()
    for (const { resolve } of this.#queued.values()) resolve()
    this.#queued.clear()
  }

  async #run(): Promise<void> {
    this.#running = true
    for (let next = this.#first(); next && !this.#closed; next = this.#first()) {
      const [root, answer] = next
      const began = Date.now()
      const result = await this.#status(root)
      const isSlow = result === 'slow'
      if (this.#known.size >= MAX_KNOWN) this.#known.clear()
      const at = Date.now()
      this.#known.set(root, {
        at,
        result: isSlow ? {} : result,
        notBefore: isSlow ? at + SLOW_AGAIN_MS : 0,
      })
      this.#queued.delete(root)
      answer.resolve()
      // A machine with large repositories is not kept busy with this either.
      if (!this.#closed) await Bun.sleep(Math.max(PAUSE_MS, at - began))
    }
    this.#running = false
  }

  #first(): [string, PromiseWithResolvers<void>] | undefined {
    for (const entry of this.#queued) return entry
    return undefined
  }

  async #status(root: string): Promise<StatusResult | 'slow'> {
    let late = false
    try {
      this.runs += 1
      const child = Bun.spawn([this.#git ?? 'git', ...SAFELY, '-C', root, ...ASK], {
        cwd: '/',
        env: this.#env,
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'ignore',
      })
      const timer = setTimeout(() => {
        late = true
        child.kill('SIGKILL')
      }, DEADLINE_MS)
      this.#kill = () => child.kill('SIGKILL')
      try {
        lower(child.pid)
        const said = await firstOf(child.stdout)
        if (said.more) child.kill('SIGKILL') // one change is enough
        const exit = await child.exited
        if (late) return 'slow'
        return said.more || exit === 0 ? readStatus(said.text) : {}
      } finally {
        clearTimeout(timer)
        this.#kill = undefined
      }
    } catch {
      return {}
    }
  }
}

/** Up to the first entry: the rest of a long list is nobody's business. */
async function firstOf(stream: ReadableStream<Uint8Array>): Promise<{ text: string; more: boolean }> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { value } = await reader.read()
    if (!value) return { text, more: false }
    text += decoder.decode(value, { stream: true })
    if (!hasEntry(text) && text.length <= MAX_HEAD_BYTES) continue
    void reader.cancel().catch(() => {})
    return { text, more: true }
  }
}

function hasEntry(text: string): boolean {
  const whole = text.slice(0, text.lastIndexOf('\0') + 1)
  return whole.split('\0').some((record) => record !== '' && !record.startsWith('#'))
}

function readStatus(text: string): StatusResult {
  const head = (name: string) => new RegExp(`(?:^|\\0)# branch\\.${name} ([^\\0]*)`).exec(text)?.[1]
  const [oid, branch] = [head('oid'), head('head')]
  return {
    dirty: hasEntry(text),
    ...(branch === undefined ? {} : { branch: branch === '(detached)' ? 'HEAD' : branch }),
    ...(oid === undefined || oid === '(initial)' ? {} : { commit: oid }),
  }
}

function lower(pid: number): void {
  try {
    setPriority(pid, NICE)
  } catch {
    // It has ended already.
  }
}

/** Nothing of the daemon's environment that could lead git elsewhere. */
function envFor(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  }
  for (const name of ['HOME', 'PATH', 'XDG_CONFIG_HOME']) {
    const value = env[name]
    if (value !== undefined) kept[name] = value
  }
  return kept
}
