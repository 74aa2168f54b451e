/**
 * Who may see the page. `gantry web` makes a link that works once; the browser that opens it gets a cookie. Links are in
 * memory; of cookies only hashes are kept, in a file, so that a restart of the daemon does not sign anybody out.
 */
import { isObject } from '../../core/is-object.ts'
import { randomText } from '../../core/random.ts'
import { hashOf, OneTime, SECRET_BYTES } from './one-time.ts'
import type { SealedFile } from './sealed-file.ts'

const LINK_MS = 10 * 60_000
const MAX_LINKS = 16
const LOGIN_DAYS = 30
const LOGIN_MS = LOGIN_DAYS * 24 * 3_600_000
const MAX_LOGINS = 32

/** Links that were not used yet. */
export class Links extends OneTime {
  constructor() {
    super({ lifeMs: LINK_MS, most: MAX_LINKS })
  }
}

interface Login {
  readonly hash: string
  readonly at: number
}

export class Logins {
  readonly #file: SealedFile
  #known: Login[]

  constructor(file: SealedFile) {
    this.#file = file
    this.#known = loginsIn(file.read())
  }

  /** The value of a `Set-Cookie` header. */
  begin(port: number, now: number): string {
    const secret = randomText(SECRET_BYTES, 'base64url')
    const living = this.#known.filter(({ at }) => now - at < LOGIN_MS)
    this.#known = [...living, { hash: hashOf(secret), at: now }].slice(-MAX_LOGINS)
    try {
      this.#write()
    } catch {
      // on a full disk it is good until the daemon ends
    }
    const age = LOGIN_MS / 1000
    return `${cookieName(port)}=${secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${age}`
  }

  /**
   * Any cookie of this name counts: cookies know no ports, so another server on this address may have set one of the same
   * name, and must not sign anybody out with it.
   */
  has(request: Request, port: number, now: number): boolean {
    const name = `${cookieName(port)}=`
    const given = (request.headers.get('cookie') ?? '').split(/;\s*/)
    return given
      .filter((one) => one.startsWith(name))
      .some((one) => {
        const hash = hashOf(one.slice(name.length))
        return this.#known.some((login) => login.hash === hash && now - login.at < LOGIN_MS)
      })
  }

  /** Signs out every browser. Returns how many. */
  clear(): number {
    const count = this.#known.length
    this.#known = []
    this.#write()
    return count
  }

  #write(): void {
    this.#file.write({ logins: this.#known })
  }
}

/** Two daemons on one host are two names. */
function cookieName(port: number): string {
  return `gantry-page-${port}`
}

function loginsIn(file: unknown): Login[] {
  const { logins } = isObject(file) ? file : {}
  if (!Array.isArray(logins)) return []
  return logins.filter((one): one is Login => typeof one?.hash === 'string' && typeof one?.at === 'number')
}
