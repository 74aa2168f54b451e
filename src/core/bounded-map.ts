/**
 * A map of at most `most` entries, in the order in which they were set last: the first makes room for another. RecentMap is quicker
 * where the number need not be exact.
 *
 *   const places = new BoundedMap<string, Place>(32, ({ watcher }) => watcher.close())
 */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #most: number
  readonly #dropped: ((value: V) => void) | undefined

  /** `dropped` gets what made room, not what was deleted or replaced. */
  constructor(most: number, dropped?: (value: V) => void) {
    super()
    this.#most = most
    this.#dropped = dropped
  }

  override set(key: K, value: V): this {
    this.delete(key)
    super.set(key, value)
    const [oldest] = this.size > this.#most ? this : []
    if (!oldest) return this
    this.delete(oldest[0])
    this.#dropped?.(oldest[1])
    return this
  }
}
