/**
 * Code in other languages: the commands that it starts and the files that it touches, as far as plain strings say so. It is not
 * parsed: calls are found by their names, which are much the same in all languages.
 */
import { SHELLS } from '../programs.ts'
import { commandsInAwk, printedByAwk } from './awk.ts'

const MAX_CODE = 65_536
const MAX_FOUND = 64
const STRING = String.raw`(?:[rbfu]{0,2}"((?:[^"\\\n]|\\.){0,4000})"|[rbfu]{0,2}'((?:[^'\\\n]|\\.){0,4000})')`

/** Functions that hand a text to a shell, or take a program and its words. */
const STARTERS = [
  String.raw`os\.system|os\.popen|getoutput|getstatusoutput|subprocess\.\w+|run|call|check_call|check_output|Popen`,
  String.raw`execSync|exec|execFileSync|execFile|spawn|spawnSync|Bun\.spawn|Bun\.spawnSync|execa|execaSync|execaCommand`,
  String.raw`system2?|shell_exec|passthru|proc_open|popen\d?|pcntl_exec|io\.popen|os\.execute|IO\.popen|capture[23]e?`,
  'execv[pe]{0,2}|execl[pe]{0,2}|spawn[lv][pe]{0,2}|posix_spawnp?|spawn_command_line_a?sync|do shell script',
  String.raw`System\.cmd|System\.shell|os:cmd|:os\.cmd|callCommand|callProcess|readProcess|rawSystem|shell`,
  String.raw`shell-command(?:-to-string)?|call-process|start-process|run-program|run-shell-command|sh|process\*?|system\*`,
  String.raw`exec\.Command|Command::new|ProcessBuilder|Sys\.command|Unix\.system|Process\.run|Process\.start|Deno\.Command`,
].join('|')
const START = new RegExp(
  String.raw`(?<![\w$-])(?:${STARTERS})!?\s{0,20}\(?\s{0,20}(?:(?:List\.of|Arrays\.asList|listOf)\()?(?:~c)?${STRING}`,
  'g',
)
/** The words behind the first string: a list, or more arguments. `nil` and `t` are where Lisp sends the output. */
const WORDS_BEHIND = new RegExp(
  String.raw`^(?:\)?\s{0,20}(?:(?:[,[({]|\.args?\(|c\(|nil\b|t\b|&\[|args:|(?=["']))\s{0,9}){0,8}${STRING})+`,
)
/** Functions that take a list of words. */
const LIST =
  /(?<![\w$-])(?:run|call|check_call|check_output|Popen|Bun\.spawn|Bun\.spawnSync|spawn|spawnSync|system|exec)\s{0,20}\(?\s{0,20}(?:args\s{0,20}=\s{0,20})?(?:\[|new String\[\]\s{0,9}\{)\s{0,20}((?:["'][^\])}]{0,4000}))/g
/** Scala's `"x".!`, Groovy's `"x".execute()` and their lists. */
const POSTFIX =
  /(?:(?:"([^"\\\n]{0,400})"|'([^'\\\n]{0,400})')|[[(]([^\])]{0,400})[\])])\s{0,9}\.(?:!{1,2}|lazyLines|execute\(\))/g
const BACKTICKS =
  /(?:\b(?:qx|%x|%x)\s{0,20}[{(/|[]([^})/|\]]{1,4000})[})/|\]]|%x[{([]([^})\]]{1,4000})[})\]]|(\$|\brun\()?`([^`]{1,4000})`)/g
const WITH_BACKTICKS = new Set(['perl', 'ruby', 'php'])
const TCL = /(?:^|[\s;[{])(?:exec|spawn|system)\s{1,9}(?:-\w{1,20}\s{1,9}){0,4}([^\]\n;}]{1,4000})/g
/** A line for the shell in IPython. */
const IPYTHON = /^[ \t]{0,20}(?:!{1,2}|%sx |%system )([^\n]{1,4000})/gm
const LITERAL = new RegExp(STRING, 'g')

/** Each start: a text for a shell, or words. */
export function commandsInCode(source: string, language: string): (string | string[])[] {
  if (language === 'awk') return startedByAwk(source)
  const code = plainCode(source.slice(0, MAX_CODE))
  const found: (string | string[])[] = []
  for (const match of code.matchAll(START)) {
    const text = unescapedString(match[1] ?? match[2] ?? '')
    const behind = code.slice(match.index + match[0].length, match.index + match[0].length + MAX_BEHIND)
    const words = literals(WORDS_BEHIND.exec(behind)?.[0] ?? '')
    // Of execl and its like the next word is what the program is told to be called.
    const isNamed = /(?:exec|spawn)[lv][pe]{0,2}\s{0,20}\(|posix_spawn/.test(match[0])
    const behindName = isNamed ? words.slice(1) : words
    found.push(words.length > 0 && !/\s/.test(text) ? [text, ...behindName] : text)
    if (found.length >= MAX_FOUND) return found
  }
  for (const match of code.matchAll(LIST)) {
    const words = literals(match[1] ?? '')
    if (words.length > 0) found.push(words)
  }
  if (language === 'jvm')
    for (const match of code.slice(0, MAX_POSTFIX).matchAll(POSTFIX))
      found.push(match[3] === undefined ? unescapedString(match[1] ?? match[2] ?? '') : literals(match[3]))
  if (language === 'python') for (const [, text = ''] of code.matchAll(IPYTHON)) found.push(text)
  if (language === 'tcl') for (const [, text = ''] of code.matchAll(TCL)) found.push(text)
  if (code.includes('`') || code.includes('%x') || code.includes('qx'))
    for (const [, quoted, other, prefix, ticked] of code.matchAll(BACKTICKS))
      if (prefix !== undefined || WITH_BACKTICKS.has(language)) found.push(quoted ?? other ?? ticked ?? '')
  return found.filter((start) => start.length > 0).slice(0, MAX_FOUND)
}

