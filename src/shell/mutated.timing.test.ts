/** No command takes long, however broken or hostile it is: a hook waits for it. */
import { expect, test } from 'bun:test'
import { limitMs, rounds } from '../../test/long.ts'
import { quickestMs } from '../../test/processor-time.ts'
import { effectsOf } from './effects.ts'
import { parseScript } from './script.ts'
import { Mutator } from './testkit.ts'

const COMMANDS = rounds(1_500, 200_000)
const LONGEST = 65_536
const LIMIT_MS = 30 // seen: 22 in 200,000 of them
const TYPICAL_MS = 0.1
const PLACE = { cwd: '/home/u/project', home: '/home/u' }

const decide = (source: string) => effectsOf(parseScript(source), PLACE)

test(
  `none of ${COMMANDS} mutated commands takes ${LIMIT_MS} ms`,
  () => {
    const seed = Number(process.env.GANTRY_TEST_SEED ?? Date.now() % 1_000_000)
    const mutator = new Mutator(seed, LONGEST)
    let understood = 0
    for (let i = 0; i < COMMANDS; i++) {
      const source = mutator.next()
      const before = performance.now()
      if (decide(source).understood) understood++
      if (performance.now() - before < LIMIT_MS) continue
      const took = quickestMs(() => decide(source), LIMIT_MS)
      if (took > LIMIT_MS)
        throw new Error(
          `${took.toFixed(0)} ms, seed ${seed}, number ${i}: ${JSON.stringify(source.slice(0, 2_000))}`,
        )
    }
    expect(understood).toBeGreaterThan(COMMANDS / 50)
  },
  limitMs(COMMANDS, 20),
)

/** What was slow once, or is the most that fits: a start, and what is repeated behind it up to the longest. */
const WORST: readonly (readonly [string, string])[] = [
  ['', '$['],
  ['', '"$['],
  ['rm ', 'a '],
  ['rm ', '"(" '],
  ['find . ', 'a '],
  ['', 'a;'],
  ['', 'a|'],
  ['', 'sed s/a/b/|'],
  ['echo $(', 'x=1 '],
  ['', '"'],
  ['', '> a '],
  ['eval "', '$x '],
  ["echo 'x' > f; sh f; ", 'cd a;'],
  ["echo 'x' > f; ", 'f '],
  ["groovy -e '", '\\";'],
  ["python3 -c '", '\\"'],
  ["node -e '", 'a.'],
  ["awk '", 'print "'],
  ["echo a | sed '", 's/.*/&&/g;'],
  [`echo ${'a'.repeat(49_000)}`, '|tr -d z'],
  [`echo ${'ab'.repeat(20_000)}`, '|rev'],
  [`echo ${'a:'.repeat(15_000)}`, '|cut -d: -f1-'],
  [`echo ${'a'.repeat(990)}`, '|sed s/a.*b/c/'],
  [`echo ${'a'.repeat(30_000)} > f; `, 'tail f;'],
  [`for i in {1..60}; do for j in {1..60}; do printf ${'%s'.repeat(400)} ${'a '.repeat(900)}; `, 'done; '],
]

test(`the longest of every hostile shape takes ${LIMIT_MS} ms at most`, () => {
  for (const [start, unit] of WORST)
    for (const end of ['', "'", '"', "' | sh"]) {
      const source = (start + unit.repeat(LONGEST / unit.length + 1)).slice(0, LONGEST - end.length) + end
      const took = quickestMs(() => decide(source), LIMIT_MS)
      expect(took, `${JSON.stringify(start.slice(0, 60) + unit)} … ${end}`).toBeLessThan(LIMIT_MS)
    }
}, 60_000)

test('an ordinary command takes a tenth of a millisecond', () => {
  const commands = [
    'cd packages/app && npm test -- --run src/a.test.ts 2>&1 | tail -40',
    'git add -A && git commit -m "fix: a message" && git push origin main',
    "for f in $(git ls-files '*.ts'); do sed -i 's/a/b/' \"$f\"; done",
    'sudo bash -c \'echo 1 > /proc/sys/net/ipv4/ip_forward\' && docker run --rm -v "$PWD:/w" node:20 npm ci',
    'rg -n "TODO" src | head -20; cat package.json | jq .scripts',
  ]
  const limit = 200 * commands.length * TYPICAL_MS
  const all = quickestMs(() => {
    for (let i = 0; i < 200; i++) for (const command of commands) decide(command)
  }, limit)
  expect(all).toBeLessThan(limit)
})
