/** What git starts: aliases, the programs that its settings name, the commands of `rebase -x` and `bisect run`. */
import type { Assignment, Command, Word } from '../command.ts'
import { NO_VALUES, readOptions, valueNames } from '../options.ts'
import { type Around, type Child, leadingAssignments, type Unwrapped } from './child.ts'

const GIT_VALUES = valueNames('C c git-dir work-tree namespace exec-path config-env super-prefix')
/** Settings whose value is a program. */
const PROGRAMS =
  /^(core\.(pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|sequence\.editor|diff\.external|pager\..+|(credential|credential\..+)\.helper|filter\..+\.(clean|smudge|process)|remote\..+\.(uploadpack|receivepack|vcs)|gpg\.(.+\.)?program|interactive\.difffilter|uploadpack\.packobjectshook|.*\.(textconv|command|cmd))$/i
/** Options of a subcommand whose value is a command. */
const OPTIONS: Readonly<
  Record<string, { readonly commands: string; readonly values?: string; readonly isRemote?: true }>
> = {
  rebase: { commands: 'x exec', values: 's strategy X onto C' },
  difftool: { commands: 'x extcmd', values: 't tool' },
  clone: { commands: 'u upload-pack', values: 'b branch o origin c config depth j reference' },
  fetch: { commands: 'upload-pack', values: 'depth j' },
  pull: { commands: 'upload-pack', values: 'depth j s X' },
  'ls-remote': { commands: 'upload-pack exec', values: 'o sort' },
  'fetch-pack': { commands: 'upload-pack exec' },
  push: { commands: 'receive-pack exec', values: 'o push-option repo' },
  'send-pack': { commands: 'receive-pack exec' },
  archive: { commands: 'exec', values: 'o output remote prefix format' },
  grep: { commands: 'O open-files-in-pager', values: 'e f A B C m' },
  'send-email': {
    commands: 'sendmail-cmd smtp-server to-cmd cc-cmd header-cmd',
    values: 'to cc from subject',
  },
  'filter-branch': {
    commands:
      'setup subdirectory-filter env-filter tree-filter index-filter parent-filter msg-filter commit-filter tag-name-filter',
  },
}
/** Before the name of an alias of git among the variables. */
const ALIAS = 'git alias '

export function git(words: readonly Word[], command: Command, around: Around): Unwrapped {
  const options = readOptions(words, GIT_VALUES, true)
  const [first, ...rest] = options.operands
  const subcommand = first?.text ?? ''
  const children: Child[] = []
  for (const { name, value } of gitSettings(command)) {
    if (PROGRAMS.test(name)) children.push({ script: { ...value, text: value.text.replace(/^!/, '') } })
    const alias = /^alias\.(.+)$/i.exec(name)?.[1]
    if (alias === undefined) continue
    if (alias === subcommand) children.push(aliased(value, rest))
    if (subcommand === 'config') around.set(ALIAS + alias, value)
  }
  const remembered = around.get(ALIAS + subcommand)
  const isOwn = remembered && 'text' in remembered && remembered.text.split(/\s/)[0] !== subcommand
  if (isOwn) children.push(aliased(remembered, rest))
  children.push(...commandsOf(subcommand, rest))
  const cwd = chained(words, '-C')
  return { children, ...(cwd && { cwd }) }
}

function aliased(value: Word, positional: readonly Word[]): Child {
  const script = value.text.startsWith('!') ? value.text.slice(1) : `git ${value.text}`
  return { script: { text: `${script} "$@"`, known: value.known }, positional }
}

/** Settings that a call of git is given or makes, and those that `export` hands to all that follow. */
export function gitSettings({ program, argv, assignments }: Command): Assignment[] {
  const words = argv.slice(1)
  if (program !== 'git') return settingsOf(leadingAssignments(words).assignments)
  return [...settingsIn(words, assignments), ...settingsOf(assignments)]
}

/** `git -c name=value`, `git --config-env=name=variable`, `git clone -c name=value`, `git config name value`. */
function settingsIn(words: readonly Word[], assignments: readonly Assignment[]): Assignment[] {
  const found: Assignment[] = []
  for (const [at, { text, known }] of words.entries()) {
    const [, option, attached] = /^(-c|--config|--config-env)(?:=([\s\S]+))?$/.exec(text) ?? []
    if (option === undefined) continue
    const given = attached === undefined ? words[at + 1] : { text: attached, known }
    const [, name, value = 'true'] = /^([^=]+)(?:=([\s\S]*))?$/.exec(given?.text ?? '') ?? []
    if (name === undefined || value === '') continue
    const variable = assignments.find((one) => option === '--config-env' && one.name === value)
    if (variable) found.push({ name, value: variable.value })
    else if (option === '--config-env') found.push({ name, value: { text: `$${value}`, known: false } })
    else found.push({ name, value: { text: value, known: given?.known === true } })
  }
  const [subcommand, ...rest] = readOptions(words, GIT_VALUES, true).operands
  if (subcommand?.text === 'config') {
    const { operands } = readOptions(rest, CONFIG_VALUES)
    const [name, value] = operands[0]?.text === 'set' ? operands.slice(1) : operands
    if (name && value) found.push({ name: name.text, value })
  }
  return found
}

const CONFIG_VALUES = valueNames('f file blob type default comment value')

/** `GIT_CONFIG_KEY_0=name GIT_CONFIG_VALUE_0=value`. */
function settingsOf(assignments: readonly Assignment[]): Assignment[] {
  return assignments.flatMap(({ name, value }) => {
    if (name === 'GIT_CONFIG_PARAMETERS')
      return [...value.text.matchAll(/'([^'=]{1,200})(?:'=')?=?([^']{1,2000})'/g)].map(
        ([, key = '', text = '']) => ({
          name: key,
          value: { text: text.replace(/^=/, ''), known: value.known },
        }),
      )
    const number = /^GIT_CONFIG_KEY_(\d{1,3})$/.exec(name)?.[1]
    const to = number && assignments.find((one) => one.name === `GIT_CONFIG_VALUE_${number}`)
    return to ? [{ name: value.text, value: to.value }] : []
  })
}

function commandsOf(subcommand: string, words: readonly Word[]): Child[] {
  if (subcommand === 'bisect' && words[0]?.text === 'run') return [{ argv: words.slice(1) }]
  if (subcommand === 'submodule') {
    const { operands } = readOptions(words, NO_VALUES, true)
    const inner =
      operands[0]?.text === 'foreach' ? readOptions(operands.slice(1), NO_VALUES, true).operands : []
    // git hands one word to a shell, and starts several as they are.
    return inner.length > 1 ? [{ argv: inner }] : inner.map((script) => ({ script }))
  }
  const children = words.flatMap(({ text, known }): Child[] => {
    const command = /^ext::(.+)$/.exec(text)?.[1] // a transport that is a command
    // Its words do not follow shell syntax: `% ` is a blank inside a word.
    return command ? [{ script: { text: command.replaceAll('% ', ' '), known } }] : []
  })
  const row = Object.hasOwn(OPTIONS, subcommand) ? OPTIONS[subcommand] : undefined
  if (!row) return children
  const names = row.commands.split(' ')
  for (const [name, value] of readOptions(words, valueNames(`${row.commands} ${row.values ?? ''}`)).all)
    if (value && names.includes(name)) children.push({ script: value })
  return children
}

/** `git -C a -C b`: the second is seen from the first. */
function chained(words: readonly Word[], option: string): Word | undefined {
  let cwd: Word | undefined
  for (let i = 0; words[i]?.text.startsWith('-'); i++) {
    if (words[i]?.text === '-c') i++
    if (words[i]?.text !== option) continue
    const to = words[++i]
    if (!to) break
    cwd =
      !cwd || to.text.startsWith('/') ? to : { text: `${cwd.text}/${to.text}`, known: cwd.known && to.known }
  }
  return cwd
}
