/**
 * The agents' readers alone: a side door for programs that read payloads and do nothing else, such as handlers made
 * with the SDK. It loads no settings, no answers and no schema library, since they start under tool calls.
 *
 *   const event = readerFor('codex')(payload, arrival)
 */
import type { HookEvent, RawEvent } from '../events/index.ts'
import { generic } from './generic.ts'
import { READERS } from './read.gen.ts'

export type Reader = (payload: unknown, from: RawEvent) => HookEvent

/** An id nobody knows gets the generic reader. */
export function readerFor(agent: string): Reader {
  return READERS.get(agent) ?? generic.read
}
