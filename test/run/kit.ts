/** A terminal with gantry in it, and agents that need no model. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../../src/core/files/paths.ts'
import { openScreen, type Screen } from '../agents/tmux.ts'
import { envFor, GANTRY, HOOK, ROOT, until } from '../kit.ts'

export interface Box {
  readonly places: Places
  readonly project: string
  readonly env: Record<string, string>
  /** A terminal with this command line in it, as a shell reads it. */
  terminal(name: string, line: string): Screen
  close(): void
}

/** `claude` is the fake agent, `gantry` this checkout. */
export function makeBox(places: Places): Box {
  const home = places.home ?? ''
  const bin = join(home, 'fake-bin')
  const project = join(home, 'project')
  for (const dir of [bin, project]) mkdirSync(dir)
  const agent = `'${process.execPath}' '${join(ROOT, 'test/run/fake-agent.ts')}'`
  script(join(bin, 'claude'), `FAKE_GANTRY='${GANTRY}' FAKE_HOOK='${HOOK}' exec ${agent} "$@"`)
  script(join(bin, 'launcher'), 'claude "$@"; exit $?') // one that does not take its agent along
  script(join(bin, 'gemini'), 'test -n "$GANTRY_RUN_ID" && exit 1; exit 9')
  script(join(bin, 'gantry'), `exec '${GANTRY}' "$@"`)
  const env = envFor(places, {
    PATH: `${bin}:${process.env.PATH}`,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    TMUX_TMPDIR: home,
    PS1: 'shell> ',
    HISTFILE: '/dev/null',
  })
  const screens = new Set<Screen>()
  return {
    places,
    project,
    env,
    terminal(name, line) {
      const screen = openScreen(['sh', '-c', line], { name, cwd: project, env })
      screens.add(screen)
      return screen
    },
    close: () => {
      for (const screen of screens) screen.close()
    },
  }
}

/** Runs a command line and says what it gave. It stays: tmux writes over the end of a screen whose program is gone. */
export function telling(line: string): string {
  return `${line}; echo "gave $?"; sleep 60`
}

/** Waits until so many lines of the screen match. */
export function lines(screen: Screen, what: RegExp, count: number): Promise<string[]> {
  return until(
    () => {
      const found = screen
        .text()
        .split('\n')
        .filter((line) => what.test(line))
      return found.length >= count && found
    },
    `${count} lines with ${what} on the screen:\n${screen.text()}`,
    30_000,
  )
}

function script(path: string, line: string): void {
  writeFileSync(path, `#!/bin/sh\n${line}\n`)
  chmodSync(path, 0o755)
}
