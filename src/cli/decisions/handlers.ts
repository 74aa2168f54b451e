/** Lists the handlers with their state and figures. */
import { call, type HandlerStatus } from '../../client/index.ts'
import { tookWords } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import type { Input } from '../framework/define.ts'
import {
  bold,
  clock,
  columns,
  cut,
  dim,
  green,
  levelMark,
  note,
  outList,
  plain,
  red,
  yellow,
} from '../framework/terminal.ts'
import type * as commands from './index.ts'

export async function run({
  flags,
  places,
}: Pick<Input<typeof commands.handlers>, 'flags' | 'places'>): Promise<number> {
  const handlers = await call(places, 'bus.handlers')
  if (!flags.json) {
    const findings = await call(places, 'doctor')
    for (const { about, level, message } of findings)
      if (about === 'handler' && (level === 'fail' || message.startsWith('/')))
        note(`${levelMark(level)} ${plain(message)}`)
  }
  return outList(flags.json, handlers, linesOf, 'No handlers. Write one with: gantry handlers new <name>')
}

function linesOf(handler: HandlerStatus): string {
  const { id, priority, events, command, runs, failures, blocks, garbled, skipped, lastError } = handler
  const counts = [
    counted(runs, 'run'),
    ...(blocks > 0 ? [counted(blocks, 'block')] : []),
    ...(failures > 0 ? [`${failures} failed`] : []),
    ...(garbled > 0 ? [`${garbled} made no sense`] : []),
    ...(skipped > 0 ? [`${skipped} left out`] : []),
    ...(handler.p50Ms === null
      ? []
      : [`p50 ${tookWords(handler.p50Ms)}, p99 ${tookWords(handler.p99Ms ?? 0)}`]),
  ]
  const error = `      ${yellow('last error')} ${cut(plain(lastError ?? ''), columns() - 17)}`
  return [
    `${dim(String(priority).padStart(4))}  ${bold(id.padEnd(16))} ${stateOf(handler)}  ${events.join(',')}`,
    `      ${dim(cut(plain(command), columns() - 6))}`,
    `      ${counts.join(' · ')}`,
    ...(lastError === null ? [] : [error]),
  ].join('\n')
}

function stateOf({ circuit, retryAt, running }: HandlerStatus): string {
  switch (circuit) {
    case 'closed':
      return green(running > 0 ? `running ${running}` : 'ready')
    case 'half-open':
      return yellow('on trial')
    case 'open':
      return red(`left alone until ${clock(retryAt ?? 0)}`)
  }
}
