import { expect, test } from 'bun:test'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { silentLog, tempDir } from '../../../test/kit.ts'
import { Policy } from './index.ts'
import { RuleFiles } from './rule-files.ts'

const RULE = 'rules: [{ id: a, on: Stop, decision: deny }]\n'

test('a file that cannot be read whole is told of, and the last good rules stay', async () => {
  const dir = join(tempDir(), 'rules')
  const policy = new Policy()
  const files = new RuleFiles(dir, policy, silentLog(), () => 'key')
  expect(files.isEmpty).toBe(true)
  writeFileSync(join(dir, 'a.yaml'), RULE)
  await files.load()
  expect([files.isEmpty, files.problem, policy.rules.length]).toEqual([false, undefined, 1])

  const pipe = join(tempDir(), 'pipe')
  expect(Bun.spawnSync(['mkfifo', pipe]).success).toBe(true)
  const other = join(dir, 'b.yaml')
  const bad: [string, () => void][] = [
    ['too long', () => writeFileSync(other, `${RULE}#${'x'.repeat(1024 * 1024)}`)],
    ['a pipe, for which a reader would wait', () => symlinkSync(pipe, other)],
    ['a link to nothing', () => symlinkSync('/nonexistent', other)],
  ]
  for (const [what, make] of bad) {
    make()
    await files.load()
    expect([what, files.problem, policy.rules.length]).toEqual([what, expect.stringContaining('b.yaml'), 1])
    rmSync(other)
  }
  await files.load()
  expect(files.problem).toBeUndefined()
})

test('a broken file keeps its last good rules, also over a restart, and the other files follow their text', async () => {
  const dir = join(tempDir(), 'rules')
  const kept = join(tempDir(), 'last-rules.json')
  const open = () => {
    const policy = new Policy()
    return { policy, files: new RuleFiles(dir, policy, silentLog(), () => 'key', kept) }
  }
  const ids = ({ rules }: Policy) => rules.map(({ id }) => id)
  const rule = (id: string) => `rules: [{ id: ${id}, on: Stop, decision: deny }]\n`
  const first = open()
  writeFileSync(join(dir, 'a.yaml'), rule('a'))
  writeFileSync(join(dir, 'b.yaml'), rule('b'))
  await first.files.load()

  writeFileSync(join(dir, 'a.yaml'), 'rules: [{')
  writeFileSync(join(dir, 'b.yaml'), rule('c'))
  await first.files.load()
  expect([ids(first.policy), first.files.problem]).toEqual([['a', 'c'], expect.stringContaining('a.yaml')])

  const second = open()
  await second.files.load()
  expect([ids(second.policy), second.files.problem]).toEqual([['a', 'c'], expect.stringContaining('a.yaml')])

  writeFileSync(join(dir, 'b.yaml'), rule('a')) // which the first file has
  await second.files.load()
  expect([ids(second.policy), second.files.problem]).toEqual([['a', 'c'], expect.stringContaining('b.yaml')])

  rmSync(join(dir, 'a.yaml'))
  rmSync(join(dir, 'b.yaml'))
  await second.files.load()
  const third = open()
  await third.files.load()
  expect([ids(third.policy), third.files.problem]).toEqual([[], undefined])
})
