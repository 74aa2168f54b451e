/** Bell and OSC in a real tmux: what the terminal of a person gets, byte for byte. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import { oscOf, waysTo, wrap } from '../../src/notify/channels/terminal.ts'
import { makeHome, type RunningDaemon, sendFrame, startDaemon, tempDir, until } from '../kit.ts'
import { openTmux, type Tmux } from '../tmux/kit.ts'

const BELL = '\u0007'
const servers: string[] = []
/** One daemon for all: each test gives it channels, and has a tmux of its own. */
const home = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(home)
})
afterEach(async () => {
  for (const server of servers.splice(0)) Bun.spawnSync(['tmux', '-S', server, 'kill-server'])
  await configure('')
})
afterAll(() => daemon.kill('SIGKILL'))

/** Has channels where there were none, or none where there were some. */
async function configure(text: string): Promise<void> {
  writeFileSync(home.configFile, `[http]\nport = 0\n${text}`)
  await until(
    async () => (await call(home, 'notify.test', { send: false })).length > 0 === (text !== ''),
    'the configuration',
  )
}

/** A terminal in which a person is attached to the server; all that is written to it ends up in a file. */
async function attach(tmux: Tmux) {
  const dir = tempDir()
  const server = join(dir, 'o')
  const file = join(dir, 'raw')
  const env = { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', LANG: 'C.UTF-8', SHELL: '/bin/sh' }
  const say = (...argv: string[]) =>
    Bun.spawnSync(['tmux', '-u', '-f', '/dev/null', '-S', server, ...argv], { env })
  servers.push(server)
  const client = `env -u TMUX tmux -u -S ${tmux.socket} attach-session -t '%0'`
  say(
    'new-session',
    '-d',
    '-x',
    '120',
    '-y',
    '30',
    `sleep 0.3; exec ${client}`,
    ';',
    'pipe-pane',
    `cat >${file}`,
  )
  await until(() => tmux.say('list-clients') !== '', 'the client')
  await until(() => existsSync(file) && readFileSync(file, 'utf8').includes('0:'), 'its screen')
  return {
    got: () => readFileSync(file, 'utf8'),
    /** What a terminal types when its window gets or loses the focus. */
    focus: (on: boolean) => void say('send-keys', '-l', on ? '\u001b[I' : '\u001b[O'),
  }
}

const channel = (kind: string, more = '') =>
  `[[notify.channels]]\nname = "term"\nkind = "${kind}"\nafter_s = 0\ncooldown_s = 0\n${more}\n`
const ask = (id: string) => ({
  hook_event_name: 'PermissionRequest',
  tool_name: 'Bash',
  tool_use_id: id,
  tool_input: { command: 'ls' },
})
/** About the agents of a test. */
const log = async ({ agents }: Tmux) =>
  (await call(home, 'notify.log')).filter((row) =>
    agents.some((agent) => row.session.includes(agent.session)),
  )

describe('in tmux', () => {
  test('the bell rings in the pane of the session: its window gets the mark', async () => {
    await configure(channel('bell'))
    using tmux = openTmux(home, 3) // the third has a window of its own, which nobody sees
    const flags = () =>
      tmux.say('display-message', '-p', '-t', tmux.agents[2]?.pane ?? '', '#{window_bell_flag}')
    expect(flags().trim()).toBe('0')
    await tmux.agents[2]?.hook(ask('c1'))
    await until(() => flags().trim() === '1', 'the bell')
    expect((await log(tmux))[0]?.outcome).toBe('sent')
  })

  test('an OSC 9 goes through the pane where tmux lets it pass', async () => {
    await configure(channel('osc', 'only_unfocused = false'))
    using tmux = openTmux(home, 1, [['set', '-g', 'allow-passthrough', 'on']])
    const terminal = await attach(tmux)
    await tmux.agents[0]?.hook(ask('c1'))
    await until(() => terminal.got().includes('\u001b]9;'), 'the sequence')
    expect(terminal.got()).toMatch(/\]9;[\w-]+ needs a permission: Permission for Bash/)
    const tty = tmux.say('display-message', '-p', '-t', '%0', '#{pane_tty}').trim()
    await until(async () => (await log(tmux))[0]?.detail === tty, 'the row')
  })

  test('an OSC goes straight to the terminal where tmux lets nothing pass, or the pane is not seen', async () => {
    await configure(channel('osc', 'form = "both"'))
    using tmux = openTmux(home, 3, [['set', '-g', 'allow-passthrough', 'on']])
    const terminal = await attach(tmux)
    await tmux.agents[2]?.hook(ask('c1'))
    await until(() => terminal.got().includes('\u001b]777;notify;'), 'the sequence')
    expect(terminal.got()).toContain('\u001b]9;')
  })

  test('nothing an agent says gets out of its sequence', async () => {
    await configure(channel('osc', 'form = "both"'))
    using tmux = openTmux(home, 3)
    const terminal = await attach(tmux)
    const before = terminal.got().length
    const hostile =
      'a\u0007\u001b]52;c;b3duZWQ=\u0007\u001b\\\u009d0;x\u009c;b #(touch x) \u202e\u001bPtmux;\u001b\u001b[2J'
    await tmux.agents[2]?.hook({ hook_event_name: 'UserPromptSubmit', prompt: 'go' })
    await tmux.agents[2]?.hook({ hook_event_name: 'Stop', last_assistant_message: hostile })
    const got = await until(() => {
      const text = terminal.got().slice(before)
      return text.includes(']777;notify;') && text.endsWith(BELL) ? text : undefined
    }, 'the sequence')
    expect(got).not.toContain(']52;')
    expect(got).not.toContain('\u001bPtmux')
    expect(got).not.toContain('[2J')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: each sequence ends once, where we ended it
    expect(got.match(/\u001b\](9|777);[^\u0000-\u001f\u007f-\u009f\u202e]*\u0007/g)).toHaveLength(2)
  })

  test('nobody is told of a pane that has the focus; losing it is enough', async () => {
    await configure(channel('bell'))
    using tmux = openTmux(home, 1, [['set', '-g', 'focus-events', 'on']])
    const terminal = await attach(tmux)
    await tmux.agents[0]?.hook(ask('c1'))
    await until(async () => (await log(tmux))[0]?.detail === 'you are looking at it', 'the row')
    await tmux.agents[0]?.hook({ ...ask('c1'), hook_event_name: 'PostToolUse' })
    terminal.focus(false)
    await until(() => !tmux.say('list-clients', '-F', '#{client_flags}').includes('focused'), 'the loss')
    await tmux.agents[0]?.hook(ask('c2'))
    await until(async () => (await log(tmux))[0]?.outcome === 'sent', 'the bell')
    expect(await log(tmux)).toHaveLength(2)
  })

  test('another pane of the same window is not looked at', async () => {
    await configure(channel('bell'))
    using tmux = openTmux(home, 2)
    await attach(tmux) // with the focus in the first pane
    tmux.say('select-pane', '-t', '%0')
    await tmux.agents[1]?.hook(ask('c1'))
    await until(async () => (await log(tmux))[0]?.outcome === 'sent', 'the bell')
  })

  test('a terminal that is held up with Ctrl-S is given up at once', async () => {
    await configure(channel('bell', 'only_unfocused = false'))
    using tmux = openTmux(home, 1)
    tmux.say('send-keys', '-t', '%0', 'C-s')
    await tmux.agents[0]?.hook(ask('c1'))
    await until(async () => (await log(tmux))[0]?.outcome === 'failed', 'the row')
    expect((await log(tmux))[0]?.detail).toContain('is blocked')
    tmux.say('send-keys', '-t', '%0', 'C-q')
    await tmux.agents[0]?.hook({ ...ask('c1'), hook_event_name: 'PostToolUse' })
    await tmux.agents[0]?.hook(ask('c2'))
    await until(async () => (await log(tmux))[0]?.outcome === 'sent', 'the bell')
  })
})

