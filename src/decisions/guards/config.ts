/** The table `[guards]` of gantry.toml. */
import { z } from 'zod'

/** `watch` only counts and logs. */
export const MODES = ['off', 'watch', 'ask', 'deny'] as const
export type Mode = (typeof MODES)[number]

const PRESETS = ['off', 'watch', 'standard', 'strict'] as const
export type Preset = (typeof PRESETS)[number]

export const guardsSchema = () =>
  z.strictObject({
    preset: z
      .enum(PRESETS)
      .default('off')
      .describe(
        'Built-in guards: `off`; `watch` only counts; `standard` denies catastrophes and asks about risks; `strict` denies risks, too. Set it with `gantry guards preset`',
      ),
    one_strike: z
      .boolean()
      .default(false)
      .describe(
        'The first attempt is denied with the reason, so that the agent finds another way; the same command repeated by that session is asked',
      ),
    modes: z
      .record(z.string().regex(/^[a-z][a-z-]{1,40}$/, { error: 'an id of `gantry guards`' }), z.enum(MODES))
      .default({})
      .describe(
        'Guards that differ from the preset, by id: `off`, `watch`, `ask` or `deny`. Set one with `gantry guards set`',
      ),
  })

export type GuardSettings = z.infer<ReturnType<typeof guardsSchema>>
