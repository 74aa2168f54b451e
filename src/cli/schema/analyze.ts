/** Prints the observed schema per event, and how it differs from the documentation. */
import { GantryError } from '../../core/errors.ts'
import { whichOf } from '../../core/text/closest.ts'
import { withoutUndefined } from '../../core/without-undefined.ts'
import {
  DOCUMENTED,
  diffVersions,
  expectedAll,
  expectedOf,
  mergeShapes,
  SHIPPED,
  type Unseen,
  unseenEvents,
} from '../../insight/schema/index.ts'
import type { Difference, Shape } from '../../rpc/index.ts'
import type { Input } from '../framework/define.ts'
import { bold, counted, dim, out, outJson } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import { readBaselines } from './files.ts'
import type * as commands from './index.ts'
import { differenceLines, summaryLine } from './lines.ts'
import { learnedShapes, shapesOfFiles, shapesOfJournal, type Wanted } from './shapes.ts'
import { type EventTable, eventTables, tableLines } from './table.ts'

export async function run({ args, flags, places }: Input<typeof commands.analyze>): Promise<number> {
  const wanted: Wanted = withoutUndefined({ agent: flags.agent, event: flags.event })
  const files = [...flags.file, ...args.files]
  const shapes =
    files.length > 0
      ? await shapesOfFiles(files, wanted)
      : await (flags.learned ? learnedShapes : shapesOfJournal)(places, wanted)
  if (shapes.length === 0) refuseMisspelt(wanted)
  const { differences, title } = compare(shapes, flags.against, wanted)
  const tables = eventTables(shapes)
  // With --event, other events are not reported as unseen.
  const unseen = wanted.event === undefined ? unseenEvents(shapes, SHIPPED) : []
  if (flags.json) return outJson({ events: tables, unseen, against: title, differences })
  show(tables, unseen, differences, title)
  return 0
}

/** Merges all versions: the documentation should cover each. */
function compare(
  shapes: readonly Shape[],
  against: string,
  { event }: Wanted,
): { differences: Difference[]; title: string | null } {
  if (against === 'nothing') return { differences: [], title: null }
  const baselines = against === 'documented' ? DOCUMENTED : readBaselines(against)
  const fitting = baselines.filter(({ agent }) => shapes.some((shape) => shape.agent === agent))
  const title = fitting.map(({ agent, version, date }) => `${agent} ${version} (${date})`).join(', ')
  const differences = fitting.flatMap((baseline) => {
    const own = shapes.filter(({ agent }) => agent === baseline.agent)
    const seen = mergeShapes(own, (shape) => ({ ...shape, version: '' })).map(expectedOf)
    const expected = expectedAll(baseline).filter((one) => event === undefined || one.event === event)
    return diffVersions(expected, seen)
  })
  return { differences, title: title === '' ? null : title }
}

function show(
  tables: readonly EventTable[],
  unseen: readonly Unseen[],
  differences: readonly Difference[],
  title: string | null,
): void {
  if (tables.length === 0) {
    out('No payloads yet. Wire an agent with "gantry install", or give recorded lines with --file.')
    return
  }
  for (const table of tables) out(`${tableLines(table).join('\n')}\n\n`)
  for (const line of unseenLines(unseen)) out(line)
  if (title === null) return
  out(bold(`Against ${title}`))
  for (const line of differenceLines(differences)) out(line)
  out(summaryLine(differences))
  if (differences.length > 0) out(dim('"gantry schema types" prints what was seen as types.'))
}

function unseenLines(unseen: readonly Unseen[]): string[] {
  const agents = Map.groupBy(unseen, ({ agent }) => agent)
  return [...agents].flatMap(([agent, all]) => {
    const [known, others] = [all.filter(({ trigger }) => trigger), all.filter(({ trigger }) => !trigger)]
    const width = Math.max(0, ...known.map(({ event }) => event.length))
    const lines = known.map(({ event, trigger = '' }) => `  ${event.padEnd(width)}  ${dim(trigger)}`)
    const rest = others.length > 0 ? [dim(`  and ${counted(others.length, 'other')} of its own bus`)] : []
    return [bold(`Never seen of ${agent}, and how to trigger it`), ...lines, ...rest, '']
  })
}

const AGENTS = SHIPPED.map((one) => one.agent)

/** Nothing matched: suggests the known name that is closest. */
export function refuseMisspelt({ agent, event }: Wanted): void {
  const known = SHIPPED.filter((one) => agent === undefined || one.agent === agent)
  if (agent !== undefined && known.length === 0) throw noSuchName('agent', agent, AGENTS)
  const events = known.flatMap((one) => Object.keys(one.events))
  if (event !== undefined && !events.includes(event)) throw noSuchName('event', event, events)
}

function noSuchName(what: string, name: string, known: readonly string[]): GantryError {
  return usageError(`No payload has the ${what} "${name}". ${whichOf(name, known)}`)
}

/** For `schema diff` and `schema types`, which have the same options. */
export function noPayload({ agent, event }: Wanted, version?: string): GantryError {
  const of = [
    ...(event === undefined ? [] : [`event ${event}`]),
    ...(version === undefined ? [] : [`version ${version}`]),
  ]
  const what = of.length === 0 ? '' : ` with ${of.join(' and ')}`
  return new GantryError(
    'VALIDATION_ERROR',
    `There is no payload of ${agent ?? 'any agent'}${what} yet. Use it once, or give recorded lines with --file.`,
  )
}
