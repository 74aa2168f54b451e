/** The configuration in force. */
import { z } from 'zod'
import { openCall } from '../definition.ts'

export interface ConfigRow {
  readonly key: string
  readonly value: unknown
  /** `default`, the name of an environment variable, or `gantry.toml:12`. */
  readonly from: string
}

export const configCalls = {
  'config.show': openCall({
    summary: 'The configuration in force: every key, its value without secrets, and its source',
    result: z.custom<ConfigRow[]>(),
  }),
}
