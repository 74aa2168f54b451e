/** What one command does to files and hosts: its row of PROGRAMS, or its own function here. */
import { fileCallsInCode } from './code.ts'
import type { Command, Word } from './command.ts'
import { hasOption, type Options, optionValue, readOptions, type ValueNames, valueNames } from './options.ts'
import { foundBy, rootsOf } from './output.ts'
import { PROGRAMS, type Program, type Role } from './programs.ts'

/** Takes down what a command does. */
export interface Sink {
  file(role: Role, word: Word, recursive?: boolean): void
  network(host: string | undefined, sends: boolean): void
}

export function programEffects(command: Command, to: Sink): void {
  const words = command.argv.slice(1)
  const { program } = command
  if (program.startsWith('mkfs') || program === 'newfs')
    rowEffects({ values: 't L', operands: 'writes' }, words, to)
  const special = Object.hasOwn(SPECIAL, program) ? SPECIAL[program] : undefined
  if (special) special(words, to)
  const row = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined
  if (row) rowEffects(row, words, to)
  if (command.code) codeEffects(command.code.text.text, to)
  else if (SCRIPTED.test(program)) {
    const script = words.find(({ text }) => !/^[-+]/.test(text))
    if (script && !words.some(({ text }) => /^-\w*c$|^-m$/.test(text))) to.file('reads', script)
  }
}

const SCRIPTED = /^(?:(?:ba|z|da|k|a|fi)?sh|python[\d.]*|node|ruby|perl|php|bun|deno)$/
const VALUES = new Map<Program, ValueNames>()
const HERE: Word = { text: '.', known: true }

function rowEffects(row: Program, words: readonly Word[], to: Sink): void {
  let values = VALUES.get(row)
  if (!values) {
    values = valueNames(row.values)
    VALUES.set(row, values)
  }
  const options = readOptions(words, values)
  const recursive =
    row.recursive === true || (row.recursive !== undefined && hasOption(options, row.recursive))
  for (const [name, role] of Object.entries(row.options ?? {})) {
    const value = options.given.get(name)
    if (value) to.file(role, value)
  }
  const skip = row.noSkip && hasOption(options, row.noSkip) ? 0 : (row.skip ?? 0)
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
const COPY_VALUES = valueNames(
  'e rsh P i F o l S c J exclude include filter files-from exclude-from bwlimit port password-file link-dest chmod timeout',
)

const SPECIAL: Readonly<Record<string, (words: readonly Word[], to: Sink) => void>> = {
  dd: (words, to) => {
    for (const { text, known } of words) {
      const [, kind, path] = /^([io])f=([\s\S]+)$/.exec(text) ?? []
      if (path) to.file(kind === 'o' ? 'writes' : 'reads', { text: path, known })
    }
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
    for (const url of urls) to.network(hostOf(url), sends)
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
    if (!words.some(({ text }) => /^-[lpvtd]/.test(text))) to.file('writes', HERE, true)
  },
  git: gitEffects,
  crontab: (words, to) => {
    if (words.length > 0) to.file('writes', { text: '/var/spool/cron', known: true })
  },
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

function tarEffects(words: readonly Word[], to: Sink): void {
  const [first, ...rest] = words
  const isOldStyle = first !== undefined && /^[A-Za-z]+$/.test(first.text)
  const all = isOldStyle ? [{ ...first, text: `-${first.text}` }, ...rest] : words
  const options = readOptions(all, valueNames('f file C directory X exclude-from T files-from exclude I K g'))
  const archive = optionValue(options, 'f file')
  const folder = optionValue(options, 'C directory') ?? HERE
  if (hasOption(options, 'x extract get')) {
    if (archive && archive.text !== '-') to.file('reads', archive)
    to.file('writes', folder, true)
  } else if (hasOption(options, 'c create r append u update')) {
    if (archive && archive.text !== '-') to.file('writes', archive)
    for (const operand of options.operands) {
      to.file('reads', operand, true)
      if (hasOption(options, 'remove-files')) to.file('deletes', operand, true)
    }
  } else if (archive) to.file('reads', archive)
}

const GIT = valueNames('C c git-dir work-tree namespace exec-path config-env')
const GIT_SUB = valueNames('m message C c F file b B branch depth o output output-directory s source u')

function gitEffects(words: readonly Word[], to: Sink): void {
  const outer = readOptions(words, GIT, true)
  const subcommand = outer.operands[0]?.text ?? ''
  const behind = outer.operands.slice(1)
  const options = readOptions(behind, GIT_SUB)
  const { operands } = options
  const paths = behind.some(({ text }) => text === '--')
    ? behind.slice(behind.findIndex(({ text }) => text === '--') + 1)
    : []
  switch (subcommand) {
    case 'rm':
      if (!hasOption(options, 'cached'))
        for (const one of operands) to.file('deletes', one, hasOption(options, 'r'))
      return
    case 'mv':
      if (operands.length > 1) for (const one of operands.slice(0, -1)) to.file('deletes', one)
      if (operands.at(-1)) to.file('writes', operands.at(-1) as Word)
      return
    case 'clean':
      if (hasOption(options, 'f force') && !hasOption(options, 'n dry-run'))
        for (const one of operands.length > 0 ? operands : [HERE]) to.file('deletes', one, true)
      return
    case 'checkout':
    case 'restore':
      for (const one of subcommand === 'restore' ? operands : paths) to.file('writes', one, true)
      return
    case 'reset':
      if (hasOption(options, 'hard merge keep')) to.file('writes', HERE, true)
      return
    case 'apply':
    case 'am':
      for (const one of operands) to.file('reads', one)
      to.file('writes', HERE, true)
      return
    case 'worktree':
      if (operands[0]?.text === 'remove' && operands[1]) to.file('deletes', operands[1], true)
      if (operands[0]?.text === 'add' && operands[1]) to.file('writes', operands[1], true)
      return
    case 'config':
      if (hasOption(options, 'global')) to.file('writes', { text: '~/.gitconfig', known: false })
      else if (hasOption(options, 'system')) to.file('writes', { text: '/etc/gitconfig', known: true })
      else if (operands.length > 1) to.file('writes', { text: '.git/config', known: true })
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
    case 'archive':
      fileOption(options, 'o', 'writes', to)
      fileOption(options, 'output', 'writes', to)
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
    to.file(role, { text, known: true }, recursive)
  const sends = /\b(?:post|put|patch|sendall|send|upload|urlencode)\b|\bdata\s*=|\bmethod\b/i.test(code)
  for (const match of code.matchAll(/\b(?:https?|ftp|wss?):\/\/([\w.-]+)/g)) to.network(match[1], sends)
  for (const match of code.matchAll(/\bconnect\w*\(\s*\(?\s*["']([\w.-]+)["']/g)) to.network(match[1], true)
}
