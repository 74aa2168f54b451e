/** The tables of gantry.toml about webhooks, out and in. */
import { z } from 'zod'
import { agents } from '../../agents/index.ts'
import { messageOf } from '../../core/errors.ts'
import { isLoopback } from '../../core/post.ts'
import { isAgentName } from '../../events/index.ts'
import { filterOn, SIGNATURES, STREAMS, type StreamName } from '../index.ts'

const MAX_WEBHOOKS = 32
const MAX_FILTERS = 32
const SECRET = 'The shared secret; better in a file'
const SECRET_FILE = 'File with the secret, relative to the config folder; wins over `secret`'

/** Names that are other agents' own. */
const RESERVED: ReadonlySet<string> = new Set([...agents.keys(), 'gantry', 'generic', 'unknown'])

const headerName = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9-]{0,64}$/, 'not the name of a header')
    .default('')

const webhookSchema = () =>
  z
    .strictObject({
      name: z
        .string()
        .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'lower-case letters, digits, "-" and "_", at most 32')
        .describe('Name in `gantry bus webhooks`; the position in the stream is kept under it'),
      url: z.string().describe('URL to POST to; plain http only to this machine unless `allow_insecure`'),
      secret: z.string().default('').describe(SECRET),
      secret_file: z.string().default('').describe(SECRET_FILE),
      stream: z
        .enum(STREAMS)
        .default('HOOK_EVENTS')
        .describe('Stream to send: HOOK_EVENTS, SESSION_EVENTS, DECISION_EVENTS or GANTRY_EVENTS'),
      filter: z
        .array(z.string())
        .max(MAX_FILTERS)
        .default([])
        .describe('Types or subjects to send, such as `Stop` or `hooks.*`; empty sends all'),
      enabled: z.boolean().default(true).describe('false sends nothing and keeps the position'),
      timeout_s: z.number().min(0.1).max(60).default(10).describe('Time limit of one request, in seconds'),
      allow_insecure: z.boolean().default(false).describe('Allow plain http to other machines'),
    })
    .superRefine(({ url, secret, secret_file, stream, filter, allow_insecure }, context) => {
      const wrong = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message })
      const problem = urlProblem(url, allow_insecure)
      if (problem) wrong('url', problem)
      if (secret === '' && secret_file === '') wrong('secret', 'needed, or secret_file: messages are signed')
      for (const text of filter) {
        const mistake = filterProblem(stream, text)
        if (mistake) wrong('filter', mistake)
      }
    })

export const webhooksSchema = () =>
  z
    .array(webhookSchema())
    .max(MAX_WEBHOOKS)
    .superRefine((webhooks, context) => {
      const seen = new Set<string>()
      webhooks.forEach(({ name }, at) => {
        if (seen.has(name))
          context.addIssue({
            code: 'custom',
            path: [at, 'name'],
            message: `two webhooks have the name ${name}`,
          })
        seen.add(name)
      })
    })
    .default([])

const inboundSourceSchema = () =>
  z
    .strictObject({
      secret: z.string().default('').describe(SECRET),
      secret_file: z.string().default('').describe(SECRET_FILE),
      signature: z
        .enum(SIGNATURES)
        .default('gantry')
        .describe('How the sender proves itself: gantry, github, stripe, or token (a secret in a header)'),
      header: headerName().describe('Header with the signature, if not the default of its kind'),
      event_header: headerName().describe('Header with the event name'),
      event_field: z.string().default('').describe('Body field with the event name, `a.b` for nested fields'),
      id_header: headerName().describe('Header with the delivery id, used to drop duplicates'),
      id_field: z.string().default('').describe('Body field with the delivery id'),
      tolerance_s: z
        .number()
        .min(1)
        .max(86_400)
        .default(300)
        .describe('Maximum age of a timestamped signature, in seconds'),
      enabled: z.boolean().default(true).describe('false disables it'),
    })
    .superRefine(({ secret, secret_file }, context) => {
      if (secret !== '' || secret_file !== '') return
      context.addIssue({ code: 'custom', path: ['secret'], message: 'needed, or secret_file' })
    })

export const inboundSchema = () =>
  z
    .record(z.string(), inboundSourceSchema())
    .superRefine((sources, context) => {
      for (const name of Object.keys(sources)) {
        const message = isAgentName(name)
          ? RESERVED.has(name) && 'the name of an agent; events from outside need one of their own'
          : 'lower-case letters, digits, "-" and "_", at most 32'
        if (message) context.addIssue({ code: 'custom', path: [name], message })
      }
    })
    .default({})

export type WebhookConfig = z.infer<ReturnType<typeof webhookSchema>>
export type InboundConfig = z.infer<ReturnType<typeof inboundSourceSchema>>

/** Never with the address itself: it may hold a password. */
export function urlProblem(text: string, allowInsecure: boolean): string | undefined {
  if (!URL.canParse(text)) return 'not an address; write http://… or https://…'
  const { protocol } = new URL(text)
  if (protocol === 'https:') return undefined
  if (protocol !== 'http:') return 'only http and https are known'
  if (allowInsecure || isLoopback(text)) return undefined
  return 'plain http goes over the network for all to read; use https, or set allow_insecure = true'
}

function filterProblem(stream: StreamName, text: string): string | undefined {
  try {
    filterOn(stream, text)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}
