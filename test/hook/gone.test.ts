/** Somebody removed gantry, but not its hooks: agents go on, a person is told once, and nothing is lost if it comes back. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, tempDir, until } from '../kit.ts'

const home = tempDir()
const program = join(home, 'programs/gantry')
const bin = join(home, '.local/share/gantry/bin')
const env = { HOME: home, PATH: '/usr/bin:/bin', XDG_RUNTIME_DIR: join(home, 'run') }

const gantry = (...args: string[]) => Bun.spawnSync([program, ...args], { env, stdin: 'ignore' })

function put(): void {
  if (!existsSync(join(ROOT, 'dist/gantry'))) throw new Error('dist/gantry is missing: npm run build')
  mkdirSync(join(home, 'programs'), { recursive: true })
  copyFileSync(join(ROOT, 'dist/gantry'), program)
}

/** As the agent would run it, from its settings. */
function hook(event: string): { exit: number; stdout: string; stderr: string } {
  const settings = JSON.parse(readFileSync(join(home, '.claude/settings.json'), 'utf8')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>
  }
  const command = settings.hooks[event]?.[0]?.hooks[0]?.command ?? 'exit 99'
  const payload = JSON.stringify({ hook_event_name: event, session_id: 'one', cwd: home, source: 'startup' })
  const { exitCode, stdout, stderr } = Bun.spawnSync(['sh', '-c', command], {
    env,
    stdin: Buffer.from(payload),
  })
  return { exit: exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
}

const silent = { exit: 0, stdout: '', stderr: '' }

beforeAll(() => {
  for (const dir of ['.claude', 'run', '.config/gantry'])
    mkdirSync(join(home, dir), { recursive: true, mode: 0o700 })
  writeFileSync(join(home, '.config/gantry/gantry.toml'), '[http]\nport = 0\n[nats]\nmode = "off"\n')
  put()
  const installed = gantry('install', 'claude', '--yes')
  if (!installed.success) throw new Error(installed.stdout.toString() + installed.stderr.toString())
}, 120_000)

afterAll(() => {
  if (existsSync(program)) gantry('down')
})

test('hooks of a removed gantry say so once, and do no harm', async () => {
  rmSync(program)
  expect(hook('PreToolUse')).toEqual(silent)
  await until(() => existsSync(join(bin, 'gone')), 'the mark of the launcher')
  expect(hook('PreToolUse')).toEqual(silent) // only the start of a session is a moment at which somebody looks
  const told = hook('SessionStart')
  expect(told).toMatchObject({ exit: 0, stderr: '' })
  expect((JSON.parse(told.stdout) as { systemMessage: string }).systemMessage).toContain('gantry uninstall')
  for (const event of ['SessionStart', 'UserPromptSubmit', 'Stop']) expect(hook(event)).toEqual(silent)

  put()
  await until(() => {
    expect(hook('Stop')).toEqual(silent)
    return gantry('status').success
  }, 'the daemon that a hook starts')
  const events = gantry('events', '--json', '--type', 'PreToolUse').stdout.toString().trim().split('\n')
  expect(events).toHaveLength(2)
  expect([existsSync(join(bin, 'gone')), existsSync(join(bin, 'gone.said'))]).toEqual([false, false])
}, 120_000)

test('without the client, too, they do nothing', () => {
  rmSync(join(bin, 'gantry-hook'))
  for (const event of ['SessionStart', 'PreToolUse', 'Stop']) expect(hook(event)).toEqual(silent)
})
