/** What a soak says: a line while it runs, and the account at its end. */
import { FAULTS, type Fault } from './account.ts'
import type { Happened } from './chaos/chaos.ts'
import { type Growth, MOST_DAEMON_MB, SHORT } from './growth.ts'
import { sparklines } from './plot.ts'
import type { SoakResult } from './run.ts'
import type { Sample } from './samples.ts'

const LINE_SECONDS = 30 // where lines stay

/** On a terminal one line that changes, else a line now and then. */
export function progressLine(minutes: number): (sample: Sample, happened: Happened | undefined) => void {
  const isTerminal = process.stderr.isTTY
  let told = 0
  return (sample, happened) => {
    const { at, sent, kills, daemonMb, childrenMb, natsMb, spooled, hookP50, hookP99 } = sample
    if (!isTerminal && at < told + LINE_SECONDS) return
    told = at
    const line = [
      `${(at / 60).toFixed(1)} of ${minutes} min`,
      `${sent} sent`,
      `${kills} kills`,
      `memory ${daemonMb}+${childrenMb}+${natsMb} MB`,
      `spool ${spooled}`,
      `hook p50 ${hookP50}, p99 ${hookP99} ms`,
      ...(happened ? [happened.what] : []),
    ].join(', ')
    process.stderr.write(isTerminal ? `\r\x1b[2K${line.slice(0, process.stderr.columns - 1)}` : `${line}\n`)
  }
}

/** Whatever makes a run fail. */
export function problemsIn({ account, growths, samples, damage }: SoakResult): string[] {
  const faults = (Object.keys(FAULTS) as Fault[]).flatMap((fault) => {
    const { count, some } = account.faults[fault]
    return count === 0 ? [] : [`${count} ${FAULTS[fault]}: ${some.join(', ')}`]
  })
  const grown = growths.filter(({ verdict }) => verdict === 'grows').map((one) => `grows: ${growthLine(one)}`)
  const mb = Math.max(...samples.map(({ daemonMb }) => daemonMb))
  const large = mb > MOST_DAEMON_MB ? [`the daemon had ${mb} MB; at most ${MOST_DAEMON_MB} are allowed`] : []
  return [...faults, ...grown, ...large, ...damage]
}

export function report(result: SoakResult, out: string): string {
  const { account, samples, kills, killed, denials, settledMs, readerRestarts } = result
  const { faults } = account
  const problems = problemsIn(result)
  const judged = result.growths.filter(({ verdict }) => verdict !== SHORT)
  const checks = Object.keys(FAULTS).length + judged.length + 2 // the most memory, and damage
  const killList = Object.entries(kills).map(([kind, count]) => `${count} ${kind}`)
  return [
    '',
    ...sparklines(samples),
    '',
    ...judged.map(growthLine),
    ...(judged.length < result.growths.length
      ? [`The rest of the figures is ${SHORT}: take more minutes.`]
      : []),
    '',
    `kills     ${killed}: ${killList.join(', ')}`,
    `faults    ${count(result, 'disk full')} times a full disk, ${count(result, 'clock set')} times a clock that was set (${result.setBacks} times the daemon noticed that it was set back)`,
    `sent      ${account.sent} by clients that lived, ${account.unsure} by clients that were killed (${account.unsureStored} of them stored)`,
    `stored    ${account.stored}, of them ${account.spooled} by way of the spool and ${account.raised} raised by gantry`,
    `on NATS   ${account.onBus}${account.unread > 0 ? `, ${account.unread} dropped by the stream before they were read` : ''}`,
    `lost      ${faults.lost.count + faults.refused.count} in the journal, ${faults.busLost.count} on NATS, ${faults.subscriberLost.count} with the durable subscriber`,
    `doubled   ${faults.doubled.count} in the journal, ${faults.busDoubled.count} on NATS`,
    `denials   ${denials.given} of ${denials.wanted}; the daemon was away for the others`,
    `away      in ${away(samples)} % of the samples there was no daemon`,
    `settled   ${(settledMs / 1_000).toFixed(1)} s after the last fault; readers were started again ${readerRestarts} times`,
    `files     ${out}`,
    '',
    ...problems.map((problem) => `failed: soak: ${problem}`),
    `${Math.max(0, checks - problems.length)} passed, ${problems.length} failed`,
  ].join('\n')
}

function growthLine({ what, unit, mean, by, chance, limit, seconds, verdict }: Growth): string {
  const figures = [by, 3 * chance, limit].map((value) => value.toFixed(1))
  return `${what}: ${verdict}; ${mean.toFixed(0)}${unit && ` ${unit}`} on average, ${figures[0]} ± ${figures[1]} in ${seconds.toFixed(0)} s, limit ${figures[2]}`
}

function away(samples: readonly Sample[]): number {
  return Math.round((100 * samples.filter(({ pid }) => pid === 0).length) / Math.max(1, samples.length))
}

function count({ happened }: SoakResult, begin: string): number {
  return happened.filter(({ what }) => what.startsWith(begin)).length
}
