/** Lists, checks, tests and trusts rules, and scores the guards. */
import { refuseInsideAgent } from '../../agents/inside-agent.ts'
import { approvalKey, call, callByName, DEFAULT_AGENT, type RuleView } from '../../client/index.ts'
import { GantryError } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { isObject } from '../../core/is-object.ts'
import { counted } from '../../core/text/text.ts'
import { loadConfig } from '../../daemon/config/config.ts'
import type { Preset, Score } from '../../decisions/guards/index.ts'
import { partsOfFiles, ruleProblems, tryRules } from '../../decisions/index.ts'
import {
  type ProjectState,
  parseProject,
  projectAround,
  proofOf,
  readProject,
  readTrusted,
  rulesJsonSchema,
  stateOf,
  stateWords,
} from '../../decisions/rules/index.ts'
import { ask, canAsk } from '../agents/changes.ts'
import { isAway } from '../framework/daemon.ts'
import type { Input } from '../framework/define.ts'
import { parseJson, readStdin, readText } from '../framework/read.ts'
import {
  bold,
  cut,
  dim,
  green,
  note,
  out,
  outJson,
  outList,
  plain,
  red,
  yellow,
} from '../framework/terminal.ts'
import { hitsOf } from './guards.ts'
import type * as commands from './index.ts'

export async function run({ args, flags, places, refused }: Input<typeof commands.rules>): Promise<number> {
  const { action = 'list', payload } = args
  if ((action === 'list' || action === 'check' || action === 'schema') && payload !== undefined)
    throw new GantryError('USAGE', `"gantry rules ${action}" takes no argument. See: gantry rules --help`)
  switch (action) {
    case 'list':
      return list(places, flags.json, refused !== undefined)
    case 'check':
      return check(places)
    case 'schema':
      return outJson(await rulesJsonSchema())
    case 'trust':
      return trust(places, payload)
    case 'untrust':
      return untrust(places, payload)
    case 'test':
      return test(places, payload, flags.command, flags.agent ?? DEFAULT_AGENT)
    case 'score':
      return score(named(payload, 'corpus'), flags.preset ?? 'standard', flags.json)
  }
}

function named(file: string | undefined, what: string): string {
  if (file === undefined) throw new GantryError('USAGE', `Name a ${what}. See: gantry rules --help`)
  return file
}

async function list(places: Places, json: boolean, isRefused: boolean): Promise<number> {
  const hits = await hitsOf(places, 'rule')
  const found = (await call(places, 'rules.list')).map((rule) => ({ ...rule, hits: hits?.get(rule.id) ?? 0 }))
  const none = isRefused
    ? undefined
    : `No rules. Put some into ${places.rules}/*.yaml; docs/rules.md shows how.`
  const exit = outList(json, found, ruleLine, none)
  if (!json) for (const one of projectsHere(places)) if (one.state !== 'trusted') out(yellow(stateWords(one)))
  return exit
}

/** The project of this folder and all that are trusted, if they have rules. */
function projectsHere(places: Places): ProjectState[] {
  const here = projectAround(process.cwd())
  const trusted = readTrusted(places.rules, () => approvalKey(places))
  const roots = new Set([...(here === undefined ? [] : [here]), ...trusted.keys()])
  return [...roots].flatMap((root) => stateOf(root, trusted) ?? [])
}

function ruleLine({ id, priority, on, agent, tool, decision, reason, hits }: Listed): string {
  const where = [[on].flat().join(','), agent, tool].filter(Boolean).join(' ')
  const says = decisionColour(decision)(decision.padEnd(10))
  const why = dim(cut(plain(reason ?? ''), 60))
  return `${dim(String(priority).padStart(4))}  ${bold(id.padEnd(20))} ${says} ${String(hits).padStart(5)}  ${plain(where)}  ${why}`
}

/** With how often it applied. */
type Listed = RuleView & { readonly hits: number }

/** The owner's rules, and those of the project around this folder. Needs no daemon. */
async function check(places: Places): Promise<number> {
  const problems = await ruleProblems(places.rules)
  const projects = await projectsHere(places)
  for (const one of projects) if (one.state === 'refused') problems.push(...one.why.split('\n'))
  for (const problem of problems) out(`${red('✗')} ${plain(problem)}`)
  if (problems.length > 0) return 1
  out(`${green('✓')} the rules in ${plain(places.rules)} are good`)
  for (const one of projects) {
    const isGood = one.state === 'trusted'
    out(`${isGood ? green('✓') : yellow('!')} ${plain(stateWords(one))}`)
  }
  return 0
}

