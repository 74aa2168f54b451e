/** Claude Code 2.1.325, the real program: a turn arrives at a collector with the usage that the model reported. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Collector, openCollector, valuesOf } from '../otlp-collector.ts'
import { claude } from './claude.ts'
import { gantry, install, openStage, type Stage, settled } from './stage.ts'

const SENT_LIMIT_MS = 30_000 // a turn is sent some seconds after its end

describe('claude 2.1.325, traces', () => {
  let stage: Stage
  let collector: Collector
  beforeAll(async () => {
    collector = openCollector()
    stage = await openStage(claude)
    await install(stage)
    await gantry(stage, 'config', 'set', 'otlp.endpoint', collector.url)
    await gantry(stage, 'up')
  })
  afterAll(async () => {
    await stage.close()
    await collector.stop()
  })

  test('a turn with a tool is a span with tokens, model and cost, in the trace of its session', async () => {
    const bash = { name: 'Bash', input: { command: 'touch ran', description: 'a command' } }
    const turns = [
      { calls: [bash], tokens: 1_000, cached: 400, output: 30 },
      { text: 'Done.', tokens: 2_000, cached: 500, output: 70, waitMs: 1_500 },
    ]
    const run = await stage.ask('traced', turns, { args: ['--model', 'claude-haiku-4-5'] })
    const spans = await settled(
      () => collector.spans,
      (found) => found.some(({ name }) => name === 'session claude'),
      SENT_LIMIT_MS,
    )
    const named = (name: string) => spans.filter((span) => span.name === name)
    const [whole, ...more] = named('invoke_agent claude')
    expect(more).toEqual([])
    if (!whole) throw new Error(`no turn among ${spans.map(({ name }) => name).join(', ')}`)
    expect(valuesOf(whole)).toMatchObject({
      'gen_ai.conversation.id': run.events[0]?.sessionId,
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.response.model': 'claude-haiku-4-5',
      'gen_ai.usage.input_tokens': 3_000,
      'gen_ai.usage.cache_read.input_tokens': 900,
      'gen_ai.usage.output_tokens': 100,
    })
    const [tool] = named('execute_tool Bash')
    expect(tool?.parentSpanId).toBe(whole.spanId)
    expect(whole.parentSpanId).toBe(named('session claude')[0]?.spanId ?? '')
  })
})
