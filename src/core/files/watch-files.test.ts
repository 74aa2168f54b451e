import { expect, test } from 'bun:test'
import { appendFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir, until } from '../../../test/kit.ts'
import { watchAnew, watchPath } from './watch-files.ts'

test('the second of two changes in quick succession is seen, too', async () => {
  const path = join(tempDir(), 'grows')
  writeFileSync(path, '')
  let seen = 0
  const watching = watchPath(path, () => {
    seen = statSync(path).size
  })
  for (let size = 4; size <= 80; size += 4) {
    appendFileSync(path, 'x\n')
    await Bun.sleep(0) // the first change is reported and handled
    appendFileSync(path, 'y\n')
    await until(() => seen === size, `${size} bytes`)
  }
  watching.close()
})

test('restarting all watches reports a change for each, and a failure for a path that is gone', async () => {
  const [dir, gone] = [tempDir(), tempDir()]
  const names: (string | null)[] = []
  let failed = 0
  const watching = watchPath(dir, (_kind, name) => void names.push(name))
  const lost = watchPath(
    gone,
    () => {},
    () => {
      failed += 1
    },
  )
  rmSync(gone, { recursive: true })
  watchAnew()
  expect(names).toContain(null)
  expect(failed).toBeGreaterThan(0)
  writeFileSync(join(dir, 'new'), '')
  await until(() => names.includes('new'), 'the new one')
  lost.close()
  watching.close()
  const count = names.length
  watchAnew()
  expect(names).toHaveLength(count)
})
