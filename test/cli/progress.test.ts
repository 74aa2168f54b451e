/** The bar for long work: on a terminal, and nowhere else. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { makeHome, ROOT, run, tempDir } from '../kit.ts'

const home = makeHome()
const file = join(tempDir(), 'work.ts')
await Bun.write(
  file,
  `import { progressOf } from '${join(ROOT, 'src/cli/framework/progress.ts')}'
   const progress = progressOf('events')
   for (let i = 1; i <= 4; i++) { progress.at(i * 250, 1000); await Bun.sleep(120) }
   progress.end()
   console.log('done')`,
)

test('on a terminal it moves, and is gone at the end', async () => {
  const { stdout } = await run(['script', '-qec', `${process.execPath} ${file}`, '/dev/null'], home, '', {
    TERM: 'xterm',
  })
  expect(stdout).toContain(' 50%  500 events')
  expect(stdout).toContain('] 100%  1,000 events')
  expect(stdout.trimEnd()).toEndWith('\r\u001b[Kdone')
})

test('in a pipe there is nothing of it', async () => {
  const ran = await run([process.execPath, file], home)
  expect(ran).toEqual({ exit: 0, stdout: 'done\n', stderr: '' })
})
