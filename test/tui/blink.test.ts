/** Attention blinks where somebody asks for it, and never with reduced motion. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  envFor,
  GANTRY,
  gantry,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'
import { startTmux, type Tmux } from './terminal.ts'

const LIMIT_MS = 120_000
const home = makeHome('[summary]\nmode = "off"\n')
let daemon: RunningDaemon
let tmux: Tmux

beforeAll(async () => {
  daemon = await startDaemon(home)
  const asks = { hook_event_name: 'PermissionRequest', session_id: 's1', tool_name: 'Bash' }
  const payload = JSON.stringify({ ...asks, tool_input: { command: 'make' } })
  await sendFrame(home, { event: 'PermissionRequest', payload })
  tmux = await startTmux()
}, LIMIT_MS)

afterAll(async () => {
  await tmux[Symbol.asyncDispose]()
  await daemon.kill('SIGTERM')
})

/** The fleet, and whether its sign of attention blinks: attribute 5, where `38;5;n` and `48;5;n` are colours. */
async function open(env: Record<string, string> = {}) {
  const pane = tmux.open([GANTRY], { env: envFor(home, env) })
  await pane.shows(/▲ ✻ .*Permission for Bash/)
  return () => {
    const painted = tmux.run('capture-pane', '-p', '-e', '-t', pane.id).replace(/[34]8;5;\d+/g, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequence of the attribute is looked for
    return /\u001b\[([\d;]*;)?5(;[\d;]*)?m(\u001b\[[\d;]*m)* *▲/.test(painted)
  }
}

test(
  'with a variable for one terminal, with a key for all, not with REDUCED_MOTION, and not by itself',
  async () => {
    const still = await open()
    await until(await open({ GANTRY_BLINK: '1' }), 'a sign that blinks')
    expect(still()).toBe(false)
    const set = await gantry(home, 'config', 'set', 'tui.blink', 'true')
    expect(set).toMatchObject({ exit: 0, stderr: '' })
    const throttle = await open({ REDUCED_MOTION: '1' })
    const refused = await open({ GANTRY_BLINK: '0' })
    await until(await open(), 'a sign that blinks by the key')
    expect([throttle(), refused()]).toEqual([false, false])
  },
  LIMIT_MS,
)
