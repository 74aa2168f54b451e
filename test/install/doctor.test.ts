/** What `gantry doctor` says about agents, line by line. */
import { afterEach, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../../src/client/index.ts'
import { examineAgents } from '../../src/install/doctor/agents.ts'
import { installClient } from '../../src/install/index.ts'
import { forgetUsers, makeUser, type User } from './kit.ts'

afterEach(forgetUsers)

type Calls = { 'events.list'?: { type: string; at: number }[]; counters?: unknown }

/** The findings as lines, with the daemon's answers given. */
async function doctor(
  user: User,
  calls: Calls = { 'events.list': [], counters: [] },
  cwd = user.home,
): Promise<string[]> {
  const lastEvent = async () => calls['events.list']
  const found = await examineAgents({ places: user.places, env: user.env, cwd, lastEvent })
  return found.map(({ level, about, message, fix }: Finding) =>
    [`${level} ${about}: ${message}`, fix].filter(Boolean).join(' → ').replaceAll(user.home, '~'),
  )
}

function person(programs: Record<string, string> = {}): User {
  const user = makeUser()
  mkdirSync(user.path('bin'))
  for (const [name, version] of Object.entries(programs)) program(user, name, `echo '${version}'`)
  user.env.PATH = `${user.path('bin')}:/usr/bin:/bin`
  return user
}

function program(user: User, name: string, script: string): void {
  writeFileSync(user.path(`bin/${name}`), `#!/bin/sh\n${script}\n`)
  chmodSync(user.path(`bin/${name}`), 0o755)
}

describe('an agent that is', () => {
  test('not here at all', async () => {
    const [line] = await doctor(person())
    expect(line).toStartWith('ok agents: none found here; gantry wires Claude Code, Codex')
  })

  test('here and not wired', async () => {
    expect(await doctor(person({ claude: '2.1.325' }))).toEqual([
      'warn claude: Claude Code 2.1.325 is here, but not wired → gantry install claude',
    ])
  })

  test('wired, with its last event', async () => {
    const user = person({ claude: '2.1.325' })
    await installClient(user.client)
    user.install('claude', '2.1.325')
    expect(
      await doctor(user, { 'events.list': [{ type: 'Stop', at: Date.now() - 125_000 }], counters: [] }),
    ).toEqual([
      'ok client: agents start ~/.local/share/gantry/bin/gantry-hook',
      'ok claude: Claude Code 2.1.325: 30 of 33 events wired; last event Stop 2m ago',
    ])
    expect((await doctor(user))[1]).toEndWith('no event yet')
    expect((await doctor(user, {}))[1]).toEndWith('last event unknown while the daemon is down')
  })

  test('here, with settings that it does not read', async () => {
    const user = person({ claude: '2.1.325' })
    const line = (place: string, what: string) =>
      `fail claude: ~/.claude/settings.json:${place} has ${what}, and Claude Code refuses the whole file for it: no hook in it runs → Remove it, then run: gantry install claude`
    user.put('.claude/settings.json', '{\n  "model": "opus", // mine\n  "env": {}\n}\n')
    expect(await doctor(user)).toEqual([line('2:20', 'a comment')])
    user.put('.claude/settings.json', '{\n  "model": "opus"\n}\n')
    await installClient(user.client)
    user.install('claude', '2.1.325')
    user.put(
      '.claude/settings.json',
      user.text('.claude/settings.json').replace('"opus",', '"opus", /* mine */'),
    )
    expect((await doctor(user)).at(-1)).toBe(line('2:20', 'a comment'))
    user.put('.claude/settings.json', '{\n  "model": "opus",\n}\n')
    expect((await doctor(user)).at(-1)).toBe(line('2:18', 'a trailing comma'))
  })

  test('wired, in settings that nobody may change', async () => {
    const user = person({ codex: '0.166.0' })
    await installClient(user.client)
    user.install('codex', '0.166.0')
    const before = await doctor(user)
    chmodSync(user.path('.codex/hooks.json'), 0o444)
    expect(await doctor(user)).toEqual(before)
  })

  test('wired without the home of gantry', async () => {
    const user = person({ claude: '2.1.325' })
    await installClient(user.client)
    user.install('claude', '2.1.325')
    const file = '.claude/settings.json'
    user.put(
      file,
      user
        .text(file)
        .replaceAll(new RegExp(`"--home",\\s*"${user.client.home}",\\s*`, 'g'), '')
        .replaceAll(` --home '${user.client.home}'`, ''),
    )
    expect((await doctor(user)).at(1)).toBe(
      "warn claude: Claude Code 2.1.325: ~/.claude/settings.json starts the hook client without --home, so a GANTRY_HOME in a project's environment leads it elsewhere → gantry install claude",
    )
  })

  test('old, and then newer than its wiring', async () => {
    const user = person({ claude: '2.0.77' })
    user.install('claude', '2.0.77')
    expect((await doctor(user))[1]).toContain(
      'Claude Code 2.0.77: 12 of 12 events wired; 21 more need Claude Code 2.1.325',
    )
    program(user, 'claude', 'echo 2.1.325')
    expect((await doctor(user))[1]).toMatch(
      /^warn claude: .*not what this version supports \(30 of 33 events\) → gantry install claude$/,
    )
  })

  test('older than its wiring: none of its hooks may run', async () => {
    const user = person({ claude: '2.0.77' })
    user.install('claude', '2.1.325')
    expect((await doctor(user))[1]).toBe(
      'fail claude: Claude Code 2.0.77 does not know 18 of the events it is wired for → gantry install claude',
    )
  })

  test('not on this PATH: no reason to wire less', async () => {
    const user = person()
    mkdirSync(user.path('.claude'))
    user.install('claude', '2.1.325')
    const lines = (await doctor(user)).filter((line) => line.includes(' claude: '))
    expect(lines).toEqual([
      'warn claude: Claude Code: its version is unknown, so it may not support all wired events → Put "claude" on PATH, then run: gantry doctor',
    ])
  })

  test('of an unknown version', async () => {
    const user = person()
    mkdirSync(user.path('.gemini'))
    user.install('gemini', undefined)
    expect((await doctor(user))[2]).toBe(
      'warn gemini: its version is unknown, so it is treated as 0.61.0 → Put "gemini" on PATH, then run: gantry install gemini',
    )
  })

  test('switched off in its own settings', async () => {
    const user = person({ claude: '2.1.325', gemini: '0.61.0', copilot: '1.0.102' })
    user.put('.claude/settings.json', '{ "disableAllHooks": true }')
    user.put('.gemini/settings.json', '{ "hooksConfig": { "disabled": ["gantry"] } }')
    user.put('.copilot/settings.json', '{ "disableAllHooks": true }')
    for (const id of ['claude', 'gemini', 'copilot']) user.install(id)
    const lines = (await doctor(user)).filter((line) => line.includes('no hook runs'))
    expect(lines).toEqual([
      'warn claude: no hook runs: "disableAllHooks" is true in ~/.claude/settings.json → Change it there',
      'warn gemini: no hook runs: "hooksConfig.disabled" names gantry in ~/.gemini/settings.json → Change it there',
      'warn copilot: no hook runs: "disableAllHooks" is true in ~/.copilot/settings.json → Change it there',
    ])
  })

  test('broken in its settings', async () => {
    const user = person({ gemini: '0.61.0' })
    user.put('.gemini/settings.json', '{ "hooks": [] }')
    expect(await doctor(user)).toEqual([
      'fail gemini: ~/.gemini/settings.json:1:12 has an array as "hooks" where an object should be → Correct it, then run: gantry install gemini',
    ])
  })

  test('drifting, which the daemon tells in a line of its own for each thing', async () => {
    const user = person({ gemini: '0.61.0' })
    user.install('gemini')
    const counters = [{ kind: 'unknown', key: 'gemini BeforeTool new_field', count: 3 }]
    const lines = await doctor(user, { 'events.list': [], counters })
    expect(lines.join('\n')).not.toMatch(/unknown|drift/)
  })
})

describe('hooks of others', () => {
  test('are counted in the user and in the project settings, and left alone', async () => {
    const user = person({ claude: '2.1.325' })
    const hooks = {
      hooks: {
        Stop: [
          {
            hooks: [
              { type: 'command', command: 'a' },
              { type: 'command', command: 'b' },
            ],
          },
        ],
      },
    }
    user.put('.claude/settings.json', JSON.stringify(hooks))
    user.install('claude')
    mkdirSync(user.path('project/.git'), { recursive: true })
    mkdirSync(user.path('project/deep'))
    user.put('project/.claude/settings.local.json', `// mine\n${JSON.stringify(hooks)}`)
    expect((await doctor(user)).at(-1)).toBe('ok claude: hooks of others: 2 in your settings; left alone')
    expect((await doctor(user, undefined, user.path('project/deep'))).at(-1)).toBe(
      'ok claude: hooks of others: 2 in your settings, 2 in this project; left alone',
    )
  })

  test('beside a file of our own', async () => {
    const user = person({ copilot: '1.0.102' })
    user.put(
      '.copilot/hooks/mine.json',
      '{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"x"}]}}',
    )
    user.install('copilot')
    expect((await doctor(user)).at(-1)).toBe('ok copilot: hooks of others: 1 in your settings; left alone')
  })
})

describe('the client that agents start', () => {
  test('gone or not of this gantry', async () => {
    const user = person({ gemini: '0.61.0' })
    user.install('gemini')
    expect((await doctor(user))[0]).toMatch(/^fail client: .*which is gone → gantry install$/)
    await installClient(user.client)
    writeFileSync(user.client.path, 'older')
    expect((await doctor(user))[0]).toMatch(/^warn client: .*is not of this gantry → gantry install$/)
  })
})

describe('trust', () => {
  const answer = (user: User, status: string) => {
    const { path } = user.client
    const hooks = ['PreToolUse', 'Stop'].map((event, i) => ({
      command: `test -x '${path}' || exit 0; exec '${path}' codex ${event}`,
      enabled: true,
      trustStatus: i === 0 ? 'trusted' : status,
    }))
    const said = JSON.stringify({ id: 2, result: { data: [{ hooks }] } })
    program(user, 'codex', `[ "$1" = app-server ] || exec echo 0.166.0\ncat <<'EOF'\n${said}\nEOF\nsleep 5`)
  }

  test('is what Codex itself says', async () => {
    const user = person({ codex: '0.166.0' })
    user.install('codex')
    answer(user, 'trusted')
    expect((await doctor(user))[2]).toBe('ok codex: all 2 hooks are trusted')
    answer(user, 'modified')
    expect((await doctor(user))[2]).toMatch(
      /^warn codex: 1 of 2 hooks do not run \(modified\): Stop → Codex runs no hook before you trust/,
    )
  })

  test('is not known when Codex does not say', async () => {
    const user = person()
    program(user, 'codex', '[ "$1" = app-server ] && exit 1; echo 0.166.0')
    user.install('codex')
    expect((await doctor(user))[2]).toBe(
      'warn codex: it did not say which hooks it trusts → See /hooks in ~/bin/codex',
    )
  })
})

test('the whole doctor runs without a daemon, and has a line for an agent', () => {
  const user = person({ gemini: '0.61.0' })
  expect(user.gantry(['install', '--yes'], { PATH: user.env.PATH ?? '' }).exit).toBe(0)
  const ran = user.gantry(['doctor'], { PATH: user.env.PATH ?? '' })
  expect(ran.stdout).toContain('✓ gemini   Gemini CLI 0.61.0: 7 of 11 events wired')
  rmSync(join(user.places.state, 'install/gemini.json'))
  expect(user.gantry(['doctor'], { PATH: user.env.PATH ?? '' }).stdout).toContain('here, but not wired')
})
