/** Variables and options whose value is a command: `GIT_PAGER=x git log`, `tar -I x`, `ssh -o ProxyCommand=x`. */
import type { Assignment, Command, Word } from '../command.ts'
import { readOptions, valueNames } from '../options.ts'
import type { Around, Child, Unwrapped } from './child.ts'

/** Programs that some other program starts, named by a variable. */
const VARIABLES = new Set(
  (
    'EDITOR VISUAL PAGER MANPAGER BROWSER LESSOPEN LESSCLOSE GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_EXTERNAL_DIFF ' +
    'GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS GIT_PROXY_COMMAND SSH_ASKPASS SUDO_ASKPASS SUDO_EDITOR RSYNC_RSH CVS_RSH ' +
    'PROMPT_COMMAND FZF_DEFAULT_COMMAND RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER CARGO_BUILD_RUSTC_WRAPPER SYSTEMD_EDITOR ' +
    'SYSTEMD_PAGER KUBE_EDITOR PSQL_EDITOR PSQL_PAGER FCEDIT HGEDITOR SVN_EDITOR SVN_SSH BORG_RSH RESTIC_PASSWORD_COMMAND ' +
    'BORG_PASSCOMMAND'
  ).split(' '),
)
/** A shell reads these files before all else. */
const START_FILES = new Set(['BASH_ENV', 'ENV', 'ZDOTDIR'])
/** The shell expands these as it prints them. */
const PROMPTS = /^PS[0-4]$/

/** What setting variables makes some program start. */
export function commandsInVariables(assignments: readonly Assignment[]): Child[] {
  const children: Child[] = []
  for (const { name, value } of assignments) {
    if (VARIABLES.has(name)) {
      if (value.text !== '') children.push({ script: { ...value, text: value.text.replace(/^\|-?/, '') } })
    } else if (START_FILES.has(name)) {
      if (value.output) children.push({ script: value.output })
      else if (/\$\(|`/.test(value.text))
        children.push({ script: { text: `: "${value.text}"`, known: false } })
    } else if (PROMPTS.test(name)) {
      if (/\$\(|`/.test(value.text)) children.push({ script: { text: `: "${value.text}"`, known: false } })
    } else if (/^\(\)\s{0,9}\{/.test(value.text))
      children.push({ script: { text: `f${value.text}`, known: false } }) // a function, which old shells take over
    else if (name === 'TAR_OPTIONS')
      children.push({ script: { text: `tar ${value.text}`, known: value.known } })
  }
  return children
}

interface Row {
  /** Options whose value is a command. */
  readonly commands: string
  /** Other options with a value. */
  readonly values?: string
  /** What the command is in that value, as its first group. */
  readonly within?: RegExp
  readonly isRemote?: boolean
}

const SSH_SETTING =
  /^\s{0,9}(?:ProxyCommand|LocalCommand|KnownHostsCommand|PermitLocalCommand)\s{0,9}[=\s]\s{0,9}(.+)$/i
const SSH = 'b B c D E e F I i J L l m O p Q R W w'
const TAR = 'f file C directory X exclude-from T files-from exclude K g b H L N'
const VIM: readonly Row[] = [
  {
    commands: 'c cmd',
    values: 'u U s S i T w W',
    within: /^:{0,2}\s{0,9}(?:sil\w{0,4}!?\s{1,9})?(?:\d|[%.,$]){0,9}\s{0,9}!\s{0,9}(.+)$/,
  },
]
const MYSQL: readonly Row[] = [
  {
    commands: 'e execute',
    values: 'h u D P host user database port',
    within: /(?:\\!|\bsystem\b)\s{1,9}([^;\n]+)/,
  },
]
const APT: readonly Row[] = [
  { commands: 'o option', values: 'c t', within: /Invoke(?:-Success)?(?:::)?=(.+)$/i },
]

const ANSIBLE = 'a args m module-name i inventory l limit u user e extra-vars f forks become-user'

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  tar: [
    {
      commands: 'I use-compress-program F info-script new-volume-script to-command rsh-command rmt-command',
      values: TAR,
    },
    { commands: 'checkpoint-action', values: TAR, within: /^exec=(.+)$/ },
  ],
  rsync: [
    { commands: 'e rsh', values: 'f exclude include' },
    { commands: 'rsync-path', isRemote: true },
  ],
  ssh: [{ commands: 'o', values: `${SSH} S`, within: SSH_SETTING }],
  scp: [
    { commands: 'o', values: `${SSH} S P`, within: SSH_SETTING },
    { commands: 'S', values: `${SSH} o P` },
  ],
  sftp: [
    { commands: 'o', values: `${SSH} S P`, within: SSH_SETTING },
    { commands: 'S D', values: `${SSH} o P` },
  ],
  mosh: [{ commands: 'ssh client server', values: 'p port' }],
  man: [{ commands: 'P pager H html', values: 'C M S L m' }],
  sort: [{ commands: 'compress-program', values: 'k t o T S' }],
  split: [{ commands: 'filter', values: 'b l n a C' }],
  rg: [{ commands: 'pre hostname-bin', values: 'e g t A B C m j' }],
  fzf: [
    { commands: 'preview', values: 'q query bind header' },
    {
      commands: 'bind',
      values: 'q query preview header',
      within:
        /(?:execute(?:-silent|-multi)?|become|reload(?:-sync)?|transform(?:-\w+)?|preview)[(:[{<~]([^)\]}>~]+)/,
    },
  ],
  npm: [{ commands: 'script-shell', values: 'prefix w workspace loglevel' }],
  pnpm: [{ commands: 'script-shell', values: 'C dir filter' }],
  zip: [{ commands: 'TT unzip-command', values: 'x i P' }],
  go: [{ commands: 'exec toolexec vettool', values: 'o p run tags ldflags gcflags count timeout' }],
  make: [{ commands: 'eval', values: 'C f I j o W' }],
  nodemon: [{ commands: 'x exec', values: 'w watch e ext i ignore' }],
  vim: VIM,
  vi: VIM,
  nvim: VIM,
  ex: VIM,
  view: VIM,
  gdb: [{ commands: 'ex eval-command iex', values: 'x p c', within: /^\s{0,9}(?:shell\b|!)\s{0,9}(.+)$/ }],
  lldb: [
    {
      commands: 'o one-line O',
      values: 's p n',
      within: /^\s{0,9}(?:platform\s{1,9}shell|shell)\s{1,9}(.+)$/,
    },
  ],
  mysql: MYSQL,
  mariadb: MYSQL,
  psql: [{ commands: 'c command', values: 'h U d p f host username dbname port', within: /\\!\s{0,9}(.+)/ }],
  sqlite3: [{ commands: 'cmd', within: /^\.(?:shell|system)\s{1,9}(.+)/ }],
  tcpdump: [{ commands: 'z', values: 'i w r G C W c s' }],
  wget: [{ commands: 'use-askpass', values: 'O P o' }],
  apt: APT,
  'apt-get': APT,
  // Arguments of a module are no command: `path=/x state=absent` sets variables here, and starts nothing.
  ansible: [
    { commands: 'a args', values: ANSIBLE, isRemote: true },
    {
      commands: 'm module-name',
      values: ANSIBLE,
      within: /^(?:ansible\.builtin\.)?(reboot|shutdown)$/,
      isRemote: true,
    },
  ],
  aws: [
    { commands: 'parameters', within: /commands["']?\s*[=:][\s["']*([^\]]+?)["'\s\]}]*$/, isRemote: true },
  ],
  az: [{ commands: 'scripts', isRemote: true }],
  dc: [{ commands: 'e expression', within: /!(.+)/ }],
}

