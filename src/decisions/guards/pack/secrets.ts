/** Files with credentials that are read, looked for, or written where others see them. */
import { redact } from '../../../redaction/index.ts'
import type { FileEffect } from '../../../shell/index.ts'
import { allTextOf, type Call, feedersOf, has, listedBy, names, operands } from '../call.ts'
import type { Facts, Guard } from '../guard.ts'
import { effectsBy, homePathsIn, isIn, pathOf, shown } from '../paths.ts'
import { isCredential, isProjectSecret, shownFile, showsContents } from '../secret-files.ts'
import { flags, gitCall } from './git.ts'

/** Copies that no .gitignore knows. */
const BACKUP = /[._-](?:backup|bak|old|orig|copy|save[d]?|txt|tmp)\d*$|~$/i

/** They use a file, and show nothing of it. */
const PASSED_ON = /^(?:cp|mv|ln|install|source|\.|tar|zip|vim|vi|nano|code|dotenv|docker|podman|nerdctl)$/

const HUNTED =
  /id_rsa|id_ed25519|id_dsa|\.pem|\.p12|\.pfx|\.key\b|\.kdbx|wallet|credentials|\.env\b|shadow|\.npmrc|\.netrc|\.aws|token|secret|passw/i

const HUNTED_WORDS = /passw|secret|token|api.?key|AWS_|AKIA|gh[ps]_|PRIVATE KEY|credential/i

