import { expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../../test/kit.ts'
import { LocalFolders } from './local-folders.ts'

test('a path is local by the mount that its links lead to, and nothing beyond a remote mount is touched', () => {
  const dir = tempDir()
  for (const name of ['disk', 'my net/deep', 'disk/again']) mkdirSync(join(dir, name), { recursive: true })
  symlinkSync('../my net/deep', join(dir, 'disk/out'))
  symlinkSync('again', join(dir, 'disk/in'))
  symlinkSync(join(dir, 'disk/out'), join(dir, 'disk/far'))
  symlinkSync('round', join(dir, 'disk/round'))
  const table = join(dir, 'mountinfo')
  writeFileSync(
    table,
    [
      '27 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw',
      `31 27 0:40 / ${dir}/my\\040net rw - nfs4 server:/x rw`,
      `32 31 0:41 / ${dir}/my\\040net/deep/here rw - tmpfs tmpfs rw`,
      '',
    ].join('\n'),
  )
  const local = new LocalFolders(table)
  const has = (...names: string[]) => names.map((name) => local.has(join(dir, name)))
  expect(has('disk', 'disk/again', 'disk/in', 'disk/in/new/file')).toEqual([true, true, true, true])
  expect(has('my net', 'my net/deep', 'disk/out', 'disk/far', 'disk/far/x')).toEqual(Array(5).fill(false))
  expect(has('my net/deep/here')).toEqual([false]) // the path leads across the network
  expect(has('disk/../my net', 'disk/round')).toEqual([false, false])
  expect([local.has('relative'), local.has(`/${'a/'.repeat(100_000)}`)]).toEqual([false, false])
})

test('without a mount table nothing is local', () => {
  expect(new LocalFolders('/nonexistent').has('/')).toBe(false)
})
