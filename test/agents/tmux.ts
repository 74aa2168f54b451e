/**
 * A program in a terminal: a tmux server of its own, keys in, screen out.
 *
 *   const screen = openScreen(['claude'], { name: 'hello', cwd, env })
 *   await screen.shows(/shortcuts/)
 *   await screen.press('hello', 'Enter')
 */
import { until } from '../../src/core/time/waits.ts'

const SHOW_LIMIT_MS = 60_000 // the slowest TUI takes four seconds to its first screen, and far more on a busy machine
const POLL_MS = 100
const KEY_PAUSE_MS = 300 // a TUI that gets a text and Enter at once takes both for a paste
const AGAIN_MS = 1_500 // a dialog does not listen in its first moments, and says nothing

export interface Screen {
  /** Waits for it, and throws with the screen when it does not come. */
  shows(what: RegExp): Promise<void>
  /** Keys by tmux's names, or texts to type, one after the other. */
  press(...keys: readonly string[]): Promise<void>
  /** Waits for a dialog and presses the keys until it is gone. */
  answer(dialog: RegExp, ...keys: readonly string[]): Promise<void>
  /** Presses the keys until the screen shows it. */
  reach(what: RegExp, ...keys: readonly string[]): Promise<void>
  /** Presses the keys until the program ends. */
  end(...keys: readonly string[]): Promise<void>
  /** All that is on it. */
  text(): string
  /** What tmux knows of it, by the name of one of its variables. */
  fact(variable: string): string
  resize(columns: number, rows: number): void
  close(): void
}

interface Where {
  /** Tells screens of one run apart. */
  readonly name: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export function openScreen(argv: readonly string[], { name, cwd, env }: Where): Screen {
  const server = ['tmux', '-L', `gantry-${process.pid}-${name.replaceAll('/', '-')}`, '-f', '/dev/null']
  const tmux = (...args: string[]) => Bun.spawnSync([...server, ...args], { env })
  const size = ['-x', '140', '-y', '50']
  const stay = [';', 'set-option', '-g', 'remain-on-exit', 'on'] // the last screen says why it ended
  const started = tmux('new-session', '-d', ...size, '-c', cwd, '--', ...argv, ...stay)
  if (!started.success) throw new Error(`tmux did not start: ${started.stderr.toString()}`)

  const text = () => tmux('capture-pane', '-p').stdout.toString()
  const fact = (variable: string) => tmux('display-message', '-p', `#{${variable}}`).stdout.toString().trim()
  const dead = () => fact('pane_dead') === '1'

  async function press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      tmux('send-keys', key)
      await Bun.sleep(KEY_PAUSE_MS)
    }
  }

  async function pressUntil(keys: readonly string[], holds: () => boolean, what: string): Promise<void> {
    const deadline = performance.now() + SHOW_LIMIT_MS
    do await press(...keys)
    while (!(await until(holds, AGAIN_MS, POLL_MS)) && performance.now() < deadline)
    if (!holds()) throw new Error(`${what} did not come. The screen:\n${text()}`)
  }

  async function shows(what: RegExp): Promise<void> {
    if (await until(() => what.test(text()), SHOW_LIMIT_MS, POLL_MS)) return
    throw new Error(`${what} did not come. The screen:\n${text()}`)
  }

  return {
    shows,
    press,
    answer: async (dialog, ...keys) => {
      await shows(dialog)
      await pressUntil(keys, () => !dialog.test(text()), `the end of ${dialog}`)
    },
    reach: (what, ...keys) => pressUntil(keys, () => what.test(text()), String(what)),
    end: (...keys) => pressUntil(keys, dead, 'the end'),
    text,
    fact,
    resize: (columns, rows) => void tmux('resize-window', '-x', String(columns), '-y', String(rows)),
    close: () => void tmux('kill-server'),
  }
}
