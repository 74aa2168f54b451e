/** Stores what an agent writes down before its context is closed; the next window starts with it. */
import { callByName, type EffortView } from '../../client/index.ts'
import { GantryError } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { isObject } from '../../core/is-object.ts'
import type { Input } from '../framework/define.ts'
import { parseJson, readStdin, readText } from '../framework/read.ts'
import { dim, plain } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import { told, which } from './effort.ts'
import { dehydrateExample } from './examples.ts'
import type * as commands from './index.ts'

export async function run({ args, flags, places }: Input<typeof commands.dehydrate>): Promise<number> {
  const payload = asMeant(await payloadOf(args.json, flags))
  const effort = (await send(places, flags, payload)) as EffortView & { readonly supervised: boolean }
  const next = effort.supervised
    ? 'Stop here: gantry run starts a fresh session, which goes on from this.'
    : 'Stop here: the next session on this effort begins with it (Claude Code: /clear, or start it again).'
  return told(flags.json, effort, `  ${dim('written down')}  ${countsOf(payload)}`, `  ${next}`)
}

type Flags = Input<typeof commands.dehydrate>['flags']

async function payloadOf(json: string, { from, task, notes, decision, file, next }: Flags): Promise<unknown> {
  const hint = `For example:\n${dehydrateExample}`
  if (task !== undefined || notes !== undefined || [decision, file, next].some(({ length }) => length > 0)) {
    if (from === undefined) return { task, decisions: decision, files: file, nextSteps: next, notes }
    throw usageError('Either --from, or --task, --decision, --file, --next and --notes.')
  }
  if (json !== '') return parseJson(json, 'The argument', hint)
  const isStdin = from === undefined || from === '-'
  const text = isStdin ? await readStdin() : readText(from)
  if (text.trim() === '') {
    const where = isStdin ? 'Nothing came on stdin' : `${plain(from)} is empty`
    throw usageError(`${where}. Say what the next window needs:\n${dehydrateExample}`)
  }
  return parseJson(text, isStdin ? 'What came on stdin' : plain(from), hint)
}

const LISTS = ['decisions', 'files', 'nextSteps'] as const

/** Accepts a text for a list, and next_steps for nextSteps: a window's work must not be lost over that. */
function asMeant(payload: unknown): unknown {
  if (!isObject(payload)) return payload
  const { next_steps, ...said }: Record<string, unknown> = payload
  if (next_steps !== undefined) said.nextSteps ??= next_steps
  for (const name of LISTS) if (typeof said[name] === 'string') said[name] = [said[name]]
  return said
}

async function send(places: Places, flags: Flags, payload: unknown): Promise<unknown> {
  try {
    return await callByName(places, 'effort.dehydrate', { ...which(flags), payload })
  } catch (error) {
    if (!(error instanceof GantryError) || !Array.isArray(error.details)) throw error
    const wrong = (error.details as readonly Issue[]).map((issue) => problemOf(issue, payload))
    if (flags.file.length > 0 && flags.task === undefined)
      wrong.push('--file names a file that matters, JSON is read with --from')
    throw new GantryError(
      'VALIDATION_ERROR',
      `Nothing was kept: ${wrong.join('; ')}. For example:\n${dehydrateExample}`,
      {
        cause: error,
      },
    )
  }
}

interface Issue {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly keys?: readonly string[]
}

const MEANING: Readonly<Record<string, string>> = {
  task: 'task is missing (what this is about)',
  nextSteps: 'nextSteps is missing (what is to be done next)',
}

function problemOf({ path, message, keys }: Issue, payload: unknown): string {
  const [name, ...deeper] = path.slice(1)
  const said = (payload ?? {}) as Record<string, unknown>
  if (keys) return `there is no place for ${keys.map((key) => `"${plain(key)}"`).join(', ')} (use notes)`
  if (name === undefined) return 'it must be a JSON object'
  const value = said[name]
  const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  if (isEmpty && deeper.length === 0 && MEANING[name]) return MEANING[name]
  return `${[name, ...deeper].join('.')}: ${message}`
}

function countsOf(payload: unknown): string {
  const { decisions, files, nextSteps } = payload as Record<string, readonly string[] | undefined>
  const count = (list: readonly string[] | undefined, what: string) =>
    `${list?.length ?? 0} ${what}${list?.length === 1 ? '' : 's'}`
  return [count(decisions, 'decision'), count(files, 'file'), count(nextSteps, 'next step')].join(', ')
}