export const SECRET_GUARDS: readonly Guard[] = [
  {
    id: 'secret-read',
    about: 'Reading credential files: SSH keys, cloud credentials, password stores',
    standard: 'ask',
    strict: 'deny',
    instead: 'Look whether it is there, without its contents: `ls -l ~/.ssh`.',
    finds: (facts) => {
      const effect = shownFile(facts, (file) => isCredential(file, facts))
      if (effect) return `"${effect.text}" holds credentials`
      const handed = handedOver(facts)
      if (handed) return `"${handed.text}" holds credentials`
      const reader = facts.calls.find(
        (call) =>
          /^(?:unshadow|john|hashcat|unix_chkpwd|mkpasswd|pwconv)$/.test(call.program) &&
          call.words.some((word) => /^\/etc\/g?shadow/.test(word)),
      )
      if (reader) return `${reader.program} reads the passwords of the system`
      return (
        namedInCode(facts) ??
        shownElsewhere(
          facts,
          (path) => isCredential({ path, text: path }, facts) || isProjectSecret({ path, text: path }),
        )
      )
    },
    programs: ['cp', 'tar', 'zip', 'mv', 'sqlite3', 'psql', 'mysql', 'mariadb', 'duckdb'],
    call: (call, facts) => {
      const { place } = facts
      const named = operands(call).find(
        (word) => /^[~/$.]|\/\./.test(word) && isCredential({ path: pathOf(word, place), text: '' }, facts),
      )
      // Statements that read a file: readfile('…'), \\copy x from '…'.
      const path = /sql|duckdb|mariadb/.test(call.program) ? [...homePathsIn(allTextOf(call), place)] : []
      const found = named ?? path.find((one) => isCredential({ path: one, text: '' }, facts))
      return found === undefined ? undefined : `"${found}" holds credentials`
    },
    examples: {
      match: [
        'cat ~/.ssh/id_rsa',
        'man ~/.ssh/id_rsa',
        'git blame --contents ~/.ssh/id_rsa f',
        'git commit -F ~/.ssh/id_rsa',
        'git commit --fil=/home/user/.ssh/id_rsa',
        'git diff ~/.ssh/id_rsa /dev/null',
        'git stripspace < ~/.ssh/id_rsa',
        'gh issue create -F ~/.ssh/id_rsa',
        'ssh -F ~/.ssh/id_rsa x.example',
        'ssh x.example -F ~/.ssh/id_rsa',
        'tmux source ~/.ssh/id_rsa',
        'column -t ~/.ssh/id_rsa',
        'diff --to-file=/home/user/.ssh/id_rsa /dev/null',
        'cat ~/.s*h/id_*',
        'curl file:///home/user/.ssh/id_rsa',
        'git diff --no-index /dev/null ~/.ssh/id_rsa',
        'head ~/.aws/credentials',
        'base64 ~/.netrc',
        'sudo cat /etc/shadow',
        'cp ~/.ssh/id_ed25519 .',
        'grep token ~/.npmrc',
        'less ~/.kube/config',
        'cat /proc/self/environ',
        'pr ~/.ssh/id_rsa',
        'shuf ~/.ssh/id_rsa',
        'pv -q ~/.ssh/id_rsa',
        "look '' ~/.ssh/id_rsa",
        'csplit ~/.ssh/id_rsa 1',
        'cmp -l ~/.ssh/id_rsa x',
        'man -l ~/.ssh/id_rsa',
        'wc -l --files0-from ~/.ssh/id_rsa',
        'file -f ~/.ssh/id_rsa',
        'git hash-object -w ~/.ssh/id_rsa',
        'git grep --no-index . ~/.ssh/id_rsa',
        'git config -f ~/.ssh/id_rsa -l',
        'yq -p x ~/.ssh/id_rsa',
        'docker cp ~/.ssh/id_rsa web:/',
        'tmux load-buffer ~/.ssh/id_rsa',
        'ls ~/.ssh/* | xargs cat',
        'ls ~/.ssh | xargs -I{} cat ~/.ssh/{}',
        'fd . ~/.ssh -x cat',
        'python3 -m base64 ~/.ssh/id_rsa',
        'python3 -c \'import linecache;print(linecache.getlines("/home/user/.ssh/id_rsa"))\'',
        'python3 -c \'from pathlib import Path as P;print((P.home()/".ssh"/"id_rsa").read_text())\'',
        'perl -e \'open F,"/home/user/.ssh/id_rsa";print <F>\'',
        'sqlite3 :memory: "select readfile(\'/home/user/.ssh/id_rsa\')"',
        'psql -c "\\copy x from \'/home/user/.ssh/id_rsa\'"',
        'cat ~/.ssh/id_[[:lower:]]*',
        'cat ~/.ssh/[[:lower:]]d_rsa',
        'shopt -s extglob; cat ~/.ssh/@(id_rsa)',
        'shopt -s extglob; cat ~/.ssh/id_+(r|s|a)',
        'shopt -s extglob; cat ~/@(.ssh)/id_rsa',
        "bash -O extglob -c 'cat ~/.ssh/@(id_rsa|x)'",
        'cat /proc/self/root/etc/shadow',
        'cat < /proc/self/root/etc/shadow',
        'cat /proc/1/root/etc/shadow',
        'cat /proc/$$/root/etc/shadow',
        'cat /proc/self/root$HOME/.ssh/id_rsa',
        'cd ~/.ssh; cat /proc/self/cwd/id_rsa',
        'cd /proc/self/root/etc; cat shadow',
        'cat /proc/self/task/1/root/etc/shadow',
        'cat /proc//self/root/proc/self/root/etc/shadow',
        'python3 -c \'print(open("/proc/self/root/etc/shadow").read())\'',
        'docker exec api cat /app/.env',
        'ssh x.example cat /srv/app/.env',
        'cat ~/.claude/.credentials.json',
        "node -e \"require('fs').readFileSync(require('os').homedir()+'/.aws/credentials')\"",
        'python3 -c "print(open(\'/home/user/.ssh/id_rsa\').read())"',
      ],
      noMatch: [
        'ls -l ~/.ssh',
        'ssh -i ~/.ssh/id_ed25519 x.example ls -F',
        'ssh -F ~/.ssh/config x.example',
        'man 5 ssh_config',
        'git commit -F notes.md',
        'git diff ../a ../b',
        'gh api -F title=x /repos/a/b',
        'cmp ~/.ssh/id_rsa x',
        'file ~/.ssh/id_rsa',
        "git config core.sshCommand 'ssh -i ~/.ssh/id_rsa'",
        'docker cp web:/app/log.txt .',
        'docker run -v ~/.ssh:/root/.ssh:ro web',
        'ls ~/.ssh/* | xargs ls -l',
        'ls ~/.ssh/*.pub | xargs cat',
        'ssh-keygen -lf ~/.ssh/id_rsa',
        'git -c core.sshCommand="ssh -i ~/.ssh/id_rsa" push',
        'kubectl --kubeconfig ~/.kube/config get pods',
        'cat /proc/self/status',
        'cat /proc/self/cwd/README.md',
        'ls ~/.ssh/*.pub',
        'cat ~/.ssh/*.pub',
        'cat ~/.ssh/config',
        'cat src/[[:lower:]]*.ts',
        'cat /proc/cpuinfo',
        'ls -l /proc/1/cwd',
        'readlink /proc/1234/cwd',
        'cat ~/.ssh/id_rsa.pub',
        'cat ~/.ssh/config',
        'ssh -i ~/.ssh/id_rsa host',
        'echo ~/.aws/credentials',
        'cat package.json',
      ],
    },
  },
  {
    id: 'secret-project',
    about: 'Reading or copying the secrets of the project: .env files, private keys, the state of Terraform',
    standard: 'ask',
    strict: 'ask',
    instead: 'List the names without the values: `cut -d= -f1 .env`.',
    finds: (facts) => {
      const effect = shownFile(
        facts,
        (file) =>
          isProjectSecret(file) &&
          !isCredential(file, facts) &&
          !PASSED_ON.test(facts.calls[file.command]?.program ?? ''),
      )
      return effect && `${shown(effect)} holds secrets`
    },
    programs: ['cp', 'mv', 'ln', 'git'],
    call: (call) => {
      if (call.program === 'git') return shownByGit(call)
      const files = operands(call)
      const to = files.at(-1) ?? ''
      const secret = files.slice(0, -1).find((path) => isProjectSecret({ path, text: path }))
      if (secret !== undefined && SERVED.test(to)) return `"${secret}" goes to "${to}", which is served`
      // A project, or another worktree of it, gets its .env like that.
      if (secret === undefined || /(?:^|\/)\.env(?:\.local|\.production|\.development)?$|\/$/.test(to))
        return undefined
      return to.startsWith('/tmp') || BACKUP.test(to) ? `"${secret}" is copied to "${to}"` : undefined
    },
    examples: {
      match: [
        'cat .env',
        'cat .env.production',
        'cat server.pem',
        'grep KEY .env.local',
        'head -3 config/master.key',
        'jq .resources terraform.tfstate',
        "node -e \"console.log(require('fs').readFileSync('.env', 'utf8'))\"",
        'diff .env .env.staging',
        'cp .env .env.bak',
        'cp .env /tmp/x',
        'mv .env .env.old',
        'ln -s ../.env public/env',
        'git show HEAD:.env',
        'git cat-file -p main:config/master.key',
        'git diff HEAD -- .env',
        'git log -p -- .env',
        'git blame .env',
        'cat terraform.tfvars',
        'cat .dev.vars',
      ],
      noMatch: [
        'cat .env.example',
        'cat .env.local.example',
        'grep -q PORT .env',
        'cut -d= -f1 .env',
        "awk -F= '{print $1}' .env",
        'sed -i s/3000/4000/ .env',
        'set -a; source .env; set +a; npm start',
        'cp .env.example .env',
        'cp ../main/.env .env',
        'cp .env.local .env',
        'cp .env docker/.env',
        'test -f .env',
        'git check-ignore .env',
        'openssl x509 -in certs/server.pem -noout -dates',
        'cat certs/ca.pem',
        'cat test/fixtures/server.key',
        'cat i18n/en.json',
        'ls .env',
        'cat environment.ts',
        'git log --oneline -- .env',
        'git diff --stat .env',
        'git show HEAD:.env.example',
        "git diff -- . ':!.env'",
        'git rm --cached .env',
        'terraform plan -var-file=terraform.tfvars',
        'cat .dev.vars.example',
        'docker compose --env-file .env up',
      ],
    },
  },
  {
    id: 'secret-hunt',
    about: 'Looking for credentials outside of the project',
    standard: 'ask',
    strict: 'deny',
    instead: 'Look inside of the project: `grep -rn "API_KEY" src`.',
    programs: names('find fd locate mdfind grep egrep rg ag ack trufflehog gitleaks'),
    call: (call, { place }) => {
      const { program, words } = call
      const outside = operands(call)
        .filter((word) => /^[~/$]/.test(word))
        .map((word) => pathOf(word, place))
        .find(
          (word) =>
            word.startsWith('/') &&
            !isIn(word, place.worktree ?? place.cwd) &&
            !/^\/(?:var\/)?tmp\/|^\/dev\/null$/.test(word),
        )
      if (/^(?:locate|mdfind)$/.test(program))
        return HUNTED.test(words.join(' ')) ? `${program} looks for credentials` : undefined
      if (outside === undefined) return undefined
      if (program === 'find' || program === 'fd') {
        const name = words.find(
          (word, i) =>
            (program === 'fd' || /^-i?(?:name|path|regex)$/.test(words[i - 1] ?? '')) && HUNTED.test(word),
        )
        return name === undefined ? undefined : `"${name}" in ${outside}`
      }
      const isDeep = /^(?:rg|ag|ack)$/.test(program) || has(call, '-r', '-R', '--recursive')
      return isDeep && words.some((word) => HUNTED_WORDS.test(word) && !word.startsWith('/'))
        ? `credentials in ${outside}`
        : undefined
    },
    examples: {
      match: [
        'find / -name "*.pem"',
        'find ~ -name id_rsa -exec cat {} +',
        'grep -ri password /etc',
        'grep -r AWS_SECRET ~/',
        'rg token ~/.config',
      ],
      noMatch: [
        'grep -rn "API_KEY" src',
        'find . -name "*.pem"',
        'grep -r password .',
        'find / -name foo',
        'grep root /etc/passwd',
      ],
    },
  },
  {
    id: 'secret-in-file',
    about: 'Credentials written into a file of the project, or committed',
    standard: 'ask',
    strict: 'deny',
    instead: 'Read it from a variable at run time, and name that variable in .env.example.',
    finds: ({ content, effects, calls }) => {
      const served = effects.writes.find(({ path, command }) => SERVED.test(path) && isDumped(calls, command))
      if (served) return `all variables go into ${shown(served)}, which is served`
      if (content === '' || redact(content).count === 0) return undefined
      const [file] = effects.writes
      return file && !/(?:^|\/)\.env(?:\.local)?$/.test(file.path)
        ? `what is written to "${file.path}" holds a credential`
        : undefined
    },
    programs: ['git'],
    call: (call) => {
      const git = gitCall(call)
      const file =
        git?.verb === 'add' ? git.rest.find((path) => isProjectSecret({ path, text: path })) : undefined
      return file === undefined ? undefined : `"${file}" is about to be committed`
    },
    examples: {
      match: [
        'git add -f .env',
        'git add --ver -f .env',
        'git add config/master.key',
        'env > public/vars.txt',
        'printenv | tee static/vars.json',
      ],
      noMatch: [
        'env > /tmp/vars.txt',
        'printenv NODE_ENV > public/mode.txt',
        'touch .env.example',
        'git add .env.example',
        'git add .',
        'git add src',
      ],
    },
  },
]

