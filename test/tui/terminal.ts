/**
 * A real tmux of its own to look at screens with: what is on a pane, keys into it, another size. Gone when the tests end.
 *
 *   const tmux = await startTmux()
 *   const pane = tmux.open([GANTRY], { env: envFor(home), width: 100, height: 36 })
 *   await pane.shows('12 sessions')
 *   pane.keys('j', 'Enter')
 */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tempDir, until } from '../kit.ts'
import { processes } from '../litter.ts'

export interface Tmux extends AsyncDisposable {
  readonly socket: string
  /** As TMUX says it inside. */
  readonly variable: string
  open(argv: readonly string[], how: How): TestPane
  run(...args: string[]): string
}

export interface How {
  readonly env: Record<string, string>
  readonly width?: number
  readonly height?: number
  readonly name?: string
}

export interface TestPane {
  readonly id: string
  text(): string
  lines(): string[]
  keys(...keys: string[]): void
  /** Waits until the text, or what matches, is there, and gives the whole screen. */
  shows(what: string | RegExp, deadlineMs?: number): Promise<string>
  /** Waits until it is not there. */
  lacks(what: string | RegExp): Promise<string>
  resize(width: number, height: number): void
}

const SLOW_MS = 30_000 // two shared cores

export async function startTmux(): Promise<Tmux> {
  const socket = join(tempDir(), 'tmux.sock')
  const config = join(dirname(socket), 'tmux.conf')
  writeFileSync(config, 'set -s exit-empty off\nset -s escape-time 0\n')
  const env = { PATH: process.env.PATH ?? '', HOME: '/', LANG: 'C.UTF-8', TERM: 'xterm-256color' }
  const run = (...args: string[]) => {
    const { stdout, stderr, success } = Bun.spawnSync(['tmux', '-u', '-N', '-S', socket, ...args], { env })
    if (!success) throw new Error(`tmux ${args.join(' ')}: ${stderr.toString()}`)
    return stdout.toString()
  }
  const server = Bun.spawn(['tmux', '-u', '-S', socket, '-f', config, '-D'], {
    env,
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  processes.add(server)
  // -N: a client that is quicker than the server would start one of its own.
  await until(() => quiet(() => run('show-options', '-s')), 'a tmux server', SLOW_MS)
  let opened = 0
  const open = (argv: readonly string[], how: How): TestPane => {
    const vars = Object.entries({ ...env, ...how.env }).flatMap(([name, value]) => ['-e', `${name}=${value}`])
    const size = ['-x', String(how.width ?? 100), '-y', String(how.height ?? 36)]
    const place = ['new-session', '-d', '-s', how.name ?? `s${++opened}`, ...size]
    const id = run(...place, ...vars, '-P', '-F', '#{pane_id}', '--', ...argv).trim()
    return paneAt(id, run)
  }
  return {
    socket,
    variable: `${socket},${server.pid},0`,
    open,
    run,
    [Symbol.asyncDispose]: async () => {
      quiet(() => run('kill-server'))
      server.kill()
      await server.exited
      processes.delete(server)
    },
  }
}

function paneAt(id: string, run: Tmux['run']): TestPane {
  const text = () => run('capture-pane', '-p', '-t', id)
  const has = (screen: string, what: string | RegExp) =>
    typeof what === 'string' ? screen.includes(what) : what.test(screen)
  const wait = async (what: string | RegExp, wanted: boolean, deadlineMs: number) => {
    let screen = ''
    try {
      const look = () => {
        screen = text()
        return has(screen, what) === wanted
      }
      await until(look, `${what}`, deadlineMs)
    } catch (error) {
      throw new Error(`${wanted ? 'missing' : 'still there'}: ${what}\n${screen}`, { cause: error })
    }
    return screen
  }
  return {
    id,
    text,
    lines: () => text().split('\n'),
    keys: (...keys) => void run('send-keys', '-t', id, ...keys),
    shows: (what, deadlineMs = SLOW_MS) => wait(what, true, deadlineMs),
    lacks: (what) => wait(what, false, SLOW_MS),
    resize: (width, height) => void run('resize-window', '-t', id, '-x', String(width), '-y', String(height)),
  }
}

function quiet(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

/** What changes from run to run is the clock: the first time on the screen is 09:30:00, the next a little later. */
export function normalised(screen: string): string {
  let times = 0
  const time = () => {
    const second = times * 77
    times += 1
    return `09:${String(30 + Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}`
  }
  const lines = screen.split('\n').map((line) => line.replace(/\b\d\d:\d\d:\d\d\b/g, time).trimEnd())
  return `${lines.join('\n').trimEnd()}\n`
}
