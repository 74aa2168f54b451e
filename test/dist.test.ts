/** The built files alone, in a folder with no node_modules in reach. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { envFor, fixtureLines, makeHome, ROOT, run } from './kit.ts'
import { startTmux } from './tui/terminal.ts'

let dir = ''
const home = makeHome()
const gantry = (...args: string[]) => run([join(dir, 'gantry'), ...args], home)

beforeAll(async () => {
  if (!existsSync(join(ROOT, 'dist/gantry'))) throw new Error('dist/gantry is missing: npm run build')
  dir = mkdtempSync(join(tmpdir(), 'gantry-dist-'))
  for (const name of ['gantry', 'gantry-hook']) copyFileSync(join(ROOT, 'dist', name), join(dir, name))
})

afterAll(async () => {
  await gantry('down')
  rmSync(dir, { recursive: true, force: true })
})

describe('the one binary', () => {
  test('a hook with the daemon away is spooled, starts the daemon beside it, and is in the journal', async () => {
    const payload = JSON.stringify(fixtureLines('claude/2.1.325/basic.jsonl')[0]?.payload)
    const hook = await run([join(dir, 'gantry-hook'), 'claude'], home, payload)
    expect(hook).toEqual({ exit: 0, stdout: '', stderr: '' })
    const until = Date.now() + 10_000
    while (Date.now() < until && (await gantry('status')).exit !== 0) await Bun.sleep(50)
    const events = await gantry('events', '--json')
    expect(JSON.parse(events.stdout).raw).toBe(payload)
  })

  test('answers calls, SQL questions and the hook client from the same file', async () => {
    const hook = await run([join(dir, 'gantry'), 'hook', 'claude', 'Stop'], home, '{}')
    expect(hook).toEqual({ exit: 0, stdout: '', stderr: '' })
    const query = await gantry('query', '--json', 'SELECT count(*) AS n FROM events')
    expect(JSON.parse(query.stdout)).toEqual([{ n: 2 }])
    expect((await gantry('doctor')).stdout).toContain('native hook client')
  })

  test('shows the fleet on a terminal', async () => {
    await using tmux = await startTmux()
    const line = `${join(dir, 'gantry')}; echo left with $?; exec sleep 600`
    const pane = tmux.open(['sh', '-c', line], { env: envFor(home) })
    await pane.shows('● live')
    pane.keys('q')
    await pane.shows('left with 0')
  }, 60_000)
})
