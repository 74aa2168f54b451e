/**
 * Says yes to commands that only look, as soon as an agent asks for one, and leaves everything else to a person: in the
 * agent's own dialog, or by `gantry approve`. Mind that it decides in your place.
 *
 *   ./node_modules/.bin/bun examples/auto-approve.ts
 */
import { connect, GantryError } from 'gantry/sdk'

/** The whole command, not its beginning: `ls; rm x` is no `ls`. */
const LOOKS = /^(?:ls|pwd|git (?:status|log|diff))(?: [\w./-]+)*$/

const leaving = new AbortController()
process.once('SIGINT', () => leaving.abort())
process.once('SIGTERM', () => leaving.abort())

const gantry = await connect({ wait: true, signal: leaving.signal })
for await (const { id, name, tool, input } of gantry.approvalRequests()) {
  const { command } = (input ?? {}) as { command?: unknown }
  const isSafe = typeof command === 'string' && LOOKS.test(command)
  const became = isSafe ? await approve(id) : 'left to you'
  console.log(`${became}: ${id} ${name} ${tool} ${JSON.stringify(command ?? input)}`)
}

/** Somebody may have been quicker. */
async function approve(id: string): Promise<string> {
  try {
    await gantry.approve(id)
    return 'approved'
  } catch (error) {
    if (error instanceof GantryError) return error.message
    throw error
  }
}
