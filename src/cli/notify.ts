/** Notifications: a message to try the channels with, and what people were told. */
import { type ChannelTest, call, type NotificationView } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/paths.ts'
import { type Command, countFlag, type Input } from './command.ts'
import { age, bold, cut, dim, green, out, plain, red, yellow } from './terminal.ts'

const MAX_LISTED = 2_000 // the daemon's own limit of one answer

const json = { type: 'boolean', help: 'Print as JSON' } as const
const TEST_LIMIT_MS = 70_000 // the longest a channel may take, and a little

export const notifyTest: Command = {
  name: 'notify test',
  summary: 'Send a test message to your channels, and show what came back',
  usage: '[channel] [--dry-run] [--json]',
  shows: 'config',
  takes: Infinity,
  options: { 'dry-run': { type: 'boolean', help: 'Only show what would be sent' }, json },
  examples: [
    { line: 'gantry notify test', does: 'Tries every channel; without one, shows how to set one up' },
    { line: 'gantry notify test phone', does: 'Tries one; exit 1 if it was not taken' },
  ],
  async run(input) {
    const [channel] = input.args
    if (input.args.length > 1) throw new GantryError('USAGE', 'Name one channel, or none for all of them.')
    const tested = await test(input, channel)
    if (input.flags.json === true) out(JSON.stringify(tested, null, 2))
    else if (tested.length === 0 && input.refused === undefined) out(howTo(input.places))
    else for (const one of tested) out(linesOf(one))
    return tested.length > 0 && tested.every(({ sent }) => sent !== false) ? 0 : 1
  },
}

export const notifyLog: Command = {
  name: 'notify log',
  summary: 'Show what you were told lately, and what was left out and why',
  usage: '[--limit n] [--json]',
  shows: 'config',
  options: {
    limit: { type: 'string', short: 'n', value: 'n', help: 'At most so many, newest first (default 50)' },
    json,
  },
  examples: [
    { line: 'gantry notify log', does: 'When, on which channel, what, and what became of it' },
    { line: 'gantry notify log -n 5 --json', does: 'The last five as JSON' },
  ],
  async run(input) {
    const told = await call(input.places, 'notify.log', {
      limit: countFlag(input, 'limit', 50, MAX_LISTED),
    })
    if (input.flags.json === true) out(JSON.stringify(told, null, 2))
    else if (told.length === 0) out('Nothing was told yet. "gantry notify test" tries your channels.')
    else for (const one of told) out(toldLine(one, Date.now()))
    return 0
  },
}

/** The terminal of this very shell stands in for that of an agent. */
async function test({ places, flags }: Input, channel: string | undefined): Promise<ChannelTest[]> {
  const { TMUX: tmux, TMUX_PANE: pane } = process.env
  const target = { ...(tmux && pane ? { tmux, pane } : {}), pid: process.ppid }
  const args = { send: flags['dry-run'] !== true, target, ...(channel === undefined ? {} : { channel }) }
  return await call(places, 'notify.test', args, { deadlineMs: TEST_LIMIT_MS })
}

function linesOf({ channel, kind, reasons, title, body, sent, detail, tookMs, notes }: ChannelTest): string {
  const mark = sent === null ? dim('·') : sent ? green('✓') : red('✗')
  const became = sent === null ? 'would send' : `${plain(detail)} in ${tookMs} ms`
  return [
    `${mark} ${bold(plain(channel))} (${kind}): ${became}`,
    `  ${dim(cut(plain(`${title} · ${body}`), 200))}`,
    `  ${dim(`tells: ${reasons.join(', ')}`)}`,
    ...notes.map((note) => `  ${yellow(plain(note))}`),
  ].join('\n')
}

function toldLine({ at, channel, reason, title, outcome, detail }: NotificationView, now: number): string {
  const colour = outcome === 'sent' ? green : outcome === 'failed' ? red : dim
  const when = `${age(Math.max(0, now - at))} ago`.padEnd(9)
  const became = detail === '' || outcome === 'sent' ? outcome : `${outcome} (${detail})`
  return `${dim(when)} ${plain(channel).padEnd(12)} ${reason.padEnd(11)} ${cut(plain(title), 60)}  ${colour(plain(became))}`
}

function howTo({ configFile }: Places): string {
  return `No channels yet, so nobody is told anything. Put one or more of these into
${configFile}, then run this again; docs/notify.md has the others:

  [[notify.channels]]
  name = "desk"
  kind = "desktop"

  [[notify.channels]]
  name = "bell"
  kind = "bell"

  [[notify.channels]]
  name = "phone"
  kind = "ntfy"
  topic = "choose-a-long-random-word"
  after_s = 60        # only what still waits after a minute`
}
