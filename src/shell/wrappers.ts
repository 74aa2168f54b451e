/**
 * Programs that start what their words say. A plain wrapper is a row of WRAPPERS; the others are functions in SPECIAL.
 * Both are found by the program's name, or by its name and subcommand: `uv run`.
 */
import { commandsInCode, languageOf } from './code.ts'
import type { Assignment, Command, Word } from './command.ts'
import { hasOption, type Options, optionValue, readOptions, type ValueNames, valueNames } from './options.ts'
import { foundBy } from './output.ts'

export interface Child {
  readonly argv?: readonly Word[]
  /** Text that a shell reads. */
  readonly script?: Word
  readonly positional?: readonly Word[]
  readonly assignments?: readonly Assignment[]
  readonly cwd?: Word
  readonly isRemote?: boolean
  /** Started by code in another language. */
  readonly isCode?: boolean
  /** `eval`, `source`: it changes the shell that runs it. */
  readonly isSameShell?: boolean
  /** Its standard input is the wrapper's. */
  readonly takesStdin?: boolean
  readonly passesOutput?: boolean
}

export interface Unwrapped {
  readonly children: readonly Child[]
  readonly code?: NonNullable<Command['code']>
  /** Where the command itself works: `git -C x`. */
  readonly cwd?: Word
}

interface Wrapper {
  /** Options with a value. */
  readonly values?: string
  /** Operands before the command: the host of ssh, the duration of timeout. */
  readonly skip?: number
  /** The command is one text for a shell, not words. */
  readonly isText?: boolean
  /** An option whose value is a text for a shell. */
  readonly textOption?: string
  readonly cwdOption?: string
  /** `NAME=value` may stand before the command. */
  readonly assigns?: boolean
  readonly isRemote?: boolean
  /** With one of these options it starts nothing: `command -v`. */
  readonly unless?: string
  /** What it starts changes the shell: `command cd x`. */
  readonly isSameShell?: boolean
  /** With one of these options, or always, it starts a shell that reads standard input. */
  readonly startsShell?: string | true
}

const CONTAINER =
  'a add-host annotation attach blkio-weight cap-add cap-drop cgroup-parent cidfile c cpu-shares cpus cpuset-cpus detach-keys ' +
  'device dns domainname e entrypoint env env-file expose gpus group-add health-cmd h hostname ip ipc label l link log-driver ' +
  'log-opt mac-address m memory memory-swap mount name net network network-alias oom-score-adj pid platform p publish pull ' +
  'restart runtime security-opt shm-size stop-signal stop-timeout storage-opt sysctl tmpfs ulimit u user userns uts v volume ' +
  'volumes-from volume-driver w workdir index'
