/** The transactions that the owner of the database has not carried out yet, as the thread that sent them sees them. */
import { GantryError } from '../../core/errors.ts'
import type { Write } from '../../store/index.ts'

const MAX_UNWRITTEN = 64 // the disk is full, or the owner is busy: then whoever wants to save tries again later

export class PostedWrites {
  readonly #post: (id: number, writes: readonly Write[]) => void
  #sent = 0
  #written = 0
  #waiters: { readonly id: number; readonly done: () => void }[] = []

  constructor(post: (id: number, writes: readonly Write[]) => void) {
    this.#post = post
  }

  send(writes: readonly Write[]): void {
    if (this.#sent - this.#written >= MAX_UNWRITTEN)
      throw new GantryError('DATABASE', 'The database takes no more writes just now. See: gantry status')
    this.#sent += 1
    this.#post(this.#sent, writes)
  }

  written(id: number): void {
    this.#written = id
    for (const waiter of this.#waiters) if (waiter.id <= id) waiter.done()
    this.#waiters = this.#waiters.filter((waiter) => waiter.id > id)
  }

  /** Resolves when everything that was sent is in the database. */
  flushed(): Promise<void> {
    if (this.#written >= this.#sent) return Promise.resolve()
    return new Promise((done) => this.#waiters.push({ id: this.#sent, done }))
  }
}
