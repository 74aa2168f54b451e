/**
 * bun scripts/generate/demo-recordings.ts [--check]: generates src/replay/recordings/fleet.jsonl, the sessions of `gantry demo`,
 * from the recordings of real agents in test/fixtures, at a pace that people can follow.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentFor } from '../../src/agents/index.ts'
import type { HookEvent } from '../../src/events/index.ts'
import { DEMO_SPECS, type DemoSpec } from './demo-specs.ts'

interface Line {
  readonly agent: string
  readonly version: string
  readonly transport: string
  readonly event: string
  readonly env: Readonly<Record<string, string>>
  readonly payload: Record<string, unknown>
}

const ROOT = join(import.meta.dir, '../..')
const TARGET = join(ROOT, 'src/replay/recordings/fleet.jsonl')
const BEGIN = Date.parse('2026-01-01T12:00:00.000Z')
const CONTEXT_WINDOW = 200_000

/** How long the effect of an event stays visible, in milliseconds. */
const PAUSE_MS: Readonly<Record<string, number>> = {
  SessionStart: 900,
  UserPromptSubmit: 1_600,
  PreToolUse: 1_900,
  PostToolUse: 900,
  PostToolUseFailure: 1_500,
  PermissionRequest: 3_500,
  Notification: 3_000,
  Elicitation: 3_000,
  SubagentStart: 1_500,
  SubagentStop: 900,
  PreCompact: 3_500,
  Stop: 4_000,
}
const OTHER_MS = 250

/** Variables that tell an agent's version; the rest of an environment is dropped. */
const KEPT_ENV = ['AI_AGENT', 'COPILOT_CLI_BINARY_VERSION', 'OPENCODE_VERSION']

const text = DEMO_SPECS.flatMap(recording).join('')
if (!process.argv.includes('--check')) writeFileSync(TARGET, text)
else if (readFileSync(TARGET, 'utf8') !== text) {
  console.error(
    'src/replay/recordings/fleet.jsonl is not up to date: run bun scripts/generate/demo-recordings.ts',
  )
  process.exit(1)
}

function recording(spec: DemoSpec): string[] {
  const lines = chosen(spec)
  const told: string[] = []
  const context = [...spec.context]
  let at = BEGIN
  for (const line of lines) {
    const event = read(line)
    told.push(lineOf(spec, line, at))
    at += PAUSE_MS[event.type] ?? OTHER_MS
    const isTurn = (event.type === 'UserPromptSubmit' || event.type === 'Stop') && event.agentId === undefined
    const pct = isTurn ? context.shift() : undefined
    if (pct !== undefined) told.push(usageLine(spec, event, pct, at - 100))
  }
  return told
}

function chosen({ fixture, first, without = [], scenario }: DemoSpec): Line[] {
  const all = readFileSync(join(ROOT, 'test/fixtures', fixture), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((one) => JSON.parse(one) as Line)
  const session = all.map((line) => read(line).sessionId).find((id) => id !== '')
  const kept = all.filter((line) => !without.includes(line.event) && line.event !== 'statusLine')
  const lines = first ? kept.filter((line) => read(line).sessionId === session) : kept
  // Claude was started three times for this one; people see one session.
  if (scenario !== 'claude-compact') return lines
  return lines.filter(({ event }, i) => !/^Session/.test(event) || i === 0 || i === lines.length - 1)
}

function lineOf(spec: DemoSpec, line: Line, at: number): string {
  const { agent, version, transport, event, env } = line
  const kept = Object.fromEntries(KEPT_ENV.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
  const payload = retold(line.payload, spec.told)
  const { scenario } = spec
  const time = new Date(at).toISOString()
  return `${JSON.stringify({ agent, version, scenario, transport, event, at: time, env: kept, payload })}\n`
}

/** Like the usage that gantry reads from a transcript. */
function usageLine({ scenario }: DemoSpec, event: HookEvent, pct: number, at: number): string {
  const payload = {
    hook_event_name: 'UsageObserved',
    session_key: `${event.agent}:${event.sessionId}`,
    tokens: (CONTEXT_WINDOW * pct) / 100,
    context_pct: pct,
  }
  const head = { agent: 'gantry', version: '', scenario, transport: 'emit', event: 'UsageObserved' }
  return `${JSON.stringify({ ...head, at: new Date(at).toISOString(), env: {}, payload })}\n`
}

function retold(value: unknown, told: DemoSpec['told']): unknown {
  if (typeof value === 'string') {
    const whole = told.find(([from]) => from === value)
    if (whole) return whole[1]
    return told.reduce((text, [from, to]) => (from.length < 6 ? text : text.replaceAll(from, to)), value)
  }
  if (Array.isArray(value)) return value.map((one) => retold(one, told))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, retold(one, told)]))
}

function read({ agent, event, env, payload }: Line): HookEvent {
  const raw = JSON.stringify(payload)
  const from = { id: '', at: BEGIN, receivedAt: BEGIN, agent, event, client: { env }, raw }
  return agentFor(agent).read(payload, { ...from, transport: 'replay' })
}
