/** `gantry install` and `gantry uninstall` as a person or a script runs them. */
import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { openScreen } from '../agents/tmux.ts'
import { GANTRY, TRANSPILED } from '../kit.ts'
import { FILES, forgetUsers, makeUser, type User } from './kit.ts'

setDefaultTimeout(120_000)
afterEach(forgetUsers)

/** Programs that say a version, in a PATH without the machine's own agents. */
function person(...agents: string[]): User {
  const user = makeUser()
  const versions: Record<string, string> = {
    claude: '2.1.325 (Claude Code)',
    codex: 'codex-cli 0.166.0',
    gemini: '0.61.0',
  }
  mkdirSync(user.path('bin'))
  for (const id of agents) {
    writeFileSync(user.path(`bin/${id}`), `#!/bin/sh\necho '${versions[id]}'\n`)
    chmodSync(user.path(`bin/${id}`), 0o755)
  }
  user.env.PATH = `${user.path('bin')}:/usr/bin:/bin`
  return user
}

const gantry = (user: User, ...args: string[]) => user.gantry(args, { PATH: user.env.PATH ?? '' })

describe('gantry install', () => {
  test('without a terminal and without --yes: the diff, no write, exit 1', () => {
    const user = person('claude')
    const before = user.snapshot()
    const ran = gantry(user, 'install')
    expect(ran.exit).toBe(1)
    expect(ran.stdout).toContain('● Claude Code 2.1.325  ~/.claude/settings.json')
    expect(ran.stdout).toContain('wires 30 of 33 events')
    expect(ran.stdout).toContain('without WorktreeCreate, FileChanged, MessageDisplay')
    expect(ran.stdout).toContain('+    "PreToolUse": [{ "hooks"')
    expect(ran.stdout).toContain('Nothing was written. Add --yes to write it.')
    expect(user.snapshot()).toEqual(before)
    expect(existsSync(user.client.path)).toBe(false)
  })

  test('--yes wires every agent that is here, says what to do next, and a second run changes nothing', () => {
    const user = person('claude', 'codex', 'gemini')
    const ran = gantry(user, 'install', '--yes')
    expect(ran.exit).toBe(0)
    expect(ran.stdout).toContain('✓ Codex is wired')
    expect(ran.stdout).toContain('/hooks')
    expect(ran.stdout).toContain('Guards stay off. To turn them on: gantry guards preset standard')
    const snapshot = user.snapshot()
    const again = gantry(user, 'install')
    expect(again.exit).toBe(0)
    expect(again.stdout).toContain('already wired: 14 of 14 events')
    expect(again.stdout).not.toContain('@@')
    expect(user.snapshot()).toEqual(snapshot)
  })

  test('one agent that cannot be wired does not stop the others, and the exit code tells', () => {
    const user = person('claude', 'codex')
    user.put('.claude/settings.json', '{ "model": ')
    const ran = gantry(user, 'install', '--yes')
    expect(ran.exit).toBe(1)
    expect(ran.stdout).toContain('✗ Claude Code 2.1.325')
    expect(ran.stdout).toContain('settings.json:1:12 is not valid JSON')
    expect(user.text('.claude/settings.json')).toBe('{ "model": ')
    expect(existsSync(user.path('.codex/hooks.json'))).toBe(true)
  })

  test('a file that the agent refuses whole is named with its line, and nothing claims to be wired', () => {
    const user = person('claude', 'gemini')
    const mine = '{\n  // mine\n  "model": "opus"\n}\n'
    for (const id of ['claude', 'gemini']) user.put(FILES[id] ?? '', mine)
    const ran = gantry(user, 'install', '--yes')
    expect(ran.exit).toBe(1)
    expect(ran.stdout).toContain(
      'settings.json:2:3 has a comment, and Claude Code refuses the whole file for it',
    )
    expect(ran.stdout).not.toContain('Claude Code is wired')
    expect(user.text('.claude/settings.json')).toBe(mine)
    // Gemini takes comments.
    expect(ran.stdout).toContain('Gemini CLI is wired')
    expect(user.text('.gemini/settings.json')).toContain('// mine')
  })

  test('a gantry.toml that is wrong stops no wiring', () => {
    const user = person('gemini')
    mkdirSync(user.places.config, { recursive: true, mode: 0o700 })
    writeFileSync(user.places.configFile, 'broken = [\n')
    expect(gantry(user, 'install', '--yes')).toMatchObject({ exit: 0, stderr: '' })
  })

  test('says that gantry was told to be down; the client is there before any settings name it, and an old one is replaced in place', () => {
    const user = person('gemini')
    gantry(user, 'down')
    expect(gantry(user, 'install', '--yes').stdout).toContain('gantry is down (gantry down)')
    expect(user.text('.gemini/settings.json')).toContain(user.client.path)
    writeFileSync(user.client.path, 'old')
    const ran = gantry(user, 'install')
    expect(ran.exit).toBe(0)
    expect(ran.stdout).toContain('the hook client is up to date again')
    expect(Bun.file(user.client.path).size).toBeGreaterThan(100)
  })

  test('--json is for programs', () => {
    const user = person('claude', 'codex')
    const plan = JSON.parse(gantry(user, 'install', '--json').stdout) as Record<string, unknown>[]
    expect(plan.map(({ agent, version, status }) => [agent, version, status])).toEqual([
      ['claude', '2.1.325', 'planned'],
      ['codex', '0.166.0', 'planned'],
    ])
    const done = JSON.parse(gantry(user, 'install', '--json', '--yes').stdout) as Record<string, unknown>[]
    expect(done.map(({ status }) => status)).toEqual(['written', 'written'])
    expect(done[0]?.events).toHaveLength(30)
    const back = JSON.parse(gantry(user, 'uninstall', '--json', '--yes').stdout) as Record<string, unknown>[]
    expect(back.map(({ agent, status, way }) => [agent, status, way])).toEqual([
      ['claude', 'written', 'exact'],
      ['codex', 'written', 'exact'],
    ])
  })

  test('with nobody here it says what it knows', () => {
    const ran = gantry(person(), 'install')
    expect(ran.exit).toBe(1)
    expect(ran.stdout).toContain('No agent was found here. gantry wires Claude Code, Codex, Gemini CLI')
  })

  test.each([
    [['clade'], 'There is no agent "clade". Did you mean claude?'],
    [['--with', 'Nope'], 'No agent has an event "Nope"'],
    [
      ['--with', 'WorktreeCreate'],
      'WorktreeCreate cannot be wired: it would have to create worktrees itself',
    ],
    [
      ['--with', 'FileChanged'],
      "FileChanged has to be told what to watch, for example: --with 'FileChanged=.env|.envrc'",
    ],
    [['--nope'], 'nope'],
  ])('%j is wrong usage', (args, message) => {
    const ran = gantry(person('claude'), 'install', ...args)
    expect(ran.exit).toBe(2)
    expect(ran.stderr).toContain(message)
  })

  test('--with, --no-statusline and their opposites', () => {
    const user = person('claude', 'gemini')
    gantry(
      user,
      'install',
      '--yes',
      '--with',
      'MessageDisplay, FileChanged=.env,BeforeModel',
      '--no-statusline',
    )
    const hooks = () =>
      (JSON.parse(user.text('.claude/settings.json')) as { hooks: Record<string, unknown[]> }).hooks
    expect(hooks().MessageDisplay).toHaveLength(1)
    expect(hooks().FileChanged?.[0]).toMatchObject({ matcher: '.env' })
    expect(user.text('.claude/settings.json')).not.toContain('statusLine')
    expect(user.text('.gemini/settings.json')).toContain('BeforeModel')
    gantry(user, 'install', '--yes', '--with', 'MessageDisplay', '--statusline')
    expect(hooks().FileChanged).toBeUndefined()
    expect(user.text('.claude/settings.json')).toContain('statusLine')
    expect(user.text('.gemini/settings.json')).toContain('BeforeModel')
    gantry(user, 'install', '--yes', '--with', 'none')
    expect(user.text('.gemini/settings.json')).not.toContain('BeforeModel')
  })
})

