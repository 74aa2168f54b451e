import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { tempDir } from '../../test/kit.ts'
import { Git } from './git.ts'

let now = 0
const moved: string[] = []
const reader = new Git({
  env: {},
  places: { home: tempDir() },
  asksGit: () => false,
  now: () => now,
})
reader.onMoved((cwd) => moved.push(cwd))
afterAll(() => reader.close())

async function placeOf(cwd: string | undefined) {
  now += 10_000
  await reader.see([cwd])
  return reader.locationOf(cwd)
}

const git = (cwd: string, ...args: string[]) => {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: cwd,
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b',
  }
  const done = Bun.spawnSync(['git', ...args], { cwd, env })
  if (!done.success) throw new Error(done.stderr.toString())
}

function repository(): string {
  const root = join(tempDir(), 'acme')
  mkdirSync(join(root, 'src/deep'), { recursive: true })
  git(root, 'init', '-q', '-b', 'main')
  git(root, 'commit', '-q', '--allow-empty', '-m', 'x')
  return root
}

describe('the location of a session', () => {
  test('is known for a repository, a subfolder, a branch, a worktree and a detached head', async () => {
    const root = repository()
    expect(await placeOf(join(root, 'src/deep'))).toEqual({
      host: hostname(),
      project: 'acme',
      root,
      branch: 'main',
    })
    git(root, 'worktree', 'add', '-q', '-b', 'fix/one', '../acme-fix')
    const linked = join(root, '../acme-fix')
    expect(await placeOf(linked)).toMatchObject({ project: 'acme', branch: 'fix/one', worktree: 'acme-fix' })
    expect(reader.rootsOf(linked)).toEqual([linked, root])
    git(root, 'checkout', '-q', '--detach')
    expect((await placeOf(root)).branch).toMatch(/^[0-9a-f]{12}$/)
  })

  test('is the last known one without waiting, and a change is reported', async () => {
    const root = repository()
    moved.length = 0
    expect(reader.locationOf(root)).toEqual({ host: hostname(), project: 'acme' })
    await Bun.sleep(0)
    expect(moved).toEqual([root])
    expect(reader.locationOf(root).branch).toBe('main')
    await placeOf(root)
    git(root, 'checkout', '-q', '-b', 'other')
    now += 10_000
    expect(reader.locationOf(root).branch).toBe('main')
    await Bun.sleep(0)
    expect(reader.locationOf(root).branch).toBe('other')
    expect(moved).toEqual([root, root])
  })

  test('is read before the next turn of the event loop on a local disk', async () => {
    const root = repository()
    await new Promise<void>((resolve) => {
      setImmediate(() => {
        expect(reader.locationOf(root).branch).toBe('main')
        resolve()
      })
      reader.locationOf(root)
    })
  })

  test('is empty for a value that is not a path', async () => {
    for (const cwd of ['/a/\0/b', `/${'x'.repeat(10_000)}`, `/${'deep/'.repeat(5_000)}`])
      expect(await placeOf(cwd)).not.toHaveProperty('root')
  })

  test('is only the folder without a repository, and nothing without a path', async () => {
    expect((await placeOf('/nonexistent/here')).project).toBe('here')
    expect(await placeOf('relative')).toEqual({ host: hostname() })
    expect(await placeOf(undefined)).toEqual({ host: hostname() })
  })

  test('ignores a hostile .git', async () => {
    const dir = tempDir()
    mkdirSync(join(dir, 'loop'))
    writeFileSync(join(dir, 'loop/.git'), 'gitdir: /dev/zero\n')
    expect((await placeOf(join(dir, 'loop'))).branch).toBeUndefined()
    mkdirSync(join(dir, 'big/.git'), { recursive: true })
    writeFileSync(join(dir, 'big/.git/HEAD'), 'ref: refs/heads/x'.repeat(1000))
    expect((await placeOf(join(dir, 'big'))).branch).toBeUndefined()
    mkdirSync(join(dir, 'link'))
    symlinkSync('/dev/zero', join(dir, 'link/.git'))
    expect((await placeOf(join(dir, 'link'))).branch).toBeUndefined()
  })
})
