/** Codex's payloads, as events. On the hook path. Nothing in them, or in their environment, tells the version; the transcript does. */
import type { HookEvent, RawEvent } from '../../events/index.ts'
import { UNAMBIGUOUS_FIELDS } from '../fields.ts'
import { makeDialect, readPayload } from '../payload.ts'
import { CODEX_COMMON, CODEX_EVENTS } from './events.ts'
import { isInjected, nameNotify } from './notify.ts'

const dialect = makeDialect(CODEX_EVENTS, { ...UNAMBIGUOUS_FIELDS, ...CODEX_COMMON })

export function read(payload: unknown, from: RawEvent): HookEvent {
  const draft = readPayload(dialect, payload, nameNotify(payload, from))
  if (draft.prompt !== undefined) {
    // 0.166.0 fires UserPromptSubmit inside a subagent for what the parent's model wrote.
    if (draft.agentId !== undefined || isInjected(draft.prompt)) draft.promptInjected = true
  }
  return draft
}
