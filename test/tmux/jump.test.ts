/** The way to a pane: by name, to the next that needs somebody, and what is said when there is none. */
import { describe, expect, test } from 'bun:test'
import type { SessionView } from '../../src/sessions/state/index.ts'
import { gantry, gantryJson, makeHome, sendFrame, startDaemon, until } from '../kit.ts'
import { openTmux, type PaneAgent, recorded } from './kit.ts'

const play = recorded('claude/2.1.325/i-basic.jsonl')
const broken = recorded('claude/2.1.325/_one-of-each.jsonl')

async function blocked(agent: PaneAgent): Promise<void> {
  await agent.hook(play('UserPromptSubmit'))
  await agent.hook(play('PreToolUse'))
  await agent.hook(play('PermissionRequest'))
}

describe('gantry tmux jump and next', () => {
  test('go to panes across windows and sessions, errors first, then round', async () => {
    const home = makeHome()
    await using _ = await startDaemon(home)
    using tmux = openTmux(home, 4)
    const [a, b, c, d] = tmux.agents as [PaneAgent, PaneAgent, PaneAgent, PaneAgent]
    tmux.say('new-session', '-d', '-s', 'other', 'sleep 600')
    tmux.say('join-pane', '-d', '-s', d.pane, '-t', 'other:')
    await tmux.gantry('tmux', 'apply')
    const terminal = tmux.attach()
    const client = await until(() => terminal.client(), 'a client')
    const here = () => tmux.say('display-message', '-p', '-c', client, '#{pane_id}').trim()
    const none = await tmux.gantry('tmux', 'next')
    expect([none.exit, none.stderr]).toEqual([1, 'gantry: Nobody needs you.\n'])
    await blocked(b)
    await blocked(d)
    await c.hook(play('UserPromptSubmit'))
    await c.hook(broken('StopFailure'))
    await a.hook(play('UserPromptSubmit'))
    // On a busy machine a hook may have gone by the spool.
    const name = await until(async () => {
      const sessions = (await gantryJson(home, 'sessions', '--json')) as SessionView[]
      return sessions.find(({ id }) => id === a.session)?.name
    }, 'the session')
    const jumped = await tmux.gantry('tmux', 'jump', name, '--client', client)
    expect([jumped.exit, jumped.stderr, here()]).toEqual([0, '', a.pane])
    // By the key, as a person does it.
    for (const pane of [c.pane, b.pane, d.pane, c.pane]) {
      terminal.keys('C-b', 'g')
      await until(() => here() === pane, `at ${pane}`, 15_000)
    }
  }, 120_000)

  test('take the client to another server', async () => {
    const home = makeHome()
    await using _ = await startDaemon(home)
    using mine = openTmux(home, 1)
    using other = openTmux(home, 2)
    const [, far] = other.agents as [PaneAgent, PaneAgent]
    const terminal = mine.attach()
    const client = await until(() => terminal.client(), 'a client')
    await blocked(far)
    other.say('select-pane', '-t', '%0')
    const { exit, stderr } = await mine.gantry('tmux', 'next', '--client', client)
    expect([exit, stderr]).toEqual([0, ''])
    await until(
      () => other.say('list-clients', '-F', '#{pane_id}').trim() === far.pane,
      'the client there',
      15_000,
    )
    expect(mine.say('list-clients')).toBe('')
  }, 120_000)

  test('say what is wrong: not in tmux, no pane, a pane that is gone, a server that is gone', async () => {
    const home = makeHome()
    await using _ = await startDaemon(home)
    using tmux = openTmux(home, 2)
    const [a, b] = tmux.agents as [PaneAgent, PaneAgent]
    await blocked(a)
    await b.hook(play('UserPromptSubmit'))
    const outside = await gantry(home, 'tmux', 'next')
    expect(outside.exit).toBe(1)
    expect(outside.stderr).toBe(
      `gantry: You are not in tmux. Go there with: tmux -S ${tmux.socket} attach-session -t '${a.pane}'\n`,
    )
    expect((await tmux.gantry('tmux', 'jump')).exit).toBe(2)
    expect((await tmux.gantry('tmux', 'jump', 'nobody')).stderr).toContain('There is no session "nobody"')
    tmux.say('kill-pane', '-t', b.pane)
    const gone = await tmux.gantry('tmux', 'jump', b.session)
    expect(gone.stderr).toContain(`Its pane ${b.pane} is gone.`)
    for (const bad of ['/etc/passwd,1,0', `${tmux.socket},1,0`, `/tmp/' ; touch x ; ',1,0`]) {
      const payload = JSON.stringify({ ...play('UserPromptSubmit'), session_id: 'hostile' })
      await sendFrame(home, { payload, header: { tmux: bad, pane: '%0' } })
      const refused = await tmux.gantry('tmux', 'jump', 'hostile')
      expect(refused.exit).toBe(1)
      expect(refused.stderr).toContain('The tmux server of its pane %0 is gone.')
    }
    tmux.say('kill-server')
    const lost = await gantry(home, 'tmux', 'jump', a.session)
    expect(lost.stderr).toContain(`The tmux server of its pane ${a.pane} is gone.`)
  }, 120_000)
})
