/** Somebody changed one of gantry's entries: uninstall leaves it, says so, and no hook is left that leads nowhere. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { tempDir } from '../kit.ts'
import { FILES, forgetUsers, makeUser, type User } from './kit.ts'

afterAll(forgetUsers)

interface Settings {
  hooks?: Record<string, { matcher?: string; hooks: { timeout?: number }[] }[]>
  statusLine?: unknown
}

const CLAUDE = FILES.claude ?? ''

let user: User
const installed = tempDir()

beforeAll(() => {
  user = makeUser()
  user.put('.claude/other', '')
  expect(user.gantry(['install', '--yes', 'claude']).exit).toBe(0)
  cpSync(user.home, installed, { recursive: true })
})

beforeEach(() => {
  rmSync(user.home, { recursive: true })
  cpSync(installed, user.home, { recursive: true })
})

function edit(change: (settings: Settings) => void): void {
  const settings = JSON.parse(user.text(CLAUDE)) as Settings
  change(settings)
  user.put(CLAUDE, JSON.stringify(settings, null, 2))
}

const withTimeout = (settings: Settings) => {
  const hook = settings.hooks?.PreToolUse?.[0]?.hooks[0]
  if (hook) hook.timeout = 77
}

test('it is named, the client stays, and goes once nothing starts it', () => {
  edit(withTimeout)
  const ran = user.gantry(['uninstall', '--yes'])
  expect(ran.stdout).toContain('Somebody has changed hooks.PreToolUse')
  expect(ran.stdout).toContain('Claude Code: hooks.PreToolUse in ~/.claude/settings.json is left')
  expect(ran.stdout).not.toContain('as it was without gantry')
  expect(ran.exit).toBe(1)
  expect(existsSync(user.client.path)).toBe(true)
  const left = JSON.parse(user.text(CLAUDE)) as Settings
  expect(Object.keys(left.hooks ?? {})).toEqual(['PreToolUse'])

  const seen = user.gantry(['doctor']).stdout
  expect(seen).toContain('uninstalled, but hooks.PreToolUse')
  expect(user.gantry(['uninstall', '--yes']).exit).toBe(1) // as long as it is there
  expect(existsSync(user.client.path)).toBe(true)

  edit((settings) => {
    delete settings.hooks
  })
  const last = user.gantry(['uninstall', '--yes'])
  expect(last.exit).toBe(0)
  expect(last.stdout).toContain('gantry-hook is gone, too')
  expect(existsSync(user.client.path)).toBe(false)
  expect(user.records().filter((name) => name.endsWith('claude.json'))).toEqual([])
})

test('programs are told, too', () => {
  edit(withTimeout)
  const ran = user.gantry(['uninstall', '--yes', '--json'])
  expect(JSON.parse(ran.stdout)).toMatchObject([{ agent: 'claude', way: 'ours', left: ['hooks.PreToolUse'] }])
})

test('a status line that somebody built around ours keeps the client', () => {
  const command = `date; ${user.client.path} claude statusline`
  edit((settings) => {
    settings.statusLine = { type: 'command', command }
  })
  expect(user.gantry(['uninstall', '--yes']).stdout).toContain('Somebody has changed statusLine')
  expect(existsSync(user.client.path)).toBe(true)
})

test('an entry that somebody carried to another agent keeps the client', () => {
  const command = '~/.local/share/gantry/bin/gantry-hook gemini'
  user.put(
    '.gemini/settings.json',
    JSON.stringify({ hooks: { AfterAgent: [{ hooks: [{ type: 'command', command }] }] } }),
  )
  const ran = user.gantry(['uninstall', '--yes'])
  expect(ran.stdout).toContain('the hook client stays: hooks.AfterAgent in ~/.gemini/settings.json starts it')
  expect(ran.exit).toBe(1)
  expect(existsSync(user.client.path)).toBe(true)
})

test('an install after that wires everything again, and its uninstall is exact but for what is theirs', () => {
  edit(withTimeout)
  user.gantry(['uninstall', '--yes'])
  const theirs = user.text(CLAUDE)
  // From here on the way back is exact, and theirs is in it.
  expect(user.gantry(['install', '--yes', 'claude']).stdout).toContain('Claude Code is wired')
  // What is said before the write is what happens: nothing becomes what it was while something is left.
  const { stdout } = user.gantry(['uninstall', '--dry-run'])
  expect(stdout).toContain('only what is ours goes')
  expect(stdout).toContain('Somebody has changed hooks.PreToolUse')
  expect(stdout).not.toContain('byte for byte')
  user.gantry(['uninstall', '--yes'])
  expect(user.text(CLAUDE)).toBe(theirs)
})
