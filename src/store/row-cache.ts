/**
 * In-memory cache of rows that every event needs. A rollback undoes writes, so it clears the whole cache.
 *
 *   const tasks = new RowCache<string, TaskRow>(journal, 1000)
 *   tasks.get(path) ?? tasks.set(path, read(path))
 */
export class RowCache<Key, Row> {
  readonly #journal: { readonly rollbacks: number }
  readonly #limit: number
  readonly #rows = new Map<Key, Row>()
  #rollbacks: number

  constructor(journal: { readonly rollbacks: number }, limit: number) {
    this.#journal = journal
    this.#limit = limit
    this.#rollbacks = journal.rollbacks
  }

  get(key: Key): Row | undefined {
    if (this.#rollbacks !== this.#journal.rollbacks) this.clear()
    return this.#rows.get(key)
  }

  set(key: Key, row: Row): Row {
    if (this.#rollbacks !== this.#journal.rollbacks || this.#rows.size >= this.#limit) this.clear()
    this.#rows.set(key, row)
    return row
  }

  clear(): void {
    this.#rollbacks = this.#journal.rollbacks
    this.#rows.clear()
  }
}
