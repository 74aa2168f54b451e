/** What apply adds is taken out again to the last byte, whatever the user had and whatever happened in between. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { within } from '../../src/core/time/waits.ts'
import { envFor, GANTRY, isGone, makeHome, sendFrame, startDaemon, tempDir, until } from '../kit.ts'
import { limitMs, rounds } from '../long.ts'
import { openTmux, recorded } from './kit.ts'

const play = recorded('claude/2.1.325/i-basic.jsonl')

/** As people have it: their own line, letters beyond ASCII, quotes, a session, a window and a pane with more. */
const OWN = [
  ['set', '-g', 'status-right', `#[fg=colour245]it's "größe" #{?client_prefix,▲,} %H:%M;`],
  ['set', '-g', 'status-right-length', '55'],
  ['set', '-g', 'window-status-format', '#I:#W,#{?window_flags,#F,}'],
  ['set', '-g', 'pane-border-style', 'fg=colour238,bg=default'],
  ['set', '-g', 'window-style', 'fg=colour247,bg=colour236'],
  ['set', '-t', '%0', 'status-right', ''],
  ['set', '-w', '-t', '%2', 'window-status-format', 'mine $HOME #{pane_id}'],
  ['set', '-p', '-t', '%1', 'window-style', 'bg=colour17'],
  ['set-hook', '-g', 'pane-focus-in[0]', 'display-message "mine"'],
  ['set-hook', '-g', 'pane-focus-in[4520]', 'display-message "mine, too"'],
  ['bind-key', '-N', 'my note', 'G', 'display-message', 'a user; was \\ here'],
] as const

const OWN_OF_TWO = OWN.filter((argv) => !argv.some((one) => one === '%2'))

describe('gantry tmux apply and unapply', () => {
  test('restore every option, hook and key exactly, with agents coloured in between', async () => {
    const home = makeHome('[tmux]\npane = "both"\n')
    await using _ = await startDaemon(home)
    using tmux = openTmux(home, 3, OWN)
    const before = tmux.everything()
    const applied = await tmux.gantry('tmux', 'apply')
    expect([applied.exit, applied.stderr]).toEqual([0, ''])
    expect(applied.stdout).toContain('prefix G is bound to something else, which stays')
    for (const agent of tmux.agents) await agent.hook(play('UserPromptSubmit'))
    await until(() => tmux.agents.every((one) => tmux.status(one) === 'working'), 'colours')
    const between = tmux.everything()
    expect(between).toContain(' tmux next --client ')
    expect(between).toContain('my note')
    expect(between).toContain('@gantry_status working')
    const again = await tmux.gantry('tmux', 'apply', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ socket: tmux.socket })
    await until(() => tmux.everything() === between, 'the same after a second apply')
    const undone = await tmux.gantry('tmux', 'unapply')
    expect([undone.exit, undone.stdout]).toEqual([0, `✓ tmux at ${tmux.socket} is as it was.\n`])
    expect(tmux.everything()).toBe(before)
    expect(readdirSync(home.tmux)).toEqual([])
    // Nobody colours any more.
    using other = openTmux(home, 1)
    await other.gantry('tmux', 'apply')
    await tmux.agents[0]?.hook(play('PermissionRequest'))
    await other.agents[0]?.hook(play('UserPromptSubmit'))
    await until(
      () => other.agents.every((one) => other.status(one) === 'working'),
      'the colour of a later one',
    )
    expect(tmux.everything()).toBe(before)
    expect((await tmux.gantry('tmux', 'unapply')).exit).toBe(0)
    expect(tmux.everything()).toBe(before)
  }, 120_000)

  test('do so on a tmux with nothing of its own, without a daemon, and without the receipt but for two numbers', async () => {
    const home = makeHome()
    using tmux = openTmux(home, 2)
    const before = tmux.everything()
    const applied = await tmux.gantry('tmux', 'apply')
    expect(applied.exit).toBe(0)
    expect(applied.stdout).toContain('The daemon is not running')
    expect(tmux.everything()).not.toBe(before)
    await tmux.gantry('tmux', 'unapply')
    expect(tmux.everything()).toBe(before)
    await tmux.gantry('tmux', 'apply')
    rmSync(home.tmux, { recursive: true })
    await tmux.gantry('tmux', 'unapply')
    const differs = tmux
      .everything()
      .split('\n')
      .filter((line) => !before.split('\n').includes(line))
    expect(differs).toEqual(['focus-events on', 'status-right-length 111'])
  }, 120_000)

  test('leave what was changed meanwhile, and say so', async () => {
    const home = makeHome()
    using tmux = openTmux(home, 1)
    await tmux.gantry('tmux', 'apply')
    tmux.say('set', '-ag', 'status-right', ' added')
    tmux.say('set', '-g', 'status-right-length', '99')
    tmux.say('set', '-g', 'pane-border-style', 'fg=colour99')
    tmux.say('bind-key', 'g', 'display-message', 'now mine')
    const { stdout } = await tmux.gantry('tmux', 'unapply')
    expect(stdout).toContain('status-right was changed meanwhile: only our part was removed')
    expect(stdout).toContain('status-right-length was changed meanwhile: it was left as it is')
    expect(stdout).toContain('pane-border-style was changed meanwhile: it was left as it is')
    expect(tmux.say('show', '-gv', 'status-right').trim()).toEndWith(' added')
    expect(tmux.say('show', '-gv', 'status-right-length')).toBe('99\n')
    expect(tmux.say('show', '-gv', 'pane-border-style')).toBe('fg=colour99\n')
    expect(tmux.say('list-keys', '-T', 'prefix', 'g')).toContain('now mine')
    expect(tmux.everything()).not.toContain('gantry')
  }, 120_000)

  test('the settings of a user who reads the configuration again are the ones to go back to', async () => {
    const home = makeHome()
    using tmux = openTmux(home, 1, [['set', '-g', 'status-right', 'first']])
    await tmux.gantry('tmux', 'apply')
    tmux.say('set', '-g', 'status-right', 'second')
    await tmux.gantry('tmux', 'apply')
    expect(tmux.say('show', '-gv', 'status-right')).toContain('@gantry_summary')
    await tmux.gantry('tmux', 'unapply')
    expect(tmux.say('show', '-gv', 'status-right')).toBe('second\n')
  }, 120_000)

  test('print the line for ~/.tmux.conf, which works, and change nothing', async () => {
    const home = makeHome()
    using tmux = openTmux(home, 1)
    const before = tmux.everything()
    const { stdout } = await tmux.gantry('tmux', 'apply', '--print', '--next-key', 'N')
    expect(stdout).toStartWith('run-shell -b ')
    expect(tmux.everything()).toBe(before)
    const server = Number(tmux.say('display-message', '-p', '#{pid}'))
    tmux.say('kill-server')
    await until(() => isGone(server), 'the end of the server')
    const conf = join(tempDir(), 'tmux.conf')
    writeFileSync(conf, `set -g status-right mine\n${stdout}`)
    Bun.spawnSync(['tmux', '-f', conf, '-S', tmux.socket, 'new-session', '-d', 'sleep 600'])
    await until(() => tmux.say('list-keys').includes(' tmux next --client '), 'the key')
    expect(tmux.say('list-keys', '-T', 'prefix', 'N')).toContain(' tmux next --client ')
    expect(tmux.say('show-options', '-gv', 'status-right')).toEndWith('mine\n')
    await tmux.gantry('tmux', 'unapply')
    expect(tmux.say('show-options', '-gv', 'status-right')).toBe('mine\n')
  }, 120_000)

  test('a tmux that was killed is forgotten; the next one on the same socket is another', async () => {
    const home = makeHome()
    await using _ = await startDaemon(home)
    using tmux = openTmux(home, 1)
    await tmux.gantry('tmux', 'apply')
    expect(readdirSync(home.tmux)).toHaveLength(1)
    const [agent] = tmux.agents
    await agent?.hook(play('UserPromptSubmit'))
    await until(() => agent && tmux.status(agent) === 'working', 'the colour')
    const [file = ''] = readdirSync(home.tmux)
    const { pid } = JSON.parse(readFileSync(`${home.tmux}/${file}`, 'utf8')) as { pid: number }
    process.kill(pid, 'SIGKILL')
    await until(() => isGone(pid), 'the end of tmux')
    await sendFrame(home, {
      payload: '{"hook_event_name":"UserPromptSubmit","session_id":"else","prompt":"x"}',
    })
    await until(() => !existsSync(`${home.tmux}/${file}`), 'forgotten')
    tmux.say('new-session', '-d', '-x', '80', '-y', '24', 'sleep 600')
    const before = tmux.everything()
    await tmux.gantry('tmux', 'apply')
    await until(() => tmux.say('show-options', '-gqv', '@gantry_summary').includes('●'), 'the summary')
    await tmux.gantry('tmux', 'unapply')
    expect(tmux.everything()).toBe(before)
  }, 120_000)
})

