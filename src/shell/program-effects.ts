/** What one command does to files and hosts: its row of PROGRAMS, or its own function here. */
import { diffedFiles, patchedFiles } from '../core/text/patch.ts'
import type { Command, Word } from './command.ts'
import { fileCallsInCode } from './languages/code.ts'
import { foundBy, rootsOf } from './languages/output.ts'
import { filesInSed, sedScripts } from './languages/sed.ts'
import {
  hasOption,
  NO_VALUES,
  type Options,
  optionValue,
  readAbbreviated,
  readOptions,
  valueNames,
} from './options.ts'
import { PROGRAMS, type Program, type Role } from './programs.ts'

/** Takes down what a command does. */
export interface Sink {
  file(role: Role, word: Word, recursive?: boolean): void
  network(host: string | undefined, sends: boolean): void
}

export function programEffects(command: Command, to: Sink): void {
  const words = command.argv.slice(1)
  const { program } = command
  if (program.startsWith('mkfs') || /^newfs/.test(program))
    rowEffects({ values: 't L', operands: 'writes' }, words, to)
  const special = Object.hasOwn(SPECIAL, program) ? SPECIAL[program] : undefined
  if (special) special(words, to, command)
  const row = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined
  if (row) rowEffects(row, words, to)
  if (command.code) codeEffects(command.code.text.text, to)
  if (SCRIPTED.test(program)) {
    const script = words.find(({ text }) => !/^[-+]/.test(text))
    const isFile = script && (!command.code || script.output)
    if (isFile && !words.some(({ text }) => /^-\w*c$|^-m$/.test(text))) to.file('reads', script)
    const module = words.findIndex(({ text }) => text === '-m') + 1
    if (module > 0 && SHOWING_MODULE.test(words[module]?.text ?? ''))
      for (const one of readOptions(words.slice(module + 1), NO_VALUES).operands) to.file('reads', one)
  }
}

const LN = valueNames('t target-directory S suffix')

/** `ln -s target name`, `mount --bind target name`: each name with what it leads to from then on. */
export function linksMadeBy({ program, argv }: Command): [name: Word, target: Word][] {
  if (program !== 'ln' && program !== 'link' && program !== 'mount') return []
  const options = readOptions(argv.slice(1), LN)
  const { operands } = options
  if (program === 'mount') {
    const [target, name] = operands
    return target && name && hasOption(options, 'bind rbind B R') ? [[name, target]] : []
  }
  const folder = optionValue(options, 't target-directory')
  const last = folder ?? (operands.length > 1 ? operands.at(-1) : HERE)
  if (!last) return []
  const targets = folder || operands.length < 2 ? operands : operands.slice(0, -1)
  const isFolder = folder !== undefined || targets.length > 1 || /(?:^|\/)\.{0,2}$/.test(last.text)
  return targets.map((target) => [
    isFolder ? below(last, { text: lastPart(target.text), known: target.known }) : last,
    target,
  ])
}

const SCRIPTED = /^(?:(?:ba|z|da|k|a|fi)?sh|python[\d.]*|node|ruby|perl|php|bun|deno)$/
const SHOWING_MODULE = /^(?:base64|json(?:\.tool)?|tokenize|ast|dis|uu|quopri|pdb|gzip|zipfile|tarfile)$/
const HERE: Word = { text: '.', known: true }

function rowEffects(row: Program, words: readonly Word[], to: Sink): void {
  const options = readAbbreviated(words, valueNames(row.values))
  const recursive =
    row.recursive === true || (row.recursive !== undefined && hasOption(options, row.recursive))
  for (const [name, role] of Object.entries(row.options ?? {})) {
    const value = options.given.get(name)
    if (value) to.file(role, value)
  }
  const isSkipped =
    (row.noSkip && hasOption(options, row.noSkip)) ||
    words.some(({ text }) => row.noSkipWord?.test(text)) ||
    (row.skipsNoPath &&
      options.operands.length === 1 &&
      /^(?:[/~]|\.{1,2}\/)/.test(options.operands[0]?.text ?? ''))
  const skip = isSkipped ? 0 : (row.skip ?? 0)
  const operands = options.operands.slice(skip)
  if (row.network)
    to.network(row.network === 'service' ? undefined : hostIn(options.operands), row.network !== 'receives')
  if (row.operands === 'copy' || row.operands === 'move') copyEffects(row, operands, options, recursive, to)
  else if (row.operands)
    for (const operand of operands) if (operand.text !== '-') to.file(row.operands, operand, recursive)
  if (row.writesWith && hasOption(options, row.writesWith))
    for (const operand of operands) to.file('writes', operand)
  if (row.deletesWith && hasOption(options, row.deletesWith))
    for (const operand of operands) to.file('deletes', operand)
}

