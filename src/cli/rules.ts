/** The rules in force, and what they would say. */
import { readFileSync } from 'node:fs'
import { call, DEFAULT_AGENT } from '../client/index.ts'
import { didYouMean } from '../core/closest.ts'
import { GantryError, messageOf } from '../core/errors.ts'
import type { Places } from '../core/paths.ts'
import { ruleProblems } from '../decisions/index.ts'
import { type Command, type Input, stringFlag } from './command.ts'
import { bold, cut, dim, green, out, plain, red, yellow } from './terminal.ts'

interface RuleText {
  readonly id: string
  readonly priority: number
  readonly on: string | readonly string[]
  readonly tool?: string
  readonly agent?: string
  readonly decision: string
  readonly reason?: string
}

const WHAT = ['list', 'check', 'test']

export const rules: Command = {
  name: 'rules',
  summary: 'List, check and try the rules that answer hooks',
  usage: 'list | check | test <payload.json>',
  takes: 2,
  shows: 'rules',
  options: {
    agent: { type: 'string', value: 'agent', help: 'Whose payload it is, for test (default claude)' },
    json: { type: 'boolean', help: 'Print as JSON' },
  },
  examples: [
    { line: 'gantry rules list', does: 'The rules in force, in the order they speak' },
    {
      line: 'gantry rules check',
      does: 'File, line and key of every mistake, also without the daemon; exit 1 when there is one',
    },
    {
      line: 'gantry rules test payload.json',
      does: 'The verdict on a payload and what the agent would be told',
    },
  ],
  async run(input) {
    const [what = 'list', file] = input.args
    const json = input.flags.json === true
    if (what === 'list') return list(input, json)
    if (what === 'check') return check(input.places)
    if (what === 'test' && file) return test(input.places, file, stringFlag(input, 'agent') ?? DEFAULT_AGENT)
    const guess = WHAT.includes(what) ? undefined : didYouMean(what, WHAT)
    const no =
      what === 'test' ? 'Name a payload.' : [`There is no "rules ${what}".`, guess].filter(Boolean).join(' ')
    throw new GantryError(
      'USAGE',
      `${no} Say one of: ${WHAT.join(', ')} <payload.json>. See: gantry rules --help`,
    )
  },
}

async function list({ places, refused }: Input, json: boolean): Promise<number> {
  const found = (await call(places, 'rules.list')) as RuleText[]
  if (json) {
    out(JSON.stringify(found, null, 2))
    return 0
  }
  if (found.length === 0 && refused === undefined)
    out(`No rules. Put some into ${places.rules}/*.yaml; docs/rules.md shows how.`)
  for (const rule of found) {
    const where = [[rule.on].flat().join(','), rule.agent, rule.tool].filter(Boolean).join(' ')
    const says = decisionColour(rule.decision)(rule.decision.padEnd(10))
    out(
      `${dim(String(rule.priority).padStart(4))}  ${bold(rule.id.padEnd(20))} ${says} ${plain(where)}  ${dim(cut(plain(rule.reason ?? ''), 60))}`,
    )
  }
  return 0
}

async function check(places: Places): Promise<number> {
  const problems = await ruleProblems(places.rules)
  for (const problem of problems) out(`${red('✗')} ${plain(problem)}`)
  if (problems.length === 0) out(`${green('✓')} the rules in ${plain(places.rules)} are good`)
  return problems.length === 0 ? 0 : 1
}

async function test(places: Places, file: string, agent: string): Promise<number> {
  let payload: unknown
  try {
    payload = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'))
  } catch (cause) {
    throw new GantryError('USAGE', `${file} is not a JSON payload: ${messageOf(cause)}`, { cause })
  }
  out(JSON.stringify(await call(places, 'rules.test', { agent, payload }), null, 2))
  return 0
}

function decisionColour(decision: string): (text: string) => string {
  if (decision === 'deny') return red
  if (decision === 'allow') return green
  return decision === 'none' ? dim : yellow
}
