/** The table `[otlp]` of gantry.toml. */
import { z } from 'zod'
import { urlProblem } from '../bus/webhooks/config.ts'

export const otlpSchema = () =>
  z
    .strictObject({
      endpoint: z
        .string()
        .default('')
        .describe(
          'Send sessions as traces to this OTLP/HTTP address, such as `http://127.0.0.1:4318`; empty: off',
        ),
      headers_file: z
        .string()
        .default('')
        .describe('File with headers for it, one `Name: value` a line, relative to the config folder'),
      allow_insecure: z.boolean().default(false).describe('Allow plain http to other machines'),
    })
    .superRefine(({ endpoint, allow_insecure }, context) => {
      const problem = endpoint === '' ? undefined : urlProblem(endpoint, allow_insecure)
      if (problem) context.addIssue({ code: 'custom', path: ['endpoint'], message: problem })
    })

export type OtlpConfig = z.infer<ReturnType<typeof otlpSchema>>