function copyEffects(
  row: Program,
  operands: readonly Word[],
  options: Options,
  recursive: boolean,
  to: Sink,
): void {
  const target = row.target ? optionValue(options, row.target) : undefined
  const sources = target ? operands : operands.slice(0, -1)
  const written = target ?? operands.at(-1)
  for (const source of sources) {
    to.file('reads', source, recursive)
    if (row.operands === 'move') to.file('deletes', source)
  }
  if (written && sources.length > 0) to.file('writes', written, recursive)
}

const CURL = valueNames(
  'o output d data data-ascii data-binary data-raw data-urlencode json F form form-string T upload-file X request H header u user ' +
    'A user-agent e referer b cookie c cookie-jar K config x proxy m max-time connect-timeout retry w write-out E cert key cacert ' +
    'r range url resolve D dump-header output-dir C continue-at y Y z',
)
const WGET = valueNames(
  'O output-document P directory-prefix post-data post-file body-data body-file header U user-agent o a i input-file t T user password method',
)
const UNZIP = valueNames('d x P')
const COPY_VALUES = valueNames(
  'e rsh P i F o l S c J exclude include filter files-from exclude-from bwlimit port password-file link-dest chmod timeout',
)

/** `docker cp a web:/b`: what has no name of a container before it is here. */
function containerEffects(words: readonly Word[], to: Sink): void {
  const { operands } = readOptions(words, DOCKER, true)
  const [first, ...rest] = operands[0]?.text === 'container' ? operands.slice(1) : operands
  if (first?.text !== 'cp') return
  const [from, into] = readOptions(rest, NO_VALUES).operands
  const isHere = (word: Word | undefined) => word && word.text !== '-' && !/^[\w.-]+:/.test(word.text)
  if (from && isHere(from)) to.file('reads', from, true)
  if (into && isHere(into)) to.file('writes', into, true)
}
const DOCKER = valueNames('H host c context l log-level config')

