/**
 * npm run sdk:types: generates src/sdk/generated from the recordings of each agent's newest version. Types come from
 * the shipped baselines, which know required fields and enumeration values; samples are recorded payloads.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { factsOf } from '../../src/agents/facts.ts'
import { readerFor } from '../../src/agents/read.ts'
import type { HookEvent } from '../../src/events/index.ts'
import {
  type Expected,
  expectedAll,
  newShape,
  SHIPPED,
  typescriptOf,
} from '../../src/insight/schema/index.ts'
import type { Baseline, Field, Shape } from '../../src/rpc/index.ts'

const ROOT = join(import.meta.dir, '../..')
const FIXTURES = join(ROOT, 'test/fixtures')
const OUT = 'src/sdk/generated'
const COUNT = 1_000 // for a shape that was never counted: enough for words to be an enumeration

const ODD_CHARS = 1_000_000 // more than any payload: an odd one is used only if there is no other

/** What the test kit can build, by canonical type. */
const SAMPLED = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'Notification',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'Stop',
  'SessionEnd',
]

/** Path in the checkout → text. */
export function generatedSdk(): Record<string, string> {
  const newest = [...new Map(SHIPPED.map((baseline) => [baseline.agent, baseline])).values()]
  return {
    ...Object.fromEntries(newest.map((baseline) => [`${OUT}/${baseline.agent}.ts`, typesOf(baseline)])),
    [`${OUT}/index.ts`]: [
      '/** The types of every agent. Made by "npm run sdk:types". */\n',
      ...newest.map(({ agent }) => `export type * from './${agent}.ts'\n`),
    ].join(''),
    [`${OUT}/payloads.ts`]: payloadsOf(newest.map(({ agent }) => agent)),
    [`${OUT}/samples.ts`]: samplesOf(newest),
  }
}

function payloadsOf(names: readonly string[]): string {
  const table = (kind: string) =>
    `export interface ${kind} {\n${names.map((agent) => `  ${JSON.stringify(agent)}: ${ownName(agent)}${kind}\n`).join('')}}\n`
  const types = (agent: string) => `${ownName(agent)}Payloads, ${ownName(agent)}ToolPayloads`
  return [
    '/** The payloads of all agents, by agent. Made by "npm run sdk:types". */\n',
    ...names.map((agent) => `import type { ${types(agent)} } from './${agent}.ts'\n`),
    `\n${table('Payloads')}\n${table('ToolPayloads')}`,
  ].join('')
}

/** `my-agent` → `MyAgent` */
function ownName(agent: string): string {
  return agent.replace(/(?:^|[-_])(.)/g, (_, first: string) => first.toUpperCase())
}

function typesOf(baseline: Baseline): string {
  const { agent, version } = baseline
  const own = ownName(agent)
  const kinds = expectedAll(baseline)
  const events = Object.keys(baseline.events)
  const wholes = events.map((event) => wholeOf(baseline, event))
  const tools = kinds.filter(({ tool }) => tool !== '')
  const text = typescriptOf([...wholes, ...tools].map(shapeOf))
  const names = [...text.matchAll(/^export interface (\w+)/gm)].map(([, name = '']) => name)
  const payloads = events.map((event, i) => `  ${JSON.stringify(event)}: ${names[i]}\n`)
  const byTool = Map.groupBy(
    tools.map((kind, i) => [kind, names[events.length + i]] as const),
    ([{ event }]) => event,
  )
  const toolLines = [...byTool].map(([event, list]) => {
    const inner = list.map(([{ tool }, name]) => `    ${JSON.stringify(tool)}: ${name}\n`)
    return `  ${JSON.stringify(event)}: {\n${inner.join('')}  }\n`
  })
  return [
    `/** What ${agent} ${version} sends, as recorded. Made by "npm run sdk:types". */\n`,
    text.replace(/^\/\*\* \d+ seen.*\*\/\n/gm, ''),
    `/** By the agent's own name of the event. */\nexport interface ${own}Payloads {\n${payloads.join('')}}\n`,
    `/** Events about a tool, by the tools that were recorded. */\nexport interface ${own}ToolPayloads {\n${toolLines.join('')}}\n`,
  ].join('\n')
}

