/**
 * Learns from every payload and says what is new against a baseline, each thing once.
 *
 *   const watch = new SchemaWatch(baselines)
 *   watch.see({ agent: 'claude', version: '2.1.325', event: 'Stop', tool: '' }, payload, now)   // differences, mostly none
 */
import { type Difference, diffShape } from './diff.ts'
import { learn } from './learn.ts'
import { type Kind, kindKey, newShape, type Shape } from './shape.ts'

const MAX_SHAPES = 2_000 // a hostile agent may invent an event per payload
const MAX_TOLD = 5_000
const MIN_TO_MISS = 1 // payloads without a required field before it counts as missing

export interface Told extends Difference {
  readonly version: string
}

export class SchemaWatch {
  readonly #shapes = new Map<string, Shape>()
  readonly #dirty = new Set<string>()
  readonly #told = new Set<string>()
  readonly #baselineOf: (kind: Kind) => Shape | 'unknown-event' | undefined

  constructor(baselineOf: (kind: Kind) => Shape | 'unknown-event' | undefined) {
    this.#baselineOf = baselineOf
  }

  /** As they were stored. */
  load(shapes: Iterable<Shape>, told: Iterable<string>): void {
    for (const shape of shapes) this.#shapes.set(kindKey(shape), shape)
    for (const key of told) this.#told.add(key)
  }

  all(): Shape[] {
    return [...this.#shapes.values()]
  }

  /** Those that changed since the last time. */
  taken(): Shape[] {
    const shapes = [...this.#dirty].flatMap((key) => this.#shapes.get(key) ?? [])
    this.#dirty.clear()
    return shapes
  }

  see(kind: Kind, payload: unknown, at: number): Told[] {
    const key = kindKey(kind)
    let shape = this.#shapes.get(key)
    if (!shape) {
      if (this.#shapes.size >= MAX_SHAPES) return []
      shape = newShape(kind, at)
      this.#shapes.set(key, shape)
    }
    learn(shape, payload, at)
    this.#dirty.add(key)
    return this.#compare(kind, payload, at)
  }

  /** Only this payload is compared: what the ones before had was said when they came. */
  #compare(kind: Kind, payload: unknown, at: number): Told[] {
    const baseline = this.#baselineOf(kind)
    if (baseline === undefined || this.#told.size >= MAX_TOLD) return []
    const { agent, version, event, tool } = kind
    if (baseline === 'unknown-event') {
      const news = { kind: 'new-event', severity: 'info', agent, event, tool: '', path: '' } as const
      return this.#once({ ...news, version })
    }
    const one = newShape(kind, at)
    learn(one, payload, at)
    return diffShape(baseline, one)
      .filter(
        ({ kind: what }) => what !== 'now-optional' && (what !== 'missing-field' || one.count >= MIN_TO_MISS),
      )
      .flatMap((difference) => this.#once({ ...difference, tool, version }))
  }

  #once(told: Told): Told[] {
    const key = toldKey(told)
    if (this.#told.has(key)) return []
    this.#told.add(key)
    return [told]
  }
}

/** A field of the payload's own is told once for all tools; one inside a tool's input once for that tool. */
export function toldKey({ kind, agent, version, event, tool, path, after }: Told): string {
  const own = /^tool_(?:input|response|output)[.[]/.test(path) ? tool : ''
  const value = kind === 'new-value' || kind === 'renamed-field' ? (after ?? '') : ''
  return [kind, agent, version, event, own, path, value].join('\n')
}
