import { describe, expect, test } from 'bun:test'
import type { EffortRow } from '../store/index.ts'
import { DEFAULT_WORK_SETTINGS, settingsOf } from './settings.ts'

const effort = (settings: unknown) => ({ metadata: { settings } }) as unknown as EffortRow
const common = { ...DEFAULT_WORK_SETTINGS, heartbeat_warn: 4, overflow_warn: 0.7 }

describe('the numbers of an effort', () => {
  test('are its own where it has some, and the configured ones otherwise', () => {
    expect(settingsOf(effort({ heartbeat_block: 20 }), common)).toEqual({ ...common, heartbeat_block: 20 })
    expect(settingsOf(effort(undefined), common)).toEqual(common)
  })

  test('that are none are ignored, the others stand', () => {
    const wrong = {
      heartbeat_block: 'many',
      heartbeat_warn: 2,
      overflow_warn: 7,
      weather: 1,
      __proto__: null,
    }
    expect(settingsOf(effort(wrong), common)).toEqual({ ...common, heartbeat_warn: 2 })
    for (const nothing of [null, 7, 'x', [1]]) expect(settingsOf(effort(nothing), common)).toEqual(common)
  })

  test('follow a changed configuration', () => {
    const row = effort({ heartbeat_block: 20 })
    expect(settingsOf(row, common)).toBe(settingsOf(row, common))
    expect(settingsOf(row, { ...common, heartbeat_warn: 9 }).heartbeat_warn).toBe(9)
  })
})
