/**
 * Codex's `notify` program: not a hook, one event, its JSON as the last argument. It needs no trust, so it works where
 * hooks are not trusted yet. It also reports turns that are not a person's (0.166.0):
 * - the TUI uses a hidden thread to write a title for every prompt, without hooks;
 * - each turn of a sub-agent comes under the child's thread id. Nothing in the payload marks it: `client` is missing there,
 * but in other versions also in a person's turn. The session state knows the children's ids from the hooks.
 */
import { isObject } from '../../core/is-object.ts'
import type { RawEvent } from '../../events/index.ts'
import type { FieldMapper } from '../fields.ts'

/** Takes the place of the event on the command line: `gantry hook codex notify '<json>'`. */
const NOTIFY = 'notify'
export const TURN_COMPLETE = 'agent-turn-complete'

const TITLE_PROMPT = 'Generate a concise, single-line task title'
/** User messages that Codex writes itself: a stop hook's reason, and the summary after a compaction. */
const INJECTED = ['<hook_prompt', 'Another language model started to solve this problem']

/**
 * Takes the event's name from the payload's `type` if no hook name was given. An unreadable payload becomes notify's only
 * event: nobody waits for an answer, so no rule needs to know which hook it was.
 */
export function nameNotify(payload: unknown, from: RawEvent): RawEvent {
  if (!isObject(payload)) return from.event === NOTIFY ? { ...from, event: TURN_COMPLETE } : from
  if (typeof payload.type !== 'string') return from
  const isNamed = from.event === NOTIFY || (from.event === undefined && payload.type === TURN_COMPLETE)
  return isNamed && payload.hook_event_name === undefined ? { ...from, event: payload.type } : from
}

/** All user messages of the thread so far, also across a resume; the last typed one is this turn's prompt. */
export const inputMessages: FieldMapper = (draft, value) => {
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
