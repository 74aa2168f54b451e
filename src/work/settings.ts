/** Numbers of the work engine: the defaults, and what an effort's metadata says instead. */
import { z } from 'zod'
import { issueWords } from '../issue-words.ts'
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
    overflow_warn: z.number().min(0.1).max(1).default(0.8).describe('Share of the context at which to warn'),
    overflow_dehydrate: z
      .number()
      .min(0.1)
      .max(1)
      .default(0.9)
      .describe('Share of the context at which the agent is asked to write down what matters'),
    on_compaction: z
      .enum(['restart', 'allow'])
      .default('restart')
      .describe('What an automatic compaction does to an agent under `gantry run` that works on an effort'),
    directives: z
      .array(z.string().min(1).max(200))
      .max(20)
      .default(['.directives/*.md', 'AGENTS.md', 'CLAUDE.md'])
      .describe('Files that are shown to an agent once it touches something below them'),
  })

export type WorkSettings = Readonly<z.infer<ReturnType<typeof madeSchema>>>

/** As a command takes them for an effort: a name or a number that would be ignored is a mistake. */
export function settingsProblem(value: unknown): string | undefined {
  const checked = workSettingsSchema().safeParse(value, { error: issueWords })
  if (checked.success) return undefined
  const [issue] = checked.error.issues
  const { shape } = workSettingsSchema()
  if (issue?.code === 'unrecognized_keys')
    return `there is no "${issue.keys[0]}"; there are ${Object.keys(shape).join(', ')}`
  return [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')
}

const known = new WeakMap<EffortRow, { readonly common: WorkSettings; readonly settings: WorkSettings }>()

/** An effort may have settings of its own in `metadata.settings`; what is no such setting there is ignored. */
export function settingsOf(effort: EffortRow, common: WorkSettings): WorkSettings {
  const last = known.get(effort)
  if (last?.common === common) return last.settings
  const settings = { ...common, ...ownSettings(effort.metadata.settings) }
  known.set(effort, { common, settings })
  return settings
}

/** Key by key: one mistake must not take the others with it. */
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
