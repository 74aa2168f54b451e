/**
 * Sessions as traces: the real daemon and its process send them with the official exporter. No collector is in the registries that
 * tests may use, so a server on loopback takes what comes, and the official protobuf definitions read it.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as incubating from '@opentelemetry/semantic-conventions/incubating'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import {
  childrenWith,
  gantry,
  journal,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'
import { openCollector, valuesOf, type WireSpan } from '../otlp-collector.ts'

setDefaultTimeout(120_000)

const hook = (
  home: Places,
  session_id: string,
  hook_event_name: string,
  fields: object = {},
  at = Date.now(),
) =>
  sendFrame(home, { at, payload: JSON.stringify({ session_id, cwd: '/w/shed', hook_event_name, ...fields }) })

/** One turn with a tool, a failing one, a denied one, and a sub-agent with a tool of its own. */
async function turn(home: Places, id: string, at: number): Promise<void> {
  const bash = (tool_use_id: string) => ({
    tool_name: 'Bash',
    tool_use_id,
    tool_input: { command: 'echo SECRET-INPUT' },
  })
  const steps: [string, object][] = [
    ['UserPromptSubmit', { prompt: 'SECRET-PROMPT' }],
    ['PreToolUse', bash('t1')],
    ['PostToolUse', { ...bash('t1'), tool_response: {} }],
    ['PreToolUse', bash('t2')],
    ['PostToolUseFailure', { ...bash('t2'), error: 'exit 3' }],
    ['SubagentStart', { agent_id: 'a1', agent_type: 'Explore' }],
    ['PreToolUse', { ...bash('t3'), agent_id: 'a1', agent_type: 'Explore' }],
    ['PostToolUse', { ...bash('t3'), agent_id: 'a1', agent_type: 'Explore', tool_response: {} }],
    ['SubagentStop', { agent_id: 'a1', agent_type: 'Explore' }],
    ['Stop', { last_assistant_message: 'SECRET-ANSWER' }],
  ]
  for (const [n, [type, fields]] of steps.entries()) await hook(home, id, type, fields, at + n * 100)
}

const collector = openCollector()
const home = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(home)
})
afterAll(async () => {
  await daemon.kill('SIGTERM')
  await collector.stop()
})

const namesOf = (spans: readonly WireSpan[]) => spans.map(({ name }) => name).sort()

