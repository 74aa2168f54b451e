/** The fifteen minutes of README.md, run as they stand, in the home of somebody who has one agent. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT, tempDir } from './kit.ts'

setDefaultTimeout(120_000)

const text = readFileSync(join(ROOT, 'README.md'), 'utf8')
const [, part = ''] = text.split('## Fifteen minutes')
const steps = [...(part.split('## What next')[0] ?? '').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
  ([, block]) => block ?? '',
)

test('from the clone to a wired agent, a watched fleet, a tried rule and an exact removal', () => {
  const home = tempDir()
  const bin = join(home, 'programs')
  mkdirSync(bin)
  writeFileSync(join(bin, 'claude'), "#!/bin/sh\necho '2.1.325 (Claude Code)'\n")
  chmodSync(join(bin, 'claude'), 0o755)
  mkdirSync(join(home, '.claude'))
  const settings = join(home, '.claude/settings.json')
  writeFileSync(settings, '{\n\t"model": "opus"\n}\n')
  const before = readFileSync(settings, 'utf8')
  mkdirSync(join(home, '.config/gantry'), { recursive: true, mode: 0o700 })
  writeFileSync(join(home, '.config/gantry/gantry.toml'), '[http]\nport = 0\n[nats]\nmode = "off"\n')
  const env = {
    HOME: home,
    PATH: `${join(home, '.local/bin')}:${bin}:${dirname(Bun.which('node') ?? '')}:/usr/bin:/bin`,
  }
  const run = (script: string) => {
    // What asks a person gets the answer by an option; the packages are here, and the demo has a test of its own.
    const asked = script
      .replace(/^npm .*\n/gm, '')
      .replace(/^gantry (install|uninstall)$/gm, 'gantry $1 --yes')
    const ran = Bun.spawnSync(['bash', '-e', '-c', asked], { cwd: ROOT, env, stdin: 'ignore' })
    const said = ran.stdout.toString()
    expect(ran.exitCode, `${asked}\n${said}\n${ran.stderr.toString()}`).toBe(0)
    return said
  }
  expect(steps).toHaveLength(6)
  const [see = '', start = '', wire = '', watch = '', rule = '', remove = ''] = steps
  try {
    expect(see).toContain('npm run demo')
    const started = run(start)
    expect(started).toContain('is up')
    expect(started).not.toContain('not on your PATH')
    expect(run(wire)).toContain('Claude Code is wired')
    expect(readFileSync(settings, 'utf8')).toContain('gantry-hook')
    run(watch)
    const tried = run(rule)
    expect(tried).toContain('no-force-push')
    expect(tried).toContain('Push without --force, or ask me.')
    expect(run(remove)).toContain('Claude Code is as it was without gantry')
    expect(readFileSync(settings, 'utf8')).toBe(before)
    expect(existsSync(join(home, '.local/bin/gantry'))).toBe(false)
  } finally {
    Bun.spawnSync([join(ROOT, 'bin/gantry'), 'down'], { env })
  }
})
