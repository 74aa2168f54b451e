import { describe, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../../test/kit.ts'
import { dehydrationSchema } from '../../rpc/calls/index.ts'
import type { EffortRow } from '../../store/index.ts'
import { bench } from '../testkit.ts'
import { artifactBlock, artifactsOf, readFiles, recoveryBlock, recoveryFor } from './recovery.ts'

const effortIn = (taskId: string, ordinal = 1) =>
  ({ id: 7, taskId, ordinal, skill: 'implement', currentPhase: 'build' }) as EffortRow

const payload = { task: 'Search', decisions: ['FTS5'], files: ['src/a.ts'], nextSteps: ['rank'] }

describe('a dehydration payload', () => {
  test('is a task and next steps; the rest is optional', () => {
    expect(dehydrationSchema.parse({ task: 'x', nextSteps: ['y'] })).toEqual({
      task: 'x',
      decisions: [],
      files: [],
      nextSteps: ['y'],
    })
  })

  const wrong: Record<string, unknown> = {
    'no task': { nextSteps: ['y'] },
    'an empty task': { task: '', nextSteps: ['y'] },
    'nothing to do next': { task: 'x', nextSteps: [] },
    'another field': { ...payload, secret: 1 },
    'a list of something else': { ...payload, files: [1] },
    'a task that is a whole book': { ...payload, task: 'x'.repeat(4_001) },
    'too many files': { ...payload, files: Array(201).fill('f') },
    'a long step': { ...payload, nextSteps: ['x'.repeat(2_001)] },
    'long notes': { ...payload, notes: 'x'.repeat(20_001) },
  }
  for (const [name, value] of Object.entries(wrong))
    test(`${name} is refused`, () => expect(dehydrationSchema.safeParse(value).success).toBe(false))

  test('reaches the next window in full', () => {
    const block = recoveryBlock(effortIn('/none'), JSON.stringify({ ...payload, notes: 'mind the gap' }))
    for (const part of [
      'effort 7',
      'phase build',
      'Search',
      '- FTS5',
      '- src/a.ts',
      '- rank',
      'mind the gap',
    ])
      expect(block).toContain(part)
  })

  test('in an older gantry’s format is given as it is', () => {
    expect(recoveryBlock(effortIn('/none'), 'plain words')).toContain('plain words')
    expect(recoveryBlock(effortIn('/none'), '{"old":true}')).toContain('{"old":true}')
  })
})

describe('files of an effort', () => {
  test('start with its ordinal, and are sorted by name', () => {
    const dir = tempDir()
    for (const name of [
      '1_B_LOG.md',
      '1_A.md',
      '10_OTHER.md',
      '2_X.md',
      'README.md',
      '1_PLAN_10.md',
      '1_PLAN_9.md',
    ])
      writeFileSync(join(dir, name), name)
    mkdirSync(join(dir, '1_folder'))
    symlinkSync('/etc/passwd', join(dir, '1_link.md'))
    symlinkSync('/nowhere', join(dir, '1_dangling.md'))
    expect(artifactsOf(effortIn(dir)).map(({ name }) => name)).toEqual([
      '1_A.md',
      '1_B_LOG.md',
      '1_PLAN_9.md',
      '1_PLAN_10.md',
    ])
    expect(artifactsOf(effortIn(dir, 10)).map(({ name }) => name)).toEqual(['10_OTHER.md'])
    expect(artifactsOf(effortIn(join(dir, 'none')))).toEqual([])
  })

  test('go to a window without a payload: their ends, as far as they fit', () => {
    const dir = tempDir()
    writeFileSync(join(dir, '1_LOG.md'), `${'old '.repeat(10_000)}the last thing`)
    for (let i = 0; i < 9; i++) writeFileSync(join(dir, `1_PART_${i}.md`), 'x'.repeat(12_000))
    const block = artifactBlock(effortIn(dir), artifactsOf(effortIn(dir)))
    expect(block).toContain('the last thing')
    expect(block.length).toBeLessThan(45_000)
    expect(block).toContain(`1_PART_8.md: read it at ${join(dir, '1_PART_8.md')}`)
  })

  test('come second to the last window’s payload', () => {
    const { begin, hear, commit, store, window } = bench()
    const effort = begin()
    hear('UserPromptSubmit')
    const words = () => recoveryFor(store.work, effort, window(), readFiles(effort))?.words
    expect(words()).toBeNull()
    mkdirSync(effort.taskId, { recursive: true })
    writeFileSync(join(effort.taskId, '1_LOG.md'), 'from the file')
    expect(words()).toContain('from the file')
    commit(() => store.work.updateSession(window().id, { dehydrationPayload: JSON.stringify(payload) }))
    expect(words()).toContain('Search')
    expect(words()).not.toContain('from the file')
  })
})
