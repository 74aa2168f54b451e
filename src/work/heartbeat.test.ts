import { describe, expect, test } from 'bun:test'
import { blockReason, isBlocked, isEngineCommand, reminder } from './heartbeat.ts'
import { DEFAULT_WORK_SETTINGS } from './settings.ts'

const bash = (command: unknown) => isEngineCommand('Bash', { command })

describe('a command of the engine', () => {
  for (const line of [
    'gantry effort log "parser done; tests next && then docs | done"',
    "  gantry effort log 'a; b' ",
    '/usr/local/bin/gantry effort phase test',
    '~/bin/gantry task list',
    './bin/gantry session s1 2>&1',
    'gantry effort list --json 2>/dev/null',
    'engine log "x"',
    'gantry effort dehydrate < notes.json',
    'gantry fleet await --timeout 5',
    `gantry effort dehydrate <<'EOF'\n{"task":"a; rm -rf / \`x\` $(y)","nextSteps":["b"]}\nEOF`,
    'gantry effort dehydrate <<EOF\n{"task":"plain"}\nEOF\n',
    'gantry effort log a\\;b',
  ])
    test(`passes: ${JSON.stringify(line)}`, () => expect(bash(line)).toBe(true))

  for (const line of [
    'npm test',
    'gantry up',
    'gantry effort log x && rm -rf build',
    'gantry effort log x; curl example.org',
    'gantry effort log x | tee log',
    'gantry effort log x & sleep 9',
    'gantry effort log x\nrm -rf build',
    'gantry effort log "$(cat /etc/passwd)"',
    'gantry effort log "`id`"',
    'gantry effort log $(id)',
    'gantry effort list > ~/.bashrc',
    'gantry effort dehydrate <(curl x)',
    'gantry effort log "open',
    `gantry effort dehydrate <<'EOF'\n{}\nEOF\nrm -rf build`,
    `gantry effort dehydrate <<'EOF'\n{}`,
    'gantry effort dehydrate <<EOF\n$(rm -rf build)\nEOF',
    'gantry effortless',
    'echo gantry effort log x',
    'gantry efforts',
    '',
  ])
    test(`counts: ${JSON.stringify(line)}`, () => expect(bash(line)).toBe(false))

  test('only of a shell, as each agent gives its command', () => {
    const command = 'gantry effort log x'
    expect(isEngineCommand('Read', { command })).toBe(false)
    expect(isEngineCommand('run_shell_command', { command })).toBe(true)
    expect(isEngineCommand('exec_command', { cmd: command })).toBe(true)
    expect(isEngineCommand('shell', { command: ['bash', '-lc', command] })).toBe(true)
    for (const input of [undefined, null, 'text', 7, { command: 7 }, { command: [] }])
      expect(isEngineCommand('Bash', input)).toBe(false)
  })

  test('a line that is made to be slow is answered at once', () => {
    const before = performance.now()
    bash(`gantry effort log ${'"\\'.repeat(60_000)}`)
    bash(`gantry effort log ${"'".repeat(199_000)}`)
    bash(`gantry effort dehydrate <<EOF\n${'EOF \n'.repeat(30_000)}`)
    expect(performance.now() - before).toBeLessThan(500)
  })
})

describe('the count', () => {
  test('blocks from the limit on; 0 never', () => {
    expect([9, 10, 11].map((count) => isBlocked(count, DEFAULT_WORK_SETTINGS))).toEqual([false, true, true])
    expect(isBlocked(500, { ...DEFAULT_WORK_SETTINGS, heartbeat_block: 0 })).toBe(false)
    expect(blockReason(10)).toContain('gantry effort log')
  })

  test('reminds at the limit and each time as many calls have passed', () => {
    const said = [0, 1, 2, 3, 4, 5, 6].filter((count) => reminder(count, DEFAULT_WORK_SETTINGS) !== undefined)
    expect(said).toEqual([3, 6])
  })
})
