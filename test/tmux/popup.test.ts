/** The fleet in a popup, by its key, in a terminal that is attached to a real tmux. */
import { expect, test } from 'bun:test'
import type { SessionView } from '../../src/sessions/state/index.ts'
import { gantryJson, isGone, makeHome, startDaemon, until } from '../kit.ts'
import { openTmux, type PaneAgent, recorded } from './kit.ts'

const play = recorded('claude/2.1.325/i-basic.jsonl')
const LIMIT_MS = 60_000 // a program starts in the popup, on a machine that may be busy

test('the key opens the fleet over the panes, the pane below goes on, and q closes it', async () => {
  const home = makeHome('[summary]\nmode = "off"\n')
  await using _ = await startDaemon(home)
  using tmux = openTmux(home, 1)
  const [agent] = tmux.agents as [PaneAgent]
  await agent.hook(play('UserPromptSubmit'))
  const [session] = (await gantryJson(home, 'sessions', '--json')) as SessionView[]
  const name = session?.name ?? 'nobody'
  await tmux.gantry('tmux', 'apply')
  const terminal = tmux.attach()
  await until(() => terminal.client(), 'a client', LIMIT_MS)
  const shows = (what: string) => () => terminal.screen().includes(what)
  expect(shows(name)()).toBe(false)

  terminal.keys('C-b', 'G')
  await until(shows(name), `${name} in the popup`, LIMIT_MS)
  const pid = popupOf(tmux.say('display-message', '-p', '#{pid}').trim())
  expect(pid).toBeGreaterThan(0)
  // What happens below reaches the popup, so it is the fleet of this home, and alive.
  await agent.hook(play('PreToolUse'))
  await agent.hook(play('PermissionRequest'))
  await until(shows('Permission for'), 'the request in the popup', LIMIT_MS)
  expect(shows('┌')()).toBe(true)

  terminal.keys('q')
  await until(() => isGone(pid), 'the end of the popup', LIMIT_MS)
  await until(() => !shows('┌')(), 'the panes again', LIMIT_MS)
  expect(tmux.say('list-panes', '-a', '-F', '#{pane_id} #{pane_dead}').trim()).toBe(`${agent.pane} 0`)
}, 120_000)

/** The program in the popup: a child of the server that is in no pane. */
function popupOf(server: string): number {
  const { stdout } = Bun.spawnSync(['ps', '-o', 'pid=,args=', '--ppid', server])
  const line = stdout
    .toString()
    .split('\n')
    .find((one) => /(bin|dist)\/gantry(?!-)|main\.ts/.test(one))
  return Number.parseInt(line ?? '0', 10)
}
