/** What hosts of a fleet tell each other about the files that a session wrote. */
import { isObject } from '../../core/is-object.ts'

export interface SharedWrites {
  readonly name: string
  readonly agent: string
  readonly writes: readonly SharedWrite[]
}

interface SharedWrite {
  readonly repository: string
  readonly path: string
  readonly at: number
  readonly tool: string
}

const MAX_WRITES = 20
const MAX_CHARS = 1_024

/** Anybody with write access to the bucket may have written it. */
export function sharedWritesIn(value: unknown): SharedWrites {
  const { name, agent, writes } = isObject(value) ? value : {}
  return {
    name: isText(name) ? name : '',
    agent: isText(agent) ? agent : '',
    writes: (Array.isArray(writes) ? writes.slice(0, MAX_WRITES) : []).flatMap((one: unknown) => {
      const { repository, path, at, tool } = isObject(one) ? one : {}
      if (!isText(repository) || !isText(path) || !isText(tool) || typeof at !== 'number') return []
      return Number.isFinite(at) ? [{ repository, path, at, tool }] : []
    }),
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_CHARS
}
