/**
 * Nobody says when a person answers "yes": the next hook comes when the command has ended, minutes later. Until then
 * the session would look blocked while it works. While a shell command waits for permission, the agent's children are
 * looked at: one that began after the question, and runs this very command, was allowed.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { HookEvent } from '../../events/index.ts'
import { keyOf } from '../../sessions/index.ts'
import { startOf } from '../process-tree.ts'
import { resolvedArrival } from '../raised.ts'
import type { HealerParts } from './transcripts.ts'

const LOOK_MS = 50 // only while a dialog is open, and a look takes a tenth of a millisecond
const GIVE_UP_MS = 600_000
const TICKS_PER_S = 100 // USER_HZ, the same on every Linux that Bun runs on
const SLACK_TICKS = 5 // the clock of processes is a coarse one

interface Waiting {
  readonly key: string
  readonly pid: number
  readonly tool: string
  /** Which of the session's questions it is: two tools may ask at the same time. */
  readonly call: string
  readonly command: string
  /** By the clock that is never set back. */
  readonly since: number
  /** The same, as processes count. */
  readonly sinceTicks: number
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

  /** When the session knows of it. */
  see(event: HookEvent): void {
    const command = (event.tool?.input as { command?: unknown } | undefined)?.command
    if (event.type !== 'PermissionRequest' || typeof command !== 'string' || command.trim() === '') return
    const key = keyOf(event)
    const pid = this.#pidOf(key)
    const tool = event.tool?.name ?? ''
    const call = this.#callOf(key, tool)
    if (pid === undefined || call === undefined) return
    const sinceTicks = ticksNow() - SLACK_TICKS
    this.#waiting.add({ key, pid, tool, call, command, since: performance.now(), sinceTicks })
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** The first question of that tool that nobody waits for yet. */
  #callOf(key: string, tool: string): string | undefined {
    const taken = new Set([...this.#waiting].filter((one) => one.key === key).map(({ call }) => call))
    return this.#parts
      .session(key)
      ?.attention.find((one) => one.kind === 'permission' && one.tool === tool && !taken.has(one.call ?? ''))
      ?.call
  }

  #look(): void {
    for (const one of this.#waiting) {
      const session = this.#parts.session(one.key)
      const isAsked = session?.attention.some(({ kind, call }) => kind === 'permission' && call === one.call)
      if (!session || !isAsked || performance.now() - one.since > GIVE_UP_MS) {
        this.#waiting.delete(one)
        continue
      }
      const child = childRunning(one)
      if (child === undefined) continue
      this.#waiting.delete(one)
      const reason = `process ${child} runs the command`
      this.#parts.raise(resolvedArrival(session, one.tool, one.call, reason, Date.now()))
    }
    if (this.#waiting.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** On the clock of processes; 0 where there is none. */
function ticksNow(): number {
  try {
    return Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * TICKS_PER_S
  } catch {
    return 0
  }
}

/** A child of the agent, or a grandchild, that began since and whose command line has the command. */
function childRunning({ pid, command, sinceTicks }: Waiting): number | undefined {
  const isIt = (child: number) => Number(startOf(child) ?? 0) >= sinceTicks && holds(child, command)
  for (const child of childrenOf(pid)) {
    if (isIt(child)) return child
    for (const grandchild of childrenOf(child)) if (isIt(grandchild)) return grandchild
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
    return hasWhole(line, piece.trim())
  } catch {
    return false
  }
}

const IN_A_WORD = /[\w./-]/

/** Not as a part of another word: `ls` is no piece of "tools". */
function hasWhole(line: string, piece: string): boolean {
  if (piece === '') return false
  for (let at = line.indexOf(piece); at >= 0; at = line.indexOf(piece, at + 1)) {
    const [before = '', after = ''] = [line[at - 1], line[at + piece.length]]
    if (!IN_A_WORD.test(before) && !IN_A_WORD.test(after)) return true
  }
  return false
}