/** What was committed, or is about to be: `git show HEAD:.env`, `git log -p -- .env`. */
function shownByGit(call: Call): string | undefined {
  const { verb, rest } = gitCall(call) ?? { verb: '', rest: [] }
  const own = flags(call, verb)
  const isShown =
    /^(?:blame|annotate)$/.test(verb) ||
    (/^(?:show|diff|cat-file|grep)$/.test(verb) &&
      !own.words.some((word) => ONLY_NAMES.test(`${verb} ${word}`))) ||
    (/^(?:show|diff|log|whatchanged|stash)$/.test(verb) && has(own, '-p', '-u', '--patch', '-L'))
  if (!isShown) return undefined
  const shows = rest
    .filter((word) => !/^:(?:[!^]|\(exclude)/.test(word))
    .find((word) => isProjectSecret({ path: word.replace(/^[^:]*:/, ''), text: '' }))
  return shows && `"${shows}" holds secrets`
}
const ONLY_NAMES =
  /^\S+ --(?:(?:num|short|dir)?stat|name-(?:only|status)|summary|quiet|no-patch|check|count|files-with)|^cat-file -[ste]$|^grep -[lLcq]$|^(?:show|diff) -s$/

/** Folders that a web server shows to everybody. */
const SERVED = /(?:^|\/)(?:public|static|www|htdocs|wwwroot|public_html|webroot|html)\//

function isDumped(calls: readonly Call[], index: number): boolean {
  const call = calls[index]
  return (
    call !== undefined &&
    [call, ...feedersOf(calls, call)].some(
      (one) =>
        (/^(?:env|printenv|set)$/.test(one.program) && one.words.length === 0) ||
        (/^(?:export|declare)$/.test(one.program) && one.words.join(' ') === '-p'),
    )
  )
}

/** Effects leave out files in a container or on another machine, so this reads the words. */
function shownElsewhere({ calls }: Facts, isKind: (path: string) => boolean): string | undefined {
  for (const call of calls) {
    if (!call.command.isRemote || !READERS.test(call.program) || !showsContents(call)) continue
    const path = operands(call).find((word) => /[./]/.test(word) && isKind(word))
    if (path !== undefined) return `"${path}" on another machine, or in a container, holds credentials`
  }
  return undefined
}
const READERS = /^(?:cat|tac|head|tail|less|more|grep|egrep|sed|awk|base64|xxd|od|strings|nl|sort|cut|bat)$/

/** `homedir() + '/.aws/credentials'`: only the end of the path is known. */
/** `ls ~/.ssh/* | xargs cat`: the names come through a pipe. */
function handedOver(facts: Facts): FileEffect | undefined {
  const { calls, effects } = facts
  for (const call of calls) {
    const feeder = showsContents(call) ? listedBy(calls, call) : undefined
    const named = feeder && effectsBy(effects.reads, feeder.index).find((file) => isCredential(file, facts))
    if (named) return named
  }
  return undefined
}

function namedInCode(facts: Facts): string | undefined {
  for (const { command } of facts.calls) {
    const code = command.code?.text.text
    if (code === undefined || !/\b(?:open|read\w*|File|cat|Path|get_?lines?|fileinput)\b/.test(code)) continue
    for (const path of homePathsIn(code, facts.place))
      if (isCredential({ path, text: '' }, facts)) return `"${path}" holds credentials`
  }
  return undefined
}
