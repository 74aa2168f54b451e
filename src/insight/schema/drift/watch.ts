/**
 * Learns from every payload and reports what differs from a baseline, each difference once.
 *
 *   const watch = new SchemaWatch({ expected: (kind) => baselines.expected(kind), recall: (kind) => rows.get(kind) })
 *   watch.see({ agent: 'claude', version: '2.1.325', event: 'Stop', tool: '' }, payload, now)   // mostly nothing
 */
import type { Difference, Kind, Shape } from '../../../rpc/index.ts'
import { Bounds, type Extent, hasRoom, roomFor } from '../bounds.ts'
import type { Expected } from '../expected.ts'
import { fieldCount, learn, MAX_FIELDS } from '../learn.ts'
import { kindKey, newShape, objectsAt, parentOf } from '../shape.ts'
import { diffPayload, missingIn, toolOf } from './diff.ts'

const MAX_TOLD = 100 // per agent, until a person accepts them
const MAX_CHANGES = 20 // version changes per agent, until the next start
const MANY_MISSES = 20 // payloads far from the expectation: no longer somebody's script
const MAX_HELD_FIELDS = 12_000 // in memory, about 8 MB; the others are read again on demand

/** A difference found in a payload. */
export interface Drift extends Difference {
  readonly version: string
}

export interface VersionChange {
  readonly agent: string
  readonly from: string
  readonly to: string
}

export interface News {
  readonly drifts: readonly Drift[]
  readonly change?: VersionChange
}

interface WatchOptions {
  /** What a payload should look like; undefined if nothing is known about the agent. */
  readonly expected: (kind: Kind) => Expected | undefined
  /** A stored shape. */
  readonly recall: (kind: Kind) => Shape | undefined
  readonly extents?: Iterable<Extent>
  /** Keys of drift that was reported before. */
  readonly told?: Iterable<string>
  readonly samples?: () => boolean
}

interface HeldShape extends Lacking {
  readonly extent: Extent
  expected: Expected | undefined
  required: Required[]
  usedAt: number
  isDirty: boolean
}

const NO_NEWS: News = { drifts: [] }

export class SchemaWatch {
  readonly #options: WatchOptions
  readonly #bounds: Bounds
  readonly #held = new Map<string, HeldShape>()
  readonly #told = new Map<string, Set<string>>()
  readonly #changes = new Map<string, number>()
  #forgotten: Extent[] = []
  #tick = 0
  #fields = 0

  constructor(options: WatchOptions) {
    this.#options = options
    this.#bounds = new Bounds(options.extents ?? [])
    for (const key of options.told ?? []) this.#toldOf(key).add(key)
  }

  /** The payload is read only if there is room to learn from it. */
  see(kind: Kind, payload: () => unknown, at: number): News {
    const known = this.#held.get(kindKey(kind))
    const { held, change } = known ? { held: known } : this.#hold(kind, at)
    if (!held) return NO_NEWS
    const value = payload()
    const isNews = this.#learn(held, value, at)
    const drifts = lacksSomething(held) || isNews ? this.#compare(held, kind, value, at) : []
    return drifts.length === 0 && !change ? NO_NEWS : { drifts, ...(change ? { change } : {}) }
  }

