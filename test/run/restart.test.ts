/** What a fresh start is like in a terminal: real daemon, real hooks, real effort; only the agent has no model. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { call, type EffortView } from '../../src/client/index.ts'
import type { Screen } from '../agents/tmux.ts'
import { makeHome, type RunningDaemon, run, startDaemon, until } from '../kit.ts'
import { type Box, makeBox, telling } from './kit.ts'

const FRESH = /hello \["Go on with the effort/

let box: Box
let daemon: RunningDaemon
beforeAll(async () => {
  box = makeBox(makeHome())
  daemon = await startDaemon(box.places)
})
afterAll(async () => {
  box.close()
  await daemon.kill('SIGKILL')
})

/** A folder with an effort, and a command line in it. */
async function begin(name: string): Promise<EffortView> {
  const cwd = join(box.project, name)
  mkdirSync(cwd)
  return await call(box.places, 'effort.start', { cwd, skill: 'implement' })
}

function terminal(name: string, line: string): Screen {
  return box.terminal(name, `cd ${name} && ${line}`)
}

/** The agent is there, and its supervisor listens. */
async function ready({ places }: Box, screen: Screen): Promise<void> {
  await screen.shows(/hello/)
  await until(async () => (await call(places, 'status')).subscribers > 0, 'the supervisor at the daemon')
}

describe('an effort that is written down', () => {
  const headless = (name: string, ...args: string[]) => {
    const argv = ['env', '-C', join(box.project, name), 'gantry', 'run', 'claude', '-p', ...args]
    return run(argv, box.places, '', box.env)
  }

  test('without a terminal: the next one goes on where it ended, and its exit code counts', async () => {
    const { id } = await begin('headless')
    const ran = await headless('headless', '--dehydrates')
    expect(ran.stdout).toMatch(
      /hello \["-p","--dehydrates"\][\s\S]*written down[\s\S]*knows: Count the stars/,
    )
    expect(ran.stderr).toBe(`gantry: effort ${id} is written down: claude starts afresh and goes on\n`)
    expect(ran.exit).toBe(4)
  })

  test('one that is written down again and again is left alone in the end', async () => {
    await begin('storm')
    const ran = await headless('storm', '--always')
    expect(ran.exit).toBe(0)
    expect(ran.stdout.match(/in a run/g)).toHaveLength(5)
    expect(ran.stdout.match(/ alone/g)).toHaveLength(1)
    const said = ran.stderr.trim().split('\n')
    expect(said).toHaveLength(5)
    expect(said.at(-1)).toContain('restart 5 within 10 minutes')
  })

  test.concurrent('a fresh agent knows it, and goes on', async () => {
    const { id } = await begin('once')
    const screen = terminal('once', telling('gantry run claude --model opus --resume x'))
    await screen.shows(/hello/)
    await screen.press('d')
    await screen.shows(/written down/)
    await screen.shows(/goodbye/)
    await screen.shows(new RegExp(`gantry: effort ${id} is written down: claude starts afresh`))
    await screen.shows(/hello \["Go on with the effort.*","--model","opus"\]/)
    await screen.shows(/knows: Count the stars/)
    await screen.press('x')
    await screen.shows(/gave 7/)
    const { sessions } = await call(box.places, 'effort.get', { effort: id })
    expect(sessions.map(({ prevSessionId }) => prevSessionId)).toEqual([null, sessions[0]?.id ?? 0])
    expect(sessions[0]?.runId).not.toBe(sessions[1]?.runId)
  })

  test.concurrent('beside a second run in the same folder: each fresh agent goes on from its own window', async () => {
    const { id } = await begin('two')
    const first = terminal('two', telling('gantry run claude'))
    await first.shows(/hello/)
    const second = box.terminal('two-b', `cd two && ${telling('gantry run claude')}`)
    await second.shows(/hello/)
    await first.press('d')
    await first.shows(/knows: Count the stars/)
    const { sessions } = await call(box.places, 'effort.get', { effort: id })
    expect(sessions).toHaveLength(3)
    expect(sessions[2]).toMatchObject({ prevSessionId: sessions[0]?.id, recoveredFrom: sessions[0]?.id })
    expect(second.text()).not.toContain('afresh')
    for (const screen of [first, second]) {
      await screen.press('x')
      await screen.shows(/gave 7/)
    }
  })

  test.concurrent('an agent that does not want to end is ended, and the terminal is as it was', async () => {
    await begin('stubborn')
    const line =
      'stty -g > before; gantry run claude --stubborn; stty -g > after; cmp before after && echo same; sleep 60'
    const screen = terminal('stubborn', line)
    await screen.shows(/hello/)
    await screen.press('d')
    await screen.shows(/written down/)
    await screen.press('m')
    await until(() => screen.fact('alternate_on') === '1', 'the other screen')
    await until(() => FRESH.test(screen.text()), 'the fresh one', 60_000)
    expect(screen.fact('alternate_on')).toBe('0')
    expect(screen.fact('cursor_flag')).toBe('1')
    expect(screen.fact('mouse_any_flag')).toBe('0')
    await screen.press('q')
    await screen.shows(/same/)
  })

  test.concurrent('a launcher that leaves its agent behind: there are never two', async () => {
    await begin('launcher')
    const screen = terminal('launcher', 'gantry run --as claude launcher')
    await screen.shows(/hello/)
    await screen.press('d')
    await screen.shows(/goodbye/)
    await screen.shows(FRESH)
    expect(screen.text().indexOf('goodbye')).toBeLessThan(screen.text().search(FRESH))
    await screen.press('x')
    await until(() => screen.fact('pane_dead') === '1', 'the end')
  })

  test.concurrent('by an agent that the agent itself had started: it goes on', async () => {
    await begin('nested')
    await begin('by-itself')
    const screen = terminal('nested', telling('gantry run claude'))
    const byItself = terminal('by-itself', telling('gantry run claude'))
    await byItself.shows(/hello/)
    await screen.shows(/hello/)
    await screen.press('n')
    await screen.shows(/written down/)
    await byItself.press('d')
    await byItself.shows(FRESH) // this one was asked later
    expect(screen.text()).not.toContain('afresh')
    await byItself.press('x')
    await screen.press('x')
    await screen.shows(/gave 7/)
  })

  test.concurrent('a person who leaves in that moment has left', async () => {
    await begin('left')
    const screen = terminal('left', telling('gantry run claude'))
    await screen.shows(/hello/)
    await screen.press('l')
    await screen.shows(/gave 0/)
    expect(screen.text()).not.toMatch(FRESH)
  })
})

