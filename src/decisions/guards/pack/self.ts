/** gantry itself, the agents' hooks and permissions, and commands that nobody can read. */
import { allTextOf, type Call, has, isHelp, operands, options } from '../call.ts'
import type { Facts, Guard } from '../guard.ts'
import { isIn } from '../paths.ts'

/** Its commands that change what it guards, or answer for its owner. */
const COMMANDS =
  /^(?:down|uninstall|stop|approve|deny|guards (?:preset|set)|config (?:set|edit)|rules trust|bus (?:register|unregister)|handlers? (?:add|remove|set))(?: |$)/

const OWN_FOLDERS = /\/\.config\/gantry(?:\/|$)|\/\.local\/state\/gantry(?:\/|$)/

function touchesOwn({ effects, own }: Facts): string | undefined {
  const isOwn = (path: string) => own.gantry.some((folder) => isIn(path, folder)) || OWN_FOLDERS.test(path)
  const isAround = (path: string) => path !== '/' && own.gantry.some((folder) => isIn(folder, path))
  const hit =
    effects.writes.find(({ path }) => isOwn(path)) ??
    effects.deletes.find(({ path, recursive }) => isOwn(path) || (recursive && isAround(path)))
  return hit && `"${hit.text === '' ? hit.path : hit.text}" belongs to gantry`
}

function ownCommand(call: Call): string | undefined {
  if (isHelp(call)) return undefined
  const [first = '', second = '', third = ''] = operands(call, options('--home'))
  const name = `${first} ${second}`.trim()
  if (!COMMANDS.test(`${name} `)) return undefined
  if (first === 'approve' && second === '') return undefined
  return first === 'uninstall' && has(call, '--dry-run') ? undefined : `gantry ${name} ${third}`.trim()
}

const DANGER =
  /\brm\s+-\w*[rf]|\brm\s+--(?:rec|for)|\bmkfs|\bof=\/dev|\bpush\b[^|;]{0,100}(?:--force|\s-f\b|\s\+\w)|\breset\s+--hard|\bclean\s+-\w*f|\|\s{0,4}(?:sudo )?(?:ba|z|da|k)?sh\b|\/dev\/(?:sd|nvme|tcp|mem)|\bbase64\s+(?:-d|-D|--decode)|\b(?:shutdown|reboot|poweroff|halt)\b|\bdrop\s+(?:table|database|schema)|\btruncate\s+table|\bkill\s+-9\s+-1|\bchmod\s+-?\w*\s*(?:-R\s+)?0?777|(?:\.ssh\/id_|\.aws\/credentials|\/etc\/shadow|\/etc\/sudoers)|\bfork\s+while|\beval\b|\bshutil\.rmtree|\bRemove-Item\b[^|;]{0,100}-Recurse|\bFormat-Volume|\bdelete\s+(?:namespace|ns|all)\b|\bdestroy\b|\bpublish\b|\brmdir\s+\/s|\bdel\s+\/[sfq]|\bsudo\b|\brmtree\b|\bunlink\b|\bterminate-|\bxargs\s+rm\b|-delete\b|-exec\s+rm\b|\bInvoke-Expression\b|\biex\b/i

const LOOKED_AT_CHARS = 65_536

/** A program whose name only the run shows, with words that look like a dangerous one. */
function hiddenProgram({ calls }: Facts): string | undefined {
  for (const { command, words } of calls) {
    const [name] = command.argv
    if (name === undefined || command.program !== '' || name.known) continue
    if (
      /^(?:-\w*[rR]\w*f\w*|-\w*f\w*[rR]\w*)$/.test(words[0] ?? '') ||
      words.some((word) => /^(?:--force|--hard|--no-preserve-root|if=\/dev|of=\/dev)/.test(word)) ||
      words.some((word) => /^\/(?:\*|etc|usr|home|bin|boot|dev\/(?:sd|nvme)\w*)?$/.test(word))
    )
      return `"${name.text}" is only known when it runs`
  }
  return undefined
}

