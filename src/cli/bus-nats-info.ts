/** Where the NATS server is and how to sign in, for whoever wants to subscribe with a client of their own. */
import { call } from '../client/index.ts'
import type { Command } from './command.ts'
import { dim, out } from './terminal.ts'

export const busNatsInfo: Command = {
  name: 'bus nats-info',
  summary: 'Show where the NATS server is, and its token',
  usage: '[--json]',
  shows: 'config',
  options: { json: { type: 'boolean', help: 'Print it as in nats-info.json' } },
  examples: [
    { line: 'gantry bus nats-info', does: 'Address, token, stream and subjects' },
    {
      line: 'nats --server "$(gantry bus nats-info --json | jq -r .url)" --token …',
      does: 'Use it with another client',
    },
  ],
  async run({ flags, places }) {
    const info = await call(places, 'bus.natsInfo')
    if (flags.json) out(JSON.stringify(info, null, 2))
    else for (const [name, value] of Object.entries(info)) out(`${dim(name.padEnd(10))} ${String(value)}`)
    return 0
  },
}
