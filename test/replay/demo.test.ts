/** `npm run demo`, as somebody sees it who has just cloned this: in a real terminal, with no agent and no daemon. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import { places } from '../../src/core/files/paths.ts'
import { openScreen } from '../agents/tmux.ts'
import { GANTRY, ROOT, tempDir, until } from '../kit.ts'

setDefaultTimeout(120_000) // a minute is what it may take

/** A machine that has nothing of gantry's but the checkout. */
function freshEnv(): Record<string, string> {
  const home = tempDir()
  const temporary = join(home, 'tmp')
  mkdirSync(temporary)
  return { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: temporary, TERM: 'xterm-256color' }
}

const homesIn = (env: Record<string, string>) =>
  readdirSync(env.TMPDIR ?? '').filter((name) => name.startsWith('gantry-demo-'))

describe('the demo', () => {
  test('shows a living fleet within a minute, and leaves nothing behind', async () => {
    const env = freshEnv()
    const screen = openScreen(['npm', 'run', '--silent', 'demo', '--', '--speed', '5'], {
      name: 'demo',
      cwd: ROOT,
      env,
    })
    try {
      // The real TUI: its title, its keys, and every agent by its sign.
      await screen.shows(/gantry +\d+ sessions/)
      await screen.shows(/need(s)? you/)
      const seen = new Set<string>()
      await until(
        () => {
          const text = screen.text()
          for (const sign of ['✻', '⬡', '✦', '◈', '▣']) if (text.includes(sign)) seen.add(sign)
          return seen.size === 5 && /enter jump/.test(text)
        },
        'all five agents',
        60_000,
      )
      const [home = ''] = homesIn(env)
      const at = join(env.TMPDIR ?? '', home)
      const found = async () => (await call(places({}, at), 'search', { text: 'tests' })).hits.length > 0
      await until(found, 'something to find', 60_000)
      const asked = Bun.spawnSync([GANTRY, 'search', 'tests', '--json', '--home', at], { env })
      expect(asked.exitCode).toBe(0)
      expect(JSON.parse(asked.stdout.toString()).hits.length).toBeGreaterThan(0)
      await screen.press('q')
      await until(() => homesIn(env).length === 0, 'the end of its folder')
    } finally {
      screen.close()
    }
  })

  test('fits on a small terminal', async () => {
    const env = freshEnv()
    const screen = openScreen([GANTRY, 'demo', '--for', '5m', '--speed', '4'], {
      name: 'small',
      cwd: ROOT,
      env,
    })
    try {
      screen.resize(60, 15)
      await screen.shows(/needs? you/)
      expect(screen.text().trimEnd().split('\n').length).toBeLessThanOrEqual(15)
      await screen.press('q')
      await screen.shows(/For your own agents: gantry up/)
      expect(homesIn(env)).toEqual([])
    } finally {
      screen.close()
    }
  })

  test('without a terminal tells what changes, a line each, and ends by itself', async () => {
    const env = freshEnv()
    const asks = /^claude\s+\S+\s+needs you\s+Permission for Bash/m
    let text = ''
    // A busy machine does not get that far in two seconds.
    for (const span of ['2s', '10s', '40s']) {
      const child = Bun.spawn([GANTRY, 'demo', '--for', span, '--speed', '8'], {
        env,
        stdout: 'pipe',
        stderr: 'pipe',
      })
      text = await new Response(child.stdout).text()
      expect(await child.exited).toBe(0)
      expect(await new Response(child.stderr).text()).toBe('')
      if (asks.test(text)) break
    }
    expect(text).toMatch(asks)
    expect(text).not.toContain('\u001b')
    expect(text).toMatch(/nothing of it is left/)
    expect(homesIn(env)).toEqual([])
    expect(existsSync(join(env.HOME ?? '', '.local/state/gantry'))).toBe(false)
  })

  test('leaves nothing behind either when its reader has seen enough', async () => {
    const env = freshEnv()
    const shell = Bun.spawn(['sh', '-c', `"${GANTRY}" demo --for 20s --speed 8 | head -n 1`], {
      env,
      stdout: 'ignore',
    })
    expect(await shell.exited).toBe(0)
    await until(() => homesIn(env).length === 0, 'no folder', 30_000)
  })

  test('removes what a killed one left behind, and nothing else', async () => {
    const env = freshEnv()
    const temporary = env.TMPDIR ?? ''
    const killed = Bun.spawn([GANTRY, 'demo', '--for', '5m'], { env, stdout: 'pipe', stderr: 'pipe' })
    const left = await until(() => homesIn(env)[0], 'its folder')
    await until(() => existsSync(join(temporary, left, 'run/gantry.pid')), 'its daemon')
    killed.kill('SIGKILL')
    await killed.exited
    const longAgo = new Date(Date.now() - 600_000)
    const mark = (name: string, text: string) => {
      mkdirSync(join(temporary, name))
      writeFileSync(join(temporary, name, 'demo'), text)
      utimesSync(join(temporary, name, 'demo'), longAgo, longAgo)
    }
    utimesSync(join(temporary, left, 'demo'), longAgo, longAgo)
    mark('gantry-demo-alive1', `gantry demo ${process.pid}\n`)
    mark('gantry-demo-other1', 'somebody else\n')
    mark('gantry-demo-of-mine', `gantry demo ${killed.pid}\n`)
    mark('precious', `gantry demo ${killed.pid}\n`)
    mkdirSync(join(temporary, 'gantry-demo-empty1'))
    symlinkSync(join(temporary, 'precious'), join(temporary, 'gantry-demo-linked'))
    const young = join(temporary, 'gantry-demo-young1')
    mkdirSync(young)
    writeFileSync(join(young, 'demo'), `gantry demo ${killed.pid}\n`)
    const next = Bun.spawn([GANTRY, 'demo', '--for', '1s'], { env, stdout: 'ignore', stderr: 'pipe' })
    expect({ exit: await next.exited, said: await new Response(next.stderr).text() }).toEqual({
      exit: 0,
      said: '',
    })
    const others = ['alive1', 'empty1', 'linked', 'of-mine', 'other1', 'young1']
    expect(homesIn(env).sort()).toEqual(others.map((name) => `gantry-demo-${name}`))
    expect(existsSync(join(temporary, 'precious/demo'))).toBe(true)
  })

  test('ends when its daemon is stopped from elsewhere', async () => {
    const env = freshEnv()
    const child = Bun.spawn([GANTRY, 'demo', '--for', '5m'], { env, stdout: 'pipe', stderr: 'pipe' })
    const home = await until(() => homesIn(env)[0], 'its folder')
    const at = join(env.TMPDIR ?? '', home)
    await child.stdout.getReader().read() // it plays
    Bun.spawnSync([GANTRY, 'down', '--home', at], { env })
    expect(await child.exited).toBe(0)
    expect(homesIn(env)).toEqual([])
  })
})
