/** `npm run bench` that is ended by Ctrl-C leaves nothing behind. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { allPids, environOf } from '../src/core/processes/proc.ts'
import { ROOT, tempDir, until } from './kit.ts'
import { processes } from './litter.ts'

setDefaultTimeout(120_000)

/** Processes whose environment has this folder. */
function below(dir: string): number[] {
  return allPids().filter((pid) => environOf(pid).some((one) => one.startsWith(`GANTRY_HOME=${dir}/`)))
}

test('the bench ends its daemons when it is ended', async () => {
  const dir = tempDir()
  // By the bench alone, as `kill` sends it: a terminal would tell its children, too.
  const child = Bun.spawn([process.execPath, join(ROOT, 'bench/main.ts'), '--quick', 'pipeline-latency'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', HOME: dir, TMPDIR: dir },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  processes.add(child)
  await until(() => below(dir).length > 0, 'a daemon of the bench', 60_000)
  child.kill('SIGINT')
  expect(await child.exited).toBe(130)
  await until(() => below(dir).length === 0, 'no daemon is left')
  expect(readdirSync(dir).filter((name) => name.startsWith('gantry-bench-'))).toEqual([])
})
