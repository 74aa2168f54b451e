/** Texts for generated journals. */

/** Words with a natural distribution: few are frequent, most are rare. */
export function wordMaker(words: number): (count: number) => string {
  let seed = 1
  const random = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return seed / 0x7fffffff
  }
  const word = () => `w${(Math.floor(words ** random()) - 1).toString(36)}`
  return (count) => Array.from({ length: count }, word).join(' ')
}
