import { describe, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { tempDir } from '../../test/kit.ts'
import { placeOf } from './identity.ts'

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

describe('where a session works', () => {
  test('a real repository, a folder in it, a branch, a worktree, a detached head', () => {
    const root = join(tempDir(), 'acme')
    mkdirSync(join(root, 'src/deep'), { recursive: true })
    git(root, 'init', '-q', '-b', 'main')
    git(root, 'commit', '-q', '--allow-empty', '-m', 'x')
    expect(placeOf(join(root, 'src/deep'), 0)).toEqual({
      host: hostname(),
      project: 'acme',
      root,
      branch: 'main',
    })
    git(root, 'worktree', 'add', '-q', '-b', 'fix/one', '../acme-fix')
    const linked = join(root, '../acme-fix')
    expect(placeOf(linked, 0)).toMatchObject({ project: 'acme', branch: 'fix/one', worktree: 'acme-fix' })
    git(root, 'checkout', '-q', '--detach')
    expect(placeOf(root, 9999).branch).toMatch(/^[0-9a-f]{12}$/)
  })

  test('what is no path to anywhere is no place', () => {
    for (const cwd of ['/a/\0/b', `/${'x'.repeat(10_000)}`, `/${'deep/'.repeat(5_000)}`])
      expect(placeOf(cwd, 0)).not.toHaveProperty('root')
  })

  test('no repository, no folder, nothing that is a path', () => {
    const dir = tempDir()
    expect(placeOf(dir, 0).branch).toBeUndefined()
    expect(placeOf('/nonexistent/here', 0).project).toBe('here')
    expect(placeOf('relative', 0)).toEqual({ host: hostname() })
    expect(placeOf(undefined, 0)).toEqual({ host: hostname() })
  })

  test('a hostile .git is read as nothing', () => {
    const dir = tempDir()
    mkdirSync(join(dir, 'loop'))
    writeFileSync(join(dir, 'loop/.git'), 'gitdir: /dev/zero\n')
    expect(placeOf(join(dir, 'loop'), 0).branch).toBeUndefined()
    mkdirSync(join(dir, 'big/.git'), { recursive: true })
    writeFileSync(join(dir, 'big/.git/HEAD'), 'ref: refs/heads/x'.repeat(1000))
    expect(placeOf(join(dir, 'big'), 0).branch).toBeUndefined()
    mkdirSync(join(dir, 'link'))
    symlinkSync('/dev/zero', join(dir, 'link/.git'))
    expect(placeOf(join(dir, 'link'), 0).branch).toBeUndefined()
  })
})
