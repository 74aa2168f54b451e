/**
 * Every key of gantry.toml, its default and its meaning in one table, from which docs/config.md is made. Building one
 * takes a millisecond or more, and a daemon has to be there at once: only those of the file are built.
 */
import { z } from 'zod'
import { inboundSchema, webhooksSchema } from '../../bus/webhooks/config.ts'
import { approvalsSchema } from '../../decisions/approvals/config.ts'
import { enrichmentSchema, sdkLogSchema, summarySchema } from '../../insight/config.ts'
import { notifySchema } from '../../notify/config.ts'
import { tmuxSettingsSchema } from '../../tmux/settings.ts'
import { workConfigSchema } from '../../work/settings.ts'

const TABLES = {
  http: () =>
    z
      .strictObject({
        enabled: z.boolean().default(true).describe('Listen on 127.0.0.1 for HTTP hooks and the page'),
        port: z.int().min(0).max(65535).default(4520).describe('Port of the HTTP door; 0 picks a free one'),
      })
      .prefault({}),
  log: () =>
    z
      .strictObject({
        level: z
          .enum(['debug', 'info', 'warn', 'error'])
          .default('info')
          .describe('Least level that is logged'),
        max_mb: z.number().min(0.1).max(1024).default(5).describe('Size at which the log file is rotated'),
        keep: z.int().min(1).max(20).default(3).describe('Rotated log files that are kept'),
      })
      .prefault({}),
  retention: () =>
    z
      .strictObject({
        max_days: z.number().min(0.01).max(3650).default(30).describe('Events older than this are deleted'),
        max_mb: z
          .number()
          .min(1)
          .max(1_048_576)
          .default(2048)
          .describe('Size of the journal above which the oldest events are deleted'),
      })
      .prefault({}),
  nats: () =>
    z
      .strictObject({
        mode: z
          .enum(['auto', 'off', 'managed', 'external'])
          .default('auto')
          .describe(
            'auto: the server of `nats.url` if there is one, else a nats-server of its own if one is found. GANTRY_NATS overrides it',
          ),
        url: z
          .string()
          .default('')
          .describe('Server or cluster to use, parted by commas. COOP_NATS_URL or BD_NATS_URL override it'),
        server: z
          .string()
          .default('')
          .describe('Path of the nats-server to run; empty looks for one on PATH'),
        port: z
          .int()
          .min(0)
          .max(65535)
          .default(4222)
          .describe('Port of the server gantry runs; another if taken. BD_NATS_PORT overrides it'),
        token: z
          .string()
          .default('')
          .describe('Token of the server; the one gantry runs makes its own. BD_DAEMON_TOKEN overrides it'),
        user: z.string().default('').describe('User name, with `nats.password`'),
        password: z.string().default('').describe('Password of `nats.user`'),
        nkey_file: z.string().default('').describe('File with an nkey seed'),
        creds_file: z.string().default('').describe('File with user credentials (JWT and seed)'),
        tls_ca: z.string().default('').describe('File with the certificate authority of the server'),
        tls_cert: z.string().default('').describe('File with the certificate of this client'),
        tls_key: z.string().default('').describe('File with the key of `nats.tls_cert`'),
        subjects: z
          .enum(['plain', 'scoped', 'both'])
          .default('plain')
          .describe(
            'plain: `hooks.<type>`; scoped: `hooks.<host>.<type>`, for a fleet; both: each event under both',
          ),
        host: z.string().default('').describe('Name of this machine on the bus; empty takes the host name'),
        fleet: z
          .enum(['auto', 'on', 'off'])
          .default('auto')
          .describe(
            'Tell other hosts on the same NATS of the sessions here. auto: where the server is not one that gantry runs',
          ),
        replicas: z
          .int()
          .min(1)
          .max(5)
          .default(1)
          .describe('Copies of each stream that gantry creates in a cluster'),
      })
      .prefault({}),
  sessions: () =>
    z
      .strictObject({
        grace_s: z
          .number()
          .min(0)
          .max(3600)
          .default(60)
          .describe(
            'Seconds after the end of a turn until Coop is told `waiting_for_input`: a gap between tool calls can look idle',
          ),
      })
      .prefault({}),
  search: () =>
    z
      .strictObject({
        enabled: z
          .boolean()
          .default(true)
          .describe('Keep an index of what was said and done, for `gantry search`'),
      })
      .prefault({}),
  approvals: () => approvalsSchema().prefault({}),
  work: () => workConfigSchema().prefault({}),
  tmux: () => tmuxSettingsSchema().prefault({}),
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
  enrichment: () => enrichmentSchema().prefault({}),
  summary: () => summarySchema().prefault({}),
  sdk_log: () => sdkLogSchema().prefault({}),
  notify: () => notifySchema().prefault({}),
  webhooks: webhooksSchema,
  inbound: inboundSchema,
  schema: () =>
    z
      .strictObject({
        enabled: z
          .boolean()
          .default(true)
          .describe('Learn what payloads look like, and say when an agent changes them'),
        samples: z
          .boolean()
          .default(true)
          .describe('Keep up to three short values of each field as examples'),
      })
      .prefault({}),
  redaction: () =>
    z
      .strictObject({
        enabled: z.boolean().default(true).describe('Replace secrets in payloads before they are stored'),
      })
      .prefault({}),
}
type Tables = typeof TABLES
export const TABLE_NAMES: readonly string[] = Object.keys(TABLES)
export type Config = { [Name in keyof Tables]: z.infer<ReturnType<Tables[Name]>> }

export function configSchema(): z.ZodObject {
  return schemaFor(Object.keys(TABLES))
}

/** The keys that a table may have, by its path; none where the path leads nowhere. */
export function keysAt(schema: z.ZodObject, path: readonly PropertyKey[]): string[] {
  let at: z.ZodType | undefined = schema
  for (const step of [...path, undefined]) {
    let def: object = at._zod.def
    while ('innerType' in def) def = (def.innerType as z.ZodType)._zod.def
    if (step === undefined) return 'shape' in def ? Object.keys(def.shape as object) : []
    if ('shape' in def) at = (def.shape as Record<PropertyKey, z.ZodType | undefined>)[step]
    else if ('element' in def) at = def.element as z.ZodType
    else at = 'valueType' in def ? (def.valueType as z.ZodType) : undefined
    if (at === undefined) return []
  }
  return []
}

/** Of these tables alone: what a file does not name need not be built. Names that are none are left out. */
export function schemaFor(names: readonly string[]): z.ZodObject {
  const known = names.filter((name): name is keyof Tables => Object.hasOwn(TABLES, name))
  return z.strictObject(Object.fromEntries(known.map((name) => [name, TABLES[name]()])))
}
