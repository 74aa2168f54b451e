import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { cpuMsOf, tempDir } from '../../test/kit.ts'
import { lastOf, parseGitConfig } from './git-config.ts'

const value = (text: string) => lastOf(parseGitConfig(`[a]\n${text}`), 'a', 'k')

test('reads the same values as git', () => {
  expect(value('k = v')).toBe('v')
  expect(value('  K=v # comment')).toBe('v')
  expect(value('k = "a # b" ; c')).toBe('a # b')
  expect(value('k = one \\\n  two')).toBe('one   two')
  expect(value('k = a\\\\b\\tc\\"d')).toBe('a\\b\tc"d')
  expect(value('k')).toBe('true')
  expect(value('k =')).toBe('')
  expect(value('k = v\nk = w')).toBe('w')
  expect(value('# k = v')).toBeUndefined()
  const entries = parseGitConfig('[remote "Up \\"Stream\\""] url = x\n[remote.origin]\nurl=y\n[core] bare')
  expect(entries.map(({ section, sub, key, value }) => [section, sub, key, value])).toEqual([
    ['remote', 'Up "Stream"', 'url', 'x'],
    ['remote', 'origin', 'url', 'y'],
    ['core', '', 'bare', 'true'],
  ])
})

test('agrees with git on values of arbitrary characters', async () => {
  const file = `${tempDir()}/config`
  const letters = fc.string({ unit: fc.constantFrom(...'ab "\\#;=\t.é'.split('')), maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(letters, async (text) => {
      await Bun.write(file, '')
      const set = Bun.spawnSync(['git', 'config', '--file', file, 'a.k', text])
      if (set.exitCode !== 0) return
      const asked = Bun.spawnSync(['git', 'config', '--file', file, 'a.k'])
      expect(lastOf(parseGitConfig(await Bun.file(file).text()), 'a', 'k') ?? '').toBe(
        asked.stdout.toString().replace(/\n$/, ''),
      )
    }),
    { numRuns: 40 },
  )
})

test('junk does not throw and takes no time', () => {
  const texts = [
    '\\'.repeat(60_000),
    '['.repeat(60_000),
    `[a "${'\\"'.repeat(30_000)}`,
    '\0\n[',
    '"'.repeat(60_000),
  ]
  const parseAll = () => {
    for (const text of texts) expect(parseGitConfig(`${text}x\n[ok]\nk=v`)).toBeArray()
  }
  expect(cpuMsOf(parseAll)).toBeLessThan(500)
})
