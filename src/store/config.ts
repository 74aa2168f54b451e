/** The table `[retention]` of gantry.toml. */
import { z } from 'zod'

export const retentionSchema = () =>
  z.strictObject({
    max_days: z.number().min(0.01).max(3650).default(30).describe('Events older than this are deleted'),
    max_mb: z
      .number()
      .min(1)
      .max(1_048_576)
      .default(2048)
      .describe('Size of the journal above which the oldest events are deleted'),
  })
