/** What payloads really look like, event by event, and where that is not what was documented. */
import { closest } from '../core/closest.ts'
import { GantryError } from '../core/errors.ts'
import {
  DOCUMENTED,
  diffVersions,
  expectedAll,
  expectedOf,
  mergeShapes,
  SHIPPED,
  type Unseen,
  unseenEvents,
} from '../insight/schema/index.ts'
import type { Difference, Shape } from '../rpc/index.ts'
import { type Command, type Input, listFlag, stringFlag } from './command.ts'
import { readBaselines } from './schema-files.ts'
import { differenceLines, summaryLine } from './schema-lines.ts'
import { learnedShapes, shapesOfFiles, shapesOfJournal, type Wanted } from './schema-shapes.ts'
import { type EventTable, eventTables, tableLines } from './schema-table.ts'
import { bold, counted, dim, out } from './terminal.ts'

export const schemaAnalyze: Command = {
  name: 'schema analyze',
  summary: 'Show what payloads really look like, and what the documentation leaves out',
  usage: '[--agent <agent>] [--event <event>] [--file <recorded.jsonl>]… [--against documented] [--json]',
  takes: Infinity,
  options: {
    agent: { type: 'string', value: 'agent', help: 'Only this agent' },
    event: { type: 'string', value: 'event', help: 'Only this event, by the name the agent gives it' },
    file: {
      type: 'string',
      value: 'file',
      multiple: true,
      help: 'Recorded lines, or a log of claude-hooks-sdk, instead of the journal',
    },
    learned: {
      type: 'boolean',
      help: 'What the daemon has learned so far, without reading the journal again',
    },
    against: {
      type: 'string',
      value: 'what',
      help: 'Compare with "documented" (the default), a baseline file, or "nothing"',
    },
    json: { type: 'boolean', help: 'Print events and differences as one object' },
  },
  examples: [
    { line: 'gantry schema analyze --agent claude', does: 'Every field of every event in the journal' },
    {
      line: 'gantry schema analyze --event Stop --json | jq ".events[].fields[].path"',
      does: 'The fields of Stop, for a program',
    },
    {
      line: 'gantry schema analyze --file recorded.jsonl --against documented',
      does: 'What recorded payloads have that the documentation does not',
    },
  ],
  async run(input) {
    const wanted = wantedOf(input)
    const shapes = await shapesFor(input, wanted)
    if (shapes.length === 0) refuseMisspelt(wanted)
    const against = stringFlag(input, 'against') ?? 'documented'
    const { differences, title } = compare(shapes, against, wanted)
    const tables = eventTables(shapes)
    // Of one event alone, nothing is said about the others.
    const unseen = wanted.event === undefined ? unseenEvents(shapes, SHIPPED) : []
    if (input.flags.json)
      out(JSON.stringify({ events: tables, unseen, against: title, differences }, null, 2))
    else show(tables, unseen, differences, title)
    return 0
  },
}

export function wantedOf(input: Input): Wanted {
  const [agent, event] = [stringFlag(input, 'agent'), stringFlag(input, 'event')]
  return { ...(agent === undefined ? {} : { agent }), ...(event === undefined ? {} : { event }) }
}

function shapesFor(input: Input, wanted: Wanted): Promise<Shape[]> {
  const files = [...listFlag(input, 'file'), ...input.args]
  if (files.length > 0) return shapesOfFiles(files, wanted)
  return input.flags.learned ? learnedShapes(input.places, wanted) : shapesOfJournal(input.places, wanted)
}

/** All versions together: what any of them sends should be in the documentation. */
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

/** Nothing is there: a name that is nearly one of those that gantry knows was meant to be that one. */
export function refuseMisspelt({ agent, event }: Wanted): void {
  const known = SHIPPED.filter((one) => agent === undefined || one.agent === agent)
  if (agent !== undefined && known.length === 0) throw noSuchName('agent', agent, AGENTS)
  const events = known.flatMap((one) => Object.keys(one.events))
  if (event !== undefined && !events.includes(event)) throw noSuchName('event', event, events)
}

function noSuchName(what: string, name: string, known: readonly string[]): GantryError {
  const close = closest(name, known)
  const hint = close === undefined ? `Known: ${[...new Set(known)].join(', ')}.` : `Did you mean ${close}?`
  return new GantryError('USAGE', `No payload has the ${what} "${name}". ${hint}`)
}

/** For `schema diff` and `schema types`, which have the same options. */
export function noSuchAgent(agent: string | undefined): GantryError {
  const whom = agent === undefined ? 'any agent' : agent
  return new GantryError(
    'VALIDATION_ERROR',
    `There is no payload of ${whom} yet. Use it once, or give recorded lines with --file.`,
  )
}