const PACKAGE = 'p package c call w workspace from with python'

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    values:
      'u user g group h host p prompt C close-from r role t type T command-timeout U other-user D chdir R chroot',
    cwdOption: 'D chdir',
    assigns: true,
    unless: 'l list v validate k K V version e edit',
    startsShell: 's shell i login',
  },
  doas: { values: 'u C a' },
  pkexec: { values: 'user' },
  timeout: { values: 's signal k kill-after', skip: 1 },
  nice: { values: 'n adjustment' },
  ionice: { values: 'c class n classdata p pid P pgid u uid' },
  chrt: { values: 'T P D', skip: 1 },
  taskset: { skip: 1 },
  nohup: {},
  setsid: {},
  time: { values: 'f format o output' },
  stdbuf: { values: 'i input o output e error' },
  unbuffer: {},
  command: { unless: 'v V', isSameShell: true },
  builtin: { isSameShell: true },
  exec: { values: 'a' },
  chroot: { values: 'userspec groups', skip: 1, isRemote: true },
  unshare: { values: 'setuid setgid root wd S G R w propagation map-user map-group' },
  nsenter: { values: 't target S setuid G setgid', isRemote: true },
  fakeroot: { values: 'l lib faked s i' },
  firejail: {},
  busybox: {},
  toybox: {},
  strace: { values: 'o output e trace p attach s string-limit S u user E env a P b I O X' },
  ltrace: { values: 'o e p s u n a' },
  gdb: {},
  valgrind: {},
  'systemd-run': {
    values: 'u unit p property M machine H host E setenv uid gid slice description working-directory',
  },
  'systemd-inhibit': { values: 'what who why mode' },
  'dbus-run-session': {},
  'xvfb-run': { values: 'n server-num s server-args e error-file f auth-file' },
  watch: { values: 'n interval', isText: true },
  caffeinate: { values: 't w' },
  arch: {},
  rtk: {},
  script: {
    values: 'c command E echo I log-in O log-out B log-io T log-timing o',
    textOption: 'c command',
    skip: 99,
  },
  flock: { values: 'c command w wait timeout E conflict-exit-code', textOption: 'c command', skip: 1 },
  su: { values: 'c command s shell g group G w', textOption: 'c command', skip: 99, startsShell: true },
  runuser: { values: 'c command u user s shell g group G', textOption: 'c command' },
  'nix-shell': { values: 'run command p packages I A', textOption: 'run command', skip: 99 },
  'nix develop': { values: 'command c', textOption: 'c command', skip: 99 },
  expect: { values: 'c', textOption: 'c', skip: 99 },
  xterm: { values: 'e title geometry', textOption: 'e' },
  npx: { values: PACKAGE, textOption: 'c call' },
  bunx: { values: PACKAGE },
  uvx: { values: PACKAGE },
  pipx: { values: 'spec python pip-args', skip: 1 },
  'npm exec': { values: PACKAGE, textOption: 'c call' },
  'npm x': { values: PACKAGE, textOption: 'c call' },
  'pnpm exec': {},
  'pnpm dlx': { values: PACKAGE },
  'yarn exec': {},
  'yarn dlx': { values: PACKAGE },
  'bun x': {},
  'uv run': { values: 'with python p extra group env-file with-requirements directory project' },
  'uv tool run': { values: PACKAGE },
  'poetry run': {},
  'pipenv run': {},
  'hatch run': {},
  'rye run': {},
  'conda run': { values: 'n name p prefix cwd' },
  'bundle exec': {},
  'mise exec': {},
  'direnv exec': { skip: 1 },
  'dotenv run': {},
  'op run': { values: 'env-file account' },
  'doppler run': { values: 'p project c config t token' },
  'docker exec': { values: CONTAINER, skip: 1, isRemote: true },
  'docker run': { values: CONTAINER, skip: 1, isRemote: true },
  'docker container exec': { values: CONTAINER, skip: 1, isRemote: true },
  'docker container run': { values: CONTAINER, skip: 1, isRemote: true },
  'docker compose exec': { values: CONTAINER, skip: 1, isRemote: true },
  'docker compose run': { values: CONTAINER, skip: 1, isRemote: true },
  'docker-compose exec': { values: CONTAINER, skip: 1, isRemote: true },
  'docker-compose run': { values: CONTAINER, skip: 1, isRemote: true },
  'podman exec': { values: CONTAINER, skip: 1, isRemote: true },
  'podman run': { values: CONTAINER, skip: 1, isRemote: true },
  'nerdctl exec': { values: CONTAINER, skip: 1, isRemote: true },
  'nerdctl run': { values: CONTAINER, skip: 1, isRemote: true },
  'lxc exec': { skip: 1, isRemote: true },
  'gcloud compute ssh': { values: 'command zone project', textOption: 'command', skip: 99, isRemote: true },
  'vagrant ssh': { values: 'c command', textOption: 'c command', skip: 99, isRemote: true },
  'heroku run': { values: 'a app', isRemote: true },
  'fly ssh console': { values: 'C command a app', textOption: 'C command', skip: 99, isRemote: true },
}

const GLOBAL_VALUES =
  'H host c context config l log-level f file p project-name project-directory n namespace kubeconfig cluster user s server'

