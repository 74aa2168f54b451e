/** Guards through the real client and a real daemon: off, chosen, counted. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GANTRY, gantry, gantryJson, HOOK, makeHome, run, sendFrame, startDaemon } from '../kit.ts'

setDefaultTimeout(120_000)

test('guards say nothing until the owner chooses a preset, then deny, ask and count', async () => {
  const home = makeHome()
  await using _daemon = await startDaemon(home)
  const hook = async (command: string, cwd = '/tmp/project') => {
    const payload = {
      session_id: 's1',
      cwd,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
    }
    const { stdout } = await run([HOOK, 'claude', 'PreToolUse'], home, JSON.stringify(payload))
    return stdout
  }
  expect(await hook('git push -f')).not.toContain('permissionDecision')

  writeFileSync(home.configFile, '# mine\n[log]\nlevel = "info" # so\n')
  expect((await gantry(home, 'guards', 'set', 'publish', 'off')).exit).toBe(0)
  expect((await gantry(home, 'guards', 'preset', 'standard')).exit).toBe(0)
  expect(readFileSync(home.configFile, 'utf8')).toBe(
    '# mine\n[log]\nlevel = "info" # so\n\n[guards.modes]\npublish = "off"\n\n[guards]\npreset = "standard"\n',
  )
  // In force when the command returns.
  expect(await hook('git push -f')).toContain('git-force-push')
  expect(await hook('git reset --hard')).toContain('"permissionDecision":"ask"')
  expect(await hook('npm publish')).not.toContain('permissionDecision')
  expect(await hook('git status')).not.toContain('permissionDecision')

  const tried = JSON.parse((await gantry(home, 'rules', 'test', '--command', 'git push -f')).stdout)
  expect(tried).toMatchObject({
    verdict: { decision: 'deny', by: 'guard:git-force-push' },
    guards: [{ id: 'git-force-push', mode: 'deny', found: expect.any(String) }],
  })

  const { guards } = JSON.parse((await gantry(home, 'guards', '--json')).stdout)
  const of = (id: string) => guards.find((one: { id: string }) => one.id === id)
  expect(of('git-discard')).toMatchObject({ mode: 'ask', own: false, hits: 1 })
  expect(of('git-force-push').hits).toBe(1)
  expect(of('publish')).toMatchObject({ mode: 'off', own: true, hits: 0 })

  expect((await gantry(home, 'guards', 'set', 'git-discrd', 'deny')).stderr).toContain(
    'Did you mean git-discard?',
  )
  const before = readFileSync(home.configFile, 'utf8')
  for (const argv of [
    'guards preset off',
    'config set guards.preset off',
    'config edit',
    'handlers new quiet',
  ]) {
    const inside = await run([GANTRY, ...argv.split(' ')], home, '', { CLAUDECODE: '1', EDITOR: 'rm' })
    expect([argv, inside.exit, inside.stderr]).toEqual([
      argv,
      1,
      expect.stringContaining('Only a person may do this'),
    ])
  }
  expect(readFileSync(home.configFile, 'utf8')).toBe(before)

  // The first hook in a folder knows the repository around it: without it, these would be folders in /tmp.
  const project = join(home.home ?? '', 'project')
  const inner = join(project, 'packages/a')
  mkdirSync(join(project, '.git'), { recursive: true })
  mkdirSync(inner, { recursive: true })
  writeFileSync(join(project, '.git/HEAD'), 'ref: refs/heads/main\n')
  expect((await gantry(home, 'guards', 'preset', 'strict')).exit).toBe(0)
  expect(await hook('rm -rf ../..', inner)).toContain('delete-project')
  expect(await hook('rm -rf ../../packages/a/dist', inner)).not.toContain('permissionDecision')
})

test('a call that nobody can judge is asked about, and is not counted as guarded', async () => {
  const home = makeHome()
  writeFileSync(home.configFile, '[guards]\npreset = "standard"\n')
  await using _daemon = await startDaemon(home)
  const hook = async (payload: string) => (await run([HOOK, 'claude', 'PreToolUse'], home, payload)).stdout
  const call = (name: string, input: string, more = '') =>
    `{"session_id":"s1","cwd":"/tmp/project","hook_event_name":"PreToolUse","tool_name":"${name}","tool_input":${input}${more}}`
  const [long, deep] = ['x'.repeat(9_000_000), `${'['.repeat(1_200)}${']'.repeat(1_200)}`]
  const unreadable = [
    call('Bash', `{"command":"rm -rf /","description":"${long}"}`),
    call('Write', `{"file_path":"${home.configFile}","content":"${long}"}`),
    call('Bash', `{"command":"rm -rf /","x":${deep}}`),
    call('Bash', `{"command":"rm -rf /","x":${deep}}`, ',"tool_use_id":"t1"'),
    call('Bash', '{"command":"rm -rf /').slice(0, -1),
    '',
  ]
  for (const payload of unreadable) expect(await hook(payload)).toContain('"permissionDecision":"ask"')
  expect(await hook(call('Bash', '{"command":"rm -rf /"}'))).toContain('"permissionDecision":"deny"')

  const { rows, missed } = JSON.parse((await gantry(home, 'coverage', '--json')).stdout)
  expect(rows).toMatchObject([
    { tool: 'Bash', guarded: 1, observed: 3 },
    { tool: 'Write', guarded: 0, observed: 1 },
  ])
  expect(missed).toMatchObject([{ about: 'claude PreToolUse', reason: 'unreadable', count: 6 }])
})

test('rules test tells what the guards say, without a daemon, too', async () => {
  const home = makeHome()
  const tried = async (command: string) =>
    JSON.parse((await gantry(home, 'rules', 'test', '--command', command)).stdout)
  expect(await tried('git push -f')).toMatchObject({ verdict: { decision: 'none' }, guards: [] })
  writeFileSync(home.configFile, '[guards]\npreset = "standard"\n')
  expect(await tried('git push -f')).toMatchObject({
    verdict: { decision: 'deny', by: 'guard:git-force-push' },
    guards: [{ id: 'git-force-push', mode: 'deny', found: expect.any(String) }],
  })
  expect(await tried('rm -rf dist')).toMatchObject({ verdict: { decision: 'none' }, guards: [] })
})

test('rules score needs no daemon', async () => {
  const home = makeHome()
  const corpus = join(home.home ?? '', 'corpus.jsonl')
  writeFileSync(
    corpus,
    '{"command":"rm -rf /","expect":"block"}\n{"command":"ls","expect":"block"}\n{"command":"ls","expect":"safe"}\n',
  )
  const { exit, stdout } = await gantry(home, 'rules', 'score', corpus, '--preset', 'strict')
  expect(exit).toBe(0)
  expect(stdout).toContain('66.67%')
  expect(stdout).toContain('1 of 2 denied or asked')
  expect(stdout).toContain('2: pass: ls')
  const score = JSON.parse((await gantry(home, 'rules', 'score', corpus, '--json')).stdout)
  expect(score).toMatchObject({
    preset: 'standard',
    blocked: { hits: 1, of: 2 },
    allowed: { falseAlarms: 0, of: 1 },
  })
})

test('with the preset off, only the guards that have a mode of their own look, and a replay without guards has none', async () => {
  const home = makeHome('[guards.modes]\ngit-force-push = "deny"\n')
  expect((await gantry(home, 'guards')).stdout).toContain('only what you set yourself is looked at')
  const daemon = await startDaemon(home)
  await sendFrame(home, {
    agent: 'claude',
    event: 'PreToolUse',
    payload: JSON.stringify({ session_id: 's', tool_name: 'Bash', tool_input: { command: 'git push -f' } }),
  })
  const replay = (...more: string[]) => gantryJson(home, 'rules', 'replay', '--json', ...more)
  expect(await replay()).toMatchObject({ total: { deny: 1 } })
  expect(await replay('--preset', 'off')).toMatchObject({ total: {}, rules: [] })
  await daemon.kill('SIGTERM')
})
