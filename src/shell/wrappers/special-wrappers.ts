/** Wrappers whose words mean more than a row of wrapper-rows.ts can say, one function each. */
import type { Command, Word } from '../command.ts'
import { foundBy } from '../languages/output.ts'
import { commandsInSed, sedScripts } from '../languages/sed.ts'
import { hasOption, optionValue, readOptions, type ValueNames, valueNames } from '../options.ts'
import { cmake, entr, ninja, salt, sftp, startStopDaemon } from './build-tools.ts'
import {
  type Around,
  behindDashes,
  type Child,
  joinedWords,
  leadingAssignments,
  NOTHING,
  one,
  type Unwrapped,
  withoutVersion,
  withToken,
} from './child.ts'
import { exported } from './command-values.ts'
import { git } from './git-commands.ts'
import { sourced } from './shells.ts'

export const SPECIAL: Readonly<
  Record<string, (words: readonly Word[], command: Command, around: Around) => Unwrapped>
> = {
  env: (words) => {
    const splitAt = words.findIndex(({ text }) => /^(-[a-zA-Z]*S|--split-string(?==|$))/.test(text))
    if (splitAt >= 0) return one({ ...envSplit(words, splitAt), takesStdin: true, passesOutput: true })
    const options = readOptions(words, ENV_VALUES, true)
    const cwd = optionValue(options, 'C chdir')
    const isClean = options.operands[0]?.text === '-' // the old way to write -i
    const { assignments, rest } = leadingAssignments(options.operands.slice(isClean ? 1 : 0))
    const at = cwd ? { cwd } : {}
    return one({ argv: rest, assignments, takesStdin: true, passesOutput: true, ...at })
  },
  eval: (words) =>
    one({
      script: joinedWords(behindDashes(words)),
      isSameShell: true,
      takesStdin: true,
      passesOutput: true,
    }),
  trap: (words) => {
    const [script, ...signals] = behindDashes(words)
    return script && signals.length > 0 && !script.text.startsWith('-') ? one({ script }) : NOTHING
  },
  git,
  source: sourced,
  '.': sourced,
  xargs: (words, command) => {
    const options = readOptions(words, XARGS_VALUES, true)
    const file = optionValue(options, 'a arg-file')
    const stdin = file ? file.output : command.stdin
    const token =
      optionValue(options, 'I replace i')?.text || (hasOption(options, 'i replace') ? '{}' : undefined)
    const base = options.operands.length > 0 ? options.operands : [{ text: 'echo', known: true }]
    const given = stdin?.text.trim().split(token === undefined ? /\s+/ : /\n/) ?? []
    const texts = given.filter((text) => text !== '')
    const known = stdin?.known === true && texts.length === given.length && !/['"\\]/.test(stdin.text)
    const found = texts.length > 0 ? texts.map((text) => ({ text, known })) : [{ text: '{}', known: false }]
    if (token === undefined) return one({ argv: [...base, ...found] })
    return forEach(found, (word) => ({ argv: base.map((part) => withToken(part, token, word)) }))
  },
  find: (words) => {
    const all = foundBy(words)
    const files = all.slice(0, MAX_GIVEN).map((text) => ({ text, known: false }))
    const children: Child[] = []
    for (let i = 0; i < words.length; i++) {
      if (!/^-(exec|ok)(dir)?$/.test(words[i]?.text ?? '')) continue
      let end = i + 1
      while (end < words.length && !isEndOfExec(words, end)) end++
      const argv = words.slice(i + 1, end)
      children.push({
        argv: argv.flatMap((word) =>
          word.text === '{}'
            ? files
            : word.text.includes('{}') && files[0]
              ? [withToken(word, '{}', files[0])]
              : [word],
        ),
      })
      i += argv.length
    }
    return { children, isTooMuch: all.length > MAX_GIVEN && children.length > 0 }
  },
  fd: (words) => {
    const at = words.findIndex(({ text }) => /^(-[xX]|--exec(-batch)?)$/.test(text))
    if (at < 0) return NOTHING
    const folders = readOptions(words.slice(0, at), FD_VALUES).operands.slice(1)
    const found = (folders.length > 0 ? folders : [{ text: '.', known: true }]).map(({ text }) => ({
      text: `${text.replace(/\/$/, '')}/**/*`,
      known: false,
    }))
    return one({ argv: [...words.slice(at + 1), ...found] })
  },
  parallel,
  sem: parallel,
  cmake,
  ninja,
  samu: ninja,
  salt,
  sftp,
  entr,
  'start-stop-daemon': startStopDaemon,
  ssh: overSsh(valueNames('b B c D E e F I i J L l m O o p Q R S W w')),
  autossh: overSsh(valueNames('M b B c D E e F I i J L l m O o p Q R S W w')),
  dbclient: overSsh(valueNames('p i l L R W K I B J c m b o')),
  plink: overSsh(valueNames('P l pw i m load proxycmd hostkey L R D')),
  kubectl: (words) => {
    const { operands } = readOptions(words, KUBECTL_VALUES, true)
    if (!/^(?:exec|run|debug)$/.test(operands[0]?.text ?? '')) return NOTHING
    const at = operands.findIndex(({ text }) => text === '--')
    if (at >= 0) return one({ argv: operands.slice(at + 1), isRemote: true, takesStdin: true })
    const inner = readOptions(operands.slice(1), KUBECTL_VALUES, true)
    return one({
      argv: readOptions(inner.operands.slice(1), KUBECTL_VALUES, true).operands,
      isRemote: true,
      takesStdin: true,
    })
  },
  make,
  gmake: make,
  sed: (words) => ({
    children: sedScripts(words)
      .flatMap(({ text }) => commandsInSed(text))
      .map((text) => ({ script: { text, known: false } })),
  }),
  export: exported,
  declare: exported,
  typeset: exported,
  tmux: (words) => {
    const { operands } = readOptions(words, valueNames('L S f c T'), true)
    const [subcommand, ...rest] = operands
    const inner = readOptions(rest, /popup/.test(subcommand?.text ?? '') ? POPUP_VALUES : TMUX_VALUES, true)
    const cwd = optionValue(inner, 'c')
    if (/^send/.test(subcommand?.text ?? '')) {
      const keys = inner.operands.filter(({ text }) => !/^(Enter|C-[a-z]|Escape|Space|Tab)$/.test(text))
      return one({ script: joinedWords(keys) })
    }
    if (
      !/^(new|neww|new-.*|split.*|respawn.*|run.*|popup|display-popup|if-shell)$/.test(subcommand?.text ?? '')
    )
      return NOTHING
    if (inner.operands.length === 0) return NOTHING
    return one({ script: joinedWords(inner.operands), ...(cwd && { cwd }) })
  },
  screen: (words) => {
    const { given, operands } = readOptions(words, valueNames('S t c e h p s T'), true)
    if (!given.has('X')) return one({ argv: operands })
    return operands[0]?.text === 'stuff'
      ? one({ script: { text: unquoteKeys(operands[1]?.text ?? ''), known: operands[1]?.known === true } })
      : NOTHING
  },
  capsh: (words) => {
    const at = words.findIndex(({ text }) => text === '--' || text === '==')
    return at < 0
      ? NOTHING
      : one({ argv: [{ text: 'bash', known: true }, ...words.slice(at + 1)], takesStdin: true })
  },
  corepack: (words) =>
    /^(?:np[mx]|pnp[mx]|yarn(?:pkg)?)(?:@|$)/.test(words[0]?.text ?? '')
      ? one({ argv: withoutVersion(words), takesStdin: true, passesOutput: true })
      : NOTHING,
  at: scheduled,
  batch: scheduled,
  crontab: (words, { stdin }) => linesWith(words.find(({ output }) => output)?.output ?? stdin, CRON_LINE),
  ed: (_, { stdin }) => linesWith(stdin, /^\s{0,9}[\d,$.]{0,9}!(.+)/),
  concurrently: (words) => ({
    children: readOptions(words, CONCURRENTLY_VALUES).operands.map((script) => ({ script })),
  }),
}

/** Behind the time: five fields, or a word such as `@reboot`. */
const CRON_LINE = /^\s{0,9}(?:@\w{1,20}\s{1,9}|(?:[\w*,/-]{1,60}\s{1,9}){5})(.+)/
const MAX_GIVEN = 64 // words of a known input that xargs and parallel hand on one by one
const FD_VALUES = valueNames('t type e extension d max-depth E exclude S size o owner c color j threads')
const ENV_VALUES = valueNames('u unset C chdir P')
const XARGS_VALUES = valueNames(
  'I J R n P L d E s a max-args max-procs max-lines delimiter eof arg-file max-chars',
)
const PARALLEL_VALUES = valueNames(
  'j jobs a arg-file S sshlogin C colsep d delimiter id I n max-args N joblog results timeout delay retries',
)
const KUBECTL_VALUES = valueNames(
  'n namespace c container context kubeconfig cluster user s server f filename as image overrides restart',
)
const MAKE_VALUES = valueNames('C directory f file makefile I include-dir j jobs o old-file W')
const CONCURRENTLY_VALUES = valueNames('n names c prefix-colors p prefix')
const TMUX_VALUES = valueNames('c e F n s t x y l b N T S')
const POPUP_VALUES = valueNames('b c d e h s S t T w x y')

/** The words behind the host, or standard input, are a script for the shell there. */
function overSsh(values: ValueNames): (words: readonly Word[], command: Command) => Unwrapped {
  return (words, { stdin }) => {
    const options = readOptions(words, values, true)
    const { operands: rest } = readOptions(options.operands.slice(1), values, true)
    const children: Child[] = []
    if (rest.length > 0) children.push({ script: joinedWords(rest), isRemote: true, takesStdin: true })
    else if (stdin && options.operands.length > 0) children.push({ script: stdin, isRemote: true })
    return { children }
  }
}

function unquoteKeys(text: string): string {
  return text.replace(/\\n|\^M|\\r/g, '\n')
}

/** `env -S 'bash -c' 'rm x'`: the value is split into words of env, and what stands behind it stays as it is. */
function envSplit(words: readonly Word[], at: number): Child {
  const [, attached] = /^(?:-[a-zA-Z]*S|--split-string=?)([\s\S]*)$/.exec(words[at]?.text ?? '') ?? []
  const value = attached ? { text: attached, known: words[at]?.known === true } : words[at + 1]
  const text = `${value?.text ?? ''} "$@"`
  const script = { text: /^\s*-/.test(text) ? `env ${text}` : text, known: value?.known === true }
  return { script, positional: words.slice(at + (attached ? 1 : 2)) }
}

/** `parallel rm ::: a b`: of several words each stays a word, one is text for a shell; without `:::` it reads its input. */
function parallel(words: readonly Word[], { stdin }: Command): Unwrapped {
  const options = readOptions(words, PARALLEL_VALUES, true)
  const at = options.operands.findIndex(({ text }) => /^:::/.test(text))
  const base = at < 0 ? options.operands : options.operands.slice(0, at)
  const input = optionValue(options, 'a arg-file')?.output ?? stdin
  const given =
    at < 0 ? linesOf(input) : options.operands.slice(at + 1).filter(({ text }) => !/^:::/.test(text))
  if (base.length === 0) return forEach(given, (script) => ({ script }))
  const found = given.length > 0 ? given : [{ text: '{}', known: false }]
  const hasToken = base.some(({ text }) => text.includes('{}'))
  const areWords = base.length > 1 && !base.some(({ text }) => /^[;&|<>]+$/.test(text))
  return forEach(found, (word) => {
    const filled = base.map((part) => withToken(part, '{}', word))
    if (areWords) return { argv: hasToken ? filled : [...base, word] }
    const script = joinedWords(filled)
    if (hasToken) return { script }
    return { script: { ...script, text: `${script.text} "$@"` }, positional: [word] }
  })
}

function forEach(words: readonly Word[], start: (word: Word) => Child): Unwrapped {
  return { children: words.slice(0, MAX_GIVEN).map(start), isTooMuch: words.length > MAX_GIVEN }
}

function linesOf(input: Word | undefined): Word[] {
  if (!input) return []
  const lines = input.text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((text) => ({ text, known: input.known }))
}

/** `at -f file now`, or the text on its standard input. */
function scheduled(words: readonly Word[], { stdin }: Command): Unwrapped {
  const script = optionValue(readOptions(words, valueNames('f q')), 'f')?.output ?? stdin
  return script ? one({ script }) : NOTHING
}

/** Lines of a program's own language that start a command: the first group of `line`. */
function linesWith(input: Word | undefined, line: RegExp): Unwrapped {
  const texts = input?.text.split('\n').flatMap((text) => line.exec(text)?.[1] ?? []) ?? []
  return forEach(
    texts.map((text) => ({ text, known: false })),
    (script) => ({ script }),
  )
}

/** Its recipes, if the script wrote the makefile itself, and the shell that runs them. */
function make(words: readonly Word[], { stdin }: Command, around: Around): Unwrapped {
  const options = readOptions(words, MAKE_VALUES)
  const cwd = optionValue(options, 'C directory')
  const children: Child[] = []
  for (const { text, known } of options.operands)
    if (/^(\.?SHELL)=./.test(text)) children.push({ script: { text: text.replace(/^[^=]*=/, ''), known } })
  const file = optionValue(options, 'f file makefile')
  const isStdin = file?.text === '-' || file?.text === '/dev/stdin'
  const text = file
    ? isStdin
      ? stdin
      : file.output
    : (around.textOf('Makefile') ?? around.textOf('makefile'))
  if (text) children.push({ script: { text: recipesOf(text.text), known: false } })
  return { children, ...(cwd && { cwd }) }
}

/** The lines of a makefile that a shell runs. */
function recipesOf(makefile: string): string {
  const lines = makefile.split('\n').flatMap((line) => {
    const recipe = /^\t[@+-]{0,3}(.*)$/.exec(line)?.[1] ?? /^[^#:]{0,200}:[^=;]{0,200};(.*)$/.exec(line)?.[1]
    const called = /\$\(shell\s{1,9}(.{1,2000})\)/.exec(line)?.[1]
    return recipe ?? called ?? []
  })
  return lines.join('\n').replaceAll('$$', '$')
}

function isEndOfExec(words: readonly Word[], at: number): boolean {
  const text = words[at]?.text
  return text === ';' || (text === '+' && words[at - 1]?.text === '{}')
}
