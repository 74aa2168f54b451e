/**
 * Claude Code's fields that are objects or lists. The needed parts go to canonical fields. The whole stays in `fields` if
 * it holds more.
 */
import { isObject } from '../../core/is-object.ts'
import type { BackgroundTask } from '../../events/index.ts'
import { type FieldMapper, type Outcome, toolOf } from '../fields.ts'
import type { Payload } from '../payload.ts'
import { countOf, takeNumber, usageOf } from '../transcripts/usage.ts'

/** `{name, source}` on tools of an MCP server. */
export const mcpServer: FieldMapper = (draft, value) => {
  if (!isObject(value) || typeof value.name !== 'string') return 'wrong'
  toolOf(draft).mcpServer = value.name
  return 'kept'
}

/** A stop with running tasks is not "done", so readable tasks count even beside unreadable ones. */
export const backgroundTasks: FieldMapper = (draft, value) => {
  if (!Array.isArray(value)) return 'wrong'
  const tasks: BackgroundTask[] = []
  let outcome: Outcome = 'mapped'
  for (const item of value) {
    const task = backgroundTask(item)
    if (task === undefined) outcome = 'wrong'
    else {
      tasks.push(task)
      if (outcome === 'mapped' && Object.keys(item).length > Object.keys(task).length) outcome = 'kept'
    }
  }
  draft.backgroundTasks = tasks
  return outcome
}

/**
 * 2.1.325 ends the call of a background sub-agent or a teammate as soon as it has started, and names its id. The result of
 * a foreground sub-agent names its agent, too.
 */
export const agentResponse: FieldMapper = (draft, value) => {
  toolOf(draft).response = value
  if (!isObject(value) || typeof value.agentId !== 'string') return 'mapped'
  const teammate = value.status === 'teammate_spawned'
  if (teammate) draft.spawned = { agentId: value.agentId, teammate }
  else if (value.isAsync === true) draft.spawned = { agentId: value.agentId }
  return 'mapped'
}

/** The calls of one message, sent after the last one ends. A call that a person refused has no other event. */
export const batchedCalls: FieldMapper = (draft, value) => {
  if (!Array.isArray(value)) return 'wrong'
  draft.endedCalls = value.flatMap((call) =>
    isObject(call) && typeof call.tool_use_id === 'string' ? call.tool_use_id : [],
  )
  return 'kept'
}

/** The percentages are null before the first request on 2.1.325 and absent on 2.0.77. */
export const contextWindow: FieldMapper = (draft, value) => {
  if (!isObject(value)) return 'wrong'
  const usage = usageOf(draft)
  const fits = [
    takeNumber(usage, 'contextPct', value.used_percentage),
    takeNumber(usage, 'contextWindow', value.context_window_size),
    takeNumber(usage, 'inputTokens', value.total_input_tokens),
    takeNumber(usage, 'outputTokens', value.total_output_tokens),
    takeNumber(usage, 'contextTokens', contextTokens(value.current_usage)),
  ]
  return fits.includes(false) ? 'wrong' : 'kept'
}

export const cost: FieldMapper = (draft, value) => {
  if (!isObject(value)) return 'wrong'
  const usage = usageOf(draft)
  const fits = [
    takeNumber(usage, 'costUsd', value.total_cost_usd),
    takeNumber(usage, 'linesAdded', value.total_lines_added),
    takeNumber(usage, 'linesRemoved', value.total_lines_removed),
  ]
  return fits.includes(false) ? 'wrong' : 'kept'
}

/** Tokens of the last request: cached, written to the cache, or neither. */
function contextTokens(current: unknown): number | undefined {
  if (current === undefined || current === null) return undefined
  if (!isObject(current)) return Number.NaN
  return (
    countOf(current.input_tokens) +
    countOf(current.cache_creation_input_tokens) +
    countOf(current.cache_read_input_tokens)
  )
}

function backgroundTask(item: unknown): BackgroundTask | undefined {
  if (!isObject(item) || typeof item.id !== 'string') return undefined
  const task: BackgroundTask = { id: item.id }
  takeText(task, 'type', item, 'type')
  takeText(task, 'status', item, 'status')
  takeText(task, 'description', item, 'description')
  takeText(task, 'command', item, 'command')
  takeText(task, 'agentType', item, 'agent_type')
  return task
}

function takeText(task: BackgroundTask, key: keyof BackgroundTask, item: Payload, field: string): void {
  const value = item[field]
  if (typeof value === 'string') task[key] = value
}
