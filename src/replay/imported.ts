/** A recorded line as the call `events.import` takes it. */
import { createHash } from 'node:crypto'
import { isId } from '../events/index.ts'
import type { RecordedLine } from './recorded.ts'

const ID_CHARS = 26

/** Its own id where the line has one; else one that follows from what it says: read in again, it is the same event. */
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
