/** What differs: between two versions, from a baseline, or from what was expected of the payloads that came. */
import { call, DEFAULT_AGENT } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import {
  Baselines,
  type Difference,
  diffPairs,
  diffVersions,
  type Expected,
  expectedOf,
  SHIPPED,
  type Shape,
  together,
} from '../insight/schema/index.ts'
import { type Command, type Input, listFlag, stringFlag } from './command.ts'
import { noSuchAgent } from './schema-analyze.ts'
import { readBaselines } from './schema-files.ts'
import { differenceLines, summaryLine } from './schema-lines.ts'
import { learnedShapes, shapesOfFiles } from './schema-shapes.ts'
import { out } from './terminal.ts'

export const schemaDiff: Command = {
  name: 'schema diff',
  summary: 'Show what an agent changed in its payloads; exit 1 when something breaks',
  usage: '[<version>..<version> | --baseline <file>] [--agent <agent>] [--file <recorded.jsonl>]… [--json]',
  takes: Infinity,
  options: {
    agent: { type: 'string', value: 'agent', help: 'Only this agent' },
    baseline: { type: 'string', value: 'file', help: 'Compare what came with this baseline' },
    file: {
      type: 'string',
      value: 'file',
      multiple: true,
      help: 'Recorded lines instead of what the daemon has learned',
    },
    json: { type: 'boolean', help: 'Print an array of differences' },
  },
  examples: [
    { line: 'gantry schema diff', does: 'What came here and was not expected' },
    { line: 'gantry schema diff 2.0.77..2.1.325', does: 'What Claude Code changed between two versions' },
    {
      line: 'gantry schema diff --baseline claude.json --file recorded.jsonl',
      does: 'For CI: exit 1 when recorded payloads break with the baseline',
    },
  ],
  async run(input) {
    const differences = await differencesFor(input)
    if (input.flags.json) out(JSON.stringify(differences, null, 2))
    else for (const line of [...differenceLines(differences), summaryLine(differences)]) out(line)
    return differences.some(({ severity }) => severity === 'breaking') ? 1 : 0
  },
}

async function differencesFor(input: Input): Promise<Difference[]> {
  const [range, ...others] = input.args
  const baseline = stringFlag(input, 'baseline')
  const files = listFlag(input, 'file')
  const agent = stringFlag(input, 'agent')
  if (others.length > 0 || (range !== undefined && (baseline !== undefined || files.length > 0)))
    throw usage('Give either two versions, or --baseline and --file.')
  if (range !== undefined) return betweenVersions(input, range, agent)
  const wanted = agent === undefined ? {} : { agent }
  if (baseline === undefined && files.length === 0) return ofDaemon(input, agent)
  const shapes =
    files.length > 0 ? await shapesOfFiles(files, wanted) : await learnedShapes(input.places, wanted)
  return baseline === undefined ? fromShipped(shapes) : fromBaseline(shapes, baseline)
}

async function ofDaemon({ places }: Input, agent: string | undefined): Promise<Difference[]> {
  const wanted = agent === undefined ? {} : { agent }
  const found = (await call(places, 'schema.diff', wanted)) as Difference[]
  if (found.length > 0 || agent === undefined) return found
  if ((await learnedShapes(places, wanted)).length === 0) throw noSuchAgent(agent)
  return found
}

/** What was learned here counts, too; without a daemon there is still what came with gantry. */
async function betweenVersions(
  input: Input,
  range: string,
  agent: string | undefined,
): Promise<Difference[]> {
  const [from, to, ...rest] = range.split('..')
  if (!from || !to || rest.length > 0) throw usage(`"${range}" is not two versions.`)
  const shipped = new Baselines(SHIPPED)
  const agents = [...new Set(SHIPPED.map((one) => one.agent))]
  const hasBoth = (id: string) => [from, to].every((version) => shipped.versions(id).includes(version))
  const id = agent ?? agents.find(hasBoth) ?? DEFAULT_AGENT
  try {
    return (await call(input.places, 'schema.diff', { agent: id, from, to })) as Difference[]
  } catch (error) {
    if (!(error instanceof GantryError) || error.code !== 'DAEMON_AWAY' || !hasBoth(id)) throw error
    return diffVersions(shipped.all(id, from), shipped.all(id, to))
  }
}

function fromShipped(shapes: readonly Shape[]): Difference[] {
  const shipped = new Baselines(SHIPPED)
  const pairs = shapes.flatMap((shape) => {
    const expected = shipped.expected(shape)
    return expected ? [[expected, expectedOf(shape)] as const] : []
  })
  if (pairs.length === 0) throw nothingCompared('no agent that gantry has a baseline of')
  return diffPairs(pairs)
}

/** Payloads of versions that the baseline is about where there are some, else all of its agents. */
function fromBaseline(shapes: readonly Shape[], file: string): Difference[] {
  const parts = readBaselines(file)
  // Payloads that tell no version are of any, and a part without one is about all of them.
  const baselines = new Baselines(
    parts.filter(({ version }) => version !== ''),
    parts.filter(({ version }) => version === ''),
  )
  const versions = [...new Set(parts.map(({ agent }) => agent))].flatMap((agent) => {
    const own = shapes.filter((shape) => shape.agent === agent)
    const exact = own.filter(({ version }) =>
      parts.some((one) => one.agent === agent && one.version === version),
    )
    return [...Map.groupBy(exact.length > 0 ? exact : own, ({ version }) => version).values()]
  })
  if (versions.length === 0) throw nothingCompared(`no agent that ${file} is about`)
  return together(
    versions.map((seen) => diffVersions(expectedOfVersion(baselines, seen), seen.map(expectedOf))),
  )
}

function expectedOfVersion(baselines: Baselines, [first]: readonly Shape[]): Expected[] {
  return first ? baselines.all(first.agent, first.version) : []
}

function nothingCompared(whose: string): GantryError {
  return new GantryError(
    'VALIDATION_ERROR',
    `Nothing was compared: the payloads are of ${whose}. Record some with: gantry record --out <file>`,
  )
}

function usage(problem: string): GantryError {
  return new GantryError('USAGE', `${problem} See: gantry schema diff --help`)
}