describe('traces', () => {
  test('are off until an endpoint is configured, and begin then', async () => {
    await turn(home, 'before', Date.now() - 60_000)
    expect(childrenWith(daemon.pid, 'otlp-worker')).toEqual([])
    const file = join(home.config, 'otlp-headers')
    writeFileSync(file, '# for the collector\nAuthorization: Bearer for-the-collector\nX-Team: shed\n')
    chmodSync(file, 0o600)
    for (const [key, value] of [
      ['headers_file', 'otlp-headers'],
      ['endpoint', collector.url],
    ] as const)
      expect((await gantry(home, 'config', 'set', `otlp.${key}`, value)).exit).toBe(0)
    await until(() => existsSync(home.otlpMark), 'the mark')
    await turn(home, 's1', Date.now() - 30_000)
    await until(() => collector.spans.length >= 5, 'the spans')
    expect(collector.spans.map(({ traceId }) => traceId)).not.toContain('')
    const [got] = collector.got
    expect(got?.path).toBe('/v1/traces')
    expect(got?.headers.get('authorization')).toBe('Bearer for-the-collector')
    expect(got?.headers.get('x-team')).toBe('shed')
    expect(got?.resource).toMatchObject({ 'service.name': 'gantry' })
  })

  test('a turn is a span with its tools and sub-agents below it, by the conventions', async () => {
    const { spans } = collector
    expect(namesOf(spans)).toEqual([
      'execute_tool Bash',
      'execute_tool Bash',
      'execute_tool Bash',
      'invoke_agent Explore',
      'invoke_agent claude',
    ])
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
    const named = (name: string) => spans.filter((span) => span.name === name)
    const [whole] = named('invoke_agent claude')
    const [agent] = named('invoke_agent Explore')
    const tools = named('execute_tool Bash').sort((a, b) =>
      a.startTimeUnixNano < b.startTimeUnixNano ? -1 : 1,
    )
    expect(tools.map(({ parentSpanId }) => parentSpanId)).toEqual(
      [whole?.spanId, whole?.spanId, agent?.spanId].map(String),
    )
    expect(agent?.parentSpanId).toBe(whole?.spanId ?? '')
    const took = (span: WireSpan | undefined) =>
      Number(BigInt(span?.endTimeUnixNano ?? 0) - BigInt(span?.startTimeUnixNano ?? 0)) / 1e6
    expect([took(whole), took(agent), ...tools.map(took)]).toEqual([900, 300, 100, 100, 100])
    expect(tools.map(({ status }) => status?.code ?? 0)).toEqual([0, 2, 0])
    if (!whole || !agent) throw new Error('no span')
    expect(valuesOf(whole)).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'claude',
      'gen_ai.conversation.id': 's1',
    })
    expect(valuesOf(agent)).toMatchObject({ 'gen_ai.agent.id': 'a1', 'gen_ai.agent.name': 'Explore' })
    expect(tools.map((span) => valuesOf(span)['gen_ai.tool.call.id'])).toEqual(['t1', 't2', 't3'])
    const known = new Set<unknown>(Object.values(incubating))
    const keys = new Set(spans.flatMap(({ attributes }) => attributes.map(({ key }) => key)))
    for (const key of keys) expect(known.has(key) || key.startsWith('gantry.'), key).toBe(true)
    expect(JSON.stringify(collector.got)).not.toContain('SECRET')
  })

  test.concurrent('a collector that is away gets them later, and a daemon that is killed sends them with the same ids', async () => {
    const first = collector.spans.length
    collector.status = 503
    await turn(home, 's2', Date.now() - 20_000)
    await hook(home, 's2', 'SessionEnd', { reason: 'exit' })
    const problems = async () => (await call(home, 'doctor')).filter(({ about }) => about === 'otlp')
    expect((await until(async () => (await problems())[0], 'the problem', 60_000)).message).toContain(
      'traces are not sent',
    )
    await daemon.kill('SIGKILL')
    collector.status = 200
    daemon = await startDaemon(home)
    await until(() => collector.spans.length >= first + 6, 'the spans', 60_000)
    const later = collector.spans.slice(first)
    expect(namesOf(later)).toContain('session claude')
    const root = later.find(({ name }) => name === 'session claude')
    const whole = later.find(({ name }) => name === 'invoke_agent claude')
    expect(whole?.parentSpanId).toBe(root?.spanId ?? '')
    expect(root?.parentSpanId).toBe('')
    expect(await problems()).toEqual([])

    // The mark of before: everything is sent once more, as the same spans.
    await daemon.kill('SIGTERM')
    const sent = new Set(collector.spans.map(({ spanId }) => spanId))
    const before = collector.spans.length
    const [mark] = journal(
      home,
      "SELECT seq, id FROM events WHERE seq = (SELECT min(seq) - 1 FROM events WHERE session_id = 's1')",
    )
    writeFileSync(home.otlpMark, JSON.stringify(mark))
    daemon = await startDaemon(home)
    await until(() => collector.spans.length >= before + 11, 'the repetition', 60_000)
    expect(new Set(collector.spans.map(({ spanId }) => spanId))).toEqual(sent)
  })

  test.concurrent('spans that a collector refuses for good are left out, and hold up nobody', async () => {
    const refusing = openCollector()
    const at = makeHome(`[otlp]\nendpoint = "${refusing.url}"\n`)
    const { pid, kill } = await startDaemon(at)
    await until(() => existsSync(at.otlpMark), 'the mark')
    refusing.status = 400
    await turn(at, 's3', Date.now() - 20_000)
    const log = () => readFileSync(at.log, 'utf8')
    await until(() => log().includes('the collector refused spans'), 'the refusal', 60_000)
    refusing.status = 200
    await turn(at, 's4', Date.now() - 20_000)
    await until(() => refusing.spans.length >= 5, 'the next ones', 60_000)
    const ids = refusing.spans.map((span) => valuesOf(span)['gen_ai.conversation.id'])
    expect(new Set(ids)).toEqual(new Set(['s4']))
    expect((await gantry(at, 'config', 'set', 'otlp.endpoint', '')).exit).toBe(0)
    await until(() => childrenWith(pid, 'otlp-worker').length === 0, 'its end')
    await kill('SIGTERM')
    await refusing.stop()
  })

  test('an address that others could read is refused', async () => {
    const { exit, stderr } = await gantry(
      home,
      'config',
      'set',
      'otlp.endpoint',
      'http://collector.example:4318',
    )
    expect(exit).toBe(2)
    expect(stderr).toContain('allow_insecure')
  })
})
