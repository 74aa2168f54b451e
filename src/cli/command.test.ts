import { describe, expect, test } from 'bun:test'
import { timeOf } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import { type Command, countFlag, helpOf, listFlag, parseInput, stringFlag } from './command.ts'

const command: Command = {
  name: 'try',
  summary: 'Try something',
  usage: '<what> [--limit n]',
  takes: Infinity,
  options: {
    limit: { type: 'string', short: 'n', value: 'n', help: 'At most so many' },
    json: { type: 'boolean', help: 'As JSON' },
  },
  examples: [{ line: 'gantry try this -n 3', does: 'Tries this, three times' }],
  run: async () => 0,
}

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
    expect(input.args).toEqual(['this', '--that'])
    expect(input.flags).toMatchObject({ limit: '3', json: true })
    expect(stringFlag(input, 'limit')).toBe('3')
    expect(stringFlag(input, 'json')).toBeUndefined()
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

  test('with a number below zero leaves it to the command to say what is wrong with it', () => {
    for (const argv of [['--limit', '-1'], ['-n', '-1'], ['--limit=-1']])
      expect(usageError(() => countFlag(parseInput(command, argv), 'limit', 1))).toBe(
        '--limit takes a whole number above 0, not "-1".',
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
    expect(input.args).toEqual(['- done', '--what now?\nnext', '--x y'])
    expect(input.flags).toMatchObject({ json: true, limit: '- 3' })
  })

  test('takes an option more than once where that is meant', () => {
    const many = { ...command, options: { file: { type: 'string', multiple: true, help: '' } } } as const
    expect(listFlag(parseInput(many, ['--file', 'a', '--file=b']), 'file')).toEqual(['a', 'b'])
    expect(listFlag(parseInput(many, []), 'file')).toEqual([])
  })

  test('takes counts as whole numbers up to a limit', () => {
    const limit = (text: string) => countFlag(parseInput(command, ['--limit', text]), 'limit', 1, 200)
    expect(limit('200')).toBe(200)
    expect(usageError(() => limit('201'))).toBe('--limit takes a whole number from 1 to 200, not "201".')
  })

  test('takes counts as whole numbers above 0', () => {
    expect(countFlag(parseInput(command, []), 'limit', 100)).toBe(100)
    expect(countFlag(parseInput(command, ['-n', '7']), 'limit', 100)).toBe(7)
    for (const text of ['0', '1.5', 'many', '', 'Infinity']) {
      expect(usageError(() => countFlag(parseInput(command, ['--limit', text]), 'limit', 1))).toContain(
        `"${text}"`,
      )
    }
  })
})

test('the help shows usage, every option and every example', () => {
  const help = helpOf(command)
  for (const part of [
    'Usage: gantry try <what>',
    '-n, --limit <n>',
    '--json',
    '--home <dir>',
    '-h, --help',
    'gantry try this -n 3',
  ]) {
    expect(help).toContain(part)
  }
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
