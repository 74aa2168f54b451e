import { describe, expect, test } from 'bun:test'
import { dehydrationSchema } from '../../rpc/calls/index.ts'
import { DEFAULT_WORK_SETTINGS } from '../testkit.ts'
import { fillOf, overflowWords } from './overflow.ts'

describe('a context that fills up', () => {
  test('causes a warning at 80 %, and the request to dehydrate at 90 %', () => {
    const fills = [0, 0.79, 0.8, 0.89, 0.9, 1].map((usage) => fillOf(usage, DEFAULT_WORK_SETTINGS))
    expect(fills).toEqual(['none', 'none', 'warn', 'warn', 'dehydrate', 'dehydrate'])
    const own = { ...DEFAULT_WORK_SETTINGS, overflow_warn: 0.5, overflow_dehydrate: 0.6 }
    expect([0.49, 0.5, 0.6].map((usage) => fillOf(usage, own))).toEqual(['none', 'warn', 'dehydrate'])
  })

  test('the instruction shows a valid payload', () => {
    const words = overflowWords(0.917, 'dehydrate')
    expect(words).toContain('91%')
    const json = words.split('\n').find((line) => line.startsWith('{')) ?? ''
    expect(dehydrationSchema.safeParse(JSON.parse(json)).success).toBe(true)
    expect(overflowWords(0.8, 'warn')).toContain('80%')
  })
})
