/**
 * Browsers that may answer for a person. Each has a key that no script can read out. It counts once its owner has typed its
 * code into a terminal, so the cookie alone only lets somebody ask.
 *
 *   const { device, code } = await devices.propose(publicKey, 'Firefox on Linux', now)
 *   devices.allow(code, now)
 *   await devices.signed(device, ['approval', id, nonce, 'allow', ''], signature)
 */
import { GantryError } from '../../core/errors.ts'
import { isObject } from '../../core/is-object.ts'
import { randomBelow } from '../../core/random.ts'
import { plain } from '../../core/text/text.ts'
import type { SealedFile } from './sealed-file.ts'

export interface Device {
  /** From its key. */
  readonly id: string
  /** How it calls itself. */
  readonly label: string
  /** base64url of the SPKI. */
  readonly publicKey: string
  readonly at: number
  readonly usedAt?: number
}

interface Proposed extends Device {
  readonly code: string
  readonly until: number
}

const CODE_MS = 10 * 60_000
const CODES = 1_000_000 // six digits
const MAX_PROPOSED = 4 // so that a code is not guessed by chance; the oldest goes
const MAX_WRONG = 5 // codes in a row; then all have to be asked for again
const MAX_DEVICES = 32
const MAX_LABEL_CHARS = 60
const ID_CHARS = 16 // hexadecimal: an id is typed, and must not look like an option
const KEY = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const
const BASE64URL = /^[A-Za-z0-9_-]{1,200}$/

export class Devices {
  readonly #file: SealedFile
  #known: Device[]
  #proposed: Proposed[] = []
  #wrong = 0

  constructor(file: SealedFile) {
    this.#file = file
    this.#known = devicesIn(file.read())
  }

  list(): readonly Device[] {
    return this.#known
  }

  /** Asked again with the same key, it tells how that stands. */
  async propose(
    publicKey: string,
    label: string,
    now: number,
  ): Promise<{ readonly device: string; readonly allowed: boolean; readonly code?: string }> {
    if (!BASE64URL.test(publicKey) || !(await keyOf(publicKey)))
      throw new GantryError('VALIDATION_ERROR', 'publicKey is not a P-256 key: base64url of its SPKI')
    const id = new Bun.CryptoHasher('sha256').update(publicKey).digest('hex').slice(0, ID_CHARS)
    if (this.#known.some((one) => one.publicKey === publicKey)) return { device: id, allowed: true }
    this.#proposed = this.#proposed.filter(({ until }) => now < until)
    const asked = this.#proposed.find((one) => one.publicKey === publicKey)
    if (asked) return { device: id, allowed: false, code: asked.code }
    const code = this.#newCode()
    const named = plain(label).trim().slice(0, MAX_LABEL_CHARS) || 'a browser'
    this.#proposed.push({ id, label: named, publicKey, at: now, code, until: now + CODE_MS })
    this.#proposed = this.#proposed.slice(-MAX_PROPOSED)
    return { device: id, allowed: false, code }
  }

  /** The owner has typed a code. */
  allow(code: string, now: number): Device {
    const found = this.#proposed.find((one) => one.code === code && now < one.until)
    if (!found) {
      this.#wrong += 1
      const isOver = this.#wrong >= MAX_WRONG
      if (isOver) {
        this.#proposed = []
        this.#wrong = 0
      }
      const again = 'Every code is void now; load the page again for a new one.'
      throw new GantryError(
        'VALIDATION_ERROR',
        `No browser shows ${code}, or it did so more than ten minutes ago. ${isOver ? again : 'See the page.'}`,
      )
    }
    this.#wrong = 0
    this.#proposed = this.#proposed.filter((one) => one !== found)
    const { id, label, publicKey } = found
    if (this.#known.some((one) => one.id === id))
      throw new GantryError('VALIDATION_ERROR', `There is a device ${id} already.`)
    if (this.#known.length >= MAX_DEVICES)
      throw new GantryError('VALIDATION_ERROR', 'There are 32 devices. Remove one: gantry web revoke')
    const device = { id, label, publicKey, at: now }
    this.#known = [...this.#known, device]
    this.#write()
    return device
  }

  /** By its id or the beginning of it. */
  revoke(which: string): Device {
    const found = this.#known.filter(({ id }) => id.startsWith(which))
    const [device] = found
    if (!device || found.length > 1)
      throw new GantryError(
        'VALIDATION_ERROR',
        found.length === 0
          ? `There is no device "${which}". Run: gantry web devices`
          : `More than one device is called ${which}. Run: gantry web devices`,
      )
    this.#known = this.#known.filter((one) => one !== device)
    this.#write()
    return device
  }

  /** The device, if it is allowed and has signed exactly this. */
  async signed(
    id: string,
    said: readonly (string | number)[],
    signature: string,
    now: number,
  ): Promise<Device | undefined> {
    const device = this.#find(id)
    const key = device && (await keyOf(device.publicKey))
    if (!key || !BASE64URL.test(signature)) return undefined
    const bytes = new TextEncoder().encode(JSON.stringify(said))
    const isGood = await crypto.subtle.verify(SIGNATURE, key, Buffer.from(signature, 'base64url'), bytes)
    // It may have been revoked meanwhile.
    if (!isGood || !this.#find(id)) return undefined
    const used = { ...device, usedAt: now }
    this.#known = this.#known.map((one) => (one.id === id ? used : one))
    try {
      this.#write()
    } catch {
      // a full disk must not keep anybody from answering
    }
    return used
  }

  isAllowed(id: string): boolean {
    return this.#find(id) !== undefined
  }

  #find(id: string): Device | undefined {
    return this.#known.find((one) => one.id === id)
  }

  /** Codes that nobody has typed yet are void. */
  forgetProposed(): void {
    this.#proposed = []
  }

  /** Random and not made of the key: a key whose six digits are the same is found in a second. */
  #newCode(): string {
    for (;;) {
      const code = String(randomBelow(CODES)).padStart(6, '0')
      if (!this.#proposed.some((one) => one.code === code)) return code
    }
  }

  #write(): void {
    this.#file.write({ devices: this.#known })
  }
}

async function keyOf(publicKey: string): Promise<CryptoKey | undefined> {
  try {
    const spki = Buffer.from(publicKey, 'base64url')
    return await crypto.subtle.importKey('spki', spki, KEY, false, ['verify'])
  } catch {
    return undefined
  }
}

function devicesIn(file: unknown): Device[] {
  const devices = isObject(file) && Array.isArray(file.devices) ? (file.devices as unknown[]) : []
  return devices.filter(
    (one): one is Device =>
      isObject(one) &&
      [one.id, one.label, one.publicKey].every((text) => typeof text === 'string') &&
      typeof one.at === 'number',
  )
}
