/**
 * `config/gantry.toml`: every key, its default and its meaning in one table, from which docs/config.md is made.
 * A mistake names file, line and key, and the daemon goes on with the last good configuration.
 */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { GantryError, messageOf } from '../errors.ts'
import { tmuxSettingsSchema } from '../tmux/index.ts'
import { workSettingsSchema } from '../work/index.ts'
import { enrichmentSchema, sdkLogSchema, summarySchema } from './enrich-config.ts'
import { inboundSchema, webhooksSchema } from './hooks-config.ts'
import { notifySchema } from './notify-config.ts'

const MIB = 1024 * 1024

export const configSchema = z.strictObject({
  http: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Listen on 127.0.0.1 for HTTP hooks and the page'),
      port: z.int().min(0).max(65535).default(4520).describe('Port of the HTTP door; 0 picks a free one'),
    })
    .prefault({}),
  log: z
    .strictObject({
      level: z
        .enum(['debug', 'info', 'warn', 'error'])
        .default('info')
        .describe('Least level that is logged'),
      max_mb: z.number().min(0.1).max(1024).default(5).describe('Size at which the log file is rotated'),
      keep: z.int().min(1).max(20).default(3).describe('Rotated log files that are kept'),
    })
    .prefault({}),
  retention: z
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
  nats: z
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
      server: z.string().default('').describe('Path of the nats-server to run; empty looks for one on PATH'),
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
  search: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe('Keep an index of what was said and done, for `gantry search`'),
    })
    .prefault({}),
  work: workSettingsSchema.prefault({}),
  tmux: tmuxSettingsSchema.prefault({}),
  enrichment: enrichmentSchema.prefault({}),
  summary: summarySchema.prefault({}),
  sdk_log: sdkLogSchema.prefault({}),
  notify: notifySchema.prefault({}),
  webhooks: webhooksSchema,
  inbound: inboundSchema,
  schema: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe('Learn what payloads look like, and say when an agent changes them'),
      samples: z.boolean().default(true).describe('Keep up to three short values of each field as examples'),
    })
    .prefault({}),
  redaction: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Replace secrets in payloads before they are stored'),
    })
    .prefault({}),
})

export type Config = z.infer<typeof configSchema>

export const DEFAULT_CONFIG: Config = configSchema.parse({})

/** Reads the file; a missing one means defaults. Throws BAD_CONFIG with file, line and key. */
export async function loadConfig(file: string): Promise<Config> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return DEFAULT_CONFIG
    throw new GantryError('BAD_CONFIG', `${file}: ${messageOf(error)}`, { cause: error })
  }
  return parseConfig(text, file)
}

export async function parseConfig(text: string, file: string): Promise<Config> {
  const toml = await import('toml-eslint-parser')
  let ast: ReturnType<typeof toml.parseTOML>
  try {
    ast = toml.parseTOML(text.replace(/^\ufeff/, '')) // some editors on Windows put a mark at the start
  } catch (error) {
    const line = (error as { lineNumber?: number }).lineNumber ?? 1
    throw new GantryError('BAD_CONFIG', `${file}:${line}: not valid TOML: ${messageOf(error)}`, {
      cause: error,
    })
  }
  // The parser would put the keys of such a table on every object there is.
  toml.traverseNodes(ast, {
    enterNode(node) {
      const key = node.type === 'TOMLBare' ? node.name : node.type === 'TOMLQuoted' ? node.value : undefined
      if (key !== '__proto__') return
      throw new GantryError('BAD_CONFIG', `${file}:${node.loc.start.line}: __proto__: ${NO_SUCH_KEY}`)
    },
    leaveNode() {},
  })
  const result = configSchema.safeParse(toml.getStaticTOMLValue(ast))
  if (result.success) return result.data
  const problems = result.error.issues.flatMap((issue) => {
    const isUnknown = issue.code === 'unrecognized_keys'
    const paths = isUnknown ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]
    return paths.map(
      (path) => `${file}:${lineOf(text, path.map(String))}: ${path.join('.')}: ${describe(issue)}`,
    )
  })
  throw new GantryError('BAD_CONFIG', problems.join('\n'), { details: problems })
}

export function retentionLimits(config: Config): { maxAgeMs: number; maxBytes: number } {
  return { maxAgeMs: config.retention.max_days * 86_400_000, maxBytes: config.retention.max_mb * MIB }
}

const NO_SUCH_KEY = 'no such key; see docs/config.md for those there are'

function describe(issue: z.core.$ZodIssue): string {
  return issue.code === 'unrecognized_keys' ? NO_SUCH_KEY : issue.message
}

/** The line of the deepest part of `path` that the text has, by table header and key. */
function lineOf(text: string, path: readonly string[]): number {
  let table: string[] = []
  let best = { line: 1, depth: 0 }
  const lists = new Map<string, number>()
  text.split('\n').forEach((line, index) => {
    const header = /^\s*(\[+)\s*([^\]]+?)\s*\]+/.exec(line)
    const key = /^\s*([A-Za-z0-9_."'-]+)\s*=/.exec(line)
    if (header) table = header[1] === '[[' ? nextOf(lists, names(header[2] ?? '')) : names(header[2] ?? '')
    const here = header ? table : key ? [...table, ...names(key[1] ?? '')] : []
    const depth = Math.max(depthOf(here, path), header?.[1] === '[[' ? depthOf(here.slice(0, -1), path) : 0)
    if (depth > best.depth) best = { line: index + 1, depth }
  })
  return best.line
}

function depthOf(here: readonly string[], path: readonly string[]): number {
  return here.length <= path.length && here.every((name, i) => name === path[i]) ? here.length : 0
}

/** `[[webhooks]]` for the second time is `webhooks.1`. */
function nextOf(lists: Map<string, number>, list: readonly string[]): string[] {
  const at = lists.get(list.join('.')) ?? 0
  lists.set(list.join('.'), at + 1)
  return [...list, String(at)]
}

function names(dotted: string): string[] {
  return dotted.split('.').map((part) => part.trim().replace(/^["']|["']$/g, ''))
}