/** What the values of a program's options start. */
export function commandsInOptions(program: string, words: readonly Word[]): Child[] {
  if (!Object.hasOwn(ROWS, program)) return []
  return (ROWS[program] ?? []).flatMap((row) => {
    const values = valueNames(`${row.commands} ${row.values ?? ''}`)
    return readOptions(words, values).all.flatMap(([name, value]) => {
      const isCommand = value && row.commands.split(' ').includes(name)
      const text = isCommand ? (row.within ? row.within.exec(value.text)?.[1] : value.text) : undefined
      if (!text || !value) return []
      if (!row.isRemote) return [{ script: { text, known: value.known } }]
      // `commands=["cd /srv","ls"]`
      return [
        { script: { text: text.replace(/["']\s*,\s*["']/g, '\n'), known: value.known }, isRemote: true },
      ]
    })
  })
}

/** Before the name of a script of package.json among the variables. */
const SCRIPT = 'package script '
const INSTALLED = ['preinstall', 'install', 'postinstall', 'prepare']

/** `npm pkg set scripts.x=command && npm run x`. */
export function packageScripts({ program, argv }: Command, around: Around): Child[] {
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(program)) return []
  const [first = '', second = '', ...rest] = argv
    .slice(1)
    .flatMap(({ text }) => (text.startsWith('-') ? [] : text))
  if (first === 'pkg' && second === 'set')
    for (const { text, known } of argv) {
      const [, name, value] = /^scripts(?:\.|\[["']?)([\w:.-]{1,80})(?:["']?\])?=([\s\S]+)$/.exec(text) ?? []
      if (name && value) around.set(SCRIPT + name, { text: value, known })
    }
  if (first === 'set-script' && rest[0]) around.set(SCRIPT + second, { text: rest[0], known: true })
  const isRun = /^(?:run|run-script|rum|urn)$/.test(first)
  const isInstall = /^(?:install|i|ci|add)$/.test(first) || (program === 'yarn' && first === '')
  const name = isRun ? second : first
  const names = isInstall ? INSTALLED : [`pre${name}`, name, `post${name}`]
  return names.flatMap((one): Child[] => {
    const script = around.get(SCRIPT + one)
    return script && 'text' in script ? [{ script }] : []
  })
}

/** `export GIT_PAGER=x`, `declare -x PAGER=x`. */
export function exported(words: readonly Word[]): Unwrapped {
  const assignments = words.flatMap(({ text, known, output }) => {
    const [, name, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(text) ?? []
    return name === undefined || value === undefined
      ? []
      : [{ name, value: { text: value, known, ...(output && { output }) } }]
  })
  return { children: commandsInVariables(assignments) }
}
