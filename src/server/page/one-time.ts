/**
 * Secrets that work once, and for a while: links, and the words that a signature covers. In memory, by hash, so that the time
 * a lookup takes tells nothing about them.
 *
 *   const links = new OneTime({ lifeMs: 600_000, most: 16 })
 *   links.use(links.make(now), now)   // true, once
 */
import { BoundedMap } from '../../core/bounded-map.ts'
import { randomText } from '../../core/random.ts'

export const SECRET_BYTES = 32

export class OneTime {
  readonly #until: BoundedMap<string, number>
  readonly #lifeMs: number

  /** Above `most`, the oldest goes. */
  constructor({ lifeMs, most }: { readonly lifeMs: number; readonly most: number }) {
    this.#lifeMs = lifeMs
    this.#until = new BoundedMap(most)
  }

  make(now: number): string {
    const secret = randomText(SECRET_BYTES, 'base64url')
    this.#until.set(hashOf(secret), now + this.#lifeMs)
    return secret
  }

  /** True for the first who asks in time, and for nobody after that. */
  use(secret: string, now: number): boolean {
    const hash = hashOf(secret)
    const until = this.#until.get(hash)
    this.#until.delete(hash)
    return until !== undefined && now < until
  }

  clear(): void {
    this.#until.clear()
  }
}

export function hashOf(secret: string): string {
  return new Bun.CryptoHasher('sha256').update(secret).digest('base64url')
}
