/** A count and its noun agree: they are put together by `counted` of src/core/text/text.ts, which knows of one. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './kit.ts'

const NOUNS =
  'answers|efforts|events|failures|fields|files|handlers|hosts|messages|rules|sessions|tasks|need you'
/** `${runs} runs`: a number in a template with a plural behind it. */
const BY_HAND = new RegExp(`\\$\\{[^{}]*\\} (?:${NOUNS})\\b`)
/** Always more than one, or a total of which some are counted. */
const MANY = [
  /(?:MAX_\w+|most|\ball)\} /,
  /\$\{gantry\} sessions/,

  / of \$\{/,
  /found\.length\} events have/,
  /list\.length\} answers/,
  /sessions\.length\} sessions begin/,
]

test('no plural is written behind a number by hand', () => {
  const src = join(ROOT, 'src')
  const found = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|testing/.test(name))
    .flatMap((name) =>
      readFileSync(join(src, name), 'utf8')
        .split('\n')
        .filter((line) => BY_HAND.test(line) && !MANY.some((one) => one.test(line)))
        .map((line) => `${name}: ${line.trim()}`),
    )
  expect(found).toEqual([])
})
