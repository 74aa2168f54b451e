/**
 * `gantry mcp`: what gantry knows, for the agent that asks, over the Model Context Protocol on stdio. It is a process of its
 * own that makes the daemon's calls; nothing of it is loaded by the daemon or by another command.
 *
 *   await serveMcp({ places: places(), folder: process.cwd() })   // until stdin ends
 */
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { mcpServer, type ServerParts } from './server.ts'

/** Resolves when the agent has closed its end. */
export async function serveMcp(parts: ServerParts): Promise<void> {
  const over = Promise.withResolvers<void>()
  for (const end of ['end', 'close', 'error'] as const) process.stdin.once(end, () => over.resolve())
  process.stdout.on('error', () => over.resolve()) // nobody reads any more
  const transport = new StdioServerTransport()
  const served = serveStdio(() => mcpServer(parts), { transport })
  await over.promise
  await served.close()
}
