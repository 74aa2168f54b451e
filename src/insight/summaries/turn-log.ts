/**
 * The commands of each session since its last prompt, from its hooks: in memory, bounded. For a turn that began before
 * the daemon, they are read from the journal.
 */
import { toolsThat } from '../../agents/facts.ts'
import { BoundedMap } from '../../core/bounded-map.ts'
import { type HookEvent, keyOf } from '../../events/index.ts'
import { parseRow } from '../../journal/index.ts'
import type { Store } from '../../store/index.ts'

const MAX_SESSIONS = 2_000
const MAX_COMMANDS = 50
const MAX_CHARS = 300
const MAX_ROWS = 200 // of the journal; only after a restart
const MAX_BYTES = 128 * 1024 // of their payloads: a millisecond or two
const SHELLS = toolsThat('shell', 'otherShell')

const NOTED: ReadonlySet<string> = new Set(['UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure'])

export class TurnLog {
  readonly #store: Pick<Store, 'newest'>
  /** Only turns whose start was seen. */
  readonly #commands = new BoundedMap<string, string[]>(MAX_SESSIONS)

  constructor(store: Pick<Store, 'newest'>) {
    this.#store = store
  }

  see(event: HookEvent): void {
    if (!NOTED.has(event.type)) return
    const key = keyOf(event)
    if (isPrompt(event)) {
      this.#commands.set(key, [])
      return
    }
    const commands = this.#commands.get(key)
    const command = commands && commands.length < MAX_COMMANDS ? commandOf(event) : undefined
    if (command !== undefined) commands?.push(command)
  }

  /** Undefined if the turn's start was not seen. */
  of(key: string): readonly string[] | undefined {
    return this.#commands.get(key)
  }

  /** The fallback for such a turn. */
  fromJournal({ agent, sessionId, seq }: HookEvent): string[] {
    const commands: string[] = []
    let read = 0
    for (const row of this.#store.newest({ session: sessionId, agent, before: seq }, MAX_ROWS)) {
      read += row.raw.length
      if (read > MAX_BYTES) break
      const event = parseRow(row)
      if (isPrompt(event)) break
      const command = commandOf(event)
      if (command !== undefined) commands.push(command)
    }
    return commands.reverse().slice(0, MAX_COMMANDS)
  }
}

function isPrompt({ type, agentId }: HookEvent): boolean {
  return type === 'UserPromptSubmit' && agentId === undefined
}

function commandOf({ type, tool }: HookEvent): string | undefined {
  if ((type !== 'PostToolUse' && type !== 'PostToolUseFailure') || !SHELLS.has(tool?.name ?? ''))
    return undefined
  const command = (tool?.input as { command?: unknown } | null | undefined)?.command
  return typeof command === 'string' ? command.slice(0, MAX_CHARS) : undefined
}
