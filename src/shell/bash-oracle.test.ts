/**
 * Real bash says what a script starts. It runs generated scripts where no program can be found, without network and processes
 * of its own, and a handler takes down every command that it tries to start. What parseScript finds is exactly that.
 */
import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { limitMs, rounds } from '../../test/long.ts'
import type { Command, Script, Word } from './command.ts'
import { parseScript } from './script.ts'
import { generateScript } from './testkit.ts'

const ROUNDS = rounds(300, 20_000)
const BATCH = 500
const DEEPEST = 64 // folders inside each other: a loop may go down with every turn
const folder = mkdtempSync(join(tmpdir(), 'gantry-oracle-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Scripts come in on descriptor 8, each ended by a zero byte; the log of each is its own file on descriptor 9. A record is
 * without newlines, at which bash would write it in parts, between those of the background.
 */
const DRIVER = `
command_not_found_handle() {
  printf '%s\\0' "$PWD" "$#" "\${@//$'\\n'/$'\\2'}" >&9
  printf 'out put\\n'
  case $1 in no*) return 1 ;; esac
}
PATH=/nonexistent
trap '' PIPE # a command whose reader is gone still goes on to its next one
ulimit -t 60
number=0
while IFS= read -r -d '' script <&8; do
  ( cd "$1/work"; exec 8<&- 9>>"$1/log.$number"; set --; eval "$script"; wait ) </dev/null >/dev/null 2>&1
  number=$((number + 1))
done
`
const asUser = process.getuid?.() === 0 ? [] : ['--map-root-user']
const SHUT_IN = ['unshare', ...asUser, '--net', '--pid', '--fork', '--kill-child']
const canShutIn = process.platform === 'linux' && Bun.spawnSync([...SHUT_IN, 'true']).success

interface Started {
  readonly cwd: string
  readonly argv: readonly string[]
}

test.skipIf(!canShutIn)(
  'what a script would start is what bash tries to start',
  () => {
    const seed = Number(process.env.GANTRY_TEST_SEED ?? Date.now() % 1_000_000)
    let exact = 0
    let all = 0
    for (let done = 0; done < ROUNDS; done += BATCH) {
      const scripts = Array.from({ length: Math.min(BATCH, ROUNDS - done) }, (_, i) =>
        generateScript(seed + done + i),
      )
      const started = runByBash(scripts)
      for (const [i, source] of scripts.entries()) {
        const parsed = parseScript(source)
        const wrong = differences(parsed, started[i] ?? [])
        if (wrong.length > 0) throw new Error(`seed ${seed + done + i}\n${source}\n--\n${wrong.join('\n')}`)
        const run = startedByShell(parsed)
        all += run.length
        exact += run.filter(({ argv }) => argv.every(({ known }) => known)).length
      }
    }
    expect(all).toBeGreaterThan(ROUNDS * 2)
    expect(exact / all, 'commands with every word known').toBeGreaterThan(0.7)
  },
  limitMs(ROUNDS, 30),
)

test.skipIf(!canShutIn)('a difference is found', () => {
  const [started = []] = runByBash(['c1 a; c2 "b c"'])
  expect(started.map(({ argv }) => argv)).toEqual([
    ['c1', 'a'],
    ['c2', 'b c'],
  ])
  expect(differences(parseScript('c1 a; c2 "b c"'), started)).toEqual([])
  expect(differences(parseScript('c1 a; c2 b c'), started)).toHaveLength(2)
  expect(differences(parseScript('c1 a'), started)).toHaveLength(1)
  expect(differences(parseScript('cd d1; c1 a; c2 "b c"'), started)).toHaveLength(4)
})

function runByBash(scripts: readonly string[]): Started[][] {
  const home = mkdtempSync(join(folder, 'run-'))
  mkdirSync(join(home, 'work', ...Array<string>(DEEPEST).fill('d1')), { recursive: true })
  writeFileSync(join(home, 'driver'), DRIVER)
  writeFileSync(join(home, 'scripts'), scripts.map((script) => `${script}\0`).join(''))
  const bash = Bun.which('bash') ?? '/bin/bash'
  const run = Bun.spawnSync(
    [...SHUT_IN, bash, '--norc', '--noprofile', '-c', `exec 8<"$1/scripts"; . "$1/driver"`, 'bash', home],
    { env: { HOME: '/nonexistent', LC_ALL: 'C.UTF-8' }, timeout: 120_000, stdin: 'ignore' },
  )
  if (!run.success) throw new Error(`bash did not come to its end: ${run.stderr.toString()}`)
  return scripts.map((_, i) => readLog(join(home, `log.${i}`), join(home, 'work')))
}

/** Records of the folder, the number of words, and the words. */
function readLog(file: string, work: string): Started[] {
  const fields = readFileSync(file, 'utf8').replaceAll('\x02', '\n').split('\0')
  const started: Started[] = []
  for (let i = 0; i + 2 < fields.length; ) {
    const count = Number(fields[i + 1])
    started.push({ cwd: (fields[i] ?? '').slice(work.length + 1), argv: fields.slice(i + 2, i + 2 + count) })
    i += 2 + count
  }
  return started
}

function differences(script: Script, started: readonly Started[]): string[] {
  if (!script.understood) return [`not understood: ${script.why}`]
  const found = startedByShell(script)
  const missed = started.filter((one) => !found.some((command) => fits(command, one)))
  const invented = found.filter(
    (command) => isCertain(script, command) && !started.some((one) => fits(command, one)),
  )
  return [
    ...missed.map(
      ({ cwd, argv }) => `bash starts, and it was not found: ${JSON.stringify(argv)} in '${cwd}'`,
    ),
    ...invented.map(
      ({ argv, cwd }) => `found, and bash does not start: ${JSON.stringify(argv)} in '${cwd?.text ?? ''}'`,
    ),
  ]
}

const BUILTINS =
  /^(:|true|false|echo|printf|cd|export|local|declare|unset|set|shift|read|eval|command|source|\.|wait|test|\[|return|break|continue)$/

/** No handler is asked for a path. */
const NO_NAME = /\//

/** Commands that the shell itself starts as programs; those that a program would start are not among them. */
function startedByShell({ commands }: Script): Command[] {
  const isOwn = (command: Command): boolean => {
    if (command.parent === undefined) return true
    const parent = commands[command.parent]
    if (!parent) return true
    if (command.via === 'wrapper' || command.via === 'inline')
      return /^(eval|command|source|\.)$/.test(parent.program) && isOwn(parent)
    return isOwn(parent)
  }
  const calls = new Set(commands.flatMap(({ via, parent }) => (via === 'function' ? (parent ?? []) : [])))
  return commands.filter((command, i) => {
    const name = command.argv[0]
    if (!name || calls.has(i) || BUILTINS.test(command.program) || (name.known && NO_NAME.test(name.text)))
      return false
    return isOwn(command)
  })
}

/** It must be run: its name is known, and it stands in no branch that the generator calls dead. */
function isCertain({ commands }: Script, command: Command): boolean {
  for (
    let one: Command | undefined = command;
    one;
    one = one.parent === undefined ? undefined : commands[one.parent]
  )
    if (one.argv.some(({ text }) => text.includes('dead')) || (one.argv[0] && !one.argv[0].known))
      return false
  return true
}

function fits(command: Command, { cwd, argv }: Started): boolean {
  if (command.cwd?.known !== false && normalize(command.cwd?.text ?? '.').replace(/\/$/, '') !== (cwd || '.'))
    return false
  return wordsFit(command.argv, argv)
}

/** A word that is not known may be any number of words. */
function wordsFit(words: readonly Word[], texts: readonly string[]): boolean {
  const [first, ...rest] = words
  if (!first) return texts.length === 0
  if (first.known) return first.text === texts[0] && wordsFit(rest, texts.slice(1))
  for (let i = 0; i <= texts.length; i++) if (wordsFit(rest, texts.slice(i))) return true
  return false
}
