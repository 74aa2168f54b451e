/**
 * Random tokens, nonces and names from the system. Uses the global `crypto`: loading `node:crypto` takes 5 ms of every
 * start.
 */
export function randomText(bytes: number, form: 'hex' | 'base64url'): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString(form)
}

/** For small limits: the modulo bias is at most limit / 2³². */
export function randomBelow(limit: number): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % limit
}
