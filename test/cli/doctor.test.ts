/** What `gantry doctor` prints of folders and of a configuration with mistakes. */
import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../../src/client/index.ts'
import { places } from '../../src/core/files/paths.ts'
import { gantry, makeHome, startDaemon, tempDir } from '../kit.ts'

test('a folder whose name is a time is printed as it is', async () => {
  const at = places({}, join(tempDir(), 'run-2026-11-19T10:00:00Z'))
  const { stdout } = await gantry(at, 'doctor')
  expect(stdout.replace(/\n */g, '')).toContain(at.state)
})

test('each mistake in gantry.toml and the rules is a line; no line says that the file is good', async () => {
  const at = makeHome('[log]\nlevel = "loud"\ncolour = 1\n')
  const rules = join(at.rules, 'mine.yaml')
  mkdirSync(at.rules)
  writeFileSync(rules, 'rules:\n  - id: one\n    on: Stop\n    decision: maybe\n')
  const about = async () => {
    const { stdout, exit } = await gantry(at, 'doctor', '--json')
    const found = (JSON.parse(stdout) as Finding[]).filter((one) => one.about === 'config')
    return { exit, found }
  }
  const line = (start: string, fix?: string): Finding => ({
    level: 'fail',
    about: 'config',
    message: expect.stringContaining(start),
    ...(fix === undefined ? {} : { fix: expect.stringContaining(fix) }),
  })
  const bad = {
    exit: 1,
    found: [
      line(`${at.configFile}:4: log.level: `),
      line(`${at.configFile}:5: log.colour: `, 'gantry config edit'),
      line(`${rules}:4: `, 'Correct the rules'),
    ],
  }
  expect(await about()).toEqual(bad)
  await using _daemon = await startDaemon(at)
  expect(await about()).toEqual(bad)
  const other = makeHome()
  expect((await gantry(other, 'doctor')).stdout).toContain(`✓ config   ${other.configFile}\n`)
})
