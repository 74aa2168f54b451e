/**
 * The agents' readers alone: a side door for programs that read payloads and do nothing else, such as handlers made
 * with the SDK. It loads no settings, no answers and no schema library, since they start under tool calls.
 *
 *   const event = readerFor('codex')(payload, arrival)
 */
import type { Arrival, HookEvent } from '../events/index.ts'
import { read as claude } from './claude/read.ts'
import { read as codex } from './codex/read.ts'
import { read as copilot } from './copilot/read.ts'
import { read as gemini } from './gemini/read.ts'
import { generic } from './generic.ts'
import { read as opencode } from './opencode/read.ts'

export type Reader = (payload: unknown, from: Arrival) => HookEvent

const READERS: ReadonlyMap<string, Reader> = new Map(
  Object.entries({ claude, codex, copilot, gemini, opencode }),
)

/** An id nobody knows gets the generic reader. */
export function readerFor(agent: string): Reader {
  return READERS.get(agent) ?? generic.read
}
