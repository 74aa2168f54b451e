/** `gantry bus watch` in a real tmux: messages as they come, held, filtered, with their payload, through a restart. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { envFor, GANTRY, makeHome, type RunningDaemon, sendFrame, startDaemon } from '../kit.ts'
import { startTmux, type TestPane, type Tmux } from './terminal.ts'

const LIMIT_MS = 60_000
const home = makeHome('[summary]\nmode = "off"\n')
let daemon: RunningDaemon
let tmux: Tmux

beforeAll(async () => {
  daemon = await startDaemon(home)
  tmux = await startTmux()
}, LIMIT_MS)

afterAll(async () => {
  await tmux[Symbol.asyncDispose]()
  await daemon.kill('SIGTERM')
})

const tell = (session_id: string, hook_event_name: string, fields: Record<string, unknown>) =>
  sendFrame(home, {
    payload: JSON.stringify({ session_id, cwd: '/work/acme', hook_event_name, ...fields }),
    header: { ppid: 1 },
  })

function open(args: string, width = 100, height = 24): TestPane {
  const line = `${GANTRY} bus watch ${args}; echo left with $?; exec sleep 600`
  return tmux.open(['sh', '-c', line], { env: envFor(home), width, height })
}

describe('bus watch on a terminal', () => {
  test(
    'shows messages as they come, one type of them, and a payload',
    async () => {
      const pane = open('')
      await pane.shows('● live')
      await tell('one', 'UserPromptSubmit', { prompt: 'fix the \u001b[31mupload' })
      await tell('one', 'PreToolUse', {
        tool_name: 'Bash',
        tool_input: { command: 'npm test' },
        tool_use_id: 'a',
      })
      await tell('two', 'Notification', { message: 'done', notification_type: 'other' })
      const seen = await pane.shows(/Notification +done/)
      expect(seen).toContain('fix the upload')
      expect(seen).toMatch(/PreToolUse +Bash npm test/)
      pane.keys('/', 'npm', 'Enter')
      await pane.lacks('fix the upload')
      pane.keys('Enter')
      await pane.shows('"command": "npm test"')
      pane.keys('Enter', 'f', '/', 'C-u', 'Enter')
      expect(await pane.lacks('/npm')).not.toContain('fix the upload')
      pane.keys('q')
      await pane.shows('left with 0')
    },
    LIMIT_MS,
  )

  test(
    'is held while more comes, and goes on where it was after a restart of the daemon',
    async () => {
      const pane = open('')
      await pane.shows('● live')
      await tell('three', 'Stop', { last_assistant_message: 'before' })
      await pane.shows('before')
      pane.keys('p')
      await pane.shows('‖ held')
      await tell('three', 'Stop', { last_assistant_message: 'meanwhile' })
      expect(await pane.shows(/‖ held \+[1-9]/)).not.toContain('meanwhile')
      pane.keys('p')
      await pane.shows('meanwhile')
      await daemon.kill('SIGKILL')
      await pane.shows('○ daemon away')
      daemon = await startDaemon(home)
      await pane.shows('● live')
      await tell('three', 'Stop', { last_assistant_message: 'afterwards' })
      expect(await pane.shows('afterwards')).toContain('meanwhile')
      pane.keys('q')
      await pane.shows('left with 0')
    },
    LIMIT_MS,
  )

  test(
    'a filter that cannot be is an error in words, with the terminal as it was',
    async () => {
      const pane = open('--filter "hooks..x y"')
      const said = await pane.shows(/left with [12]/)
      expect(said).toContain('gantry: ')
      expect(tmux.run('display-message', '-p', '-t', pane.id, '#{alternate_on}')).toBe('0\n')
    },
    LIMIT_MS,
  )

  test(
    '--plain prints lines, as it does where there is no terminal',
    async () => {
      const pane = open('--plain')
      await Bun.sleep(0)
      const sent = setInterval(() => void tell('four', 'Stop', { last_assistant_message: 'plain line' }), 200)
      try {
        const text = await pane.shows('plain line')
        expect(text).not.toContain('gantry bus')
      } finally {
        clearInterval(sent)
      }
      pane.keys('C-c')
    },
    LIMIT_MS,
  )
})
