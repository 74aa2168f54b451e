import { describe, expect, test } from 'bun:test'
import { mkdirSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tempDir } from '../../../test/kit.ts'
import type { EngineParts } from '../engine.ts'
import { bench, tool } from '../testkit.ts'
import { Directives } from './directives.ts'
import { touchedFolders } from './touched.ts'

/** A project with these files in it, an effort on it, and an engine with real directives. */
function workshop(files: Record<string, string> = {}, budget = 1_000) {
  let directives: Directives | undefined
  const lazy: NonNullable<EngineParts['directives']> = {
    touch: (at, folders) => directives?.touch(at, folders),
    prepare: (effort, project, paths) => directives?.prepare(effort, project, paths),
    preloads: (paths, agent) => directives?.preloads(paths, agent) ?? { texts: [], paths: [] },
  }
  const one = bench({ directives: lazy })
  const root = realpathSync(one.dir)
  directives = new Directives({
    rows: one.store.work,
    commit: (work) => one.store.journal.relaxed(work),
    rootsOf: () => [],
    budgetOf: () => budget,
    now: () => one.clock.now,
  })
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
    return join(root, name)
  }
  for (const [name, text] of Object.entries(files)) put(name, text)
  const effort = one.begin()
  const settled = () => directives?.settled()
  return {
    ...one,
    root,
    put,
    settled,
    effort: () => one.store.work.effort(effort.id),
    found: () =>
      one.store.work.effort(effort.id)?.discoveredDirectives.map((path) => path.slice(root.length + 1)),
    /** A whole call, with time for the disk in between. */
    call: async (name: string, input: unknown, parts = {}) => {
      one.hear('PreToolUse', { ...tool(name, input), ...parts })
      await settled()
      const { context = [] } = one.hear('PostToolUse', { ...tool(name, input), ...parts })
      await settled()
      return context.filter((words) => words.startsWith('Directives'))
    },
  }
}

const read = (file_path: string) => ['Read', { file_path }] as const

