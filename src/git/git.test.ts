/** Git contexts of real repositories, read from files and compared with git itself. */
import { afterAll, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { tempDir, until } from '../../test/kit.ts'
import { Git } from './git.ts'
import { withoutCredentials } from './identity.ts'

const home = tempDir()
const ENV = { PATH: process.env.PATH ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' }
const opened: Git[] = []
afterAll(() => {
  for (const one of opened) one.close()
})

writeFileSync(
  join(home, '.gitconfig'),
  '[user]\nname = Ada\nemail = ada@home.example\n[init]\ndefaultBranch = main\n',
)

function git(cwd: string, ...args: string[]): string {
  const ran = Bun.spawnSync(['git', ...args], { cwd, env: ENV })
  if (ran.exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${ran.stderr.toString()}`)
  return ran.stdout.toString().trim()
}

function repository(): string {
  const dir = join(tempDir(), 'acme')
  mkdirSync(dir)
  git(dir, 'init', '-q')
  writeFileSync(join(dir, 'a.txt'), 'a\n')
  git(dir, 'add', '.')
  git(dir, 'commit', '-qm', 'first')
  return dir
}

function reader(options: { asksGit?: boolean; now?: () => number; home?: string } = {}): Git {
  const { asksGit = true, now, home: at = home } = options
  const made = new Git({
    env: ENV,
    places: { home: at, system: '/nowhere' },
    asksGit: () => asksGit,
    ...(now ? { now } : {}),
  })
  opened.push(made)
  return made
}

async function contextOf(dir: string, from = reader()) {
  await from.look([dir], 5_000)
  return from.get(dir)
}

describe('a repository', () => {
  test('reports user, remote, branch, commit and dirty as git does', async () => {
    const dir = repository()
    git(dir, 'remote', 'add', 'origin', 'https://ada:secret@git.example/acme/app.git?x=1')
    git(dir, 'checkout', '-qb', 'feature/one')
    mkdirSync(join(dir, 'deep/er'), { recursive: true })
    expect(await contextOf(join(dir, 'deep/er'))).toMatchObject({
      root: dir,
      facts: {
        user: 'Ada',
        email: 'ada@home.example',
        repo: 'https://git.example/acme/app.git',
        branch: 'feature/one',
        commit: git(dir, 'rev-parse', 'HEAD'),
        dirty: false,
      },
    })
  })

  test.each([
    ['a changed file', (dir: string) => appendFileSync(join(dir, 'a.txt'), 'more')],
    ['a new file', (dir: string) => writeFileSync(join(dir, 'new.txt'), '')],
    [
      'a staged file',
      (dir: string) => {
        writeFileSync(join(dir, 'new.txt'), '')
        git(dir, 'add', '.')
      },
    ],
    ['a removed file', (dir: string) => rmSync(join(dir, 'a.txt'))],
  ])('%s makes it dirty', async (_what, change) => {
    const dir = repository()
    change(dir)
    expect((await contextOf(dir))?.facts.dirty).toBe(true)
  })

  test('handles packed refs, a detached head, an unborn branch and a local user name', async () => {
    const dir = repository()
    git(dir, 'pack-refs', '--all')
    git(dir, 'gc', '-q')
    const commit = git(dir, 'rev-parse', 'HEAD')
    expect((await contextOf(dir))?.facts).toMatchObject({ branch: 'main', commit, repo: 'acme' })
    git(dir, 'checkout', '-q', '--detach')
    expect((await contextOf(dir))?.facts).toMatchObject({ branch: 'HEAD', commit })
    const empty = tempDir()
    git(empty, 'init', '-q')
    const fresh = (await contextOf(empty))?.facts
    expect(fresh?.branch).toBe('main')
    expect(fresh?.commit).toBeUndefined()
  })

  test('prefers its own user name, and an include may depend on the folder', async () => {
    const at = tempDir()
    const work = join(at, 'work')
    mkdirSync(work)
    writeFileSync(join(at, 'work.inc'), '[user]\nemail = ada@work.example\n')
    writeFileSync(
      join(at, '.gitconfig'),
      '[user]\nname = Ada\nemail = ada@home.example\n[includeIf "gitdir:~/work/"]\npath = work.inc\n',
    )
    const inside = join(work, 'one')
    mkdirSync(inside)
    git(inside, 'init', '-q')
    const outside = join(at, 'other')
    mkdirSync(outside)
    git(outside, 'init', '-q')
    const from = reader({ home: at })
    expect((await contextOf(inside, from))?.facts.email).toBe('ada@work.example')
    expect((await contextOf(outside, from))?.facts.email).toBe('ada@home.example')
    git(outside, 'config', 'user.email', 'own@example')
    expect((await contextOf(outside, reader({ home: at })))?.facts.email).toBe('own@example')
  })

  test('a worktree has its own branch, head and dirty state', async () => {
    const dir = repository()
    git(dir, 'remote', 'add', 'origin', 'git@git.example:acme/app.git')
    const tree = join(tempDir(), 'tree')
    git(dir, 'worktree', 'add', '-qb', 'side', tree)
    writeFileSync(join(tree, 'b.txt'), 'b')
    git(tree, 'add', '.')
    git(tree, 'commit', '-qm', 'second')
    writeFileSync(join(tree, 'c.txt'), 'c')
    const from = reader()
    expect(await contextOf(tree, from)).toMatchObject({
      root: tree,
      facts: {
        branch: 'side',
        commit: git(tree, 'rev-parse', 'HEAD'),
        dirty: true,
        repo: 'git@git.example:acme/app.git',
      },
    })
    expect((await contextOf(dir, from))?.facts).toMatchObject({ branch: 'main', dirty: false })
  })

  test('a folder outside of repositories has no git context, nor has a missing one', async () => {
    expect(await contextOf(tempDir())).toBeUndefined()
    expect(await contextOf('/no/such/folder')).toBeUndefined()
    expect(await contextOf('relative')).toBeUndefined()
  })
})

describe('git is run rarely', () => {
  test('a thousand lookups in a moment run it once', async () => {
    const dir = repository()
    const from = reader()
    await contextOf(dir, from)
    for (let i = 0; i < 1_000; i++) await from.look([dir], 0)
    expect(from.status.runs).toBe(1)
  })

  test('an old answer is asked for again and not used meanwhile', async () => {
    const dir = repository()
    let now = Date.now()
    const from = reader({ now: () => now })
    expect((await contextOf(dir, from))?.facts.dirty).toBe(false)
    writeFileSync(join(dir, 'new'), '')
    now += 60_000
    await from.look([dir], 0)
    expect(from.get(dir)?.facts.dirty).toBeUndefined()
    await until(() => from.status.runs === 2, 'git being asked again')
  })

  test('git never runs when disabled', async () => {
    const dir = repository()
    const from = reader({ asksGit: false })
    const found = await contextOf(dir, from)
    expect(found?.facts.dirty).toBeUndefined()
    expect(found?.facts.branch).toBe('main')
    expect(from.status.runs).toBe(0)
  })
})

describe('a hostile repository', () => {
  /** Creates a marker file if it is run. */
  function trap(): { script: string; sprung: () => boolean } {
    const dir = tempDir()
    const script = join(dir, 'trap.sh')
    writeFileSync(script, `#!/bin/sh\ntouch '${dir}/sprung'\ncat\n`)
    chmodSync(script, 0o755)
    return { script, sprung: () => existsSync(join(dir, 'sprung')) }
  }

  const TRAPS: [what: string, set: (dir: string, script: string) => void][] = [
    ['a file system monitor', (dir, script) => git(dir, 'config', 'core.fsmonitor', script)],
    [
      'a hook that follows when the index is refreshed',
      (dir, script) => {
        const hook = join(dir, '.git/hooks/post-index-change')
        mkdirSync(join(dir, '.git/hooks'), { recursive: true })
        writeFileSync(hook, `#!/bin/sh\nexec ${script} </dev/null\n`, { mode: 0o755 })
        utimesSync(join(dir, 'a.txt'), 1_000, 1_000)
      },
    ],
    [
      'a fetch of an object that is missing',
      (dir, script) => {
        git(dir, 'config', 'core.sshCommand', `${script} </dev/null; false;`)
        git(dir, 'config', 'remote.origin.url', 'ssh://host/x')
        git(dir, 'config', 'remote.origin.promisor', 'true')
        git(dir, 'config', 'extensions.partialClone', 'origin')
        const tree = git(dir, 'rev-parse', 'HEAD^{tree}')
        rmSync(join(dir, '.git/objects', tree.slice(0, 2), tree.slice(2)))
      },
    ],
    [
      'a filter of a submodule',
      (dir, script) => {
        git(dir, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repository(), 'sub')
        git(dir, 'commit', '-qm', 'sub')
        git(join(dir, 'sub'), 'config', 'filter.x.clean', script)
        writeFileSync(join(dir, '.git/modules/sub/info/attributes'), '* filter=x\n')
        utimesSync(join(dir, 'sub/a.txt'), 1_000, 1_000)
      },
    ],
  ]

  test.each(TRAPS)('%s runs nothing here, but does with plain git', async (_what, set) => {
    const { script, sprung } = trap()
    const dir = repository()
    set(dir, script)
    const from = reader()
    await contextOf(dir, from)
    expect(from.status.runs).toBe(1)
    expect(sprung()).toBe(false)
    Bun.spawnSync(['git', 'status'], { cwd: dir, env: ENV, stdin: 'ignore' })
    expect(sprung()).toBe(true)
  })

  test('programs that other git commands would run and objects of another repository have no effect', async () => {
    const { script, sprung } = trap()
    const dir = repository()
    const other = repository()
    for (const name of [
      'core.pager',
      'diff.external',
      'diff.x.textconv',
      'diff.x.command',
      'gpg.program',
      'core.askPass',
    ])
      git(dir, 'config', name, script)
    writeFileSync(join(dir, '.git/info/attributes'), '* diff=x\n')
    writeFileSync(join(dir, '.git/objects/info/alternates'), `${other}/.git/objects\n/dev\n`)
    writeFileSync(join(dir, 'a.txt'), 'changed\n')
    expect((await contextOf(dir))?.facts).toMatchObject({ branch: 'main', dirty: true })
    expect(sprung()).toBe(false)
  })

  test.each([
    ['a filter', (dir: string, script: string) => git(dir, 'config', 'filter.x.clean', script)],
    [
      'a filter behind an include',
      (dir: string, script: string) => {
        writeFileSync(join(dir, '.git/more'), `[filter "x"]\nclean = ${script}\n`)
        git(dir, 'config', 'include.path', 'more')
      },
    ],
  ])('git is not run where the configuration has %s', async (_what, set) => {
    const { script, sprung } = trap()
    const dir = repository()
    writeFileSync(join(dir, '.gitattributes'), '* filter=x\n')
    set(dir, script)
    writeFileSync(join(dir, 'a.txt'), 'b\n')
    const from = reader()
    const found = await contextOf(dir, from)
    expect(from.status.runs).toBe(0)
    expect(found?.facts.branch).toBe('main')
    expect(found?.facts.dirty).toBeUndefined()
    expect(sprung()).toBe(false)
    Bun.spawnSync(['git', 'status'], { cwd: dir, env: ENV })
    expect(sprung()).toBe(true)
  })

  test('a repository that blocks git is given up and left alone for a while', async () => {
    const dir = repository()
    rmSync(join(dir, '.git/info/exclude'))
    Bun.spawnSync(['mkfifo', join(dir, '.git/info/exclude')])
    let now = Date.now()
    const from = reader({ now: () => now })
    const began = performance.now()
    await from.look([dir], 10_000)
    expect(performance.now() - began).toBeLessThan(9_500)
    expect(from.get(dir)?.facts).toMatchObject({ branch: 'main' })
    expect(from.get(dir)?.facts.dirty).toBeUndefined()
    now += 60_000
    await from.look([dir], 1_000)
    expect(from.status.runs).toBe(1)
    const index = repository()
    rmSync(join(index, '.git/index'))
    Bun.spawnSync(['mkfifo', join(index, '.git/index')])
    const other = reader()
    await other.look([index], 1_000)
    expect(other.status.runs).toBe(0)
  }, 120_000)

  test('endless files, pipes and refs that lead outside yield nothing', async () => {
    const dir = join(tempDir(), 'evil')
    mkdirSync(join(dir, '.git'), { recursive: true })
    Bun.spawnSync(['mkfifo', join(dir, '.git/HEAD')])
    symlinkSync('/dev/zero', join(dir, '.git/config'))
    expect((await contextOf(dir))?.facts).toEqual({ user: 'Ada', email: 'ada@home.example', repo: 'evil' })
    const out = join(tempDir(), 'out')
    mkdirSync(join(out, '.git'), { recursive: true })
    writeFileSync(join(out, '.git/HEAD'), 'ref: refs/heads/../../../../etc/passwd\n')
    expect((await contextOf(out))?.facts.branch).toBeUndefined()
    const loop = join(tempDir(), 'loop')
    mkdirSync(join(loop, '.git/refs/heads'), { recursive: true })
    writeFileSync(join(loop, '.git/HEAD'), 'ref: refs/heads/a\n')
    writeFileSync(join(loop, '.git/refs/heads/a'), 'ref: refs/heads/a\n')
    expect((await contextOf(loop))?.facts.commit).toBeUndefined()
    writeFileSync(join(dir, '../.git'), 'gitdir: /dev/zero\n')
    expect(await contextOf(join(dir, '..'))).toBeDefined()
  })
})

test('credentials are removed from a URL', () => {
  expect(withoutCredentials('https://token@git.example/a.git')).toBe('https://git.example/a.git')
  expect(withoutCredentials('https://u:p@git.example:8443/a')).toBe('https://git.example:8443/a')
  expect(withoutCredentials('ssh://git:pw@git.example/a')).toBe('ssh://git@git.example/a')
  expect(withoutCredentials('git@git.example:a/b.git')).toBe('git@git.example:a/b.git')
  expect(withoutCredentials('/srv/git/a.git')).toBe('/srv/git/a.git')
  const token = `ghp_${'a'.repeat(36)}`
  expect(withoutCredentials(`https://git.example/${token}/a`)).not.toContain(token)
})
