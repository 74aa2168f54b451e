/** Shows the streams, NATS, and problems. */
import { type BusStatus, type BusStreamStatus, call, type NatsStatus } from '../../client/index.ts'
import { byteWords } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import type { Input } from '../framework/define.ts'
import { age, bold, dim, green, levelMark, out, outJson, plain, red, yellow } from '../framework/terminal.ts'
import type * as commands from './index.ts'

export async function run({ flags, places }: Input<typeof commands.status>): Promise<number> {
  const status = await call(places, 'bus.status')
  if (flags.json) outJson(status)
  else for (const line of [...status.streams.map(streamLine), ...partLines(status)]) out(line)
  return status.problems.some(({ level }) => level === 'fail') ? 1 : 0
}

function streamLine(stream: BusStreamStatus): string {
  const { name, messages, firstSeq, lastSeq, followers, consumers } = stream
  const parts = [
    `${bold(name.padEnd(15))}  ${dim(stream.subjects.padEnd(11))}`,
    `${counted(messages, 'message')}, ${byteWords(stream.bytes)}`,
    messages > 0 ? `${firstSeq} … ${lastSeq}` : '',
    followers > 0 ? green(`${followers} connected`) : '',
    consumers > 0 ? `${consumers} durable` : '',
  ]
  return parts.filter(Boolean).join(dim(' · '))
}

/** NATS first, then the problems of all parts. */
function partLines(status: BusStatus): string[] {
  const problems = status.problems.map(({ level, about, message, fix }) => {
    return `${levelMark(level)} ${about}: ${plain(message)}${fix ? dim(`  ${fix}`) : ''}`
  })
  return [...(status.nats ? natsLines(status.nats) : []), ...problems]
}

function natsLines({ mode, why, connected, url, serverVersion, streams }: NatsStatus): string[] {
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
        deadLetters > 0 ? yellow(counted(deadLetters, 'dead letter')) : '',
      ]
      return parts.filter(Boolean).join(dim(' · '))
    }),
  ]
}
