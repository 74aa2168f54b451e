/**
 * Only the agents' readers: a separate entry point for programs that just read payloads, such as handlers made with the
 * SDK. It loads no settings, answers or schema library, because such programs start under tool calls.
 *
 *   const event = readerFor('codex')(payload, rawEvent)
 */
import type { HookEvent, RawEvent } from '../events/index.ts'
import { generic } from './generic.ts'
import { READERS } from './read.gen.ts'

export type Reader = (payload: unknown, from: RawEvent) => HookEvent

/** An unknown id gets the generic reader. */
export function readerFor(agent: string): Reader {
  return READERS.get(agent) ?? generic.read
}
