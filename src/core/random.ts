/**
 * Chance for tokens, nonces and names, from the system. By the global `crypto`: loading `node:crypto` takes five
 * milliseconds of every start.
 */
export function randomText(bytes: number, form: 'hex' | 'base64url'): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString(form)
}

/** For small limits: of 2³² values, none is likelier by more than the limit in four billion. */
export function randomBelow(limit: number): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % limit
}
