/** One line about the daemon, or all of it as JSON. */
import {
  ANSWER_MS,
  call,
  countLosses,
  daemonOf,
  isSilent,
  type Status,
  wordsForSilence,
} from '../client/index.ts'
import { GantryError } from '../errors.ts'
import { downSince } from '../kept-down.ts'
import type { Places } from '../places.ts'
import { VERSION } from '../version.ts'
import type { Command } from './command.ts'
import { bytes, duration, green, out, plain, red, yellow } from './terminal.ts'

export const status: Command = {
  name: 'status',
  summary: 'Show what the daemon is doing',
  usage: '[--json]',
  options: { json: { type: 'boolean', help: 'Print everything as JSON' } },
  examples: [
    { line: 'gantry status', does: 'One line: up or down, since when, how many events, what is wrong' },
    { line: 'gantry status --json | jq .lastSeq', does: 'The sequence of the newest event' },
  ],
  async run({ flags, places }) {
    try {
      const status = (await call(places, 'status', {}, { deadlineMs: ANSWER_MS })) as Status
      out(flags.json ? JSON.stringify({ running: true, ...status }, null, 2) : line(status))
      return status.fault ? 1 : 0
    } catch (error) {
      if (isSilent(error)) return silent(places, flags.json === true)
      if (!(error instanceof GantryError) || error.code !== 'DAEMON_AWAY') throw error
      const since = downSince(places)
      const lost = countLosses(places)
      const said = lost > 0 ? ` · ${yellow(lostWords(lost))}` : ''
      const words = since === undefined ? 'is down' : `was stopped by you ${ago(since)} and stays down`
      out(
        flags.json
          ? JSON.stringify({
              running: false,
              ...(lost === 0 ? {} : { lost }),
              ...(since === undefined ? {} : { downSince: since }),
            })
          : `${red('○')} gantry ${words}; hooks keep their events in the spool${said}. Start it with: gantry up`,
      )
      return 1
    }
  },
}

function lostWords(count: number): string {
  return `${count} events lost: see gantry doctor`
}

function ago(time: number): string {
  return `${duration(Math.max(0, Date.now() - time))} ago`
}

function silent(places: Places, json: boolean): number {
  const pid = daemonOf(places)
  out(
    json
      ? JSON.stringify({ running: true, answers: false, ...(pid === undefined ? {} : { pid }) })
      : `${red('●')} ${wordsForSilence(places)}. Now: gantry down && gantry up`,
  )
  return 1
}

function line(status: Status): string {
  const parts = [
    `gantry ${status.version} up ${duration(Date.now() - status.startedAt)} (pid ${status.pid})`,
    `${status.events.toLocaleString('en')} events, ${bytes(status.databaseBytes)}`,
    `memory ${bytes(status.memoryBytes)}`,
    status.http ?? 'no http',
    ...(status.nats === 'off' ? [] : [`nats ${plain(status.nats)}`]),
  ]
  const wrong = [
    status.fault && red(`cannot store events: ${status.fault}`),
    status.configProblem && red(status.configProblem),
    status.spooled > 0 && yellow(`${status.spooled} spooled`),
    status.lost > 0 && yellow(lostWords(status.lost)),
    status.version !== VERSION && yellow(`this is gantry ${VERSION}: run "gantry down && gantry up"`),
  ].filter((part): part is string => Boolean(part))
  return `${status.fault ? red('●') : green('●')} ${[...parts, ...wrong].join(' · ')}`
}