/** An event, whatever its tool. */
function wholeOf(baseline: Baseline, event: string): Expected {
  const { tools: _, ...whole } = baseline.events[event] ?? {}
  const alone = expectedAll({ ...baseline, events: { [event]: whole } })[0]
  if (!alone) throw new Error(`${baseline.agent} has no ${event}`)
  return alone
}

/** Pretends that payloads were counted, so that types are generated in one way only. */
function shapeOf(expected: Expected): Shape {
  const shape = newShape(expected, 0)
  shape.count = COUNT
  for (const [path, { types, required, words }] of Object.entries(expected.fields ?? {})) {
    if (types.length === 0) {
      shape.fields[path] = undefined as unknown as Field // unknown type: `unknown`, and optional
      continue
    }
    const values = pathWords(path, expected, words)
    shape.fields[path] = {
      count: required ? COUNT : COUNT / 2,
      types: Object.fromEntries(types.map((type) => [type, COUNT])),
      ...(values ? { values: Object.fromEntries(values.map((word) => [word, COUNT / values.length])) } : {}),
      maxSize: 0,
      samples: [],
      firstAt: 0,
      lastAt: 0,
    }
  }
  return shape
}

/** The names of event and tool are known exactly. */
function pathWords(path: string, { event, tool }: Expected, words?: readonly string[]) {
  if (path === 'hook_event_name') return [event]
  if (tool !== '' && (path === 'tool_name' || path === 'toolName' || path === 'input.tool')) return [tool]
  return words
}

interface Sample {
  readonly native: string
  readonly payload: Record<string, unknown>
}

/** The smallest recorded payload of each type: typical for the agent, with little content. */
function samplesOf(newest: readonly Baseline[]): string {
  const samples = newest.map(({ agent, version }) => [agent, samplesFor(agent, version)] as const)
  const text = JSON.stringify(Object.fromEntries(samples), null, 2)
  return [
    '/** Recorded payloads, one for each agent and type, for the test kit. Made by "npm run sdk:types". */\n',
    'export interface Sample {\n  readonly native: string\n  readonly payload: Readonly<Record<string, unknown>>\n}\n',
    `export const SAMPLES: Readonly<Record<string, Readonly<Record<string, Sample>>>> = ${text}\n`,
  ].join('\n')
}

function samplesFor(agent: string, version: string): Record<string, Sample> {
  const dir = join(FIXTURES, agent, version)
  const best = new Map<string, Sample & { readonly score: number }>()
  for (const file of readdirSync(dir).filter((name) => name.endsWith('.jsonl'))) {
    for (const line of readFileSync(join(dir, file), 'utf8').split('\n').filter(Boolean)) {
      const { payload, event, env = {} } = JSON.parse(line)
      const rawEvent = { id: '', at: 0, receivedAt: 0, agent, event, client: { env }, raw: '' }
      const read = readerFor(agent)(payload, { ...rawEvent, transport: 'socket' })
      const before = best.get(read.type)
      const score = scoreOf(read, payload)
      if (SAMPLED.includes(read.type) && score < (before?.score ?? Number.POSITIVE_INFINITY))
        best.set(read.type, { native: read.native, payload, score })
    }
  }
  return Object.fromEntries(
    SAMPLED.flatMap((type) => {
      const { native, payload } = best.get(type) ?? {}
      return native === undefined || payload === undefined ? [] : [[type, { native, payload }]]
    }),
  )
}

/** Lower is better: the plain case of an event, with little content. */
function scoreOf(event: HookEvent, payload: unknown): number {
  const { agent, type, native, tool, source, agentId, hidden } = event
  const isOdd =
    native === factsOf(agent).turnReport || // no hook
    (tool !== undefined && !/^(?:bash|run_shell_command)$/i.test(tool.name)) ||
    (source !== undefined && source !== 'startup' && source !== 'new') ||
    (agentId !== undefined && !type.startsWith('Subagent')) ||
    (hidden !== undefined && type !== 'PreCompact')
  return JSON.stringify(payload).length + (isOdd ? ODD_CHARS : 0)
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(generatedSdk())) writeFileSync(join(ROOT, file), text)
}
