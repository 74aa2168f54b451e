/** What the streams hold, and how the parts of the bus are. */

import { type BusNats, type BusStatus, type BusStreamStatus, call } from '../client/index.ts'
import { counted } from '../core/text.ts'
import type { Command } from './command.ts'
import { age, bold, bytes, dim, green, out, plain, red, yellow } from './terminal.ts'

export const busStatus: Command = {
  name: 'bus status',
  summary: 'Show what the streams hold and who reads them',
  usage: '[--json]',
  shows: 'config',
  options: { json: { type: 'boolean', help: 'Print everything as JSON' } },
  examples: [
    { line: 'gantry bus status', does: 'Messages, bytes and readers of each stream, and what is wrong' },
    { line: 'gantry bus status --json | jq ".streams[0].lastSeq"', does: 'The sequence of the newest event' },
  ],
  async run({ flags, places }) {
    const status = await call(places, 'bus.status')
    if (flags.json) out(JSON.stringify(status, null, 2))
    else for (const line of [...status.streams.map(streamLine), ...partLines(status)]) out(line)
    return status.problems.some(({ level }) => level === 'fail') ? 1 : 0
  },
}

function streamLine(stream: BusStreamStatus): string {
  const { name, messages, firstSeq, lastSeq, followers, consumers } = stream
  const parts = [
    `${bold(name.padEnd(15))}  ${dim(stream.subjects.padEnd(11))}`,
    `${counted(messages, 'message')}, ${bytes(stream.bytes)}`,
    messages > 0 ? `${firstSeq} … ${lastSeq}` : '',
    followers > 0 ? green(`${followers} connected`) : '',
    consumers > 0 ? `${consumers} durable` : '',
  ]
  return parts.filter(Boolean).join(dim(' · '))
}

/** What other parts of the bus say of themselves goes here, then what is wrong with any of them. */
function partLines(status: BusStatus): string[] {
  const problems = status.problems.map(({ level, about, message, fix }) => {
    const mark = level === 'fail' ? red('✗') : yellow('!')
    return `${mark} ${about}: ${plain(message)}${fix ? dim(`  ${fix}`) : ''}`
  })
  return [...(status.nats ? natsLines(status.nats) : []), ...problems]
}

function natsLines({ mode, why, connected, url, serverVersion, streams }: BusNats): string[] {
  const title = bold('NATS'.padEnd(15))
  if (mode === 'off') return [`${title}  ${dim(`off: ${plain(why ?? '')}`)}`]
  const state = connected ? green(`connected, nats-server ${serverVersion}`) : red('not connected')
  const place = url ? [plain(url)] : [] // while it starts there is none
  return [
    `${title}  ${[mode, ...place, state].join(dim(' · '))}`,
    ...streams.map(({ name, messages, backlog, lagMs, deadLetters }) => {
      const parts = [
        `  ${name.padEnd(17)}${counted(messages, 'message')}`,
        backlog > 0 ? yellow(`${backlog.toLocaleString('en')} wait, for ${age(lagMs)}`) : 'up to date',
        deadLetters > 0 ? yellow(`${deadLetters} dead letters`) : '',
      ]
      return parts.filter(Boolean).join(dim(' · '))
    }),
  ]
}
