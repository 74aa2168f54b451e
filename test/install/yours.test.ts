/** Somebody changed one of gantry's entries and keeps it: nothing is put beside it, and it counts as wired. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { FILES, forgetUsers, makeUser, type User } from './kit.ts'

afterEach(forgetUsers)

const CLAUDE = FILES.claude ?? ''

interface Group {
  matcher?: string
  hooks: { command: string; args?: string[]; timeout?: number }[]
}

let user: User

beforeEach(() => {
  user = makeUser()
  mkdirSync(user.path('bin'))
  writeFileSync(user.path('bin/claude'), '#!/bin/sh\necho 2.1.325\n')
  chmodSync(user.path('bin/claude'), 0o755)
  user.put('.claude/other', '')
  expect(gantry('install', '--yes', 'claude').exit).toBe(0)
})

function gantry(...args: string[]) {
  return user.gantry(args, { PATH: `${user.path('bin')}:${process.env.PATH ?? ''}` })
}

function groups(): Record<string, Group[]> {
  return (JSON.parse(user.text(CLAUDE)) as { hooks: Record<string, Group[]> }).hooks
}

function edit(change: (groups: Group[]) => void): string {
  const settings = JSON.parse(user.text(CLAUDE)) as { hooks: Record<string, Group[]> }
  change(settings.hooks.PreToolUse ?? [])
  user.put(CLAUDE, JSON.stringify(settings, null, 2))
  return user.text(CLAUDE)
}

const EDITS: Readonly<Record<string, (groups: Group[]) => void>> = {
  '--required': ([group]) => group?.hooks[0]?.args?.splice(-2, 0, '--required'),
  'another timeout': ([group]) => {
    if (group?.hooks[0]) group.hooks[0].timeout = 77
  },
  'a matcher': ([group]) => {
    if (group) group.matcher = 'Bash'
  },
  'a neighbour in its group': ([group]) => group?.hooks.push({ command: 'date' }),
  'a shell around it': ([group]) => {
    const [hook] = group?.hooks ?? []
    if (!hook?.args) return
    hook.command = `nice ${[hook.command, ...hook.args].join(' ')} 2>>/dev/null`
    delete hook.args
  },
  'its path from the home folder on': ([group]) => {
    const [hook] = group?.hooks ?? []
    if (!hook?.args) return
    hook.command = [hook.command, ...hook.args].join(' ').replaceAll(`${user.home}/`, '$HOME/')
    delete hook.args
  },
}

describe.each(Object.keys(EDITS))('%s', (name) => {
  test('stays, alone, through doctor, install, uninstall and install', () => {
    const theirs = edit(EDITS[name] ?? (() => undefined))

    const seen = gantry('doctor').stdout
    expect(seen).toContain('30 of 33 events wired')
    expect(seen).toContain('changed by you, and left as it is: hooks.PreToolUse')
    expect(seen).not.toMatch(/hooks of others: [^1]|! claude/)

    const again = gantry('install', '--yes', 'claude')
    expect(again.stdout).toContain('hooks.PreToolUse is yours: left as it is')
    expect(again.exit).toBe(0)
    expect(user.text(CLAUDE)).toBe(theirs)

    gantry('uninstall', '--yes')
    const after = gantry('install', '--yes', 'claude')
    expect(after.exit).toBe(0)
    const starters = groups().PreToolUse?.flatMap(({ hooks }) =>
      hooks.filter(({ command }) => command !== 'date'),
    )
    expect(starters).toHaveLength(1)
    expect(Object.keys(groups())).toHaveLength(30)
    expect(gantry('doctor').stdout).not.toMatch(/! claude/)
  }, 30_000)
})

test('a status line around ours is not chained once more', () => {
  const settings = JSON.parse(user.text(CLAUDE)) as { statusLine: { command: string } }
  settings.statusLine.command = `date; ${settings.statusLine.command}`
  user.put(CLAUDE, JSON.stringify(settings))
  const theirs = user.text(CLAUDE)
  expect(gantry('install', '--yes', 'claude').stdout).toContain('statusLine is yours: left as it is')
  expect(user.text(CLAUDE)).toBe(theirs)
})

test('programs are told which ones', () => {
  edit(EDITS['another timeout'] ?? (() => undefined))
  expect(JSON.parse(gantry('install', '--yes', '--json', 'claude').stdout)).toMatchObject([
    { status: 'wired', yours: ['hooks.PreToolUse'] },
  ])
})

describe('doctor warns', () => {
  test('of two entries for one event', () => {
    edit((all) => {
      const [first] = all
      const copy = structuredClone(first)
      if (copy?.hooks[0]) copy.hooks[0].timeout = 77
      if (copy) all.push(copy)
    })
    const seen = gantry('doctor').stdout
    expect(seen).toMatch(/! claude +hooks.PreToolUse in .* starts the hook client more than once/)
    expect(seen).toContain('→ Leave one of these entries there')
  })

  test('not of two entries for different tools', () => {
    edit((all) => {
      const [first] = all
      const copy = structuredClone(first)
      if (first) first.matcher = 'Bash'
      if (copy) all.push({ ...copy, matcher: 'Edit|Write' })
    })
    expect(gantry('doctor').stdout).not.toContain('! claude')
  })

  test('of an entry that reports another event', () => {
    edit(([group]) => group?.hooks[0]?.args?.splice(-1, 1, 'Stop'))
    const seen = gantry('doctor').stdout
    expect(seen).toMatch(/! claude +hooks.PreToolUse in .*, but not for "claude" and that event/)
    expect(seen).toContain('or take it out and run: gantry install claude')
  })

  test('of an entry that leads to another gantry', () => {
    edit(([group]) => group?.hooks[0]?.args?.splice(1, 1, '/elsewhere'))
    expect(gantry('doctor').stdout).toMatch(
      /! claude +hooks.PreToolUse in .* without the --home of this gantry/,
    )
  })
})
