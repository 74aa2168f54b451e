/** Commands about the schemas of payloads. */
import { type Command, command, define, flag } from '../framework/define.ts'
import { agent } from '../framework/options.ts'

const event = {
  kind: 'type',
  value: 'event',
  help: "Only this event, by the agent's own name for it",
} as const
const file = {
  kind: 'file',
  multiple: true,
  help: 'Recorded lines instead of what the daemon has learned',
} as const

export const analyze = define({
  name: 'schema analyze',
  summary: 'Show the observed schema of payloads, and what the documentation leaves out',
  args: [{ name: 'files', kind: 'file', value: 'file', many: 'list' }],
  options: {
    agent,
    event,
    file: { ...file, help: 'Recorded lines, or a log of claude-hooks-sdk, instead of the journal' },
    learned: flag('Use what the daemon has learned, without reading the journal again'),
    against: {
      kind: 'file',
      value: 'what',
      default: 'documented',
      help: 'Compare with "documented", a baseline file, or "nothing"',
    },
    json: flag('Print events and differences as one object'),
  },
  examples: {
    'gantry schema analyze --agent claude': 'Lists every field of every event in the journal',
    'gantry schema analyze --event Stop --json | jq ".events[].fields[].path"':
      'Lists the fields of Stop, for a program',
    'gantry schema analyze --file recorded.jsonl --against documented':
      'Shows what recorded payloads have that the documentation lacks',
  },
})

export const diff = define({
  name: 'schema diff',
  summary: 'Show how an agent changed its payloads; exit 1 on a breaking change',
  args: [{ name: 'versions', kind: 'text', value: 'version..version' }],
  options: {
    agent,
    baseline: { kind: 'file', help: 'Compare with this baseline' },
    file,
    json: flag('Print an array of differences'),
  },
  examples: {
    'gantry schema diff': 'Shows observed payloads that were not expected',
    'gantry schema diff 2.0.77..2.1.325': 'Compares two versions of Claude Code',
    'gantry schema diff --baseline claude.json --file recorded.jsonl':
      'For CI: exit 1 when recorded payloads break with the baseline',
  },
})

export const types = define({
  name: 'schema types',
  summary: 'Generate TypeScript or JSON Schema from observed payloads',
  options: {
    'json-schema': flag('Print an array of JSON Schemas instead of TypeScript'),
    agent,
    event,
    'agent-version': {
      kind: 'text',
      value: 'version',
      help: 'Use this version instead of the latest one seen',
    },
    file,
    out: { kind: 'file', help: 'Write to this file' },
  },
  examples: {
    'gantry schema types --agent claude --out claude-events.ts': 'Writes an interface for every event',
    'gantry schema types --json-schema --event Stop': 'Prints the JSON Schema of one event',
  },
})

export const baseline = define({
  name: 'schema baseline',
  summary: 'Accept the current payloads as the baseline for drift',
  options: {
    agent,
    out: { kind: 'file', help: 'Also write it to this file, for "schema diff --baseline"' },
    json: flag('Print the baselines'),
  },
  examples: {
    'gantry schema baseline': 'Clears the findings on drift from gantry doctor',
    'gantry schema baseline --agent claude --out claude.json': 'Writes a file to compare with in CI',
  },
})

export const commands: readonly Command[] = [
  command(analyze, () => import('./analyze.ts')),
  command(diff, () => import('./diff.ts')),
  command(types, () => import('./types.ts')),
  command(baseline, () => import('./baseline.ts')),
]
