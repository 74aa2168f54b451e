/** Code in other languages on a command line: which language, and which commands its plain strings start. */
import type { Command, Word } from './command.ts'
import { optionValue, readOptions, valueNames } from './options.ts'

/** How a program takes code: by an option, as its first operand, on standard input. */
interface Interpreter {
  readonly language: string
  readonly option?: string
  readonly values?: string
  readonly isOperand?: boolean
  readonly readsStdin?: boolean
}

const JAVASCRIPT = {
  language: 'javascript',
  option: 'e eval p print',
  values: 'e eval p print r require',
  readsStdin: true,
}
const PERL = { language: 'perl', option: 'e E', values: 'e E', readsStdin: true }
const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  python: { language: 'python', option: 'c', values: 'c W X', readsStdin: true },
  pypy: { language: 'python', option: 'c', values: 'c W X', readsStdin: true },
  node: JAVASCRIPT,
  nodejs: JAVASCRIPT,
  bun: JAVASCRIPT,
  deno: JAVASCRIPT,
  tsx: JAVASCRIPT,
  perl: PERL,
  ruby: { language: 'ruby', option: 'e', values: 'e', readsStdin: true },
  php: { language: 'php', option: 'r', values: 'r', readsStdin: true },
  lua: { language: 'lua', option: 'e', values: 'e l', readsStdin: true },
  osascript: { language: 'applescript', option: 'e', values: 'e', readsStdin: true },
  awk: { language: 'awk', isOperand: true, values: 'F v f' },
  gawk: { language: 'awk', isOperand: true, values: 'F v f' },
  mawk: { language: 'awk', isOperand: true, values: 'F v f' },
}

export function languageOf({ program, argv, stdin }: Command): { language: string; text: Word } | undefined {
  const name = program.replace(/[\d.]+$/, '')
  const found = Object.hasOwn(INTERPRETERS, name) ? INTERPRETERS[name] : undefined
  if (!found) return undefined
  const { language } = found
  const isEval = name === 'deno' && argv[1]?.text === 'eval'
  const options = readOptions(argv.slice(isEval ? 2 : 1), valueNames(found.values), true)
  if (isEval) return options.operands[0] && { language, text: options.operands[0] }
  const given = found.option ? optionValue(options, found.option) : undefined
  if (given) return { language, text: given }
  const first = options.operands[0]
  if (found.isOperand) return first && !options.given.has('f') ? { language, text: first } : undefined
  const isStdin = !first || first.text === '-' || first.text === '/dev/stdin'
  return found.readsStdin && isStdin && stdin ? { language, text: stdin } : undefined
}

const STRING = String.raw`(?:[rbfu]{0,2}"((?:[^"\\\n]|\\.){0,4000})"|[rbfu]{0,2}'((?:[^'\\\n]|\\.){0,4000})')`
/** Functions that hand a text to a shell. */
const SHELL_CALL = new RegExp(
  String.raw`\b(?:os\.system|os\.popen|getoutput|getstatusoutput|subprocess\.\w+|run|call|check_call|check_output|Popen|execSync|exec|system|popen|shell_exec|passthru|proc_open|io\.popen|os\.execute|spawn|spawnSync|execFileSync|execFile|Bun\.spawn|Bun\.spawnSync|execvp?|execlp?|spawnlp?|IO\.popen|do shell script)\s{0,20}\(?\s{0,20}${STRING}\s{0,20}(?:,\s{0,20}\[([^\]]{0,4000})\])?`,
  'g',
)
/** Functions that take a list of words. */
const LIST_CALL =
  /\b(?:subprocess\.\w+|run|call|check_call|check_output|Popen|Bun\.spawn|Bun\.spawnSync|spawn|system|exec)\s{0,20}\(?\s{0,20}(?:args\s{0,20}=\s{0,20})?\[([^\]]{0,4000})\]/g
