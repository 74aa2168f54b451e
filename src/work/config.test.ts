import { describe, expect, test } from 'bun:test'
import type { EffortRow } from '../store/index.ts'
import { settingsOf, settingsProblem } from './config.ts'
import { DEFAULT_WORK_SETTINGS } from './testkit.ts'

const effort = (settings: unknown) => ({ metadata: { settings } }) as unknown as EffortRow
const common = { ...DEFAULT_WORK_SETTINGS, heartbeat_warn: 4, overflow_warn: 0.7 }

describe('the settings of an effort', () => {
  test('are its own if set, else the configured ones', () => {
    expect(settingsOf(effort({ heartbeat_block: 20 }), common)).toEqual({ ...common, heartbeat_block: 20 })
    expect(settingsOf(effort(undefined), common)).toEqual(common)
  })

  test('that are invalid are ignored, the others apply', () => {
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

describe('settings for an effort, from a command', () => {
  test('are limited to the known ones', () => {
    for (const good of [{}, { heartbeat_warn: 5 }, { on_compaction: 'allow', heartbeat_block: 0 }])
      expect(settingsProblem(good)).toBeUndefined()
    expect(settingsProblem({ heartbeat_warn: -1 })).toContain('heartbeat_warn: ')
    expect(settingsProblem({ heartbaet_block: 5 })).toContain(
      'unknown setting "heartbaet_block"; known: heartbeat_warn,',
    )
    expect(settingsProblem({ on_compaction: 'maybe' })).toContain('on_compaction: ')
    for (const nothing of [null, 7, 'x', [1]]) expect(settingsProblem(nothing)).toBeString()
  })
})
