/** Makes what is known of payloads now the measure for what comes later. */

import { call } from '../client/index.ts'
import { counted } from '../core/text.ts'
import type { Baseline } from '../rpc/index.ts'
import { type Command, stringFlag } from './command.ts'
import { write } from './schema-types.ts'
import { bold, dim, green, out, plain } from './terminal.ts'

export const schemaBaseline: Command = {
  name: 'schema baseline',
  summary: 'Accept the payloads as they are now; drift is measured from here',
  usage: '[--agent <agent>] [--out <file>] [--json]',
  options: {
    agent: { type: 'string', value: 'agent', help: 'Only this agent' },
    out: { type: 'string', value: 'file', help: 'Write it to a file, too, for "schema diff --baseline"' },
    json: { type: 'boolean', help: 'Print the baselines' },
  },
  examples: [
    { line: 'gantry schema baseline', does: 'Takes the lines on drift out of gantry doctor' },
    { line: 'gantry schema baseline --agent claude --out claude.json', does: 'A file to compare with in CI' },
  ],
  async run(input) {
    const agent = stringFlag(input, 'agent')
    const made = await call(input.places, 'schema.baseline', agent === undefined ? {} : { agent })
    const file = stringFlag(input, 'out')
    if (file !== undefined) write(file, `${JSON.stringify(made.length === 1 ? made[0] : made, null, 2)}\n`)
    if (input.flags.json) out(JSON.stringify(made, null, 2))
    else for (const baseline of made) out(line(baseline))
    return 0
  },
}

function line({ agent, version, events }: Baseline): string {
  const all = Object.values(events)
  const fields = all.flatMap(({ fields = {}, tools = {} }) => [
    ...Object.keys(fields),
    ...Object.values(tools).flatMap((tool) => Object.keys(tool.fields ?? {})),
  ])
  const who = plain([agent, version].filter(Boolean).join(' '))
  return `${green('✓')} ${bold(who)}  ${dim(`${counted(all.length, 'event')}, ${counted(fields.length, 'field')}`)}`
}
