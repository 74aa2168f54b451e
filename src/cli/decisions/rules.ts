/** Lists and checks rules. */
import { existsSync } from 'node:fs'
import { approvalKey, call, type RuleView } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { projectAround } from '../../core/files/project.ts'
import { counted } from '../../core/text/text.ts'
import { checkRules, filesAt } from '../../decisions/index.ts'
import {
  type ProjectState,
  readTrusted,
  rulesJsonSchema,
  stateOf,
  stateWords,
} from '../../decisions/rules/index.ts'
import type { Input } from '../framework/define.ts'
import { bold, cut, dim, green, out, outJson, outList, plain, red, yellow } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import { hitsOf } from './guards.ts'
import type * as commands from './index.ts'

export async function run({
  args: { action = 'list' },
  flags,
  places,
  refused,
}: Input<typeof commands.rules>): Promise<number> {
  if (action !== 'list') throw usageError(`It is: gantry rules ${action}`)
  return list(places, flags.json, refused !== undefined)
}

export async function schema(): Promise<number> {
  return outJson(await rulesJsonSchema())
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

function ruleLine({ id, priority, on, agent, tool, reason, hits, warnings = [], ...rule }: Listed): string {
  const decision = deedOf(rule)
  const where = [[on].flat().join(','), agent, tool].filter(Boolean).join(' ')
  const says = decisionColour(decision)(decision.padEnd(10))
  const why = dim(cut(plain(reason ?? ''), 60))
  const line = `${dim(String(priority).padStart(4))}  ${bold(id.padEnd(20))} ${says} ${String(hits).padStart(5)}  ${plain(where)}  ${why}`
  return [line, ...warnings.map((warning) => `      ${yellow('!')} ${plain(warning)}`)].join('\n')
}

/** What it does, where that is no decision. */
function deedOf({ decision, input, context, systemMessage }: Partial<RuleView>): string {
  if (decision !== undefined && decision !== 'none') return decision
  return input ? 'rewrite' : context ? 'context' : systemMessage ? 'notify' : 'none'
}

/** With how often it applied. */
type Listed = RuleView & { readonly hits: number }

/** A draft, or the owner's rules and those of the project around this folder. Needs no daemon. */
export async function check({ args, flags, places }: Input<typeof commands.rulesCheck>): Promise<number> {
  const { file } = args
  const isDraft = file !== undefined
  const files = isDraft ? filesAt(file) : existsSync(places.rules) ? filesAt(places.rules) : []
  const { problems, warnings } = await checkRules(files)
  const projects = isDraft ? [] : await projectsHere(places)
  for (const one of projects) if (one.state === 'refused') problems.push(...one.why.split('\n'))
  const exit = problems.length > 0 ? 1 : 0
  if (flags.json) return outJson({ files, problems, warnings, projects }) || exit
  for (const problem of problems) out(`${red('✗')} ${plain(problem)}`)
  for (const warning of warnings) out(`${yellow('!')} ${plain(warning)}`)
  if (exit > 0) return exit
  const but = warnings.length === 0 ? '' : `, but see the ${counted(warnings.length, 'warning')} above`
  out(`${green('✓')} the rules in ${plain(file ?? places.rules)} are good${but}`)
  for (const one of projects) {
    const isGood = one.state === 'trusted'
    out(`${isGood ? green('✓') : yellow('!')} ${plain(stateWords(one))}`)
  }
  return 0
}

function decisionColour(decision: string): (text: string) => string {
  if (decision === 'deny') return red
  if (decision === 'allow') return green
  return decision === 'none' ? dim : yellow
}
