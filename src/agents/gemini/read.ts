/** Gemini CLI's payloads, as events. On the hook path. Nothing in them, or in their environment, tells the version. */
import type { HookEvent, RawEvent } from '../../events/index.ts'
import { UNAMBIGUOUS_FIELDS } from '../fields.ts'
import { isPayload, makeDialect, readPayload } from '../payload.ts'
import { GEMINI_COMMON, GEMINI_EVENTS } from './events.ts'

const dialect = makeDialect(GEMINI_EVENTS, { ...UNAMBIGUOUS_FIELDS, ...GEMINI_COMMON })

const SUBAGENT_TOOL = 'invoke_agent'

/** No hook tells of a sub-agent (0.61.0): it is the call that runs it, from its beginning to its end. */
export function read(payload: unknown, from: RawEvent): HookEvent {
  const draft = readPayload(dialect, payload, from)
  const { tool } = draft
  if (tool?.name === SUBAGENT_TOOL && isPayload(tool.input)) {
    const { agent_name: name } = tool.input
    if (typeof name === 'string' && name !== '') tool.agent = name
  }
  return draft
}
