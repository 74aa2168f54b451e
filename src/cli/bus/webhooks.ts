/** Lists the webhooks, and sends a test message to one. */
import { call, type WebhookStatus } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { tookWords } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import type { Input } from '../framework/define.ts'
import {
  age,
  bold,
  cut,
  dim,
  green,
  levelMark,
  out,
  outJson,
  outList,
  plain,
  red,
  yellow,
} from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import type * as commands from './index.ts'

export async function run({
  args,
  flags,
  places,
  refused,
}: Input<typeof commands.webhooks>): Promise<number> {
  if (args.name !== undefined) return test(places, args.name, flags.json)
  if (args.action !== undefined) throw usageError('Name a webhook: gantry bus webhooks test <name>')
  const found = await call(places, 'bus.webhooks')
  const none = 'No webhooks. Add a [[webhooks]] table to gantry.toml; docs/webhooks.md shows how.'
  const now = Date.now()
  return outList(flags.json, found, (one) => linesOf(one, now), refused === undefined ? none : undefined)
}

async function test(places: Places, name: string, json: boolean): Promise<number> {
  const answer = await call(places, 'bus.webhooks.test', { name })
  const isTaken = answer.kind === 'delivered'
  if (json) outJson(answer)
  else {
    const said = answer.status === undefined ? answer.error : `HTTP ${answer.status}`
    out(
      `${levelMark(isTaken ? 'ok' : 'fail')} ${plain(name)}: ${plain(said ?? '')} in ${tookWords(answer.tookMs)}`,
    )
    if (answer.error === 'ECONNREFUSED') out('Is anything listening at that address?')
    if (answer.answer !== '') out(dim(cut(plain(answer.answer), 400)))
  }
  return isTaken ? 0 : 1
}

function linesOf(webhook: WebhookStatus, now: number): string {
  const { name, url, stream, filter, state, problem, lastStatus, lastError, lastAt, nextAttemptAt } = webhook
  const when = lastAt === null ? 'nothing sent yet' : `${age(now - lastAt)} ago`
  const last = lastAt === null ? when : `${lastStatus === null ? lastError : `HTTP ${lastStatus}`}, ${when}`
  const next =
    nextAttemptAt === null || nextAttemptAt <= now ? '' : `, next try in ${age(nextAttemptAt - now)}`
  const wants = filter.length === 0 ? stream : filter.join(' ')
  const counts = [
    `${webhook.delivered} delivered`,
    `${webhook.backlog} in the backlog`,
    ...some(webhook.waiting, `${webhook.waiting} to be tried again`),
    ...some(webhook.failed, counted(webhook.failed, 'failure')),
    ...some(webhook.rejected, `${webhook.rejected} rejected`),
    ...some(webhook.dead, `${webhook.dead} given up`),
    ...some(webhook.missed, `${webhook.missed} missed`),
  ]
  return [
    `${bold(plain(name))}  ${stateColour(state)(state)}  ${plain(last)}${next}`,
    `  ${dim(plain(`${url}  ${wants}`))}`,
    `  ${counts.join(', ')}`,
    ...(problem === null ? [] : [`  ${red(plain(problem))}`]),
  ].join('\n')
}

function some(count: number, words: string): string[] {
  return count > 0 ? [words] : []
}

function stateColour(state: WebhookStatus['state']): (text: string) => string {
  if (state === 'ok') return green
  if (state === 'failing') return red
  return state === 'off' ? dim : yellow
}
