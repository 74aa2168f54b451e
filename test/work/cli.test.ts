/** The commands of the work engine, as people, agents and coordinators use them, against a real daemon. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  call,
  type EffortDetail,
  type EffortView,
  type SessionView,
  type TaskView,
} from '../../src/client/index.ts'
import { gantry, makeHome, type RunningDaemon, startDaemon } from '../kit.ts'
import { makeProject, onTerminal, placeIn } from './places.ts'

setDefaultTimeout(120_000) // many processes each, on machines that are busy

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

const TOOL = { tool_name: 'Bash', tool_input: { command: 'npm test' } }
const PAYLOAD = { task: 'Search', decisions: ['FTS5'], files: ['src/search.ts'], nextSteps: ['rank', 'test'] }
// biome-ignore lint/suspicious/noControlCharactersInRegex: that none is there is the point
const DRIVES_TERMINAL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

/** A place with an effort, which was not begun by a command. */
async function begin(skill = 'implement') {
  const here = placeIn(at)
  const { id } = await call(at, 'effort.start', { cwd: here.cwd, skill })
  return { ...here, id, detail: () => call(at, 'effort.get', { effort: id }) }
}

describe('an effort', () => {
  test('goes from start to finish', async () => {
    const here = placeIn(at)
    const started = await here.gantry('effort', 'start', 'implement', '--title', 'Search', '--phase', 'plan')
    expect(started).toMatchObject({ exit: 0, stderr: '' })
    expect(started.stdout).toMatch(/^✓ effort \d+ implement · Search · phase plan\n/)

    await here.hook('SessionStart', { source: 'startup' })
    for (let i = 0; i < 3; i++) await here.hook('PreToolUse', { ...TOOL, tool_use_id: `t${i}` })
    expect(await here.json<EffortDetail>('effort', 'show')).toMatchObject({ heartbeat: 3, windows: 1 })
    expect((await here.gantry('effort', 'log', 'Index', 'built')).exit).toBe(0)
    expect((await here.gantry('effort', 'phase', 'build')).stdout).toContain('phase build')

    const shown = await here.json<EffortDetail>('effort', 'show')
    expect(shown).toMatchObject({
      skill: 'implement',
      heartbeat: 0,
      currentPhase: 'build',
      lifecycle: 'active',
    })
    expect(shown.phases.map(({ phase }) => phase)).toEqual(['plan', 'build'])
    expect(shown.sessions).toMatchObject([{ nativeId: here.session, prevSessionId: null, endedAt: null }])
    expect(shown.messages).toMatchObject([{ role: 'log', content: 'Index built' }])
    const log = readFileSync(shown.artifacts[0]?.path ?? '', 'utf8')
    expect(log).toMatch(/^- \S+Z Index built\n$/)

    const { stdout } = await here.gantry('effort', 'show', String(shown.id))
    for (const part of [
      'plan',
      '› build',
      'denied at 10',
      '0%',
      '#',
      'claude session-',
      'open',
      'Index built',
      '1_IMPLEMENT_LOG.md',
    ])
      expect(stdout).toContain(part)

    expect((await here.gantry('effort', 'finish')).stdout).toContain('finished')
    expect(await here.json<EffortView[]>('effort', 'list')).not.toContainEqual(
      expect.objectContaining({ id: shown.id }),
    )
    expect(await here.json<EffortView[]>('effort', 'list', '--all')).toContainEqual(
      expect.objectContaining({ id: shown.id, lifecycle: 'finished', windows: 1 }),
    )
  })

  test('takes its title, mode, folder, owner and numbers from the command line', async () => {
    const here = placeIn(at)
    const meta = '{"settings":{"heartbeat_block":2}}'
    const effort = await here.json<EffortView>(
      ...[
        'effort',
        'start',
        'fix',
        '--mode',
        'fast',
        '--task',
        'work',
        '--agent-id',
        'fixer',
        '--meta',
        meta,
      ],
    )
    expect(effort).toMatchObject({
      taskId: join(here.cwd, 'work'),
      mode: 'fast',
      agentId: 'fixer',
      ordinal: 1,
    })
    const env = { AGENT_ID: 'fixer' }
    await here.hook('PreToolUse', { ...TOOL, tool_use_id: 'a' }, env)
    const denied = await here.hook('PreToolUse', { ...TOOL, tool_use_id: 'b' }, env)
    expect(denied.stdout).toContain('gantry effort log')
    expect((await here.with({ env }, 'effort', 'log', 'a word')).exit).toBe(0)
    expect(existsSync(join(here.cwd, 'work/1_FIX_LOG.md'))).toBe(true)
  })

  test('begun beside another tells of it', async () => {
    const here = placeIn(at)
    const first = await here.json<EffortView>('effort', 'start', 'plan')
    const { stdout } = await here.gantry('effort', 'start', 'build')
    expect(stdout).toContain(`gantry effort finish --effort ${first.id}`)
    expect((await here.gantry('effort', 'finish', '--effort', String(first.id))).exit).toBe(0)
  })

  test('is logged from stdin, and with lists as agents write them', async () => {
    const here = await begin('write')
    await here.hook('SessionStart', { source: 'startup' })
    expect((await here.with({ stdin: 'from a pipe\n' }, 'effort', 'log')).exit).toBe(0)
    expect((await here.gantry('effort', 'log', '- tests pass\n- docs next')).exit).toBe(0)
    const { messages } = await here.detail()
    expect(messages.map(({ content }) => content)).toEqual(['from a pipe', '- tests pass\n- docs next'])
  })

  test('counts as logged where its file cannot be written, and says so', async () => {
    const here = placeIn(at)
    await here.gantry('effort', 'start', 'implement', '--task', 'a-file')
    rmdirSync(join(here.cwd, 'a-file'))
    writeFileSync(join(here.cwd, 'a-file'), '')
    await here.hook('PreToolUse', { ...TOOL, tool_use_id: 'a' })
    const { exit, stdout } = await here.gantry('effort', 'log', 'a word')
    expect({ exit, stdout }).toMatchObject({ exit: 0, stdout: expect.stringContaining('cannot be written') })
    expect(await here.json<EffortDetail>('effort', 'show')).toMatchObject({
      heartbeat: 0,
      messages: [{ content: 'a word' }],
    })
  })

  test('is not begun where its folder cannot be made', async () => {
    const here = placeIn(at)
    writeFileSync(join(here.cwd, 'a-file'), '')
    for (const dir of ['/proc/x', 'a-file', 'a-file/below']) {
      const { exit, stdout, stderr } = await here.gantry('effort', 'start', 'implement', '--task', dir)
      expect({ exit, stdout, stderr }).toEqual({
        exit: 1,
        stdout: '',
        stderr: expect.stringMatching(/cannot be made or written.*Name another with --task/),
      })
    }
    expect((await here.gantry('effort', 'show')).stderr).toContain('No effort is active here')
  })

  test('is not begun with settings or guards that would do nothing', async () => {
    const here = placeIn(at)
    const refused = async (meta: unknown) => {
      const { exit, stderr } = await here.gantry('effort', 'start', 'fix', '--meta', JSON.stringify(meta))
      expect({ meta, exit }).toEqual({ meta, exit: 1 })
      return stderr
    }
    expect(await refused({ settings: { heartbeat_warn: -1 } })).toContain('heartbeat_warn')
    expect(await refused({ settings: { heartbaet_block: 5 } })).toContain('unknown setting "heartbaet_block"')
    const condition = { field: 'phase', op: '>', value: 'plan' }
    const guard = { ruleId: 'later', condition, payload: 'x', urgency: 'block' }
    expect(await refused({ guards: [guard] })).toContain('phase is a name')
    expect(await refused({ guards: [{ ruleId: 'broken' }] })).toContain('condition')
    const there = await begin('fix')
    const { exit, stderr } = await there.gantry('effort', 'guard', JSON.stringify([guard]))
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining('phase is a name') })
  })

  test('of a folder below, and of no other folder', async () => {
    const here = await begin()
    const { id } = here
    const below = placeIn(at, here.cwd)
    expect((await below.json<EffortView>('effort', 'show')).id).toBe(id)
    const { exit, stderr } = await placeIn(at, makeProject()).gantry('effort', 'log', 'x')
    expect({ exit, stderr }).toEqual({
      exit: 1,
      stderr: 'gantry: No effort is active here. Begin one with: gantry effort start <skill>\n',
    })
  })

  test('belongs to the agent that AGENT_ID names', async () => {
    const here = placeIn(at)
    const as = (agent: string) => ({ env: { AGENT_ID: agent } })
    await here.with(as('anna'), 'effort', 'start', 'implement')
    await here.with(as('ben'), 'effort', 'start', 'review')
    await here.hook('SessionStart', { session_id: 'of-anna', source: 'startup' }, { AGENT_ID: 'anna' })
    await here.hook('SessionStart', { session_id: 'of-ben', source: 'startup' }, { AGENT_ID: 'ben' })
    await here.with(as('anna'), 'effort', 'log', 'by anna')
    const show = async (agent: string) =>
      JSON.parse((await here.with(as(agent), 'effort', 'show', '--json')).stdout) as EffortDetail
    const [anna, ben] = [await show('anna'), await show('ben')]
    expect(anna).toMatchObject({ skill: 'implement', agentId: 'anna', sessions: [{ nativeId: 'of-anna' }] })
    expect(ben).toMatchObject({
      skill: 'review',
      agentId: 'ben',
      messages: [],
      sessions: [{ nativeId: 'of-ben' }],
    })
    expect((await here.with(as('cleo'), 'effort', 'show')).stderr).toContain('No effort of agent "cleo"')
  })

  test('that is finished takes nothing more', async () => {
    const { id, ...here } = await begin()
    await here.gantry('effort', 'finish')
    const which = ['--effort', String(id)]
    for (const args of [['log', 'x'], ['phase', 'x'], ['inject', 'x'], ['finish'], ['guard', '[]']]) {
      const { exit, stderr } = await here.gantry('effort', ...args, ...which)
      expect({ args, exit, stderr }).toEqual({
        args,
        exit: 1,
        stderr: `gantry: Effort ${id} is finished. Begin another with: gantry effort start <skill>\n`,
      })
    }
    expect((await here.gantry('effort', 'show', String(id))).stdout).toStartWith('○')
  })

  test('is asked for in a way that makes sense', async () => {
    const here = placeIn(at)
    const wrong = async (...args: string[]) => {
      const { exit, stderr, stdout } = await here.gantry(...args)
      expect({ args, exit, stdout }).toEqual({ args, exit: 2, stdout: '' })
      return stderr
    }
    expect(await wrong('effort', 'start')).toContain('gantry effort start implement')
    expect(await wrong('effort', 'start', 'two words')).toContain('--title')
    expect(await wrong('effort', 'start', 'x', '--meta', '{oops')).toContain('heartbeat_block')
    expect(await wrong('effort', 'start', 'x', '--meta', '[1]')).toContain('JSON object')
    expect(await wrong('effort', 'log')).toContain('gantry effort log "')
    expect(await wrong('effort', 'phase')).toContain('gantry effort phase test')
    expect(await wrong('effort', 'show', 'many')).toContain('gantry effort list')
    expect(await wrong('effort', 'finish', '3')).toContain('--effort 3')
    expect(await wrong('effort', 'guard', 'no-such-file.json')).toContain('Cannot read')
    expect(await wrong('effort', 'nope')).toContain('gantry effort --help')
    expect((await here.gantry('effort', 'show', '--effort', '999999')).stderr).toContain('no effort 999999')
  })

  test('is only text on a terminal, whatever agents call it', async () => {
    const here = placeIn(at)
    const evil = 'a\u001b[2Jb\u202e\u0007'
    await here.gantry(
      'effort',
      'start',
      'x',
      '--title',
      evil,
      '--phase',
      evil,
      '--mode',
      evil,
      '--agent-id',
      evil,
    )
    const { id } = (await here.json<EffortView[]>('effort', 'list'))[0] as EffortView
    await here.hook('SessionStart', { source: evil }, { AGENT_ID: evil })
    await here.gantry('effort', 'log', evil, '--effort', String(id))
    for (const args of [
      ['effort', 'show', String(id)],
      ['effort', 'list'],
      ['task', 'list'],
      ['fleet', 'status'],
    ])
      expect((await here.gantry(...args)).stdout).not.toMatch(DRIVES_TERMINAL)
  })
})