const SPECIAL: Readonly<Record<string, (words: readonly Word[], command: Command) => Unwrapped>> = {
  env: (words) => {
    const options = readOptions(words, ENV_VALUES, true)
    const split = optionValue(options, 'S split-string')
    const cwd = optionValue(options, 'C chdir')
    const { assignments, rest } = leadingAssignments(options.operands)
    const at = cwd ? { cwd } : {}
    if (split) return one({ script: joinedWords([split, ...rest]), takesStdin: true, ...at })
    return one({ argv: rest, assignments, takesStdin: true, passesOutput: true, ...at })
  },
  eval: (words) =>
    one({ script: joinedWords(words), isSameShell: true, takesStdin: true, passesOutput: true }),
  trap: ([script, ...signals]) =>
    script && signals.length > 0 && !script.text.startsWith('-') ? one({ script }) : NOTHING,
  source: sourced,
  '.': sourced,
  xargs: (words, { stdin }) => {
    const options = readOptions(words, XARGS_VALUES, true)
    const token =
      optionValue(options, 'I replace i')?.text ?? (hasOption(options, 'i replace') ? '{}' : undefined)
    const base = options.operands.length > 0 ? options.operands : [{ text: 'echo', known: true }]
    const given = stdin?.text.trim().split(token === undefined ? /\s+/ : /\n/) ?? []
    const texts = given.filter((text) => text !== '').slice(0, MAX_GIVEN)
    const known = stdin?.known === true && texts.length === given.length && !/['"\\]/.test(stdin.text)
    const found = texts.length > 0 ? texts.map((text) => ({ text, known })) : [{ text: '{}', known: false }]
    if (token === undefined) return one({ argv: [...base, ...found] })
    return { children: found.map((word) => ({ argv: base.map((part) => withToken(part, token, word)) })) }
  },
  find: (words) => {
    const files = foundBy(words)
      .slice(0, MAX_GIVEN)
      .map((text) => ({ text, known: false }))
    const children: Child[] = []
    for (let i = 0; i < words.length; i++) {
      if (!/^-(exec|ok)(dir)?$/.test(words[i]?.text ?? '')) continue
      const end = words.findIndex(
        ({ text }, at) => at > i && (text === ';' || (text === '+' && words[at - 1]?.text === '{}')),
      )
      const argv = words.slice(i + 1, end < 0 ? words.length : end)
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
    return { children }
  },
  fd: (words) => {
    const at = words.findIndex(({ text }) => /^(-[xX]|--exec(-batch)?)$/.test(text))
    return at < 0 ? NOTHING : one({ argv: [...words.slice(at + 1), { text: './**/*', known: false }] })
  },
  parallel: (words, { stdin }) => {
    const { operands } = readOptions(words, PARALLEL_VALUES, true)
    const at = operands.findIndex(({ text }) => /^:::/.test(text))
    const base = at < 0 ? operands : operands.slice(0, at)
    const given =
      at < 0
        ? []
        : operands
            .slice(at + 1)
            .filter(({ text }) => !/^:::/.test(text))
            .slice(0, MAX_GIVEN)
    if (base.length === 0) {
      if (at >= 0) return { children: given.map((script) => ({ script })) }
      return stdin ? one({ script: stdin }) : NOTHING
    }
    const script = joinedWords(base)
    const hasToken = script.text.includes('{}')
    const found = given.length > 0 ? given : [{ text: '{}', known: false }]
    return {
      children: found.map((word) => ({
        script: hasToken ? withToken(script, '{}', word) : joinedWords([script, word]),
      })),
    }
  },
  ssh: (words, { stdin }) => {
    const options = readOptions(words, SSH_VALUES, true)
    const { operands: rest } = readOptions(options.operands.slice(1), SSH_VALUES, true)
    const proxy = /^(?:ProxyCommand|LocalCommand)[= ](.+)$/i.exec(optionValue(options, 'o')?.text ?? '')?.[1]
    const children: Child[] = proxy ? [{ script: { text: proxy, known: false } }] : []
    if (rest.length > 0) children.push({ script: joinedWords(rest), isRemote: true, takesStdin: true })
    else if (stdin && options.operands.length > 0) children.push({ script: stdin, isRemote: true })
    return { children }
  },
  kubectl: (words) => {
    const { operands } = readOptions(words, KUBECTL_VALUES, true)
    if (operands[0]?.text !== 'exec' && operands[0]?.text !== 'run') return NOTHING
    const at = operands.findIndex(({ text }) => text === '--')
    if (at >= 0) return one({ argv: operands.slice(at + 1), isRemote: true, takesStdin: true })
    const inner = readOptions(operands.slice(1), KUBECTL_VALUES, true)
    return one({
      argv: readOptions(inner.operands.slice(1), KUBECTL_VALUES, true).operands,
      isRemote: true,
      takesStdin: true,
    })
  },
  git: (words) => {
    const options = readOptions(words, GIT_VALUES, true)
    const subcommand = options.operands[0]?.text ?? ''
    const children: Child[] = []
    for (const [at, { text }] of words.entries()) {
      const setting = text === '-c' || text === '--config-env' ? (words[at + 1]?.text ?? '') : ''
      const [, key, value] = /^([^=]+)=([\s\S]*)$/.exec(setting) ?? []
      if (!key || !value) continue
      const alias = /^alias\.(.+)$/i.exec(key)?.[1]
      if (alias === undefined) {
        if (GIT_PROGRAMS.test(key)) children.push({ script: { text: value.replace(/^!/, ''), known: true } })
      } else if (alias === subcommand) {
        const script = value.startsWith('!') ? value.slice(1) : `git ${value}`
        children.push({
          script: { text: `${script} "$@"`, known: true },
          positional: options.operands.slice(1),
        })
      }
    }
    children.push(...gitScripts(subcommand, options.operands.slice(1)))
    const cwd = chained(words, '-C')
    return { children, ...(cwd && { cwd }) }
  },
  make: (words) => {
    const cwd = optionValue(readOptions(words, MAKE_VALUES), 'C directory')
    return { children: [], ...(cwd && { cwd }) }
  },
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
  tar: (words) => {
    const texts = words.map(
      ({ text }) =>
        /^--(?:to-command|checkpoint-action=exec|use-compress-program|rmt-command)=(.+)$/.exec(text)?.[1],
    )
    return { children: texts.flatMap((text) => (text ? [{ script: { text, known: true } }] : [])) }
  },
  at: (_, { stdin }) => (stdin ? one({ script: stdin }) : NOTHING),
  batch: (_, { stdin }) => (stdin ? one({ script: stdin }) : NOTHING),
}

const NOTHING: Unwrapped = { children: [] }
const MAX_WORK = 1_000_000 // characters of a text, times those of what is put into it
const MAX_GIVEN = 64 // words of a known input that xargs and parallel hand on one by one
const ENV_VALUES = valueNames('u unset C chdir S split-string')
const XARGS_VALUES = valueNames(
  'I J R n P L d E s a max-args max-procs max-lines delimiter eof arg-file max-chars',
)
const PARALLEL_VALUES = valueNames(
  'j jobs a arg-file S sshlogin C colsep d delimiter I n max-args N joblog results timeout delay retries',
)
const SSH_VALUES = valueNames('b B c D E e F I i J L l m O o p Q R S W w')
const KUBECTL_VALUES = valueNames(
  'n namespace c container context kubeconfig cluster user s server f filename as image overrides restart',
)
const GIT_VALUES = valueNames('C c git-dir work-tree namespace exec-path config-env super-prefix')
const MAKE_VALUES = valueNames('C directory f file makefile I include-dir j jobs o old-file W')
const TMUX_VALUES = valueNames('c e F n s t x y l b N T S')
const POPUP_VALUES = valueNames('b c d e h s S t T w x y')
const GIT_PROGRAMS =
  /^(core\.(pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|sequence\.editor|diff\.external|pager\..+|credential\.helper|filter\..+\.(clean|smudge|process)|.*\.(textconv|command|cmd))$/i
const SHELLS = /^(?:sh|bash|zsh|dash|ksh|ash|rbash|mksh|csh|tcsh|fish)$/

export function unwrap(command: Command): Unwrapped {
  const { program, argv } = command
  const words = argv.slice(1)
  if (program === '') return unknownProgram(command)
  if (SHELLS.test(program)) return shell(words, command)
  const special = Object.hasOwn(SPECIAL, program) ? SPECIAL[program] : undefined
  if (special) return special(words, command)
  const found = wrapperFor(program, words)
  if (found) return plain(found.wrapper, found.words, command)
  return inCode(command)
}

/** `$SUDO rm x`: the variable may be empty, or a wrapper. */
function unknownProgram({ argv }: Command): Unwrapped {
  const [first, ...rest] = argv
  return first && !first.known && rest.length > 0 ? one({ argv: rest, takesStdin: true }) : NOTHING
}

/** The row of a program, or of it and its subcommands; options of the program may stand between. */
function wrapperFor(
  program: string,
  words: readonly Word[],
): { wrapper: Wrapper; words: readonly Word[] } | undefined {
  if (Object.hasOwn(WRAPPERS, program)) return { wrapper: WRAPPERS[program] as Wrapper, words }
  if (!WITH_SUBCOMMANDS.has(program)) return undefined
  let name = program
  let rest = words
  for (let i = 0; i < 3; i++) {
    rest = readOptions(rest, GLOBAL, true).operands
    name += ` ${rest[0]?.text ?? ''}`
    rest = rest.slice(1)
    if (Object.hasOwn(WRAPPERS, name)) return { wrapper: WRAPPERS[name] as Wrapper, words: rest }
  }
  return undefined
}

const GLOBAL = valueNames(GLOBAL_VALUES)
const WITH_SUBCOMMANDS = new Set(
  Object.keys(WRAPPERS).flatMap((name) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : [])),
)
const VALUES = new Map<Wrapper, ValueNames>()

function plain(wrapper: Wrapper, words: readonly Word[], { stdin }: Command): Unwrapped {
  let values = VALUES.get(wrapper)
  if (!values) {
    values = valueNames(wrapper.values)
    VALUES.set(wrapper, values)
  }
  const options = readOptions(words, values, true)
  if (wrapper.unless && hasOption(options, wrapper.unless)) return NOTHING
  const cwd = wrapper.cwdOption ? optionValue(options, wrapper.cwdOption) : undefined
  const base = {
    takesStdin: true,
    passesOutput: true,
    ...(cwd && { cwd }),
    ...(wrapper.isRemote && { isRemote: true }),
    ...(wrapper.isSameShell && { isSameShell: true }),
  }
  const script = wrapper.textOption ? textOption(wrapper.textOption, words, values, options) : undefined
  if (script) return one({ ...base, script })
  const { assignments, rest } = wrapper.assigns
    ? leadingAssignments(options.operands)
    : { assignments: [], rest: options.operands }
  const skipped = rest.slice(wrapper.skip ?? 0)
  const inner = wrapper.skip ? readOptions(skipped, NO_VALUES, true).operands : skipped
  if (inner.length === 0) {
    const isShell =
      wrapper.startsShell === true || (wrapper.startsShell && hasOption(options, wrapper.startsShell))
    return isShell && stdin ? one({ ...base, script: stdin }) : NOTHING
  }
  return one(wrapper.isText ? { ...base, script: joinedWords(inner) } : { ...base, argv: inner, assignments })
}

const NO_VALUES = valueNames()

/** It may stand behind operands, as in `su root -c x`. */
function textOption(
  names: string,
  words: readonly Word[],
  values: ValueNames,
  before: Options,
): Word | undefined {
  return optionValue(before, names) ?? optionValue(readOptions(words, values), names)
}

/** `sh -c text name args`, a script on standard input, or a process substitution. */
function shell(words: readonly Word[], command: Command): Unwrapped {
  let isText = false
  let i = 0
  for (; i < words.length; i++) {
    const text = words[i]?.text ?? ''
    if (text === '--' || text === '-') {
      i++
      break
    }
    if (/^--(rcfile|init-file|init-command)$/.test(text)) i++
    else if (text.startsWith('--command='))
      return one({ script: { text: text.slice(10), known: words[i]?.known === true } })
    else if (text === '--command') isText = true
    else if (/^[-+][A-Za-z]+$/.test(text)) {
      if (text.startsWith('-') && text.includes('c')) isText = true
      if (/[oO]$/.test(text)) i++
    } else if (!/^[-+]/.test(text) || text.length < 2) break
  }
  const script = words[i]
  if (isText) {
    if (!script) return NOTHING
    return one({ script, positional: words.slice(i + 2), takesStdin: true, passesOutput: true })
  }
  if (script?.output) return one({ script: script.output })
  if (!script || script.text === '/dev/stdin' || words.some(({ text }) => text === '-s'))
    return command.stdin
      ? one({ script: command.stdin, positional: words.slice(i), passesOutput: true })
      : NOTHING
  return NOTHING
}

function sourced(words: readonly Word[], { stdin }: Command): Unwrapped {
  const text = words[0]?.output ?? (words[0]?.text === '/dev/stdin' ? stdin : undefined)
  return text ? one({ script: text, isSameShell: true }) : NOTHING
}

/** Code of another language: what it starts, as far as plain strings go. */
function inCode(command: Command): Unwrapped {
  const found = languageOf(command)
  if (!found) return NOTHING
  const children = commandsInCode(found.text.text, found.language).map((start): Child => {
    if (typeof start === 'string') return { script: { text: start, known: true }, isCode: true }
    return { argv: start.map((text) => ({ text, known: true })), isCode: true }
  })
  return { children, code: found }
}

function gitScripts(subcommand: string, words: readonly Word[]): Child[] {
  if (subcommand === 'bisect' && words[0]?.text === 'run') return [{ argv: words.slice(1) }]
  if (subcommand === 'submodule' && words[0]?.text === 'foreach')
    return [{ script: joinedWords(words.slice(1).filter(({ text }) => !text.startsWith('--'))) }]
  const scripts: Child[] = []
  for (const [i, { text, known }] of words.entries()) {
    const isScript =
      subcommand === 'rebase'
        ? /^(-x|--exec)$/
        : subcommand === 'filter-branch'
          ? /^--[\w-]+-filter$/
          : undefined
    if (isScript?.test(text) && words[i + 1]) scripts.push({ script: words[i + 1] as Word })
    const attached = subcommand === 'rebase' ? /^--exec=([\s\S]+)$/.exec(text)?.[1] : undefined
    if (attached) scripts.push({ script: { text: attached, known } })
  }
  return scripts
}

function one(child: Child): Unwrapped {
  return { children: [child] }
}

function joinedWords(words: readonly Word[]): Word {
  return { text: words.map(({ text }) => text).join(' '), known: words.every(({ known }) => known) }
}

function withToken(word: Word, token: string, by: Word): Word {
  if (token === '' || !word.text.includes(token)) return word
  if (word.text.length * by.text.length > MAX_WORK) return { text: word.text, known: false }
  return { text: word.text.replaceAll(token, by.text), known: word.known && by.known }
}

function leadingAssignments(words: readonly Word[]): { assignments: Assignment[]; rest: readonly Word[] } {
  const assignments: Assignment[] = []
  for (const [i, { text, known }] of words.entries()) {
    const [, name, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(text) ?? []
    if (name === undefined) return { assignments, rest: words.slice(i) }
    assignments.push({ name, value: { text: value ?? '', known } })
  }
  return { assignments, rest: [] }
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

function unquoteKeys(text: string): string {
  return text.replace(/\\n|\^M|\\r/g, '\n')
}
