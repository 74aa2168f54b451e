/** The table `[http]` of gantry.toml. */
import { z } from 'zod'

export const httpSchema = () =>
  z.strictObject({
    enabled: z.boolean().default(true).describe('Listen on 127.0.0.1 for HTTP hooks and the page'),
    port: z
      .int()
      .min(0)
      .max(65535)
      .default(4520)
      .describe('HTTP port, or one of the next nine if it is taken; 0 picks a free one'),
  })

export type HttpConfig = z.infer<ReturnType<typeof httpSchema>>
