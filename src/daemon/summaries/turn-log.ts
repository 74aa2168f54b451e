/** The commands that sessions ran since their last prompt, as their hooks tell: kept in memory, bounded. */
import type { HookEvent } from '../../events/index.ts'
import { keyOf } from '../../sessions/index.ts'

const MAX_SESSIONS = 2_000
const MAX_COMMANDS = 50
const MAX_CHARS = 300
const SHELLS: ReadonlySet<string> = new Set(['Bash', 'bash', 'run_shell_command', 'shell', 'PowerShell'])

export class TurnLog {
  readonly #commands = new Map<string, string[]>()

  see(event: HookEvent): void {
    if (event.type === 'UserPromptSubmit') {
      if (event.agentId === undefined) this.#commands.delete(keyOf(event))
      return
    }
    if (event.type !== 'PostToolUse' && event.type !== 'PostToolUseFailure') return
    const { name = '', input } = event.tool ?? {}
    const command = SHELLS.has(name)
      ? (input as { command?: unknown } | null | undefined)?.command
      : undefined
    if (typeof command === 'string') this.#add(keyOf(event), command.slice(0, MAX_CHARS))
  }

  of(key: string): readonly string[] {
    return this.#commands.get(key) ?? []
  }

  #add(key: string, command: string): void {
    const commands = this.#commands.get(key) ?? []
    if (commands.length < MAX_COMMANDS) commands.push(command)
    this.#commands.delete(key)
    this.#commands.set(key, commands)
    const [oldest] = this.#commands.size > MAX_SESSIONS ? this.#commands.keys() : []
    if (oldest !== undefined) this.#commands.delete(oldest)
  }
}
