import { describe, expect, test } from 'bun:test'
import { cpuMsOf } from '../../../test/kit.ts'
import { DEFAULT_WORK_SETTINGS } from '../testkit.ts'
import { blockReason, isBlocked, isEngineCommand, reminder } from './heartbeat.ts'

const bash = (command: unknown) => isEngineCommand('Bash', { command })

describe('a command of the engine', () => {
  test('is recognized only in a shell, in each agent’s format', () => {
    const command = 'gantry effort log x'
    expect(isEngineCommand('Read', { command })).toBe(false)
    expect(isEngineCommand('run_shell_command', { command })).toBe(true)
    expect(isEngineCommand('exec_command', { cmd: command })).toBe(true)
    expect(isEngineCommand('shell', { command: ['bash', '-lc', command] })).toBe(true)
    for (const argv of [
      ['sh', '-c', command],
      ['/usr/bin/zsh', '-lc', command],
    ])
      expect(isEngineCommand('shell', { command: argv })).toBe(true)
    for (const argv of [
      ['touch', '/tmp/x', command],
      ['/tmp/evil/bash', '-lc', command],
      ['bash', '--rcfile=x', command],
      ['bash', '-lc', 'touch x', command],
      [command],
    ])
      expect(isEngineCommand('shell', { command: argv })).toBe(false)
    expect(isEngineCommand('exec_command', { cmd: command, shell: '/bin/bash' })).toBe(true)
    expect(isEngineCommand('exec_command', { cmd: command, shell: '/tmp/evil' })).toBe(false)
    for (const input of [undefined, null, 'text', 7, { command: 7 }, { command: [] }])
      expect(isEngineCommand('Bash', input)).toBe(false)
  })

  test('a line that is made to be slow is answered at once', () => {
    const took = cpuMsOf(() => {
      bash(`gantry effort log ${'"\\'.repeat(40_000)}`)
      bash(`gantry effort log ${"'".repeat(99_000)}`)
      bash(`gantry effort dehydrate <<EOF\n${'EOF \n'.repeat(19_000)}`)
      bash(`gantry effort log ${'x '.repeat(45_000)}`)
    })
    expect(took).toBeLessThan(2_000)
  })
})

describe('the count', () => {
  test('blocks from the limit on; 0 never', () => {
    expect([9, 10, 11].map((count) => isBlocked(count, DEFAULT_WORK_SETTINGS))).toEqual([false, true, true])
    expect(isBlocked(500, { ...DEFAULT_WORK_SETTINGS, heartbeat_block: 0 })).toBe(false)
    expect(blockReason(10)).toContain('gantry effort log')
  })

  test('reminds at the limit, and again after as many more calls', () => {
    const said = [0, 1, 2, 3, 4, 5, 6].filter((count) => reminder(count, DEFAULT_WORK_SETTINGS) !== undefined)
    expect(said).toEqual([3, 6])
  })
})
