import { afterAll, expect, test } from 'bun:test'
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gantry, tempDir } from '../../../test/kit.ts'
import { places } from '../../core/files/paths.ts'
import { parentFindings } from './parents.ts'

const root = tempDir()
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A home for gantry two folders below one of this mode. */
function below(name: string, mode: number) {
  const open = join(root, name)
  mkdirSync(join(open, 'inner'), { recursive: true, mode: 0o755 })
  chmodSync(open, mode)
  return { open, at: places({}, join(open, 'inner/home')) }
}

test('a world-writable parent is named with the fix, also before gantry has a folder', () => {
  const { open, at } = below('open', 0o777)
  const found = parentFindings(at)
  expect(found).toMatchObject([{ level: 'warn', about: 'folders', fix: `chmod o-w '${open}'` }])
  expect(found[0]?.message).toContain('lets everybody write')
  mkdirSync(at.state, { recursive: true })
  expect(parentFindings(at)).toEqual(found)
})

test('a sticky one, such as /tmp, and a private one are fine', () => {
  expect(parentFindings(below('sticky', 0o1777).at)).toEqual([])
  expect(parentFindings(below('private', 0o700).at)).toEqual([])
})

test('the target of a link counts', () => {
  const { open } = below('target', 0o777)
  symlinkSync(join(open, 'inner'), join(root, 'link'))
  expect(parentFindings(places({}, join(root, 'link/home')))).toMatchObject([{ fix: `chmod o-w '${open}'` }])
})

test.skipIf(process.getuid?.() !== 0)('one that belongs to somebody else is named', () => {
  const { open, at } = below('theirs', 0o755)
  chownSync(open, 65534, 65534)
  expect(parentFindings(at)[0]?.message).toContain(
    `${open} is above gantry's folders and belongs to another user`,
  )
})

test('gantry doctor has the line', async () => {
  const { open, at } = below('whole', 0o777)
  mkdirSync(at.state, { recursive: true, mode: 0o700 })
  const { stdout } = await gantry(at, 'doctor')
  expect(stdout).toContain(`! folders  ${open} is above gantry's folders and lets everybody write`)
})
