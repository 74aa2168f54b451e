/** An agent must not take out the hooks that watch it, nor write them: that is a person's to say. */
import { afterEach, describe, expect, test } from 'bun:test'
import { GANTRY } from '../kit.ts'
import { FILES, forgetUsers, makeUser, type User } from './kit.ts'

afterEach(forgetUsers)

const CLAUDE = FILES.claude ?? ''
const INSIDE = { CLAUDECODE: '1' }

function claudeUser(): User {
  const user = makeUser()
  user.put(CLAUDE, '{}')
  expect(user.gantry(['install', '--yes', 'claude']).exit).toBe(0)
  return user
}

describe('inside an agent', () => {
  test.each([{ flags: ['--yes'] }, { flags: ['--yes', '--json'] }, { flags: [] }])(
    'uninstall $flags is refused, and nothing is written',
    ({ flags }) => {
      const user = claudeUser()
      const before = user.snapshot()
      const ran = user.gantry(['uninstall', ...flags], INSIDE)
      expect(ran.exit).toBe(1)
      expect(ran.stderr).toContain(
        'Only a person may do this, and this call comes from inside an agent (CLAUDECODE is set)',
      )
      expect(user.snapshot()).toEqual(before)
      expect(user.gantry(['uninstall', '--dry-run'], INSIDE).exit).toBe(0)
    },
  )

  test('install is refused where it changes something, and not where it does not', () => {
    const user = claudeUser()
    expect(user.gantry(['install', '--yes', 'claude'], INSIDE).exit).toBe(0)
    user.put(CLAUDE, '{}')
    const ran = user.gantry(['install', '--yes', 'claude'], INSIDE)
    expect(ran.stderr).toContain('Only a person may do this')
    expect(user.text(CLAUDE)).toBe('{}')
  })

  test('what only a person may do is refused, whatever comes after it', () => {
    const user = makeUser()
    const { exit, stderr } = user.gantry(['restore', '--config', '/nowhere'], INSIDE)
    expect({ exit, stderr }).toEqual({
      exit: 1,
      stderr: expect.stringContaining('Only a person may do this'),
    })
    expect(user.gantry(['restore', '--help'], INSIDE).exit).toBe(0)
  })

  test('down leaves no mark behind that keeps the daemon away', () => {
    const user = makeUser()
    expect(user.gantry(['down'], INSIDE).stderr).toContain('Only a person may do this')
    expect(user.gantry(['status']).stdout).not.toContain('was stopped by you')
  })

  test('a person at a terminal may say yes', () => {
    const user = claudeUser()
    const ran = Bun.spawnSync(['script', '-qec', `'${GANTRY}' uninstall claude`, '/dev/null'], {
      env: { ...user.env, ...INSIDE, PATH: process.env.PATH ?? '', TERM: 'dumb' },
      stdin: Buffer.from('y\n'),
    })
    expect(ran.stdout.toString()).toContain('Claude Code is as it was without gantry')
    expect(user.text(CLAUDE)).toBe('{}')
  })
})
