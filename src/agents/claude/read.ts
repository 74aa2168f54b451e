/** Parses Claude Code's payloads. On the hook path. */
import type { HookEvent, RawEvent } from '../../events/index.ts'
import { UNAMBIGUOUS_FIELDS } from '../fields.ts'
import { makeDialect, readPayload } from '../payload.ts'
import { CLAUDE_COMMON, CLAUDE_EVENTS } from './events.ts'
import { isInjected } from './injected.ts'
import { claudeVersion } from './version.ts'

const dialect = makeDialect(CLAUDE_EVENTS, { ...UNAMBIGUOUS_FIELDS, ...CLAUDE_COMMON })

export function read(payload: unknown, from: RawEvent): HookEvent {
  const draft = readPayload(dialect, payload, from)
  if (draft.agentVersion === undefined) {
    const version = claudeVersion(from.client.env)
    if (version !== undefined) draft.agentVersion = version
  }
  if (draft.prompt !== undefined && isInjected(draft.prompt)) draft.promptInjected = true
  return draft
}
