/**
 * A program in a terminal, watched closely: one tmux client in control mode takes keys and gives screens in a
 * millisecond or two, where a process per question would take the time that is to be measured.
 *
 *   const pane = await openPane(['claude'], { name: 'truth', cwd, env })
 *   const seen = await pane.sees(/Do you want to proceed/)   // when, and since when it was not there yet
 *   const pressed = await pane.key('Escape')
 */
import { linesOf } from '../../src/core/text/line-cutter.ts'
import { now, type Span } from './timeline.ts'

const SEE_LIMIT_MS = 30_000 // the slowest TUI takes four seconds to its first screen
const LOOK_MS = 20
const LOOK_CLOSELY_MS = 5 // what an agent does right after a key decides whose a lag is
const TYPE_PAUSE_MS = 400 // a TUI that gets a text and Enter at once takes both for a paste
const HEARD_MS = 700 // a dialog does not listen in its first moments, and says nothing

export interface Pane {
  screen(): Promise<string>
  /** The moment it came on the screen, as exactly as looking every 20 ms can tell. */
  sees(what: RegExp): Promise<Span>
  /** The same for its absence. */
  misses(what: RegExp): Promise<Span>
  key(name: string): Promise<Span>
  /** Presses a key, and waits until the screen shows what follows from it: in between the agent has taken the key. */
  enter(name: string, what: RegExp): Promise<Span>
  /** The same, until the screen no longer shows what it shows now. */
  leave(name: string, what: RegExp): Promise<Span>
  type(text: string): Promise<void>
  /** Presses a key until the screen no longer shows it: from the first press, which may have been heard, until it is gone. */
  dismiss(what: RegExp, key: string): Promise<Span>
  pid(): Promise<number>
  /** The moment its program has ended. */
  ends(): Promise<Span>
  close(): Promise<void>
}

interface Where {
  readonly name: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export async function openPane(argv: readonly string[], { name, cwd, env }: Where): Promise<Pane> {
  const server = ['tmux', '-L', `gantry-${process.pid}-${name}`, '-f', '/dev/null']
  const start = ['new-session', '-d', '-x', '140', '-y', '50', '-c', cwd, '--', ...argv]
  const stay = [';', 'set-option', '-g', 'remain-on-exit', 'on'] // the last screen says why it ended
  const started = Bun.spawnSync([...server, ...start, ...stay], { env })
  if (!started.success) throw new Error(`tmux did not start: ${started.stderr.toString()}`)
  const control = Bun.spawn([...server, '-C', 'attach-session', '-f', 'no-output,ignore-size'], {
    env,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const replies = repliesOf(control.stdout)
  await replies.next() // of the attach itself
  let turn: Promise<unknown> = Promise.resolve()

  function ask(command: string): Promise<string> {
    const answered = turn.then(async () => {
      control.stdin.write(`${command}\n`)
      control.stdin.flush()
      return (await replies.next()).value ?? ''
    })
    turn = answered
    return answered
  }

  const screen = () => ask('capture-pane -p')

  async function until(
    holds: (text: string) => boolean,
    what: string,
    { limitMs = SEE_LIMIT_MS, lookMs = LOOK_MS, look = screen } = {},
  ): Promise<Span> {
    const deadline = now() + limitMs
    let before = now()
    for (;;) {
      const asked = now()
      const text = await look()
      if (holds(text)) return { from: before, to: now() }
      if (asked > deadline) throw new Error(`${what} did not come. The screen:\n${text}`)
      before = asked
      await Bun.sleep(lookMs)
    }
  }

  async function key(name: string): Promise<Span> {
    const from = now()
    await ask(`send-keys ${name}`)
    return { from, to: now() }
  }

  return {
    screen,
    enter: async (name, what) => {
      const { from } = await key(name)
      const close = { lookMs: LOOK_CLOSELY_MS }
      return { from, to: (await until((text) => what.test(text), String(what), close)).to }
    },
    leave: async (name, what) => {
      const close = { lookMs: LOOK_CLOSELY_MS }
      await until((text) => what.test(text), String(what)) // a busy TUI draws late what was typed
      const { from } = await key(name)
      return { from, to: (await until((text) => !what.test(text), `the end of ${what}`, close)).to }
    },
    sees: (what) => until((text) => what.test(text), String(what)),
    misses: (what) => until((text) => !what.test(text), `the end of ${what}`),
    key,
    type: async (text) => {
      await ask(`send-keys -l '${text}'`)
      await Bun.sleep(TYPE_PAUSE_MS)
    },
    dismiss: async (what, name) => {
      const from = now()
      const deadline = from + SEE_LIMIT_MS
      for (;;) {
        await key(name)
        const close = { limitMs: HEARD_MS, lookMs: LOOK_CLOSELY_MS }
        const gone = await until((text) => !what.test(text), '', close).catch(() => undefined)
        if (gone) return { from, to: gone.to }
        if (now() > deadline) throw new Error(`${what} stays. The screen:\n${await screen()}`)
      }
    },
    pid: async () => Number(await ask("display-message -p '#{pane_pid}'")),
    ends: () =>
      until((dead) => dead.trim() === '1', 'the end', {
        look: () => ask("display-message -p '#{pane_dead}'"),
      }),
    close: async () => {
      control.stdin.end()
      Bun.spawnSync([...server, 'kill-server'], { env })
      await control.exited
    },
  }
}

/** Replies in the order of the commands: what stands between %begin and %end. */
async function* repliesOf(stdout: ReadableStream<Uint8Array>): AsyncGenerator<string, string> {
  let inside: string[] | undefined
  for await (const line of linesOf(stdout)) {
    if (inside && /^%(end|error) \d+ \d+/.test(line)) {
      const text = inside.join('\n')
      inside = undefined
      yield text
    } else if (inside) inside.push(line)
    else if (line.startsWith('%begin ')) inside = []
  }
  return ''
}