/** How programs that are no shells run commands, by the text that they get. */
const ESCAPES: Readonly<Record<string, RegExp>> = {
  vim: /!|system\(|:term/,
  vi: /!/,
  nvim: /!|system\(|:term/,
  ex: /!/,
  ed: /!/,
  sed: /(?:^|[;{}\n\d$ ])e\s+\S|\/[gpiIm\d]*e[gpiIm\d]*(?:$|;|\n)/,
  make: /^(?:-f -|--file=-|-f\s*\/dev\/stdin|.*--eval)/,
  emacs: /shell-command|call-process|start-process/,
  gdb: /\bshell\b|!|system\(/,
  psql: /\\!|\bprogram\b/i,
  mysql: /\\!|\bsystem\b/i,
  sqlite3: /\.(?:shell|system)\b/,
  less: /!/,
  expect: /\b(?:spawn|exec|system)\b/,
  tclsh: /\bexec\b/,
  ftp: /!/,
  crontab: /./,
  xdotool: /./,
  ydotool: /./,
  at: /./,
  batch: /./,
  rake: /-e/,
  nmap: /--script|!sh/,
  zip: /-TT|--unzip-command/,
}
/** Other languages start a shell by these. */
const RUNS_SHELL =
  /%x[({[|]|`[^`]{1,500}`|\b(?:system|exec|spawn|popen|execSync|subprocess|shell_exec|passthru)\b/
const ESCAPING = Object.keys(ESCAPES)

export const SELF_GUARDS: readonly Guard[] = [
  {
    id: 'gantry-files',
    about: "gantry's own files, settings and commands",
    standard: 'deny',
    strict: 'deny',
    instead: 'Look at it: `gantry guards`, `gantry doctor`. Ask the owner to change it.',
    finds: (facts) => touchesOwn(facts) ?? endsGantry(facts),
    programs: ['gantry'],
    call: ownCommand,
    examples: {
      match: [
        'gantry down',
        'gantry uninstall --yes',
        'gantry guards preset off',
        'gantry guards set git-force-push off',
        'gantry approve riko7',
        'gantry config set guards.preset off',
        'echo "" > ~/.config/gantry/gantry.toml',
        'rm -rf ~/.local/state/gantry',
        'pkill gantry',
        'systemctl --user stop gantry',
        'kill $(pgrep gantry)',
        'killall -9 gantry',
        'sed -i s/deny/off/ ~/.config/gantry/gantry.toml',
      ],
      noMatch: [
        'gantry guards',
        'gantry doctor',
        'gantry events --follow',
        'cat ~/.config/gantry/gantry.toml',
        'gantry config show',
        'gantry rules list',
        'gantry approve',
        'grep gantry README.md',
        'gantry uninstall --dry-run',
      ],
    },
  },
  {
    id: 'agent-settings',
    about: 'The settings files in which agents keep their hooks and permissions',
    standard: 'ask',
    strict: 'deny',
    instead: 'Show the owner what to change, and where.',
    finds: ({ effects, own }) => {
      const hit = [...effects.writes, ...effects.deletes].find(({ path }) =>
        own.hooks.some((pattern) => isHookFile(path, pattern)),
      )
      return hit && `"${hit.text === '' ? hit.path : hit.text}" holds the hooks of an agent`
    },
    examples: {
      match: [
        'echo "{}" > ~/.claude/settings.json',
        'rm .claude/settings.local.json',
        'sed -i s/gantry-hook/true/ ~/.claude/settings.json',
        'echo x > ~/.gemini/settings.json',
      ],
      noMatch: [
        'cat ~/.claude/settings.json',
        'ls .claude',
        'echo x > .claude/notes.md',
        'echo "{}" > settings.json',
      ],
    },
  },
  {
    id: 'agent-bypass',
    about: 'Agents that are started without permissions or without a sandbox',
    standard: 'ask',
    strict: 'deny',
    instead: 'Start it with its usual permissions, without that flag.',
    finds: ({ calls }) => {
      for (const call of calls) {
        const flag = call.words.find((word) =>
          /^--(?:dangerously-[\w-]+|yolo|allow-all-tools|allow-all-paths|full-auto-approve|no-sandbox-permissions|skip-permissions)(?:=|$)/.test(
            word,
          ),
        )
        if (flag !== undefined && !isHelp(call) && !/^(?:echo|printf|grep|rg|man)$/.test(call.program))
          return `${call.program} ${flag}`
      }
      return undefined
    },
    examples: {
      match: [
        'claude --dangerously-skip-permissions -p x',
        'codex --dangerously-bypass-approvals-and-sandbox x',
        'gemini --yolo',
      ],
      noMatch: ['claude -p "explain"', 'echo --yolo', 'grep -- --yolo README.md'],
    },
  },
  {
    id: 'unclear-danger',
    about: 'Commands that gantry cannot read, and that mention something dangerous',
    standard: 'ask',
    strict: 'ask',
    instead: 'Write it plainly, one step at a time, without programs in variables.',
    finds: (facts) => {
      const { effects, source } = facts
      const hidden = hiddenProgram(facts)
      if (hidden !== undefined || effects.understood) return hidden
      const danger = DANGER.exec(source.slice(0, LOOKED_AT_CHARS))
      return danger
        ? `${effects.why ?? 'it could not be read'}; it mentions "${danger[0].slice(0, 30)}"`
        : undefined
    },
    examples: {
      match: ['rm -rf / "unclosed', '$X -rf /etc', '$(cat name) -rf ~'],
      noMatch: ['ls', '$EDITOR file.txt', '"unclosed', '$(echo ls)'],
    },
  },
  {
    id: 'hidden-command',
    about: 'Dangerous commands inside of what an editor, a client or a build tool is told',
    standard: 'ask',
    strict: 'deny',
    instead: 'Run the command by itself, so that one can see it: `rm -r ./build`.',
    finds: ({ calls }) => {
      for (const { program, command } of calls) {
        const code = command.code?.text.text.slice(0, LOOKED_AT_CHARS) ?? ''
        const danger = RUNS_SHELL.test(code) ? DANGER.exec(code) : null
        if (danger) return `${program} is told "${danger[0].slice(0, 30)}"`
      }
      return undefined
    },
    programs: ESCAPING,
    call: (call) => {
      const text = allTextOf(call).slice(0, LOOKED_AT_CHARS)
      const danger = ESCAPES[call.program]?.test(text) ? DANGER.exec(text) : null
      return danger ? `${call.program} is told "${danger[0].slice(0, 30)}"` : undefined
    },
    examples: {
      match: [
        "vim -c ':!rm -rf /' -c q",
        "sed '1e rm -rf /' x",
        'make -f - <<EOF\nall:\n\trm -rf /\nEOF',
        "psql -c '\\! rm -rf /'",
      ],
      noMatch: [
        "sed 's/rm -rf x/true/' file",
        'vim notes.md',
        'make build',
        "psql -c 'select 1'",
        'sed -n 1p x',
      ],
    },
  },
  {
    id: 'unclear',
    about: 'Commands that gantry cannot read',
    standard: 'off',
    strict: 'ask',
    instead: 'Write it plainly, one step at a time.',
    finds: ({ effects, source }) =>
      effects.understood || source === '' ? undefined : (effects.why ?? 'it could not be read'),
    examples: { match: ['echo "unclosed', 'if true; then'], noMatch: ['echo "closed"', 'ls | wc -l'] },
  },
]

function endsGantry({ calls }: Facts): string | undefined {
  for (const call of calls) {
    const { program, words } = call
    if (
      /^(?:pkill|killall|kill|systemctl|launchctl|service)$/.test(program) &&
      words.some((word) => /\bgantry\b/.test(word)) &&
      !words.some((word) => /^(?:status|is-active|list|show)$/.test(word))
    )
      return `${program} ends gantry`
    if (
      /^(?:npm|pnpm|yarn|bun|brew|pip|apt|apt-get)$/.test(program) &&
      words.some((word) => /^(?:uninstall|remove|rm|un|purge)$/.test(word)) &&
      words.includes('gantry')
    )
      return `${program} removes gantry`
    if (
      /^(?:pgrep|pidof)$/.test(program) &&
      words.some((word) => /\bgantry\b/.test(word)) &&
      calls.some((other) => /^(?:kill|xargs)$/.test(other.program))
    )
      return 'kill ends gantry'
  }
  return undefined
}

/** `.x/settings*.json` in any folder; a pattern of its own folder is absolute. */
function isHookFile(path: string, pattern: string): boolean {
  const star = pattern.indexOf('*')
  if (star < 0)
    return (
      path.endsWith(pattern) && (pattern.startsWith('/') || path[path.length - pattern.length - 1] === '/')
    )
  const cut = path.lastIndexOf('/') + 1
  const folder = pattern.slice(0, pattern.lastIndexOf('/') + 1)
  if (!path.endsWith(pattern.slice(star + 1)) || !path.slice(0, cut).endsWith(folder)) return false
  return path.slice(cut).startsWith(pattern.slice(folder.length, star))
}
