/** Prints the daemon's state in one line, then its problems; or everything as JSON. */
import {
  ANSWER_MS,
  call,
  countLosses,
  daemonOf,
  isSilent,
  type Status,
  silenceOf,
} from '../../client/index.ts'
import { downSince } from '../../client/kept-down.ts'
import { staleInfo } from '../../client/nats-info.ts'
import type { Places } from '../../core/files/paths.ts'
import { byteWords } from '../../core/text/amount.ts'
import { VERSION } from '../../core/version.ts'
import { isAway } from '../framework/daemon.ts'
import type { Input } from '../framework/define.ts'
import { age, ago, counted, green, out, paragraph, plain, red, yellow } from '../framework/terminal.ts'
import type * as commands from './index.ts'

export async function run({ flags, places }: Input<typeof commands.status>): Promise<number> {
  try {
    const status = await call(places, 'status', {}, { deadlineMs: ANSWER_MS })
    out(flags.json ? JSON.stringify({ running: true, ...status }, null, 2) : words(status))
    return status.fault ? 1 : 0
  } catch (error) {
    if (isSilent(error)) return silent(places, flags.json)
    if (!isAway(error)) throw error
    const since = downSince(places)
    const lost = countLosses(places)
    const words = since === undefined ? 'is down' : `was stopped by you ${ago(since)} and stays down`
    const state = `gantry ${words}; hooks keep their events in the spool. Start it with: gantry up`
    const stale = await staleInfo(places)
    const wrong = [
      ...(lost > 0 ? [{ text: lostWords(lost), style: yellow }] : []),
      ...stale.map((file) => ({ text: `${file} names a NATS server that is gone`, style: yellow })),
    ]
    out(
      flags.json
        ? JSON.stringify({
            running: false,
            lost: lost || undefined,
            staleNatsInfo: stale.length === 0 ? undefined : stale,
            downSince: since,
          })
        : lines(red('○'), [{ text: state }, ...wrong]),
    )
    return 1
  }
}

function lostWords(count: number): string {
  return `${counted(count, 'event')} lost: see gantry doctor`
}

function silent(places: Places, json: boolean): number {
  const pid = daemonOf(places)
  const { what, fix } = silenceOf(places)
  out(
    json
      ? JSON.stringify({ running: true, answers: false, pid })
      : lines(red('●'), [{ text: `${what}. Now: ${fix}` }]),
  )
  return 1
}

interface Line {
  readonly text: string
  readonly style?: (text: string) => string
}

/** The state behind its mark, then one line per problem. */
function lines(mark: string, all: readonly Line[]): string {
  return all
    .flatMap(({ text, style }) => text.split('\n').map((one) => ({ text: one, style })))
    .map(({ text, style }, i) => paragraph(i === 0 ? `${mark} ` : '  ', plain(text), style))
    .join('\n')
}

/** A daemon that was started before an upgrade may not send everything. */
function words(status: Status): string {
  const parts = [
    `gantry ${status.version} up ${age(Date.now() - status.startedAt)} (pid ${status.pid})`,
    `${counted(status.events, 'event')}, ${byteWords(status.databaseBytes)}`,
    `memory ${byteWords(status.memoryBytes)}`,
    status.http ?? 'no http',
    ...(status.nats === 'off' ? [] : [`nats ${status.nats}`]),
    ...(status.config ? [`config ${status.config}`] : []),
  ]
  const wrong: Line[] = [
    status.fault && { text: `cannot store events: ${status.fault}`, style: red },
    status.lost > 0 && { text: lostWords(status.lost), style: yellow },
    ...[status.configProblem, status.rulesProblem].map((problem) => problem && { text: problem, style: red }),
    ...(status.problems ?? []).map(({ message, fix }) => ({
      text: fix === undefined ? message : `${message}. ${fix}`,
      style: yellow,
    })),
    status.spooled > 0 && { text: `${status.spooled.toLocaleString('en')} spooled`, style: yellow },
    status.missed > 0 && {
      text: `${counted(status.missed, 'decision')} missed: gantry coverage says why`,
      style: yellow,
    },
    status.version !== VERSION && {
      text: `this is gantry ${VERSION}: run "gantry down && gantry up"`,
      style: yellow,
    },
  ].filter((part) => typeof part === 'object' && part !== null)
  return lines(status.fault ? red('●') : green('●'), [{ text: parts.join(' · ') }, ...wrong])
}