describe('directives near a touched file', () => {
  test('are found from its folder up to the project, queued, and given after the call', async () => {
    const { call, found, window, root } = workshop({
      'AGENTS.md': 'use tabs',
      'src/AGENTS.md': 'no classes',
      'src/.directives/b.md': 'be kind',
      'src/.directives/a.md': 'be brief',
      'src/.directives/a.txt': 'no',
      'src/deep/x.ts': '',
      'other/AGENTS.md': 'not here',
    })
    const words = await call(...read('src/deep/x.ts'))
    expect(found()).toEqual(['AGENTS.md', 'src/.directives/a.md', 'src/.directives/b.md', 'src/AGENTS.md'])
    expect(words).toHaveLength(4)
    expect(words[0]).toBe(`Directives for what is below ${root}, from ${root}/AGENTS.md:\nuse tabs`)
    expect(words[1]).toContain(`below ${root}/src, from ${root}/src/.directives/a.md`)
    expect(window().loadedFiles).toHaveLength(4)
  })

  test('are given once per window', async () => {
    const { call, hear, settled } = workshop({ 'AGENTS.md': 'use tabs', 'x.ts': '' })
    expect(await call(...read('x.ts'))).toHaveLength(1)
    expect(await call(...read('x.ts'))).toEqual([])
    hear('SessionStart', { sessionId: 's2', source: 'startup' })
    await settled()
    expect(hear('UserPromptSubmit', { sessionId: 's2', prompt: 'go' }).context?.join()).toContain('use tabs')
  })

  test('that the agent loads itself are skipped', async () => {
    const files = {
      'CLAUDE.md': 'for claude',
      'AGENTS.md': 'for codex',
      'GEMINI.md': 'for gemini',
      'x.ts': '',
    }
    const names = async (agent: string) => {
      const { call } = workshop(files)
      return (await call(...read('x.ts'), { agent })).map((words) => words.split('\n')[1])
    }
    expect(await names('claude')).toEqual(['for codex'])
    expect(await names('codex')).toEqual(['for claude'])
    expect(await names('gemini')).toEqual(['for codex', 'for claude'])
  })

  test('that duplicate the agent’s own file are skipped, too', async () => {
    const { call, root } = workshop({ 'AGENTS.md': 'the same', 'x.ts': '' })
    symlinkSync('AGENTS.md', join(root, 'CLAUDE.md'))
    expect(await call(...read('x.ts'))).toEqual([])
    const copied = workshop({ 'AGENTS.md': 'the same', 'CLAUDE.md': 'the same', 'x.ts': '' })
    expect(await copied.call(...read('x.ts'))).toEqual([])
  })

  test('found by one agent are not given to another that loads them by itself', async () => {
    const { call, found, hear, settled } = workshop({ 'AGENTS.md': 'use tabs', 'x.ts': '' })
    await call(...read('x.ts'))
    expect(found()).toEqual(['AGENTS.md'])
    hear('PreToolUse', { ...tool('apply_patch'), agent: 'codex', sessionId: 'c1' })
    await settled()
    const { context = [] } = hear('PostToolUse', { ...tool('apply_patch'), agent: 'codex', sessionId: 'c1' })
    expect(context.join()).not.toContain('use tabs')
  })

  test('that a sub-agent found are given to its parent, too', async () => {
    const { call, hear, window } = workshop({ 'AGENTS.md': 'use tabs', 'x.ts': '' })
    hear('UserPromptSubmit')
    hear('SubagentStart', { agentId: 'a1' })
    expect(await call(...read('x.ts'), { agentId: 'a1' })).toHaveLength(1)
    expect(window('s1', 'a1').loadedFiles).toHaveLength(1)
    hear('SubagentStop', { agentId: 'a1' })
    expect(window().loadedFiles).toEqual([])
    expect(await call('Bash', { command: 'ls' })).toHaveLength(1)
  })

  test('near a file that does not exist yet are found from its deepest existing folder', async () => {
    const { call } = workshop({ 'AGENTS.md': 'use tabs' })
    expect(await call('Write', { file_path: 'not/yet/there/x.ts' })).toHaveLength(1)
  })

  test('match the patterns of the effort', async () => {
    const { call, store, engine, commit } = workshop({ 'AGENTS.md': 'no', 'RULES.txt': 'yes', 'x.ts': '' })
    commit(() => store.work.updateEffort(1, { metadata: { settings: { directives: ['RULES.*'] } } }))
    engine.refresh()
    expect((await call(...read('x.ts'))).join()).toContain('yes')
  })
})

describe('hostile repositories', () => {
  test('a directive that links out of the project is ignored', async () => {
    const outside = tempDir()
    writeFileSync(join(outside, 'secret.md'), 'the key')
    mkdirSync(join(outside, 'dir'))
    writeFileSync(join(outside, 'dir/a.md'), 'the other key')
    const { call, found, root } = workshop({ 'x.ts': '' })
    symlinkSync(join(outside, 'secret.md'), join(root, 'AGENTS.md'))
    symlinkSync(join(outside, 'dir'), join(root, '.directives'))
    expect(await call(...read('x.ts'))).toEqual([])
    expect(found()).toEqual([])
  })

  test('a file outside the project, or behind a link out of it, is ignored', async () => {
    const outside = tempDir()
    writeFileSync(join(outside, 'AGENTS.md'), 'theirs')
    const { call, found, root } = workshop({ 'x.ts': '' })
    symlinkSync(outside, join(root, 'link'))
    for (const path of [join(outside, 'y.ts'), '../../../etc/passwd', 'link/y.ts', '/etc/passwd'])
      expect(await call(...read(path))).toEqual([])
    expect(found()).toEqual([])
  })

  test('a directive that becomes a link out of the project is forgotten', async () => {
    const outside = tempDir()
    writeFileSync(join(outside, 'secret.md'), 'the key')
    const { call, found, hear, root, settled, clock } = workshop({ 'AGENTS.md': 'use tabs', 'x.ts': '' })
    await call(...read('x.ts'))
    rmSync(join(root, 'AGENTS.md'))
    symlinkSync(join(outside, 'secret.md'), join(root, 'AGENTS.md'))
    clock.now += 60_000
    hear('SessionStart', { sessionId: 's2', source: 'startup' })
    await settled()
    expect(hear('UserPromptSubmit', { sessionId: 's2' }).context?.join()).not.toContain('the key')
    expect(found()).toEqual([])
  })

  test('a special or empty file is ignored; a pipe does not hang', async () => {
    const { call, root, put } = workshop({ 'x.ts': '', 'CLAUDE.md': '' })
    mkdirSync(join(root, 'AGENTS.md'))
    put('.directives/good.md', 'good')
    Bun.spawnSync(['mkfifo', join(root, '.directives/pipe.md')])
    expect((await call(...read('x.ts'))).map((words) => words.split('\n')[1])).toEqual(['good'])
  })

  test('secrets in a directive are redacted', async () => {
    const token = `ghp_${'a'.repeat(36)}`
    const { call } = workshop({ 'AGENTS.md': `use ${token} here`, 'x.ts': '' })
    expect((await call(...read('x.ts'))).join()).toContain('use [redacted] here')
  })

  test('at most a hundred are kept per effort', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) =>
        Array.from({ length: 12 }, (_, j) => [`d${i}/.directives/${j}.md`, 'x']),
      ).flat(),
    )
    const { call, found } = workshop({ ...files, 'x.ts': '' })
    for (let i = 0; i < 12; i++) await call(...read(`d${i}/x.ts`))
    expect(found()).toHaveLength(100)
  })
})

