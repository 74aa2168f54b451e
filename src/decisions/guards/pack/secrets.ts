/** Files with credentials that are read, looked for, or written where others see them. */
import { redact } from '../../../redaction/index.ts'
import { type Call, feedersOf, has, names, operands } from '../call.ts'
import type { Facts, Guard } from '../guard.ts'
import { homePathsIn, isIn, pathOf, shown } from '../paths.ts'
import { isCredential, isProjectSecret, shownFile, showsContents } from '../secret-files.ts'
import { gitCall } from './git.ts'

/** Copies that no .gitignore knows. */
const BACKUP = /[._-](?:backup|bak|old|orig|copy|save[d]?|txt|tmp)\d*$|~$/i

/** They use a file, and show nothing of it. */
const PASSED_ON = /^(?:cp|mv|ln|install|source|\.|tar|zip|vim|vi|nano|code|dotenv)$/

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
    programs: ['cp', 'tar', 'zip', 'mv', 'sqlite3'],
    call: (call, facts) => {
      const { place } = facts
      const named = operands(call).find(
        (word) => /^[~/$.]|\/\./.test(word) && isCredential({ path: pathOf(word, place), text: '' }, facts),
      )
      return named === undefined ? undefined : `"${named}" holds credentials`
    },
    examples: {
      match: [
        'cat ~/.ssh/id_rsa',
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
        'docker exec api cat /app/.env',
        'ssh x.example cat /srv/app/.env',
        'cat ~/.claude/.credentials.json',
        "node -e \"require('fs').readFileSync(require('os').homedir()+'/.aws/credentials')\"",
        'python3 -c "print(open(\'/home/user/.ssh/id_rsa\').read())"',
      ],
      noMatch: [
        'ls -l ~/.ssh',
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
    programs: ['cp', 'mv', 'ln'],
    call: (call) => {
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
function namedInCode(facts: Facts): string | undefined {
  for (const { command } of facts.calls) {
    const code = command.code?.text.text
    if (code === undefined || !/\b(?:open|read\w*|File|cat|Path)\b/.test(code)) continue
    for (const path of homePathsIn(code, facts.place))
      if (isCredential({ path, text: '' }, facts)) return `"${path}" holds credentials`
  }
  return undefined
}
