/**
 * Tool calls in a rollout, under the names that hooks use (0.166.0): the shell is `Bash`, an MCP server's tool is
 * `mcp__<server>__<tool>`, and other tools have their namespace prepended.
 */
import { errorOf, type JsonLine, parseLine, type TranscriptFact } from '../transcripts/transcript.ts'
import { outputOf } from './messages.ts'

const SHELLS: ReadonlySet<string> = new Set(['exec_command', 'shell', 'shell_command', 'local_shell'])
/** Tools without hooks. Calls made inside `exec`'s code have their own hooks and lines. */
const UNHOOKED: ReadonlySet<string> = new Set(['write_stdin', 'update_plan', 'exec', 'wait'])
const PATCH = 'apply_patch'
/** Hooks name it without its namespace. */
const SPAWN = 'spawn_agent'

export function callIn(payload: JsonLine, at: number): TranscriptFact[] {
  const { type, call_id: useId } = payload
  if (typeof useId !== 'string') return []
  switch (type) {
    case 'function_call':
    case 'custom_tool_call': {
      const { name } = payload
      if (typeof name === 'string' && UNHOOKED.has(name)) return [{ kind: 'unhooked-call', at, useId, name }]
      const call = nameAndInput(payload)
      return call ? [{ kind: 'tool-start', at, useId, ...call }] : []
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return isOver(payload.output) ? [{ kind: 'tool-end', at, useId, ...outcomeOf(payload.output) }] : []
    default:
      return []
  }
}

function nameAndInput(payload: JsonLine): { name: string; input: unknown } | undefined {
  const { name, namespace, input: text } = payload
  if (typeof name !== 'string') return undefined
  const args = typeof payload.arguments === 'string' ? parseLine(payload.arguments) : undefined
  if (name === PATCH) return { name, input: { command: text ?? args?.input } }
  if (SHELLS.has(name)) return { name: 'Bash', input: { command: commandOf(args?.cmd ?? args?.command) } }
  if (typeof namespace !== 'string' || name === SPAWN) return { name, input: args }
  const isServer = namespace.startsWith('mcp__') && !namespace.endsWith('__')
  return { name: `${namespace}${isServer ? '__' : ''}${name}`, input: args }
}

/** `["bash", "-lc", "ls"]` is `ls`. */
function commandOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.length === 3 && /^-\w*c$/.test(String(value[1])) ? value[2] : value.join(' ')
}

/** False if the command continues in the background or Esc interrupted it: then no hook reports its end either. */
function isOver(output: unknown): boolean {
  const text = outputOf(output)
  return !/^Process running with session ID/m.test(text.slice(0, 500)) && !/aborted by user\s*$/.test(text)
}

/** A tool that Codex does not have: nothing ran, and no hook either. Any other failure is not visible (0.166.0). */
function outcomeOf(output: unknown): { outcome: 'ok' } | { outcome: 'void'; error: string } {
  const text = outputOf(output)
  return /^unsupported (custom tool )?call: /.test(text)
    ? { outcome: 'void', error: errorOf(text) }
    : { outcome: 'ok' }
}