const SPECIAL: Readonly<Record<string, (words: readonly Word[], to: Sink, command: Command) => void>> = {
  dd: (words, to) => {
    for (const { text, known } of words) {
      const [, kind, path] = /^([io])f=([\s\S]+)$/.exec(text) ?? []
      if (path) to.file(kind === 'o' ? 'writes' : 'reads', { text: path, known })
    }
  },
  docker: containerEffects,
  podman: containerEffects,
  nerdctl: containerEffects,
  tmux: (words, to) => {
    const at = words.findIndex(({ text }) => /^(?:loadb|saveb|source)/.test(text.replace('-', '')))
    if (at < 0) return
    const [file] = readOptions(words.slice(at + 1), valueNames('b t')).operands
    if (file && file.text !== '-') to.file(words[at]?.text.startsWith('save') ? 'writes' : 'reads', file)
    fileOption(readOptions(words, valueNames('f L S'), true), 'f', 'reads', to)
  },
  find: (words, to) => {
    const files = foundBy(words).map((text) => ({ text, known: false }))
    for (const root of rootsOf(words)) to.file('reads', root, true)
    for (const [i, { text }] of words.entries()) {
      if (text === '-delete') for (const file of files) to.file('deletes', file, true)
      const written = /^-f(print0?|ls|printf)$/.test(text) ? words[i + 1] : undefined
      if (written) to.file('writes', written)
    }
  },
  curl: (words, to) => {
    const options = readOptions(words, CURL)
    const output = optionValue(options, 'o output')
    const folder = optionValue(options, 'output-dir')
    const urls = [
      ...options.operands,
      ...(options.given.get('url') ? [options.given.get('url') as Word] : []),
    ]
    if (output && output.text !== '-') to.file('writes', output)
    if (hasOption(options, 'O remote-name'))
      for (const url of urls) to.file('writes', folder ?? { text: lastPart(url.text), known: url.known })
    for (const name of ['c', 'cookie-jar', 'D', 'dump-header']) fileOption(options, name, 'writes', to)
    for (const name of ['T', 'upload-file', 'K', 'config']) fileOption(options, name, 'reads', to)
    for (const { text, known } of words) {
      const path = /^(?:--?[\w-]+=)?(?:[\w.[\]-]+=)?[@<]([^;]+)/.exec(text.replace(/^-[dF](?=.)/, ''))?.[1]
      if (path && path !== '-') to.file('reads', { text: path, known })
    }
    const method = optionValue(options, 'X request')?.text ?? 'GET'
    const sends = hasOption(options, SENDING_OPTIONS) || !/^(GET|HEAD|OPTIONS)$/i.test(method)
    for (const url of urls) {
      const local = /^file:\/\/(?:localhost)?([/$~][\s\S]*)$/i.exec(url.text)?.[1]
      if (local === undefined) to.network(hostOf(url), sends)
      else to.file('reads', { text: local, known: url.known })
    }
  },
  wget: (words, to) => {
    const options = readOptions(words, WGET)
    const output = optionValue(options, 'O output-document')
    if (output && output.text !== '-') to.file('writes', output)
    if (!output) to.file('writes', optionValue(options, 'P directory-prefix') ?? HERE)
    for (const name of ['post-file', 'body-file', 'i', 'input-file']) fileOption(options, name, 'reads', to)
    const sends = hasOption(options, 'post-data post-file body-data body-file')
    for (const url of options.operands) to.network(hostOf(url), sends)
  },
  scp: (words, to) => copied(words, to, 'r'),
  rsync: (words, to) => copied(words, to, 'r a recursive archive'),
  tar: tarEffects,
  bsdtar: tarEffects,
  unzip: (words, to) => {
    const folder = optionValue(readOptions(words, UNZIP), 'd')
    if (folder || !words.some(({ text }) => /^-[lpvt]/.test(text))) to.file('writes', folder ?? HERE, true)
  },
  '7z': unpacked,
  '7za': unpacked,
  '7zr': unpacked,
  '7zz': unpacked,
  unrar: unpacked,
  rar: unpacked,
  dpkg: unpacked,
  'dpkg-deb': unpacked,
  unsquashfs: (words, to) => {
    const folder = optionValue(readOptions(words, valueNames('d dest')), 'd dest')
    to.file('writes', folder ?? HERE, true)
  },
  python: unpackedByModule,
  python3: unpackedByModule,
  axel: (words, to) => fetched(words, to, 'o output'),
  aria2c: (words, to) => fetched(words, to, 'o out d dir'),
  fetch: (words, to) => fetched(words, to, 'o'),
  wget2: (words, to) => fetched(words, to, 'O output-document P directory-prefix'),
  gcloud: uploaded,
  az: uploaded,
  s3cmd: uploaded,
  s5cmd: uploaded,
  mc: uploaded,
  b2: uploaded,
  azcopy: uploaded,
  oci: uploaded,
  doctl: uploaded,
  ossutil: uploaded,
  git: gitEffects,
  gh: toldFromFile,
  glab: toldFromFile,
  ssh: (words, to) => {
    const options = readOptions(words, SSH, true)
    // It reads options behind the host, too; then comes the command, which is checked by itself.
    for (const one of [options, readOptions(options.operands.slice(1), SSH, true)]) {
      fileOption(one, 'F', 'reads', to)
      fileOption(one, 'E', 'writes', to)
    }
  },
  man: (words, to) => {
    for (const one of readOptions(words, MAN).operands) if (one.text.includes('/')) to.file('reads', one)
  },
  gio: (words, to) => {
    if (/^(trash|remove)$/.test(words[0]?.text ?? ''))
      for (const { text, known } of words.slice(1))
        if (!text.startsWith('-')) to.file('deletes', { text, known }, true)
  },
  openssl: (words, to) => {
    const host = optionValue(readOptions(words, valueNames('connect')), 'connect')
    if (words[0]?.text === 's_client') to.network(host && hostOf(host), true)
  },
  sed: (words, to) => {
    for (const { text } of sedScripts(words))
      for (const file of filesInSed(text)) to.file('writes', { text: file, known: true })
  },
  apply_patch: appliedPatch,
  applypatch: appliedPatch,
  patch: patchedBy,
  sftp: uploads,
  ftp: uploads,
  lftp: uploads,
  crontab: (words, to) => {
    if (words.length > 0) to.file('writes', { text: '/var/spool/cron', known: true })
  },
}

