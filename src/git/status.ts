/**
 * Whether a repository has uncommitted changes: the one question that only git can answer. Repositories are asked one at a
 * time, with pauses, outside of the daemon and with a deadline; a slow one is skipped for a while.
 * Repositories are untrusted, and git runs what their configuration says. So hooks, the file system monitor, submodules
 * (which have their own configuration), lazy fetches, locks and writes are disabled. If the configuration has filters, git
 * does not run at all (`GitIdentity.isPlain`).
 */
import { GitRunner } from './runner.ts'

export interface StatusResult {
  readonly dirty?: boolean
  /** From git itself, for repositories without ref files (reftable). */
  readonly branch?: string
  readonly commit?: string
}

export interface Asked {
  readonly at: number
  readonly result: StatusResult
  /** The earliest time of the next run. */
  readonly notBefore: number
}

const PAUSE_MS = 250 // between two runs: at most four small repositories a second
const SLOW_AGAIN_MS = 600_000
const MAX_QUEUED = 500
const MAX_KNOWN = 1_000

export class GitStatus {
  readonly #runner: GitRunner | undefined
  readonly #freshMs: number
  readonly #known = new Map<string, Asked>()
  readonly #queued = new Map<string, PromiseWithResolvers<void>>()
  #running = false
  #closed = false

  constructor(env: Readonly<Record<string, string | undefined>>, freshMs: number) {
    const git = Bun.which('git', { PATH: env.PATH ?? '' })
    this.#runner = git === null ? undefined : new GitRunner({ git, env: envFor(env) })
    this.#freshMs = freshMs
  }

  /** How often git was run; for tests and diagnosis. */
  runs = 0

  get(root: string): Asked | undefined {
    return this.#known.get(root)
  }

  /** Runs git unless its answer is fresh or pending. Resolves after the next run, whatever its outcome. */
  ask(root: string, now: number): Promise<void> {
    const known = this.#known.get(root)
    if (this.#runner === undefined || this.#closed) return Promise.resolve()
    if (known && (now - known.at < this.#freshMs || now < known.notBefore)) return Promise.resolve()
    const waiting = this.#queued.get(root)
    if (waiting) return waiting.promise
    if (this.#queued.size >= MAX_QUEUED) return Promise.resolve()
    const answer = Promise.withResolvers<void>()
    this.#queued.set(root, answer)
    if (!this.#running) void this.#run(this.#runner)
    return answer.promise
  }

  close(): void {
    this.#closed = true
    this.#runner?.stop()
    for (const { resolve } of this.#queued.values()) resolve()
    this.#queued.clear()
  }

  async #run(runner: GitRunner): Promise<void> {
    this.#running = true
    for (let next = this.#first(); next && !this.#closed; next = this.#first()) {
      const [root, answer] = next
      const began = Date.now()
      this.runs += 1
      const lines = await runner.status(root).catch(() => [])
      const isSlow = lines === 'late'
      if (this.#known.size >= MAX_KNOWN) this.#known.clear()
      const at = Date.now()
      this.#known.set(root, {
        at,
        result: isSlow ? {} : readStatus(lines),
        notBefore: isSlow ? at + SLOW_AGAIN_MS : 0,
      })
      this.#queued.delete(root)
      answer.resolve()
      // Pause for as long as the run took, so large repositories do not keep the machine busy.
      if (!this.#closed) await Bun.sleep(Math.max(PAUSE_MS, at - began))
    }
    this.#running = false
  }

  #first(): [string, PromiseWithResolvers<void>] | undefined {
    for (const entry of this.#queued) return entry
    return undefined
  }
}

/** Empty if git failed. */
function readStatus(lines: readonly string[]): StatusResult {
  const head = (name: string) =>
    lines.find((line) => line.startsWith(`# branch.${name} `))?.slice(`# branch.${name} `.length)
  const [oid, branch] = [head('oid'), head('head')]
  if (oid === undefined) return {}
  return {
    dirty: lines.some((line) => line !== '' && !line.startsWith('#')),
    ...(branch === undefined ? {} : { branch: branch === '(detached)' ? 'HEAD' : branch }),
    ...(oid === '(initial)' ? {} : { commit: oid }),
  }
}

/** Drops every variable that could redirect git. */
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
