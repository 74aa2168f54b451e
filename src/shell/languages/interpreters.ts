/** Programs that run code of another language: which language, and where on the command line the code is. */
import type { Command, Word } from '../command.ts'
import { optionValue, readOptions, type ValueNames, valueNames } from '../options.ts'

/** How a program takes code: by an option, as its first operand, as a file, on standard input. */
interface Interpreter {
  readonly language: string
  readonly option?: string
  /** Other options with a value. */
  readonly values?: string
  readonly isOperand?: boolean
  readonly readsStdin?: boolean
  /** Its first operand is a subcommand, the code comes behind: `go run x.go`. */
  readonly subcommand?: string
}

const JAVASCRIPT = { language: 'javascript', option: 'e eval p print', values: 'r require', readsStdin: true }
const PYTHON = { language: 'python', option: 'c', values: 'W X', readsStdin: true }
const PERL = { language: 'perl', option: 'e E', values: 'M m I F', readsStdin: true }
const LISP = { language: 'lisp', option: 'e eval expr', readsStdin: true }
const LUA = { language: 'lua', option: 'e', values: 'l', readsStdin: true }
const AWK = {
  language: 'awk',
  option: 'e source',
  isOperand: true,
  values: 'F v f assign field-separator file',
}
const JVM = { language: 'jvm', option: 'e', values: 'cp classpath', readsStdin: true }
const TCL = { language: 'tcl', option: 'c', readsStdin: true }

const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  python: PYTHON,
  pypy: PYTHON,
  ipython: PYTHON,
  bpython: PYTHON,
  xonsh: PYTHON,
  micropython: PYTHON,
  node: JAVASCRIPT,
  nodejs: JAVASCRIPT,
  bun: JAVASCRIPT,
  deno: JAVASCRIPT,
  tsx: JAVASCRIPT,
  'ts-node': JAVASCRIPT,
  zx: JAVASCRIPT,
  qjs: JAVASCRIPT,
  gjs: { language: 'javascript', option: 'c command', values: 'I', readsStdin: true },
  'gjs-console': { language: 'javascript', option: 'c command', values: 'I', readsStdin: true },
  perl: PERL,
  raku: PERL,
  ruby: { language: 'ruby', option: 'e', values: 'r I', readsStdin: true },
  jruby: { language: 'ruby', option: 'e', readsStdin: true },
  irb: { language: 'ruby', option: 'e', readsStdin: true },
  pry: { language: 'ruby', option: 'e', readsStdin: true },
  crystal: { language: 'ruby', subcommand: 'eval', isOperand: true },
  php: { language: 'php', option: 'r B R E', values: 'd c', readsStdin: true },
  lua: LUA,
  luajit: LUA,
  texlua: LUA,
  osascript: { language: 'applescript', option: 'e', values: 'l', readsStdin: true },
  awk: AWK,
  gawk: AWK,
  mawk: AWK,
  nawk: AWK,
  R: { language: 'r', option: 'e', readsStdin: true },
  Rscript: { language: 'r', option: 'e', readsStdin: true },
  octave: { language: 'octave', option: 'eval', readsStdin: true },
  gnuplot: { language: 'gnuplot', option: 'e', readsStdin: true },
  julia: { language: 'julia', option: 'e eval E print', readsStdin: true },
  elixir: { language: 'elixir', option: 'e eval rpc-eval' },
  iex: { language: 'elixir', option: 'e eval', readsStdin: true },
  erl: { language: 'erlang', option: 'eval', values: 's run pa pz' },
  escript: { language: 'erlang' },
  ghc: { language: 'haskell', option: 'e' },
  ghci: { language: 'haskell', option: 'e', readsStdin: true },
  runghc: { language: 'haskell', readsStdin: true },
  runhaskell: { language: 'haskell', readsStdin: true },
  ocaml: { language: 'ocaml', option: 'e', readsStdin: true },
  scala: JVM,
  groovy: JVM,
  kotlin: JVM,
  kotlinc: JVM,
  jshell: JVM,
  java: { language: 'jvm' },
  swift: { language: 'swift', option: 'e', readsStdin: true },
  guile: { ...LISP, option: 'c' },
  racket: LISP,
  sbcl: LISP,
  clisp: { ...LISP, option: 'x' },
  csi: LISP,
  clojure: LISP,
  clj: LISP,
  bb: LISP,
  emacs: { ...LISP, option: 'eval execute', values: 'l load f funcall' },
  emacsclient: { ...LISP, isOperand: true },
  tclsh: TCL,
  wish: TCL,
  expect: TCL,
  go: { language: 'go', subcommand: 'run' },
  rustc: { language: 'rust', readsStdin: true },
  tcc: { language: 'c', values: 'o I L', readsStdin: true },
}

export function languageOf({ program, argv, stdin }: Command): { language: string; text: Word } | undefined {
  const name = Object.hasOwn(INTERPRETERS, program) ? program : program.replace(/[\d.]+$/, '')
  const found = Object.hasOwn(INTERPRETERS, name) ? INTERPRETERS[name] : undefined
  if (!found) return undefined
  const { language } = found
  const code = (text: Word | undefined) => text && { language, text }
  const values = valueNames(`${found.option ?? ''} ${found.values ?? ''}`)
  const isEval = name === 'deno' && argv[1]?.text === 'eval'
  const isSub = isEval || (found.subcommand !== undefined && argv[1]?.text === found.subcommand)
  if (found.subcommand && !isSub) return undefined
  const timed = language === 'python' ? codeOfModule(argv) : undefined
  if (timed) return code(timed)
  const { operands, given, all } = readOptions(argv.slice(isSub ? 2 : 1), values, true)
  const [first] = operands
  if (isEval) return code(first)
  const names = found.option?.split(' ') ?? []
  const texts = all.flatMap(([name, value]) => (value && names.includes(name) ? [value] : []))
  if (texts.length > 0) return code(joined(texts))
  const behind = found.option ? optionBehind(argv, values, names) : undefined
  if (behind) return code(behind)
  if (found.isOperand) return given.has('f') ? code(given.get('f')?.output) : code(first)
  if (first?.output) return code(first.output)
  const isStdin = !first || first.text === '-' || first.text === '/dev/stdin'
  return found.readsStdin && isStdin ? code(stdin) : undefined
}

/** `python -m timeit code`, `python -m pdb -c code x.py`: modules that run what their words say. */
function codeOfModule(argv: readonly Word[]): Word | undefined {
  const at = argv.findIndex(({ text }) => text === '-m')
  const name = at < 0 ? '' : (argv[at + 1]?.text ?? '')
  if (!/^(?:timeit|pdb|cProfile|profile|trace|code|asyncio)$/.test(name)) return undefined
  const { operands, all } = readOptions(argv.slice(at + 2), MODULE_VALUES)
  const texts = all.flatMap(([, value]) => value ?? [])
  const words = name === 'timeit' ? [...texts, ...operands] : texts
  return words.length > 0 ? joined(words) : undefined
}

const MODULE_VALUES = valueNames('s setup c command n number r repeat u unit')

/** `perl -e a -e b`: one program of two lines. */
function joined(texts: readonly Word[]): Word {
  return { text: texts.map(({ text }) => text).join('\n'), known: texts.every(({ known }) => known) }
}

/** An option that stands behind an operand: `emacs file --eval x`. Short ones may be the script's own. */
function optionBehind(argv: readonly Word[], values: ValueNames, names: readonly string[]): Word | undefined {
  const long = names.filter((name) => name.length > 1)
  return long.length > 0 ? optionValue(readOptions(argv.slice(1), values), long.join(' ')) : undefined
}
