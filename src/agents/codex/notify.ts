/**
 * Codex's `notify` program: no hook, one event, its JSON as the last argument. It needs no trust, so it is what a
 * Codex without trusted hooks still tells. It also tells of turns that are not a person's (0.166.0):
 * - the TUI has a hidden thread write a title for every prompt, and no hook fires for it;
 * - each turn of a subagent, under the child's thread id. Nothing in the payload tells it from another: `client` is
 *   missing there, but also in a person's turn of other versions. The fleet knows the children's ids from the hooks.
 */
import type { RawEvent } from '../../events/index.ts'
import type { Place } from '../fields.ts'
import { isPayload } from '../payload.ts'

/** What stands on the command line in place of an event: `gantry hook codex notify '<json>'`. */
const NOTIFY = 'notify'
export const TURN_COMPLETE = 'agent-turn-complete'

const TITLE_PROMPT = 'Generate a concise, single-line task title'
/** User messages that Codex writes itself: a stop hook's reason, and the summary after a compaction. */
const INJECTED = ['<hook_prompt', 'Another language model started to solve this problem']

/**
 * The payload names its own event, in `type`, where no hook's name stands beside it. One that cannot be read is of the only
 * event that notify has: nobody waits for an answer, so no rule has to ask which hook it may be.
 */
export function nameNotify(payload: unknown, from: RawEvent): RawEvent {
  if (!isPayload(payload)) return from.event === NOTIFY ? { ...from, event: TURN_COMPLETE } : from
  if (typeof payload.type !== 'string') return from
  const isNamed = from.event === NOTIFY || (from.event === undefined && payload.type === TURN_COMPLETE)
  return isNamed && payload.hook_event_name === undefined ? { ...from, event: payload.type } : from
}

/** All user messages of the thread so far, also across a resume: the last one typed is this turn's prompt. */
export const inputMessages: Place = (draft, value) => {
  if (!isTextList(value)) return 'wrong'
  if (value[0]?.startsWith(TITLE_PROMPT)) draft.hidden = 'title-thread'
  const prompt = value.findLast((message) => !isInjected(message)) ?? value.at(-1)
  if (prompt !== undefined) draft.prompt = prompt
  return 'kept'
}

export function isInjected(prompt: string): boolean {
  return INJECTED.some((start) => prompt.startsWith(start))
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