const SSH = valueNames('b B c D E e F I i J L l m O o p Q R S W w')
const MAN = valueNames('P pager l local-file C config-file M manpath S s sections L locale')
const FORGE = valueNames('R repo t title b body F body-file notes-file input O output D dir')

/** `gh issue create -F file`, `gh release download -O file`: `-F` of `gh api` is a field. */
function toldFromFile(words: readonly Word[], to: Sink): void {
  const options = readOptions(words, FORGE)
  const isField = options.operands[0]?.text === 'api'
  for (const name of ['body-file', 'notes-file', 'input', ...(isField ? [] : ['F'])])
    fileOption(options, name, 'reads', to)
  if (options.operands[1]?.text === 'download')
    for (const name of ['O', 'output', 'D', 'dir']) fileOption(options, name, 'writes', to)
}

/** `apply_patch '*** Begin Patch …'`, or the patch on its standard input: so Codex writes files in a shell. */
function appliedPatch(words: readonly Word[], to: Sink, { stdin }: Command): void {
  const text = [...words.map(({ text, output }) => output?.text ?? text), stdin?.text ?? ''].join('\n')
  const known = words.every((word) => word.known) && stdin?.known !== false
  for (const { path, how } of patchedFiles(text))
    to.file(how === 'delete' ? 'deletes' : 'writes', { text: path, known })
}

const PATCH = valueNames(
  'p strip i input d directory o output F fuzz r reject-file B prefix z suffix Y D ifdef g get V version-control',
)

/** The files that a diff on the standard input of `patch` names, or in a file that the script wrote before. */
function patchedBy(words: readonly Word[], to: Sink, { stdin }: Command): void {
  const options = readOptions(words, PATCH)
  if (hasOption(options, 'dry-run') || options.operands.length > 0) return
  const given = optionValue(options, 'i input')
  diffEffects(
    given ? given.output : stdin,
    optionValue(options, 'p strip'),
    optionValue(options, 'd directory'),
    to,
  )
}

/** Whether the diff is known, and its files were taken down. */
function diffEffects(
  diff: Word | undefined,
  strip: Word | undefined,
  folder: Word | undefined,
  to: Sink,
): boolean {
  if (!diff) return false
  const level = strip && /^\d$/.test(strip.text) ? Number(strip.text) : undefined
  const files = diffedFiles(diff.text, level)
  for (const { path, how } of files) {
    const word = { text: path, known: diff.known }
    to.file(
      how === 'delete' ? 'deletes' : 'writes',
      folder && !path.startsWith('/') ? below(folder, word) : word,
    )
  }
  return files.length > 0
}

/** `7z x -oDIR`, `unrar x a.rar DIR/`, `dpkg -x a.deb DIR`. */
function unpacked(words: readonly Word[], to: Sink): void {
  const at = words.findIndex(({ text }) => /^(?:x|e|-x|-R|--extract|--raw-extract|--vextract|-X)$/.test(text))
  if (at < 0) return
  const given = words.find(({ text }) => /^-o./.test(text))
  const operands = words.slice(at + 1).filter(({ text }) => !text.startsWith('-'))
  const last = operands.length > 1 ? operands.at(-1) : undefined
  to.file('writes', given ? { ...given, text: given.text.slice(2) } : (last ?? HERE), true)
}

/** `python -m zipfile -e a.zip DIR` */
function unpackedByModule(words: readonly Word[], to: Sink): void {
  const at = words.findIndex(({ text }) => /^(?:zipfile|tarfile)$/.test(text))
  if (words[at - 1]?.text !== '-m' || !/^(?:-e|--extract)$/.test(words[at + 1]?.text ?? '')) return
  to.file('writes', words[at + 3] ?? HERE, true)
}

function fetched(words: readonly Word[], to: Sink, output: string): void {
  const options = readOptions(
    words,
    valueNames(`${output} n num-connections s x j U header user-agent max-speed`),
  )
  const file = optionValue(options, output)
  for (const url of options.operands) {
    to.file('writes', file ?? { text: lastPart(url.text), known: url.known })
    to.network(hostOf(url), false)
  }
}

