/** The fleet in a real tmux: what keys do, what comes from agents, what happens when the daemon goes and comes back. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import { childrenOf } from '../../src/core/processes/proc.ts'
import {
  daemonPid,
  endDaemon,
  envFor,
  GANTRY,
  isGone,
  makeHome,
  ROOT,
  type RunningDaemon,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'
import { processes } from '../litter.ts'
import { startTmux, type TestPane, type Tmux } from './terminal.ts'
import { makeWorld, type World } from './world.ts'

const LIMIT_MS = 60_000
/** A pane that is still there afterwards, and says how it went. */
const STAYING = `${GANTRY}; echo left with $?; exec sleep 600`

const home = makeHome('[summary]\nmode = "off"\n')
let daemon: RunningDaemon
let tmux: Tmux
let world: World
/** Something that takes text, in a pane of the same tmux: what it got is on its screen. */
let agent: TestPane

const RULES = `rules:
  - { id: no-force-push, on: PreToolUse, match: { tool.input.command: "git push --force" }, decision: deny }
`

beforeAll(async () => {
  await Bun.write(join(home.rules, 'a.yaml'), RULES)
  daemon = await startDaemon(home)
  tmux = await startTmux()
  agent = tmux.open(['sh', '-c', 'echo agent is here; stty -echo; exec cat -v'], {
    env: envFor(home),
    name: 'agent',
  })
  await agent.shows('agent is here')
  const here = { pane: agent.id, tmux: tmux.variable }
  world = await makeWorld(home, { cleanup: here, flaky: here, release: here })
}, LIMIT_MS)

afterAll(async () => {
  await tmux[Symbol.asyncDispose]()
  await daemon.kill('SIGKILL')
  await endDaemon(home)
})

async function open(width = 100, height = 36): Promise<TestPane> {
  const pane = tmux.open(['sh', '-c', STAYING], { env: envFor(home), width, height })
  await pane.shows('● live')
  return pane
}

/** For all who select a session first: a start of the fleet takes longer than most of these tests. */
let kept: Promise<TestPane> | undefined
function theOne(): Promise<TestPane> {
  kept ??= open()
  return kept
}

async function select(pane: TestPane, name: string): Promise<void> {
  pane.keys('/', 'C-u', name)
  await pane.shows(`/${name}▏`)
  pane.keys('Enter')
  await pane.shows(`${name} ──`)
}

async function leave(pane: TestPane): Promise<void> {
  pane.keys('q')
  await pane.shows(/^left with 0$/m)
}

