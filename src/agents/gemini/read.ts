/** Parses Gemini CLI's payloads. On the hook path. Neither payload nor environment has the version. */
import { isObject } from '../../core/is-object.ts'
import type { HookEvent, RawEvent } from '../../events/index.ts'
import { UNAMBIGUOUS_FIELDS } from '../fields.ts'
import { makeDialect, readPayload } from '../payload.ts'
import { GEMINI_COMMON, GEMINI_EVENTS } from './events.ts'

const dialect = makeDialect(GEMINI_EVENTS, { ...UNAMBIGUOUS_FIELDS, ...GEMINI_COMMON })

const SUBAGENT_TOOL = 'invoke_agent'

/** No hook reports a sub-agent (0.61.0): it runs from the start to the end of this call. */
export function read(payload: unknown, from: RawEvent): HookEvent {
  const draft = readPayload(dialect, payload, from)
  const { tool } = draft
  if (tool?.name === SUBAGENT_TOOL && isObject(tool.input)) {
    const { agent_name: name } = tool.input
    if (typeof name === 'string' && name !== '') tool.agent = name
  }
  return draft
}
