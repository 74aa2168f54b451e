/** Replays recorded files through the daemon's socket. */
import { createReadStream } from 'node:fs'
import { GantryError } from '../../core/errors.ts'
import { type Played, type PlayOptions, play, type RecordedLine, readLine } from '../../replay/index.ts'
import type { Input } from '../framework/define.ts'
import { numberedLines, refuseMissing } from '../framework/file-lines.ts'
import { type Progress, progressOf } from '../framework/progress.ts'
import { age, counted, dim, green, note, out } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import type * as commands from './index.ts'

const PREFIX = /^[A-Za-z0-9_.-]{0,32}$/

export async function run(input: Input<typeof commands.replay>): Promise<number> {
  const options = optionsOf(input)
  const files = input.args.file
  refuseMissing(files, ' Make one with: gantry record --out <file>')
  const total = (await Promise.all(files.map(countLines))).reduce((sum, lines) => sum + lines, 0)
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  const progress = total > 0 ? progressOf('events') : silent
  const bad: string[] = []
  let shown = 0
  const onPlayed = () => progress.at(++shown, total)
  const start = performance.now()
  const played = await Promise.all(
    files.map((file) => play(linesOf(file, bad), { ...options, signal: stop.signal, onPlayed })),
  ).finally(() => progress.end())
  return tell(input.flags.json, played, bad, performance.now() - start)
}

const silent: Progress = { at() {}, end() {} }

function optionsOf({ flags, places }: Input<typeof commands.replay>): PlayOptions {
  const { speed, 'max-gap': maxGapMs, 'session-prefix': prefix } = flags
  if (!PREFIX.test(prefix))
    throw usageError('--session-prefix takes up to 32 letters, digits, ".", "-" and "_".')
  return { places, speed, maxGapMs, prefix, asNow: flags['as-now'], keepOpen: flags['keep-open'] }
}

async function* linesOf(file: string, bad: string[]): AsyncGenerator<RecordedLine> {
  for await (const { text, where } of numberedLines(file)) {
    const read = readLine(text)
    if ('line' in read) yield read.line
    else bad.push(`${where} was left out: ${read.problem}`)
  }
}

/** For the progress bar. */
async function countLines(file: string): Promise<number> {
  if (file === '-') return 0
  let count = 0
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>)
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count += 1
  return count
}

function tell(json: boolean, played: readonly Played[], bad: readonly string[], ms: number): number {
  const sum = (pick: (one: Played) => number) => played.reduce((total, one) => total + pick(one), 0)
  const events = sum((one) => one.events)
  const sessions = sum((one) => one.sessions)
  const skipped = sum((one) => one.skipped) + bad.length
  const stopped = played.some((one) => one.stopped)
  if (bad.length > 0) {
    const more = bad.length > 1 ? `, and ${bad.length - 1} more like it` : ''
    note(`${bad[0]}${more}`)
  }
  if (events === 0 && bad.length > 0)
    throw new GantryError(
      'VALIDATION_ERROR',
      'Nothing was played. A recorded line is as docs/replay.md shows.',
    )
  if (json) out(JSON.stringify({ events, sessions, skipped, stopped }))
  else {
    const how = stopped ? 'stopped after' : 'played'
    out(
      `${green('●')} ${how} ${counted(events, 'event')} of ${counted(sessions, 'session')} ${dim(`in ${age(ms)}`)}`,
    )
  }
  return 0
}
