/** Several installs at once, and installs while an agent writes its settings: one end state, nobody's edit lost. */
import { afterEach, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockHolder, waitForLock } from '../../src/core/files/lock.ts'
import { withInstallLock } from '../../src/install/index.ts'
import { GANTRY, ROOT, TRANSPILED, until } from '../kit.ts'
import { rounds } from '../long.ts'
import { FILES, forgetUsers, makeUser, type User } from './kit.ts'

afterEach(forgetUsers)

const AGENTS = ['claude', 'codex', 'gemini', 'copilot', 'opencode'] as const
const CLAUDE = FILES.claude ?? ''

function everybody(): User {
  const user = makeUser()
  user.put(CLAUDE, '{\n  "model": "opus"\n}\n')
  for (const id of AGENTS) user.put(`${(FILES[id] ?? '').split('/').slice(0, -1).join('/')}/other`, '')
  user.put('.copilot/other', '')
  user.put('.config/opencode/other', '')
  return user
}

function start(user: User, argv: readonly string[]) {
  return Bun.spawn([...argv], {
    cwd: ROOT,
    env: { ...user.env, PATH: '/usr/bin:/bin', ...TRANSPILED },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

const gantry = (...args: string[]) => [GANTRY, ...args]

test('five installs at once: one writes, the others say that it is done, and one uninstall is exact', async () => {
  for (let round = 0; round < rounds(1, 10); round++) {
    const user = everybody()
    const before = user.snapshot()
    const all = [1, 2, 3, 4, 5].map(() => start(user, gantry('install', '--yes')))
    const said = await Promise.all(all.map(({ stdout }) => new Response(stdout).text()))
    const wrong = await Promise.all(all.map(({ stderr }) => new Response(stderr).text()))
    expect(await Promise.all(all.map(({ exited }) => exited))).toEqual([0, 0, 0, 0, 0])
    expect(wrong.join('')).toBe('')
    expect(said.filter((text) => text.includes('Claude Code is wired'))).toHaveLength(1)
    const again = user.gantry(['install', '--yes'])
    expect(again.stdout).not.toContain('is wired')
    for (const id of AGENTS) expect(user.records()).toContain(`${id}.json`)
    expect(user.gantry(['uninstall', '--yes']).exit).toBe(0)
    expect(user.snapshot()).toEqual(before)
  }
}, 120_000)

test('whoever cannot wait any longer says who holds it and what to do', async () => {
  const user = makeUser()
  const path = join(user.places.state, 'install.lock')
  await withInstallLock(user.places, async () => {
    expect(lockHolder(path)).toBe(process.pid)
    expect(await waitForLock(path, 0)).toBeUndefined()
    const second = withInstallLock(user.places, () => 'in', 120)
    expect(second).rejects.toThrow(`(pid ${process.pid}) has been writing`)
    await second.catch(() => {})
  })
  expect(await withInstallLock(user.places, () => 'in')).toBe('in')
})

test('one that was killed leaves no lock behind', async () => {
  const user = makeUser()
  const holder = start(user, [
    process.execPath,
    '-e',
    `import { withInstallLock } from '${ROOT}/src/install/index.ts'
     import { places } from '${ROOT}/src/core/files/paths.ts'
     await withInstallLock(places(), () => { console.log('in'); return new Promise(() => setInterval(() => {}, 1000)) })`,
  ])
  const { value } = await holder.stdout.getReader().read()
  expect(new TextDecoder().decode(value)).toBe('in\n')
  holder.kill('SIGKILL')
  await holder.exited
  expect(await withInstallLock(user.places, () => 'in', 0)).toBe('in')
})

/** strace holds gantry up at its last flush before the rename: long enough for an agent to write in between. */
const DELAYED = [
  'strace',
  '-f',
  '-qq',
  '-o',
  '/dev/null',
  '-e',
  'trace=fsync',
  '-e',
  'inject=fsync:delay_enter=400000',
]

test.skipIf(process.platform !== 'linux')(
  'an edit by an agent while gantry writes is not lost, and gantry is wired all the same',
  async () => {
    const user = everybody()
    const path = user.path(CLAUDE)
    const draft = () =>
      new Bun.Glob(`.settings.json.*.gantry-draft`).scanSync({ cwd: user.path('.claude'), dot: true })
    const install = start(user, [...DELAYED, ...gantry('install', '--yes', 'claude')])
    await until(() => [...draft()].length > 0, 'a draft')
    writeFileSync(path, '{\n  "model": "opus",\n  "newer": "by the agent"\n}\n')
    expect(await install.exited).toBe(0)
    const settings = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    expect(settings.newer).toBe('by the agent')
    expect(settings.hooks).toBeDefined()
    expect(user.gantry(['uninstall', '--yes']).exit).toBe(0)
    expect(user.text(CLAUDE)).toBe('{\n  "model": "opus",\n  "newer": "by the agent"\n}\n')
  },
  60_000,
)

test('a file that never rests is left alone, and gantry says so', async () => {
  const user = everybody()
  const path = user.path(CLAUDE)
  const { retryIfChanged, applyInstall } = await import('../../src/install/index.ts')
  let edits = 0
  const attempt = retryIfChanged(() => {
    const plan = user.planInstall('claude')
    user.put(CLAUDE, `{ "edit": ${edits++} }`)
    if (plan.kind === 'change') applyInstall(user.places, plan.change)
  })
  expect(attempt).rejects.toThrow(/changed by somebody else.*Nothing was written/)
  await attempt.catch(() => {})
  expect(edits).toBeGreaterThan(2)
  expect(readFileSync(path, 'utf8')).toBe(`{ "edit": ${edits - 1} }`)
})
