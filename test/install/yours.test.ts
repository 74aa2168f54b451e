/** Somebody changed one of gantry's entries and keeps it: nothing is put beside it, and it counts as wired. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tempDir } from '../kit.ts'
import { FILES, forgetUsers, makeUser, type User } from './kit.ts'

afterAll(forgetUsers)

const CLAUDE = FILES.claude ?? ''

interface Group {
  matcher?: string
  hooks: { command: string; args?: string[]; timeout?: number }[]
}

let user: User
const installed = tempDir()

beforeAll(() => {
  user = makeUser()
  mkdirSync(user.path('bin'))
  writeFileSync(user.path('bin/claude'), '#!/bin/sh\necho 2.1.325\n')
  chmodSync(user.path('bin/claude'), 0o755)
  user.put('.claude/other', '')
  expect(gantry('install', '--yes', 'claude').exit).toBe(0)
  cpSync(user.home, installed, { recursive: true })
})

beforeEach(() => {
  rmSync(user.home, { recursive: true })
  cpSync(installed, user.home, { recursive: true })
})

function gantry(...args: string[]) {
  return user.gantry(args, { PATH: `${user.path('bin')}:${process.env.PATH ?? ''}` })
}

function groups(): Record<string, Group[]> {
  return (JSON.parse(user.text(CLAUDE)) as { hooks: Record<string, Group[]> }).hooks
}

function edit(change: (groups: Group[]) => void, event = 'PreToolUse'): string {
  const settings = JSON.parse(user.text(CLAUDE)) as { hooks: Record<string, Group[]> }
  change(settings.hooks[event] ?? [])
  user.put(CLAUDE, JSON.stringify(settings, null, 2))
  return user.text(CLAUDE)
}

/** Each in an event of its own, in the order of the file: one run of every command is about all of them. */
const EDITS: Readonly<Record<string, (groups: Group[]) => void>> = {
  // its path from the home folder on
  SessionStart: ([group]) => {
    const [hook] = group?.hooks ?? []
    if (!hook?.args) return
    hook.command = [hook.command, ...hook.args].join(' ').replaceAll(`${user.home}/`, '$HOME/')
    delete hook.args
  },
  // --required
  PreToolUse: ([group]) => group?.hooks[0]?.args?.splice(-2, 0, '--required'),
  // another timeout
  PostToolUse: ([group]) => {
    if (group?.hooks[0]) group.hooks[0].timeout = 77
  },
  // a neighbour in its group
  PostToolUseFailure: ([group]) => group?.hooks.push({ command: 'date' }),
  // a matcher
  PermissionRequest: ([group]) => {
    if (group) group.matcher = 'Bash'
  },
  // a shell around it
  Stop: ([group]) => {
    const [hook] = group?.hooks ?? []
    if (!hook?.args) return
    hook.command = `nice ${[hook.command, ...hook.args].join(' ')} 2>>/dev/null`
    delete hook.args
  },
}

test('what somebody changed stays, alone, through doctor, install, uninstall and install', () => {
  for (const [event, change] of Object.entries(EDITS)) edit(change, event)
  const theirs = user.text(CLAUDE)
  const changed = Object.keys(EDITS).map((event) => `hooks.${event}`)
  const listIn = (text: string, line: RegExp) => line.exec(text)?.[1]?.split(', ')

  const seen = gantry('doctor').stdout
  expect(seen).toContain('30 of 33 events wired')
  expect(listIn(seen, /changed by you, and left as it is: (.*)/)).toEqual(changed)
  expect(seen).not.toMatch(/hooks of others: [^1]|! claude/)

  const again = gantry('install', '--yes', 'claude')
  expect(listIn(again.stdout, /^ *(.*) are yours: left as they are$/m)).toEqual(changed)
  expect(again.exit).toBe(0)
  expect(user.text(CLAUDE)).toBe(theirs)

  gantry('uninstall', '--yes')
  const after = gantry('install', '--yes', 'claude')
  expect(after.exit).toBe(0)
  for (const event of Object.keys(EDITS)) {
    const hooks = groups()[event]?.flatMap((group) => group.hooks) ?? []
    expect(hooks.filter(({ command }) => command !== 'date')).toHaveLength(1)
  }
  expect(Object.keys(groups())).toHaveLength(30)
  expect(gantry('doctor').stdout).not.toMatch(/! claude/)
}, 120_000)

test('a status line around ours is not chained once more', () => {
  const settings = JSON.parse(user.text(CLAUDE)) as { statusLine: { command: string } }
  settings.statusLine.command = `date; ${settings.statusLine.command}`
  user.put(CLAUDE, JSON.stringify(settings))
  const theirs = user.text(CLAUDE)
  expect(gantry('install', '--yes', 'claude').stdout).toContain('statusLine is yours: left as it is')
  expect(user.text(CLAUDE)).toBe(theirs)
})

test('programs are told which ones', () => {
  edit(([group]) => group?.hooks[0]?.args?.splice(-2, 0, '--required'))
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
    expect(seen).toContain('→ Keep one of these entries')
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
    expect(seen).toContain('or remove it and run: gantry install claude')
  })

  test('of an entry that leads to another gantry', () => {
    edit(([group]) => group?.hooks[0]?.args?.splice(1, 1, '/elsewhere'))
    expect(gantry('doctor').stdout).toMatch(
      /! claude +hooks.PreToolUse in .* without the --home of this gantry/,
    )
  })
})
