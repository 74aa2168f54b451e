/** Learning payload schemas: payloads per second from the journal, against only parsing them. */

import { jsonIn } from '../../src/core/json.ts'
import type { HookEvent } from '../../src/events/index.ts'
import { isLearned, kindOf, MAX_LEARNED_BYTES } from '../../src/insight/index.ts'
import { Baselines, SchemaWatch, SHIPPED } from '../../src/insight/schema/index.ts'
import { openStore, type Store } from '../../src/store/index.ts'
import { median, type Result, round } from '../measure.ts'
import { interleave, type Stage, payloadOf as samplePayload } from '../stage.ts'

const PAGE = 500

/** 2 KB payloads of four tools, as the daemon reads them: in pages, compared with the shipped baselines. */
export async function schemaLearn(stage: Stage): Promise<Result[]> {
  const at = stage.home()
  const count = Math.max(5_000, Math.round(50_000 * stage.effort))
  const store = openStore(at.database)
  const raws = fill(store, count)
  const learn = async () => [rateOf(count, () => learnAll(store))]
  const parse = async () => [
    rateOf(count, () => {
      for (let i = 0; i < count; i++) JSON.parse(raws[i % raws.length] ?? '')
    }),
  ]
  const [rates = [], floors = []] = await interleave(5, learn, parse)
  store.close()
  const slowest = round(Math.min(...rates))
  const floor = median(floors)
  return [
    {
      name: 'schema-learn',
      unit: 'events/s',
      p50: median(rates),
      p95: slowest,
      p99: slowest,
      n: count * rates.length,
      floor,
      ratio: round(floor / median(rates)),
      against: 'JSON.parse alone, of texts in memory; a ratio of 3 is a third of its rate',
    },
  ]
}

function learnAll(store: Store): void {
  const baselines = new Baselines(SHIPPED)
  const watch = new SchemaWatch({ expected: (kind) => baselines.expected(kind), recall: () => undefined })
  for (let cursor = 0; cursor < store.journal.lastSeq; ) {
    for (const row of store.payloads(cursor, PAGE, MAX_LEARNED_BYTES)) {
      cursor = row.seq
      if (isLearned(row)) watch.see(kindOf(row), () => jsonIn(row.raw), row.receivedAt)
    }
  }
}

function rateOf(count: number, work: () => void): number {
  const start = performance.now()
  work()
  return (count / (performance.now() - start)) * 1000
}

function fill(store: Store, count: number): string[] {
  const tools = ['Bash', 'Read', 'Edit', 'Write']
  const raws = tools.map((tool) => samplePayload(2048).replace('"Bash"', JSON.stringify(tool)))
  const now = Date.now()
  for (let i = 0; i < count; ) {
    store.journal.commit(() => {
      for (let n = 0; n < 5_000 && i < count; n++, i++) {
        const event: HookEvent = {
          id: `schema-${i}`,
          seq: 0,
          at: now,
          receivedAt: now,
          agent: 'claude',
          agentVersion: '2.1.325',
          type: 'PreToolUse',
          native: 'PreToolUse',
          sessionId: `session-${i % 200}`,
          tool: { name: tools[i % tools.length] ?? '', input: {} },
          client: { env: {} },
          transport: 'socket',
          raw: raws[i % raws.length] ?? '',
        }
        store.journal.append(event)
      }
    })
    store.checkpoint()
  }
  return raws
}
