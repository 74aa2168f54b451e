/** Learning payload schemas: payloads per second from the journal, against only parsing them. */
import { jsonIn } from '../../src/core/json.ts'
import { isLearned, kindOf, MAX_LEARNED_BYTES } from '../../src/insight/index.ts'
import { Baselines, SchemaWatch, SHIPPED } from '../../src/insight/schema/index.ts'
import { openStore, type Store } from '../../src/store/index.ts'
import { eventOf } from '../../test/kit.ts'
import { fillJournal } from '../journals.ts'
import { median, type Result, round } from '../measure.ts'
import { interleave, payloadOf, type Stage } from '../stage.ts'

const PAGE = 500

/** 2 KB payloads of four tools, as the daemon reads them: in pages, compared with the shipped baselines. */
export async function schemaLearn(stage: Stage): Promise<Result[]> {
  const at = stage.home()
  const count = Math.max(5_000, Math.round(50_000 * stage.effort))
  const raws = fill(at.database, count)
  const store = openStore(at.database)
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

function fill(database: string, count: number): string[] {
  const tools = ['Bash', 'Read', 'Edit', 'Write']
  const raws = tools.map((tool) => payloadOf(2048).replace('"Bash"', JSON.stringify(tool)))
  const at = Date.now()
  fillJournal(database, count, (n) =>
    eventOf({
      ...{ id: `schema-${n}`, at, receivedAt: at, agentVersion: '2.1.325', sessionId: `session-${n % 200}` },
      ...{ type: 'PreToolUse', native: 'PreToolUse', tool: { name: tools[n % 4] ?? '', input: {} } },
      raw: raws[n % 4] ?? '',
    }),
  )
  return raws
}
