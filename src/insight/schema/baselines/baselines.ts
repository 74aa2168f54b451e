/**
 * Which baseline fits a payload: the user's own for its version, else the shipped one for its version, else the nearest
 * older one. An agent that does not tell its version may send whatever any of its known versions sends.
 *
 *   new Baselines(SHIPPED, own).expected({ agent: 'claude', version: '2.1.330', event: 'Stop', tool: '' })
 */
import type { Baseline, Kind } from '../../../rpc/index.ts'
import { anyOf, type Expectation, type Expected, overlay } from '../expected.ts'
import { kindKey, recordOf } from '../shape.ts'
import { expectedAll, expectedIn } from './baseline.ts'

const byVersion = new Intl.Collator('en', { numeric: true }).compare

const MAX_REMEMBERED = 2_000

export class Baselines {
  readonly #shipped: readonly Baseline[]
  readonly #own: readonly Baseline[]
  readonly #remembered = new Map<string, Expected | undefined>()

  constructor(shipped: readonly Baseline[], own: readonly Baseline[] = []) {
    this.#shipped = shipped
    this.#own = own
  }

  /** Undefined when nothing is known of the agent. Of an event that is not known: what all its events have in common. */
  expected(kind: Kind): Expected | undefined {
    const key = kindKey(kind)
    if (this.#remembered.has(key)) return this.#remembered.get(key)
    const expected = this.#find(kind)
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(key, expected)
    return expected
  }

  /** All that is expected of one version. */
  all(agent: string, version: string): Expected[] {
    const kinds = new Map<string, Kind>()
    for (const one of this.#fitting(agent, version).flatMap(expectedAll))
      kinds.set(kindKey({ ...one, version }), { ...one, version })
    return [...kinds.values()].flatMap((kind) => this.#of(kind) ?? [])
  }

  /** The versions there is a baseline for, oldest first. */
  versions(agent: string): string[] {
    const all = [...this.#own, ...this.#shipped].filter((one) => one.agent === agent)
    return [...new Set(all.map(({ version }) => version))].sort(byVersion)
  }

  #find(kind: Kind): Expected | undefined {
    const known = this.#of(kind)
    if (known) return known
    const all = this.#fitting(kind.agent, kind.version).flatMap(expectedAll)
    return all.length === 0 ? undefined : { ...kind, ...commonOf(all), isUnknownEvent: true }
  }

  #of(kind: Kind): Expected | undefined {
    const found = this.#fitting(kind.agent, kind.version).flatMap(
      (baseline) => expectedIn(baseline, kind.event, kind.tool) ?? [],
    )
    const [first, ...others] = found
    if (!first) return undefined
    const all = kind.version === '' ? anyOf([first, ...others]) : others.reduce(overlay, first)
    // A complete baseline of one version may be incomplete for the next.
    const complete = found.some((one) => one.complete && one.version === kind.version)
    return { ...all, version: kind.version, complete }
  }

  /** Nearest first. */
  #fitting(agent: string, version: string): Baseline[] {
    const of = (list: readonly Baseline[]) => list.filter((one) => one.agent === agent)
    const [own, shipped] = [of(this.#own), of(this.#shipped)]
    const unversioned = own.filter((one) => one.version === '')
    if (version === '') return [...unversioned, ...shipped]
    const theirs = nearest(shipped, version) ?? ordered(shipped)[0]
    const mine = nearest(own, version) ?? (theirs ? undefined : ordered(own)[0])
    const isNearer = mine && (!theirs || byVersion(mine.version, theirs.version) >= 0)
    return [...(isNearer ? [mine] : []), ...(theirs ? [theirs] : []), ...unversioned]
  }
}

/** For this version, else the newest before it. */
function nearest(list: readonly Baseline[], version: string): Baseline | undefined {
  return ordered(list).findLast((one) => byVersion(one.version, version) <= 0)
}

function ordered(list: readonly Baseline[]): Baseline[] {
  return list.filter(({ version }) => version !== '').sort((a, b) => byVersion(a.version, b.version))
}

function commonOf(all: readonly Expected[]): {
  fields: Record<string, Expectation>
  seen: number
  complete: boolean
} {
  const [first, ...others] = all.filter(({ fields }) => fields)
  const shared = Object.entries(first?.fields ?? {}).filter(
    ([path, { required }]) => required && others.every((other) => other.fields?.[path]?.required),
  )
  const fields = shared.map(([path, { types }]) => [path, { types, required: true }] as const)
  return { fields: recordOf(fields), seen: 0, complete: false }
}
