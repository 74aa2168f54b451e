/**
 * gantry's own files in a command. A few programs are known to read only; whatever else names one of these files may do anything
 * to it. The keys among them nobody may read: whoever has one can answer for the owner.
 */
import { type FileEffect, plainCode, type Word } from '../../shell/index.ts'
import { allTextOf, type Call, has, names, operands } from './call.ts'
import { isGlob, mayBe, mayBeIn } from './globs.ts'
import type { Facts, OwnFiles } from './guard.ts'
import { isIn, locationOf, pathOf, shown } from './paths.ts'
import { MAX_PATH_CHARS } from './secret-files.ts'

const OWN_FOLDERS = /\/\.config\/gantry(?:\/|$)|\/\.local\/state\/gantry(?:\/|$)/
const OWN_PROGRAMS = /\/(?:\.?bin|sbin)\/gantry(?:-hook)?$/
/** What only the run will show, and is gantry's all the same. */
const OWN_TEXT =
  /\$\{?GANTRY_HOME\b|\$\{?XDG_(?:CONFIG_HOME|STATE_HOME|RUNTIME_DIR)\}?\/gantry\b|(?:\$\(|`)[^)`]*\bgantry\s+config\s+path\b/
const KEY_NAME = /(?:^|\/)approval-key$/
const OWN_TOKEN = /(?:\/|\bconfig path )token["'`)]*$/

/** They list, and show nothing of what is in a file. */
const LISTERS = new Set(
  names(
    'ls eza exa lsd find fd tree du df stat test [ [[ file realpath readlink basename dirname lsof fuser wc',
  ),
)
/** They show what is in a file, or copy it; where they write, that is an effect. */
const READERS = new Set(
  names(`cat tac bat batcat nl head tail less more most strings od hexdump base64 base32 cut paste sort fold fmt column comm
    join diff cmp colordiff delta md5sum sha1sum sha256sum sha512sum cksum jq yq tomlq grep egrep fgrep zgrep rg ag ack sed awk gawk
    mawk rev cp tar zip rsync scp`),
)
/** Their words name no files that they would open, or are another command, which is checked by itself. */
const SPEAKERS = new Set(
  names(`echo printf cd pushd popd export declare local readonly typeset alias unset set read : true false pwd gantry sh bash zsh
    dash ksh command builtin exec which type whereis eval trap`),
)
/** Behind their options, and the host of ssh, stands another command, which is checked by itself. */
const WRAPPERS = new Set(
  names('env sudo doas time timeout nohup nice ionice setsid stdbuf xargs parallel watch ssh autossh'),
)
/** What readers write to. */
const LOGS: Readonly<Record<string, readonly string[]>> = {
  less: names('-o -O -k --log-file --LOG-FILE --lesskey-file'),
  rsync: names('--log-file --write-batch --only-write-batch --backup-dir --partial-dir --temp-dir -T'),
  sort: names('-o --output'),
  gawk: names('-d -o -p --dump-variables --pretty-print --profile'),
  tar: names('-g --listed-incremental --index-file --volno-file --directory'),
  bsdtar: names('--directory'),
  cp: names('--target-directory'),
  zip: names('-lf -O -b --logfile-path --output-file --temp-path'),
  tomlq: names('-i --in-place'),
  yq: names('-i --in-place --inplace'),
}
/** Their words choose files, and are none. */
const CHOOSES = /^--(?:exclude|include|filter|ignore|glob|iglob)(?:-dir)?=/
/** They take the names that they list from a file, and show those that they do not find. */
const LISTED_FROM = /^(?:-f|--files?-from|-?-files0-from|--fromfile)(?:=|$)/
/** A folder around gantry's is as good as that one. */
const HOLDERS = new Set(
  names('docker podman nerdctl mount ln link mv bwrap sshfs chroot unshare proot flatpak'),
)

export function touchesOwn(facts: Facts): string | undefined {
  return touchedByEffect(facts) ?? namedByProgram(facts) ?? namedByCode(facts)
}

export function isOwnPath(path: string, own: OwnFiles): boolean {
  if (OWN_FOLDERS.test(path) || own.gantry.some((folder) => isIn(path, folder))) return true
  return isGlob(path) && own.gantry.some((folder) => mayBeIn(path, folder))
}

/** Around one of its folders, and less than a home: a whole home or root is another guard's. */
function isAround(path: string, { own, place }: Facts): boolean {
  if (path === '/' || isIn(place.home, path)) return false
  return own.gantry.some((folder) => isIn(folder, path))
}

function isProgram(effect: FileEffect, { place }: Facts): boolean {
  return (
    (OWN_PROGRAMS.test(effect.path) && locationOf(effect, place) !== 'inside') ||
    /\b(?:which|command -v) gantry\b/.test(effect.text)
  )
}

function isOwnEffect({ path, text }: FileEffect, { own }: Facts): boolean {
  return isOwnPath(path, own) || (/[$`]/.test(text) && OWN_TEXT.test(text))
}

/** `a/**` is all that is in `a`. */
function rootOf({ path }: FileEffect): string {
  const at = path.indexOf('/**')
  return at < 0 ? path : path.slice(0, at)
}

function touchedByEffect(facts: Facts): string | undefined {
  const { effects, calls } = facts
  const hit =
    effects.writes.find((effect) => isOwnEffect(effect, facts) || isProgram(effect, facts)) ??
    effects.deletes.find(
      (effect) =>
        isOwnEffect(effect, facts) ||
        isProgram(effect, facts) ||
        ((effect.recursive || calls[effect.command]?.program === 'mv') && isAround(rootOf(effect), facts)),
    ) ??
    effects.reads.find((effect) => readsKey(effect, facts))
  return hit && `${shown(hit)} belongs to gantry`
}

/** The key or the token, by its name, by a glob, or with all that is in its folder. */
function readsKey(effect: FileEffect, facts: Facts): boolean {
  const { own, calls } = facts
  const { path, text, namesOnly, recursive, known } = effect
  const program = calls[effect.command]?.program
  if (namesOnly || (program !== undefined && LISTERS.has(program))) return false
  if (
    own.keys.some((key) => key === path) ||
    (OWN_FOLDERS.test(path) && /\/(?:token|approval-key)$/.test(path))
  )
    return true
  if (!known && /[$`]/.test(text) && KEY_NAME.test(text)) return true
  if (!known && OWN_TEXT.test(text) && OWN_TOKEN.test(text)) return true
  if (isGlob(path) && own.keys.some((key) => mayBe(path, key))) return true
  const root = rootOf(effect)
  const isWhole = recursive || root !== path
  return (
    isWhole &&
    (isOwnPath(root, own) || isAround(root, facts)) &&
    own.keys.some((key) => isIn(key, root)) &&
    !isNamedOtherwise(path, own)
  )
}

/** `find state -name '*.log'` cannot find a key. */
function isNamedOtherwise(path: string, own: OwnFiles): boolean {
  return path.includes('/**/') && !own.keys.some((key) => mayBe(path, key))
}

const MAX_TOKENS = 64 // of a script are resolved on the disk

function namedByProgram(facts: Facts): string | undefined {
  const { calls, own } = facts
  let tokens = 0
  const { realpath: _, ...withoutDisk } = facts.place
  for (const call of calls) {
    const { program, command } = call
    if (program === '' || command.isRemote || isSpeaker(call, own)) continue
    if (command.code !== undefined && !/awk$/.test(program)) continue // its text is looked at below
    const isReader = LISTERS.has(program) ? isLister(call) : READERS.has(program) && !printsToFile(call)
    const words = isReader ? givenToReader(call) : ownWords(call)
    const mayChange = isReader || WRAPPERS.has(program) ? words.some(isNameToWrite) : true
    if (mayChange && isRunHere(call, facts)) return `${program} works in a folder of gantry`
    for (const [{ text, known }, kind] of words) {
      if (kind !== 'read' && !known && OWN_TEXT.test(text) && !isOnlyLooking(call))
        return `${program} is given "${text}"`
      for (const token of pathsIn(text)) {
        const path = pathOf(token, ++tokens > MAX_TOKENS ? withoutDisk : facts.place)
        const isOwn =
          kind === 'read'
            ? isKey(path, own)
            : isOwnPath(path, own) || (HOLDERS.has(program) && isAround(path, facts)) || KEY_NAME.test(path)
        if (isOwn && !isOnlyLooking(call)) return `${program} is given "${token}", which belongs to gantry`
      }
    }
  }
  return undefined
}

function isKey(path: string, { keys }: OwnFiles): boolean {
  return KEY_NAME.test(path) || keys.some((key) => key === path || (isGlob(path) && mayBe(path, key)))
}

/** A word of a call, and whether naming a file in it is enough to change that, or only to show it. */
type Named = readonly [word: Word, kind: 'read' | 'write']

function isNameToWrite([{ text }, kind]: Named): boolean {
  return kind === 'write' && (!text.startsWith('-') || text.includes('='))
}

/** Words of a reader or a lister: the files of its options may be written, its operands are read. */
function givenToReader({ program, command }: Call): Named[] {
  const words = command.argv.slice(1)
  if (LISTERS.has(program))
    return /^(?:file|wc|du|find|tree)$/.test(program) && words.some(({ text }) => LISTED_FROM.test(text))
      ? words.map((word) => [word, 'read'])
      : []
  const logs = Object.hasOwn(LOGS, program) ? (LOGS[program] ?? []) : []
  const isLog = (text: string) =>
    logs.some((name) => text === name || (text.length > 3 && name.startsWith(text)))
  const isInPlace = /^(?:toml|y)q$/.test(program) && words.some(({ text }) => /^-\w*i|^--in-?p/.test(text))
  return words.flatMap((word, i): Named[] => {
    if (isInPlace || isLog(words[i - 1]?.text ?? '')) return [[word, 'write']]
    if (word.text.startsWith('-'))
      return CHOOSES.test(word.text) || SEARCHES.test(program) ? [] : [[word, 'write']]
    return SEARCHES.test(program) ? [] : [[word, 'read']]
  })
}
const SEARCHES = /^(?:[efz]?grep|rg|ag|ack|sed)$/ // their patterns are words, too

/** All that may be a file, and not the words of a command behind a wrapper, or a text for people. */
function ownWords(call: Call): Named[] {
  const { program, command } = call
  const words = command.argv.slice(1)
  const all = WRAPPERS.has(program) ? words.slice(0, endOfOptions(program, words)) : words
  const [verb = ''] = operands(call)
  const texts = TEXTS.find(([programs, verbs]) => programs.test(program) && verbs.test(verb))?.[2]
  return all
    .filter(
      ({ text }, i) =>
        !isForPeople(texts, all, i) &&
        !(program === 'env' && /^\w+=/.test(text)) &&
        !(program === 'tmux' && /\s/.test(text) && !/\b(?:save|load|source)/.test(text)),
    )
    .map((word) => [word, 'write'])
}

/** Where the command begins: each option may take the word behind it. ssh reads options behind the host, too. */
function endOfOptions(program: string, words: readonly Word[]): number {
  let hosts = /^(?:auto)?ssh$/.test(program) ? 1 : 0
  const end = words.findIndex(
    ({ text }, i) => !text.startsWith('-') && !words[i - 1]?.text.startsWith('-') && hosts-- === 0,
  )
  return end < 0 ? words.length : end
}

/** `git commit -m text`, `gh issue create --body=text`, `git log --grep text`. */
function isForPeople(texts: RegExp | undefined, words: readonly Word[], at: number): boolean {
  if (!texts) return false
  const before = words[at - 1]?.text ?? ''
  const [, long, short] = /^(?:(--[\w-]{1,32})=|(-[a-z]{0,8}m).)/.exec(words[at]?.text ?? '') ?? []
  return texts.test(before) || texts.test(long ?? short ?? '')
}
/** By program and verb: options whose value is a text. The same letter may be a switch of another verb. */
const TEXTS: readonly (readonly [programs: RegExp, verbs: RegExp, options: RegExp])[] = [
  [/^git$/, /^(?:commit|tag|merge|stash|notes)$/, /^(?:-[a-z]*m|--me\w*|--trailer|--author)$/],
  [/^git$/, /^(?:log|shortlog|rev-list)$/, /^--(?:grep|author|committer|format)$/],
  [
    /^gh$/,
    /^(?:issue|pr|release|gist|repo|label)$/,
    /^(?:-[bt]|--(?:body|title|notes|desc|description|subject|comment|message))$/,
  ],
  [/^glab$/, /^(?:issue|mr|release)$/, /^(?:-[dmt]|--(?:title|notes|description|message|name))$/],
]

function isSpeaker({ program }: Call, own: OwnFiles): boolean {
  return SPEAKERS.has(program) || own.agents.has(program)
}

function isLister(call: Call): boolean {
  return call.program !== 'fuser' || !has(call, '-k')
}

/** `awk -v f=x '{ print > f }'` */
function printsToFile({ program, command }: Call): boolean {
  return /awk$/.test(program) && /\bprintf?\b[^;}\n]*>/.test(command.code?.text.text ?? '')
}

/** Statements of a database that only look. */
function isOnlyLooking(call: Call): boolean {
  return (
    /^sqlite3?$/.test(call.program) &&
    !/\b(?:insert|update|delete|drop|alter|replace|vacuum|pragma|attach|create|reindex|writefile|edit|load_extension)\b|(?:^|[\s"'])\.(?!mode|headers?|tables|schema|width|timeout|nullvalue)\w/i.test(
      allTextOf(call),
    )
  )
}

/** After `cd` into a folder of gantry, names without a folder are its files. */
function isRunHere({ command }: Call, { own, place }: Facts): boolean {
  return command.cwd !== undefined && isOwnPath(pathOf(command.cwd.text, place), own)
}

/** Paths in a word: `-v ~/.x:/y`, `--file=/x`, a statement with a path in it. Those of the project are none of gantry's. */
function pathsIn(word: string): string[] {
  if (!/[/~$]/.test(word)) return []
  return word
    .replace(/^-\w+(?=[/~$])/, '')
    .split(/[\s:=,;'"<>|&()@]+/)
    .filter((part) => /^(?:[/~]|\$\{?HOME\b|\.\.\/)/.test(part) && part.length <= MAX_PATH_CHARS)
    .slice(0, 16)
}

/** What code does to a file that it names, except to read it. */
const CHANGES =
  /\b(?:write\w*|append\w*|dump|unlink\w*|remove\w*|rename\w*|rm\w*|move\w*|copy\w*|cp\w*|link\w*|symlink\w*|chmod\w*|chown\w*|mkdir\w*|truncate\w*|kill|exec\w*|spawn\w*|system|popen|subprocess|connect\w*|socket|utime\w*|touch|sqlite3?|Database|mmap|flock|lockf)\b|os\.replace|open\w*\([^)]*,\s*["'][rb]*[wax+]|>\s*["']/i

function namedByCode({ calls, own }: Facts): string | undefined {
  for (const { program, command } of calls) {
    const source = command.code?.text.text
    if (source === undefined || !source.includes('gantry')) continue
    const code = plainCode(source.slice(0, MAX_CODE))
    const isNamed =
      own.gantry.some((folder) => code.includes(folder)) ||
      /\.config\/gantry\b|\.local\/state\/gantry\b|GANTRY_HOME/.test(code) ||
      (/["']\.(?:config|local)["'/]/.test(code) && /["'/]gantry["'/]/.test(code))
    if (isNamed && (CHANGES.test(code) || /approval-key|gantry\/token/.test(code)))
      return `code of ${program} names files of gantry`
  }
  return undefined
}
const MAX_CODE = 20_000
