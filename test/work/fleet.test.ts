/** Coordinators that wait for agents, with real processes that wait. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type AwaitedView, call, type EffortView } from '../../src/client/index.ts'
import { envFor, GANTRY, gantry, makeHome, type Ran, type RunningDaemon, startDaemon, until } from '../kit.ts'
import { processes } from '../litter.ts'
import { makeProject, type Place, placeIn } from './places.ts'

setDefaultTimeout(120_000) // many processes each, on machines that are busy

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

interface Waiting {
  readonly over: Promise<Ran>
  kill(): Promise<unknown>
}

/** A coordinator; it waits when this resolves. */
async function waiting(...args: string[]): Promise<Waiting> {
  const before = await connections()
  const child = Bun.spawn([GANTRY, 'fleet', 'await', ...args], {
    env: envFor(at),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  processes.add(child)
  void child.exited.then(() => processes.delete(child))
  const isThere = async () => (await connections()) > before
  // It looks first, which takes a moment, and then stays.
  const stays = async () => {
    if (!(await isThere())) return false
    await Bun.sleep(30)
    return isThere()
  }
  await until(stays, 'somebody who waits')
  return {
    over: (async () => ({
      stdout: await new Response(child.stdout).text(),
      stderr: await new Response(child.stderr).text(),
      exit: await child.exited,
    }))(),
    kill: () => {
      child.kill('SIGKILL')
      return child.exited
    },
  }
}

async function connections(): Promise<number> {
  return (await call(at, 'status')).connections
}

/** What earlier tests left. */
async function forget(): Promise<void> {
  await call(at, 'fleet.await', { timeoutMs: 0 })
}

/** An agent in the middle of a turn on an effort of its own. */
async function working(name: string): Promise<Place & { readonly env: Record<string, string> }> {
  const place = placeIn(at)
  const env = { AGENT_ID: name }
  await call(at, 'effort.start', { cwd: place.cwd, skill: 'implement', agentId: name })
  await place.hook('SessionStart', { source: 'startup' }, env)
  await place.hook('UserPromptSubmit', { prompt: 'go' }, env)
  await forget()
  return { ...place, env }
}

/** An effort in a folder of its own, which nobody works on. */
async function review(): Promise<EffortView> {
  return await call(at, 'effort.start', { cwd: makeProject(), skill: 'review' })
}

describe('gantry fleet await', () => {
  test('ends with CHILD when the turn of an agent is over', async () => {
    const child = await working('builder')
    const coordinator = await waiting('--timeout', '30s')
    await child.hook('Stop', { last_assistant_message: 'Done.' }, child.env)
    expect(await coordinator.over).toEqual({ exit: 0, stderr: '', stdout: 'CHILD  builder  done\n' })
    expect((await gantry(at, 'fleet', 'await', '--timeout', '0s')).stdout).toBe('TIMEOUT\n')
  })

  test('ends with CHILD when an agent needs somebody, and not when one starts to work', async () => {
    const child = await working('asker')
    const coordinator = await waiting('--timeout', '30s')
    await child.hook(
      'PreToolUse',
      { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'a' },
      child.env,
    )
    await child.hook('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } }, child.env)
    expect(await coordinator.over).toMatchObject({ exit: 0, stdout: 'CHILD  asker  attention\n' })
  })

  test('ends with CHILD when a teammate has nothing to do', async () => {
    const child = await working('lead')
    const coordinator = await waiting('--timeout', '30s')
    await child.hook('TeammateIdle', { teammate_name: 'tester', team_name: 'release' }, child.env)
    const { stdout } = await coordinator.over
    expect(stdout).toStartWith('CHILD  tester')
  })

  test('ends with WORK when an effort begins', async () => {
    await forget()
    const coordinator = await waiting('--timeout', '30s', '--json')
    const effort = await placeIn(at).json<EffortView>('effort', 'start', 'review')
    const { exit, stdout } = await coordinator.over
    expect(exit).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      result: 'WORK',
      signals: [{ kind: 'WORK', about: `effort ${effort.id}`, detail: 'review' }],
    })
  })

  test('tells at once what came while nobody waited, children first, and only once', async () => {
    const child = await working('early')
    const effort = await review()
    await child.hook('Stop', { last_assistant_message: 'Done.' }, child.env)
    const told = await gantry(at, 'fleet', 'await', '--timeout', '30s')
    expect(told).toMatchObject({
      exit: 0,
      stdout: `CHILD  early  done\nWORK   effort ${effort.id}  review\n`,
    })
    expect(await gantry(at, 'fleet', 'await', '--timeout', '0s')).toMatchObject({
      exit: 1,
      stdout: 'TIMEOUT\n',
    })
  })

  test('ends with TIMEOUT and exit 1 when nothing happens for so long', async () => {
    await forget()
    const start = performance.now()
    const { exit, stdout } = await gantry(at, 'fleet', 'await', '--timeout', '0.4s', '--json')
    expect(performance.now() - start).toBeGreaterThan(400)
    expect({ exit, found: JSON.parse(stdout) as AwaitedView }).toEqual({
      exit: 1,
      found: { result: 'TIMEOUT', signals: [] },
    })
  })

  test('loses nothing when whoever waited was killed', async () => {
    const child = await working('patient')
    const coordinator = await waiting('--timeout', '30s')
    await coordinator.kill()
    await child.hook('Stop', { last_assistant_message: 'Done.' }, child.env)
    expect((await gantry(at, 'fleet', 'await', '--timeout', '0s')).stdout).toBe('CHILD  patient  done\n')
  })

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'is told after a restart (%s) of what came before it, once',
    async (signal) => {
      const child = await working(`before-${signal}`)
      await child.hook('TeammateIdle', { teammate_name: 'tester', team_name: 'release' }, child.env)
      await child.hook('TaskCompleted', { task_id: '1', task_subject: 'Write tests' }, child.env)
      const effort = await review()
      await daemon.kill(signal)
      daemon = await startDaemon(at)
      const told = await gantry(at, 'fleet', 'await', '--timeout', '0s')
      expect(told.stdout.split('\n')).toEqual([
        expect.stringMatching(/^CHILD {2}tester/),
        'CHILD  Write tests  TaskCompleted',
        `WORK   effort ${effort.id}  review`,
        '',
      ])
      await daemon.kill(signal)
      daemon = await startDaemon(at)
      expect((await gantry(at, 'fleet', 'await', '--timeout', '0s')).stdout).toBe('TIMEOUT\n')
    },
  )

  test('waits through a restart of the daemon', async () => {
    const child = await working('lasting')
    const coordinator = await waiting('--timeout', '60s')
    await daemon.kill('SIGTERM')
    daemon = await startDaemon(at)
    await until(async () => (await connections()) > 1, 'the one who waits to come back')
    await child.hook('Stop', { last_assistant_message: 'Done.' }, child.env)
    expect((await coordinator.over).stdout).toBe('CHILD  lasting  done\n')
  })

  test('hears of its own project, of an effort, or of all; each agent and status once', async () => {
    const [one, two] = [await working('scoped-one'), await working('scoped-two')]
    const effort = (await call(at, 'effort.list', {})).find(({ agentId }) => agentId === 'scoped-two')
    const stops = async (child: typeof one, times: number) => {
      for (let i = 0; i < times; i++) {
        await child.hook('UserPromptSubmit', { prompt: 'go' }, child.env)
        await child.hook('Stop', { last_assistant_message: 'Done.' }, child.env)
      }
    }
    const look = async (...args: string[]) =>
      (await one.gantry('fleet', 'await', '--timeout', '0s', ...args)).stdout
    await stops(one, 5)
    await stops(two, 1)
    await until(
      async () =>
        (await call(at, 'fleet.await', { timeoutMs: 0, keep: true, project: two.cwd })).result === 'CHILD',
      'both signals',
    )
    expect([await look(), await look()]).toEqual(['CHILD  scoped-one  done\n', 'TIMEOUT\n'])
    expect(await look('--project', two.cwd)).toBe('CHILD  scoped-two  done\n')
    await stops(two, 1)
    expect(await look('--effort', String(effort?.id))).toBe('CHILD  scoped-two  done\n')
    await stops(two, 1)
    expect([await look(), await look('--all')]).toEqual(['TIMEOUT\n', 'CHILD  scoped-two  done\n'])
    for (const [args, says] of [
      [['--effort', '1', '--all'], 'not two'],
      [['--effort', '999999'], 'no effort 999999'],
      [['--project', '/'], 'no project around /'],
    ] as const)
      expect((await one.gantry('fleet', 'await', ...args)).stderr).toContain(says)
  })

  test('is told how long in a way that makes sense, and says when nobody is there', async () => {
    for (const span of ['soon', '10', '-1s', '']) {
      const { exit, stderr } = await gantry(at, 'fleet', 'await', `--timeout=${span}`)
      expect({ span, exit, stderr }).toEqual({
        span,
        exit: 2,
        stderr: expect.stringContaining('90s, 15m or 1h'),
      })
    }
    const away = await gantry(makeHome(), 'fleet', 'await')
    expect(away).toMatchObject({ exit: 3, stdout: '', stderr: expect.stringContaining('gantry up') })
  })
})

