import { describe, expect, test } from 'bun:test'
import { timeOf } from '../../client/index.ts'
import { GantryError } from '../../core/errors.ts'
import { type Definition, define, type Option } from './define.ts'
import { helpOf } from './help.ts'
import { parseInput } from './parse.ts'

const command = define({
  name: 'try',
  summary: 'Try something',
  args: [{ name: 'what', kind: 'text', many: 'list' }],
  options: {
    limit: { kind: 'text', value: 'n', short: 'n', help: 'At most this many' },
    json: { kind: 'flag', help: 'As JSON' },
  },
  examples: { 'gantry try this -n 3': 'Tries this, three times' },
})

/** What `--value` reads as. */
const read = (option: Omit<Option & { kind: 'count' | 'session' | 'text' }, 'help'>, ...argv: string[]) =>
  parseInput(define({ ...command, options: { value: { ...option, help: '' } } }), argv).flags.value

const usageError = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    expect(error).toBeInstanceOf(GantryError)
    expect((error as GantryError).code).toBe('USAGE')
    return (error as GantryError).message
  }
  throw new Error('no error')
}

describe('a command line', () => {
  test('gives arguments and flags', () => {
    const input = parseInput(command, ['this', '-n', '3', '--json', '--', '--that'])
    expect(input.args.what).toEqual(['this', '--that'])
    expect(input.flags).toMatchObject({ limit: '3', json: true })
  })

  test('moves everything with --home', () => {
    expect(parseInput(command, ['--home', '/tmp/x']).places.database).toBe('/tmp/x/state/gantry.db')
  })

  test('that makes no sense is a usage error of one line, with the way to the help', () => {
    for (const argv of [
      ['--nope'],
      ['-x'],
      ['--limit'],
      ['--json=yes'],
      ['--limit', '-x'],
      ['-n', '--json'],
    ]) {
      const message = usageError(() => parseInput(command, argv))
      expect(message).toEndWith('See: gantry try --help')
      expect(message).not.toContain('\n')
    }
  })

  test('with a number below zero leaves it to its kind to say what is wrong with it', () => {
    for (const argv of [['--value', '-1'], ['--value=-1']])
      expect(usageError(() => read({ kind: 'count' }, ...argv))).toBe(
        '--value takes a whole number above 0, not "-1".',
      )
    expect(usageError(() => parseInput(command, ['--limit', '-x']))).toStartWith(
      '--limit takes a value; one that begins with a dash is written --limit=-x.',
    )
  })

  test('takes a text that begins with a dash, as agents write lists', () => {
    const input = parseInput(command, [
      '- done',
      '--json',
      '--what now?\nnext',
      '--limit',
      '- 3',
      '--',
      '--x y',
    ])
    expect(input.args.what).toEqual(['- done', '--what now?\nnext', '--x y'])
    expect(input.flags).toMatchObject({ json: true, limit: '- 3' })
  })

  test('takes an option more than once where that is meant', () => {
    const many = define({
      ...command,
      options: { file: { kind: 'file', multiple: true, help: '' } },
    })
    expect(parseInput(many, ['--file', 'a', '--file=b']).flags.file).toEqual(['a', 'b'])
    expect(parseInput(many, []).flags.file).toEqual([])
  })

  test('takes counts as whole numbers up to a limit, and the words that stand for one', () => {
    const limit = (text: string) => read({ kind: 'count', most: 200, also: { all: 1_000 } }, '--value', text)
    expect([limit('200'), limit('all')]).toEqual([200, 1_000])
    expect(usageError(() => limit('201'))).toBe(
      '--value takes a whole number from 1 to 200 or "all", not "201".',
    )
    expect(usageError(() => limit('constructor'))).toContain('"constructor"')
  })

  test('takes counts as whole numbers above 0, or the default', () => {
    expect(read({ kind: 'count', default: 100 })).toBe(100)
    expect(read({ kind: 'count', default: 100, short: 'n' }, '-n', '7')).toBe(7)
    for (const text of ['0', '1.5', 'many', '', 'Infinity'])
      expect(usageError(() => read({ kind: 'count' }, '--value', text))).toContain(`"${text}"`)
  })

  test('takes no empty name: a variable of a script may not be set', () => {
    expect(usageError(() => read({ kind: 'session' }, '--value', ' '))).toBe('--value takes session, not "".')
    expect(String(read({ kind: 'text' }, '--value', ''))).toBe('')
  })

  test('says which argument or option is missing, which is too much, and which choices there are', () => {
    const strict: Definition = {
      name: 'pick',
      summary: 'Pick one',
      args: [{ name: 'colour', kind: 'choice', choices: ['red', 'green'], required: true }],
      options: {
        id: { kind: 'text', required: true, help: '' },
        a: { kind: 'flag', help: '' },
        b: { kind: 'flag', help: '' },
      },
      oneOf: { names: ['a', 'b'] },
    }
    const says = (...argv: string[]) => usageError(() => parseInput(strict, argv))
    expect(says('--id', 'x')).toBe('<colour> is missing. See: gantry pick --help')
    expect(says('red')).toBe('--id is missing. See: gantry pick --help')
    expect(says('red', '--id', 'x', '--a', '--b')).toStartWith('Say one of --a and --b, not two.')
    expect(says('gren', '--id', 'x')).toBe(
      'There is no colour "gren". Did you mean green? There are: red, green.',
    )
    const two = {
      ...strict,
      args: [
        { name: 'id', kind: 'text' },
        { name: 'mode', kind: 'choice', choices: ['ask'] },
      ],
    }
    expect(usageError(() => parseInput(two as Definition, ['a', 'foo', '--id', 'x']))).toBe(
      'There is no mode "foo". There are: ask.',
    )
    expect(says('red', 'blue', '--id', 'x')).toContain('takes one argument; too much: "blue"')
  })
})

test('the help shows usage, every option and every example', () => {
  const help = helpOf(command)
  for (const part of [
    'Usage: gantry try [options] [what…]',
    '-n, --limit <n>',
    '--json',
    '--home <dir>',
    '-h, --help',
    'gantry try this -n 3',
  ]) {
    expect(help).toContain(part)
  }
})

test('the help of an option has its facts in one pair of brackets, and no empty default', () => {
  const help = helpOf({
    ...command,
    options: {
      rank: { kind: 'count', default: 50, most: 1000, help: 'Lower runs first' },
      prefix: { kind: 'text', default: '', help: 'Prepend this' },
    },
  })
  expect(help).toContain('Lower runs first (default 50, up to 1000)\n')
  expect(help).toContain('Prepend this\n')
})

test('a time is a span back from now, or itself', () => {
  const now = Date.UTC(2026, 0, 31, 12)
  expect(['90s', '15m', '1h', '1.5h', '7d'].map((text) => now - timeOf(text, now))).toEqual([
    90_000, 900_000, 3_600_000, 5_400_000, 604_800_000,
  ])
  expect(timeOf('2026-01-31T11:00:00Z', now)).toBe(now - 3_600_000)
  for (const text of ['', 'yesterday', '5 minutes', '-1h', '1w'])
    expect(usageError(() => timeOf(text, now))).toContain('90s')
})
