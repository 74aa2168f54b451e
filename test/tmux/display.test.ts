/** What tmux shows follows the agents in its panes, on the screen of somebody who is attached. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionView } from '../../src/sessions/state/index.ts'
import { gantry, gantryJson, HOOK, makeHome, run, sendFrame, startDaemon, tempDir, until } from '../kit.ts'
import { openTmux, type PaneAgent, recorded, type Tmux } from './kit.ts'

const play = recorded('claude/2.1.325/i-basic.jsonl')
const broken = recorded('claude/2.1.325/_one-of-each.jsonl')
const YELLOW = '\u001b[33m│'

const summary = (tmux: Tmux) => tmux.say('show-options', '-gqv', '@gantry_summary').trim()

/** A border has the colour of its letter and no background. */
const borders = (screen: string) => screen.replaceAll('\u001b[49m', '')

/** For those who need no daemon of their own: they end their sessions, which are counted. */
const shared = makeHome()
beforeAll(async () => void (await startDaemon(shared)))

describe('three agents in three panes', () => {
  test('colours, marks and the status line follow', async () => {
    const home = makeHome('[tmux]\npane = "both"\n')
    await using _ = await startDaemon(home)
    using tmux = openTmux(home, 3)
    const [a, b, c] = tmux.agents as [PaneAgent, PaneAgent, PaneAgent]
    await tmux.gantry('tmux', 'apply')
    const terminal = tmux.attach()
    await until(() => terminal.client() !== '', 'a client')
    const follows = async (agent: PaneAgent, payload: Record<string, unknown>, status: string) => {
      await agent.hook(payload)
      await until(() => tmux.status(agent) === status, `${status} of ${agent.pane}`)
    }
    for (const agent of [a, b, c]) await follows(agent, play('SessionStart'), 'done')
    for (const agent of [a, b, c]) await follows(agent, play('UserPromptSubmit'), 'working')
    await until(() => summary(tmux) === '#[fg=green]●3#[default]', 'three that work')
    await follows(b, play('PreToolUse'), 'working')
    await follows(b, play('PermissionRequest'), 'attention')
    await follows(c, broken('StopFailure'), 'error')
    await follows(a, play('Stop'), 'done')
    await until(() => summary(tmux).includes('✖1'), 'the summary')
    const sessions = (await gantryJson(home, 'sessions', '--json')) as SessionView[]
    const nameOf = (agent: PaneAgent) => sessions.find(({ id }) => id === agent.session)?.name ?? '?'
    expect(summary(tmux)).toMatch(
      new RegExp(
        `^#\\[fg=red\\]✖1#\\[default\\] #\\[fg=yellow\\]▲1#\\[default\\] #\\[fg=cyan\\]✓1#\\[default\\] #\\[fg=red\\]${nameOf(c)}: `,
      ),
    )
    // On the screen: the line and the marks of both windows (b in the first, c in the second) in their colours.
    const shown = await until(() => {
      const text = terminal.screen()
      const line = text.trimEnd().split('\n').at(-1) ?? ''
      return line.includes('✖1') && text
    }, 'the status line')
    const line = shown.trimEnd().split('\n').at(-1) ?? ''
    expect(line).toContain(nameOf(c))
    expect(line.indexOf('▲')).toBeGreaterThan(0)
    expect(line.indexOf('▲')).toBeLessThan(line.indexOf('✖'))
    expect(line).toMatch(/✖.*✖1/)
    // b shares the first window and needs somebody: its border and its background.
    await until(() => borders(terminal.screen()).includes(YELLOW), 'a yellow border')
    await until(() => /\[48;(2;51;41;10|5;\d+)m/.test(terminal.screen()), 'a background')
    // An agent that ends leaves its pane as it was.
    await b.hook(play('SessionEnd'))
    await until(() => tmux.status(b) === '', 'the end')
    await until(() => !borders(terminal.screen()).includes(YELLOW), 'the border of before')
  }, 120_000)

  test('the most urgent of two sessions in one pane counts', async () => {
    const home = shared
    using tmux = openTmux(home, 1)
    const [a] = tmux.agents as [PaneAgent]
    await tmux.gantry('tmux', 'apply')
    await a.hook(play('UserPromptSubmit'))
    await a.hook({ ...play('UserPromptSubmit'), session_id: 'inner' })
    await a.hook({ ...play('PreToolUse'), session_id: 'inner' })
    await a.hook({ ...play('PermissionRequest'), session_id: 'inner' })
    await until(() => tmux.status(a) === 'attention', 'attention')
    await a.hook({ ...play('SessionEnd'), session_id: 'inner' })
    await until(() => tmux.status(a) === 'working', 'working')
    await a.hook(play('SessionEnd'))
  }, 120_000)

  test('a daemon that stops takes its colours with it, one that was killed is put right by the next', async () => {
    const home = makeHome()
    const first = await startDaemon(home)
    using tmux = openTmux(home, 2)
    const [a, b] = tmux.agents as [PaneAgent, PaneAgent]
    await tmux.gantry('tmux', 'apply')
    await a.hook(play('UserPromptSubmit'))
    await b.hook(play('UserPromptSubmit'))
    await until(() => tmux.status(a) === 'working' && tmux.status(b) === 'working', 'colours')
    await first.kill('SIGTERM')
    expect([tmux.status(a), tmux.status(b), summary(tmux)]).toEqual(['', '', ''])
    const second = await startDaemon(home)
    await until(() => tmux.status(a) === 'working' && tmux.status(b) === 'working', 'colours again')
    await second.kill('SIGKILL')
    tmux.say('set-option', '-p', '-t', b.pane, '@gantry_status', 'error') // as a stale one would be
    await using _ = await startDaemon(home)
    await until(() => tmux.status(b) === 'working', 'the truth')
    await until(() => summary(tmux).includes('●2'), 'the summary')
  }, 120_000)

  test('other colours in the configuration show at once', async () => {
    const home = makeHome()
    await using _ = await startDaemon(home)
    using tmux = openTmux(home, 1)
    const [a] = tmux.agents as [PaneAgent]
    await tmux.gantry('tmux', 'apply')
    await a.hook(play('UserPromptSubmit'))
    const border = () => tmux.say('show-options', '-pqv', '-t', a.pane, '@gantry_border').trim()
    await until(() => border() === 'green', 'green')
    writeFileSync(home.configFile, '[http]\nport = 0\n[tmux]\nworking = "#FFDD00"\n')
    await until(() => border() === '#ffdd00', 'the other colour')
    await until(() => summary(tmux) === '#[fg=#ffdd00]●1#[default]', 'the summary')
    expect(tmux.say('show-options', '-gv', '@gantry_badge')).toContain('#[fg=#ffdd00]●')
  }, 120_000)

  test('a server that was not applied is not touched', async () => {
    const home = shared
    using shown = openTmux(home, 1)
    using other = openTmux(home, 1)
    const [a] = shown.agents as [PaneAgent]
    const [b] = other.agents as [PaneAgent]
    await shown.gantry('tmux', 'apply')
    const before = other.everything()
    await b.hook(play('UserPromptSubmit'))
    await a.hook(play('UserPromptSubmit'))
    await until(() => shown.status(a) === 'working', 'the colour')
    expect(other.everything()).toBe(before)
    await until(() => summary(shown).includes('●2'), 'both counted')
    for (const agent of [a, b]) await agent.hook(play('SessionEnd'))
  }, 120_000)
})

describe('the work it takes', () => {
  test('is nothing where nothing is applied, and one process for a burst', async () => {
    const home = makeHome()
    const shim = tempDir()
    const log = join(shim, 'log')
    writeFileSync(log, '')
    writeFileSync(join(shim, 'tmux'), `#!/bin/sh\necho "$*" >>${log}\nexec ${Bun.which('tmux')} "$@"\n`, {
      mode: 0o755,
    })
    await using _ = await startDaemon(home, { PATH: `${shim}:${process.env.PATH}` })
    using tmux = openTmux(home, 1)
    const where = tmux.say('display-message', '-p', '#{socket_path},#{pid},0').trim()
    const told = () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.includes('source-file')).length
    const burst = (event: string) =>
      Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          sendFrame(home, {
            payload: JSON.stringify({ ...play(event), session_id: `many-${i}` }),
            header: { tmux: where, pane: `%${i}` }, // but for the first, panes that are not there
          }),
        ),
      )
    await gantry(home, 'tmux', 'status') // since then the daemon keeps the line in a file, too
    await burst('UserPromptSubmit')
    await until(() => readFileSync(home.tmuxStatus, 'utf8').includes('●40'), 'the line in the file')
    expect(told()).toBe(0)
    await tmux.gantry('tmux', 'apply')
    await until(() => summary(tmux).includes('●40'), 'the summary')
    const before = told()
    await burst('Stop')
    await until(() => summary(tmux).includes('✓40'), 'the next summary')
    expect(tmux.say('show-options', '-pqv', '-t', '%0', '@gantry_status')).toBe('done\n')
    expect(told() - before).toBeLessThanOrEqual(4)
  }, 120_000)
})

