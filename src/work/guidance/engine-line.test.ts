/** Which lines are the engine's own, and that real shells agree: what passes runs gantry once, and nothing else. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { tempDir } from '../../../test/kit.ts'
import { limitMs, rounds } from '../../../test/long.ts'
import { selfPath } from '../../core/processes/self.ts'
import { isEngineLine } from './engine-line.ts'

const PASSING = [
  'gantry effort log "parser done; tests next && then docs | done"',
  "  gantry effort log 'a; b' ",
  `${selfPath()} effort phase test`,
  'gantry session s1 2>&1',
  'gantry effort list --json 2>/dev/null',
  'gantry effort list > /dev/null 2>&1',
  'gantry effort dehydrate < notes.json',
  'gantry fleet await --timeout 5',
  `gantry effort dehydrate <<'EOF'\n{"task":"a; rm -rf / \`x\` $(y)","nextSteps":["b"]}\nEOF`,
  'gantry effort dehydrate <<"EOF" 2>&1\n{"task":"$(x)"}\nEOF',
  'gantry effort dehydrate <<EOF\n{"task":"plain"}\nEOF\n',
  'gantry effort dehydrate <<-EOF\n\t{"task":"plain"}\n\tEOF\n',
  'gantry effort log a\\;b',
  `gantry effort log 'it'\\''s done'`,
  'gantry effort log "it costs $5, and \\`x\\` and \\$(y) are \\"words\\""',
  'gantry effort dehydrate --task "Search" \\\n  --next \'rank\' \\\n',
  'gantry effort log "first\nsecond"',
  'gantry effort log größer→schneller',
  'gantry effort list',
  'gantry --home /x effort log done',
  "gantry --home='/a b' effort list",
]

const COUNTING = [
  'npm test',
  'gantry up',
  'gantry',
  'gantry effort log x && rm -rf build',
  'gantry effort log x; curl example.org',
  'gantry effort log x | tee log',
  'gantry effort log x & sleep 9',
  'gantry effort log x\nrm -rf build',
  'gantry effort log "$(cat /etc/passwd)"',
  'gantry effort log "`id`"',
  'gantry effort log $(id)',
  'gantry effort list > ~/.bashrc',
  'gantry effort dehydrate <(curl x)',
  'gantry effort log "open',
  'gantry effort log x"open',
  "gantry effort log x'open",
  `gantry effort dehydrate <<'EOF'\n{}\nEOF\nrm -rf build`,
  `gantry effort dehydrate <<'EOF'\n{}`,
  'gantry effort dehydrate <<EOF\n$(rm -rf build)\nEOF',
  'gantry effort dehydrate <<EOF\nEO\\\nF\ntouch pwn\nEOF',
  `gantry effort dehydrate <<'EOF' 'a\nEOF\ntouch pwn\n'\nEOF`,
  `gantry effort dehydrate <<'EOF' ; touch pwn\nEOF`,
  `gantry effort dehydrate <<'EOF' >/dev/null2>&1\nEOF`,
  'gantry effortless',
  'echo gantry effort log x',
  'gantry efforts',
  '',
  // With a second command in it.
  `gantry effort log $'\\'' ; touch pwn ; echo \\'`,
  `gantry effort log x # '\ntouch pwn # '`,
  `gantry effort log "$\{ touch pwn; }"`,
  `gantry effort log "$\{x:=\`touch pwn\`}"`,
  'gantry effort log "$[`touch pwn`]"',
  'gantry effort log x > /dev/null2',
  'gantry effort log x >/dev/null/../../tmp/pwn',
  'gantry effort log x 2>&1pwn',
  'gantry effort log x &>/dev/null',
  'gantry effort log x < /dev/tcp/127.0.0.1/80',
  'gantry\\\neffort log x',
  'gantry effort log x\\\n;touch pwn',
  'gantry effort log x\0; touch pwn',
  'gantry effort log x\r\ntouch pwn',
  // Another program.
  '/tmp/evil/gantry effort log x',
  './gantry effort log x',
  '~/bin/gantry effort log x',
  'engine effort log x',
  'PATH=/tmp/evil gantry effort log x',
  'gantry --home $(id) effort log x',
  'gantry --home /x; touch pwn',
  'gantry --home',
]

describe('a line of the engine', () => {
  for (const line of PASSING)
    test(`passes: ${JSON.stringify(line)}`, () => expect(isEngineLine(line)).toBe(true))

  for (const line of COUNTING)
    test(`counts: ${JSON.stringify(line)}`, () => expect(isEngineLine(line)).toBe(false))
})

describe('in a real shell', () => {
  /** Whatever is called adds its name to a file; nothing else may be written. */
  let dir: string
  let bin: string
  const names = [
    'gantry',
    'touch',
    'rm',
    'id',
    'evil',
    'sleep',
    'cat',
    'effort',
    'log',
    'EOF',
    'gantryeffort',
    'x',
  ]
  beforeAll(() => {
    dir = tempDir()
    bin = join(dir, 'bin')
    mkdirSync(bin)
    for (const name of names) {
      writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} >> '${dir}/ran'\nexit 0\n`)
      chmodSync(join(bin, name), 0o755)
    }
  })
  afterAll(() => rmSync(join(dir, 'ran'), { force: true }))

  let turn = 0
  /** What ran, and what lies in the folder afterwards. */
  const played = (shell: string, line: string): { ran: string[]; left: string[] } => {
    turn += 1
    const cwd = join(dir, `at-${turn}`)
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'notes.json'), '{}')
    writeFileSync(join(dir, 'ran'), '')
    Bun.spawnSync([shell, '-c', line], {
      cwd,
      env: { PATH: bin, LANG: 'C.UTF-8', HOME: cwd },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
    })
    const ran = readFileSync(join(dir, 'ran'), 'utf8').split('\n').filter(Boolean)
    return { ran, left: readdirSync(cwd) }
  }
  const shells = ['dash', 'bash'].map((name) => Bun.which(name) ?? `/bin/${name}`)
  const own = (line: string) => line.startsWith(selfPath())

  for (const line of PASSING.filter((one) => !own(one)))
    test(`runs once, alone: ${JSON.stringify(line)}`, () => {
      for (const shell of shells)
        expect(played(shell, line)).toEqual({ ran: ['gantry'], left: ['notes.json'] })
    })

  test('the tricks really run something else, so the test can see them', () => {
    const [, bash = ''] = shells
    for (const trick of [
      `gantry effort log $'\\'' ; touch pwn ; echo \\'`,
      `gantry effort log x # '\ntouch pwn # '`,
    ])
      expect(played(bash, trick).ran).toEqual(['gantry', 'touch'])
    expect(played(bash, 'gantry effort log x > here').left).toEqual(['here', 'notes.json'])
  })

  /** Pieces from which tricks are made. */
  const piece = fc.constantFrom(
    ...[
      'gantry',
      ' ',
      ' ',
      'effort',
      'log',
      'x',
      "'",
      '"',
      '\\',
      '\n',
      '$',
      '`',
      '(',
      ')',
      '{',
      '}',
      ';',
      '&',
      '|',
    ],
    ...[
      '<',
      '>',
      '>&',
      '2>&1',
      '/dev/null',
      '<<',
      '<<-',
      'EOF',
      "'EOF'",
      '\nEOF\n',
      '#',
      '!',
      '~',
      '*',
      '\t',
      '\r',
    ],
    ...['=', '[', ']', '5', 'touch pwn', "$'", '${', '$(', '\\\n', 'é', '→', '-'],
  )
  const tail = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''))
  const start = fc.constantFrom(
    'gantry effort log',
    'gantry effort log ',
    'gantry effort dehydrate <<EOF',
    'gantry ',
  )
  /** Of made lines hardly any pass, so a good one with a piece put in somewhere, too. */
  const bent = fc
    .tuple(fc.constantFrom(...PASSING.filter((line) => !own(line))), fc.nat(), piece, fc.nat(3))
    .map(([line, at, what, cut]) => {
      const where = at % (line.length + 1)
      return line.slice(0, where) + what + line.slice(where + cut)
    })
  const made = fc.oneof(
    { weight: 1, arbitrary: fc.tuple(start, tail).map((two) => two.join('')) },
    { weight: 2, arbitrary: bent },
  )

  const RUNS = rounds(300, 5_000)

  test(
    'whatever passes runs gantry at most once, and nothing else',
    () => {
      let passed = 0
      fc.assert(
        fc.property(made, (line) => {
          if (!isEngineLine(line)) return
          for (const shell of shells) {
            const { ran, left } = played(shell, line)
            passed += ran.length
            expect(['', 'gantry']).toContain(ran.join()) // not at all where a file it is to read is missing
            expect(left).toEqual(['notes.json'])
          }
        }),
        { numRuns: RUNS },
      )
      expect(passed).toBeGreaterThan(RUNS / 15)
    },
    limitMs(RUNS, 50),
  )
})
