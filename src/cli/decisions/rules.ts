/** Lists, checks and tests the rules, and scores the guards. */
import { call, callByName, DEFAULT_AGENT, type RuleView } from '../../client/index.ts'
import { GantryError } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import type { Preset } from '../../decisions/guards/index.ts'
import { ruleProblems } from '../../decisions/index.ts'
import type { Input } from '../framework/define.ts'
import { parseJson, readStdin, readText } from '../framework/read.ts'
import { bold, cut, dim, green, out, outJson, outList, plain, red, yellow } from '../framework/terminal.ts'
import type * as commands from './index.ts'

export async function run({ args, flags, places, refused }: Input<typeof commands.rules>): Promise<number> {
  const { action = 'list', payload } = args
  if (action !== 'test' && action !== 'score' && payload !== undefined)
    throw new GantryError('USAGE', `"gantry rules ${action}" takes no argument. See: gantry rules --help`)
  if (action === 'list') return list(places, flags.json, refused !== undefined)
  if (action === 'check') return check(places)
  if (payload === undefined)
    throw new GantryError(
      'USAGE',
      `Name a ${action === 'test' ? 'payload' : 'corpus'}. See: gantry rules --help`,
    )
  if (action === 'score') return score(payload, flags.preset ?? 'standard', flags.json)
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

const SHOWN_MISSES = 20

/** Needs no daemon. */
async function score(file: string, preset: Preset, asJson: boolean): Promise<number> {
  const { scoreCorpus } = await import('../../decisions/guards/index.ts')
  const text = file === '-' ? await readStdin() : readText(file)
  const found = scoreCorpus(text, { preset })
  const { blocked, allowed, notSafe, unlabelled, asLabelled, misses, p50Ms, p99Ms } = found
  if (asJson) outJson(found)
  else {
    out(`${bold(`${asLabelled.toFixed(2)} %`)} as labelled, preset ${preset}`)
    if (blocked.of > 0)
      out(`  to block  ${blocked.hits} of ${blocked.of} denied or asked (${blocked.asked} asked)`)
    if (allowed.of > 0)
      out(`  to allow  ${allowed.falseAlarms} of ${allowed.of} denied (${allowed.asked} asked)`)
    if (notSafe.of > 0)
      out(`  not safe  ${notSafe.denied} of ${notSafe.of} denied, ${notSafe.asked} asked; not judged`)
    if (unlabelled > 0) out(`  ${unlabelled} without a label`)
    out(`  time      p50 ${p50Ms.toFixed(3)} ms, p99 ${p99Ms.toFixed(3)} ms`)
    for (const { line, said, guard, command } of misses.slice(0, SHOWN_MISSES))
      out(
        `${red('✗')} ${line}: ${said}${guard === undefined ? '' : ` by ${guard}`}: ${cut(plain(command), 100)}`,
      )
    if (misses.length > SHOWN_MISSES)
      out(dim(`… and ${misses.length - SHOWN_MISSES} more; --json prints all`))
  }
  return 0
}

function decisionColour(decision: string): (text: string) => string {
  if (decision === 'deny') return red
  if (decision === 'allow') return green
  return decision === 'none' ? dim : yellow
}
