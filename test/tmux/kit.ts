/**
 * A tmux server of its own with agents in its panes: each pane plays recorded hooks through the real hook client, so
 * that TMUX and TMUX_PANE are what tmux gives.
 *
 *   const tmux = openTmux(home, 3)
 *   await tmux.agents[0].hook({ hook_event_name: 'Stop' })
 */
import { closeSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../../src/core/files/paths.ts'
import { envFor, GANTRY, HOOK, type Ran, run, tempDir, until } from '../kit.ts'

export interface PaneAgent {
  readonly pane: string
  readonly session: string
  /** Sends one hook from inside the pane, and waits for its answer. */
  hook(payload: Record<string, unknown>): Promise<void>
}

export interface Tmux extends Disposable {
  readonly socket: string
  readonly agents: readonly PaneAgent[]
  /** What a tmux command prints; throws when it fails. */
  say(...argv: string[]): string
  /** gantry as if it was run in the first pane. */
  gantry(...argv: string[]): Promise<Ran>
  status(agent: PaneAgent): string
  /** Everything that can be set, at every level. */
  everything(): string
  /** A terminal that is attached to it, as text with colours. */
  attach(): { screen(): string; keys(...keys: string[]): void; client(): string }
}

export function openTmux(home: Places, agents: number, before: readonly (readonly string[])[] = []): Tmux {
  const dir = tempDir()
  const socket = join(dir, 's')
  const env = { ...envFor(home), TERM: 'screen-256color', SHELL: '/bin/sh', LANG: 'C.UTF-8' }
  const at = (server: string, ...argv: string[]) => {
    const ran = Bun.spawnSync(['tmux', '-u', '-f', '/dev/null', '-S', server, ...argv], { env })
    if (!ran.success) throw new Error(`tmux ${argv.join(' ')}: ${ran.stderr.toString()}`)
    return ran.stdout.toString()
  }
  const say = (...argv: string[]) => at(socket, ...argv)
  const made = Array.from({ length: agents }, (_, i) => {
    const fifo = join(dir, `in-${i}`)
    Bun.spawnSync(['mkfifo', fifo])
    const loop = `while read -r f; do ${HOOK} claude <"$f" >/dev/null; mv "$f" "$f.done"; done <${fifo}`
    // One window of two, then one for each.
    const start =
      i === 0
        ? ['new-session', '-d', '-x', '120', '-y', '30']
        : i === 1
          ? ['split-window', '-h']
          : ['new-window', '-d']
    const pane = [...start, '-P', '-F', '#{pane_id}', loop]
    return { fifo, pane: say(...pane).trim() }
  })
  for (const argv of before) say(...argv)
  let sent = 0
  const players = made.map(({ fifo, pane }, i): PaneAgent => {
    const to = openSync(fifo, 'r+')
    opened.push(to)
    const session = `session-${i}-of-${dir.slice(-6)}`
    const hook = async (payload: Record<string, unknown>) => {
      const file = join(dir, `hook-${sent++}.json`)
      writeFileSync(file, JSON.stringify({ session_id: session, cwd: dir, ...payload }))
      writeSync(to, `${file}\n`)
      await until(() => existsSync(`${file}.done`), `the answer to ${JSON.stringify(payload)}`)
    }
    return { pane, session, hook }
  })
  const outers: string[] = []
  return {
    socket,
    agents: players,
    say,
    gantry: (...argv) => {
      const tmux = say('display-message', '-p', '-t', '%0', '#{socket_path},#{pid},0').trim()
      return run([GANTRY, ...argv], home, '', { TMUX: tmux, TMUX_PANE: '%0' })
    },
    status: ({ pane }) => say('show-options', '-pqv', '-t', pane, '@gantry_status').trim(),
    everything: () => {
      const ids = say('list-panes', '-a', '-F', '-t #{session_id}\n-wt #{window_id}\n-pt #{pane_id}')
      const commands = [
        ...['-s', '-g', '-gw', ...new Set(ids.trim().split('\n'))].map((of) => [
          'show-options',
          ...of.split(' '),
        ]),
        ...['-g', '-gw'].map((flag) => ['show-hooks', flag]),
        ['list-keys'],
        ['list-keys', '-N'],
      ]
      // All in one tmux, each below its own name.
      return say(...commands.flatMap((argv) => ['display-message', '-p', argv.join(' '), ';', ...argv, ';']))
    },
    attach: () => {
      const outer = join(dir, `o${outers.length}`)
      const command = `env -u TMUX tmux -u -S ${socket} attach-session -t '%0'`
      at(outer, 'new-session', '-d', '-x', '120', '-y', '30', command, ';', 'set', '-g', 'status', 'off')
      outers.push(outer)
      return {
        screen: () => at(outer, 'capture-pane', '-ep'),
        keys: (...keys) => void at(outer, 'send-keys', ...keys),
        client: () => say('list-clients', '-F', '#{client_name}').trim(),
      }
    },
    [Symbol.dispose]: () => {
      for (const fd of opened.splice(0)) closeSync(fd)
      for (const server of [...outers, socket])
        Bun.spawnSync(['tmux', '-S', server, 'kill-server'], { env, stderr: 'ignore' })
    },
  }
}

const opened: number[] = []

/** Payloads of a recorded session, by the name of their event; those of the session itself. */
export function recorded(
  file: string,
): (event: string, more?: Record<string, unknown>) => Record<string, unknown> {
  const path = join(import.meta.dir, '../fixtures', file)
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  return (event, more = {}) => {
    const found = lines.find((line) => line.event === event && !line.payload.agent_id)
    if (!found) throw new Error(`${file} has no ${event}`)
    const { session_id: _, cwd: __, transcript_path: ___, ...payload } = found.payload
    return { ...payload, ...more }
  }
}
