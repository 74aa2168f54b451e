/**
 * The process that maintains the index and answers queries, so that neither runs on the daemon's thread. It reads the
 * journal itself, is notified when it has grown, and ends when its stdin closes.
 *
 *   {"open":{"database":"…/gantry.db","index":"…/search.db"}}        →  {"ready":true}
 *   {"grown":1700}                                      →  {"at":1700}
 *   {"ask":1,"query":{"text":"retry","order":"newest","limit":20}}   →  {"answer":1,"ok":true,"data":{…}}
 */
import { GantryError, messageOf } from '../../core/errors.ts'
import type { SearchQuery } from '../../rpc/index.ts'
import {
  type EventReader,
  isUnusable,
  openEventReader,
  openSearchIndex,
  removeSearchIndex,
  type SearchIndex,
} from '../../store/index.ts'
import { answer } from './answer.ts'
import { Indexer, isOf } from './indexer.ts'

export interface WorkerPlaces {
  readonly database: string
  readonly index: string
}

export type ToWorker =
  | { readonly open: WorkerPlaces }
  | { readonly grown: number }
  | { readonly ask: number; readonly query: SearchQuery }

export type FromWorker =
  | { readonly ready: true }
  | { readonly at: number }
  | { readonly trouble: string }
  | { readonly answer: number; readonly ok: true; readonly data: unknown }
  | { readonly answer: number; readonly ok: false; readonly code: string; readonly message: string }

const PROGRESS_MS = 1_000
/** Recent events are indexed before a query is answered, if there are no more than this time allows. */
const FRESH_MS = 200
const FRESH_EVENTS = 4_000

export class SearchWorker {
  readonly #places: WorkerPlaces
  readonly #say: (message: FromWorker) => void
  readonly #journal: EventReader
  #index: SearchIndex
  #indexer: Indexer
  #working = false
  #closed = false

  constructor(places: WorkerPlaces, say: (message: FromWorker) => void) {
    this.#places = places
    this.#say = say
    this.#journal = openEventReader(places.database)
    this.#index = openSearchIndex(places.index)
    if (!isOf(this.#index.mark(), this.#journal)) this.#rebuild()
    this.#indexer = new Indexer(this.#journal, this.#index)
    say({ ready: true })
  }

  heard(message: Exclude<ToWorker, { readonly open: unknown }>): void {
    if ('grown' in message) this.#catchUp()
    else this.#answer(message.ask, message.query)
  }

  /** Indexes slice by slice, answering queries in between. */
  #catchUp(): void {
    if (this.#working) return
    this.#working = true
    let said = performance.now()
    const go = () => {
      if (this.#closed) return
      const outcome = this.#step()
      this.#working = outcome === 'more'
      if (outcome === 'done' || performance.now() - said > PROGRESS_MS) {
        said = performance.now()
        this.#say({ at: this.#indexer.mark.seq })
      }
      if (this.#working) setImmediate(go)
    }
    go()
  }

  #answer(id: number, query: SearchQuery): void {
    const until = performance.now() + FRESH_MS
    if (this.#indexer.behind() <= FRESH_EVENTS)
      while (this.#indexer.behind() > 0 && performance.now() < until && this.#step() === 'more');
    try {
      const data = { ...answer(query, this.#journal, this.#index), behind: this.#indexer.behind() }
      this.#say({ answer: id, ok: true, data })
    } catch (error) {
      if (isUnusable(error)) this.#rebuild()
      const code = error instanceof GantryError ? error.code : 'HANDLER_ERROR'
      this.#say({ answer: id, ok: false, code, message: messageOf(error) })
    }
  }

  close(): void {
    this.#closed = true
    this.#index.close()
    this.#journal.close()
  }

  #step(): 'more' | 'done' | 'failed' {
    try {
      return this.#indexer.step() ? 'more' : 'done'
    } catch (error) {
      if (isUnusable(error)) this.#rebuild()
      this.#say({ trouble: messageOf(error) })
      return 'failed'
    }
  }

  #rebuild(): void {
    this.#index.close()
    removeSearchIndex(this.#places.index)
    this.#index = openSearchIndex(this.#places.index)
    this.#indexer = new Indexer(this.#journal, this.#index)
  }
}