describe('gantry fleet status', () => {
  test('shows every agent, the most urgent first', async () => {
    const home = makeHome()
    await using _ = await startDaemon(home)
    expect((await gantry(home, 'fleet', 'status')).stdout).toContain('gantry effort start')
    await call(home, 'effort.start', { cwd: placeIn(home).cwd, skill: 'plan' })
    const idle = await gantry(home, 'fleet', 'status')
    expect(idle.stdout).toBe('No agent works on an effort yet. Those that are active: gantry effort list\n')
    for (const [name, event] of [
      ['quiet', { hook_event_name: 'Stop' }],
      ['stuck', { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: 'ls' } }],
      ['busy', { hook_event_name: 'UserPromptSubmit', prompt: 'more' }],
    ] as const) {
      const place = placeIn(home)
      const env = { AGENT_ID: name }
      await call(home, 'effort.start', { cwd: place.cwd, skill: 'implement', agentId: name })
      await place.hook('SessionStart', { source: 'startup' }, env)
      await place.hook('UserPromptSubmit', { prompt: 'go' }, env)
      await place.hook(event.hook_event_name, event, env)
    }
    const fleet = await until(async () => {
      const now = await call(home, 'fleet.status')
      return now.agents.length === 3 && now.status === 'attention' && now
    }, 'three agents')
    expect(Object.fromEntries(fleet.agents.map(({ id, status }) => [id, status]))).toEqual({
      stuck: 'attention',
      busy: 'working',
      quiet: 'done',
    })
    const { stdout } = await gantry(home, 'fleet', 'status')
    expect(stdout.split('\n').map((line) => line.split(/ +/)[1])).toEqual([
      'stuck',
      'busy',
      'quiet',
      undefined,
    ])
  })
})
