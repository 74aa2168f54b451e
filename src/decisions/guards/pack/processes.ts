/** Processes that are ended, or started until the machine stops; the power. */
import { asksVersion, type Call, feedersOf, has, isHelp, names, operands, options } from '../call.ts'
import type { Facts, Guard } from '../guard.ts'
import { codeOf, SHELLS } from './execution.ts'

export const PROCESS_GUARDS: readonly Guard[] = [
  {
    id: 'fork-bomb',
    about: 'Processes that start themselves until the machine stops',
    standard: 'deny',
    strict: 'deny',
    instead: 'Start a fixed number: `seq 4 | xargs -P 4 -n 1 echo`.',
    finds: (facts) => {
      const { calls } = facts
      const source = bareScripts(facts, BOMB_HINT)
      if (/\(\)\s?\{|\bfunction\b/.test(source) && BOMBS.some((bomb) => bomb.test(source)))
        return 'a function that starts itself twice'
      if (/\bwhile\b/.test(source) && SHELL_LOOP.test(source)) return 'a loop that starts shells for ever'
      const code = calls.find((call) => forksForEver(codeOf(call) || call.words.join(' ')))
      if (code) return `${code.program} forks for ever`
      return /\$0 {0,4}\| {0,4}\$0 {0,4}&|\$0 {0,4}& {0,4}\$0/.test(source)
        ? 'a script that starts itself twice'
        : undefined
    },
    examples: {
      match: [
        ':(){ :|:& };:',
        'bomb() { bomb | bomb & }; bomb',
        'perl -e "fork while fork"',
        'python3 -c "import os\nwhile True: os.fork()"',
        'while true; do bash & done',
        "echo '$0 & $0' > a.sh; sh a.sh",
        'python3 -c "import os, itertools; [os.fork() for _ in itertools.count()]"',
        'ruby -e "loop { fork }"',
        'node -e "while (true) require(\'child_process\').fork(__filename)"',
        'php -r "while (true) pcntl_fork();"',
      ],
      noMatch: [
        'f() { echo hi; }; f',
        'python3 -c "import os; [os.fork() for _ in range(2)]"',
        "node -e \"require('child_process').fork('./worker.js')\"",
        'python3 -c "import os, socket; s = socket.socket()\nwhile True:\n  c = s.accept()\n  os.fork()"',
        'seq 4 | xargs -P 4 -n 1 echo',
        'while true; do sleep 1; done',
        'echo ":(){ :|:& };:" > /dev/null',
      ].filter((one) => !one.startsWith('echo ":(')),
    },
  },
  {
    id: 'endless-start',
    about: 'Loops that start processes in the background without end, and wait for none',
    standard: 'ask',
    strict: 'ask',
    instead: 'Start a fixed number, or wait in the loop: `while true; do ./poll.sh; sleep 5; done`.',
    finds: (facts) => {
      if (!facts.source.includes('done')) return undefined
      for (const [, body = ''] of bareScripts(facts).matchAll(ENDLESS_LOOP))
        if (STARTS.test(body) && !WAITS_IN_LOOP.test(body)) return 'a loop that starts processes for ever'
      return undefined
    },
    examples: {
      match: [
        "while true; do bash -c 'sleep 999' & done",
        'while :; do ./worker.sh & done',
        'for ((;;)); do node job.js & done',
        'until false; do sleep 60 & done',
      ],
      noMatch: [
        'while true; do ./poll.sh; sleep 5; done',
        'while true; do ./a.sh & ./b.sh & wait; done',
        'while true; do ./a.sh & sleep 1; done',
        'while true; do make test && break; done',
        'while true; do ./a.sh > a.log 2>&1; done',
        'for f in *.png; do convert "$f" "$f.jpg" & done; wait',
        'while read -r line; do ./a.sh "$line" & done < list.txt',
      ],
    },
  },
  {
    id: 'kill-all',
    about: 'Ending every process, the first one, or those of a whole user',
    standard: 'deny',
    strict: 'deny',
    instead: 'End the one process by its id: `kill 12345`.',
    programs: ['kill', 'pkill', 'killall', 'killall5', 'skill', 'xkill', 'systemctl', 'loginctl', 'taskkill'],
    call: (call) => {
      const { program, words } = call
      if (isHelp(call) || has(call, '--list')) return undefined
      if (program === 'killall5') return 'killall5 ends everything'
      if (program === 'kill') {
        const targets = killTargets(words)
        if (targets.includes('-1')) return 'process -1 is every process'
        return targets.includes('1') ? 'process 1 is the system' : undefined
      }
      if (program === 'pkill' || program === 'killall') {
        if (has(call, '-0')) return undefined
        const [pattern] = operands(
          call,
          options('-s --signal -u -U --euid --uid --user -g -G -P -t --terminal -n -o -O -y'),
        )
        if (pattern !== undefined && /^(?:\.|\.\*|\.\+|\*|\^|''|\[a-z\].*)$/.test(pattern))
          return `"${pattern}" is every process`
        if (pattern === undefined && call.words.some((word) => /^-[uU]|^--e?uid|^--user/.test(word)))
          return 'every process of a user'
        return pattern !== undefined &&
          /^(?:systemd|init|launchd|sshd|Xorg|gnome-shell|WindowServer|loginwindow|dbus-daemon)$/.test(
            pattern,
          )
          ? `${pattern} keeps the machine going`
          : undefined
      }
      if (program === 'loginctl')
        return /^(?:kill-user|terminate-user|kill-session|terminate-session)$/.test(words[0] ?? '')
          ? `loginctl ${words[0]}`
          : undefined
      return undefined
    },
    examples: {
      match: [
        'kill -9 -1',
        'kill -9 -1 --help',
        'kill -KILL -1',
        'kill -9 1',
        'pkill -9 .',
        'pkill -u user',
        'killall5 -9',
        'sudo killall -u me',
        'killall systemd',
        'kill -s KILL -- -1',
      ],
      noMatch: [
        'kill 12345',
        'kill -9 12345',
        'pkill -f vite',
        'killall node',
        'kill -l',
        'kill -1 12345',
        'kill -0 12345',
        'pkill -u me node',
        'kill %1',
        'kill -TERM -12345',
      ],
    },
  },
  {
    id: 'kill-by-name',
    about: 'Ending processes by name, which may be those of others',
    standard: 'watch',
    strict: 'ask',
    instead: 'End the one process by its id: `kill 12345`.',
    programs: ['pkill', 'killall', 'taskkill'],
    call: (call) =>
      isHelp(call) || has(call, '-0', '--list', '-l') || call.words.length === 0
        ? undefined
        : `${call.program} ends all that fit`,
    examples: {
      match: ['pkill -f node', 'killall python3'],
      noMatch: ['pgrep node', 'kill 12345', 'killall -l'],
    },
  },
  {
    id: 'kill-hard',
    about: 'Ending processes by force that nobody has looked at',
    standard: 'ask',
    strict: 'ask',
    instead: 'Look at them first with `pgrep -fl node`, then end one by its id: `kill 12345`.',
    programs: ['kill', 'pkill', 'killall', 'fuser', 'xargs', 'taskkill'],
    call: (call, { calls }) => {
      const { program, words } = call
      if (isHelp(call)) return undefined
      if (program === 'fuser') return has(call, '-k') ? 'fuser -k' : undefined
      if (program === 'taskkill') return words.some((word) => /^\/f$/i.test(word)) ? 'taskkill /F' : undefined
      const isHard = words.some(
        (word, i) =>
          /^-(?:9|KILL|SIGKILL)$/.test(word) ||
          (/^(?:KILL|SIGKILL|9)$/.test(word) && /^(?:-s|--signal|-n)$/.test(words[i - 1] ?? '')),
      )
      if (program === 'xargs')
        return words.some((word) => /^(?:kill|pkill)$/.test(word)) &&
          isHard &&
          ![...feedersOf(calls, call)].some(isOnePort)
          ? 'kill -9'
          : undefined
      if (program === 'kill')
        return isHard &&
          words.some((word) => /\$\(|`/.test(word)) &&
          !words.some((word) => /fuser|jobs -p|cat /.test(word)) &&
          !calls.some((other) => other.command.parent === call.index && isOnePort(other)) &&
          !words.some((word) => /\blsof\b[^|]*(?::[\w$]|\s[./]\S)/.test(word))
          ? 'kill -9 of what a search finds'
          : undefined
      return isHard ? `${program} -9` : undefined
    },
    examples: {
      match: [
        'killall -9 java',
        'pkill -KILL -f python',
        "kill -9 $(ps aux | grep x | awk '{print $2}')",
        'fuser -k 22/tcp',
        'pgrep x | xargs kill -9',
        'kill -9 $(lsof -t -i)',
        'lsof -t -i | xargs kill -9',
      ],
      noMatch: [
        'kill -9 12345',
        'killall node',
        'pkill -f vite',
        'pgrep -fl node',
        'kill $(lsof -t -i:3000)',
        'kill -9 $(lsof -t -i:3000)',
        'lsof -ti:3000 | xargs kill -9',
        'fuser 22/tcp',
      ],
    },
  },
  {
    id: 'power',
    about: 'Shutting the machine down, or restarting it',
    standard: 'deny',
    strict: 'deny',
    instead: 'Tell the owner that a restart is needed, and why.',
    programs: names(`
      shutdown reboot halt poweroff init telinit systemctl loginctl pm-suspend pm-hibernate kexec
      busctl dbus-send gdbus qdbus osascript Stop-Computer Restart-Computer
    `),
    call: (call) => {
      const { program, words } = call
      if (isHelp(call) || asksVersion(call)) return undefined
      if (program === 'shutdown') return has(call, '-c', '--show') ? undefined : 'shutdown'
      if (program === 'init' || program === 'telinit')
        return /^[016sS]$/.test(words.at(-1) ?? '') ? `${program} ${words.at(-1)}` : undefined
      if (program === 'systemctl' || program === 'loginctl') {
        const verb = operands(call).find((word) =>
          /^(?:poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|rescue|emergency|exit|soft-reboot|isolate)$/.test(
            word,
          ),
        )
        return verb === undefined || operands(call)[0] !== verb ? undefined : `${program} ${verb}`
      }
      if (/dbus|^busctl$/.test(program)) {
        const verb = words.find((word) =>
          /(?:^|\.)(?:PowerOff|Reboot|Halt|Suspend|Hibernate|HybridSleep|KExec|SoftReboot|ScheduleShutdown)(?:WithFlags)?$/.test(
            word,
          ),
        )
        return verb && `${program} ${verb}`
      }
      if (program === 'osascript')
        return /shut down|restart|log out/i.test(words.join(' ')) ? 'the machine is shut down' : undefined
      if (program === 'kexec') return has(call, '-e', '--exec', '-l') ? 'kexec' : undefined
      return program
    },
    examples: {
      match: [
        'shutdown -h now',
        'sudo reboot',
        'poweroff',
        'init 0',
        'systemctl reboot',
        'sudo systemctl poweroff -i',
        'halt -f',
        'ansible all -b -m reboot',
        'busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager PowerOff b true',
      ],
      noMatch: [
        'shutdown -c',
        'systemctl status nginx',
        'npm init 0x',
        'last reboot',
        'echo reboot',
        'man shutdown',
        'git init',
      ],
    },
  },
]

const ENDLESS =
  /\bwhile\s*\(?\s*(?:1|true|True|!0|fork)\b|\bwhile\s*\(\s*(?:pcntl_)?fork|\bfor\s*\(\s*;\s*;\s*\)|\bloop\s*(?:\{|do\b)|\biter\(\s*int\s*,\s*1\s*\)|\bitertools\.(?:count|repeat|cycle)\(|\bin\s+(?:count|repeat|cycle)\(/
const FORKS =
  /\b(?:pcntl_|os\.)?fork\s*(?:\(\s*\)|\{|while\b|;|$|\}|do\b)|\bfork\(__filename\)|\bspawn\(process\.(?:execPath|argv)/
/** A server that forks for each guest waits for one. */
const WAITS = /\b(?:accept|wait\w*|listen|sleep)\s*\(/

function forksForEver(code: string): boolean {
  return code.includes('fork') || code.includes('spawn(process')
    ? code.length < MAX_BOMB_CHARS && FORKS.test(code) && ENDLESS.test(code) && !WAITS.test(code)
    : false
}

/** `lsof -i :3000`, `lsof ./file`: one port, or one file. `lsof -i` is every connection. */
function isOnePort({ program, words }: Call): boolean {
  return program === 'fuser' || (program === 'lsof' && words.some((word) => /:[\w$]|^[./]/.test(word)))
}

const NAME = '(?<![\\w:.])([\\w:.]{1,40})'

const BOMBS = [
  new RegExp(`${NAME} {0,4}\\(\\)\\s{0,4}\\{[^}]{0,200}?\\1\\s{0,4}\\|\\s{0,4}\\1\\s{0,4}&`),
  new RegExp(`function ${NAME}[\\s()]{0,6}\\{[^}]{0,200}?\\1\\s{0,4}\\|\\s{0,4}\\1\\s{0,4}&`),
  new RegExp(`${NAME} {0,4}\\(\\)\\s{0,4}\\{\\s{0,4}\\1\\s{0,4}&\\s{0,4}\\1`),
]

const SHELL_LOOP =
  /\bwhile {1,4}(?::|true|\[ 1 \]|\(\( ?1 ?\)\)) {0,4};? {0,4}\n?do\b[^;]{0,80}(?:\$0|\bbash|\bsh) {0,4}& {0,4}(?:;|done)/

const ENDLESS_LOOP =
  /\b(?:while\s{1,4}(?::|true|1|\[{1,2} (?:1|true) \]{1,2}|\(\( ?1 ?\)\))|until\s{1,4}false|for\s{0,4}\(\(\s{0,4};\s{0,4};\s{0,4}\)\))\s{0,4};?\s{0,4}do\b([\s\S]{0,400}?)\bdone\b/g
/** An & that is neither `&&` nor a part of a redirect. */
const STARTS = /(?<![&<>|])&(?![&>\d])/
/** Something in the loop itself that takes its time or ends it, and is not sent to the background. */
const WAITS_IN_LOOP =
  /\b(?:sleep|usleep|wait|read|break|exit|return|inotifywait|fswatch|tail|nc|ncat|socat|timeout|fg)\b[^;&\n]*(?:;|\n|&&|\|\|)/

/** Without any of these there is nothing to be found, whether in quotes or not. */
const BOMB_HINT = /\(\)\s?\{|\b(?:function|while)\b|\$0/

/** The script and those inside of it that a shell runs, without what stands in quotes there; empty if there is no `hint`. */
function bareScripts({ source, calls }: Facts, hint?: RegExp): string {
  const texts = new Set([source]) // a file may be run many times
  for (const { program, words, command } of calls) {
    if (!SHELLS.test(program)) continue
    for (const [i, word] of words.entries())
      if (program === 'eval' || /^-[a-z]*c$/.test(words[i - 1] ?? '')) texts.add(word)
    if (command.stdin) texts.add(command.stdin.text)
    for (const { output } of command.argv) if (output) texts.add(output.text)
  }
  const all = [...texts].map((text) => text.slice(0, MAX_BOMB_CHARS))
  if (hint?.test(all.join('\n')) === false) return ''
  return all.map((text) => text.replace(QUOTED, (_, escaped?: string) => escaped ?? '""')).join('\n')
}

const MAX_BOMB_CHARS = 8_192 // a bomb is short
/** A quote behind a backslash opens nothing; were it tried, thousands of them would take long. */
const QUOTED = /(\\[\s\S])|'[^']*'|"(?:[^"\\]|\\.)*"/g

/** The processes behind the signal: `-9`, `-s KILL`, `-n 9`, `--`. */
function killTargets(words: readonly string[]): readonly string[] {
  const [first = ''] = words
  if (first === '-l' || first === '-L' || first === '-0') return []
  const signal = /^-(?:s|n|-signal)$/.test(first) ? 2 : first.startsWith('-') ? 1 : 0
  return words.slice(words[signal] === '--' ? signal + 1 : signal)
}
