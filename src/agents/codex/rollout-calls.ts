/**
 * Tool calls in a rollout, by the names that hooks have for them (0.166.0): the shell is `Bash`, a tool of an MCP server
 * `mcp__<server>__<tool>`, tools of other namespaces are glued to theirs.
 */
import { type Line, objectOf, parseLine, type TranscriptFact, textsOf } from '../transcript.ts'

const SHELLS: ReadonlySet<string> = new Set(['exec_command', 'shell', 'shell_command', 'local_shell'])
/** No hook runs for these; calls inside the code that `exec` runs have hooks, and lines, of their own. */
const UNHOOKED: ReadonlySet<string> = new Set(['write_stdin', 'update_plan', 'exec', 'wait'])
const PATCH = 'apply_patch'
/** Hooks give it without its namespace. */
const SPAWN = 'spawn_agent'

export function callIn(payload: Line, at: number): TranscriptFact[] {
  const { type, call_id: useId } = payload
  if (typeof useId !== 'string') return []
  switch (type) {
    case 'function_call':
    case 'custom_tool_call': {
      const call = nameAndInput(payload)
      return call ? [{ kind: 'tool-start', at, useId, ...call }] : []
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return isOver(payload.output) ? [{ kind: 'tool-end', at, useId, outcome: 'ok' }] : []
    default:
      return []
  }
}

function nameAndInput(payload: Line): { name: string; input: unknown } | undefined {
  const { name, namespace, input: text } = payload
  if (typeof name !== 'string' || UNHOOKED.has(name)) return undefined
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

/** Not when the command goes on beside the turn, nor when Esc broke it off: then no hook tells of its end either. */
function isOver(output: unknown): boolean {
  const text = typeof output === 'string' ? output : textsOf(objectOf(output)?.content ?? output).join('\n')
  return !/^Process running with session ID/m.test(text.slice(0, 500)) && !/aborted by user\s*$/.test(text)
}
