import { expect, test } from 'bun:test'
import { parseConfig } from './file.ts'
import { namedKeys, rowsAt } from './named-rows.ts'
import { configRows } from './rows.ts'

const CHANNELS = ['phone', 'desk']
  .map((name) => `[[notify.channels]]\nname = "${name}"\nkind = "bell"\n`)
  .join('')
const rows = configRows(parseConfig(CHANNELS, 'gantry.toml'), CHANNELS, {})

test('an entry of a list is found by its name and by its index, alone or with all its keys', () => {
  const found = (key: string) => rowsAt(rows, key).map((row) => row.key)
  expect(found('notify.channels.desk.after_s')).toEqual(['notify.channels.1.after_s'])
  expect(found('notify.channels.1.after_s')).toEqual(['notify.channels.1.after_s'])
  expect(found('notify.channels.desk')).toEqual(found('notify.channels.1'))
  expect(found('notify.channels.desk').length).toBeGreaterThan(2)
  expect(found('notify.channels.des')).toEqual([])
  expect(found('http')).toEqual(['http.enabled', 'http.port'])
})

test('each key with a name is one that finds its row', () => {
  const keys = namedKeys(rows)
  for (const [i, row] of rows.entries()) expect(rowsAt(rows, keys[i] ?? ''), row.key).toContain(row)
})
