/** Starts an effort. */
import { resolve } from 'node:path'
import { call, type EffortBegun, type EffortView } from '../../client/index.ts'
import { GantryError } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { isObject } from '../../core/is-object.ts'
import { ordinal } from '../../core/text/text.ts'
import type { Input } from '../framework/define.ts'
import { parseJson } from '../framework/read.ts'
import { dim, plain, short, yellow } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import { told } from './effort.ts'
import type * as commands from './index.ts'

export async function run({ args, flags, places }: Input<typeof commands.start>): Promise<number> {
  const wanted = wantedEffort(args.skill, flags)
  const before = await activeHere(places, wanted.cwd)
  const effort = await call(places, 'effort.start', wanted)
  const shadowed = before && before.agentId === effort.agentId ? before : undefined
  return told(
    flags.json,
    effort,
    `  ${dim('files')}  ${plain(short(effort.taskId))}`,
    ...(shadowed
      ? [
          `  ${yellow('!')} effort ${shadowed.id} is still active here; sessions work on the newer one. Finish it with: gantry effort finish --effort ${shadowed.id}`,
        ]
      : []),
    ...keptTitle(wanted.title, effort),
    ...whom(effort),
    `  ${dim('next')}   gantry effort log "<what was done, what is next>"`,
  )
}

function keptTitle(wanted: string | undefined, { title }: EffortBegun): string[] {
  if (wanted === undefined || wanted === title) return []
  return [`  ${yellow('!')} the task is called "${plain(title)}" already; --title is for new ones`]
}

const MAX_NAMES = 5

/** Which sessions work on it, and which tool calls will be denied. */
function whom({ agentId, project, sessionsHere, settings }: EffortBegun): string[] {
  const inside = `in ${plain(short(project))}, in folders below it and in worktrees of it`
  const who =
    agentId === null ? `every session ${inside}` : `sessions with AGENT_ID=${plain(agentId)} ${inside}`
  const names = sessionsHere.slice(0, MAX_NAMES).map(plain).join(', ')
  const more = sessionsHere.length > MAX_NAMES ? ` and ${sessionsHere.length - MAX_NAMES} more` : ''
  const now = names === '' ? '' : ` (now: ${names}${more})`
  const { heartbeat_block: limit, heartbeat_denials: denials } = settings
  const denies =
    limit === 0
      ? 'nothing'
      : `the ${ordinal(limit)} tool call without a log, at most ${denials} in a row; never those of sub-agents`
  const change =
    limit === 0 ? '' : ` ${dim(`(other numbers: --meta '{"settings":{"heartbeat_block":0}}' never denies)`)}`
  return [`  ${dim('for')}    ${who}${now}`, `  ${dim('denies')} ${denies}${change}`]
}

const SKILL = /^[A-Za-z0-9][\w-]{0,63}$/
const META_EXAMPLE = `--meta '{"settings":{"heartbeat_block":20}}'`

function wantedEffort(skill: string, flags: Input<typeof commands.start>['flags']) {
  if (!SKILL.test(skill))
    throw usageError(
      `A skill is one word of letters, digits, - and _, not "${plain(skill)}". What it is about goes into --title.`,
    )
  const { title, phase, mode, task, keywords, meta, 'agent-id': agentId } = flags
  return {
    cwd: process.cwd(),
    skill,
    title,
    keywords: keywords
      ?.split(',')
      .map((word) => word.trim())
      .filter(Boolean),
    phase,
    mode,
    taskDir: task === undefined ? undefined : resolve(task),
    agentId,
    metadata: meta === undefined ? undefined : metadataOf(meta),
  }
}

function metadataOf(text: string): Record<string, unknown> {
  const value = parseJson(text, '--meta', `For example:\n${META_EXAMPLE}`)
  if (isObject(value)) return value
  throw usageError(`--meta takes a JSON object. For example: ${META_EXAMPLE}`)
}

async function activeHere(places: Places, cwd: string): Promise<EffortView | undefined> {
  try {
    return await call(places, 'effort.get', { cwd, messages: 0 })
  } catch (error) {
    if (error instanceof GantryError && error.code === 'VALIDATION_ERROR') return undefined // there is none
    throw error
  }
}
