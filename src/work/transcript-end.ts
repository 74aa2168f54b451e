/**
 * How a transcript ends, for clients that ask after a turn whether a limit ended it. Reads only the last lines. The
 * path comes from a payload, so it must be inside the agent's own folder.
 */
import { homedir } from 'node:os'
import { agentFor, type TranscriptFact } from '../agents/index.ts'
import { readTail } from '../core/files/lines.ts'
import type { Ending } from './index.ts'

const TAIL_BYTES = 64 * 1024

/** After one of these the turn continued, or another one started. */
const GOES_ON: ReadonlySet<TranscriptFact['kind']> = new Set(['prompt', 'tool-start', 'tool-end', 'answer'])

/** The error that ended the last turn; undefined if it ended well or nobody knows. */
export function endingOf(
  agent: string,
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): Ending | undefined {
  const reader = agentFor(agent).transcript
  if (!reader) return undefined
  let ending: Ending | undefined
  try {
    readTail(path, reader.roots(env, env.HOME ?? homedir()), TAIL_BYTES, (line) => {
      for (const fact of reader.read(line)) {
        if (fact.kind === 'turn-error') ending = { error: fact.error, message: fact.message }
        else if (GOES_ON.has(fact.kind)) ending = undefined
      }
    })
    return ending
  } catch {
    return undefined
  }
}
