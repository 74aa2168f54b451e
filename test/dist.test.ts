/** Both forms of gantry: the built files alone, in a folder with no node_modules in reach, and the checkout. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { envFor, fixtureLines, makeHome, ROOT, run, tempDir, until } from './kit.ts'
import { startTmux } from './tui/terminal.ts'

describe.each(['dist', 'bin'])('the programs in %s', (folder) => {
  const home = makeHome()
  let dir = join(ROOT, folder)
  const gantry = (...args: string[]) => run([join(dir, 'gantry'), ...args], home)

  beforeAll(() => {
    if (!existsSync(join(dir, 'gantry'))) throw new Error('dist/gantry is missing: npm run build')
    if (folder !== 'dist') return
    dir = tempDir()
    for (const name of ['gantry', 'gantry-hook']) copyFileSync(join(ROOT, folder, name), join(dir, name))
  })

  afterAll(async () => {
    await gantry('down')
  })

  test('a hook with the daemon away is spooled, starts the daemon beside it, and is in the journal', async () => {
    const payload = JSON.stringify(fixtureLines('claude/2.1.325/basic.jsonl')[0]?.payload)
    const hook = await run([join(dir, 'gantry-hook'), 'claude'], home, payload)
    expect(hook).toEqual({ exit: 0, stdout: '', stderr: '' })
    await until(async () => (await gantry('status')).exit === 0, 'the daemon')
    const events = await gantry('events', '--json')
    expect(JSON.parse(events.stdout).raw).toBe(payload)
  })

  test('answer calls, SQL questions and hooks', async () => {
    const hook = await run([join(dir, 'gantry'), 'hook', 'claude', 'Stop'], home, '{}')
    expect(hook).toEqual({ exit: 0, stdout: '', stderr: '' })
    const query = await gantry('query', '--json', 'SELECT count(*) AS n FROM events')
    expect(JSON.parse(query.stdout)).toEqual([{ n: 2 }])
    expect((await gantry('doctor')).stdout).toContain('native hook client')
  })

  test('show the fleet on a terminal', async () => {
    await using tmux = await startTmux()
    const line = `${join(dir, 'gantry')}; echo left with $?; exec sleep 600`
    const pane = tmux.open(['sh', '-c', line], { env: envFor(home) })
    await pane.shows('● live')
    pane.keys('q')
    await pane.shows('left with 0')
  }, 120_000)
})

test('the built program has the React that is released, not the one for development', () => {
  const program = readFileSync(join(ROOT, 'dist/gantry'))
  expect(program.includes('react-reconciler.production')).toBe(true)
  expect(program.includes('react-reconciler.development')).toBe(false)
})
