/**
 * The dashboard with 200 sessions: from the command to the first complete screen, from a key to the moved cursor, and
 * the share of a core while sessions change ten times a second.
 */
import type { Places } from '../../src/core/files/paths.ts'
import { sendFrame } from '../../test/kit.ts'
import { type Result, versus } from '../measure.ts'
import { cpuMs } from '../process.ts'
import { GANTRY, interleave, type Stage } from '../stage.ts'

const SESSIONS = 200
const UPDATES_PER_S = 10
const COLUMNS = 120
const ROWS = 50
const LIMIT_MS = 10_000
const ALLOWED_CPU_PCT = 8
const SAMPLE_S = 3 // the kernel counts in hundredths of a second
const ALLOWED_KEY_MS = 30

export async function tui(stage: Stage): Promise<Result[]> {
  const at = stage.home()
  const daemon = await stage.daemon(at)
  try {
    for (let n = 0; n < SESSIONS; n++) await tell(at, n, 'UserPromptSubmit', { prompt: `task ${n}` })
    const [starts = [], floor = []] = await interleave(
      Math.max(4, Math.round(15 * stage.effort)),
      () => startOnce(stage, at),
      bunStart,
    )
    const terminal = open(stage, at)
    await terminal.sees(`${SESSIONS} sessions`)
    await Bun.sleep(500)
    const keys = await keyTimes(terminal, Math.max(20, Math.round(150 * stage.effort)))
    const shares = await cpuShares(terminal, at, Math.max(1, Math.round(5 * stage.effort)))
    await terminal.close()
    return [
      versus('tui-start', 'ms', starts, floor, 'Bun that prints a word'),
      versus('tui-key', 'ms', keys, [ALLOWED_KEY_MS], 'what a key may take'),
      versus('tui-cpu', '% of core', shares, [ALLOWED_CPU_PCT], `allowed at ${UPDATES_PER_S} updates/s`),
    ]
  } finally {
    await daemon.stop()
  }
}

interface Terminal {
  readonly pid: number
  write(text: string): void
  /** Resolves when this text appears after the call. */
  sees(text: string): Promise<void>
  close(): Promise<void>
}

function open(stage: Stage, at: Places): Terminal {
  let waiting: { text: string; got: string; done: () => void } | undefined
  const decoder = new TextDecoder()
  const child = Bun.spawn([GANTRY], {
    env: { ...stage.env(at), TERM: 'xterm-256color', LANG: 'C.UTF-8' },
    terminal: {
      cols: COLUMNS,
      rows: ROWS,
      data: (_, bytes) => {
        if (!waiting) return
        waiting.got += decoder.decode(bytes, { stream: true })
        if (!waiting.got.includes(waiting.text)) return
        waiting.done()
        waiting = undefined
      },
    },
  })
  return {
    pid: child.pid,
    write: (text) => void child.terminal?.write(text),
    sees: (text) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const timer = setTimeout(() => reject(new Error(`the screen never showed "${text}"`)), LIMIT_MS)
      waiting = { text, got: '', done: resolve }
      return promise.finally(() => clearTimeout(timer))
    },
    close: async () => {
      child.kill('SIGTERM')
      await child.exited
      child.terminal?.close()
    },
  }
}

async function startOnce(stage: Stage, at: Places): Promise<number[]> {
  const began = performance.now()
  const terminal = open(stage, at)
  await terminal.sees(`${SESSIONS} sessions`)
  const took = performance.now() - began
  await terminal.close()
  return [took]
}

async function bunStart(): Promise<number[]> {
  const began = performance.now()
  await Bun.spawn([process.execPath, '-e', 'console.log(1)'], { stdio: ['ignore', 'ignore', 'ignore'] })
    .exited
  return [performance.now() - began]
}

async function keyTimes(terminal: Terminal, count: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const began = performance.now()
    const moved = terminal.sees('▌')
    terminal.write(n % 2 === 0 ? 'j' : 'k')
    await moved
    times.push(performance.now() - began)
    await Bun.sleep(70)
  }
  return times
}

/** In per cent of one core. */
async function cpuShares(terminal: Terminal, at: Places, samples: number): Promise<number[]> {
  const shares: number[] = []
  for (let sample = 0; sample < samples; sample++) {
    const before = cpuMs(terminal.pid)
    const began = performance.now()
    for (let n = 0; n < UPDATES_PER_S * SAMPLE_S; n++) {
      const which = (sample * UPDATES_PER_S * SAMPLE_S + n) % ROWS // rows that are on the screen
      await tell(at, which, 'PreToolUse', {
        tool_name: `Tool${Math.floor(n / UPDATES_PER_S)}`,
        tool_use_id: `${sample}.${n}`,
        tool_input: {},
      })
      await Bun.sleep(Math.max(0, began + ((n + 1) * 1000) / UPDATES_PER_S - performance.now()))
    }
    shares.push(((cpuMs(terminal.pid) - before) / (performance.now() - began)) * 100)
  }
  return shares
}

/** Sends one hook of a session and waits for the answer. */
async function tell(at: Places, n: number, event: string, fields: object): Promise<void> {
  const common = { session_id: `s${n}`, cwd: `/work/project-${n % 12}`, hook_event_name: event }
  await sendFrame(at, { event, payload: JSON.stringify({ ...common, ...fields }) })
}
