/** Journals that are made without a daemon: their events, their search index, and texts for them. */
import type { Places } from '../src/core/files/paths.ts'
import type { HookEvent } from '../src/events/index.ts'
import { Indexer } from '../src/insight/search/indexer.ts'
import { openEventReader, openSearchIndex, openStore, type Store } from '../src/store/index.ts'

const COMMIT_ROWS = 5_000

/** Appends `count` events to the journal of a daemon that is down. `also` runs within each commit. */
export function fillJournal(
  database: string,
  count: number,
  eventAt: (n: number) => HookEvent,
  also?: (store: Store, done: number) => void,
): void {
  const store = openStore(database)
  for (let n = 0; n < count; ) {
    store.journal.commit(() => {
      for (let i = 0; i < COMMIT_ROWS && n < count; i++, n++) store.journal.append(eventAt(n))
      also?.(store, n)
    })
    store.checkpoint()
  }
  store.close()
}

/** Returns the events per second. */
export function indexJournal({ database, searchIndex }: Places): number {
  const journal = openEventReader(database)
  const index = openSearchIndex(searchIndex)
  const indexer = new Indexer(journal, index)
  const rows = indexer.behind()
  const start = performance.now()
  while (indexer.step());
  const seconds = (performance.now() - start) / 1000
  index.close()
  journal.close()
  return rows / seconds
}

/** Words with a natural distribution: few are frequent, most are rare. */
export function wordMaker(words: number): (count: number) => string {
  let seed = 1
  const random = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return seed / 0x7fffffff
  }
  const word = () => `w${(Math.floor(words ** random()) - 1).toString(36)}`
  return (count) => Array.from({ length: count }, word).join(' ')
}
