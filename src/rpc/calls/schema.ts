/** What payloads look like, and what changed in them. */
import { z } from 'zod'
import { DEFAULT_AGENT } from '../../agents/facts.ts'
import { defineRpc } from '../definition.ts'

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'object' | 'array'

/** One kind of payload: an event of an agent in a version; tool events by tool. */
export interface Kind {
  readonly agent: string
  /** Empty where the agent does not tell. */
  readonly version: string
  readonly event: string
  /** Empty for events without a tool. */
  readonly tool: string
}

/** Learned in place: a million events must not make a million copies. */
export interface Field {
  /** How often it was there. */
  count: number
  types: Partial<Record<JsonType, number>>
  /** Short words it was seen to be; gone once there were too many to be a set of words. */
  values?: Record<string, number>
  /** What its strings look like: uuid, path, … */
  formats?: Record<string, number>
  /** Characters of the longest string, elements of the longest list. */
  maxSize: number
  samples: string[]
  firstAt: number
  lastAt: number
}

export interface Shape extends Kind {
  count: number
  firstAt: number
  lastAt: number
  /** By path: `tool_input.command`, `questions[].options[].label`; names beyond number share one, `answers.*`. */
  fields: Record<string, Field>
  /** Names at the top of the payload that had the fewest. */
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
  /** Empty when it is about all tools, or none, and the event when it is about a tool. */
  readonly tool: string
  /** Empty when it is about the event itself. */
  readonly path: string
  readonly before?: string
  readonly after?: string
}

export interface Baseline {
  readonly agent: string
  /** Empty where the agent does not tell. */
  readonly version: string
  /** The day it speaks of, `2026-11-15`. */
  readonly date: string
  /** Where it comes from, in a few words. */
  readonly from: string
  /** It lists every event of the version. */
  readonly complete?: boolean
  readonly events: Readonly<Record<string, BaselineEvent>>
}

export interface BaselineEvent extends BaselinePart {
  /** What tools get and give, by tool. */
  readonly tools?: Readonly<Record<string, BaselinePart>>
}

export interface BaselinePart {
  /** Payloads it was made from. */
  readonly seen?: number
  /** Names at the top of the payload that had the fewest. */
  readonly least?: number
  /** None: that there is such an event is all that is known. */
  readonly fields?: Readonly<Record<string, string>>
}

/** A difference that was found, and what became of it. */
export interface DriftView extends Kind {
  readonly key: string
  readonly path: string
  readonly kind: string
  readonly severity: string
  readonly was: string | null
  readonly now: string | null
  /** All of it in words. */
  readonly message: string
  /** Id of the event that had it. */
  readonly cause: string
  readonly at: number
  readonly acceptedAt: number | null
}

const filter = {
  agent: z.string().min(1).optional(),
  version: z.string().optional(),
  event: z.string().min(1).optional(),
}

export const schemaCalls = {
  'schema.shapes': defineRpc({
    summary: 'What payloads look like, learned from all that came: fields with types, presence, values',
    args: z.strictObject(filter),
    result: z.custom<Shape[]>(),
    example: { agent: DEFAULT_AGENT, event: 'Stop' },
  }),
  'schema.diff': defineRpc({
    summary: 'What differs between two versions of an agent, or between what came and what was expected',
    args: z.strictObject({ agent: filter.agent, from: filter.version, to: filter.version }),
    result: z.custom<Difference[]>(),
    example: { agent: DEFAULT_AGENT, from: '2.0.77', to: '2.1.325' },
  }),
  'schema.drifts': defineRpc({
    summary: 'What was found to be different from what was expected, newest first',
    result: z.custom<DriftView[]>(),
  }),
  'schema.baseline': defineRpc({
    summary: 'Makes what is known now the baseline, and accepts what was found to be different',
    args: z.strictObject({ agent: filter.agent }),
    result: z.custom<Baseline[]>(),
    example: { agent: DEFAULT_AGENT },
  }),
}
