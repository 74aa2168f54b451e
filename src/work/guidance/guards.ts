/** Guard rules in an effort's metadata, evaluated in order. */
import { z } from 'zod'
import type { EffortRow } from '../../store/index.ts'

const FIELDS = ['heartbeat_counter', 'context_usage', 'tool', 'phase'] as const
const OPS = ['==', '!=', '>', '>=', '<', '<=', 'in', 'not in'] as const

const guardSchema = z.object({
  ruleId: z.string().min(1),
  condition: z.object({
    field: z.enum(FIELDS),
    op: z.enum(OPS),
    value: z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))]),
  }),
  payload: z.unknown(),
  urgency: z.enum(['allow', 'block']),
})

type Guard = z.infer<typeof guardSchema>

export interface FiredRule {
  readonly ruleId: string
  readonly payload: unknown
  readonly urgency: 'allow' | 'block'
}

export type Facts = Readonly<Record<(typeof FIELDS)[number], string | number>>

const NONE_FIRED: readonly FiredRule[] = []
const NO_GUARDS: readonly Guard[] = []
const MAX_GUARDS = 100
const known = new WeakMap<EffortRow, readonly Guard[]>()

/** People and agents write metadata: invalid rules are skipped, the others still apply. */
export function guardsOf(effort: EffortRow): readonly Guard[] {
  const { guards } = effort.metadata
  if (!Array.isArray(guards)) return NO_GUARDS
  const last = known.get(effort)
  if (last) return last
  const read = guards.slice(0, MAX_GUARDS).flatMap((one) => guardSchema.safeParse(one).data ?? [])
  known.set(effort, read)
  return read
}

export function firedRules(guards: readonly Guard[], facts: Facts): readonly FiredRule[] {
  if (guards.length === 0) return NONE_FIRED
  return guards
    .filter(({ condition }) => holds(facts[condition.field], condition.op, condition.value))
    .map(({ ruleId, payload, urgency }) => ({ ruleId, payload, urgency }))
}

function holds(fact: string | number, op: (typeof OPS)[number], value: Guard['condition']['value']): boolean {
  switch (op) {
    case 'in':
    case 'not in':
      return [value].flat().some((one) => one === fact) === (op === 'in')
    case '==':
      return fact === value
    case '!=':
      return fact !== value
    default:
      return typeof fact === 'number' && typeof value === 'number' && compares(fact, op, value)
  }
}

function compares(a: number, op: '>' | '>=' | '<' | '<=', b: number): boolean {
  switch (op) {
    case '>':
      return a > b
    case '>=':
      return a >= b
    case '<':
      return a < b
    case '<=':
      return a <= b
  }
}

/** Schema for commands: a rule that can never fire is rejected as a mistake. */
export const guardsSchema = z
  .array(
    guardSchema.superRefine(({ condition }, check) => {
      const message = problemOf(condition)
      if (message !== undefined) check.addIssue({ code: 'custom', path: ['condition'], message })
    }),
  )
  .max(MAX_GUARDS)

const MANY = new Set<string>(['in', 'not in'])
const ALIKE = new Set<string>(['==', '!='])

function problemOf({ field, op, value }: Guard['condition']): string | undefined {
  const isText = field === 'tool' || field === 'phase'
  if (isText && !MANY.has(op) && !ALIKE.has(op))
    return `${field} is a name and cannot be compared with "${op}"; it takes ==, !=, in and not in`
  const given = [value].flat()
  if (given.length === 0) return `"${op}" takes at least one value`
  if (Array.isArray(value) && !MANY.has(op)) return `"${op}" takes one value; a list goes with in and not in`
  if (given.some((one) => typeof one !== (isText ? 'string' : 'number')))
    return `${field} is ${isText ? 'a name and takes text' : 'a number and takes one, without quotes'}`
  if (field === 'context_usage' && given.some((one) => Number(one) < 0 || Number(one) > 1))
    return 'context_usage is a share from 0 to 1: 80 % is 0.8'
  return undefined
}

/** The text of a rule for the agent. */
export function wordsOf({ payload, ruleId }: FiredRule): string {
  return textIn(payload ?? JSON.stringify(ruleId), 'text', 'message', 'reason')
}

/** What people and agents wrote into metadata: a text, an object with one in the first of these fields, else its JSON. */
export function textIn(value: unknown, ...fields: readonly string[]): string {
  if (typeof value === 'string') return value
  const object = (value ?? {}) as Record<string, unknown>
  const text = fields.map((field) => object[field]).find((one) => typeof one === 'string')
  return text ?? JSON.stringify(value)
}