describe('gantry uninstall', () => {
  test('brings everything back, the client included, and has nothing to do after that', () => {
    const user = person('claude', 'codex', 'gemini')
    user.put('.claude/settings.json', '{ "model": "opus" }')
    const before = user.snapshot()
    const planned = gantry(user, 'install', '--dry-run', '--yes')
    expect(planned.exit).toBe(0)
    expect(planned.stdout).toContain('+    "PreToolUse"')
    expect(user.snapshot()).toEqual(before)
    gantry(user, 'install', '--yes')
    // Of one agent, it leaves the client to the others.
    gantry(user, 'uninstall', 'codex', '--yes')
    expect(existsSync(user.path(FILES.codex ?? ''))).toBe(false)
    expect(existsSync(user.path(FILES.gemini ?? ''))).toBe(true)
    expect(existsSync(user.client.path)).toBe(true)
    expect(gantry(user, 'uninstall').exit).toBe(1)
    const foretold = gantry(user, 'uninstall', '--dry-run')
    expect(foretold.exit).toBe(0)
    expect(foretold.stdout).toContain('gantry-hook goes, too')
    expect(gantry(user, 'uninstall', 'gemini', '--dry-run').stdout).not.toContain('goes, too')
    const ran = gantry(user, 'uninstall', '--yes')
    expect(ran.exit).toBe(0)
    expect(ran.stdout).toContain('becomes what it was, byte for byte')
    expect(user.snapshot()).toEqual(before)
    expect(existsSync(user.path('.local/share/gantry'))).toBe(false)
    expect(gantry(user, 'uninstall')).toMatchObject({ exit: 0, stdout: 'No agent is wired.\n' })
    expect(gantry(user, 'uninstall', '--dry-run').stdout).toBe('No agent is wired.\n')
  })

  test('a dry run says that the client of a plugin would go', () => {
    const user = person('claude')
    gantry(user, 'plugin', 'claude', user.path('bundle'))
    const { stdout } = gantry(user, 'uninstall', '--dry-run')
    expect(stdout).toMatch(/^● .*gantry-hook goes, too\nNo agent is wired\.\n$/)
    expect(existsSync(user.client.path)).toBe(true)
  })
})

