/** `[notify]` and `[[notify.channels]]` of gantry.toml. Nothing is sent until there is a channel. */
import { z } from 'zod'
import { urlProblem } from '../bus/webhooks/config.ts'
import { CHANNELS, isTimeZone, KINDS, type Kind, type Needed, parseQuiet, REASONS } from './index.ts'

const MAX_CHANNELS = 16
const TELLS = ['permission', 'question', 'plan', 'elicitation', 'error', 'done', 'budget', 'rule'] as const
const file = (what: string) =>
  z.string().default('').describe(`${what}, relative to the config folder; read whenever it is needed`)

const channelSchema = () =>
  z
    .strictObject({
      name: z
        .string()
        .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'lower-case letters, digits, "-" and "_", at most 32')
        .describe('Name in `gantry notify test` and `gantry notify log`'),
      kind: z.enum(KINDS).describe(`${KINDS.join(', ')}; \`osc\` is a notification of the terminal`),
      enabled: z.boolean().default(true).describe('false sends nothing'),
      reasons: z
        .array(z.enum(REASONS))
        .min(1)
        .default([...TELLS])
        .describe(
          'Reasons it notifies of: permission, question, plan, elicitation, error, done, budget, idle, stale, rule',
        ),
      after_s: z.number().min(0).max(3600).default(1).describe('Delay; what is resolved by then is not sent'),
      cooldown_s: z
        .number()
        .min(0)
        .max(86_400)
        .default(20)
        .describe(
          'Minimum gap between two notifications of the same session; a delayed one is sent afterwards if it still applies',
        ),
      max_per_minute: z.int().min(1).max(600).default(20).describe('Rate limit; excess notifications wait'),
      only_unfocused: z.boolean().default(true).describe("Skip it while you look at the session's tmux pane"),
      in_quiet_hours: z.boolean().default(false).describe('Send in quiet hours, too'),
      words: z
        .enum(['auto', 'yes', 'no'])
        .default('auto')
        .describe("Include the agent's text; auto: only if it stays on this machine"),
      timeout_s: z.number().min(0.1).max(60).default(10).describe('Time limit of one message, in seconds'),
      url: z
        .string()
        .default('')
        .describe(
          'Where to POST, for webhook, slack and your own ntfy or Telegram server; plain http only to this machine',
        ),
      url_file: file('File with the URL, if it is a secret (Slack)'),
      token_file: file('File with the token (ntfy, Telegram) or the secret that signs (webhook)'),
      topic: z.string().max(64).default('').describe('Topic of ntfy'),
      chat_id: z
        .union([z.string().max(64), z.int()])
        .transform(String)
        .default('')
        .describe('Telegram chat id'),
      form: z.enum(['9', '777', 'both']).default('9').describe('Which sequence an `osc` channel sends'),
      file: z.string().default('').describe('Sound to play; `~/` is your home'),
      player: z.string().default('').describe('Program that plays it; empty searches for one'),
    })
    .superRefine((channel, context) => {
      for (const [path, message] of problemsOf(channel))
        context.addIssue({ code: 'custom', path: [path], message })
    })

export const notifySchema = () =>
  z
    .strictObject({
      enabled: z.boolean().default(true).describe('false disables all notifications'),
      quiet: z
        .union([z.string(), z.array(z.string()).max(8)])
        .transform((spans) => (typeof spans === 'string' ? [spans] : spans).filter((span) => span !== ''))
        .default([])
        .describe('Quiet hours, such as `22:00-07:00`, or a list; what still applies is sent afterwards'),
      time_zone: z
        .string()
        .default('')
        .describe('Time zone of the quiet hours, such as `Europe/Berlin`; empty is this machine’s'),
      away_s: z
        .number()
        .min(0)
        .max(86_400)
        .default(300)
        .describe('A pane counts as visible only if a key was pressed within so many seconds; 0 always'),
      channels: z
        .array(channelSchema())
        .max(MAX_CHANNELS)
        .default([])
        .superRefine((channels, context) => {
          channels.forEach(({ name }, at) => {
            if (channels.findIndex((one) => one.name === name) === at) return
            context.addIssue({
              code: 'custom',
              path: [at, 'name'],
              message: `two channels have the name ${name}`,
            })
          })
        }),
    })
    .superRefine(({ quiet, time_zone }, context) => {
      for (const span of quiet)
        if (!parseQuiet(span))
          context.addIssue({
            code: 'custom',
            path: ['quiet'],
            message: `"${span}" is not a time span; write 22:00-07:00`,
          })
      if (time_zone !== '' && !isTimeZone(time_zone))
        context.addIssue({
          code: 'custom',
          path: ['time_zone'],
          message: 'not known; write Europe/Berlin or UTC',
        })
    })

export type NotifyConfig = z.infer<ReturnType<typeof notifySchema>>

function problemsOf(
  channel: { readonly kind: Kind; readonly url_file: string } & Readonly<Record<Needed, string>>,
): [string, string][] {
  const { kind, url, url_file } = channel
  const found: [string, string][] = []
  const problem = url === '' ? undefined : urlProblem(url, false)
  if (problem) found.push(['url', problem.replace(/, or set allow_insecure.*/, '')])
  for (const name of CHANNELS[kind].needs ?? []) {
    if (channel[name] !== '' || (name === 'url' && url_file !== '')) continue
    found.push([name, `needed for ${kind}${name === 'url' ? ', or url_file' : ''}`])
  }
  return found
}