const ROUNDS = rounds(2, 40)

describe('killed at any moment', () => {
  test(
    'apply and unapply leave what the next unapply can take back exactly',
    async () => {
      const home = makeHome()
      using tmux = openTmux(home, 2, OWN_OF_TWO)
      const before = tmux.everything()
      const TMUX = tmux.say('display-message', '-p', '#{socket_path},#{pid},0').trim()
      let cutShort = 0
      for (const command of ['apply', 'unapply']) {
        const began = performance.now()
        await tmux.gantry('tmux', 'apply')
        const wholeMs = performance.now() - began
        for (let round = 0; round < ROUNDS; round++) {
          await tmux.gantry('tmux', command === 'apply' ? 'unapply' : 'apply')
          // In even steps until after the end: how long that takes depends on the machine.
          const afterMs = wholeMs * (0.2 + round / ROUNDS)
          const child = Bun.spawn([GANTRY, 'tmux', command], {
            env: envFor(home, { TMUX }),
            stdin: 'ignore',
            stdout: 'ignore',
            stderr: 'ignore',
          })
          await within(child.exited, afterMs)
          if (child.exitCode === null) cutShort += 1
          child.kill('SIGKILL')
          await child.exited
          // A tmux that the killed one had started may still be at it.
          let last = ''
          await until(async () => {
            const now = tmux.everything()
            const same = now === last
            last = now
            await Bun.sleep(20)
            return same
          }, 'rest')
          expect((await tmux.gantry('tmux', 'unapply')).exit).toBe(0)
          expect(tmux.everything(), `${command} killed after ${afterMs} ms`).toBe(before)
        }
      }
      expect(cutShort).toBeGreaterThan(0)
    },
    limitMs(ROUNDS, 5_000),
  )
})

describe('gantry tmux apply without a tmux', () => {
  test('says what to do', async () => {
    const home = makeHome()
    using tmux = openTmux(home, 1)
    const away = await tmux.gantry('tmux', 'apply', '--socket', `${home.home}/none`)
    expect(away.exit).toBe(1)
    expect(away.stderr).toContain('Run this inside tmux, or name its socket with --socket')
  })
})
