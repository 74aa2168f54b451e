/** A hash to compare texts by: a number takes no memory of its own in an array or a map, and 53 bits hardly ever collide. */
export function hash53(text: string | Uint8Array): number {
  return Number(BigInt.asUintN(53, Bun.hash(text) as bigint))
}