describe('what agents say', () => {
  test('runs nothing and drives nothing in the status line', async () => {
    const home = shared
    using tmux = openTmux(home, 1)
    const [a] = tmux.agents as [PaneAgent]
    const trap = join(tempDir(), 'trap')
    await tmux.gantry('tmux', 'apply')
    const terminal = tmux.attach()
    await until(() => terminal.client() !== '', 'a client')
    const evil = `#(touch ${trap})#[fg=blue]#{pid}\u001b]0;owned\u0007\u001b[2J%H' ; run-shell 'touch ${trap}' ; '\n#`
    await a.hook(play('UserPromptSubmit'))
    await a.hook({ hook_event_name: 'PermissionRequest', tool_name: evil, tool_input: {} })
    await until(() => tmux.status(a) === 'attention', 'attention')
    const line = await until(() => summary(tmux).includes('Permission for') && summary(tmux), 'the summary')
    expect(line.replaceAll(/#\[(fg=\w+|default)\]/g, '')).not.toContain('#')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
    expect(line).not.toMatch(/[\u0000-\u001f]/)
    await until(() => terminal.screen().includes('Permission for'), 'the line on the screen')
    const native = await run([HOOK, '--tmux-status'], home)
    expect(native.stdout).toBe(`${line}\n`)
    expect(existsSync(trap)).toBe(false)
  }, 120_000)
})

describe('a look', () => {
  test('marks what is done as seen, and nothing else', async () => {
    const home = makeHome()
    await using _ = await startDaemon(home)
    using tmux = openTmux(home, 2)
    const [a, b] = tmux.agents as [PaneAgent, PaneAgent]
    const terminal = tmux.attach()
    await until(() => terminal.client() !== '', 'a client')
    await tmux.gantry('tmux', 'apply') // as people do: they are attached already
    tmux.say('select-pane', '-t', b.pane)
    await a.hook(play('UserPromptSubmit'))
    await until(() => tmux.status(a) === 'working', 'working')
    tmux.say('select-pane', '-t', a.pane)
    tmux.say('select-pane', '-t', b.pane)
    await a.hook(play('Stop'))
    await until(() => tmux.status(a) === 'done', 'done')
    tmux.say('select-pane', '-t', a.pane)
    await until(() => tmux.status(a) === 'checked', 'checked')
    await until(() => summary(tmux) === '○1', 'the summary')
  }, 120_000)
})

describe('gantry tmux status', () => {
  test('is asked once, then read from a file that its daemon keeps', async () => {
    const home = makeHome()
    const daemon = await startDaemon(home)
    using tmux = openTmux(home, 1)
    const [a] = tmux.agents as [PaneAgent]
    expect(existsSync(home.tmuxStatus)).toBe(false)
    await a.hook(play('UserPromptSubmit'))
    expect(existsSync(home.tmuxStatus)).toBe(false)
    const status = async () => (await tmux.gantry('tmux', 'status')).stdout
    expect(await status()).toBe('#[fg=green]●1#[default]\n')
    expect(readFileSync(home.tmuxStatus, 'utf8')).toBe(`${daemon.pid}\n#[fg=green]●1#[default]\n`)
    await a.hook(play('Stop'))
    await until(async () => (await status()) === '#[fg=cyan]✓1#[default]\n', 'the next line')
    expect((await run([HOOK, '--tmux-status'], home)).stdout).toBe('#[fg=cyan]✓1#[default]\n')
    await daemon.kill('SIGKILL')
    const away = await tmux.gantry('tmux', 'status')
    expect([away.exit, away.stdout]).toEqual([1, ''])
    expect(away.stderr).toContain('gantry up')
  }, 120_000)
})
