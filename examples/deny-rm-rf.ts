/**
 * A handler that keeps agents from removing whole trees, whichever agent it is and whatever it calls its shell. A
 * pattern is no sandbox: it stops slips, not somebody who means it.
 *
 *   gantry bus register --id no-rm-rf --events PreToolUse --command "bun $PWD/examples/deny-rm-rf.ts"
 */
import { allow, defineHandler, deny, runHandler } from 'gantry/sdk'

const REMOVES_TREES = /\brm\s+(?:-\w+\s+)*-\w*(?:r\w*f|f\w*r)/i

export const handler = defineHandler({
  events: ['PreToolUse'],
  handle: ({ tool }) => {
    const { command } = (tool?.input ?? {}) as { command?: unknown }
    return REMOVES_TREES.test(String(command)) ? deny('Remove files one by one, by name.') : allow()
  },
})

if (process.env.GANTRY_EVENT_TYPE !== undefined) await runHandler(handler)
