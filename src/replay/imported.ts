/** Converts a recorded line to the arguments of `events.import`. */
import { createHash } from 'node:crypto'
import { isId } from '../events/index.ts'
import type { RecordedLine } from './recorded.ts'

const ID_CHARS = 26

/** The line's own id, else one derived from its content, so that importing it again gives the same event. */
export function importedOf(line: RecordedLine) {
  const { agent, event, at, env, payload, id } = line
  const isText = typeof payload === 'string'
  const hash = createHash('sha256').update(`${agent}\n${event}\n${at}\n`).update(payload).digest('hex')
  return {
    id: isId(id) ? id : `import-${hash.slice(0, ID_CHARS)}`,
    agent,
    ...(event === '' ? {} : { event }),
    at,
    env,
    payload: isText ? payload : Buffer.from(payload).toString('base64'),
    ...(isText ? {} : { base64: true }),
  }
}
