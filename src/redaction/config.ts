/** The table `[redaction]` of gantry.toml. */
import { z } from 'zod'

export const redactionSchema = () =>
  z.strictObject({
    enabled: z.boolean().default(true).describe('Replace secrets in payloads before they are stored'),
  })
