/** The table `[collisions]` of gantry.toml. */
import { z } from 'zod'

export const collisionsSchema = () =>
  z.strictObject({
    mode: z
      .enum(['off', 'warn', 'ask'])
      .default('warn')
      .describe(
        'Before a session writes a file that another living session wrote: `off`; `warn` tells the agent; `ask` asks you, where the agent can ask',
      ),
    within_minutes: z
      .number()
      .min(1)
      .max(1440)
      .default(30)
      .describe('How long a write by another session counts'),
  })

export type CollisionSettings = z.infer<ReturnType<typeof collisionsSchema>>
