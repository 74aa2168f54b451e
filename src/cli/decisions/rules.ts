/** Lists, checks and tests the rules. */
import { call, callByName, DEFAULT_AGENT, type RuleView } from '../../client/index.ts'
import { GantryError } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { ruleProblems } from '../../decisions/index.ts'
import type { Input } from '../framework/define.ts'
import { parseJson, readStdin, readText } from '../framework/read.ts'
import { bold, cut, dim, green, out, outJson, outList, plain, red, yellow } from '../framework/terminal.ts'
import type * as commands from './index.ts'

export async function run({ args, flags, places, refused }: Input<typeof commands.rules>): Promise<number> {
  const { action = 'list', payload } = args
  if (action !== 'test' && payload !== undefined)
    throw new GantryError('USAGE', `"gantry rules ${action}" takes no argument. See: gantry rules --help`)
  if (action === 'list') return list(places, flags.json, refused !== undefined)
  if (action === 'check') return check(places)
  if (payload === undefined) throw new GantryError('USAGE', 'Name a payload. See: gantry rules --help')
  return test(places, payload, flags.agent ?? DEFAULT_AGENT)
}

async function list(places: Places, json: boolean, isRefused: boolean): Promise<number> {
  const found = await call(places, 'rules.list')
  const none = isRefused
    ? undefined
    : `No rules. Put some into ${places.rules}/*.yaml; docs/rules.md shows how.`
  return outList(json, found, ruleLine, none)
}

function ruleLine({ id, priority, on, agent, tool, decision, reason }: RuleView): string {
  const where = [[on].flat().join(','), agent, tool].filter(Boolean).join(' ')
  const says = decisionColour(decision)(decision.padEnd(10))
  const why = dim(cut(plain(reason ?? ''), 60))
  return `${dim(String(priority).padStart(4))}  ${bold(id.padEnd(20))} ${says} ${plain(where)}  ${why}`
}

async function check(places: Places): Promise<number> {
  const problems = await ruleProblems(places.rules)
  for (const problem of problems) out(`${red('✗')} ${plain(problem)}`)
  if (problems.length === 0) out(`${green('✓')} the rules in ${plain(places.rules)} are good`)
  return problems.length === 0 ? 0 : 1
}

async function test(places: Places, file: string, agent: string): Promise<number> {
  const text = file === '-' ? await readStdin() : readText(file)
  const payload = parseJson(text, plain(file), 'See: gantry rules --help')
  outJson(await callByName(places, 'rules.test', { agent, payload }))
  return 0
}

function decisionColour(decision: string): (text: string) => string {
  if (decision === 'deny') return red
  if (decision === 'allow') return green
  return decision === 'none' ? dim : yellow
}
