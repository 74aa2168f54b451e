/** Commands in a folder, as agents and people run them, and hooks from there. */
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../../src/core/files/paths.ts'
import { within } from '../../src/core/time/waits.ts'
import { newId } from '../../src/events/index.ts'
import { envFor, GANTRY, type Ran, run, sendFrame, tempDir } from '../kit.ts'

/** A project that no other test knows. */
export function makeProject(name = 'app'): string {
  const dir = join(realpathSync(tempDir()), name)
  mkdirSync(dir)
  return dir
}

export interface In {
  readonly stdin?: string
  readonly env?: Record<string, string>
}

export interface Place {
  readonly cwd: string
  /** The session that works there, unless a hook says another. */
  readonly session: string
  gantry(...args: string[]): Promise<Ran>
  with(more: In, ...args: string[]): Promise<Ran>
  json<T = Record<string, unknown>>(...args: string[]): Promise<T>
  /** One hook of an agent that works there. */
  hook(event: string, fields?: Record<string, unknown>, env?: Record<string, string>): Promise<Ran>
}

export function placeIn(at: Places, cwd = makeProject()): Place {
  const session = `session-${newId()}`
  const start = ({ stdin = '', env = {} }: In, args: string[]) =>
    run(['sh', '-c', 'cd "$0" && exec "$@"', cwd, GANTRY, ...args], at, stdin, env)
  return {
    cwd,
    session,
    gantry: (...args) => start({}, args),
    with: (more, ...args) => start(more, args),
    async json<T>(...args: string[]) {
      const { exit, stdout, stderr } = await start({}, [...args, '--json'])
      if (exit !== 0) throw new Error(`gantry ${args.join(' ')} gave ${exit}: ${stderr}`)
      return JSON.parse(stdout) as T
    },
    async hook(event, fields = {}, env = {}) {
      const payload = JSON.stringify({ session_id: session, cwd, hook_event_name: event, ...fields })
      const reply = await sendFrame(at, { payload, header: { env } })
      if (!reply) throw new Error(`no reply to ${event}`)
      return reply
    },
  }
}

/** Runs a command on a terminal of its own; gives all that it showed. */
export async function onTerminal(at: Places, cols: number, ...args: string[]): Promise<string> {
  const over = Promise.withResolvers<void>()
  let shown = ''
  const child = Bun.spawn([GANTRY, ...args], {
    env: envFor(at, { TERM: 'xterm' }),
    terminal: {
      cols,
      rows: 40,
      data: (_, bytes) => {
        shown += Buffer.from(bytes).toString()
      },
      exit: () => over.resolve(), // all was read
    },
  })
  await child.exited
  await within(over.promise, 1_000)
  child.terminal?.close()
  return shown
}
