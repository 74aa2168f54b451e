/** Parses Codex's payloads. On the hook path. Neither payload nor environment has the version; the transcript does. */
import type { HookEvent, RawEvent } from '../../events/index.ts'
import { UNAMBIGUOUS_FIELDS } from '../fields.ts'
import { makeDialect, readPayload } from '../payload.ts'
import { CODEX_COMMON, CODEX_EVENTS } from './events.ts'
import { isInjected, nameNotify } from './notify.ts'

const dialect = makeDialect(CODEX_EVENTS, { ...UNAMBIGUOUS_FIELDS, ...CODEX_COMMON })

export function read(payload: unknown, from: RawEvent): HookEvent {
  const draft = readPayload(dialect, payload, nameNotify(payload, from))
  if (draft.prompt !== undefined) {
    // 0.166.0 also fires UserPromptSubmit inside a sub-agent, for text by the parent's model.
    if (draft.agentId !== undefined || isInjected(draft.prompt)) draft.promptInjected = true
  }
  return draft
}