describe('gantry effort dehydrate', () => {
  const begun = async () => {
    const here = await begin()
    await here.hook('SessionStart', { source: 'startup' })
    return here
  }
  const kept = async ({ detail }: Awaited<ReturnType<typeof begin>>) => {
    const { sessions } = await detail()
    return JSON.parse(sessions[0]?.dehydrationPayload ?? 'null')
  }

  test('keeps JSON from stdin; the next window begins with it and links back', async () => {
    const here = await begun()
    const { exit, stdout } = await here.with({ stdin: JSON.stringify(PAYLOAD) }, 'effort', 'dehydrate')
    expect(exit).toBe(0)
    expect(stdout).toContain('1 decision, 1 file, 2 next steps')
    expect(stdout).toContain('the next session on this effort begins with it')
    expect(await kept(here)).toEqual(PAYLOAD)
    const start = await here.hook('SessionStart', { session_id: `${here.session}-2`, source: 'clear' })
    expect(start.stdout).toContain('FTS5')
    const { sessions } = await here.detail()
    expect(sessions[1]).toMatchObject({ nativeId: `${here.session}-2`, prevSessionId: sessions[0]?.id })
    const shown = (await here.gantry('effort', 'show')).stdout
    expect(shown).toContain('written down, taken up')
    expect(shown).toContain(`#${sessions[1]?.id} ← ${sessions[0]?.id}`)
  })

  test('promises no fresh session where the supervisor is gone', async () => {
    const here = await begin()
    const env = { GANTRY_RUN_ID: 'run-1' }
    await here.hook('SessionStart', { source: 'startup' }, env)
    const said = await here.with({ stdin: JSON.stringify(PAYLOAD), env }, 'effort', 'dehydrate')
    expect(said.stdout).toContain('the next session on this effort begins with it')
  })

  test('takes a file, plain options, and what agents mean by it', async () => {
    const here = await begun()
    writeFileSync(join(here.cwd, 'state.json'), JSON.stringify(PAYLOAD))
    expect((await here.gantry('effort', 'dehydrate', '--from', 'state.json')).exit).toBe(0)
    expect(await kept(here)).toEqual(PAYLOAD)
    const plainly = [
      '--task',
      'Search',
      '--decision',
      '- a',
      '--decision',
      'b',
      '--file',
      'x.ts',
      '--next',
      'c',
    ]
    expect((await here.gantry('effort', 'dehydrate', ...plainly)).exit).toBe(0)
    expect(await kept(here)).toEqual({
      task: 'Search',
      decisions: ['- a', 'b'],
      files: ['x.ts'],
      nextSteps: ['c'],
    })
    const meant = '{"task":"Search","next_steps":"go on"}'
    expect((await here.with({ stdin: meant }, 'effort', 'dehydrate')).exit).toBe(0)
    expect(await kept(here)).toEqual({ task: 'Search', decisions: [], files: [], nextSteps: ['go on'] })
  })

  test('names what is missing, shows an example, and keeps nothing', async () => {
    const here = await begun()
    const refused = async (stdin: string, ...args: string[]) => {
      const { exit, stderr, stdout } = await here.with({ stdin }, 'effort', 'dehydrate', ...args)
      expect(stdout).toBe('')
      expect(stderr).toContain(`gantry effort dehydrate <<'EOF'`)
      return { exit, stderr }
    }
    expect(await refused('{oops')).toMatchObject({ exit: 2, stderr: expect.stringContaining('not JSON') })
    expect(await refused('')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('Nothing came on stdin'),
    })
    const empty = await refused('{}')
    expect(empty.exit).toBe(1)
    expect(empty.stderr).toContain('task is missing (what this is about); nextSteps is missing')
    expect((await refused('[1]')).stderr).toContain('must be a JSON object')
    expect((await refused('{"task":"x","nextSteps":["y"],"plan":1}')).stderr).toContain('no place for "plan"')
    expect((await refused('{"task":"x","nextSteps":[1]}')).stderr).toContain('nextSteps.0')
    expect((await refused('', '--file', 'state.json')).stderr).toContain('read with --from')
    expect(await kept(here)).toBeNull()
  })

  test('refuses what is too large to begin a window with', async () => {
    const here = await begun()
    const decisions = Array.from({ length: 60 }, () => 'x'.repeat(1_900))
    const large = JSON.stringify({ ...PAYLOAD, decisions })
    const { exit, stderr } = await here.with({ stdin: large }, 'effort', 'dehydrate')
    expect({ exit, stderr }).toMatchObject({ exit: 1, stderr: expect.stringContaining('Name files instead') })
    const huge = await here.with({ stdin: 'x'.repeat(1_100_000) }, 'effort', 'dehydrate')
    expect(huge).toMatchObject({ exit: 2, stderr: expect.stringContaining('More than 1 MB') })
    expect(await kept(here)).toBeNull()
  })

  test('needs an effort, and a window that it is written down in', async () => {
    const nowhere = await placeIn(at).with({ stdin: JSON.stringify(PAYLOAD) }, 'effort', 'dehydrate')
    expect(nowhere).toMatchObject({ exit: 1, stderr: expect.stringContaining('gantry effort start') })
    const here = await begin()
    const early = await here.with({ stdin: JSON.stringify(PAYLOAD) }, 'effort', 'dehydrate')
    expect(early).toMatchObject({ exit: 1, stderr: expect.stringContaining('no session yet') })
  })
})

