/** The completions, in the shells themselves: a real bash and zsh in a terminal with Tab, and fish's own engine. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { VISIBLE_COMMANDS } from '../../src/cli/commands.ts'
import { expectedAfter } from '../../src/cli/framework/completion.ts'
import type { Places } from '../../src/core/files/paths.ts'
import {
  envFor,
  gantry,
  makeHome,
  PROGRAMS,
  ROOT,
  type RunningDaemon,
  run,
  sendFrame,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'

const CHANNEL = '[[notify.channels]]\nname = "phone"\nkind = "bell"\n'
const home: Places = makeHome(CHANNEL)
const env = {
  ...envFor(home),
  PATH: `${PROGRAMS}:${process.env.PATH}`,
  TERM: 'xterm',
  LANG: 'C.UTF-8',
}
let daemon: RunningDaemon
let session: string

beforeAll(async () => {
  daemon = await startDaemon(home)
  await sendFrame(home, { payload: '{"hook_event_name":"SessionStart","session_id":"s1"}' })
  session = (await until(
    async () => (await gantry(home, 'complete', 'bash', 'session', '')).stdout.trim(),
    'a name',
  )) as string
})
afterAll(() => daemon.kill('SIGTERM').then(() => {}))

/** Types each line and presses Tab twice, which lists where there are several, until the screen has all the words. */
async function inShell(argv: readonly string[], setup: string, cases: readonly Case[]): Promise<void> {
  const socket = join(tempDir(), 's')
  const say = (...args: string[]) =>
    Bun.spawnSync(['tmux', '-u', '-f', '/dev/null', '-S', socket, ...args], { env })
  const type = (text: string, ...keys: string[]) => say('send-keys', '-l', text, ';', 'send-keys', ...keys)
  const screen = () => say('capture-pane', '-pJ').stdout.toString()
  try {
    say('new-session', '-d', '-x', '200', '-y', '50', '--', ...argv)
    await until(() => /[$#%] /.test(`${screen().trimEnd()} `), 'the prompt')
    type(`${setup}; clear; echo rea''dy`, 'Enter')
    await until(() => screen().includes('ready'), 'the set-up')
    for (const [i, [line, ...words]] of cases.entries()) {
      type(line, 'Tab', 'Tab')
      await until(() => words.every((word) => screen().includes(word)), `${words} after ${line}`)
      say('send-keys', 'C-u') // not Ctrl-C, which takes what was typed behind it along
      type(`clear; echo nex''t ${i}`, 'Enter')
      await until(() => screen().includes(`next ${i}`) && !screen().includes(line), 'an empty screen')
    }
  } finally {
    say('kill-server')
  }
}

/** A line, and what is on the screen once it is completed. */
type Case = readonly [line: string, ...words: string[]]

const cases = (): Case[] => [
  ['gantry bus sub', 'gantry bus subscribe'],
  ['gantry sessions --dial', 'gantry sessions --dialect'],
  ['gantry sessions --dialect tele', '--dialect teleclaude'],
  ['gantry rules ', 'list', 'check', 'test'],
  ['gantry session ', `gantry session ${session}`],
  ['gantry notify test ', 'gantry notify test phone'],
  ['gantry config set tui.bl', 'gantry config set tui.blink'],
  ['gantry config set tui.blink ', 'true', 'false'],
  ['gantry config set log.level w', 'log.level warn'],
  ['gantry config set notify.channels.phone.ki', 'notify.channels.phone.kind'],
  ['gantry config set notify.channels.phone.kind ', 'desktop', 'ntfy'],
  ['gantry guards set git-disc', 'gantry guards set git-discard'],
  ['gantry guards set git-discard ', 'watch', 'deny'],
]

describe('completions', () => {
  test('in bash', async () => {
    const setup = 'source <(gantry completions bash)'
    await inShell(['bash', '--norc', '--noprofile'], `PS1='$ '; ${setup}`, cases())
  }, 120_000)

  test('in bash, the value after an equals sign and the paths of files', async () => {
    const setup = "PS1='$ '; source <(gantry completions bash)"
    await inShell(['bash', '--norc', '--noprofile'], setup, [
      ['gantry sessions --dialect=tele', '--dialect=teleclaude'],
      [`gantry replay ${ROOT}/package.j`, 'package.json'],
    ])
  }, 120_000)

  test('in zsh', async () => {
    const setup = "PS1='$ '; autoload -U compinit; compinit -u -D; source <(gantry completions zsh)"
    await inShell(['zsh', '-f'], setup, cases())
  }, 120_000)

  test('in fish', async () => {
    const script = (await gantry(home, 'completions', 'fish')).stdout
    const wanted: [string, unknown][] = [
      ['gantry bus sub', expect.arrayContaining(['subscribe'])],
      ['gantry sessions --dial', expect.arrayContaining(['--dialect'])],
      ['gantry sessions --dialect ', expect.arrayContaining(['coop', 'teleclaude'])],
      ['gantry rules ', expect.arrayContaining(['list', 'check', 'test'])],
      ['gantry session ', expect.arrayContaining([session])],
      ['gantry notify test ', expect.arrayContaining(['phone'])],
      ['gantry inst', expect.arrayContaining(['install'])],
      ['gantry bus ', expect.not.arrayContaining(['install'])],
    ]
    const ask = wanted.map(([line]) => `echo "= ${line}"; complete -C "${line}"`).join('; ')
    const ran = await run(['fish', '--no-config', '-c', `source -; ${ask}`], home, script, env)
    expect(ran.stderr).toBe('')
    const offered = ran.stdout.split(/^= /m).slice(1)
    const got: unknown[] = offered.map((text) => {
      const [line, ...rows] = text.split('\n')
      return [line, rows.map((row) => row.split('\t')[0])]
    })
    expect(got).toEqual(wanted)
  }, 120_000)

  test('offer each word once, also a command that the first argument of another names', async () => {
    const words = (await gantry(home, 'complete', 'bash', 'rules', '')).stdout.trim().split('\n')
    expect(words).toContain('list')
    expect(words).toHaveLength(new Set(words).size)
  })

  test('of a setting, with an option behind its key', async () => {
    const words = ['config', 'set', 'http.enabled', '--home', home.home ?? '', '']
    expect((await gantry(home, 'complete', 'bash', ...words)).stdout).toBe('true\nfalse\n')
  })

  test('of keys are keys that config show knows', async () => {
    const keys = (await gantry(home, 'complete', 'bash', 'config', 'show', 'notify.channels.')).stdout
    expect(keys).toContain('notify.channels.phone.after_s\n')
    for (const key of ['notify.channels.phone.after_s', 'notify.channels.0.after_s']) {
      const { stdout } = await gantry(home, 'config', 'show', key)
      expect(stdout, key).toStartWith('notify.channels.0.after_s')
    }
  })

  test('know every command and every option', async () => {
    const after = (...words: string[]) => expectedAfter(words, VISIBLE_COMMANDS).words.map(([word]) => word)
    for (const { name, options = {} } of VISIBLE_COMMANDS) {
      const words = name.split(' ')
      expect(after(...words.slice(0, -1), ''), name).toContain(words.at(-1) ?? '')
      const offered = after(...words, '--')
      for (const option of [...Object.keys(options), 'home']) expect(offered, name).toContain(`--${option}`)
    }
  })

  test('know where a command ends, what an option takes, and whose words come after', async () => {
    const at = (...words: string[]) => expectedAfter(words, VISIBLE_COMMANDS)
    expect(at('--home', '/x', 'bus', '').words.map(([word]) => word)).toContain('subscribe')
    expect(at('help', 'bus', '').words.map(([word]) => word)).toContain('subscribe')
    expect(at('events', '--limit', '5', '--session', '').value).toMatchObject({ kind: 'session' })
    expect(at('events', '--session=a')).toMatchObject({ typed: 'a', value: { kind: 'session' } })
    expect(at('events', '').words.map(([word]) => word)).toContain('import')
    expect(at('events', '--session=').words).toEqual([])
    expect(at('install', 'claude', '--yes', '').value).toMatchObject({ kind: 'agent' })
    expect(at('run', '--agent-id', 'x', '').value).toMatchObject({ kind: 'command' })
    expect(at('run', 'claude', '--').words).toEqual([])
    expect(at('status', '').value).toBeUndefined()
    expect(at('nothing', '')).toEqual({ words: [], typed: '' })
  })

  test('offer nothing, quickly and quietly, when the daemon is away', async () => {
    const away = makeHome()
    const ran = await gantry(away, 'complete', 'bash', 'session', '')
    expect(ran).toEqual({ exit: 0, stdout: '', stderr: '' })
    expect(existsSync(away.socket)).toBe(false) // nor is one started
  })

  test('for a shell that is not known are a mistake of usage', async () => {
    const ran = await gantry(home, 'completions', 'powershell')
    expect(ran.exit).toBe(2)
    expect(ran.stderr).toContain('There are: bash, zsh, fish')
  })
})
