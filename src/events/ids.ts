/**
 * Event ids are made at the source, so a hook that arrives over two transports is recorded once. An id is a ULID: 26
 * characters that sort by time. The first ten random bits carry the microsecond, so hooks of the same millisecond sort,
 * too.
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

let lastMicros = 0

/** `micros` is the wall clock in microseconds since 1970; ids of one process always increase. */
export function newId(micros: number = Date.now() * 1000): string {
  lastMicros = Math.max(lastMicros + 1, Math.floor(micros))
  const ms = Math.floor(lastMicros / 1000)
  const sub = lastMicros % 1000
  const random = crypto.getRandomValues(new Uint8Array(14))
  let id = ''
  for (let shift = 45; shift >= 0; shift -= 5) id += ALPHABET[Math.floor(ms / 2 ** shift) % 32]
  id += ALPHABET[sub >> 5]
  id += ALPHABET[sub & 31]
  for (let i = 0; i < 14; i++) id += ALPHABET[(random[i] ?? 0) & 31]
  return id
}

/** The time of creation in milliseconds; undefined if the id is not a ULID. */
export function timeOfId(id: string): number | undefined {
  const digits = [...id.slice(0, 10)].map((char) => ALPHABET.indexOf(char))
  if (digits.length < 10 || digits.includes(-1)) return undefined
  return digits.reduce((ms, digit) => ms * 32 + digit, 0)
}

/** Accepts external ids that are short, printable and without spaces. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,128}$/.test(value)
}
