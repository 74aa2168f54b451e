/**
 * `kill -9` at any moment of an install or an uninstall: the settings file is the old one or the new one, never
 * anything else, and uninstall brings the old one back.
 */
import { afterEach, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { GANTRY, TRANSPILED } from '../kit.ts'
import { limitMs, rounds } from '../long.ts'
import { FILES, forgetUsers, makeUser, type User } from './kit.ts'

afterEach(forgetUsers)

const ROUNDS = rounds(6, 80)
const MINE =
  '{\n   "mine" :true,\n  "model": "opus",\n  "statusLine": { "type": "command", "command": "date" }\n}\n'
const AGENTS = ['claude', 'codex', 'gemini'] as const

/** Longest first: how long a whole run takes, so that the kills fall all over it. */
async function timed(user: User, args: string[]): Promise<number> {
  const started = performance.now()
  const child = start(user, args)
  expect(await child.exited).toBe(0)
  return performance.now() - started
}

function start(user: User, args: string[]) {
  return Bun.spawn([GANTRY, ...args], {
    env: { ...user.env, ...TRANSPILED },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
}

async function killedAfter(user: User, args: string[], ms: number): Promise<void> {
  const child = start(user, args)
  await Bun.sleep(ms)
  child.kill('SIGKILL')
  await child.exited
}

function makeOne(): User {
  const user = makeUser()
  user.put(FILES.claude ?? '', MINE)
  user.put('.codex/other', '')
  user.put('.gemini/settings.json', '{}')
  return user
}

const contents = (user: User) =>
  AGENTS.map((id) =>
    (existsSync(user.path(FILES[id] ?? '')) ? user.text(FILES[id] ?? '') : undefined)?.replaceAll(
      user.home,
      '~',
    ),
  )

test(
  `${ROUNDS} installs and uninstalls, killed: old or new, and always a way back`,
  async () => {
    const model = makeOne()
    const old = contents(model)
    const installMs = await timed(model, ['install', '--yes'])
    const next = contents(model)
    expect(next).not.toEqual(old)
    const uninstallMs = await timed(model, ['uninstall', '--yes'])
    expect(contents(model)).toEqual(old)

    // Some come too early and some too late; the test is worth something when it has seen more than one outcome.
    const seen = new Set<string>()
    for (let round = 0; round < ROUNDS || (seen.size < 2 && round < 5 * ROUNDS); round++) {
      const user = makeOne()
      const before = user.snapshot()
      const isInstall = round % 3 !== 2
      if (!isInstall) expect(await timed(user, ['install', '--yes'])).toBeGreaterThan(0)
      // From before the writing until after it, in even steps: how long that takes depends on the machine.
      const whole = isInstall ? installMs : uninstallMs
      await killedAfter(
        user,
        [isInstall ? 'install' : 'uninstall', '--yes'],
        whole * (0.3 + (0.9 * ((round % ROUNDS) + Math.random())) / ROUNDS),
      )
      const now = contents(user)
      now.forEach((text, i) => {
        expect([old[i], next[i]]).toContain(text)
      })
      seen.add(now.map((text, i) => (text === old[i] ? 'old' : 'new')).join())
      for (const id of AGENTS) user.uninstall(id)
      expect(user.snapshot()).toEqual(before)
      expect(user.records().filter((name) => !name.startsWith('backups'))).toEqual([])
    }
    expect(seen.size).toBeGreaterThan(1)
  },
  limitMs(ROUNDS, 10_000),
)

test('an install after a killed one is as good as the first', async () => {
  const user = makeOne()
  const before = user.snapshot()
  const fresh = makeOne()
  const ms = await timed(fresh, ['install', '--yes'])
  for (let i = 0; i < 4; i++) await killedAfter(user, ['install', '--yes'], ms * (0.7 + i * 0.08))
  await timed(user, ['install', '--yes'])
  expect(contents(user)).toEqual(contents(fresh))
  await timed(user, ['uninstall', '--yes'])
  expect(user.snapshot()).toEqual(before)
  expect(readdirSync(user.path('.claude'))).toEqual(['settings.json'])
}, 120_000)
