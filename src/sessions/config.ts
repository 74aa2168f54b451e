/** The table `[sessions]` of gantry.toml. */
import { z } from 'zod'

export const sessionsSchema = () =>
  z.strictObject({
    grace_s: z
      .number()
      .min(0)
      .max(3600)
      .default(60)
      .describe(
        "Seconds after a turn's end until Coop is told `waiting_for_input`: a gap between tool calls can look idle",
      ),
    compare_transcripts: z
      .boolean()
      .default(true)
      .describe(
        'Compare transcripts with hooks, to find tool calls and sessions that no hook announced; see [coverage](coverage.md)',
      ),
  })
