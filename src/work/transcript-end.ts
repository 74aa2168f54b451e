/**
 * How a transcript ends, for clients that ask at the end of a turn whether a limit ended it. A bounded read of its last
 * lines; the path came in a payload, so it must be inside the agent's own folder.
 */
import { closeSync, fstatSync, readSync } from 'node:fs'
import { homedir } from 'node:os'
import { agentFor, type TranscriptFact } from '../agents/index.ts'
import { lineCutter, openInside } from '../sessions/index.ts'
import type { Ending } from './index.ts'

const TAIL_BYTES = 64 * 1024

/** After one of these the turn went on, or another one began. */
const GOES_ON: ReadonlySet<TranscriptFact['kind']> = new Set(['prompt', 'tool-start', 'tool-end', 'answer'])

/** The error that ended the last turn; nothing when it ended well, or nobody can say. */
export function endingOf(
  agent: string,
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): Ending | undefined {
  const reader = agentFor(agent).transcript
  const fd = reader && openInside(path, reader.roots(env, env.HOME ?? homedir()))
  if (fd === undefined) return undefined
  try {
    const { size } = fstatSync(fd)
    const start = Math.max(0, size - TAIL_BYTES)
    const bytes = Buffer.alloc(size - start)
    const read = readSync(fd, bytes, 0, bytes.length, start)
    let ending: Ending | undefined
    const take = lineCutter(start > 0, (line) => {
      for (const fact of reader?.read(line) ?? []) {
        if (fact.kind === 'turn-error') ending = { error: fact.error, message: fact.message }
        else if (GOES_ON.has(fact.kind)) ending = undefined
      }
    })
    take(bytes.subarray(0, read))
    take(Buffer.from('\n')) // the last line may not have its end yet
    return ending
  } catch {
    return undefined
  } finally {
    closeSync(fd)
  }
}
