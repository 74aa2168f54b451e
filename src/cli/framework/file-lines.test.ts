import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../../test/kit.ts'
import { fileLines } from './file-lines.ts'

const linesOf = async (content: string) => {
  const file = join(tempDir(), 'lines')
  writeFileSync(file, content)
  return Array.fromAsync(fileLines(file))
}

test('only a line feed ends a line, and the last needs none', async () => {
  expect(await linesOf('a\u2028b\r\n\nc')).toEqual(['a\u2028b\r', '', 'c'])
})

test('a line without an end takes no more memory than the longest that is read', async () => {
  const [long = '', next] = await linesOf(`${'x'.repeat(40 * 1024 * 1024)}\nnext\n`)
  expect(long.length).toBeGreaterThan(32 * 1024 * 1024 - 1)
  expect(long.length).toBeLessThan(34 * 1024 * 1024)
  expect(next).toBe('next')
})