describe('the fleet on a terminal', () => {
  test(
    'follows what agents do, and says what one asks',
    async () => {
      const pane = await open()
      await world.tell('fresh', 'UserPromptSubmit', { prompt: 'wire the \u001b[31mmonitor\u001b[0m\u0007' })
      await world.tell('fresh', 'PreToolUse', {
        tool_name: 'Bash',
        tool_input: { command: 'make' },
        tool_use_id: 'x1',
      })
      await pane.shows(/● ✻ ready-bison +Bash +.*wire the monitor/i)
      await world.tell('fresh', 'PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'make' } })
      await pane.shows(/▲ ✻ ready-bison +Permission for Bash/)
      await pane.shows('4 need you')
      await world.tell('fresh', 'PostToolUse', {
        tool_name: 'Bash',
        tool_input: { command: 'make' },
        tool_use_id: 'x1',
        tool_response: '',
      })
      await pane.shows('3 need you')
      await leave(pane)
    },
    LIMIT_MS,
  )

  test(
    'says at once what was denied, and by which rule',
    async () => {
      const pane = await theOne()
      await select(pane, 'ready-bison')
      await world.tell('fresh', 'PreToolUse', {
        tool_name: 'Bash',
        tool_input: { command: 'git push --force' },
        tool_use_id: 'denied-1',
      })
      await pane.shows(/ready-bison +denied by no-force-push: git pus/)
      const shown = await pane.shows(/✗ Bash git push --force → denied by no-force-push/)
      expect(shown).not.toMatch(/git push --force.*runs/)
    },
    LIMIT_MS,
  )

  test(
    'searches while one types, filters, and shows all again',
    async () => {
      const pane = await open()
      pane.keys('z') // what is found is unfolded
      await pane.lacks('shiny-vole')
      pane.keys('/', 'terraform')
      await pane.shows(hasNot('lively-ferret', 'shiny-vole'))
      pane.keys('Escape')
      await pane.shows('▸ acme')
      pane.keys('z')
      await pane.shows('lively-ferret')
      pane.keys('f')
      await pane.shows(hasNot('witty-zebra', 'quiet-mole'))
      pane.keys('f')
      await pane.shows(hasNot('quiet-mole', 'golden-buck'))
      pane.keys('Escape')
      await pane.shows('sunny-dolphin')
      await leave(pane)
    },
    LIMIT_MS,
  )

  test(
    'n goes from one that needs you to the next',
    async () => {
      const pane = await open()
      await pane.shows(/▌ +✖ ✻ quiet-mole/)
      pane.keys('n')
      await pane.shows(/▌ +▲ ✻ lively-ferret/)
      pane.keys('n')
      await pane.shows(/▌ +▲ ✻ clever-penguin/)
      pane.keys('n')
      await pane.shows(/▌ +✖ ✻ quiet-mole/)
      await leave(pane)
    },
    LIMIT_MS,
  )

  test(
    'takes another size at once, down to 60 by 15 and below',
    async () => {
      const pane = await open()
      pane.resize(60, 15)
      const small = await open(60, 15)
      await until(
        () => steady(pane) === steady(small),
        'the same screen as one that began so small',
        LIMIT_MS,
      )
      expect(small.lines().every((line) => Bun.stringWidth(line) <= 60)).toBe(true)
      expect(small.text()).toContain('? help  q quit')
      pane.resize(20, 4)
      await pane.shows('gantry')
      pane.resize(150, 40)
      await pane.shows(/│ ── ✻ quiet-mole/)
      await leave(pane)
      await leave(small)
    },
    LIMIT_MS,
  )

  test(
    'shows the screen of the pane, without what could drive a terminal',
    async () => {
      const pane = await theOne()
      await select(pane, 'shiny-vole')
      pane.keys('Tab')
      await pane.shows('agent is here')
      pane.keys('Tab')
      await pane.lacks('agent is here')
    },
    LIMIT_MS,
  )

  test(
    'sends text as it is to one that is idle, and none to one that works or waits for a permission',
    async () => {
      const pane = await theOne()
      await select(pane, 'shiny-vole')
      pane.keys('s')
      await pane.shows('to shiny-vole:')
      tmux.run('send-keys', '-t', pane.id, '-l', 'Enter $(id) #{pane_id} ; -l ü')
      pane.keys('Enter')
      await agent.shows('Enter $(id) #{pane_id} ; -l M-CM-<')
      await pane.shows('Sent to shiny-vole.')
      await select(pane, 'fleet-raven')
      pane.keys('s')
      await pane.shows('fleet-raven is working: text goes only to an agent that is idle or asks.')
      await select(pane, 'lively-ferret')
      pane.keys('s')
      await pane.shows('waits for a decision')
    },
    LIMIT_MS,
  )

  test(
    'i sends Escape to one that works',
    async () => {
      const pane = await theOne()
      await select(pane, 'fleet-raven')
      pane.keys('i')
      await pane.shows('Escape sent to fleet-raven.')
      tmux.run('send-keys', '-t', agent.id, 'Enter')
      await agent.shows('^[')
    },
    LIMIT_MS,
  )

  test(
    'does nothing to a pane of a tmux that was started again',
    async () => {
      await world.tell(
        'docs',
        'agentStop',
        { stopReason: 'end_turn' },
        { pane: agent.id, tmux: `${tmux.socket},1,0` },
      )
      const pane = await theOne()
      await select(pane, 'sunny-dolphin')
      await pane.shows(`pane ${agent.id}`) // a key before that would be about a session without one
      pane.keys('s')
      await pane.shows('to sunny-dolphin:')
      pane.keys('nobody', 'Enter')
      await pane.shows(/Its pane %\d+ is gone\./)
      expect(agent.text()).not.toContain('nobody')
    },
    LIMIT_MS,
  )

  test(
    'enter takes the client to the pane and marks the session as seen',
    async () => {
      const pane = await open()
      // A terminal in a tmux of its own that is attached to the one under test.
      await using outer = await startTmux()
      const session = tmux.run('display-message', '-p', '-t', pane.id, '#{session_name}').trim()
      const client = outer.open(['tmux', '-u', '-S', tmux.socket, 'attach', '-t', session], {
        env: envFor(home),
      })
      await client.shows('● live')
      await select(pane, 'shiny-vole')
      pane.keys('Enter')
      await client.shows('agent is here')
      const seen = async () => (await call(home, 'sessions.get', { session: 'shiny-vole' })).seen
      await until(seen, 'that it was seen')
      await pane.shows(/○ ⬡ shiny-vole +idle/)
      await leave(pane)
    },
    LIMIT_MS,
  )

  test(
    'outside of tmux, enter attaches, and detaching comes back to the fleet',
    async () => {
      await using outer = await startTmux()
      const pane = outer.open(['env', '-u', 'TMUX', '-u', 'TMUX_PANE', 'sh', '-c', STAYING], {
        env: envFor(home),
      })
      await pane.shows('● live')
      await select(pane, 'shiny-vole')
      pane.keys('Enter')
      await pane.shows('agent is here')
      pane.keys('C-b', 'd')
      await pane.shows('shiny-vole ──')
      pane.keys('Escape')
      await pane.shows('lively-ferret')
      await leave(pane)
    },
    LIMIT_MS,
  )

  test(
    'K ends the agent’s process, and only after a yes',
    async () => {
      const file = join(tempDir(), 'pid')
      const victim = tmux.open(['sh', '-c', `sleep 300 & echo $! > ${file}; wait`], {
        env: envFor(home),
        name: 'victim',
      })
      const pid = Number(await until(() => existing(file), 'the pid of the agent'))
      const header = { pane: victim.id, tmux: tmux.variable, env: { CLAUDE_PID: String(pid) } }
      await world.tell(
        'search',
        'PreToolUse',
        { tool_name: 'Bash', tool_input: {}, tool_use_id: 'k1' },
        header,
      )
      const pane = await theOne()
      await select(pane, 'noble-ant')
      await pane.shows(`pane ${victim.id}`)
      pane.keys('K')
      await pane.shows(new RegExp(`End noble-ant \\(claude, pid ${pid}, pane ${victim.id}\\)\\?`))
      pane.keys('n')
      await pane.lacks('End noble-ant')
      expect(isGone(pid)).toBe(false)
      pane.keys('K')
      await pane.shows('End noble-ant')
      pane.keys('y')
      await until(() => isGone(pid), 'the end of the agent')
      await pane.shows(/noble-ant has ended/)
    },
    LIMIT_MS,
  )

  test(
    'K leaves a process alone that only has the number of the agent',
    async () => {
      const bystander = Bun.spawn(['sleep', '300'], { stdio: ['ignore', 'ignore', 'ignore'] })
      processes.add(bystander)
      // The session said its last before the process began: another one must have had the number then.
      const old = { at: Date.now() - 60_000, env: { CLAUDE_PID: String(bystander.pid) } }
      await world.tell('copy', 'PostCompact', { trigger: 'auto' }, old)
      const pane = await open()
      await select(pane, 'golden-buck')
      pane.keys('K')
      await pane.shows('End golden-buck')
      pane.keys('y')
      await pane.shows('has no process or pane that can be seen from here')
      expect(bystander.exitCode).toBeNull()
      bystander.kill()
      await leave(pane)
    },
    LIMIT_MS,
  )

  test(
    'a click selects, the wheel moves',
    async () => {
      const pane = await open()
      const at = pane.lines().findIndex((line) => line.includes('witty-zebra'))
      const mouse = (code: number, x: number, y: number) =>
        tmux.run('send-keys', '-t', pane.id, '-l', `\u001b[<${code};${x + 1};${y + 1}M`)
      mouse(0, 10, at)
      await pane.shows(/▌ +● ▣ witty-zebra/)
      mouse(64, 10, at)
      await pane.shows(/▌ +[✓○] ◈ sunny-dolphin/)
      await leave(pane)
    },
    LIMIT_MS,
  )

  test(
    'says when the daemon is away, starts it with a key, and goes on',
    async () => {
      const pane = await open()
      await daemon.kill('SIGKILL')
      await pane.shows('○ daemon away')
      expect(await pane.shows('u start it')).toContain('lively-ferret')
      pane.keys('u')
      await until(() => daemonPid(home), 'a daemon', LIMIT_MS)
      await pane.shows('● live', LIMIT_MS)
      await world.tell('fresh', 'Stop', { stop_hook_active: false, last_assistant_message: 'back again' })
      await pane.shows(/✓ ✻ ready-bison +done · denied by no-force-push/)
      await leave(pane)
    },
    LIMIT_MS,
  )

  test(
    'without a terminal it is the help, and a terminal that is closed ends it',
    async () => {
      const piped = Bun.spawnSync([GANTRY], { env: envFor(home) })
      expect(piped.stdout.toString()).toContain('Usage: gantry')
      const pane = await open()
      const pid = inside(pane)
      tmux.run('kill-pane', '-t', pane.id)
      await until(() => isGone(pid), 'the end of the fleet', LIMIT_MS)
    },
    LIMIT_MS,
  )

  test(
    'leaves the terminal as it was, also when it is told to end',
    async () => {
      const script = `${GANTRY}; stty -a | grep -o -- '-\\?icanon'; echo left; exec sleep 600`
      const pane = tmux.open(['sh', '-c', script], { env: envFor(home) })
      await pane.shows('● live')
      expect(tmux.run('display-message', '-p', '-t', pane.id, '#{alternate_on} #{mouse_any_flag}')).toBe(
        '1 1\n',
      )
      process.kill(inside(pane), 'SIGTERM')
      expect(await pane.shows('left')).toMatch(/^icanon$/m)
      expect(tmux.run('display-message', '-p', '-t', pane.id, '#{alternate_on} #{mouse_any_flag}')).toBe(
        '0 0\n',
      )
    },
    LIMIT_MS,
  )
})

test(
  'a fault in drawing gives the terminal back and says what it was',
  async () => {
    const broken = join(tempDir(), 'broken.ts')
    const source = readFileSync(join(ROOT, 'src/tui/model/frame.ts'), 'utf8')
    const fault = source.replace(
      'const rows = rowsOf(state)',
      "const rows = rowsOf(state); if (state.filter === 'needs') throw new Error('a fault')",
    )
    expect(fault).not.toBe(source)
    writeFileSync(
      broken,
      `import { plugin } from 'bun'
plugin({ name: 'broken', setup: (build) => {
  build.onLoad({ filter: /tui.model.frame.ts$/ }, () => ({ contents: ${JSON.stringify(fault)}, loader: 'ts' }))
} })`,
    )
    const main = join(ROOT, 'src/cli/main.ts')
    const line = `${process.execPath} --preload ${broken} ${main}; echo left with $?; exec sleep 600`
    const pane = tmux.open(['sh', '-c', line], { env: envFor(home) })
    await pane.shows('● live')
    pane.keys('f')
    expect(await pane.shows(/^left with 1$/m)).toContain('gantry: the screen failed: a fault')
  },
  LIMIT_MS,
)

test('no other command loads what draws the screen', () => {
  const hidden = join(tempDir(), 'hide.ts')
  writeFileSync(
    hidden,
    `import { plugin } from 'bun'
plugin({ name: 'none', setup: (build) => { build.onResolve({ filter: /^(@opentui|react)/ }, () => { throw new Error('loaded') }) } })
`,
  )
  const argv = [process.execPath, '--preload', hidden, join(ROOT, 'src/cli/main.ts'), '--help']
  const { stdout, success } = Bun.spawnSync(argv, { env: envFor(home) })
  expect(success).toBe(true)
  expect(stdout.toString()).toContain('the fleet, on a terminal')
})

/** A screen with the second and without the first: a single look may find it half drawn. */
function hasNot(gone: string, there: string): RegExp {
  return new RegExp(`^(?![\\s\\S]*${gone})[\\s\\S]*${there}`)
}

/** Ages go on from one look to the next. */
function steady(pane: TestPane): string {
  return pane.text().replace(/\d+[smh]\b/g, '')
}

/** The program that the pane's shell runs. */
function inside(pane: TestPane): number {
  const [child] = childrenOf(Number(tmux.run('display-message', '-p', '-t', pane.id, '#{pane_pid}')))
  if (child === undefined) throw new Error(`nothing runs in ${pane.id}`)
  return child
}

function existing(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
