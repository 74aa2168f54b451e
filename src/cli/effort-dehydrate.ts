/** What an agent writes down before its context is closed; the next window begins with it. */
import { readFileSync } from 'node:fs'
import { callByName, type EffortView } from '../client/index.ts'
import { GantryError, messageOf } from '../core/errors.ts'
import { type Command, type Input, listFlag, stringFlag } from './command.ts'
import { parsedJson, told, WHICH_OPTIONS, which } from './effort.ts'
import { readStdin } from './stdin.ts'
import { dim, plain } from './terminal.ts'

const EXAMPLE_JSON =
  '{"task":"Search","decisions":["FTS5: it is there already"],"files":["src/search.ts"],"nextSteps":["rank the hits"]}'
const EXAMPLE = `gantry effort dehydrate <<'EOF'\n${EXAMPLE_JSON}\nEOF`
const EXAMPLE_FLAGS =
  'gantry effort dehydrate --task "Search" --decision "FTS5: it is there already" --file src/search.ts --next "rank the hits"'

export const effortDehydrate: Command = {
  name: 'effort dehydrate',
  summary: 'Write down what the next context window needs',
  usage: '[--from <file> | --task <text> --next <text> …] [--effort <id>]',
  takes: Infinity,
  options: {
    from: { type: 'string', value: 'file', help: 'Read the JSON from this file instead of stdin' },
    task: { type: 'string', value: 'text', help: 'Without JSON: what this is about' },
    decision: {
      type: 'string',
      value: 'text',
      multiple: true,
      help: 'What was decided, and why; any number',
    },
    file: { type: 'string', value: 'path', multiple: true, help: 'A file that matters; any number' },
    next: { type: 'string', value: 'text', multiple: true, help: 'What is to be done next; any number' },
    notes: { type: 'string', value: 'text', help: 'Whatever else the next window should know' },
    ...WHICH_OPTIONS,
  },
  examples: [
    { line: EXAMPLE.replaceAll('\n', '\n  '), does: 'As JSON on stdin; task and nextSteps must be there' },
    { line: EXAMPLE_FLAGS, does: 'The same without JSON' },
  ],
  async run(input) {
    const payload = asMeant(await payloadOf(input))
    const effort = (await send(input, payload)) as EffortView & { readonly supervised: boolean }
    const next = effort.supervised
      ? 'Stop here: gantry run starts a fresh session, which goes on from this.'
      : 'Stop here: the next session on this effort begins with it (Claude Code: /clear, or start it again).'
    return told(input, effort, `  ${dim('written down')}  ${countsOf(payload)}`, `  ${next}`)
  },
}

async function payloadOf(input: Input): Promise<unknown> {
  const plainly = ['task', 'decision', 'file', 'next', 'notes'].some(
    (name) => input.flags[name] !== undefined,
  )
  const from = stringFlag(input, 'from')
  if (plainly && from !== undefined)
    throw new GantryError('USAGE', 'Either --from, or --task, --decision, --file, --next and --notes.')
  if (plainly) return fromFlags(input)
  if (input.args.length > 0) return parsedJson(input.args.join(' '), 'The argument', EXAMPLE)
  const text = from === undefined || from === '-' ? await readStdin() : readText(from)
  if (text.trim() === '') {
    const where = from === undefined || from === '-' ? 'Nothing came on stdin' : `${plain(from)} is empty`
    throw new GantryError('USAGE', `${where}. Say what the next window needs:\n${EXAMPLE}`)
  }
  return parsedJson(text, from === undefined ? 'What came on stdin' : plain(from), EXAMPLE)
}

function fromFlags(input: Input): unknown {
  const task = stringFlag(input, 'task')
  const notes = stringFlag(input, 'notes')
  return {
    ...(task === undefined ? {} : { task }),
    decisions: listFlag(input, 'decision'),
    files: listFlag(input, 'file'),
    nextSteps: listFlag(input, 'next'),
    ...(notes === undefined ? {} : { notes }),
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new GantryError('USAGE', `Cannot read ${plain(file)}: ${messageOf(cause)}`, { cause })
  }
}

const LISTS = ['decisions', 'files', 'nextSteps'] as const

/** One text where a list is due is a list of one, and snake_case is no reason to lose a window's work. */
function asMeant(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return payload
  const { next_steps, ...said } = payload as Record<string, unknown>
  if (next_steps !== undefined) said.nextSteps ??= next_steps
  for (const name of LISTS) if (typeof said[name] === 'string') said[name] = [said[name]]
  return said
}

async function send(input: Input, payload: unknown): Promise<unknown> {
  try {
    return await callByName(input.places, 'effort.dehydrate', { ...which(input), payload })
  } catch (error) {
    if (!(error instanceof GantryError) || !Array.isArray(error.details)) throw error
    const wrong = (error.details as readonly Issue[]).map((issue) => problemOf(issue, payload))
    if (input.flags.file !== undefined && input.flags.task === undefined)
      wrong.push('--file names a file that matters, JSON is read with --from')
    throw new GantryError(
      'VALIDATION_ERROR',
      `Nothing was kept: ${wrong.join('; ')}. For example:\n${EXAMPLE}`,
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