describe('a compaction', () => {
  test.concurrent('does not happen in a run: a fresh agent starts', async () => {
    const { id } = await begin('compaction')
    const screen = terminal('compaction', 'gantry run claude')
    await screen.shows(/hello/)
    await screen.press('c')
    await screen.shows(/compaction: no/)
    await screen.shows(new RegExp(`gantry: the context of effort ${id} is full: claude starts afresh`))
    await screen.shows(FRESH)
    await screen.end('q')
  })

  test.concurrent('happens where nobody would start the agent again', async () => {
    await begin('alone')
    const screen = terminal('alone', `GANTRY_RUN_ID=of-one-that-was-killed claude`)
    await screen.shows(/hello/)
    await screen.press('c')
    await screen.shows(/compaction: as it likes/)
    await screen.end('q')
  })
})

describe('the daemon', () => {
  test.concurrent('that was away and is back is heard again', async () => {
    const own = makeBox(makeHome())
    try {
      const gone = await startDaemon(own.places)
      await call(own.places, 'effort.start', { cwd: own.project, skill: 'implement' })
      const screen = own.terminal('away', 'gantry run claude')
      await ready(own, screen)
      await gone.kill('SIGKILL')
      await screen.press('C-l')
      await using _back = await startDaemon(own.places)
      await ready(own, screen)
      await screen.press('d')
      await screen.shows(FRESH)
      await screen.end('q')
    } finally {
      own.close()
    }
  })

  test.concurrent('that never comes is not missed', async () => {
    const lonely = makeBox(makeHome())
    try {
      const screen = lonely.terminal('never', telling("gantry run sh -c 'sleep 1; exit 6'"))
      await screen.shows(/gave 6/)
    } finally {
      lonely.close()
    }
  })
})
