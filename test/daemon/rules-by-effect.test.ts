/** Rules by effect through the real client, a real daemon and the command line: written, tested, brought along by a repository. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  envFor,
  GANTRY,
  gantry,
  gantryJson,
  HOOK,
  makeHome,
  ROOT,
  run,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'

setDefaultTimeout(120_000)

const FORCE = `rules:
  - id: no-force-push
    on: PreToolUse
    when: { program: git, subcommand: push, flags: [-f, --force] }
    then: { deny: Use --force-with-lease. }
`

test('rules check, test and schema need no daemon', async () => {
  const home = makeHome()
  mkdirSync(home.rules, { recursive: true })
  const file = join(home.rules, 'a.yaml')
  writeFileSync(file, `${FORCE}    examples: { match: [git push] }\n`)
  const bad = await gantry(home, 'rules', 'check')
  expect(bad.exit).toBe(1)
  expect(bad.stdout).toContain(`${file}:6: rules.0.examples.match.0: the rule does not match this example`)

  writeFileSync(file, FORCE)
  expect((await gantry(home, 'rules', 'check')).exit).toBe(0)
  const tried = async (command: string) => {
    const { exit, stdout, stderr } = await gantry(home, 'rules', 'test', '--command', command)
    expect({ exit, stderr }).toMatchObject({ exit: 0, stderr: expect.stringContaining('does not run') })
    return JSON.parse(stdout)
  }
  expect(await tried('git -C x push -uf')).toMatchObject({
    verdict: { decision: 'deny', by: 'no-force-push' },
    rules: [{ id: 'no-force-push', judged: 'matched' }],
  })
  expect(await tried('echo git push -f')).toMatchObject({
    verdict: { decision: 'none' },
    rules: [{ id: 'no-force-push', judged: 'not matched', why: expect.stringContaining('when.program') }],
  })
  expect(await tried('git push $HOW')).toMatchObject({
    verdict: { decision: 'ask' },
    rules: [{ id: 'no-force-push', judged: 'not understood', why: 'a word of the command is not known' }],
  })

  const draft = join(home.config, 'draft.yaml')
  writeFileSync(draft, 'rules: [{ id: typo, on: PreToolUze }, { id: all, on: PreToolUse, then: { ask: x } }]')
  const checked = await gantry(home, 'rules', 'check', draft)
  expect(checked).toMatchObject({ exit: 0, stderr: '' })
  expect(checked.stdout).toContain(`! ${draft}:1: rules.0.on: there is no event "PreToolUze". Did you mean`)
  expect(await gantryJson(home, 'rules', 'check', draft, '--json')).toMatchObject({
    ...{ files: [draft], problems: [] },
    warnings: [expect.stringContaining('PreToolUze')],
  })
  expect(await gantryJson(home, 'rules', 'test', '--rules', draft, '--command', 'ls')).toMatchObject({
    verdict: { decision: 'ask', by: 'all' },
    rules: [{ id: 'typo', judged: 'not matched', why: 'on does not hold' }, { id: 'all' }],
  })
  for (const wrong of [
    ['--agent', 'cluade', '--command', 'x'],
    ['--command', 'x', draft],
    ['--rules', 'none', '--command', 'x'],
  ])
    expect((await gantry(home, 'rules', 'test', ...wrong)).exit).toBe(2)
  const schema = await gantryJson(home, 'rules', 'schema')
  expect(schema).toEqual(JSON.parse(readFileSync(join(ROOT, 'docs/rules.schema.json'), 'utf8')))
})

test('rules of a repository apply when a person at a terminal trusts them, and not from inside an agent', async () => {
  const home = makeHome()
  const root = tempDir()
  mkdirSync(join(root, '.git'))
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main\n')
  mkdirSync(join(root, '.gantry/rules'), { recursive: true, mode: 0o755 })
  const file = join(root, '.gantry/rules/team.yaml')
  writeFileSync(file, FORCE, { mode: 0o644 })
  mkdirSync(home.rules, { recursive: true })
  const own = join(home.rules, 'own.yaml')
  writeFileSync(own, 'rules: [{ id: on-main, on: PreToolUse, when: { branch: main }, then: { ask: sure? } }]')
  await using _daemon = await startDaemon(home)
  const push = async () => {
    const payload = {
      session_id: 's1',
      cwd: root,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'git push -f' },
    }
    return (await run([HOOK, 'claude', 'PreToolUse'], home, JSON.stringify(payload))).stdout
  }
  const trust = (answer: string, env: Record<string, string> = {}) =>
    Bun.spawnSync(['script', '-qec', `'${GANTRY}' rules trust '${root}'`, '/dev/null'], {
      env: { ...envFor(home, env), PATH: process.env.PATH ?? '', TERM: 'dumb' },
      stdin: Buffer.from(`${answer}\n`),
    }).stdout.toString()
  const doctor = async () => (await gantry(home, 'doctor')).stdout

  // Nothing was heard of the folder before.
  expect(await push()).toContain('"permissionDecisionReason":"sure?"')
  rmSync(own)
  await until(async () => !(await push()).includes('sure?'), 'the rule is gone')
  expect(await push()).not.toContain('deny')
  await until(
    async () => (await doctor()).includes(`The rules of ${root} are not trusted`),
    'doctor names them',
  )
  expect((await gantry(home, 'rules', 'trust', root)).stderr).toContain('at a terminal')
  expect(trust('y', { CLAUDECODE: '1' })).toContain('Only a person may do this')
  expect(trust('n')).toContain('Nothing was written')
  expect(await push()).not.toContain('deny')

  const shown = trust('y')
  expect(shown).toContain('no-force-push')
  expect(shown).toContain('apply as you have just read them')
  await until(async () => (await push()).includes('"permissionDecision":"deny"'), 'they apply')
  expect(await gantryJson(home, 'rules', 'list', '--json')).toMatchObject([
    { id: 'project:no-force-push', project: root },
  ])

  // Nobody gets rid of them by changing the file: what was trusted stays in force.
  const changed = 'have changed since you trusted them. Those that you trusted stay in force.'
  writeFileSync(file, 'rules: []\n')
  await until(async () => (await doctor()).includes(changed), 'doctor names them')
  expect((await gantry(home, 'rules', 'list')).stdout).toContain(changed)
  expect(await push()).toContain('deny')

  trust('y')
  await until(async () => !(await push()).includes('deny'), 'the new ones apply')
  writeFileSync(file, FORCE)
  trust('y')
  await until(async () => (await push()).includes('deny'), 'they apply again')
  expect((await gantry(home, 'rules', 'untrust', root)).exit).toBe(0)
  await until(async () => !(await push()).includes('deny'), 'they do not apply any more')
})
