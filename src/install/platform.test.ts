/** Doctor says where nobody has tried gantry. */
import { expect, test } from 'bun:test'
import { platformFindings } from './platform.ts'

const usual = { platform: 'linux', arch: 'x64', isMusl: false, isWsl: false }

test('no word where the tests run', () => {
  expect(platformFindings(usual)).toEqual([])
})

test.each([
  [{ ...usual, isWsl: true }, 'within WSL'],
  [{ ...usual, isMusl: true }, 'musl'],
  [{ ...usual, arch: 'arm64' }, 'under emulation'],
  [{ ...usual, platform: 'darwin', arch: 'arm64' }, 'only built'],
  [{ ...usual, arch: 'riscv64' }, 'riscv64'],
])('%o is said to be untried', (machine, words) => {
  expect(platformFindings(machine)).toMatchObject([
    { level: 'warn', message: expect.stringContaining(words) },
  ])
})