describe('from outside', () => {
  test('a text is told to the agent once, after its next tool call', async () => {
    const here = await begin()
    await here.hook('SessionStart', { source: 'startup' })
    const { stdout } = await here.gantry('effort', 'inject', 'The API changed')
    expect(stdout).toContain('1 to be told')
    const call = { ...TOOL, tool_use_id: 'a', tool_response: 'ok' }
    expect((await here.hook('PostToolUse', call)).stdout).toContain('The API changed')
    expect((await here.hook('PostToolUse', { ...call, tool_use_id: 'b' })).stdout).not.toContain('The API')
  })

  test('guards are set, shown, and keep a tool from running', async () => {
    const here = await begin()
    await here.hook('SessionStart', { source: 'startup' })
    const guard = {
      ruleId: 'offline',
      condition: { field: 'tool', op: '==', value: 'WebFetch' },
      payload: 'No network in this effort.',
      urgency: 'block',
    }
    writeFileSync(join(here.cwd, 'guards.json'), JSON.stringify([guard]))
    expect((await here.gantry('effort', 'guard', 'guards.json')).stdout).toContain(
      'offline: block when tool == "WebFetch"',
    )
    expect(await here.json<unknown>('effort', 'guard')).toEqual([guard])
    const fetch = { tool_name: 'WebFetch', tool_input: { url: 'http://x' } }
    expect((await here.hook('PreToolUse', { ...fetch, tool_use_id: 'a' })).stdout).toContain('No network')
    expect((await here.hook('PreToolUse', { ...TOOL, tool_use_id: 'b' })).stdout).not.toContain('deny')
    const bad = await here.with({ stdin: '[{"ruleId":"x"}]' }, 'effort', 'guard', '-')
    expect(bad).toMatchObject({ exit: 1, stderr: expect.stringContaining('condition') })
    expect(await here.json<unknown>('effort', 'guard')).toEqual([guard])
    expect((await here.gantry('effort', 'guard', '[]')).exit).toBe(0)
    expect((await here.hook('PreToolUse', { ...fetch, tool_use_id: 'c' })).stdout).not.toContain('No network')
  })

  test('tasks gather efforts', async () => {
    const here = placeIn(at)
    await here.gantry('effort', 'start', 'plan', '--title', 'Search')
    await here.gantry('effort', 'finish')
    const { taskId } = await here.json<EffortView>('effort', 'start', 'build', '--title', 'Search')
    const task = (await here.json<TaskView[]>('task', 'list')).find(({ dirPath }) => dirPath === taskId)
    expect(task).toMatchObject({
      title: 'Search',
      active: true,
      efforts: [
        { skill: 'build', ordinal: 2 },
        { skill: 'plan', ordinal: 1 },
      ],
    })
    expect((await here.gantry('task', 'list')).stdout).toMatch(/● Search .*\n {2}● .*build.*\n {2}○ .*plan/)
  })
})

