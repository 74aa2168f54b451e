/** The process of `gantry schema analyze`: reads a part of the journal, prints progress, then shapes. */
import { jsonIn } from '../../core/json.ts'
import { isLearned, kindOf, MAX_LEARNED_BYTES } from '../../insight/index.ts'
import { SchemaWatch } from '../../insight/schema/index.ts'
import { readJournal } from '../../store/index.ts'
import { out } from '../framework/terminal.ts'

/** On stdin. */
export interface SchemaTask {
  readonly database: string
  /** Sequences after the first and up to the second. */
  readonly after: number
  readonly upTo: number
  readonly agent?: string
  readonly event?: string
}

const TELL_EVERY = 5_000 // events

export async function run(): Promise<number> {
  const { database, after, upTo, agent, event } = (await Bun.stdin.json()) as SchemaTask
  const watch = new SchemaWatch({ expected: () => undefined, recall: () => undefined })
  const journal = readJournal(database)
  let done = 0
  for (const row of journal.payloads(after, upTo, MAX_LEARNED_BYTES)) {
    done += 1
    if (done % TELL_EVERY === 0) out(JSON.stringify({ done }))
    if ((agent !== undefined && row.agent !== agent) || (event !== undefined && row.native !== event))
      continue
    if (isLearned(row)) watch.see(kindOf(row), () => jsonIn(row.raw), row.receivedAt)
  }
  journal.close()
  out(JSON.stringify({ done, shapes: watch.shapes().filter(({ count }) => count > 0) }))
  return 0
}
