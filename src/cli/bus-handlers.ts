/** The handlers that are asked about events, and how they do. */

import { call, type HandlerStatus } from '../client/index.ts'
import { counted } from '../core/text.ts'
import type { Command } from './command.ts'
import { bold, columns, cut, dim, green, out, plain, red, yellow } from './terminal.ts'

export const busHandlers: Command = {
  name: 'bus handlers',
  summary: 'Show the handlers that are asked about events',
  usage: '[--json]',
  options: { json: { type: 'boolean', help: 'Print them as an array' } },
  examples: [
    {
      line: 'gantry bus handlers',
      does: 'In the order they are asked, with runs, failures and how long they take',
    },
  ],
  async run({ flags, places }) {
    const handlers = await call(places, 'bus.handlers')
    if (flags.json) out(JSON.stringify(handlers, null, 2))
    else if (handlers.length === 0) out('No handlers. Register one with: gantry bus register --help')
    else for (const handler of handlers) show(handler)
    return 0
  },
}

function show(handler: HandlerStatus): void {
  const { id, priority, events, command, runs, failures, blocks, garbled, skipped, lastError } = handler
  out(`${dim(String(priority).padStart(4))}  ${bold(id.padEnd(16))} ${stateOf(handler)}  ${events.join(',')}`)
  out(`      ${dim(cut(plain(command), columns() - 6))}`)
  const counts = [
    counted(runs, 'run'),
    ...(blocks > 0 ? [`${blocks} blocks`] : []),
    ...(failures > 0 ? [`${failures} failed`] : []),
    ...(garbled > 0 ? [`${garbled} made no sense`] : []),
    ...(skipped > 0 ? [`${skipped} left out`] : []),
    ...(handler.p50Ms === null ? [] : [`p50 ${ms(handler.p50Ms)}, p95 ${ms(handler.p95Ms ?? 0)}`]),
  ]
  out(`      ${counts.join(' · ')}`)
  if (lastError !== null) out(`      ${yellow('last error')} ${cut(plain(lastError), columns() - 17)}`)
}

function stateOf({ circuit, retryAt, running }: HandlerStatus): string {
  switch (circuit) {
    case 'closed':
      return green(running > 0 ? `running ${running}` : 'ready')
    case 'half-open':
      return yellow('on trial')
    case 'open':
      return red(`left alone until ${new Date(retryAt ?? 0).toTimeString().slice(0, 8)}`)
  }
}

function ms(value: number): string {
  return value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`
}
