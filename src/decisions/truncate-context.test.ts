import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../test/kit.ts'
import type { Verdict } from '../events/index.ts'
import { truncateContext } from './truncate-context.ts'

const dir = mkdtempSync(join(tmpdir(), 'gantry-spill-'))
const verdict = (...context: string[]): Verdict => ({ decision: 'none', context })

describe('context beyond the budget', () => {
  test('what fits is left alone', () => {
    const fits = verdict('a'.repeat(500))
    expect(truncateContext(fits, 500, dir, 'e1')).toBe(fits)
    expect(truncateContext(verdict('x'.repeat(9999)), undefined, dir, 'e1').context).toEqual([
      'x'.repeat(9999),
    ])
  })

  test('the beginning and the path go to the model, all of it into a private file', () => {
    const text = ['first '.repeat(100), 'second '.repeat(100)]
    const [said = ''] = truncateContext(verdict(...text), 300, dir, '../e2').context ?? []
    const file = /in (\S+)\]$/.exec(said)?.[1] ?? ''
    expect(said.length).toBeLessThanOrEqual(300)
    expect(said.startsWith('first first')).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe(text.join('\n\n'))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(file.startsWith(dir)).toBe(true)
  })

  test('no character is cut in two, and old files go', async () => {
    for (let i = 0; i < 210; i++)
      truncateContext(verdict('😀'.repeat(400)), 301, dir, `f${String(i).padStart(4, '0')}`)
    const [said = ''] = truncateContext(verdict('😀'.repeat(400)), 301, dir, 'zz').context ?? []
    expect(said.isWellFormed()).toBe(true)
    await until(() => readdirSync(dir).length <= 200, 'old files are gone')
  })
})
