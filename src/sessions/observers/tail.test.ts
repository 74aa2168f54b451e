import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { appendFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir, until } from '../../../test/kit.ts'
import { type Tail, tail } from './tail.ts'

describe('a followed file', () => {
  let dir: string
  let path: string
  let lines: string[]
  let followed: Tail | undefined

  beforeEach(() => {
    dir = tempDir()
    path = join(dir, 'events.jsonl')
    lines = []
    writeFileSync(path, 'one\ntwo\n')
    const onLine = (line: string) => void lines.push(line)
    followed = tail(path, [dir], onLine, (takeUp) => {
      lines.push('--')
      takeUp()
    })
  })
  afterEach(() => followed?.close())

  const replace = (text: string) => {
    writeFileSync(`${path}.tmp`, text)
    renameSync(`${path}.tmp`, path)
  }

  test('reports its lines and new ones', async () => {
    appendFileSync(path, 'three\nfo')
    await until(() => lines.length === 3, 'the third line')
    appendFileSync(path, 'ur\n')
    await until(() => lines.length === 4, 'the fourth line')
    expect(lines).toEqual(['one', 'two', 'three', 'four'])
  })

  test('is followed to a replacement, more than once', async () => {
    appendFileSync(path, 'three\n')
    await until(() => lines.includes('three'), 'the third line')
    replace('one\n')
    await until(() => lines.length === 5, 'the new file')
    appendFileSync(path, 'four\n')
    await until(() => lines.includes('four'), 'its next line')
    replace('other\n')
    await until(() => lines.includes('other'), 'the third file')
    expect(lines).toEqual(['one', 'two', 'three', '--', 'one', 'four', '--', 'other'])
  })

  test('is found again if its replacement could not be opened at first', async () => {
    symlinkSync('/etc/hostname', `${path}.tmp`)
    renameSync(`${path}.tmp`, path)
    await until(() => followed?.isLost, 'it is lost')
    followed?.read()
    expect(followed?.isLost).toBe(true)
    replace('one\n')
    followed?.read()
    expect(followed?.isLost).toBe(false)
    appendFileSync(path, 'five\n')
    await until(() => lines.includes('five'), 'its next line')
  })

  test('is not read outside of its folder', () => {
    expect(tail(path, [join(dir, 'elsewhere')], () => {})).toBeUndefined()
  })
})
