import { describe, expect, test } from 'bun:test'
import type { DriftRow } from '../../store/index.ts'
import { driftFindings, isCovered } from './findings.ts'

const AT = Date.now() - 3 * 3_600_000 - 1_000

const row = (parts: Partial<DriftRow> = {}): DriftRow => ({
  key: 'k',
  agent: 'claude',
  version: '2.1.325',
  event: 'Stop',
  tool: '',
  path: 'mood',
  kind: 'new-field',
  severity: 'info',
  was: null,
  now: 'string',
  message: 'claude 2.1.325 Stop: new field "mood" (string)',
  cause: 'e1',
  at: AT,
  acceptedAt: null,
  ...parts,
})

describe('a line on drift', () => {
  test('says what, since when, and what to do', () => {
    expect(driftFindings([row()])).toEqual([
      {
        level: 'warn',
        about: 'drift',
        message: 'claude 2.1.325 Stop: new field "mood" (string), first seen 3h ago',
        fix: 'Look: gantry schema diff --agent claude   Accept: gantry schema baseline --agent claude',
        kind: 'drift claude info',
        seen: { count: 1, firstAt: AT, lastAt: AT },
      },
    ])
  })

  test('is there for each, the worst first', () => {
    const rows = [...Array.from({ length: 30 }, () => row()), row({ severity: 'breaking', message: 'worst' })]
    const found = driftFindings(rows)
    expect(found).toHaveLength(31)
    expect(found[0]?.message).toStartWith('worst, breaking, first seen')
  })

  test('is gone once it is accepted', () => {
    expect(driftFindings([row({ acceptedAt: 5 })])).toEqual([])
  })
})

describe('a counter of what is unknown', () => {
  test('needs no line if a drift line covers it, or did', () => {
    expect(isCovered([row()], 'claude Stop mood')).toBe(true)
    expect(isCovered([row({ acceptedAt: 5 })], 'claude Stop mood')).toBe(true)
    expect(isCovered([row({ kind: 'changed-type', path: 'cwd' })], 'claude Stop cwd:object')).toBe(true)
    expect(isCovered([row({ path: 'effort.unit' })], 'claude Stop effort')).toBe(true)
    expect(isCovered([row({ kind: 'renamed-field', path: 'prompt', now: 'said' })], 'claude Stop said')).toBe(
      true,
    )
    expect(isCovered([row({ kind: 'new-event', path: '' })], 'claude Stop anything')).toBe(true)
  })

  test('keeps its line otherwise', () => {
    expect(isCovered([row()], 'claude Stop moody')).toBe(false)
    expect(isCovered([row()], 'claude StopFailure mood')).toBe(false)
    expect(isCovered([row()], 'codex Stop mood')).toBe(false)
    expect(isCovered([], 'claude Stop mood')).toBe(false)
  })
})
