/**
 * Every key of gantry.toml with its default and description; docs/config.md is generated from it. Each feature has its own
 * tables; here are those of the log, and of `tui/` and `mcp/`, which the daemon does not import. Building a table's schema takes
 * a millisecond or more, which would delay a start, so only tables in the file are built.
 */
import { z } from 'zod'
import { natsSchema } from '../../bus/nats/config.ts'
import { inboundSchema, webhooksSchema } from '../../bus/webhooks/config.ts'
import { approvalsSchema } from '../../decisions/approvals/config.ts'
import { budgetsSchema, loopsSchema } from '../../decisions/budgets/config.ts'
import { collisionsSchema } from '../../decisions/collisions/config.ts'
import { guardsSchema } from '../../decisions/guards/config.ts'
import {
  enrichmentSchema,
  schemaSchema,
  sdkLogSchema,
  searchSchema,
  summarySchema,
} from '../../insight/config.ts'
import { notifySchema } from '../../notify/config.ts'
import { otlpSchema } from '../../otlp/config.ts'
import { redactionSchema } from '../../redaction/config.ts'
import { httpSchema } from '../../server/config.ts'
import { sessionsSchema } from '../../sessions/config.ts'
import { retentionSchema } from '../../store/config.ts'
import { tmuxSchema } from '../../tmux/config.ts'
import { workConfigSchema } from '../../work/config.ts'

const TABLES = {
  http: () => httpSchema().prefault({}),
  log: () =>
    z
      .strictObject({
        level: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('Minimum log level'),
        max_mb: z.number().min(0.1).max(1024).default(5).describe('Size at which the log file is rotated'),
        keep: z.int().min(1).max(20).default(3).describe('Rotated log files to keep'),
      })
      .prefault({}),
  retention: () => retentionSchema().prefault({}),
  nats: () => natsSchema().prefault({}),
  sessions: () => sessionsSchema().prefault({}),
  search: () => searchSchema().prefault({}),
  approvals: () => approvalsSchema().prefault({}),
  guards: () => guardsSchema().prefault({}),
  collisions: () => collisionsSchema().prefault({}),
  budgets: budgetsSchema,
  loops: () => loopsSchema().prefault({}),
  work: () => workConfigSchema().prefault({}),
  tmux: () => tmuxSchema().prefault({}),
  tui: () =>
    z
      .strictObject({
        blink: z
          .boolean()
          .default(false)
          .describe(
            'Let `▲` and `✖` blink in the TUI. GANTRY_BLINK=1 or 0 there overrides it; never with NO_COLOR or REDUCED_MOTION',
          ),
      })
      .prefault({}),
  otlp: () => otlpSchema().prefault({}),
  mcp: () =>
    z
      .strictObject({
        scope: z
          .enum(['project', 'all'])
          .default('project')
          .describe('What `gantry mcp` shows an agent: its own project with all worktrees, or every project'),
      })
      .prefault({}),
  enrichment: () => enrichmentSchema().prefault({}),
  summary: () => summarySchema().prefault({}),
  sdk_log: () => sdkLogSchema().prefault({}),
  notify: () => notifySchema().prefault({}),
  webhooks: webhooksSchema,
  inbound: inboundSchema,
  schema: () => schemaSchema().prefault({}),
  redaction: () => redactionSchema().prefault({}),
}
type Tables = typeof TABLES
export const TABLE_NAMES: readonly string[] = Object.keys(TABLES)
export type Config = { [Name in keyof Tables]: z.infer<ReturnType<Tables[Name]>> }

export function configSchema(): z.ZodObject {
  return schemaFor(Object.keys(TABLES))
}

/** The keys that the table at a path may have; empty if there is no such path. */
export function keysAt(schema: z.ZodObject, path: readonly PropertyKey[]): string[] {
  const def = defAt(schema, path)
  return def && 'shape' in def ? Object.keys(def.shape as object) : []
}

/** A list, whose entries a file may have or not. */
export function isListAt(schema: z.ZodObject, path: readonly PropertyKey[]): boolean {
  return 'element' in (defAt(schema, path) ?? {})
}

/** A list of words, not of tables. */
export function isWordListAt(schema: z.ZodObject, path: readonly PropertyKey[]): boolean {
  return isListAt(schema, path) && ['string', 'enum'].includes(defAt(schema, [...path, 0])?.type ?? '')
}

/** What the key at a path takes, if that is one of a few words. */
export function choicesAt(schema: z.ZodObject, path: readonly PropertyKey[]): string[] {
  const def = defAt(schema, path)
  if (def === undefined) return []
  if (def.type === 'boolean') return ['true', 'false']
  return 'entries' in def ? Object.values(def.entries as Record<string, string>) : []
}

function defAt(schema: z.ZodObject, path: readonly PropertyKey[]): z.core.$ZodTypeDef | undefined {
  let at: z.ZodType | undefined = schema
  for (const step of [...path, undefined]) {
    let def: z.core.$ZodTypeDef = at._zod.def
    while ('innerType' in def) def = (def.innerType as z.ZodType)._zod.def
    if (step === undefined) return def
    if ('shape' in def) at = (def.shape as Record<PropertyKey, z.ZodType | undefined>)[step]
    else if ('element' in def) at = def.element as z.ZodType
    else at = 'valueType' in def ? (def.valueType as z.ZodType) : undefined
    if (at === undefined) return undefined
  }
  return undefined
}

/** The schema of these tables only. Unknown names are left out. */
export function schemaFor(names: readonly string[]): z.ZodObject {
  const known = names.filter((name): name is keyof Tables => Object.hasOwn(TABLES, name))
  return z.strictObject(Object.fromEntries(known.map((name) => [name, TABLES[name]()])))
}
