/** Plays recorded files through the daemon's door: the same sessions again, and no agent needed. */
import { createReadStream, existsSync } from 'node:fs'
import { spanOf } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import { type Played, type PlayOptions, play, type RecordedLine, readLine } from '../replay/index.ts'
import { type Command, type Input, stringFlag } from './command.ts'
import { fileLines } from './file-lines.ts'
import { type Progress, progressOf } from './progress.ts'
import { age, counted, dim, green, note, out } from './terminal.ts'

const MAX_GAP = '3s' // longer than that nobody looks at a screen on which nothing happens
const PREFIX = /^[A-Za-z0-9_.-]{0,32}$/

export const replay: Command = {
  name: 'replay',
  summary: 'Play recorded sessions again',
  usage: '<file>… [--speed 10] [--max-gap 3s] [--as-now] [--session-prefix p] [--keep-open]',
  takes: Infinity,
  options: {
    speed: { type: 'string', value: 'n', help: 'So many times as fast (default 1); "max" waits for nothing' },
    'max-gap': {
      type: 'string',
      value: 'span',
      help: `The longest wait between two events (default ${MAX_GAP})`,
    },
    'as-now': { type: 'boolean', help: 'Events get the time at which they are played' },
    'session-prefix': { type: 'string', value: 'text', help: 'Session ids begin with this' },
    'keep-open': {
      type: 'boolean',
      help: 'Leave sessions as the recording leaves them, also if it stops halfway',
    },
    json: { type: 'boolean', help: 'Print what was played as JSON' },
  },
  examples: [
    { line: 'gantry replay yak.jsonl --speed 10 --as-now', does: 'Ten times as fast, as if it were now' },
    { line: 'gantry replay a.jsonl b.jsonl', does: 'Two recordings, side by side' },
    { line: 'gantry replay - --speed max < yak.jsonl', does: 'All at once, from stdin' },
  ],
  async run(input) {
    const options = optionsOf(input)
    const files = filesOf(input)
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
    return tell(input, played, bad, performance.now() - start)
  },
}

const silent: Progress = { at() {}, end() {} }

function optionsOf(input: Input): PlayOptions {
  const speed = stringFlag(input, 'speed') ?? '1'
  const gap = spanOf(stringFlag(input, 'max-gap') ?? MAX_GAP)
  const prefix = stringFlag(input, 'session-prefix') ?? ''
  const factor = speed === 'max' ? Number.POSITIVE_INFINITY : Number(speed)
  if (speed.trim() === '' || !(factor > 0))
    throw new GantryError('USAGE', `--speed takes a number above 0, or "max", not "${speed}".`)
  if (gap === undefined) throw new GantryError('USAGE', '--max-gap takes a time span: 0.5s, 3s, 1m.')
  if (!PREFIX.test(prefix))
    throw new GantryError('USAGE', '--session-prefix takes up to 32 letters, digits, ".", "-" and "_".')
  return {
    places: input.places,
    speed: factor,
    maxGapMs: gap,
    prefix,
    asNow: input.flags['as-now'] === true,
    keepOpen: input.flags['keep-open'] === true,
  }
}

function filesOf({ args }: Input): readonly string[] {
  if (args.length === 0) throw new GantryError('USAGE', 'Say which file. See: gantry replay --help')
  const missing = args.find((file) => file !== '-' && !existsSync(file))
  if (missing !== undefined)
    throw new GantryError('USAGE', `There is no file ${missing}. "gantry record --out ${missing}" makes one.`)
  return args
}

async function* linesOf(file: string, bad: string[]): AsyncGenerator<RecordedLine> {
  let number = 0
  for await (const text of fileLines(file)) {
    number += 1
    if (text.trim() === '') continue
    const read = readLine(text)
    if ('line' in read) yield read.line
    else bad.push(`${file}:${number} was left out: ${read.problem}`)
  }
}

/** For the bar alone. */
async function countLines(file: string): Promise<number> {
  if (file === '-') return 0
  let count = 0
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>)
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count += 1
  return count
}

function tell(input: Input, played: readonly Played[], bad: readonly string[], ms: number): number {
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
  if (input.flags.json) out(JSON.stringify({ events, sessions, skipped, stopped }))
  else {
    const how = stopped ? 'stopped after' : 'played'
    out(
      `${green('●')} ${how} ${counted(events, 'event')} of ${counted(sessions, 'session')} ${dim(`in ${age(ms)}`)}`,
    )
  }
  return 0
}