describe('what fits', () => {
  test('is given in order; the rest waits for the next call', async () => {
    const { call } = workshop({
      'AGENTS.md': 'a'.repeat(600),
      'src/AGENTS.md': 'b'.repeat(600),
      'src/x.ts': '',
    })
    const calls = [
      await call(...read('src/x.ts')),
      await call(...read('src/x.ts')),
      await call(...read('src/x.ts')),
    ]
    expect(calls.map((words) => words.map((one) => one.at(-1)))).toEqual([['a'], ['b'], []])
  })

  test('if a text never fits, it is named by its path', async () => {
    const { call, root, window } = workshop({ 'AGENTS.md': 'a'.repeat(5_000), 'x.ts': '' })
    expect(await call(...read('x.ts'))).toEqual([
      `Directives for what is below ${root} are in ${root}/AGENTS.md (5000 bytes). Read them before you continue.`,
    ])
    expect(window().loadedFiles).toHaveLength(1)
    const huge = workshop({ 'AGENTS.md': 'a'.repeat(100_000), 'x.ts': '' }, 1_000_000)
    expect((await huge.call(...read('x.ts'))).join()).toContain('(100000 bytes)')
  })
})

describe('a directive that changes', () => {
  test('is read again before the next window gets it', async () => {
    const { call, hear, put, settled, clock } = workshop({ 'AGENTS.md': 'old', 'x.ts': '' })
    await call(...read('x.ts'))
    const path = put('AGENTS.md', 'new')
    utimesSync(path, new Date(), new Date(Date.now() + 5_000))
    clock.now += 10_000
    hear('PreToolUse', { ...tool('Bash'), sessionId: 's2' })
    await settled()
    expect(hear('PostToolUse', { ...tool('Bash'), sessionId: 's2' }).context?.join()).toContain('new')
  })

  test('that appears is found a little later', async () => {
    const { call, put, clock } = workshop({ 'x.ts': '' })
    expect(await call(...read('x.ts'))).toEqual([])
    put('AGENTS.md', 'now')
    expect(await call(...read('x.ts'))).toEqual([])
    clock.now += 10_000
    expect((await call(...read('x.ts'))).join()).toContain('now')
  })

  test('that is deleted is removed from the list', async () => {
    const { call, found, root, clock, hear, settled } = workshop({ 'AGENTS.md': 'x', 'x.ts': '' })
    await call(...read('x.ts'))
    rmSync(join(root, 'AGENTS.md'))
    clock.now += 10_000
    hear('PreToolUse', { ...tool('Bash'), sessionId: 's2' })
    await settled()
    expect(found()).toEqual([])
  })
})

