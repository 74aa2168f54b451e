/** What rules and guards say to a command or a payload. */
import { AGENT_NAMES, approvalKey, call, DEFAULT_AGENT } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { isObject } from '../../core/is-object.ts'
import { whichOf } from '../../core/text/closest.ts'
import { loadConfig } from '../../daemon/config/config.ts'
import { partsOfFiles, tryRules } from '../../decisions/index.ts'
import type { RuleTrial, RuleTrialArgs } from '../../rpc/index.ts'
import { isAway } from '../framework/daemon.ts'
import type { Input } from '../framework/define.ts'
import { parseJson, readInput } from '../framework/read.ts'
import { bold, note, out, outJson, plain } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import type * as commands from './index.ts'
import { signOf, verdictWords } from './why-lines.ts'

export async function run({ args, flags, places }: Input<typeof commands.rulesTest>): Promise<number> {
  const { agent = DEFAULT_AGENT, command, rules } = flags
  if (!AGENT_NAMES.includes(agent as never))
    throw usageError(`There is no agent "${plain(agent)}". ${whichOf(agent, AGENT_NAMES)}`)
  if ((command === undefined) === (args.payload === undefined))
    throw usageError('Name a payload or a --command, and only one of them. See: gantry rules test --help')
  const asked: RuleTrialArgs =
    command === undefined
      ? { agent, payload: await payloadIn(args.payload ?? '') }
      : { agent, command, cwd: process.cwd() }
  const trial = rules === undefined ? await byDaemon(places, asked) : await byFiles(places, asked, rules)
  if (flags.json || !process.stdout.isTTY) return outJson(trial)
  for (const line of trialLines(trial)) out(line)
  return 0
}

/** It knows sessions and repositories; without it, the files alone decide. */
async function byDaemon(places: Places, args: RuleTrialArgs): Promise<RuleTrial> {
  try {
    return await call(places, 'rules.test', args)
  } catch (error) {
    if (!isAway(error)) throw error
    note('The daemon does not run, so nothing is known of sessions.')
    return byFiles(places, args)
  }
}

async function byFiles(places: Places, args: RuleTrialArgs, rules?: string): Promise<RuleTrial> {
  const { config } = await loadConfig(places.configFile)
  return tryRules(await partsOfFiles(places, config.guards, () => approvalKey(places), rules), args)
}

function* trialLines({ verdict, rules, guards, reply, degraded }: RuleTrial): Generator<string> {
  yield verdictWords(verdict)
  for (const { id, judged, why } of rules)
    yield `${signOf(judged)} rule ${bold(plain(id))}  ${judged}${why ? `: ${plain(why)}` : ''}`
  for (const { id, mode, found } of guards)
    yield `${signOf('matched')} guard ${bold(id)}  ${mode}: ${plain(found)}`
  const { stdout, stderr, exit } = reply as { stdout: string; stderr: string; exit: number }
  const said = [stdout, stderr].filter(Boolean).map(plain).join(' ')
  yield `reply  ${said || 'nothing'}${exit === 0 ? '' : `, exit ${exit}`}`
  if (Array.isArray(degraded) && degraded.length > 0)
    yield `The agent cannot be told ${degraded.join(', ')} there; docs/verdicts.md has what it can be told.`
}

async function payloadIn(file: string): Promise<Record<string, unknown>> {
  const text = await readInput(file)
  const what = file === '-' ? 'stdin' : plain(file)
  const payload = parseJson(text, what, 'See: gantry rules test --help')
  if (isObject(payload)) return payload
  throw usageError(`${what} holds no JSON object. See: gantry rules test --help`)
}
