/**
 * Nobody says when a person answers "yes": the next hook comes when the command has ended, minutes later. Until then
 * the session would look blocked while it works. While a shell command waits for permission, the agent's children are
 * looked at: one that runs this very command was allowed.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { HookEvent } from '../../events/index.ts'
import { keyOf } from '../../sessions/index.ts'
import { resolvedArrival } from '../raised.ts'
import type { HealerParts } from './transcripts.ts'

const LOOK_MS = 100 // lag people notice begins at a quarter of a second
const GIVE_UP_MS = 600_000

interface Waiting {
  readonly key: string
  readonly pid: number
  readonly tool: string
  readonly command: string
  readonly since: number
}

export class ApprovalHealer {
  readonly #parts: HealerParts
  readonly #waiting = new Set<Waiting>()
  #timer: ReturnType<typeof setInterval> | undefined

  readonly #pidOf: (key: string) => number | undefined

  constructor(parts: HealerParts, pidOf: (key: string) => number | undefined) {
    this.#parts = parts
    this.#pidOf = pidOf
  }

  see(event: HookEvent): void {
    const command = (event.tool?.input as { command?: unknown } | undefined)?.command
    if (event.type !== 'PermissionRequest' || typeof command !== 'string' || command.trim() === '') return
    const key = keyOf(event)
    const pid = this.#pidOf(key)
    if (pid === undefined) return
    this.#waiting.add({ key, pid, tool: event.tool?.name ?? '', command, since: Date.now() })
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    for (const one of this.#waiting) {
      const session = this.#parts.session(one.key)
      const asked = session?.attention.find(({ kind, tool }) => kind === 'permission' && tool === one.tool)
      if (!session || !asked || Date.now() - one.since > GIVE_UP_MS) {
        this.#waiting.delete(one)
        continue
      }
      const child = childRunning(one.pid, one.command)
      if (child === undefined || asked.call === undefined) continue
      this.#waiting.delete(one)
      const reason = `process ${child} runs the command`
      this.#parts.raise(resolvedArrival(session, one.tool, asked.call, reason, Date.now()))
    }
    if (this.#waiting.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** A child of the agent, or a grandchild, whose command line holds the command. */
function childRunning(pid: number, command: string): number | undefined {
  for (const child of childrenOf(pid)) {
    if (holds(child, command)) return child
    for (const grandchild of childrenOf(child)) if (holds(grandchild, command)) return grandchild
  }
  return undefined
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

/** Claude wraps the command in its own, with quotes escaped; a plain piece of it is enough to know it by. */
function holds(pid: number, command: string): boolean {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    const piece = command.split(/['"\\\n]/).sort((a, b) => b.length - a.length)[0] ?? command
    return piece.trim().length > 0 && line.includes(piece)
  } catch {
    return false
  }
}
