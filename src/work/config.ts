/** Settings of the work engine: the defaults, and an effort's own values from its metadata. */
import { z } from 'zod'
import { issueWords } from '../core/text/issue-words.ts'
import { withoutUndefined } from '../core/without-undefined.ts'
import type { EffortRow } from '../store/index.ts'

let schema: ReturnType<typeof madeSchema> | undefined

export const workSettingsSchema = () => (schema ??= madeSchema())

const madeSchema = () =>
  z.strictObject({
    heartbeat_warn: z
      .int()
      .min(1)
      .max(1000)
      .default(3)
      .describe('Tool calls without a log before a reminder'),
    heartbeat_block: z
      .int()
      .min(0)
      .max(1000)
      .default(10)
      .describe('Tool calls without a log at which the next is denied; 0 never denies'),
    heartbeat_denials: z
      .int()
      .min(1)
      .max(1000)
      .default(3)
      .describe('Denials in a row after which the heartbeat stops denying, with a warning'),
    overflow_warn: z.number().min(0.1).max(1).default(0.8).describe('Share of the context at which to warn'),
    overflow_dehydrate: z
      .number()
      .min(0.1)
      .max(1)
      .default(0.9)
      .describe('Share of the context at which the agent is asked to dehydrate'),
    on_compaction: z
      .enum(['restart', 'allow'])
      .default('restart')
      .describe('What an automatic compaction does to an agent under `gantry run` that works on an effort'),
    directives: z
      .array(z.string().min(1).max(200))
      .max(20)
      .default(['.directives/*.md', 'AGENTS.md', 'CLAUDE.md'])
      .describe('Files given to an agent once it touches something below them'),
  })

export type WorkSettings = Readonly<z.infer<ReturnType<typeof madeSchema>>>

const SKILL = /^[A-Za-z0-9][\w-]{0,63}$/

/** One skill that a prompt may name. */
const skillSchema = () =>
  z.strictObject({
    modes: z
      .array(z.string().min(1).max(64))
      .max(20)
      .default([])
      .describe('Modes; the first word after `/<name>` may be one'),
    phases: z
      .array(z.string().min(1).max(64))
      .max(30)
      .default([])
      .describe('Phases, in order; an effort starts in the first'),
    limits: z
      .strictObject(withoutDefaults(workSettingsSchema().shape))
      .default({})
      .describe('Limits that differ from `work`, with the same keys'),
  })

type SkillConfig = Readonly<z.infer<ReturnType<typeof skillSchema>>>
export type Skills = Readonly<Record<string, SkillConfig>>

/** What `[work]` in gantry.toml says: the numbers, and the skills. */
export const workConfigSchema = () =>
  workSettingsSchema().extend({
    skills: z.record(z.string().regex(SKILL, 'letters, digits, - and _'), skillSchema()).default({}),
  })

export interface WorkConfig extends WorkSettings {
  readonly skills?: Skills | undefined
}

type Shape = ReturnType<typeof madeSchema>['shape']
type Optional = { [Key in keyof Shape]: z.ZodOptional<ReturnType<Shape[Key]['unwrap']>> }

function withoutDefaults(shape: Shape): Optional {
  const all = Object.entries(shape).map(([key, one]) => [key, (one.unwrap() as z.ZodType).optional()])
  return Object.fromEntries(all) as Optional
}

/** Checks an effort's settings from a command: a name or number that would be ignored is an error. */
export function settingsProblem(value: unknown): string | undefined {
  const checked = workSettingsSchema().safeParse(value, { error: issueWords })
  if (checked.success) return undefined
  const [issue] = checked.error.issues
  const { shape } = workSettingsSchema()
  if (issue?.code === 'unrecognized_keys')
    return `unknown setting "${issue.keys[0]}"; known: ${Object.keys(shape).join(', ')}`
  return [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')
}

const known = new WeakMap<EffortRow, { readonly common: WorkConfig; readonly settings: WorkSettings }>()

/**
 * Defaults, overridden by the skill's limits, then by the effort's `metadata.settings`. Invalid settings there are
 * ignored.
 */
export function settingsOf(effort: EffortRow, common: WorkConfig): WorkSettings {
  const last = known.get(effort)
  if (last?.common === common) return last.settings
  const { skills = {}, ...numbers } = common
  const limits = Object.hasOwn(skills, effort.skill) ? skills[effort.skill]?.limits : {}
  const settings = { ...numbers, ...withoutUndefined(limits ?? {}), ...ownSettings(effort.metadata.settings) }
  known.set(effort, { common, settings })
  return settings
}

/** Parses each key separately, so one mistake does not drop the others. */
function ownSettings(value: unknown): Partial<WorkSettings> {
  if (typeof value !== 'object' || value === null) return {}
  const own = Object.entries(value).flatMap(([key, wanted]) => {
    const { shape } = workSettingsSchema()
    const one = Object.hasOwn(shape, key) ? shape[key as keyof WorkSettings] : undefined
    const parsed = wanted === undefined ? undefined : one?.safeParse(wanted)
    return parsed?.success ? [[key, parsed.data]] : []
  })
  return Object.fromEntries(own) as Partial<WorkSettings>
}
