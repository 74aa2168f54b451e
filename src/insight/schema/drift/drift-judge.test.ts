import { expect, test } from 'bun:test'
import type { Difference } from '../../../rpc/index.ts'
import type { DriftRow } from '../../../store/index.ts'
import { judged, openDifferences } from './drift-judge.ts'

const about = { agent: 'claude', event: 'Stop', tool: '', path: 'cwd' } as const
const row = (parts: Partial<DriftRow> = {}): DriftRow => ({
  ...{ ...about, key: 'k', version: '2.1.325', kind: 'missing-field', severity: 'breaking', was: 'string' },
  ...{ now: null, message: 'field "cwd" is missing', cause: 'e1', at: 5, acceptedAt: null },
  ...parts,
})
const optional: Difference = {
  ...about,
  kind: 'now-optional',
  severity: 'notable',
  before: 'always',
  after: '99 %',
}
const missing: Difference = { ...about, kind: 'missing-field', severity: 'breaking', before: 'string' }

test('a field that one payload lacks and others have is optional for doctor and for diff', () => {
  expect(judged([row()], [optional])).toMatchObject([
    {
      kind: 'now-optional',
      severity: 'notable',
      message: expect.stringContaining('no longer in every payload'),
    },
  ])
  expect(openDifferences([row()], [optional])).toMatchObject([{ kind: 'now-optional', severity: 'notable' }])
})

test('a field that no payload has is missing for both', () => {
  expect(judged([row()], [missing])).toMatchObject([{ kind: 'missing-field', severity: 'breaking' }])
  expect(openDifferences([row()], [missing])).toMatchObject([{ kind: 'missing-field', severity: 'breaking' }])
})

test('drift that was not reported because a script wrote the payloads is not breaking', () => {
  expect(openDifferences([], [missing])).toEqual([])
})

test('accepted drift is no difference', () => {
  expect(openDifferences([row({ acceptedAt: 9 })], [missing])).toEqual([])
  expect(judged([row({ acceptedAt: 9 })], [missing])).toEqual([])
})

test('beyond a hundred of one agent, the full comparison has the rest', () => {
  const many = Array.from({ length: 100 }, (_, i) => row({ key: `k${i}`, path: `p${i}` }))
  expect(openDifferences(many, [missing])).toHaveLength(101)
})
