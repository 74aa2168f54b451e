/** `gantry run` in a real terminal, with an agent that needs no model: as if gantry were not there. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { childrenOf } from '../../src/core/processes/proc.ts'
import { GANTRY, isGone, makeHome, run, until } from '../kit.ts'
import { type Box, lines, makeBox, telling } from './kit.ts'

describe('an agent in a terminal', () => {
  let box: Box
  beforeAll(() => {
    box = makeBox(makeHome()) // and no daemon: hooks that find none start one, which these agents' do
  })
  afterAll(() => box.close())

  test('has its arguments, its name and its exit code', async () => {
    const screen = box.terminal('exit', telling('gantry run --agent-id nora -- claude --help -x'))
    await screen.shows(/hello \["--help","-x"\] as nora in a run/)
    await screen.press('x')
    await screen.shows(/gave 7/)
  })

  test('ends the run by the signal that ended it', async () => {
    const screen = box.terminal('signal', telling('gantry run claude'))
    await screen.shows(/hello/)
    await screen.press('k')
    await screen.shows(/gave 137/)
  })

  test('sees the size of the window, and that it changes', async () => {
    const screen = box.terminal('size', 'gantry run claude')
    await screen.shows(/size 140x50/)
    screen.resize(100, 30)
    await screen.shows(/size 100x30/)
    await screen.end('q')
  })

  test('gets Ctrl-C and decides what it means', async () => {
    const screen = box.terminal('interrupt', `trap : INT; ${telling('gantry run claude --cooked')}`)
    await screen.shows(/hello/)
    await screen.press('C-c')
    await lines(screen, /interrupted/, 1)
    await screen.press('C-c')
    await lines(screen, /interrupted/, 2)
    expect(screen.text()).not.toContain('gave')
    await screen.press('x', 'Enter')
    await screen.shows(/gave 7/)
  })

  test('is told to end when the run is', async () => {
    const screen = box.terminal('term', telling('gantry run claude'))
    await screen.shows(/hello/)
    const supervisors = childrenOf(Number(screen.fact('pane_pid')))
    expect(supervisors).toHaveLength(1)
    for (const pid of supervisors) process.kill(pid, 'SIGTERM')
    await screen.shows(/goodbye/)
    await screen.shows(/gave 143/)
  })

  test('ends with its terminal, and so does the run', async () => {
    const screen = box.terminal('hangup', 'exec gantry run claude')
    await screen.shows(/hello/)
    const pid = Number(screen.fact('pane_pid'))
    const both = [pid, ...childrenOf(pid)]
    expect(both).toHaveLength(2)
    screen.close()
    await until(() => both.every(isGone), 'the end of both')
  })

  const SHELL = 'exec bash --norc --noprofile -i'

  test('is paused by Ctrl-Z and goes on with fg', async () => {
    const screen = box.terminal('pause', SHELL)
    await screen.shows(/shell>/)
    await screen.press('gantry run claude --cooked', 'Enter')
    await screen.shows(/hello/)
    await screen.press('C-z')
    await screen.shows(/Stopped/)
    await screen.press('fg', 'Enter')
    await screen.press('C-c')
    await screen.shows(/interrupted/)
    await screen.press('q', 'Enter')
    await lines(screen, /shell>/, 3)
  })

  test('that pauses itself does not leave the shell waiting', async () => {
    const screen = box.terminal('self-pause', SHELL)
    await screen.shows(/shell>/)
    await screen.press('gantry run claude', 'Enter')
    await screen.shows(/hello/)
    await screen.press('z')
    await screen.shows(/Stopped/)
    await screen.press('fg', 'Enter')
    await screen.shows(/back again/)
    await screen.press('x')
    await screen.press('echo "gave $?"', 'Enter')
    await screen.shows(/gave 7/)
  })
})

describe('without a terminal', () => {
  const box = makeBox(makeHome())
  const gantry = (stdin: string, ...args: string[]) => run(['gantry', ...args], box.places, stdin, box.env)

  test('stdin, stdout, stderr and the exit code are the agent’s', async () => {
    const ran = await gantry('hello\n', 'run', 'sh', '-c', 'cat; echo oh >&2; exit 3')
    expect(ran).toEqual({ exit: 3, stdout: 'hello\n', stderr: 'oh\n' })
  })

  test('an agent finds gantry, also where it is not on the PATH', async () => {
    const { stdout } = await run([GANTRY, 'run', '/bin/sh', '-c', 'gantry --version'], box.places, '', {
      PATH: '/usr/bin:/bin',
    })
    expect(stdout).toStartWith('gantry ')
  })

  test('a program that is not there is named; nothing to run is a mistake', async () => {
    const none = await gantry('', 'run', 'no-such-agent')
    expect(none).toMatchObject({ exit: 1, stderr: expect.stringContaining('"no-such-agent"') })
    expect(await gantry('', 'run')).toMatchObject({ exit: 2, stderr: expect.stringContaining('gantry run') })
    expect(await gantry('', 'run', '--as', 'vim', 'x')).toMatchObject({ exit: 2 })
  })

  test('the run around it is not taken for its own', async () => {
    const line = 'gantry run sh -c "echo $GANTRY_RUN_ID \\$GANTRY_RUN_ID"'
    const { stdout } = await gantry('', 'run', 'sh', '-c', line)
    const [outer, inner] = stdout.trim().split(' ')
    expect(inner).toMatch(/^\w{26}\.1$/)
    expect(inner).not.toBe(outer)
    expect((await gantry('', 'run', 'sh', '-c', 'gantry run gemini; echo "$?"')).stdout).toBe('9\n')
  })
})