describe('in a terminal', () => {
  let screens = 0
  const asked = (user: User, ...words: string[]) =>
    openScreen(['sh', '-c', '"$@"; echo "status $?"', 'sh', GANTRY, 'install', ...words], {
      name: `install-${screens++}`,
      cwd: user.home,
      env: { ...user.env, TERM: 'xterm-256color', ...TRANSPILED },
    })

  test('it says what it would do, and asks for each agent; the diff comes when it is asked for', async () => {
    const user = person('claude', 'gemini')
    const screen = asked(user)
    try {
      await screen.shows(/Wire Claude Code\?.*\[d\]iff/)
      expect(screen.text()).not.toContain('@@')
      await screen.press('n')
      await screen.press('Enter')
      await screen.shows(/Wire Gemini CLI\?/)
      await screen.press('d')
      await screen.press('Enter')
      await screen.shows(/@@/)
      await screen.press('y')
      await screen.press('Enter')
      await screen.shows(/Gemini CLI is wired/)
    } finally {
      screen.close()
    }
    expect(existsSync(user.path(FILES.claude ?? ''))).toBe(false)
    expect(existsSync(user.path('.gemini/settings.json'))).toBe(true)
  })

  test('it asks once how strict the guards shall be, and keeps the answer', async () => {
    const user = person('gemini')
    const screen = asked(user)
    try {
      await screen.shows(/Wire Gemini CLI\?/)
      await screen.press('y')
      await screen.press('Enter')
      await screen.shows(/Guards\? \[s\]tandard/)
      await screen.press('s')
      await screen.press('Enter')
      await screen.shows(/Guards are set to standard\. To change that: gantry guards preset off/)
      await screen.shows(/status 0/)
    } finally {
      screen.close()
    }
    const again = asked(user)
    try {
      await again.shows(/status 0/)
      expect(again.text()).not.toContain('Guards?')
    } finally {
      again.close()
    }
  })

  test('Enter leaves the guards off, as the question says', async () => {
    const user = person('gemini')
    const screen = asked(user)
    try {
      await screen.shows(/Wire Gemini CLI\?/)
      await screen.press('y')
      await screen.press('Enter')
      await screen.shows(/Guards\? .*\[O\]ff/)
      await screen.press('Enter')
      await screen.shows(/Guards stay off\. To turn them on: gantry guards preset standard/)
    } finally {
      screen.close()
    }
  })

  test('a note is broken at words, and the line to copy in it stays whole', async () => {
    const user = person('codex')
    writeFileSync(user.path('bin/codex'), "#!/bin/sh\necho 'codex-cli 0.98.0'\n")
    user.env.COLUMNS = '60'
    const screen = asked(user)
    try {
      await screen.shows(/Wire Codex\?/)
      const rows = screen.text().split('\n')
      const first = rows.findIndex((row) => row.startsWith('  This Codex may be too old'))
      const end = rows.findIndex((row) => row.startsWith('  notify = ['))
      expect(first).toBeGreaterThan(0)
      expect(end).toBeGreaterThan(first + 1)
      for (const row of rows.slice(first, end)) expect(row.length).toBeLessThanOrEqual(60)
      expect(
        rows
          .slice(first, end)
          .map((row) => row.trim())
          .join(' '),
      ).toEndWith('unless it has a notify:')
    } finally {
      screen.close()
    }
  })

  test('"a" takes all that is left, "q" writes nothing, and Ctrl-C at the question is exit 130', async () => {
    const user = person('claude', 'gemini')
    for (const [key, pattern, isWritten] of [
      ['q', /Nothing was written/, false],
      ['C-c', /status 130/, false],
      ['a', /Gemini CLI is wired/, true],
    ] as const) {
      const screen = asked(user)
      try {
        await screen.shows(/Wire Claude Code\?/)
        await screen.press(key)
        if (key !== 'C-c') await screen.press('Enter')
        await screen.shows(pattern)
        if (!isWritten) await screen.shows(/Nothing was written/)
      } finally {
        screen.close()
      }
      expect(existsSync(user.path(FILES.claude ?? '')), key).toBe(isWritten)
    }
  })
})

test('the diff has tabs as the file has them', () => {
  const user = person('gemini')
  user.put('.gemini/settings.json', '{\n\t"ui": {\n\t\t"theme": "x"\n\t}\n}\n')
  const { stdout } = gantry(user, 'install', 'gemini', '--dry-run')
  expect(stdout).toContain('\t"hooks"')
})
