/**
 * Everything known about payloads: learned shapes, shipped baselines, and the user's own. Loaded shortly after the
 * start, since no hook needs it.
 */
import type { RawEvent } from '../../events/index.ts'
import type { Baseline, Difference, Kind, Shape } from '../../rpc/index.ts'
import type { DriftRow, FollowerStore } from '../../store/index.ts'
import { judged, openDifferences } from './drift/drift-judge.ts'
import { type Cause, driftEvent, driftRow, versionChanged } from './drift/rows.ts'
import {
  Baselines,
  baselineOf,
  type Drift,
  diffPairs,
  diffVersions,
  driftKey,
  type Expected,
  expectedOf,
  fieldCount,
  kindKey,
  type News,
  overlay,
  reviveShape,
  SchemaWatch,
  SHIPPED,
  type VersionChange,
} from './index.ts'

export interface SchemaRegistry {
  see(kind: Kind, payload: () => unknown, at: number): News
  /** The drift as a row and as an internal event. */
  told(drift: Drift, cause: Cause, now: number): { row: DriftRow; rawEvent: RawEvent }
  changed(change: VersionChange, cause: Cause, now: number): RawEvent
  /** Learned shapes, stored or not. */
  shapes(filter?: { readonly agent?: string; readonly version?: string; readonly event?: string }): Shape[]
  /** Versions known from learning or from shipped baselines. */
  versions(agent: string): string[]
  /** Compares two versions as far as both are known. */
  diff(agent: string, from: string, to: string): Difference[]
  /** Unexpected differences that nobody has accepted. */
  drift(agent?: string): Difference[]
  /** The same, with when and where each was first seen. */
  open(): DriftRow[]
  /**
   * Stores the current knowledge as the user's baseline and accepts all drift. Runs in the caller's transaction; call
   * `settled` when that is in the database.
   */
  settle(agent: string | undefined, now: number): Baseline[]
  settled(made: readonly Baseline[]): void
  /** Runs in the caller's transaction; call `written` afterwards. */
  write(): void
  written(): void
}

export function openSchemaRegistry(store: FollowerStore, samples: () => boolean): SchemaRegistry {
  const rows = store.schemas
  let baselines = ownAndShipped()
  const watch = new SchemaWatch({
    expected: (kind) => baselines.expected(kind),
    recall: (kind) => parseShape(rows.get(kind)),
    extents: rows.extents(),
    told: rows.drifts().flatMap(({ key, acceptedAt }) => (acceptedAt === null ? [key] : [])),
    samples,
  })

  function ownAndShipped(): Baselines {
    return new Baselines(
      SHIPPED,
      rows.baselines().map(({ baseline }) => JSON.parse(baseline) as Baseline),
    )
  }

  const shapes: SchemaRegistry['shapes'] = (filter = {}) => {
    const found = new Map<string, Shape>()
    for (const { shape } of rows.all(filter)) {
      const stored = parseShape(shape)
      if (stored) found.set(kindKey(stored), stored)
    }
    for (const shape of watch.shapes()) if (fits(shape, filter)) found.set(kindKey(shape), shape)
    return [...found.values()].filter(({ count }) => count > 0)
  }

  /** What was learned about a version, overlaid on what is known about exactly that version. */
  const known = (agent: string, version: string): Expected[] => {
    const all = new Map<string, Expected>()
    if (baselines.versions(agent).includes(version))
      for (const one of baselines.all(agent, version)) all.set(kindKey(one), one)
    for (const shape of shapes({ agent, version })) {
      const own = expectedOf(shape)
      const other = all.get(kindKey(shape))
      all.set(kindKey(shape), other ? overlay(own, other) : own)
    }
    return [...all.values()]
  }

  /** Compares what was learned about each version with the expectation. */
  const compared = (agent?: string): Difference[] =>
    diffPairs(
      shapes(agent === undefined ? {} : { agent }).flatMap((shape) => {
        const expected = baselines.expected(shape)
        return expected ? [[expected, expectedOf(shape)] as const] : []
      }),
    )

  const diff: SchemaRegistry['diff'] = (agent, from, to) => diffVersions(known(agent, from), known(agent, to))

  return {
    see: (kind, payload, at) => watch.see(kind, payload, at),
    told: (drift, cause, now) => {
      const key = driftKey(drift)
      return { row: driftRow(drift, key, cause.id, now), rawEvent: driftEvent(drift, key, cause, now) }
    },
    changed: (change, cause, now) =>
      versionChanged(change, diff(change.agent, change.from, change.to), cause, now),
    shapes,
    versions: (agent) => {
      const learned = shapes({ agent }).map(({ version }) => version)
      return [...new Set([...baselines.versions(agent), ...learned])].filter(Boolean)
    },
    diff,
    drift: (agent) => openDifferences(rows.drifts(), compared(agent), agent),
    open: () => judged(rows.drifts(), compared()),
    settle: (agent, now) => {
      const made = settledBaselines(shapes(agent === undefined ? {} : { agent }), now)
      for (const baseline of made) {
        const { agent: id, version } = baseline
        rows.putBaseline({ agent: id, version, at: now, baseline: JSON.stringify(baseline) })
        rows.accept(id, now)
      }
      return made
    },
    settled: (made) => {
      baselines = ownAndShipped()
      for (const id of new Set(made.map((one) => one.agent))) watch.accepted(id)
    },
    write: () => {
      const { shapes: dirty, forgotten } = watch.unwritten()
      for (const { agent, version } of forgotten) rows.forget(agent, version)
      for (const shape of dirty) rows.put(rowOf(shape))
    },
    written: () => watch.written(),
  }
}

function settledBaselines(shapes: readonly Shape[], now: number): Baseline[] {
  const versions = Map.groupBy(shapes, ({ agent, version }) => `${agent}\n${version}`)
  const date = new Date(now).toISOString().slice(0, 10)
  return [...versions.values()].flatMap((all) => {
    const [first] = all
    if (!first) return []
    const { agent, version } = first
    return [baselineOf(all, { agent, version, date, from: 'seen on this machine' })]
  })
}

function fits(shape: Shape, filter: { agent?: string; version?: string; event?: string }): boolean {
  return (['agent', 'version', 'event'] as const).every((name) => {
    const wanted = filter[name]
    return wanted === undefined || shape[name] === wanted
  })
}

function rowOf(shape: Shape) {
  const { agent, version, event, tool, count, firstAt, lastAt } = shape
  const text = JSON.stringify(shape)
  return { agent, version, event, tool, count, fields: fieldCount(shape), firstAt, lastAt, shape: text }
}

/** A row that does not parse is ignored and learned again. */
function parseShape(text: string | undefined): Shape | undefined {
  if (text === undefined) return undefined
  try {
    return reviveShape(JSON.parse(text) as Shape)
  } catch {
    return undefined
  }
}