/** Clients of stores: what they are told to upload. */
function uploaded(words: readonly Word[], to: Sink): void {
  const at = words.findIndex(({ text }) =>
    /^(?:cp|put|upload|upload-batch|upload-file|copy|sync|mv|rsync|mirror)$/.test(text),
  )
  if (at < 0) return
  const rest = words.slice(at + 1)
  const file = rest.find(
    ({ text }, i) =>
      /^(?:-f|--file|--source|-s|--src-dir)$/.test(rest[i - 1]?.text ?? '') ||
      /^--(?:file|source)=/.test(text),
  )
  if (file) {
    to.file('reads', { ...file, text: file.text.replace(/^--\w+=/, '') }, true)
    return
  }
  const operands = rest.filter(({ text }) => !text.startsWith('-'))
  const isFar = /^[a-z0-9]+:\/\/|^[\w-]+\/[\w-]+|^[\w-]+$/i
  const isUp = operands.length > 1 && isFar.test(operands.at(-1)?.text ?? '')
  for (const one of isUp ? operands.slice(0, -1) : [])
    if (!/^[a-z0-9]+:\/\//i.test(one.text)) to.file('reads', one, true)
}

const MAX_UPLOADS = 64

/** `put file` among the commands that it reads, or that stand in its words. */
function uploads(words: readonly Word[], to: Sink, { stdin }: Command): void {
  const text = [...words.map(({ text }) => text), stdin?.text ?? ''].join('\n')
  for (const [, file = ''] of [
    ...text.matchAll(/(?:^|[\n;])[ \t]{0,9}(?:m|re)?put[ \t]{1,9}([^\s;]{1,400})/g),
  ].slice(0, MAX_UPLOADS))
    to.file('reads', { text: file, known: !/[~$*?]/.test(file) })
}

const SENDING_OPTIONS =
  'd data data-ascii data-binary data-raw data-urlencode json F form form-string T upload-file'

function fileOption({ given }: Options, name: string, role: Role, to: Sink): void {
  const value = given.get(name)
  if (value && value.text !== '-') to.file(role, value)
}

function copied(words: readonly Word[], to: Sink, recursive: string): void {
  const options = readOptions(words, COPY_VALUES)
  const isRecursive = hasOption(options, recursive)
  const target = options.operands.at(-1)
  const remote = target && remoteHost(target.text)
  for (const source of options.operands.slice(0, -1)) {
    const host = remoteHost(source.text)
    if (host) to.network(host, false)
    else to.file('reads', source, isRecursive)
    if (hasOption(options, 'remove-source-files')) to.file('deletes', source, isRecursive)
  }
  if (!target) return
  if (remote) to.network(remote, true)
  else {
    to.file('writes', target, isRecursive)
    if ([...options.given.keys()].some((name) => /^del(ete(-\w+)*)?$/.test(name)))
      to.file('deletes', target, true)
  }
}

/** `host:path`, `user@host:path`, `rsync://host/path`. */
function remoteHost(text: string): string | undefined {
  return (/^(?:rsync|scp|sftp|ssh):\/\/(?:[^@/]*@)?([^/:]+)/.exec(text) ??
    /^(?:[^/@:\s]+@)?([^/:\s]+):/.exec(text))?.[1]
}

function below(folder: Word, { text, known }: Word): Word {
  return { text: `${folder.text.replace(/\/+$/, '')}/${text}`, known: folder.known && known }
}

function tarEffects(words: readonly Word[], to: Sink): void {
  const [first, ...rest] = words
  const isOldStyle = first !== undefined && /^[A-Za-z]+$/.test(first.text)
  const all = isOldStyle ? [{ ...first, text: `-${first.text}` }, ...rest] : words
  const options = readAbbreviated(
    all,
    valueNames('f file C directory X exclude-from T files-from exclude I K g'),
  )
  const archive = optionValue(options, 'f file')
  const folder = optionValue(options, 'C directory') ?? HERE
  if (hasOption(options, 'x extract get')) {
    if (archive && archive.text !== '-') to.file('reads', archive)
    to.file('writes', folder, true)
  } else if (hasOption(options, 'c create r append u update')) {
    if (archive && archive.text !== '-') to.file('writes', archive)
    for (const operand of options.operands) {
      const file = folder === HERE || /^[/~$]/.test(operand.text) ? operand : below(folder, operand)
      to.file('reads', file, true)
      if (hasOption(options, 'remove-files')) to.file('deletes', file, true)
    }
  } else if (archive) to.file('reads', archive)
}

const GIT = valueNames('C c git-dir work-tree namespace exec-path config-env')
const CONFIG = valueNames('f file blob type default comment value')
const CLEAN = valueNames('e exclude')
const GIT_SUB = valueNames('m message C c F file b B branch depth o output output-directory s source u')

const BLAME = valueNames('contents L S ignore-rev ignore-revs-file date')
/** They print to a file instead, if they are told to. */
const GIT_PRINTS =
  /^(?:log|diff|show|whatchanged|range-diff|reflog|stash|diff-(?:tree|index|files)|format-patch|archive)$/
const PRINTS = valueNames('o output output-directory n L S G')
/** git compares such a file without a repository. */
const OUTSIDE = /^(?:[/~]|\$\{?HOME\b|(?:\.\/)*\.\.\/)/

/** `git config get x`, `--get x`, `x` alone; a setting has a dot in its name, and a verb has none. */
function readsSetting(options: Options): boolean {
  const [first, second] = options.operands
  return (
    /^(?:get|list)$/.test(first?.text ?? '') ||
    hasOption(options, 'list l get get-all get-regexp get-urlmatch') ||
    (first?.text.includes('.') === true &&
      second === undefined &&
      !hasOption(options, 'unset unset-all remove-section edit'))
  )
}

function gitEffects(words: readonly Word[], to: Sink, { stdin }: Command): void {
  const outer = readOptions(words, GIT, true)
  const subcommand = outer.operands[0]?.text ?? ''
  const behind = outer.operands.slice(1)
  const options = readAbbreviated(behind, GIT_SUB)
  const { operands } = options
  const paths = behind.some(({ text }) => text === '--')
    ? behind.slice(behind.findIndex(({ text }) => text === '--') + 1)
    : []
  if (GIT_PRINTS.test(subcommand)) {
    const own = readOptions(behind, PRINTS)
    for (const name of ['o', 'output', 'output-directory']) fileOption(own, name, 'writes', to)
  }
  if (/^(?:commit|tag|merge|notes)$/.test(subcommand))
    for (const name of ['F', 'file']) fileOption(options, name, 'reads', to)
  switch (subcommand) {
    case 'rm':
      if (!hasOption(options, 'cached'))
        for (const one of operands) to.file('deletes', one, hasOption(options, 'r'))
      return
    case 'mv':
      if (operands.length > 1) for (const one of operands.slice(0, -1)) to.file('deletes', one)
      if (operands.at(-1)) to.file('writes', operands.at(-1) as Word)
      return
    case 'clean': {
      const own = readOptions(behind, CLEAN)
      const [how] = own.all.findLast(([name]) => /^(?:n|(?:no-)?dry.*)$/.test(name)) ?? ['no-dry-run']
      if (hasOption(own, 'f force') && how.startsWith('no-'))
        for (const one of own.operands.length > 0 ? own.operands : [HERE]) to.file('deletes', one, true)
      return
    }
    case 'checkout':
    case 'restore':
      for (const one of subcommand === 'restore' ? operands : paths) to.file('writes', one, !isFileName(one))
      return
    case 'reset':
      if (hasOption(options, 'hard merge keep')) to.file('writes', HERE, true)
      return
    case 'apply':
    case 'am':
      for (const one of operands) to.file('reads', one)
      appliedByGit(subcommand, behind, stdin, to)
      return
    case 'worktree':
      if (operands[0]?.text === 'remove' && operands[1]) to.file('deletes', operands[1], true)
      if (operands[0]?.text === 'add' && operands[1]) to.file('writes', operands[1], true)
      return
    case 'config': {
      const own = readOptions(behind, CONFIG)
      const given = optionValue(own, 'f file')
      if (given && readsSetting(own)) to.file('reads', given)
      if (readsSetting(own)) return
      if (given) to.file('writes', given)
      else if (hasOption(options, 'global')) to.file('writes', { text: '~/.gitconfig', known: false })
      else if (hasOption(options, 'system')) to.file('writes', { text: '/etc/gitconfig', known: true })
      else if (operands.length > 1) to.file('writes', { text: '.git/config', known: true })
      return
    }
    case 'diff':
    case 'grep':
      for (const one of operands.slice(subcommand === 'grep' ? 1 : 0))
        if (hasOption(options, 'no-index') || (subcommand === 'diff' && OUTSIDE.test(one.text)))
          to.file('reads', one, true)
      return
    case 'blame':
    case 'annotate':
      fileOption(readOptions(behind, BLAME), 'contents', 'reads', to)
      return
    case 'checkout-index':
      fileOption(readOptions(behind, valueNames('prefix')), 'prefix', 'writes', to)
      return
    case 'hash-object':
      for (const one of operands) to.file('reads', one)
      return
    case 'clone':
      to.network(operands[0] && (hostOf(operands[0], true) ?? remoteHost(operands[0].text)), false)
      to.file(
        'writes',
        operands[1] ?? { text: lastPart(operands[0]?.text ?? '').replace(/\.git$/, ''), known: true },
        true,
      )
      return
    case 'init':
      to.file('writes', operands[0] ?? HERE, true)
      return
    case 'bundle':
      if (operands[0]?.text === 'create' && operands[1]) to.file('writes', operands[1])
      return
    case 'add':
      for (const one of operands) to.file('reads', one, true)
      return
    case 'push':
    case 'send-email':
      to.network(operands[0] && (hostOf(operands[0], true) ?? remoteHost(operands[0].text)), true)
      return
    case 'fetch':
    case 'pull':
    case 'ls-remote':
      to.network(operands[0] && (hostOf(operands[0], true) ?? remoteHost(operands[0].text)), false)
  }
}

/** With an ending, and no glob: one file, and no folder. */
function isFileName({ text, known }: Word): boolean {
  return known && /[^/.]\.\w{1,8}$/.test(text) && !/[*?[:]/.test(text)
}

const APPLY = valueNames('p C directory exclude include whitespace build-fake-ancestor')

/** Which files a patch changes is known where its text is; otherwise it may be any. */
function appliedByGit(subcommand: string, words: readonly Word[], stdin: Word | undefined, to: Sink): void {
  const options = readOptions(words, APPLY)
  const isLook = hasOption(options, 'check stat numstat summary') && !options.given.has('apply')
  if (isLook || (subcommand === 'apply' && options.given.has('cached'))) return
  const { operands } = options
  const texts = operands.length > 0 ? operands.map(({ output }) => output) : [stdin]
  const strip = optionValue(options, 'p') ?? { text: '1', known: true }
  const isKnown = texts.map((text) => diffEffects(text, strip, optionValue(options, 'directory'), to))
  if (!isKnown.every(Boolean)) to.file('writes', HERE, true)
}

function lastPart(text: string): string {
  return (
    text
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1) ?? ''
  )
}

/** The host of a URL; without `needsScheme`, of a bare `host/path`, too. */
function hostOf({ text }: Word, needsScheme = false): string | undefined {
  const found = /^(?:([a-z][\w+.-]*):\/\/)?(?:[^@/]*@)?(\[[^\]]+\]|[^/:?#]+)/i.exec(text)
  if (!found || (needsScheme && !found[1]) || /[$`]/.test(found[2] ?? '')) return undefined
  return found[2]
}

function hostIn(operands: readonly Word[]): string | undefined {
  const found = operands.find(({ text }) => /[\w-]\.[\w-]|^[\w.-]+@|^localhost$/.test(text)) ?? operands[0]
  return found?.known && !/^\d+$/.test(found.text)
    ? (remoteHost(found.text) ?? hostOf(found)?.replace(/^.*@/, ''))
    : undefined
}

function codeEffects(code: string, to: Sink): void {
  for (const { role, text, recursive } of fileCallsInCode(code))
    to.file(role, { text, known: !/^~|[*?]/.test(text) }, recursive)
  const sends = /\b(?:post|put|patch|sendall|send|upload|urlencode)\b|\bdata\s*=|\bmethod\b/i.test(code)
  for (const match of code.matchAll(/\b(?:https?|ftp|wss?):\/\/([\w.-]+)/g)) to.network(match[1], sends)
  for (const match of code.matchAll(
    /\b(?:connect\w*|SMTP(?:_SSL)?|FTP(?:_TLS)?|HTTPS?Connection)\(\s*\(?\s*["']([\w.-]+)["']/g,
  ))
    to.network(match[1], true)
}
