/** Parses Claude Code's payloads. On the hook path. */
import type { ClientFacts, HookEvent, RawEvent } from '../../events/index.ts'
import { UNAMBIGUOUS_FIELDS } from '../fields.ts'
import { makeDialect, readPayload } from '../payload.ts'
import { CLAUDE_COMMON, CLAUDE_EVENTS } from './events.ts'
import { isInjected } from './injected.ts'

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

/** In the hooks' environment of 2.1.325. 2.0.77 reports its version only in the status line's `version`. */
const AI_AGENT = /^claude-code_(\d+)-(\d+)-(\d+)(?:[-_]|$)/

function claudeVersion(env: ClientFacts['env']): string | undefined {
  const match = env.AI_AGENT === undefined ? null : AI_AGENT.exec(env.AI_AGENT)
  return match === null ? undefined : `${match[1]}.${match[2]}.${match[3]}`
}
