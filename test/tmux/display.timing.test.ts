/** How soon tmux shows what an agent does. */
import { expect, test } from 'bun:test'
import { makeHome, startDaemon, until } from '../kit.ts'
import { openTmux, type PaneAgent, recorded } from './kit.ts'

const play = recorded('claude/2.1.325/i-basic.jsonl')
const FOLLOW_LIMIT_MS = 300
const FOLLOWING_PROGRAMS = 4

test('what a pane shows follows its agent within 300 ms', async () => {
  const home = makeHome()
  await using _ = await startDaemon(home)
  using tmux = openTmux(home, 1)
  const [agent] = tmux.agents as [PaneAgent]
  await tmux.gantry('tmux', 'apply')
  const took: number[] = []
  for (let round = 0; round < 5; round++)
    for (const [event, status] of [
      ['UserPromptSubmit', 'working'],
      ['Stop', 'done'],
    ] as const) {
      const began = performance.now()
      await agent.hook(play(event))
      const answered = performance.now()
      await until(() => tmux.status(agent) === status, status)
      // The way of the hook, a program and a turn of the daemon, is the floor. A pane follows by a few programs of tmux.
      took.push(performance.now() - answered - FOLLOWING_PROGRAMS * (answered - began))
    }
  // One of ten may have been the machine's.
  expect(took.filter((ms) => ms > FOLLOW_LIMIT_MS).length).toBeLessThanOrEqual(1)
}, 60_000)