describe('without tmux', () => {
  test('the bell and the sequence go to the terminal of the agent', async () => {
    await configure(`${channel('bell')}${channel('osc').replace('"term"', '"osc"')}`)
    const agent = Bun.spawn(['script', '-qfec', 'echo $$; exec sleep 60', '/dev/null'], {
      stdin: 'ignore',
      stdout: 'pipe',
      env: { PATH: process.env.PATH ?? '', SHELL: '/bin/sh' },
    })
    try {
      let got = ''
      const reading = (async () => {
        for await (const chunk of agent.stdout) got += Buffer.from(chunk).toString()
      })()
      const pid = Number(await until(() => /\d+/.exec(got)?.[0], 'the agent'))
      const payload = JSON.stringify({ ...ask('c1'), session_id: 's1', cwd: '/' })
      await sendFrame(home, { payload, header: { env: { CLAUDE_PID: String(pid) } } })
      await until(() => got.includes(BELL) && /\]9;[\w-]+ needs a permission/.test(got), 'both')
      agent.kill('SIGKILL')
      await reading
    } finally {
      agent.kill('SIGKILL')
    }
  })
})

describe('the way to a terminal', () => {
  const viewer = { tty: '/dev/pts/9', showsPane: true, focused: true, activeAt: 0 }
  const view = { tty: '/dev/pts/1', visible: true, passthrough: 'on' as const, viewers: [viewer] }

  test('is the pane where sequences pass, else every client, and none where there is none', () => {
    expect(waysTo(view)).toEqual([{ tty: '/dev/pts/1', wrapped: true }])
    expect(waysTo({ ...view, visible: false })).toEqual([{ tty: '/dev/pts/9', wrapped: false }])
    expect(waysTo({ ...view, visible: false, passthrough: 'all' })).toEqual([
      { tty: '/dev/pts/1', wrapped: true },
    ])
    expect(waysTo({ ...view, passthrough: 'off' })).toEqual([{ tty: '/dev/pts/9', wrapped: false }])
    expect(waysTo({ ...view, viewers: [] })).toEqual([])
  })

  test('a title does not end where it has a semicolon', () => {
    expect(oscOf('777', { title: 'a;b', body: 'c;d\ne' })).toEqual(['\u001b]777;notify;a,b;c;d · e\u0007'])
    expect(wrap('\u001b]9;x\u0007')).toBe('\u001bPtmux;\u001b\u001b]9;x\u0007\u001b\\')
  })
})
