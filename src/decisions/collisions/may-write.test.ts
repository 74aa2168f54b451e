import { expect, test } from 'bun:test'
import { PROGRAMS, type Role } from '../../shell/programs.ts'
import { mayWrite } from './may-write.ts'

/** They write to disks and devices, which are no files of a project. */
const DISKS = ['mkswap', 'wipefs', 'fdisk', 'sfdisk', 'gdisk', 'sgdisk', 'parted', 'blkdiscard']

test('every program that writes or deletes files is looked at', () => {
  const isWritten = (role?: Role | 'copy' | 'move') => role !== undefined && role !== 'reads'
  const writers = Object.entries(PROGRAMS).filter(
    ([, { operands, options = {}, writesWith, deletesWith }]) =>
      isWritten(operands) || writesWith || deletesWith || Object.values(options).some(isWritten),
  )
  expect(writers.length).toBeGreaterThan(50)
  const missed = writers.map(([name]) => name).filter((name) => !mayWrite(`cd x && ${name} a b`))
  expect(missed.filter((name) => !DISKS.includes(name))).toEqual([])
})

test('a redirect writes, and what only builds, tests and reads does not', () => {
  for (const line of ['date >> log', 'git rm x', "bash -c 'touch x'", '/bin/cp a b', 'X=$(mv a b)'])
    expect(mayWrite(line)).toBe(true)
  expect(mayWrite('make test; git diff; cargo build && rg TODO src | head -5')).toBe(false)
})
