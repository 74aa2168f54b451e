import { expect, test } from 'bun:test'
import { kindOf } from './source.ts'

const row = (native: string) => ({ agent: 'claude', version: '2.1.325', native, tool: '' })

test('a name from the command line gets the agent’s spelling', () => {
  expect(kindOf(row('statusline')).event).toBe('statusLine')
  expect(kindOf(row('Stop')).event).toBe('Stop')
})

test('an unknown name stays as it is', () => {
  expect(kindOf(row('BrandNew')).event).toBe('BrandNew')
})