describe('gantry session', () => {
  test('has a timeline of hooks and of the work engine', async () => {
    const here = await begin()
    const { id } = here
    const session_id = 'timeline-1'
    const hook = (event: string, fields = {}) => here.hook(event, { session_id, ...fields })
    await hook('SessionStart', { source: 'startup' })
    await hook('UserPromptSubmit', { prompt: 'add a retry\u001b[2J' })
    await hook('PreToolUse', { ...TOOL, tool_use_id: 'a' })
    await hook('PermissionRequest', TOOL)
    await hook('PostToolUse', { ...TOOL, tool_use_id: 'a', tool_response: 'ok' })
    await here.gantry('effort', 'log', 'retry is in')
    await hook('Stop', { last_assistant_message: 'Done.' })

    const plainly = await gantry(at, 'session', session_id)
    expect(plainly.stdout).not.toContain('retry is in')
    const { stdout } = await gantry(at, 'session', session_id, '--timeline')
    const lines = stdout
      .slice(stdout.indexOf('\n\n') + 2)
      .trimEnd()
      .split('\n')
    expect(lines.map((line) => line.replace(/^ +\+0:\d\d {2}| +[\d.]+m?s$/g, ''))).toEqual([
      '◌ start          startup',
      expect.stringMatching(new RegExp(`^▣ window \\d+ +effort ${id} implement · the first$`)),
      '» prompt         add a retry',
      '✓ Bash           npm test',
      '△ permission     Bash  npm test → allowed',
      '✎ log            retry is in',
      '■ done           Done.',
    ])
    expect(stdout).not.toMatch(DRIVES_TERMINAL)
    const cut = await gantry(at, 'session', session_id, '--timeline', '--limit', '2')
    expect(cut.stdout).toMatch(/… earlier: .*\n.*✎ log.*\n.*■ done.*\n$/)

    const record = JSON.parse((await gantry(at, 'session', session_id, '--json')).stdout) as SessionView
    expect(record).toMatchObject({ id: session_id, phase: 'idle' })
    expect(record).not.toHaveProperty('timeline')
    const both = JSON.parse((await gantry(at, 'session', session_id, '--json', '--timeline')).stdout)
    expect(both).toMatchObject({ id: session_id, timeline: { length: 7 } })

    const screen = await onTerminal(at, 60, 'session', session_id)
    const shown = Bun.stripANSI(screen).split('\r\n')
    expect(shown.some((line) => line.includes('✎ log            retry is in'))).toBe(true)
    for (const line of shown.slice(shown.indexOf(''))) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(60)
  })
})
