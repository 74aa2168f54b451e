/** The commands that stand in settings, in the shells that run them: with the client there, gone, and broken. */
import { afterEach, describe, expect, it, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { forgivingCommand, guardedCommand } from '../../src/agents/command-line.ts'
import { forgetUsers, makeUser, type User } from './kit.ts'

afterEach(forgetUsers)

/** Codex runs hooks with `$SHELL -c`. */
const SHELLS = ['sh', 'bash', 'dash', 'zsh', 'fish']
const OPTIONS: Readonly<Record<string, readonly string[]>> = { zsh: ['-f'], fish: ['--no-config'] }
const SILENT = { exit: 0, stdout: '', stderr: '' }

function user(name = 'plain'): User {
  const me = makeUser(true)
  me.env.GANTRY_HOME = me.path(name)
  return Object.assign(me, { places: { ...me.places, home: me.path(name) } })
}

/** A client that tells how it was started, or does what the script says. */
function put(me: User, script = 'printf "[%s]" "$@"; cat'): void {
  mkdirSync(dirname(me.client.path), { recursive: true })
  writeFileSync(me.client.path, `#!/bin/sh\n${script}\n`)
  chmodSync(me.client.path, 0o755)
}

function run(shell: string, command: string, stdin = '') {
  const argv = [shell, ...(OPTIONS[shell] ?? []), '-c', command]
  const ran = Bun.spawnSync(argv, {
    stdin: Buffer.from(stdin),
    env: { PATH: process.env.PATH ?? '', HOME: '/nowhere' },
  })
  return { exit: ran.exitCode, stdout: ran.stdout.toString(), stderr: ran.stderr.toString() }
}

describe.each(SHELLS)('in %s', (shell) => {
  // zsh and fish are not everywhere; sh and bash have to be.
  const test = Bun.which(shell) || shell === 'sh' || shell === 'bash' ? it : it.skip
  const makers = shell === 'fish' ? [guardedCommand] : [guardedCommand, forgivingCommand]

  test.each(["o'brien's $HOME", 'plain', 'with "quotes" & more; #1', 'ünïcode 値'])(
    'the client is started in %s',
    (name) => {
      const me = user(name)
      put(me)
      for (const make of makers) {
        const ran = run(shell, make(me.client, 'codex', 'PreToolUse'), '{"a":1}')
        expect(ran).toEqual({ ...SILENT, stdout: `[--home][${me.path(name)}][codex][PreToolUse]{"a":1}` })
      }
    },
  )

  test('a client that is gone, or may not be run, means nothing at all', () => {
    const me = user()
    for (const make of makers)
      expect(run(shell, make(me.client, 'gemini', 'BeforeTool'), '{}')).toEqual(SILENT)
    put(me)
    chmodSync(me.client.path, 0o644)
    for (const make of makers) {
      // root may run anything that has one x bit, and this has none
      expect(run(shell, make(me.client, 'gemini', 'BeforeTool'), '{}')).toEqual(SILENT)
    }
  })

  test('exit code 2 and the reason come through', () => {
    const me = user()
    put(me, 'echo no >&2; exit 2')
    for (const make of makers) {
      expect(run(shell, make(me.client, 'codex', 'Stop'))).toEqual({ exit: 2, stdout: '', stderr: 'no\n' })
    }
  })

  test('where every other exit code means no, only 2 does', () => {
    if (shell === 'fish') return
    const me = user()
    for (const script of ['exit 1', 'exit 3', 'exit 127', 'kill -9 $$']) {
      put(me, script)
      expect(run(shell, forgivingCommand(me.client, 'copilot', 'preToolUse')).exit).toBe(0)
    }
    writeFileSync(me.client.path, '\x7fELF for another machine')
    expect(run(shell, forgivingCommand(me.client, 'copilot', 'preToolUse')).exit).toBe(0)
  })
})

describe('the status line', () => {
  const LINES: Readonly<Record<string, readonly [command: string, shows: string]>> = {
    none: ['', ''],
    'a word': ['echo mine', 'mine\n'],
    'what reads its input': [`sed 's/.*"id":"\\([a-z]*\\)".*/model \\1/'`, 'model opus\n\n'],
    'what reads line by line': [
      'while read -r line; do printf "<%s>\\n" "$line"; done',
      '<{"id":"opus","text":"a\\nb % $x"}>\n<>\n',
    ],
    'a comment at its end': ['echo mine # the best', 'mine\n'],
    'a here-document': ['cat <<EOF\nmine $((1+1))\nEOF', 'mine 2\n'],
    'a subshell and quotes': [`(echo "a 'b'" | tr a-z A-Z)`, "A 'B'\n"],
    'exit in the middle': ['echo mine; exit 0; echo never', 'mine\n'],
  }
  const INPUT = '{"id":"opus","text":"a\\nb % $x"}\n\n'

  function installed(command: string): { me: User; line: string } {
    const me = makeUser()
    const mine = command === '' ? {} : { statusLine: { type: 'command', command, padding: 1 } }
    me.put('.claude/settings.json', JSON.stringify(mine))
    me.install('claude')
    const { statusLine } = JSON.parse(me.text('.claude/settings.json')) as {
      statusLine: Record<string, unknown>
    }
    if (command !== '') expect(statusLine.padding).toBe(1)
    return { me, line: String(statusLine.command) }
  }

  for (const shell of ['sh', 'bash', 'dash'].filter((one) => Bun.which(one))) {
    test.each(Object.entries(LINES))(
      `${shell}: %s shows the same with gantry there, loud, stuck away, and gone`,
      (_, [command, shows]) => {
        const { me, line } = installed(command)
        const log = me.path('got')
        put(me, `{ printf "%s " "$@"; cat; } > '${log}'; echo loud; echo louder >&2; exit 3`)
        expect(run(shell, line, INPUT)).toEqual({ ...SILENT, stdout: shows })
        expect(me.text('got')).toBe(`--home ${me.client.home} claude statusline ${INPUT}`)
        put(me, 'exit 127')
        expect(run(shell, line, INPUT)).toEqual({ ...SILENT, stdout: shows })
        chmodSync(me.client.path, 0o600)
        expect(run(shell, line, INPUT)).toEqual({ ...SILENT, stdout: shows })
      },
    )
  }

  test("the user's exit code and errors are theirs", () => {
    const { line } = installed('echo oops >&2; exit 4')
    expect(run('sh', line, INPUT)).toEqual({ exit: 4, stdout: '', stderr: 'oops\n' })
  })

  test('the real client takes it as usage', () => {
    const me = makeUser()
    me.put('.claude/settings.json', '{ "statusLine": { "type": "command", "command": "echo mine" } }')
    expect(me.gantry(['install', 'claude', '--yes']).exit).toBe(0)
    const { statusLine } = JSON.parse(me.text('.claude/settings.json')) as { statusLine: { command: string } }
    const ran = Bun.spawnSync(['sh', '-c', statusLine.command], {
      stdin: Buffer.from('{"session_id":"s","version":"2.1.325"}'),
      env: { ...me.env, PATH: process.env.PATH ?? '', GANTRY_NO_AUTOSTART: '1' },
    })
    expect(ran.stdout.toString()).toBe('mine\n')
    const spool = Bun.spawnSync(['sh', '-c', `cat '${me.places.spool}'/*.frame`]).stdout.toString()
    expect(spool).toContain('"event":"statusline"')
  })
})
