/** What `gantry doctor` prints of names and text that are not its own. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { places } from '../../src/core/files/paths.ts'
import { gantry, tempDir } from '../kit.ts'

test('a folder whose name is a time is printed as it is', async () => {
  const at = places({}, join(tempDir(), 'run-2026-11-19T10:00:00Z'))
  const { stdout } = await gantry(at, 'doctor')
  expect(stdout.replace(/\n */g, '')).toContain(at.state)
})
