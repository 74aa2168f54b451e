/** `gantry plugin`: bundles that call the installed client, and stand down where the settings have our hooks. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  envFor,
  gantry,
  gantryJson,
  journal,
  makeHome,
  type RunningDaemon,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'

setDefaultTimeout(120_000)

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
})
afterAll(async () => void (await daemon.kill('SIGKILL')))

interface Made {
  readonly files: readonly string[]
  readonly next: readonly string[]
}

test.each([
  ['claude', 'gantry/hooks/hooks.json', '.claude/settings.json'],
  ['codex', 'gantry/hooks/hooks.json', '.codex/hooks.json'],
  ['gemini', 'hooks/hooks.json', '.gemini/settings.json'],
])(
  '%s: a hook of the bundle reaches gantry, and is silent where the settings have ours',
  async (agent, hooksFile, settings) => {
    const folder = join(tempDir(), 'bundle')
    const made = (await gantryJson(at, 'plugin', agent, folder, '--json')) as Made
    expect(made.files).toContain(hooksFile)
    expect(made.next.join()).toContain(agent)
    const { hooks } = JSON.parse(readFileSync(join(folder, hooksFile), 'utf8'))
    const { command } = hooks.SessionStart[0].hooks[0]
    const fire = (id: string) =>
      Bun.spawnSync(['sh', '-c', command], {
        env: envFor(at),
        stdin: Buffer.from(JSON.stringify({ session_id: id, hook_event_name: 'SessionStart' })),
      }).exitCode
    const sessions = () => journal<{ session_id: string }>(at).map((row) => row.session_id)
    const [alone, beside, again] = ['alone', 'beside', 'again'].map((id) => `${agent}-${id}`) as [
      string,
      string,
      string,
    ]

    expect(fire(alone)).toBe(0)
    await until(() => sessions().includes(alone), 'its event')
    await gantry(at, 'install', agent, '--yes')
    expect(readFileSync(join(at.home ?? '', settings), 'utf8')).toContain('gantry-hook')
    expect(fire(beside)).toBe(0)
    await gantry(at, 'uninstall', agent, '--yes')
    await gantry(at, 'plugin', agent, folder) // the client went with its last hook
    expect(fire(again)).toBe(0)
    await until(() => sessions().includes(again), 'its event')
    expect(sessions()).not.toContain(beside)
  },
)

test('opencode: its module knows the copy beside which it stands down', async () => {
  const folder = join(tempDir(), 'bundle')
  await gantry(at, 'plugin', 'opencode', folder)
  const text = readFileSync(join(folder, 'gantry.js'), 'utf8')
  expect(text).toContain(`INSTALLED_COPY = '${at.home}/.config/opencode/plugins/gantry.js'`)
})

test("somebody's folder is left alone, and an agent without plugins is named", async () => {
  const folder = tempDir()
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'mine.txt'), '')
  const refused = await gantry(at, 'plugin', 'gemini', folder)
  expect(refused.exit).toBe(2)
  expect(refused.stderr).toContain('Name an empty folder')
  const none = await gantry(at, 'plugin', 'droid', join(folder, 'src'))
  expect(none.exit).toBe(2)
  expect(none.stderr).toContain('only for claude, codex, gemini, opencode')
})
