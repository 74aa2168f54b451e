import { expect, test } from 'bun:test'
import { kindOf } from './source.ts'

const row = (native: string) => ({ agent: 'claude', version: '2.1.325', native, tool: '' })

test('a name from the command line is taken as the agent spells it', () => {
  expect(kindOf(row('statusline')).event).toBe('statusLine')
  expect(kindOf(row('Stop')).event).toBe('Stop')
})

test('a name that nobody knows stays what it is', () => {
  expect(kindOf(row('BrandNew')).event).toBe('BrandNew')
})
