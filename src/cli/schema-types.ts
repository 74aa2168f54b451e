/** Types of payloads, from those that came. */
import { writeFileSync } from 'node:fs'
import { GantryError, messageOf } from '../core/errors.ts'
import { jsonSchemaOf, typescriptOf } from '../insight/schema/index.ts'
import type { Shape } from '../rpc/index.ts'
import { type Command, listFlag, stringFlag } from './command.ts'
import { noSuchAgent, refuseMisspelt, wantedOf } from './schema-analyze.ts'
import { learnedShapes, shapesOfFiles } from './schema-shapes.ts'
import { out } from './terminal.ts'

export const schemaTypes: Command = {
  name: 'schema types',
  summary: 'Print TypeScript or JSON Schema of the payloads that came',
  usage: '[--json-schema] [--agent <agent>] [--event <event>] [--file <recorded.jsonl>]… [--out <file>]',
  options: {
    'json-schema': { type: 'boolean', help: 'An array of JSON Schemas instead of TypeScript' },
    agent: { type: 'string', value: 'agent', help: 'Only this agent' },
    event: { type: 'string', value: 'event', help: 'Only this event, by the name the agent gives it' },
    'agent-version': { type: 'string', value: 'version', help: 'This version instead of the one seen last' },
    file: {
      type: 'string',
      value: 'file',
      multiple: true,
      help: 'Recorded lines instead of what the daemon has learned',
    },
    out: { type: 'string', value: 'file', help: 'Write to this file' },
  },
  examples: [
    { line: 'gantry schema types --agent claude --out claude-events.ts', does: 'Interfaces for every event' },
    { line: 'gantry schema types --json-schema --event Stop', does: 'JSON Schema of one event' },
  ],
  async run(input) {
    const wanted = wantedOf(input)
    const files = listFlag(input, 'file')
    const all =
      files.length > 0 ? await shapesOfFiles(files, wanted) : await learnedShapes(input.places, wanted)
    const shapes = ofVersion(all, stringFlag(input, 'agent-version'))
    if (all.length === 0) refuseMisspelt(wanted)
    if (shapes.length === 0) throw noSuchAgent(wanted.agent)
    const text = input.flags['json-schema']
      ? `${JSON.stringify(shapes.map(jsonSchemaOf), null, 2)}\n`
      : typescriptOf(shapes)
    const file = stringFlag(input, 'out')
    if (file === undefined) out(text)
    else write(file, text)
    return 0
  },
}

/** Of each agent the version that was seen last, by default. */
function ofVersion(shapes: readonly Shape[], version: string | undefined): Shape[] {
  const latest = new Map<string, Shape>()
  for (const shape of shapes)
    if (shape.lastAt >= (latest.get(shape.agent)?.lastAt ?? 0)) latest.set(shape.agent, shape)
  return shapes
    .filter((shape) => shape.version === (version ?? latest.get(shape.agent)?.version))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

function nameOf({ agent, event, tool }: Shape): string {
  return `${agent}\n${event}\n${tool}`
}

export function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (cause) {
    throw new GantryError('USAGE', `${file} cannot be written: ${messageOf(cause)}`, { cause })
  }
}