/** By the daemon, which knows sessions and repositories; without one, by the files alone. */
async function test(
  places: Places,
  file: string | undefined,
  command: string | undefined,
  agent: string,
): Promise<number> {
  const args =
    command === undefined
      ? { agent, payload: await payloadIn(named(file, 'payload')) }
      : { agent, command, cwd: process.cwd() }
  try {
    return outJson(await callByName(places, 'rules.test', args))
  } catch (error) {
    if (!isAway(error)) throw error
    note('The daemon does not run, so nothing is known of sessions.')
    const { config } = await loadConfig(places.configFile)
    return outJson(tryRules(await partsOfFiles(places, config.guards, () => approvalKey(places)), args))
  }
}

async function payloadIn(file: string): Promise<Record<string, unknown>> {
  const text = file === '-' ? await readStdin() : readText(file)
  const payload = parseJson(text, plain(file), 'See: gantry rules --help')
  if (isObject(payload)) return payload
  throw new GantryError('USAGE', `${plain(file)} holds no JSON object. See: gantry rules --help`)
}

/** Shows the rules of a project, and asks the person at the terminal. */
async function trust(places: Places, folder = process.cwd()): Promise<number> {
  refuseInsideAgent() // the daemon refuses it, too
  const root = projectOf(folder)
  const project = readProject(root)
  if (project === undefined) throw new GantryError('USAGE', `${root} has no rules in .gantry/rules/*.yaml.`)
  const rules = await parseProject(project)
  for (const { path, text } of project.files) out(`${bold(plain(path))}\n${plainLines(text)}`)
  if (!canAsk())
    throw new GantryError(
      'USAGE',
      'A person has to agree, at a terminal. Run this in a terminal of your own.',
    )
  const answer = await ask(`${bold(`Trust these ${counted(rules.length, 'rule')} as they stand?`)} [y/N] `)
  if (!/^y(es)?$/i.test(answer)) {
    out('Nothing was written.')
    return 1
  }
  const { hash } = project
  await call(places, 'rules.trust', { root, hash, proof: proofOf(approvalKey(places), root, hash) })
  out(`${green('✓')} The rules of ${plain(root)} apply as you have just read them.`)
  return 0
}

async function untrust(places: Places, folder = process.cwd()): Promise<number> {
  refuseInsideAgent()
  const root = projectOf(folder)
  await call(places, 'rules.untrust', { root })
  out(`The rules of ${plain(root)} do not apply any more.`)
  return 0
}

function projectOf(folder: string): string {
  const root = projectAround(folder)
  if (root === undefined) throw new GantryError('USAGE', `${folder} is not in a git repository.`)
  return root
}

/** Control characters could hide a line from the reader. */
function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n')
}

const SHOWN_MISSES = 20
const SHOWN_ASKED = 10

/** Needs no daemon. */
async function score(file: string, preset: Preset, asJson: boolean): Promise<number> {
  const { scoreCorpus } = await import('../../decisions/guards/index.ts')
  const text = file === '-' ? await readStdin() : readText(file)
  const found = scoreCorpus(text, { preset })
  const { blocked, allowed, notSafe, unlabelled, asLabelled, p50Ms, p99Ms } = found
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
    outMisses(found.misses, red('✗'), SHOWN_MISSES)
    outMisses(found.askedHarmless, yellow('? harmless,'), SHOWN_ASKED)
    outMisses(found.onlyAsked, yellow('? to deny,'), SHOWN_ASKED)
  }
  return 0
}

function outMisses(misses: Score['misses'], mark: string, most: number): void {
  for (const { line, said, guard, command } of misses.slice(0, most))
    out(`${mark} ${line}: ${said}${guard === undefined ? '' : ` by ${guard}`}: ${cut(plain(command), 100)}`)
  if (misses.length > most) out(dim(`… and ${misses.length - most} more; --json prints all`))
}

function decisionColour(decision: string): (text: string) => string {
  if (decision === 'deny') return red
  if (decision === 'allow') return green
  return decision === 'none' ? dim : yellow
}
