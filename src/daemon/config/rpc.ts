/** What can be asked about the configuration. */
import { z } from 'zod'
import { defineRpc, type Rpc } from '../../rpc/rpc.ts'
import type { LiveConfig } from './live.ts'
import { type ConfigRow, configRows } from './rows.ts'

export function configCalls(live: LiveConfig): Rpc[] {
  return [
    defineRpc({
      name: 'config.show',
      summary:
        'The configuration that is in force: every key, its value without secrets, and where it comes from',
      args: z.strictObject({}),
      example: {},
      handle: (): ConfigRow[] => configRows(live.now, live.text, process.env),
    }),
  ]
}
