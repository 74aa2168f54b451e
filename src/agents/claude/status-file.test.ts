import { describe, expect, test } from 'bun:test'
import { claudeStatus } from './status-file.ts'

/** As written by 2.1.325, without unused fields. */
const WRITTEN = {
  pid: 42,
  sessionId: '25f07c4a-5d2e-41fa-ba8e-8fd536631aa7',
  version: '2.1.325',
  kind: 'interactive',
  entrypoint: 'cli',
  status: 'waiting',
  updatedAt: 1794721739872,
  statusUpdatedAt: 1794721739872,
  waitingFor: 'permission prompt',
}
const read = (changes: object = {}) => claudeStatus.read(JSON.stringify({ ...WRITTEN, ...changes }))

describe('the status file of Claude Code', () => {
  test('tells what the session does, and since when', () => {
    expect(read()).toEqual({ sessionId: WRITTEN.sessionId, status: 'waiting', at: 1794721739872 })
    expect(read({ status: 'busy' })?.status).toBe('busy')
    expect(read({ status: 'idle' })?.status).toBe('idle')
  })

  test('yields nothing if incomplete, unknown, or from a run without a terminal', () => {
    expect(claudeStatus.read('')).toBeUndefined()
    expect(claudeStatus.read(JSON.stringify(WRITTEN).slice(0, 80))).toBeUndefined()
    expect(read({ status: 'dreaming' })).toBeUndefined()
    expect(read({ sessionId: 7 })).toBeUndefined()
    expect(read({ statusUpdatedAt: 'now' })).toBeUndefined()
    expect(read({ kind: 'print' })).toBeUndefined()
  })

  test('is named after the process, in the settings folder', () => {
    expect(claudeStatus.path({}, '/home/dev', 42)).toBe('/home/dev/.claude/sessions/42.json')
    expect(claudeStatus.path({ CLAUDE_CONFIG_DIR: '/cfg' }, '/home/dev', 42)).toBe('/cfg/sessions/42.json')
  })
})