const BACKTICKS = /(?:\b(?:qx|%x)\s{0,20}[{(/|]([^})/|]{1,4000})[})/|]|`([^`]{1,4000})`|\$`([^`]{1,4000})`)/g
const LITERAL = new RegExp(STRING, 'g')
const MAX_FOUND = 64

/** Each start: a text for a shell, or words. */
export function commandsInCode(code: string, language: string): (string | string[])[] {
  const found: (string | string[])[] = []
  for (const match of code.matchAll(SHELL_CALL)) {
    const text = unescapedString(match[1] ?? match[2] ?? '')
    if (match[3] !== undefined) found.push([text, ...literals(match[3])])
    else {
      const more =
        language === 'perl' || language === 'ruby'
          ? listBehind(code, (match.index ?? 0) + match[0].length)
          : []
      found.push(more.length > 0 ? [text, ...more] : text)
    }
    if (found.length >= MAX_FOUND) return found
  }
  for (const match of code.matchAll(LIST_CALL)) {
    const words = literals(match[1] ?? '')
    if (words.length > 0) found.push(words)
  }
  const hasBackticks = language === 'perl' || language === 'ruby' || language === 'php'
  if (hasBackticks || /\$`/.test(code))
    for (const match of code.matchAll(BACKTICKS)) {
      if (hasBackticks || match[3] !== undefined || match[0].startsWith('$'))
        found.push(match[1] ?? match[2] ?? match[3] ?? '')
    }
  return found.slice(0, MAX_FOUND)
}

/** `system("rm", "-rf", "/")`: the words behind the first. */
function listBehind(code: string, from: number): string[] {
  const rest = /^(?:\s{0,20},\s{0,20}(?:"[^"\\\n]{0,400}"|'[^'\\\n]{0,400}'))+/.exec(
    code.slice(from, from + 4000),
  )
  return rest ? literals(rest[0]) : []
}

function literals(text: string): string[] {
  return [...text.matchAll(LITERAL)].map((match) => unescapedString(match[1] ?? match[2] ?? ''))
}

function unescapedString(text: string): string {
  return text
    .replace(/\\(["'\\$`])/g, '$1')
    .replace(/\\n/g, '\n')
    .replace(/\\t/g, '\t')
}

const FILE_CALLS: readonly {
  readonly call: string
  readonly role: 'reads' | 'writes' | 'deletes'
  readonly recursive?: true
}[] = [
  {
    call: String.raw`shutil\.rmtree|rmSync|rm_rf|rm_r|remove_dir_all|remove_tree|rimraf|fs\.rm|fs\.promises\.rm|rmtree`,
    role: 'deletes',
    recursive: true,
  },
  {
    call: String.raw`os\.remove|os\.unlink|os\.rmdir|unlinkSync|unlink|rmdirSync|File\.delete|FileUtils\.rm`,
    role: 'deletes',
  },
  {
    call: String.raw`writeFileSync|writeFile|appendFileSync|appendFile|File\.write|file_put_contents|createWriteStream`,
    role: 'writes',
  },
  {
    call: String.raw`readFileSync|readFile|File\.read|file_get_contents|IO\.read|createReadStream`,
    role: 'reads',
  },
]
const FILE_PATTERNS = FILE_CALLS.map((one) => ({
  ...one,
  pattern: new RegExp(String.raw`(?:\b|\.)(?:${one.call})\s{0,20}\(?\s{0,20}${STRING}`, 'g'),
}))
const OPEN_CALL = new RegExp(
  String.raw`\bopen\s{0,20}\(\s{0,20}${STRING}\s{0,20}(?:,\s{0,20}(?:mode\s{0,20}=\s{0,20})?["']([^"']{1,8})["'])?`,
  'g',
)
const PATH_CALL = new RegExp(
  String.raw`\bPath\s{0,20}\(\s{0,20}${STRING}\s{0,20}\)\.(unlink|rmdir|write_text|write_bytes|read_text|read_bytes)`,
  'g',
)

/** Files that code names in plain strings, and what it does to them. */
export function fileCallsInCode(
  code: string,
): { role: 'reads' | 'writes' | 'deletes'; text: string; recursive: boolean }[] {
  const found: { role: 'reads' | 'writes' | 'deletes'; text: string; recursive: boolean }[] = []
  for (const { pattern, role, recursive } of FILE_PATTERNS)
    for (const match of code.matchAll(pattern))
      found.push({ role, text: unescapedString(match[1] ?? match[2] ?? ''), recursive: recursive === true })
  for (const match of code.matchAll(OPEN_CALL)) {
    const role = /[wax+]/.test(match[3] ?? '') ? 'writes' : 'reads'
    found.push({ role, text: unescapedString(match[1] ?? match[2] ?? ''), recursive: false })
  }
  for (const match of code.matchAll(PATH_CALL)) {
    const role = /^(unlink|rmdir)$/.test(match[3] ?? '')
      ? 'deletes'
      : /^write/.test(match[3] ?? '')
        ? 'writes'
        : 'reads'
    found.push({ role, text: unescapedString(match[1] ?? match[2] ?? ''), recursive: false })
  }
  return found.slice(0, MAX_FOUND)
}
