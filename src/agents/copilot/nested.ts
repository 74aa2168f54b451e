/** Copilot's fields that need more than a place. */
import { isObject } from '../../core/is-object.ts'
import { type FieldMapper, toolOf, toolText } from '../fields.ts'

/**
 * `{resultType, textResultForLlm}`. 1.0.102 reports failed tools only as postToolUseFailure; a nonzero exit code is a
 * success. Older versions had no event for failures.
 */
export const toolResult: FieldMapper = (draft, value) => {
  const tool = toolOf(draft)
  tool.response = value
  if (!isObject(value) || (value.resultType ?? value.result_type) !== 'failure') return 'mapped'
  draft.type = 'PostToolUseFailure'
  const message = value.textResultForLlm ?? value.text_result_for_llm
  if (typeof message === 'string') tool.error = message
  return 'mapped'
}

/** `{message, name, stack}`, although the SDK's types say string. The name is always `Error`. */
export const failure: FieldMapper = (draft, value) => {
  const message = isObject(value) ? value.message : value
  if (typeof message !== 'string') return 'wrong'
  draft.error ??= { kind: '' }
  draft.error.message = message
  return typeof value === 'string' ? 'mapped' : 'kept'
}

/** `bash`, `edit`, or `server/tool` for an MCP server's tool. */
export const permissionTool: FieldMapper = (draft, value) => {
  const outcome = mapName(draft, value)
  if (typeof value !== 'string') return outcome
  const slash = value.indexOf('/')
  if (slash > 0) toolOf(draft).mcpServer = value.slice(0, slash)
  return outcome
}

const mapName = toolText('name')
