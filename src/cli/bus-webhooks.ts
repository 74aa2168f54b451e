/** The webhooks: how each is doing, and one message to try it with. */

import { call, type WebhookStatus } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/paths.ts'
import { counted } from '../core/text.ts'
import type { Command } from './command.ts'
import { age, bold, cut, dim, green, out, plain, red, yellow } from './terminal.ts'

export const busWebhooks: Command = {
  name: 'bus webhooks',
  summary: 'Show the webhooks, and try one',
  usage: '[test <name>] [--json]',
  takes: 2,
  shows: 'config',
  options: { json: { type: 'boolean', help: 'Print as JSON' } },
  examples: [
    { line: 'gantry bus webhooks', does: 'State, last answer, backlog and failures of each' },
    {
      line: 'gantry bus webhooks test ci',
      does: 'Sends one test message and shows the answer; exit 1 if it was not taken',
    },
  ],
  async run({ args, flags, places, refused }) {
    const [what, name] = args
    const json = flags.json === true
    if (what === undefined) return list(places, json, refused !== undefined)
    if (what === 'test' && name !== undefined && args.length === 2) return test(places, name, json)
    throw new GantryError('USAGE', 'Say nothing more, or: test <name>. See: gantry bus webhooks --help')
  },
}

async function list(places: Places, json: boolean, isRefused: boolean): Promise<number> {
  const found = await call(places, 'bus.webhooks')
  if (json) {
    out(JSON.stringify(found, null, 2))
    return 0
  }
  if (found.length === 0 && !isRefused)
    out('No webhooks. Add a [[webhooks]] table to gantry.toml; docs/webhooks.md shows how.')
  for (const webhook of found) out(linesOf(webhook, Date.now()))
  return 0
}

async function test(places: Places, name: string, json: boolean): Promise<number> {
  const answer = await call(places, 'bus.webhooks.test', { name })
  const isTaken = answer.kind === 'delivered'
  if (json) out(JSON.stringify(answer, null, 2))
  else {
    const said = answer.status === undefined ? answer.error : `HTTP ${answer.status}`
    out(`${isTaken ? green('✓') : red('✗')} ${plain(name)}: ${plain(said ?? '')} in ${answer.tookMs} ms`)
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
