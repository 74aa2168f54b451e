/** Compares payloads: two versions, a baseline, or observed with expected ones. */
import { call, DEFAULT_AGENT } from '../../client/index.ts'
import { GantryError } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { withoutUndefined } from '../../core/without-undefined.ts'
import {
  Baselines,
  diffPairs,
  diffVersions,
  type Expected,
  expectedOf,
  SHIPPED,
  together,
} from '../../insight/schema/index.ts'
import type { Difference, Shape } from '../../rpc/index.ts'
import { isAway } from '../framework/daemon.ts'
import type { Input } from '../framework/define.ts'
import { out, outJson } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import { noPayload } from './analyze.ts'
import { readBaselines } from './files.ts'
import type * as commands from './index.ts'
import { differenceLines, summaryLine } from './lines.ts'
import { learnedShapes, shapesOfFiles } from './shapes.ts'

export async function run(input: Input<typeof commands.diff>): Promise<number> {
  const differences = await differencesFor(input)
  if (input.flags.json) outJson(differences)
  else for (const line of [...differenceLines(differences), summaryLine(differences)]) out(line)
  return differences.some(({ severity }) => severity === 'breaking') ? 1 : 0
}

async function differencesFor({ args, flags, places }: Input<typeof commands.diff>): Promise<Difference[]> {
  const { agent, baseline, file: files } = flags
  const range = args.versions
  if (range !== undefined && (baseline !== undefined || files.length > 0))
    throw usage('Give either two versions, or --baseline and --file.')
  if (range !== undefined) return betweenVersions(places, range, agent)
  const wanted = withoutUndefined({ agent })
  if (baseline === undefined && files.length === 0) return ofDaemon(places, agent)
  const shapes = files.length > 0 ? await shapesOfFiles(files, wanted) : await learnedShapes(places, wanted)
  return baseline === undefined ? fromShipped(shapes) : fromBaseline(shapes, baseline)
}

async function ofDaemon(places: Places, agent: string | undefined): Promise<Difference[]> {
  const wanted = withoutUndefined({ agent })
  const found = await call(places, 'schema.diff', wanted)
  if (found.length > 0 || agent === undefined) return found
  if ((await learnedShapes(places, wanted)).length === 0) throw noPayload(wanted)
  return found
}

/** Uses what the daemon has learned; if it is down, the baselines that gantry ships. */
async function betweenVersions(
  places: Places,
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
    return await call(places, 'schema.diff', { agent: id, from, to })
  } catch (error) {
    if (!isAway(error) || !hasBoth(id)) throw error
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

/** Compares the versions that the baseline names if there are payloads of them, else all versions of its agents. */
function fromBaseline(shapes: readonly Shape[], file: string): Difference[] {
  const parts = readBaselines(file)
  // A payload without a version matches any; a part without a version applies to all.
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
  return usageError(`${problem} See: gantry schema diff --help`)
}
