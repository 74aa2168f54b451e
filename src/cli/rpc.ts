/** One call to the daemon, for scripts. */
import { call, callByName } from '../client/index.ts'
import { GantryError, messageOf } from '../core/errors.ts'
import type { Command } from './command.ts'
import { bold, dim, out } from './terminal.ts'

export const rpc: Command = {
  name: 'rpc',
  summary: 'Make one call to the daemon',
  usage: '[<name> [<json>]]',
  takes: 2,
  options: { json: { type: 'boolean', help: 'Print the answer on one line' } },
  examples: [
    { line: 'gantry rpc', does: 'Lists all calls with an example each' },
    { line: `gantry rpc events.list '{"type":"Stop","limit":3}'`, does: 'The last three turns that ended' },
  ],
  async run({ args, flags, places }) {
    const [name, json = '{}'] = args
    if (name === undefined) {
      const calls = await call(places, 'calls')
      if (flags.json) out(JSON.stringify(calls))
      else
        for (const one of calls)
          out(`${bold(one.name.padEnd(14))} ${one.summary}  ${dim(JSON.stringify(one.example))}`)
      return 0
    }
    const data = await callByName(places, name, parse(json))
    out(flags.json ? JSON.stringify(data) : JSON.stringify(data, null, 2))
    return 0
  },
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new GantryError(
      'USAGE',
      `The arguments are not JSON (${messageOf(cause)}). Quote them: gantry rpc status '{}'`,
      { cause },
    )
  }
}
