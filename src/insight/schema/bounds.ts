/**
 * Limits of what is learned. An agent may invent an event, a tool or a version per payload: then the first ones are
 * learned, and the rest are only counted in the journal. When there are too many versions, the least seen are dropped.
 */
import type { Kind } from '../../rpc/index.ts'

const MAX_VERSIONS = 16 // of all agents together
const MAX_SHAPES = 400 // of one version; Claude Code with forty tools has 150
const MAX_FIELDS = 8_000 // of one version; the same has 4,000
const LONG_AGO_MS = 60 * 86_400_000

/** What is known about one version of an agent. */
export interface Extent {
  readonly agent: string
  readonly version: string
  shapes: number
  fields: number
  count: number
  lastAt: number
}

export class Bounds {
  readonly #extents = new Map<string, Extent>()

  constructor(extents: Iterable<Extent>) {
    for (const extent of extents) this.#extents.set(keyOf(extent), { ...extent })
  }

  /** The version of a payload. A new version may displace another, which is returned as `forgotten`. */
  enter(kind: Kind, at: number): { extent: Extent; isNew: boolean; forgotten?: Extent } {
    const known = this.#extents.get(keyOf(kind))
    if (known) return { extent: known, isNew: false }
    const forgotten = this.#extents.size < MAX_VERSIONS ? undefined : this.#least(at)
    if (forgotten) this.#extents.delete(keyOf(forgotten))
    const { agent, version } = kind
    const extent = { agent, version, shapes: 0, fields: 0, count: 0, lastAt: at }
    this.#extents.set(keyOf(extent), extent)
    return { extent, isNew: true, ...(forgotten ? { forgotten } : {}) }
  }

  /** The version of the agent that was seen last. */
  latest(agent: string): Extent | undefined {
    const own = [...this.#extents.values()].filter((one) => one.agent === agent && one.version !== '')
    return own.sort((a, b) => b.lastAt - a.lastAt)[0]
  }

  /**
   * The version to drop: not seen for long, or seen least. So a flood of fake versions is dropped before versions in
   * use.
   */
  #least(now: number): Extent | undefined {
    const old = (one: Extent) => (now - one.lastAt > LONG_AGO_MS ? 0 : 1)
    return [...this.#extents.values()].sort((a, b) => old(a) - old(b) || a.count - b.count)[0]
  }
}

export function hasRoom(extent: Extent): boolean {
  return extent.shapes < MAX_SHAPES && extent.fields < MAX_FIELDS
}

export function roomFor(extent: Extent): number {
  return Math.max(0, MAX_FIELDS - extent.fields)
}

function keyOf({ agent, version }: Pick<Kind, 'agent' | 'version'>): string {
  return `${agent}\n${version}`
}
