/** Any characters at all. fast-check's own `unit: 'binary'` takes most of a second for its tables, in each test file. */
import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }
const character = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((n) => String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count))

export function anyText(limits: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: character, ...limits })
}
