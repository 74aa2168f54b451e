/** Payload schemas and their changes. */
import { z } from 'zod'
import { DEFAULT_AGENT } from '../../agents/facts.ts'
import type { DriftRow, ShapeKey } from '../../store/tables/row-types.ts'
import { openCall } from '../definition.ts'

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'object' | 'array'

export type { DriftRow, ShapeKey as Kind } from '../../store/tables/row-types.ts'

/** Mutable: a million events must not make a million copies. */
export interface Field {
  /** How often it was present. */
  count: number
  types: Partial<Record<JsonType, number>>
  /** Short values it had; dropped once there are too many for an enumeration. */
  values?: Record<string, number>
  /** Formats of its strings: uuid, path, … */
  formats?: Record<string, number>
  /** Length of the longest string or list. */
  maxSize: number
  samples: string[]
  firstAt: number
  lastAt: number
}

export interface Shape extends ShapeKey {
  count: number
  firstAt: number
  lastAt: number
  /** By path: `tool_input.command`, `questions[].options[].label`; too many names share one, `answers.*`. */
  fields: Record<string, Field>
  /** Top-level names of the payload with the fewest. */
  least?: number
  /** There were more fields than are kept. */
  cut?: boolean
}

export type Severity = 'breaking' | 'notable' | 'info'

export type DifferenceKind =
  | 'new-event'
  | 'gone-event'
  | 'new-structure'
  | 'renamed-tool'
  | 'new-field'
  | 'missing-field'
  | 'renamed-field'
  | 'changed-type'
  | 'new-type'
  | 'new-value'
  | 'now-optional'

export interface Difference {
  readonly kind: DifferenceKind
  readonly severity: Severity
  readonly agent: string
  readonly event: string
  /** Empty if it concerns all tools or none; also for the event if it concerns a tool. */
  readonly tool: string
  /** Empty if it concerns the event itself. */
  readonly path: string
  readonly before?: string
  readonly after?: string
}

export interface Baseline {
  readonly agent: string
  /** Empty if the agent does not report it. */
  readonly version: string
  /** The date of the version, `2026-11-15`. */
  readonly date: string
  /** Its source, in a few words. */
  readonly from: string
  /** It lists every event of the version. */
  readonly complete?: boolean
  readonly events: Readonly<Record<string, BaselineEvent>>
}

export interface BaselineEvent extends BaselinePart {
  /** Input and output of each tool. */
  readonly tools?: Readonly<Record<string, BaselinePart>>
}

export interface BaselinePart {
  /** Number of payloads it was made from. */
  readonly seen?: number
  /** Top-level names of the payload with the fewest. */
  readonly least?: number
  /** Absent if only the event's existence is known. */
  readonly fields?: Readonly<Record<string, string>>
}

const filter = {
  agent: z.string().min(1).optional(),
  version: z.string().optional(),
  event: z.string().min(1).optional(),
}

export const schemaCalls = {
  'schema.shapes': openCall({
    summary: 'Payload schemas learned from all events: fields with types, presence, values',
    args: z.strictObject(filter),
    result: z.custom<Shape[]>(),
    example: { agent: DEFAULT_AGENT, event: 'Stop' },
  }),
  'schema.diff': openCall({
    summary: 'Differences between two versions of an agent, or between observed and expected payloads',
    args: z.strictObject({ agent: filter.agent, from: filter.version, to: filter.version }),
    result: z.custom<Difference[]>(),
    example: { agent: DEFAULT_AGENT, from: '2.0.77', to: '2.1.325' },
  }),
  'schema.drifts': openCall({
    summary: 'Differences from the expected schemas, newest first',
    result: z.custom<DriftRow[]>(),
  }),
  'schema.baseline': openCall({
    summary: 'Makes the learned schemas the baseline, and accepts all differences',
    args: z.strictObject({ agent: filter.agent }),
    result: z.custom<Baseline[]>(),
    example: { agent: DEFAULT_AGENT },
  }),
}
