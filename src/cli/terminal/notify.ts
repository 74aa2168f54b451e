/** Tests the notification channels, and lists recent notifications. */
import { type ChannelTest, call, type NotificationRow } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { tookWords } from '../../core/text/amount.ts'
import type { Input } from '../framework/define.ts'
import {
  ago,
  bold,
  cut,
  dim,
  green,
  levelMark,
  out,
  outJson,
  outList,
  paragraph,
  plain,
  red,
  yellow,
} from '../framework/terminal.ts'
import type * as commands from './index.ts'

const TEST_LIMIT_MS = 70_000 // the longest a channel may take, and a little

export async function test(input: Input<typeof commands.notifyTest>): Promise<number> {
  const tested = await tried(input)
  if (input.flags.json) outJson(tested)
  else if (tested.length === 0 && input.refused === undefined) out(howTo(input.places))
  else for (const one of tested) out(linesOf(one))
  return tested.length > 0 && tested.every(({ sent }) => sent !== false) ? 0 : 1
}

export async function log({ flags, places }: Input<typeof commands.notifyLog>): Promise<number> {
  const told = await call(places, 'notify.log', { limit: flags.limit })
  const none = 'Nothing was told yet. "gantry notify test" tries your channels.'
  return outList(flags.json, told, toldLine, none)
}

/** Uses the terminal of this shell in place of an agent's. */
async function tried({
  args: { channel },
  flags,
  places,
}: Input<typeof commands.notifyTest>): Promise<ChannelTest[]> {
  const { TMUX: tmux, TMUX_PANE: pane } = process.env
  const target = { ...(tmux && pane ? { tmux, pane } : {}), pid: process.ppid }
  const args = { send: !flags['dry-run'], target, channel }
  return await call(places, 'notify.test', args, { deadlineMs: TEST_LIMIT_MS })
}

function linesOf({ channel, kind, reasons, title, body, sent, detail, tookMs, notes }: ChannelTest): string {
  const mark = sent === null ? dim('·') : levelMark(sent ? 'ok' : 'fail')
  const became = sent === null ? 'would send' : `${plain(detail)} in ${tookWords(tookMs)}`
  return [
    `${mark} ${bold(plain(channel))} (${kind}): ${became}`,
    `  ${dim(cut(plain(`${title} · ${body}`), 200))}`,
    `  ${dim(`tells: ${reasons.join(', ')}`)}`,
    ...notes.map((note) => `  ${yellow(plain(note))}`),
  ].join('\n')
}

function toldLine({ at, channel, reason, title, outcome, detail }: NotificationRow): string {
  const colour = outcome === 'sent' ? green : outcome === 'failed' ? red : dim
  const when = ago(at).padEnd(9)
  const head = [dim(when), plain(channel).padEnd(12), reason.padEnd(11), colour(outcome.padEnd(7)), '']
  const why = detail === '' || outcome === 'sent' ? '' : ` (${plain(detail)})`
  return paragraph(head.join(' '), `${cut(plain(title), 60)}${why}`)
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