  /** Shapes in memory, which may be newer than the stored ones. */
  shapes(): Shape[] {
    return [...this.#held.values()].map(({ shape }) => shape)
  }

  /** Shapes to write, and versions to delete. Call `written` afterwards. */
  unwritten(): { shapes: Shape[]; forgotten: readonly Extent[] } {
    const dirty = [...this.#held.values()].filter(({ isDirty }) => isDirty)
    return { shapes: dirty.map(({ shape }) => shape), forgotten: this.#forgotten }
  }

  written(): void {
    for (const held of this.#held.values()) held.isDirty = false
    this.#forgotten = []
    if (this.#fields > MAX_HELD_FIELDS) this.#drop()
  }

  /** The agent has a new baseline, and its drift is accepted. */
  accepted(agent: string): void {
    this.#told.delete(agent)
    for (const held of this.#held.values()) this.#expect(held)
  }

  #learn(held: HeldShape, payload: unknown, at: number): boolean {
    const { shape, extent } = held
    const before = fieldCount(shape)
    const maxFields = Math.min(MAX_FIELDS, before + roomFor(extent))
    const isNews = learn(shape, payload, at, { maxFields, samples: this.#options.samples?.() ?? true })
    const added = fieldCount(shape) - before
    extent.fields += added
    extent.count += 1
    if (at > extent.lastAt) extent.lastAt = at
    this.#fields += added
    this.#tick += 1
    held.usedAt = this.#tick
    held.isDirty = true
    return isNews
  }

  #hold(kind: Kind, at: number): { held?: HeldShape; change?: VersionChange | undefined } {
    const latest = this.#bounds.latest(kind.agent)
    const { extent, isNew, forgotten } = this.#bounds.enter(kind, at)
    if (forgotten) this.#forget(forgotten)
    const known = isNew ? undefined : this.#options.recall(kind)
    if (!known && !hasRoom(extent)) return {}
    const shape = known ?? newShape(kind, at)
    if (!known) extent.shapes += 1
    const held: HeldShape = {
      shape,
      extent,
      expected: undefined,
      required: [],
      usedAt: 0,
      isDirty: false,
    }
    this.#expect(held)
    this.#held.set(kindKey(kind), held)
    this.#fields += fieldCount(shape)
    const change = isNew && latest && kind.version !== '' ? this.#changed(kind, latest.version) : undefined
    return { held, change }
  }

  #changed({ agent, version }: Kind, from: string): VersionChange | undefined {
    const count = (this.#changes.get(agent) ?? 0) + 1
    this.#changes.set(agent, count)
    return count > MAX_CHANGES ? undefined : { agent, from, to: version }
  }

  #expect(held: HeldShape): void {
    const { shape } = held
    held.expected = this.#options.expected(shape)
    const { fields = {} } = held.expected ?? {}
    held.required = Object.keys(fields)
      .filter((path) => fields[path]?.required && !path.includes('[]'))
      .map((path) => ({ path, parent: parentOf(path), misses: missesOf(shape, path) }))
  }

  /** Compares only this payload; earlier ones were compared when they came. */
  #compare(held: HeldShape, kind: Kind, payload: unknown, at: number): Drift[] {
    const { expected } = held
    if (expected === undefined) return []
    const { agent, version, event } = kind
    const one = newShape(kind, at)
    learn(one, payload, at)
    const missing = missingIn(expected, one)
    if (isForeign(expected, one, missing) && !this.#isLasting(held, missing)) return []
    held.required = held.required.filter(({ path }) => !missing.includes(path))
    if (!expected.isUnknownEvent)
      return diffPayload(expected, one).flatMap((found) =>
        this.#once({ ...found, tool: toolOf(found), version }),
      )
    const news = { kind: 'new-event', severity: 'info', agent, event, tool: '', path: '' } as const
    return this.#once({ ...news, version })
  }

  /** An unknown version may really differ that much, if the difference persists. */
  #isLasting({ expected, shape }: HeldShape, missing: readonly string[]): boolean {
    if (shape.version === '' || expected?.complete || expected?.isUnknownEvent) return false
    return missing.length > 0 && missing.every((path) => missesOf(shape, path) >= MANY_MISSES)
  }

  #once(drift: Drift): Drift[] {
    const told = this.#toldOf(drift.agent)
    const key = driftKey(drift)
    if (told.has(key) || told.size >= MAX_TOLD) return []
    told.add(key)
    return [drift]
  }

  /** The reported keys of an agent, given its name or a key, which begins with it. */
  #toldOf(key: string): Set<string> {
    const agent = key.split('\n', 1)[0] ?? ''
    const told = this.#told.get(agent) ?? new Set()
    this.#told.set(agent, told)
    return told
  }

  #forget(extent: Extent): void {
    this.#forgotten.push(extent)
    for (const [key, held] of this.#held) {
      if (held.extent !== extent) continue
      this.#held.delete(key)
      this.#fields -= fieldCount(held.shape)
    }
  }

  /** Drops the least recently used shapes until there is room. */
  #drop(): void {
    const oldest = [...this.#held].sort(([, a], [, b]) => a.usedAt - b.usedAt)
    for (const [key, { shape }] of oldest) {
      if (this.#fields <= MAX_HELD_FIELDS / 2) return
      this.#held.delete(key)
      this.#fields -= fieldCount(shape)
    }
  }
}

/**
 * Key under which a difference is reported once: independent of the version; for a payload's own field once for all
 * tools, for a field in a tool's input once per tool.
 */
export function driftKey({ kind, agent, event, tool, path, after }: Drift): string {
  const value = kind === 'new-value' || kind === 'renamed-field' ? (after ?? '') : ''
  return [agent, kind, event, toolOf({ path, tool }), path, value].join('\n')
}

interface Required {
  readonly path: string
  /** Precomputed, because every payload needs it. */
  readonly parent: string
  misses: number
}

interface Lacking {
  readonly shape: Shape
  /** Required fields, and how many payloads lacked each so far. */
  readonly required: readonly Required[]
}

/**
 * True for a minimal payload from a script or a test rather than the agent: apart from one missing field, it has fewer
 * fields than any payload of the agent.
 */
function isForeign(
  { least = 0, isUnknownEvent }: Expected,
  payload: Shape,
  missing: readonly string[],
): boolean {
  if (isUnknownEvent) return missing.length > 0
  return missing.length > 1 || (payload.least ?? 0) < least - 1
}

/** Uses the counts that the payload has just changed, so the payload is not read twice. */
function lacksSomething({ shape, required }: Lacking): boolean {
  let lacks = false
  for (const one of required) {
    const misses = missesOf(shape, one.path, one.parent)
    if (misses === one.misses) continue
    one.misses = misses
    lacks = true
  }
  return lacks
}

function missesOf(shape: Shape, path: string, parent = parentOf(path)): number {
  return objectsAt(shape, parent) - (shape.fields[path]?.count ?? 0)
}
