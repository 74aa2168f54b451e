/** The MCP server: stdout belongs to the protocol. */
import { serveMcp } from '../../mcp/index.ts'
import type { Input } from '../framework/define.ts'
import type * as commands from './index.ts'

export async function run({ places }: Input<typeof commands.mcp>): Promise<number> {
  await serveMcp({ places, folder: process.cwd() })
  return 0
}