const MAX_POSTFIX = 4_000 // characters: each bracket and quote in them may begin one
const MAX_BEHIND = 4_000

/** `print x | "sh"`: a shell runs what is printed. */
function startedByAwk(program: string): string[] {
  return commandsInAwk(program).flatMap(({ text, readsPrinted }) => {
    const isShell = readsPrinted && SHELLS.test(text.trim().replace(/^.*\//, ''))
    const printed = isShell ? printedByAwk(program, undefined) : undefined
    return printed === undefined ? [text] : [text, printed]
  })
}

/** The home folder, as languages name it. */
const HOME = new RegExp(
  [
    String.raw`(?:process|Bun)\.env(?:\.(?:HOME|USERPROFILE)\b|\[["'](?:HOME|USERPROFILE)["']\])`,
    String.raw`(?:Deno\.env\.get|\bos\.environ\.get|\bos\.getenv|\bgetenv|\bSys\.getenv|\bSystem\.getenv|\bENV\.fetch|\bSystem\.get_env|\bos\.Getenv|env::var)\(["'](?:HOME|USERPROFILE)["']\)(?:\.unwrap\(\))?`,
    String.raw`(?:\bos\.environ|\bENV|\$_(?:SERVER|ENV))\[["'](?:HOME|USERPROFILE)["']\]|\$ENV\{["']?HOME["']?\}`,
    String.raw`\b(?:os\.)?homedir\(\)|\bPath\.home\(\)|\bDir\.home(?:\(\))?|\bSystem\.user_home!?\(\)|\bos\.UserHomeDir\(\)|\bhome_dir\(\)(?:\.unwrap\(\))?|\bNSHomeDirectory\(\)`,
    String.raw`System\.getProperty\(["']user\.home["']\)|\(getpwuid\(\$[<>]\)\)\[7\]`,
  ].join('|'),
)
/** Functions that put the home folder in the place of a tilde. */
const EXPANDED =
  /(?:\b(?:os\.path\.expanduser|File\.expand_path|Path\.expand|path\.expand|untildify|expanduser|expandHomeDir))\(\s{0,9}(["'][^"'\n\\]{0,400}["'])\s{0,9}\)/g
/** `Path.home() / "x" / "y"` of Python, once the first is a string. */
const SLASHED = /"([^"\n\\]{0,400})"\)?\s{0,9}\/\s{0,9}(?:"([^"\n\\]{0,400})"|'([^'\n\\]{0,400})')/g
const MAX_SLASHES = 6

