/** The tables of gantry.toml about contexts, the SDK log and summaries. */
import { z } from 'zod'
import { urlProblem } from '../bus/webhooks/config.ts'

export const enrichmentSchema = () =>
  z.strictObject({
    enabled: z.boolean().default(true).describe('Record contexts and changed files of events'),
    git: z.boolean().default(true).describe('Record user, repository, branch and commit'),
    dirty: z.boolean().default(true).describe('Run `git status` now and then to record uncommitted changes'),
  })

export const sdkLogSchema = () =>
  z.strictObject({
    enabled: z
      .boolean()
      .default(false)
      .describe('Write events with contexts to a file, in the format of claude-hooks-sdk'),
    path: z
      .string()
      .default('')
      .describe('The file, relative to the state folder; empty is `sdk-events.jsonl` there'),
    max_mb: z.number().min(0.01).max(10_240).default(50).describe('Size at which the file is rotated'),
    keep: z.int().min(1).max(100).default(3).describe('Rotated files to keep'),
  })

const SUMMARY_MODES = ['extract', 'command', 'openai', 'anthropic', 'off'] as const

export const summarySchema = () =>
  z
    .strictObject({
      mode: z
        .enum(SUMMARY_MODES)
        .default('extract')
        .describe(
          'Who summarizes a turn: extract (no model), command, openai or anthropic (an endpoint with that API), or off',
        ),
      command: z
        .string()
        .default('')
        .describe('For mode command: gets the turn as JSON, prints `{"title","summary"}`'),
      url: z
        .string()
        .default('')
        .describe('For openai and anthropic: base URL with the version, such as `http://127.0.0.1:11434/v1`'),
      model: z.string().default('').describe('For openai and anthropic: model name'),
      key_file: z.string().default('').describe('File with the API key, relative to the config folder'),
      timeout_s: z.number().min(0.1).max(300).default(20).describe('Time limit of one summary, in seconds'),
      allow_insecure: z.boolean().default(false).describe('Allow plain http to other machines'),
    })
    .superRefine(({ mode, command, url, model, allow_insecure }, context) => {
      const wrong = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message })
      if (mode === 'command' && command.trim() === '') wrong('command', 'needed for mode = "command"')
      if (mode !== 'openai' && mode !== 'anthropic') return
      const problem = urlProblem(url, allow_insecure)
      if (problem) wrong('url', problem)
      if (model === '') wrong('model', `needed for mode = "${mode}"`)
    })

export type SummaryConfig = z.infer<ReturnType<typeof summarySchema>>

export const searchSchema = () =>
  z.strictObject({
    enabled: z.boolean().default(true).describe('Keep the index for `gantry search`'),
  })

export const schemaSchema = () =>
  z.strictObject({
    enabled: z.boolean().default(true).describe('Learn payload schemas and report drift'),
    samples: z.boolean().default(true).describe('Keep up to three short values of each field as examples'),
  })

export interface InsightConfig {
  readonly enrichment: z.infer<ReturnType<typeof enrichmentSchema>>
  readonly sdk_log: z.infer<ReturnType<typeof sdkLogSchema>>
  readonly summary: SummaryConfig
  readonly redaction: { readonly enabled: boolean }
}
