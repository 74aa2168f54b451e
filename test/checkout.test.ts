/**
 * A checkout: its `bin/gantry` runs what was built, but never if that is not made of these sources; and every file in it
 * has a name that any system and any shell takes.
 */
import { beforeEach, expect, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT, tempDir } from './kit.ts'

const SOURCE = 'src/cli/main.ts'

let dir: string
beforeEach(() => {
  dir = tempDir()
  for (const path of [SOURCE, 'native/client.c', 'package-lock.json', 'node_modules/.package-lock.json'])
    write(path, '')
  program('dist/gantry', 'built')
  program('node_modules/@oven/bun-any/bin/bun', 'source')
  mkdirSync(join(dir, 'bin'))
  copyFileSync(join(ROOT, 'bin/gantry'), join(dir, 'bin/gantry'))
  build()
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true })
  writeFileSync(join(dir, path), text)
}

function program(path: string, says: string): void {
  write(path, `#!/bin/sh\necho ${says} "$@"\n`)
  chmodSync(join(dir, path), 0o755)
}

/** Which of the two ran. */
function ran(): string {
  const { stdout, stderr } = Bun.spawnSync([join(dir, 'bin/gantry'), 'status', '--json'], { cwd: '/' })
  expect(stderr.toString()).toBe('')
  expect(stdout.toString()).toEndWith('status --json\n')
  return stdout.toString().split(' ', 1)[0] ?? ''
}

/** Returns when the clock of the file system has moved on, so that every change is later. */
function build(): void {
  write('dist/.made-of', '')
  const { mtimeMs } = statSync(join(dir, 'dist/.made-of'))
  do write('probe', '')
  while (statSync(join(dir, 'probe')).ctimeMs <= mtimeMs)
}

test('what was built runs, with the same arguments', () => {
  expect(ran()).toBe('built')
})

test.each(['src/cli/main.ts', 'native/client.c', 'package-lock.json', 'node_modules/.package-lock.json'])(
  'not if %s has changed since',
  (path) => {
    write(path, 'new')
    expect(ran()).toBe('source')
  },
)

test('not if the change is dated back, as by a copy that keeps the times', () => {
  write(SOURCE, 'old, but new here')
  utimesSync(join(dir, SOURCE), 1, 1)
  expect(ran()).toBe('source')
})

test('not if a file is new, gone or has another name', () => {
  write('src/cli/another.ts', '')
  expect(ran()).toBe('source')
  build()
  rmSync(join(dir, 'src/cli/another.ts'))
  expect(ran()).toBe('source')
  build()
  renameSync(join(dir, SOURCE), join(dir, 'src/cli/other.ts'))
  expect(ran()).toBe('source')
})

test('not while it is being built, or if it never was', () => {
  rmSync(join(dir, 'dist/.made-of'))
  expect(ran()).toBe('source')
  rmSync(join(dir, 'dist'), { recursive: true })
  expect(ran()).toBe('source')
})

/** Of a folder or a file: no space, quote or control character, no `~`, and nothing that an option begins with. */
const SOUND_NAME = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/
/** Folders of a system's root: a file in one of them was meant to have an absolute path. */
const OF_A_ROOT = /^(?:etc|home|mnt|opt|private|proc|root|run|srv|tmp|Users|usr|var|work)$/

// An archive of the sources has no list of what is tracked.
test.skipIf(!existsSync(join(ROOT, '.git')))('every tracked file has a sound name', () => {
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '-z'], { cwd: ROOT })
  const files = stdout.toString().split('\0').slice(0, -1)
  expect(files.length).toBeGreaterThan(1_000)
  const isSound = (file: string) => {
    const names = file.split('/')
    return names.every((name) => SOUND_NAME.test(name)) && !OF_A_ROOT.test(names[0] ?? '')
  }
  expect(files.filter((file) => !isSound(file))).toEqual([])
  const lower = Map.groupBy(files, (file) => file.toLowerCase())
  expect([...lower.values()].filter(({ length }) => length > 1)).toEqual([]) // one file where case does not count
})