describe('a thousand events in one folder', () => {
  test('look at the disk once', async () => {
    const { hear, root, effort, clock, settled, store } = workshop({ 'AGENTS.md': 'x', 'x.ts': '' })
    let looked = 0
    const directives = new Directives({
      rows: store.work,
      commit: () => {
        looked += 1
      },
      rootsOf: () => [],
      budgetOf: () => 100,
      now: () => clock.now,
    })
    hear('UserPromptSubmit')
    await settled()
    const at = effort()
    const [project] = store.work.projects()
    if (!at || !project) throw new Error('no effort')
    for (let i = 0; i < 1_000; i++)
      directives.touch({ effort: at, project, agent: 'claude', cwd: root, patterns: ['AGENTS.md'] }, [root])
    await directives.settled()
    expect(looked).toBe(1)
  })
})

describe('what a call touches', () => {
  const PATCH = '*** Begin Patch\n*** Update File: e/x\n@@\n-a\n+b\n*** End Patch'
  const cases: [tool: string, input: unknown, folders: string[]][] = [
    ['Read', { file_path: '/p/src/a.ts' }, ['/p/src']],
    ['Edit', { file_path: 'src/a.ts' }, ['/p/src']],
    ['Write', { file_path: './a.ts' }, ['/p']],
    ['MultiEdit', { file_path: '/p/a', edits: [] }, ['/p']],
    ['NotebookEdit', { notebook_path: 'n/b.ipynb' }, ['/p/n']],
    ['Grep', { pattern: 'x', path: 'src' }, ['/p/src']],
    ['Grep', { pattern: 'x' }, ['/p']],
    ['Glob', { pattern: '*.ts', path: '/p/lib' }, ['/p/lib']],
    ['read_file', { file_path: 'hello.txt' }, ['/p']],
    ['replace', { file_path: 'a/b.txt' }, ['/p/a']],
    ['write_file', { file_path: '/p/c/d.txt' }, ['/p/c']],
    ['list_directory', { dir_path: 'x' }, ['/p/x']],
    [
      'apply_patch',
      {
        command:
          '*** Begin Patch\n*** Add File: a/new.txt\n+x\n*** Update File: b/old.txt\n*** Move to: c/old.txt\n',
      },
      ['/p/a', '/p/b', '/p/c'],
    ],
    [
      'Bash',
      { command: "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: d/x\n*** End Patch\nEOF" },
      ['/p/d'],
    ],
    // Codex may give the patch as it is, or the words of a command line.
    ['apply_patch', PATCH, ['/p/e']],
    ['apply_patch', { command: ['apply_patch', PATCH] }, ['/p/e']],
    ['apply_patch', ['apply_patch', PATCH], ['/p/e']],
    ['shell', { command: ['apply_patch', PATCH] }, ['/p/e']],
    ['patch', { patchText: PATCH }, ['/p/e']],
    ['mcp__filesystem__write_file', { path: 'f/x', content: 'x' }, ['/p/f']],
    ['mcp__github__create_or_update_file', { repo: 'r', path: 'f/x', content: 'x' }, []],
    ['Bash', { command: 'cat src/a.ts' }, []],
    ['Bash', { command: `echo ${PATCH}` }, []],
    ['Read', { file_path: 7 }, []],
    ['Read', { file_path: 'a\0b' }, []],
    ['Read', null, []],
    ['constructor', { path: 'x' }, []],
  ]
  for (const [name, input, folders] of cases)
    test(`${name} ${JSON.stringify(input).slice(0, 60)}`, () =>
      expect([...touchedFolders({ name, input }, '/p')]).toEqual(folders))

  test('of a huge patch in a shell only the beginning is read', () => {
    const command = `apply_patch <<'P'\n*** Add File: a/x\n${'+\n'.repeat(200_000)}*** Add File: b/x\nP`
    expect(touchedFolders({ name: 'Bash', input: { command } }, '/p')).toEqual(['/p/a'])
  })

  test('without a folder is nothing', () => {
    expect(touchedFolders({ name: 'Read', input: { file_path: 'a' } }, 'relative')).toEqual([])
  })
})
