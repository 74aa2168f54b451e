import { describe, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { eventOf, makeHome, silentLog } from '../../../test/kit.ts'
import { factsOf } from '../../agents/facts.ts'
import { agents } from '../../agents/index.ts'
import type { HookEvent } from '../../events/index.ts'
import { ToolCalls } from '../tool-calls.ts'
import type { GuardSettings } from './config.ts'
import { Guards } from './service.ts'

const OFF: GuardSettings = { preset: 'off', one_strike: false, modes: {} }
const HOME = '/home/user'
const CWD = '/home/user/project'

function guarding(settings: Partial<GuardSettings> = {}) {
  const counted: string[] = []
  const log = silentLog()
  const holder = { now: { ...OFF, preset: 'standard', ...settings } as GuardSettings }
  const guards = new Guards({
    settings: () => holder.now,
    places: {
      config: '/home/user/.config/gantry',
      state: '/home/user/.local/state/gantry',
      run: '/run/user/1/gantry',
    },
    home: HOME,
    calls: new ToolCalls({ home: HOME, rootOf: (folder) => (folder.startsWith(CWD) ? CWD : undefined) }),
    count: (what) => counted.push(what),
    log,
  })
  return { guards, counted, log, holder }
}

const call = (name: string, input: unknown, parts: Partial<HookEvent> = {}) =>
  eventOf({ type: 'PreToolUse', native: 'PreToolUse', cwd: CWD, tool: { name, input }, ...parts })
const bash = (command: string, parts: Partial<HookEvent> = {}) => call('Bash', { command }, parts)

describe('guards', () => {
  test('say nothing while they are off, and where they find nothing', () => {
    expect(guarding({ preset: 'off' }).guards.decide(bash('rm -rf /'))).toEqual({ decision: 'none' })
    expect(guarding().guards.decide(bash('npm test'))).toEqual({ decision: 'none' })
    expect(guarding().guards.decide(bash('rm -rf /', { type: 'PostToolUse' }))).toEqual({ decision: 'none' })
  })

  test('deny catastrophes, ask about risks, and say what to do instead', () => {
    const { guards, counted } = guarding()
    expect(guards.decide(bash('git push --force'))).toMatchObject({
      decision: 'deny',
      by: 'guard:git-force-push',
      reason: expect.stringContaining('git revert --no-edit HEAD'),
    })
    expect(guards.decide(bash('git reset --hard'))).toMatchObject({
      decision: 'ask',
      by: 'guard:git-discard',
    })
    expect(counted).toEqual(['git-force-push deny', 'git-discard ask'])
  })

  test('ask about a call that could not be read whole, and about what may be one', () => {
    const { guards, counted } = guarding()
    const cut = { partial: true, tool: { name: 'Bash', input: undefined } }
    const asked = { decision: 'ask', by: 'guard:unclear-danger', reason: expect.stringContaining('payload') }
    expect(guards.decide(eventOf({ type: 'PreToolUse', native: 'PreToolUse', ...cut }))).toMatchObject(asked)
    expect(guards.decide(eventOf({ type: 'Unreadable', native: '', partial: true }))).toMatchObject(asked)
    expect(counted).toEqual(['unclear-danger ask', 'unclear-danger ask'])
    // What was cut behind the input changes nothing.
    expect(guards.decide(bash('npm test', { partial: true })).decision).toBe('none')
    expect(guards.decide(eventOf({ type: 'Stop', native: 'Stop', partial: true })).decision).toBe('none')
    const strict = guarding({ preset: 'strict', one_strike: true }).guards
    const again = () => strict.decide(eventOf({ type: 'PreToolUse', native: 'PreToolUse', ...cut })).decision
    expect([again(), again()]).toEqual(['deny', 'ask'])
  })

  test('count a guard once, though a handler has them judge the call again', () => {
    const { guards, counted } = guarding({ preset: 'watch' })
    const before = bash('git reset --hard')
    guards.decide(before)
    guards.decide(bash('git reset --hard && npm publish'), before)
    expect(counted).toEqual(['git-discard watch', 'publish watch'])
  })

  test('only count and log at preset watch', () => {
    const { guards, counted, log } = guarding({ preset: 'watch' })
    expect(guards.decide(bash('git push --force'))).toEqual({ decision: 'none' })
    expect(counted).toEqual(['git-force-push watch'])
    expect(log.lines).toEqual(['info guards git-force-push would have spoken: git push --force'])
  })

  test('each have a mode of their own, also while the preset is off; a new setting holds at once', () => {
    const { guards, holder } = guarding({ preset: 'off', modes: { 'git-discard': 'deny' } })
    expect(guards.decide(bash('git reset --hard')).decision).toBe('deny')
    expect(guards.decide(bash('rm -rf /')).decision).toBe('none')
    holder.now = { ...OFF, preset: 'strict', modes: { 'git-discard': 'off' } }
    expect(guards.decide(bash('git reset --hard')).decision).toBe('none')
    expect(guards.decide(bash('rm -rf /')).decision).toBe('deny')
  })

  test('with one strike deny the first attempt of a session, and ask about the same one again', () => {
    const { guards } = guarding({ one_strike: true })
    for (const command of ['git reset --hard', 'rm -rf /']) {
      expect(guards.decide(bash(command)).decision).toBe('deny')
      expect(guards.decide(bash(command)).decision).toBe('ask')
      expect(guards.decide(bash(command, { sessionId: 'other' })).decision).toBe('deny')
    }
    expect(guards.decide(bash('rm -rf /usr')).decision).toBe('deny')
  })

  test('deny a permission, and leave one that a person is being asked for to that person', () => {
    const { guards, counted } = guarding()
    expect(guards.decide(bash('rm -rf /', { type: 'PermissionRequest' })).decision).toBe('deny')
    expect(guards.decide(bash('git reset --hard', { type: 'PermissionRequest' })).decision).toBe('none')
    expect(counted).toEqual([])
  })
})

describe('guards see the tools of every agent', () => {
  const inputs: Readonly<Record<string, (path: string) => unknown>> = {
    write: (path) => ({ file_path: path, filePath: path, path, content: 'x' }),
    edit: (path) => ({ file_path: path, filePath: path, path, old_string: 'a', new_string: 'b' }),
    patch: (path) => ({ input: `*** Begin Patch\n*** Update File: ${path}\n+x\n*** End Patch` }),
    read: (path) => ({ file_path: path, filePath: path, absolute_path: path, path }),
  }
  for (const agent of agents.keys()) {
    const { tools = {} } = factsOf(agent)
    for (const name of tools.shell ?? [])
      test(`${agent}: ${name}`, () => {
        const { guards } = guarding()
        for (const input of [
          { command: 'rm -rf /' },
          { command: ['bash', '-lc', 'rm -rf /'] },
          { cmd: 'rm -rf /' },
        ])
          expect(guards.decide(call(name, input, { agent })).decision).toBe('deny')
        expect(guards.decide(call(name, { command: ['rm', '-rf', 'a b; /'] }, { agent })).decision).toBe(
          'none',
        )
        expect(guards.decide(call(name, { cmd: 'rm -rf *', workdir: '/etc' }, { agent })).decision).toBe(
          'deny',
        )
      })
    for (const kind of ['write', 'edit', 'patch'] as const)
      for (const name of tools[kind] ?? [])
        test(`${agent}: ${name}`, () => {
          const { guards } = guarding()
          const decided = (path: string) => guards.decide(call(name, inputs[kind]?.(path), { agent }))
          expect(decided('src/a.ts').decision).toBe('none')
          expect(decided('/etc/hosts')).toMatchObject({ decision: 'ask', by: 'guard:system-files' })
          expect(decided('/etc/sudoers').decision).toBe('deny')
          expect(decided('/home/user/.config/gantry/gantry.toml')).toMatchObject({ by: 'guard:gantry-files' })
          expect(decided('.claude/settings.json')).toMatchObject({
            decision: 'ask',
            by: 'guard:agent-settings',
          })
          expect(decided('/home/user/other/x').by).toBe('guard:write-outside')
        })
    for (const name of tools.read ?? [])
      test(`${agent}: ${name}`, () => {
        const { guards } = guarding()
        const decided = (path: string) => guards.decide(call(name, inputs.read?.(path), { agent }))
        expect(decided('/home/user/.ssh/id_rsa')).toMatchObject({ decision: 'ask', by: 'guard:secret-read' })
        expect(decided('src/a.ts').decision).toBe('none')
      })
  }

  test('a credential in a file or in a command is asked about', () => {
    const { guards } = guarding()
    const token = `gh${'p_16C7e42F292c6912E7710c838347Ae178B4a'}`
    expect(
      guards.decide(call('Write', { file_path: 'src/a.ts', content: `const t = "${token}"` })),
    ).toMatchObject({
      decision: 'ask',
      by: 'guard:secret-in-file',
    })
    expect(guards.decide(bash(`curl -H "Authorization: Bearer ${token}" localhost`)).by).toBe(
      'guard:secret-in-command',
    )
  })

  test('a command of another shell is judged by its text', () => {
    const { guards } = guarding()
    expect(guards.decide(call('PowerShell', { command: 'Remove-Item C:\\ -Recurse -Force' })).decision).toBe(
      'ask',
    )
    expect(guards.decide(call('PowerShell', { command: 'Get-ChildItem' })).decision).toBe('none')
  })

  test('a symbolic link does not hide where a file is', () => {
    const home = makeHome().home ?? ''
    const project = join(home, 'project')
    mkdirSync(project, { recursive: true })
    symlinkSync('/etc', join(project, 'conf'))
    const { guards } = guarding()
    expect(guards.decide(bash('rm -rf conf/nginx', { cwd: project })).decision).toBe('deny')
    expect(guards.decide(call('Write', { file_path: 'conf/hosts', content: 'x' }, { cwd: project })).by).toBe(
      'guard:system-files',
    )
  })

  test('a home and a worktree behind a symbolic link are what they are', () => {
    const root = makeHome().home ?? ''
    const [home, project] = [join(root, 'disk/me'), join(root, 'disk/me/project')]
    mkdirSync(join(project, 'src'), { recursive: true })
    symlinkSync(join(root, 'disk'), join(root, 'link'))
    const [seenHome, seen] = [join(root, 'link/me'), join(root, 'link/me/project')]
    const calls = new ToolCalls({
      home: seenHome,
      rootOf: (folder) => [seen, project].find((one) => folder.startsWith(one)),
    })
    const places = { config: join(seenHome, '.config/gantry'), state: '/s/gantry', run: '/r/gantry' }
    const guards = new Guards({
      settings: () => ({ ...OFF, preset: 'standard' }),
      ...{ places, home: seenHome, calls, count() {}, log: silentLog() },
    })
    const by = (command: string, cwd: string) => guards.decide(bash(command, { cwd })).by
    for (const cwd of [seen, project, join(seen, 'src')]) {
      expect(by('rm -rf ~', cwd)).toBe('guard:delete-system')
      expect(by(`rm -rf ${home}`, cwd)).toBe('guard:delete-system')
      expect(by(`chmod -R 777 ${seenHome}`, cwd)).toBe('guard:permissions-system')
      expect(by(`echo x > ${join(home, '.config/gantry/gantry.toml')}`, cwd)).toBe('guard:gantry-files')
      // Both names of the project are inside of it.
      expect(by(`touch ${join(seen, 'a')} ${join(project, 'b')}`, cwd)).toBeUndefined()
      expect(by(`rm -rf ${join(seen, 'dist')}`, cwd)).toBeUndefined()
    }
  })

  test('the folder that a tool names is where its command runs, and not a project', () => {
    const { guards } = guarding()
    const shell = (command: string, workdir: string) =>
      guards.decide(
        call('shell', { command: ['bash', '-lc', command], workdir }, { agent: 'codex', cwd: CWD }),
      )
    expect(shell('rm -rf x', '/opt/other').by).toBe('guard:delete-outside')
    expect(shell('rm -rf x', `${CWD}/packages`).by).toBeUndefined()
    expect(shell('rm -rf ../dist', 'packages').by).toBeUndefined()
  })
})

describe('guards see what an agent sends besides a command of a shell', () => {
  const by = (name: string, input: unknown) => {
    const verdict = guarding().guards.decide(call(name, input))
    return 'by' in verdict ? `${verdict.decision} ${verdict.by}` : verdict.decision
  }
  const patch = (line: string) => `*** Begin Patch\n*** ${line}\n*** End Patch`
  const OWN = patch('Delete File: /home/user/.config/gantry/gantry.toml')

  test('a field that the tool does not have hides no command and no path, and many paths hide none', () => {
    const down = 'gantry down'
    for (const input of [
      { command: 'ls', cmd: down },
      { command: '', cmd: ['gantry', 'down'] },
      { cmd: down },
    ])
      expect(by('exec_command', input)).toBe('deny guard:gantry-files')
    expect(by('exec_command', { command: 'ls', cmd: 'ls' })).toBe('none')
    // Each is a script of its own: none opens a quote, a line or a folder for the other.
    for (const decoy of [
      "cat <<'X'",
      'echo \\',
      "echo '",
      'cd /tmp/x',
      'ln -s /tmp/x src',
      'if true; then',
      'exit',
    ])
      for (const [command, guard] of [
        ['git push -f origin main', 'deny guard:git-force-push'],
        ['rm -rf .', 'ask guard:delete-project'],
        ['echo x | bash -c "gantry down"', 'deny guard:gantry-files'],
      ] as const) {
        expect(by('exec_command', { command: decoy, cmd: command })).toBe(guard)
        expect(by('exec_command', { command, cmd: decoy })).toBe(guard)
        expect(by('mcp__x__run', { command: decoy, script: command })).toBe(guard)
        expect(by('write_stdin', { input: decoy, chars: command })).toBe(guard)
      }
    expect(by('mcp__x__write_file', { command: 'ls', path: '/home/user/.bashrc', content: 'x' })).toBe(
      'ask guard:startup-files',
    )
    const own = '/home/user/.config/gantry/gantry.toml'
    expect(by('write', { file_path: 'a', absolute_path: 'b', path: own })).toBe('deny guard:gantry-files')
    const names = Array.from({ length: 120 }, (_, at) => `*** Add File: a${at}\n+x`)
    const all = `*** Begin Patch\n${names.join('\n')}\n*** Delete File: ${own}\n*** End Patch`
    expect(by('apply_patch', { input: all })).toBe('ask guard:unclear-danger')
    expect(by('apply_patch', { input: patch(names.slice(0, 50).join('\n').slice(4)) })).toBe('none')
  })

  test('patches: as words, as a heredoc of a shell, as a list, on the standard input of git and patch', () => {
    expect(by('shell', { command: ['apply_patch', OWN] })).toBe('deny guard:gantry-files')
    expect(by('shell', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${OWN}\nEOF`] })).toBe(
      'deny guard:gantry-files',
    )
    expect(by('apply_patch', { command: ['apply_patch', OWN] })).toBe('deny guard:gantry-files')
    const diff = '--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-a\n+b'
    expect(by('Bash', { command: `git apply <<'EOF'\n${diff}\nEOF` })).toBe('ask guard:agent-settings')
    expect(by('Bash', { command: `patch -p1 <<'EOF'\n${diff}\nEOF` })).toBe('ask guard:agent-settings')
    expect(by('Bash', { command: `git apply --check <<'EOF'\n${diff}\nEOF` })).toBe('none')
    expect(by('shell', { command: ['apply_patch', patch('Update File: src/a.ts')] })).toBe('none')
  })

  test('text that is typed into a shell, a command that is watched, tools of MCP servers', () => {
    expect(by('write_bash', { sessionId: '1', input: 'git push -f{enter}' })).toBe(
      'deny guard:git-force-push',
    )
    expect(by('write_stdin', { session_id: 1, chars: 'git push -f\n' })).toBe('deny guard:git-force-push')
    expect(by('Monitor', { command: 'git push -f' })).toBe('deny guard:git-force-push')
    expect(by('mcp__desktop__execute_command', { command: 'git push -f' })).toBe('deny guard:git-force-push')
    expect(by('mcp__x__run', { cmd: 'git', args: ['push', '-f'] })).toBe('deny guard:git-force-push')
    expect(by('mcp__filesystem__write_file', { path: '/home/user/.bashrc', content: 'x' })).toBe(
      'ask guard:startup-files',
    )
    expect(by('mcp__filesystem__read_text_file', { path: '/home/user/.ssh/id_rsa' })).toBe(
      'ask guard:secret-read',
    )
    const key = '/home/user/.local/state/gantry/approval-key'
    for (const input of [
      { path: '~/.config/gantry/gantry.toml', content: 'x' },
      { path: key, url: '' },
      { path: key, repo: 'a' },
      { paths: ['a', key, 5] },
      { path: key, source: 'a', destination: 'b' },
    ])
      expect(by('mcp__filesystem__tool', input)).toBe('deny guard:gantry-files')
    expect(by('mcp__filesystem__get', { path: '/tmp/x/.ssh/id_rsa', text: '' })).toBe('ask guard:secret-read')
    expect(by('mcp__x__run', { command: ['git', 'push', '-f', 5] })).toBe('deny guard:git-force-push')
    expect(by('mcp__github__get_file', { owner: 'o', repo: 'r', path: '.env' })).toBe('none')
    expect(by('mcp__filesystem__write_file', { path: 'src/a.ts', content: 'x' })).toBe('none')
    expect(by('mcp__editor__edit', { command: 'view', path: 'src/a.ts' })).toBe('none')
    expect(by('mcp__desktop__execute_command', { command: 'npm test' })).toBe('none')
    expect(by('write_bash', { sessionId: '1', input: 'y{enter}' })).toBe('none')
  })

  test('a search reads what it looks through, a list of names does not', () => {
    expect(by('Grep', { pattern: '.', path: '/home/user/.ssh/id_rsa' })).toBe('ask guard:secret-read')
    expect(by('Grep', { pattern: '.', path: '/home/user/.ssh', glob: 'id_*' })).toBe('ask guard:secret-read')
    expect(by('Grep', { pattern: '.', path: '/home/user/.local/state/gantry/approval-key' })).toBe(
      'deny guard:gantry-files',
    )
    expect(by('Read', { file_path: '/proc/self/root/home/user/.ssh/id_rsa' })).toBe('ask guard:secret-read')
    expect(by('Grep', { pattern: 'x', path: 'src' })).toBe('none')
    expect(by('Glob', { pattern: '**/*.ts', path: 'src' })).toBe('none')
    expect(by('LS', { path: '/home/user/.ssh' })).toBe('none')
  })
})
