/**
 * A handler that keeps agents from removing whole trees, whichever agent it is and whatever it calls its shell. A
 * pattern is no sandbox: it stops slips, not somebody who means it.
 *
 *   ./bin/gantry bus register --id no-rm-rf --events PreToolUse --command "$PWD/node_modules/.bin/bun $PWD/examples/deny-rm-rf.ts"
 */
import { allow, defineHandler, deny, runHandler } from 'gantry/sdk'

/** Each `rm`, with its words up to the end of the command. */
const RM = /\brm((?:\s+[^\s;&|]+)+)/g

/** Both wishes, in whatever way: `-rf`, `-r -f`, `-R --force`, `--recursive --force`, before or after the names. */
function removesTrees(command: string): boolean {
  return [...command.matchAll(RM)].some(([, words = '']) => {
    const options = words.replace(/["'\\]/g, '').split(/\s+/)
    const end = options.indexOf('--')
    const given = options.slice(0, end < 0 ? undefined : end)
    return has(given, 'r', '--recursive') && has(given, 'f', '--force')
  })
}

function has(options: readonly string[], short: string, long: string): boolean {
  return options.some((option) => {
    if (option.startsWith('--')) return option.length > 2 && long.startsWith(option) // rm takes --rec, too
    return option.startsWith('-') && option.toLowerCase().includes(short)
  })
}

export const handler = defineHandler({
  events: ['PreToolUse'],
  handle: ({ tool }) => {
    const { command } = (tool?.input ?? {}) as { command?: unknown }
    return removesTrees(String(command)) ? deny('Remove files one by one, by name.') : allow()
  },
})

if (process.env.GANTRY_EVENT_TYPE !== undefined) await runHandler(handler)
