/** Build tools whose own files and options start commands: cmake, ninja, start-stop-daemon, salt. */
import type { Command, Word } from '../command.ts'
import { optionValue, readOptions, valueNames } from '../options.ts'
import { type Child, joinedWords, NOTHING, one, type Unwrapped } from './child.ts'

const MAX_LINES = 64
const text = (value: string): Word => ({ text: value, known: true })

/** Tools of `cmake -E`, as the programs that do the same. */
const CMAKE_TOOLS: Readonly<Record<string, readonly string[]>> = {
  rm: ['rm'],
  remove: ['rm'],
  remove_directory: ['rm', '-r'],
  copy: ['cp'],
  copy_directory: ['cp', '-r'],
  rename: ['mv'],
  touch: ['touch'],
  make_directory: ['mkdir', '-p'],
  create_symlink: ['ln', '-s'],
  cat: ['cat'],
  env: ['env'],
  time: [],
}

/** `cmake -E rm x`, and the script of `cmake -P`, if the command wrote it itself. */
export function cmake(words: readonly Word[]): Unwrapped {
  const at = words.findIndex(({ text }) => text === '-E')
  const tool = words[at + 1]?.text ?? ''
  if (at >= 0 && Object.hasOwn(CMAKE_TOOLS, tool))
    return one({ argv: [...(CMAKE_TOOLS[tool] ?? []).map(text), ...words.slice(at + 2)] })
  const script = words[words.findIndex(({ text }) => text === '-P') + 1]?.output
  return script ? lines(commandsInCmake(script.text)) : NOTHING
}

function commandsInCmake(script: string): string[] {
  const started = [...script.matchAll(/\bCOMMAND\s{1,20}([^)]{1,2000})/g)].map(([, words = '']) => words)
  const removed = [...script.matchAll(/\bfile\s{0,9}\(\s{0,9}REMOVE(?:_RECURSE)?\s{1,9}([^)]{1,2000})/gi)]
  return [...started, ...removed.map(([, paths = '']) => `rm -rf ${paths}`)]
}

/** The commands of a build file that the command wrote itself. */
export function ninja(words: readonly Word[], { stdin }: Command): Unwrapped {
  const file = optionValue(readOptions(words, valueNames('f C j k l t d w')), 'f')
  const build = file?.text === '/dev/stdin' ? stdin : file?.output
  return lines(
    [...(build?.text ?? '').matchAll(/^\s{1,9}command\s{0,9}=\s{0,9}(.+)$/gm)].map(([, line = '']) => line),
  )
}

const DAEMON = valueNames(
  'x exec a startas p pidfile n name u user g group c chuid d chdir r chroot N nicelevel s signal R retry',
)

export function startStopDaemon(words: readonly Word[]): Unwrapped {
  const options = readOptions(words, DAEMON, true)
  const program = optionValue(options, 'a startas') ?? optionValue(options, 'x exec')
  const isStop = options.given.has('K') || options.given.has('stop')
  return program && !isStop
    ? one({ argv: [program, ...options.operands.filter(({ text }) => text !== '--')] })
    : NOTHING
}

const SALT = valueNames('t timeout b batch-size out L G E C S N')

/** `salt '*' cmd.run 'rm x'` */
export function salt(words: readonly Word[]): Unwrapped {
  const { operands } = readOptions(words, SALT)
  const at = operands.findIndex(({ text }) =>
    /^cmd\.(?:run|shell|run_all|run_stdout|run_bg|exec_code)$/.test(text),
  )
  const rest = at < 0 ? [] : operands.slice(at + 1)
  return rest.length > 0 ? one({ script: joinedWords(rest), isRemote: true }) : NOTHING
}

/** `entr -s 'make test'`: one text for a shell. */
export function entr(words: readonly Word[]): Unwrapped {
  const { given, operands } = readOptions(words, valueNames(), true)
  if (operands.length === 0) return NOTHING
  return one(given.has('s') ? { script: joinedWords(operands) } : { argv: operands })
}

/** Behind `!`, sftp starts a command here. */
export function sftp(words: readonly Word[], { stdin }: Command): Unwrapped {
  const batch = optionValue(readOptions(words, valueNames('b B c D F i J l o P R S s')), 'b')
  const input = batch === undefined || batch.text === '-' ? stdin : batch.output
  return lines([...(input?.text ?? '').matchAll(/^[ \t]{0,9}-?@?!(.+)$/gm)].map(([, line = '']) => line))
}

function lines(found: readonly string[]): Unwrapped {
  const children: Child[] = found
    .slice(0, MAX_LINES)
    .map((line) => ({ script: { text: line, known: false } }))
  return { children }
}