export function namesHome(code: string): boolean {
  return HOME.test(code) || /["'`]~\//.test(code)
}

const JOIN =
  /(?:[\w.]{0,40}\.)?join\(\s{0,9}((?:["'][^"'\n\\]{0,400}["']\s{0,9},\s{0,9}){1,8}["'][^"'\n\\]{0,400}["'])\s{0,9}\)/g
/** Ways to say the same, the plain one behind each. */
const PLAINER: readonly (readonly [RegExp, string])[] = [
  [/\brequire\(\s{0,9}["'](?:node:)?(?:\w{1,20}\/)?(\w{1,40})["']\s{0,9}\)/g, '$1'],
  [EXPANDED, '$1'],
  [new RegExp(String.raw`(?:${HOME.source})\s{0,9}(?:\+|\.{1,2}|<>)\s{0,9}(["'])`, 'g'), '$1~'],
  [new RegExp(HOME.source, 'g'), '"~"'],
  [/__import__\(\s{0,9}["'](\w{1,40})["']\s{0,9}\)/g, '$1'],
  [/\b(?:importlib\.)?import_module\(\s{0,9}["'](\w{1,40})["']\s{0,9}\)/g, '$1'],
  [/"\s{0,9}(?:\+|\.{1,2}|<>)\s{0,9}"/g, ''],
  [/'\s{0,9}(?:\+|\.{1,2}|<>)\s{0,9}'/g, ''],
  [/\bgetattr\(\s{0,9}(\w{1,40})\s{0,9},\s{0,9}["'](\w{1,40})["']\s{0,9}\)/g, '$1.$2'],
  [/\[\s{0,9}["'](\w{1,40})["']\s{0,9}\]\s{0,9}\(/g, '.$1('],
]

/** The same code with joined paths, names and strings put together, where it says them in parts. */
export function plainCode(code: string): string {
  let text = code
  for (const [pattern, by] of PLAINER) text = text.replace(pattern, by)
  if (text.includes('join('))
    text = text.replace(JOIN, (_, list: string) => `"${literals(list).join('/').replace(/"/g, '')}"`)
  if (/["')]\s{0,9}\/\s{0,9}["']/.test(text) && /\bPath\b|pathlib/.test(code)) {
    text = text.replace(
      /\bPath\(\s{0,9}(?:"([^"\n\\]{0,400})"|'([^'\n\\]{0,400})')\s{0,9}\)(?=\s{0,9}\/)/g,
      '"$1$2"',
    )
    for (let i = 0; i < MAX_SLASHES && text.search(SLASHED) >= 0; i++)
      text = text.replace(SLASHED, '"$1/$2$3"')
  }
  return withValues(text)
}

const ASSIGNED = new RegExp(
  String.raw`(?:^|[;\n{(]|\b(?:let|const|var|my|local)\s)\s{0,20}([$]?[A-Za-z_]\w{0,39})\s{0,9}:?=\s{0,9}${STRING}`,
  'g',
)
const MAX_NAMES = 16

/** `c = "rm x"; os.system(c)`: the name stands for its string where it is an argument. */
function withValues(code: string): string {
  const values = new Map<string, string>()
  for (const [, name = '', double, single] of code.matchAll(ASSIGNED)) {
    if (values.size >= MAX_NAMES) break
    const text = double ?? single ?? ''
    if (text.length <= MAX_VALUE) values.set(name, double === undefined ? `'${text}'` : `"${text}"`)
  }
  if (values.size === 0 || code.length > MAX_REPLACED) return code
  return code.replace(
    /([(,[]\s{0,9})([$]?[A-Za-z_]\w{0,39})(?=\s{0,9}[,)\]])/g,
    (whole, before: string, name: string) => {
      const value = values.get(name)
      return value === undefined ? whole : before + value
    },
  )
}

const MAX_VALUE = 400 // characters
const MAX_REPLACED = 8_192

function literals(text: string): string[] {
  return [...text.matchAll(LITERAL)].map((match) => unescapedString(match[1] ?? match[2] ?? ''))
}

function unescapedString(text: string): string {
  return text
    .replace(/\\(["'\\$`])/g, '$1')
    .replace(/\\n/g, '\n')
    .replace(/\\t/g, '\t')
    .replace(/\\x([\da-fA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

const PRINTED = new RegExp(
  String.raw`(?<![\w$.-])(?:print|puts|echo|say|write|process\.stdout\.write|sys\.stdout\.write|console\.log|io\.write|cat|IO\.puts|display|println|putStrLn)\s{0,9}\(?\s{0,9}${STRING}`,
  'g',
)

/** What code prints in plain strings. */
export function printedByCode(source: string): string | undefined {
  const texts = [...plainCode(source.slice(0, MAX_CODE)).matchAll(PRINTED)].slice(0, MAX_FOUND)
  if (texts.length === 0) return undefined
  return `${texts.map((match) => unescapedString(match[1] ?? match[2] ?? '')).join('\n')}\n`
}

const TCL_DELETE = /\bfile\s{1,9}delete\s{1,9}(?:-\w{1,9}\s{1,9}){0,3}([^\s;\]"']{1,400})/g

type FileRole = 'reads' | 'writes' | 'deletes'

const FILE_CALLS: readonly { readonly call: string; readonly role: FileRole; readonly recursive?: true }[] = [
  {
    call: String.raw`shutil\.rmtree|rmSync|rm_rf!?|rm_r|remove_dir_all|remove_tree|rimraf|fs\.rm|fs\.promises\.rm|rmtree|rmdirSync|RemoveAll|deleteDir|delete-directory|deleteRecursively|file\.remove|del_dir_r|emptyDirSync|removeSync|removeDirectoryRecursive|removePathForcibly|rmdir_recursive|removeItem|Deno\.remove(?:Sync)?|rm(?=\()`,
    role: 'deletes',
    recursive: true,
  },
  {
    call: String.raw`os\.remove|os\.unlink|os\.rmdir|unlinkSync|unlink|File\.delete|File\.rm!?|FileUtils\.rm|file:delete|delete-file|removeFile|os\.Remove|Files\.delete\w*`,
    role: 'deletes',
  },
  {
    call: String.raw`writeFileSync|writeFile|appendFileSync|appendFile|File\.write!?|file_put_contents|createWriteStream|Bun\.write|truncateSync|write\.table|writeLines`,
    role: 'writes',
  },
  {
    call: String.raw`readFileSync|readFile|ReadFile|readTextFile(?:Sync)?|Deno\.readFile(?:Sync)?|File\.(?:read!?|readlines|foreach|open)|file_get_contents|fopen|readfile|IO\.(?:read|readlines|foreach)|io\.(?:open|lines)|createReadStream|Bun\.file|readLines|readtable|read_to_string|fs::read|File::open|slurp|readString|readAllLines|File\.stream!?`,
    role: 'reads',
  },
]
const FILE_PATTERNS = FILE_CALLS.map((one) => ({
  ...one,
  pattern: new RegExp(
    String.raw`(?:\b|\.)(?:${one.call})\s{0,20}\(?\s{0,20}(?:\w{1,20}:\s{0,9})?${STRING}`,
    'g',
  ),
}))
const OPEN_CALL = new RegExp(
  String.raw`\bopen\s{0,20}\(\s{0,20}${STRING}\s{0,20}(?:,\s{0,20}(?:mode\s{0,20}=\s{0,20})?["']([^"']{1,8})["'])?`,
  'g',
)
const PATH_CALL = new RegExp(
  String.raw`(?:\b(?:Path|File|Pathname)(?:\.of|\.new)?\s{0,20})?\(\s{0,20}${STRING}\s{0,20}\)\.(?:expanduser\(\)\.)?(unlink|rmdir|rmtree|delete\w{0,20}|write_text|write_bytes|writeText|read_text|read_bytes|readText)`,
  'g',
)

/** What is copied, moved or linked to the second place. */
const TO_CALL = new RegExp(
  String.raw`\b(copy(?:2|file|tree|File(?:Sync)?)?|cp(?:Sync|_r)?|move|mv|(?<=\bos\.)replace|rename(?:Sync)?|(?:sym)?link(?:Sync)?|ln_sf?)\s{0,9}\(\s{0,9}[^,()\n]{1,200},\s{0,9}(?:[\w.]{1,40}\(\s{0,9})?${STRING}`,
  'g',
)
const OWNERS = /\b(?:os|shutil|fs|fsp|promises|File|FileUtils|Path)\b|require|import/
const CHANGED_FOLDER = new RegExp(String.raw`\bchdir\s{0,9}\(?\s{0,9}(?:[\w.]{1,40}\(\s{0,9})?${STRING}`)

/** Folders that code lists, and calls that delete what a variable names: together they empty the folder. */
const LISTED = new RegExp(
  String.raw`\b(?:listdir|scandir|glob\.i?glob|i?glob|rglob|os\.walk|walk|readdirSync|readdir|Dir\.(?:glob|children|entries|each_child)|opendir)\s{0,9}\(?\s{0,9}${STRING}`,
  'g',
)
const DELETES_NAMED =
  /(?:\b(?:os\.remove|os\.unlink|shutil\.rmtree|rmtree|rmSync|unlinkSync|unlink|File\.delete|FileUtils\.rm_rf|rm_rf|remove)|\.unlink)\s{0,9}\(?\s{0,9}(?:[\w$@][\w$.@]{0,40}|\))|\b(?:array_map|map|forEach|each|walk)\b\s{0,9}\(?\s{0,9}["'&]?(?:os\.remove|os\.unlink|shutil\.rmtree|unlink|unlinkSync|rmSync|fs\.\w{2,20}|File\.method)/

/** Files that code names in plain strings, and what it does to them. */
export function fileCallsInCode(source: string): { role: FileRole; text: string; recursive: boolean }[] {
  const code = plainCode(source.slice(0, MAX_CODE))
  const found: { role: FileRole; text: string; recursive: boolean }[] = []
  for (const { pattern, role, recursive } of FILE_PATTERNS)
    for (const match of code.matchAll(pattern))
      found.push({ role, text: unescapedString(match[1] ?? match[2] ?? ''), recursive: recursive === true })
  if (DELETES_NAMED.test(code))
    for (const match of code.matchAll(LISTED)) {
      const folder = unescapedString(match[1] ?? match[2] ?? '')
      found.push({ role: 'deletes', text: folder.includes('*') ? folder : `${folder}/*`, recursive: true })
    }
  for (const match of code.matchAll(OPEN_CALL)) {
    const role = /[wax+]/.test(match[3] ?? '') ? 'writes' : 'reads'
    found.push({ role, text: unescapedString(match[1] ?? match[2] ?? ''), recursive: false })
  }
  if (OWNERS.test(code))
    for (const [, name = '', double, single] of code.matchAll(TO_CALL))
      found.push({
        role: 'writes',
        text: unescapedString(double ?? single ?? ''),
        recursive: /tree|^cp/.test(name),
      })
  for (const match of code.matchAll(PATH_CALL)) {
    const role = /^(unlink|rm|delete)/.test(match[3] ?? '')
      ? 'deletes'
      : /^write/.test(match[3] ?? '')
        ? 'writes'
        : 'reads'
    const recursive = /^(rmtree|delete\w)/.test(match[3] ?? '')
    found.push({ role, text: unescapedString(match[1] ?? match[2] ?? ''), recursive })
  }
  for (const [, text = ''] of code.matchAll(TCL_DELETE))
    found.push({ role: 'deletes', text, recursive: true })
  const [, double, single] = CHANGED_FOLDER.exec(code) ?? []
  const folder = unescapedString(double ?? single ?? '')
  return found
    .slice(0, MAX_FOUND)
    .map((one) => (folder === '' || /^[/~]/.test(one.text) ? one : { ...one, text: `${folder}/${one.text}` }))
}
