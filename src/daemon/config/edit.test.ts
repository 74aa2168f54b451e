import { describe, expect, test } from 'bun:test'
import { messageOf } from '../../core/errors.ts'
import { editConfig } from './edit.ts'
import { parseConfig } from './file.ts'

const edit = (text: string, key: string, value: string) => editConfig(text, key, value, 'gantry.toml')

test('a list whose quotes the shell took is shown as it is written', () => {
  expect(() => edit('', 'approvals.hold', '[Bash, Edit]')).toThrow(
    `A list is written: gantry config set approvals.hold '["Bash","Edit"]'`,
  )
})

test.each([
  ['a list of tables', '', 'webhooks', 'x'],
  ['no list', '', 'http.port', 'x'],
  ['a list that has its quotes', '', 'approvals.hold', '["nobody"]'],
  ['a file that was wrong before', '[approvals]\nhold = 1\n', 'approvals.hold', '[claude]'],
])('how a list is written is not said of %s', (_name, before, key, value) => {
  let said = ''
  try {
    edit(before, key, value)
  } catch (error) {
    said = messageOf(error)
  }
  expect(said).toContain(key)
  expect(said).not.toContain('A list is written')
})

describe('a key that is set', () => {
  test.each([
    ['into nothing', '', 'http.port', '1', '[http]\nport = 1\n'],
    [
      'over its value, with a comment behind',
      '[http]\nport = 4 # p\n',
      'http.port',
      '1',
      '[http]\nport = 1 # p\n',
    ],
    ['over zero', '[http]\nport = 0 # any\n', 'http.port', '1', '[http]\nport = 1 # any\n'],
    ['to zero', '', 'http.port', '0', '[http]\nport = 0\n'],
    [
      'into its table',
      '[http]\n# c\n\n[log]\nkeep = 2\n',
      'http.port',
      '1',
      '[http]\nport = 1\n# c\n\n[log]\nkeep = 2\n',
    ],
    [
      'after the keys of its table, indented as they are',
      '[log]\n  keep = 2 # x\n\n[http]\n',
      'log.level',
      'warn',
      '[log]\n  keep = 2 # x\n  level = "warn"\n\n[http]\n',
    ],
    ['at the end', '[log]\nkeep = 2', 'http.port', '1', '[log]\nkeep = 2\n\n[http]\nport = 1\n'],
    [
      'beside dotted keys',
      'log.keep = 2\n[http]\nport = 3\n',
      'log.level',
      'warn',
      'log.keep = 2\nlog.level = "warn"\n[http]\nport = 3\n',
    ],
    [
      'into an inline table',
      'log = { keep = 2 }\n',
      'log.level',
      'warn',
      'log = { keep = 2, level = "warn" }\n',
    ],
    ['into an empty inline table', 'log = {}\n', 'log.keep', '3', 'log = { keep = 3 }\n'],
    [
      'over a list',
      '[approvals]\nhold = [ "codex", # c\n]\n',
      'approvals.hold',
      '[]',
      '[approvals]\nhold = []\n',
    ],
    ['over text in three quotes', '[nats]\nhost = """a\nb"""\n', 'nats.host', 'x', '[nats]\nhost = "x"\n'],
    ['as text that looks like a number', '', 'nats.token', '12345', '[nats]\ntoken = "12345"\n'],
    [
      'with Windows line ends',
      '[http]\r\nport = 1\r\n',
      'http.enabled',
      'false',
      '[http]\r\nport = 1\r\nenabled = false\r\n',
    ],
    ['behind a byte order mark', '\ufeff[http]\nport = 1\n', 'http.port', '2', '\ufeff[http]\nport = 2\n'],
    ['to what it is', '[http]\nport = 1\n', 'http.port', '1', '[http]\nport = 1\n'],
  ])('%s', (_name, before, key, value, after) => {
    expect(edit(before, key, value)).toBe(after)
  })

  test('in a list of tables is addressed by name or index', () => {
    const text =
      '[[notify.channels]]\nname = "desk"\nkind = "bell"\n\n[[notify.channels]]\nname = "phone"\nkind = "bell"\n'
    const after = edit(text, 'notify.channels.phone.after_s', '60')
    expect(after).toBe(`${text}after_s = 60\n`)
    expect(edit(text, 'notify.channels.1.after_s', '60')).toBe(after)
    expect(parseConfig(after, 'x').notify.channels.map(({ after_s }) => after_s)).toEqual([1, 60])
    expect(() => edit(text, 'notify.channels.watch.after_s', '1')).toThrow('no channel "watch"')
    expect(() => edit(text, 'notify.channels.7.after_s', '1')).toThrow('gantry config edit')
    expect(() => edit('', 'notify.channels.phone.after_s', '60')).toThrow(
      'no channel "phone"; add one with: gantry config edit',
    )
  })

  test.each([
    ['foo', 'foo: no such key; see docs/config.md'],
    ['htp', 'htp: no such key; did you mean http?'],
    ['http.prt', 'http.prt: no such key; did you mean http.port?'],
    ['http', 'http is a table. Name a key of it, like http.port.'],
  ])('%s is no key', (key, says) => {
    expect(() => edit('', key, '1')).toThrow(says)
  })

  test('cannot bring in another key, table or comment', () => {
    for (const value of ['1\nmax_mb = 9', '1 # x', '1\n[http]', ''])
      expect(() => edit('', 'log.keep', value)).toThrow('log.keep')
    expect(edit('', 'nats.host', 'a"\nport = 1')).toBe('[nats]\nhost = "a\\"\\nport = 1"\n')
  })
})
