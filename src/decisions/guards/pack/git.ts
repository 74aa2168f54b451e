/** Work and history that git would lose. */
import { gitSettings } from '../../../shell/index.ts'
import { asksVersion, type Call, has, isDryRun, isHelp, lastValue, operands, spares } from '../call.ts'
import type { Guard } from '../guard.ts'
import { isNear } from '../hosts.ts'

interface GitCall {
  readonly verb: string
  /** Operands behind the verb. */
  readonly rest: readonly string[]
}

export function gitCall(call: Call): GitCall | undefined {
  const words = operands(call)
  const [verb = '', ...rest] = words
  if (isHelp(call) || asksVersion(call)) return undefined
  // An alias of this very call: git -c alias.x='push --force' x
  const alias = call.words.find((word) => word.startsWith(`alias.${verb}=`))
  return alias === undefined
    ? { verb, rest }
    : {
        verb: alias.slice(alias.indexOf('=') + 1).split(' ')[0] ?? '',
        rest: [...alias.split(' ').slice(1), ...rest],
      }
}

/** Flags behind the verb; those before it are git's own. */
export function flags(call: Call, verb: string): Call {
  const at = call.words.indexOf(verb)
  return { ...call, program: `git ${verb}`, words: [...aliasWords(call), ...call.words.slice(at + 1)] }
}

function aliasWords(call: Call): string[] {
  const alias = call.words.find((word) => /^alias\.\w+=/.test(word))
  return alias === undefined ? [] : alias.split(' ').slice(1)
}

export const GIT_GUARDS: readonly Guard[] = [
  {
    id: 'git-force-push',
    about: 'Force pushes, which overwrite what others have on the remote',
    standard: 'deny',
    strict: 'deny',
    instead:
      'Push a new branch with `git push -u origin HEAD:refs/heads/my-branch`, or add a commit that undoes the old one with `git revert --no-edit HEAD`.',
    programs: ['git', 'gh', 'hub', 'jj'],
    call: (call) => {
      const git = gitCall(call)
      if (!git) return undefined
      if (call.program === 'jj')
        return git.verb === 'git' && git.rest[0] === 'push' && has(call, '--deleted', '--allow-backwards')
          ? 'jj git push backwards'
          : undefined
      if (call.program === 'gh')
        return git.verb === 'repo' && git.rest[0] === 'sync' && has(call, '--force')
          ? 'gh repo sync --force'
          : undefined
      if (git.verb !== 'push' && git.verb !== 'send-pack') return undefined
      const own = flags(call, 'push')
      if (isDryRun(own, '-n')) return undefined
      if (has(own, '-f', '--force')) return 'git push --force'
      if (has(own, '--mirror')) return 'git push --mirror overwrites and deletes every branch of the remote'
      const plus = forcingSetting(call) ?? git.rest.find((ref) => /^\+./.test(ref))
      return plus === undefined ? undefined : `"${plus}" forces the push`
    },
    examples: {
      match: [
        'git push --force',
        'git push -f origin main',
        'git push origin +main',
        'git push origin "+$(git branch --show-current)"',
        'git push origin +$BRANCH:main',
        'git -c remote.origin.push=+main:main push',
        'git -c remote.origin.mirror=true push',
        'git -c remote.origin.mirror push',
        'env GIT_CONFIG_PARAMETERS="\'remote.origin.mirror=true\'" git push',
        'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.push GIT_CONFIG_VALUE_0=+main:main git push',
        'git --config-env=remote.origin.mirror=X push',
        'X=+main git --config-env remote.origin.push=X push',
        "P='push -f' git --config-env=alias.p=P p",
        'eval -- "git push -f"',
        'trap -- "git push -f" EXIT',
        'source -- /dev/stdin <<< "git push -f"',
        'git  push  --force',
        'git -C x push --force',
        'G=git; $G push --force',
        'git push -uf origin x',
        'git push --mirror',
        'git push --force=true',
        'git push \\\n --force',
        'sudo git push --forc',
        'git push --force -o -n origin main',
        'git push -f -on origin main',
        'git push -f -o --help origin main',
        'git push -f --push-opt -h',
        'git push -o -- --force origin main',
        'git push -nf --no-dry-run',
        'git push -f -- origin --help',
        'git push --force-with-lease -uf origin main',
        'git push --mirror -o -n',
        'git push --ver --force',
        'git push -o --version --force',
        'git push --m',
        '/usr/lib/git-core/git-push -f origin main',
      ],
      noMatch: [
        'git push',
        'git push origin main',
        'git push origin "$(git branch --show-current)"',
        'git -c remote.origin.push=main:main push',
        'git -c remote.origin.push=+main:main fetch',
        'git -c remote.origin.mirror=false push',
        'X=main git --config-env=remote.origin.push=X push',
        'echo "never git push --force"',
        'git commit -m "no git push --force"',
        'git push --force-with-lease',
        'git push -n --force',
        'git log --grep "push --force"',
        'git push --help',
        'git push --follow-tags',
        'git push -o --force origin main',
        'git push --force -o ci.skip --dry-run',
        'git push --no-dry-run --force -n',
        'git push --ver',
        'git push --no-dry-run --porcelain',
      ],
    },
  },
  {
    id: 'git-remote',
    about: 'Leased force pushes, deleting branches or tags of a remote, pointing it or a push elsewhere',
    standard: 'ask',
    strict: 'ask',
    instead: 'Push a new branch: `git push -u origin HEAD:refs/heads/my-branch`.',
    programs: ['git', 'export', 'declare', 'typeset'],
    finds: ({ calls }) => pushedElsewhere(calls),
    call: (call) => {
      const git = gitCall(call)
      const isSet = call.program !== 'git' || (git?.verb === 'config' && !readsSetting(call, git))
      const setting = isSet && !has(call, '--unset', '--unset-all') ? forcingSetting(call) : undefined
      if (setting !== undefined) return `"${setting}" forces every push`
      if (call.program !== 'git') return undefined
      if (git?.verb === 'remote' && has(call, '--mirror') && !call.words.includes('--mirror=fetch'))
        return 'a mirror forces every push'
      if (git?.verb === 'remote' && /^(?:set-url|remove|rm|rename)$/.test(git.rest[0] ?? ''))
        return `git remote ${git.rest[0]}`
      if (git?.verb !== 'push' || isDryRun(flags(call, 'push'), '-n')) return undefined
      if (has(flags(call, 'push'), '--force-with-lease', '--force-if-includes'))
        return 'git push --force-with-lease'
      if (has(flags(call, 'push'), '-d', '--delete') || git.rest.slice(1).some((ref) => /^:./.test(ref)))
        return 'a branch or a tag of the remote is deleted'
      return has(call, '--prune') ? 'git push --prune deletes branches of the remote' : undefined
    },
    examples: {
      match: [
        'git push --force-with-lease',
        'git push origin --delete old',
        'git push origin :old',
        'git remote set-url origin x',
        'git push -d origin v1',
        'git config remote.origin.push +main:main; git push',
        'git config --local --add remote.origin.push +refs/heads/*:refs/heads/*',
        'git config remote.origin.mirror true',
        'git config set remote.origin.mirror true',
        'git remote add --mirror=push m x',
        'export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.mirror GIT_CONFIG_VALUE_0=true; git push',
        'git push -d origin v1 -o -n',
        'git push --de origin v1',
        'git remote --ver set-url origin x',
        'git push https://x.example/x.git --all',
        'git push git@x.example:x.git main',
        'git remote add x https://x.example/x && git push x --all',
        'git -c remote.origin.pushurl=https://x.example/x push',
      ],
      noMatch: [
        'git push',
        'git remote -v',
        'git remote --ver',
        'git remote add fork x',
        'git remote add --mirror=fetch m x',
        'git config remote.origin.push main:main',
        'git config --get remote.origin.push',
        'git config --unset remote.origin.mirror',
        'git config remote.origin.mirror false',
        'git push origin HEAD:main',
        'git push origin a:b',
        'git push origin v1.0:v1.0',
        'git config remote.fork.url https://x.example/x; git push origin main',
        'git push -n https://x.example/x.git',
        'git push http://localhost:3000/me/x.git main',
        'git remote add fork https://x.example/x && git push origin main',
      ],
    },
  },
  {
    id: 'git-rewrite',
    about: 'Rewriting history, deleting the main branch of a remote, throwing away what could bring it back',
    standard: 'ask',
    strict: 'deny',
    instead:
      'Keep a copy first with `git branch backup`, and add commits instead of changing old ones: `git revert --no-edit HEAD`.',
    programs: ['git', 'bfg', 'git-filter-repo', 'java', 'svn', 'hg'],
    call: (call) => {
      if (call.program === 'svn')
        return /^(?:delete|del|rm|remove)$/.test(call.words[0] ?? '') &&
          call.words.some((word) => word.includes('://'))
          ? 'svn delete'
          : undefined
      if (call.program === 'hg')
        return /^(?:strip|rollback|purge|histedit)$/.test(call.words[0] ?? '')
          ? `hg ${call.words[0]}`
          : undefined
      if (call.program === 'java')
        return call.words.some((word) => /(?:^|\/)bfg[\w.-]*\.jar$/.test(word))
          ? 'bfg rewrites every commit'
          : undefined
      const git = gitCall(call)
      if (!git) return undefined
      const { verb, rest } = git
      if (/filter-repo$/.test(`${call.program} ${verb}`.trim()) && has(call, '--analyze')) return undefined
      if (call.program === 'bfg' || call.program === 'git-filter-repo')
        return `${call.program} rewrites every commit`
      if (/^(?:filter-branch|filter-repo|replace)$/.test(verb))
        return verb === 'replace' && rest.length === 0 ? undefined : `git ${verb}`
      if (verb === 'reflog' && /^(?:expire|delete)$/.test(rest[0] ?? '')) return `git reflog ${rest[0]}`
      if (verb === 'gc' && call.words.some((word) => /^--pr?u?n?e?=(?:now|all)/.test(word)))
        return 'git gc --prune=now'
      if (verb === 'prune' && !isDryRun(call, '-n')) return 'git prune'
      if (verb === 'update-ref' && has(call, '-d', '--stdin')) return 'git update-ref -d'
      if (verb === 'symbolic-ref' && has(call, '-d', '--delete')) return 'git symbolic-ref -d'
      if (verb === 'rebase' && has(call, '--root')) return 'git rebase --root'
      if (verb === 'push' && !isDryRun(flags(call, 'push'), '-n')) {
        const gone = has(flags(call, 'push'), '-d', '--delete')
          ? rest.slice(1)
          : rest.slice(1).filter((ref) => /^\+?:/.test(ref))
        return gone.some((ref) => MAIN_BRANCH.test(ref)) ? 'the main branch of the remote goes' : undefined
      }
      return verb === 'tag' && has(flags(call, 'tag'), '-d', '--delete') ? 'git tag -d' : undefined
    },
    examples: {
      match: [
        'git filter-branch --tree-filter x HEAD',
        'git filter-repo --path x',
        'git reflog expire --expire=now --all',
        'git reflog expire --ver --expire=now --all',
        'git gc --prune=now',
        'git gc --p=now',
        'git push origin :main',
        'git push --delete origin master',
        'git update-ref -d HEAD',
        'java -jar bfg.jar --delete-files id_rsa',
        'git tag -d v1',
      ],
      noMatch: [
        'git reflog',
        'git gc',
        'git gc --prune=2.weeks.ago',
        'git --version',
        'git push origin main',
        'git push origin HEAD:main',
        'git push origin --delete fix-main',
        'git rebase main',
        'git branch backup',
        'git tag -l',
        'git replace -l',
        'git filter-repo --analyze',
        'git prune -n',
      ],
    },
  },
  {
    id: 'git-discard',
    about: 'Discarding work that is not committed or not merged',
    standard: 'ask',
    strict: 'deny',
    instead:
      'Put it aside: `git stash push --include-untracked`, or commit it to a branch: `git switch -c wip`.',
    programs: ['git', 'hg', 'svn'],
    call: (call) => {
      const git = gitCall(call)
      return git && (call.program === 'git' ? discards(call, git) : revertsAll(call, git))
    },
    examples: {
      match: [
        'git reset --hard',
        'git reset --hard HEAD~5',
        'git checkout -- .',
        'git checkout .',
        'git checkout -f main',
        'git restore .',
        'git restore --staged --worktree x',
        'git clean -fd',
        'git clean -xdf',
        'git stash drop',
        'git stash clear',
        'git branch -D x',
        'git worktree remove --force x',
        'git switch --discard-changes main',
        'git rm -rf .',
        '/usr/bin/git reset --hard',
        'bash -c "git reset --hard"',
        'git checkout HEAD -- src/a.ts',
        'git checkout main src/a.ts',
        'git checkout HEAD --pathspec-from-file=list.txt',
        'git checkout -f -- --help',
        'git clean -fd -e -n',
        'git clean -nfd --no-dry-run',
        'git rm -rf --cached --no-cached .',
        'git restore -W -S .',
        'git branch --ver -D y',
        'git reset --ha',
        'git clean --fo -d',
        'git checkout --fo',
        'hg update -C',
        'hg revert --all',
        'svn revert -R .',
      ],
      noMatch: [
        'git reset --soft HEAD~1',
        'git reset',
        'git checkout main',
        'git checkout -b x',
        'git restore --staged x',
        'git clean -n',
        'git clean -fdn',
        'git clean -fd --dry-r',
        'git branch --ver',
        'git reset --so HEAD~1',
        'git clean -fd -e build -n',
        'git stash',
        'git stash pop',
        'git branch -d x',
        'git worktree remove x',
        'git rm --cached x',
        'echo "git reset --hard"',
        'git switch -c x',
        'git log -- .',
        'git checkout --track origin/x',
        'git checkout -b x origin/main',
        'hg update default',
        'svn revert a.c',
      ],
    },
  },
  {
    id: 'git-move',
    about: 'Moving a branch or a tag, so that its commits may be in none any more',
    standard: 'ask',
    strict: 'ask',
    instead: 'Make a new branch: `git switch -c my-branch`, or keep a copy first with `git branch backup`.',
    programs: ['git'],
    call: (call) => {
      const git = gitCall(call)
      if (!git) return undefined
      const own = flags(call, git.verb)
      switch (git.verb) {
        case 'branch':
          return has(own, '-f', '--force') && !has(own, '-d', '-D', '-m', '-M')
            ? 'git branch --force'
            : undefined
        case 'checkout':
          return has(own, '-B') ? 'git checkout -B' : undefined
        case 'switch':
          return has(own, '-C', '--force-create') ? 'git switch -C' : undefined
        case 'tag':
          return has(own, '-f', '--force') && !spares(own, '-l', '--list') ? 'git tag --force' : undefined
        case 'update-ref':
          return git.rest.length > 1 ? 'git update-ref' : undefined
        default:
          return undefined
      }
    },
    examples: {
      match: [
        'git branch -f main HEAD~3',
        'git checkout -B main origin/main',
        'git switch -C main origin/main',
        'git update-ref refs/heads/main HEAD~10',
        'git tag -f v1.0.0',
      ],
      noMatch: [
        'git branch x',
        'git branch -m old new',
        'git switch -c my-branch',
        'git checkout -b x',
        'git tag v1.0.0',
        'git branch backup',
        'git tag -l',
      ],
    },
  },
  {
    id: 'git-programs',
    about: 'Settings of git that start foreign programs, or lead it to another host',
    standard: 'ask',
    strict: 'deny',
    instead: 'Set it for this repository and only what you need: `git config user.name "A Name"`.',
    programs: ['git'],
    call: (call) => {
      const git = gitCall(call)
      if (!git || has(call, '--unset', '--unset-all') || readsSetting(call, git)) return undefined
      if (git.verb === 'config') {
        const at = git.rest.findIndex((word) => STARTING_KEY.test(word))
        const value = git.rest[at + 1]
        return at >= 0 && value !== undefined && !isInProject(git.rest[at] ?? '', value)
          ? `${git.rest[at]} = ${value}`.slice(0, 80)
          : undefined
      }
      const transport = call.words.find((word) => /^(?:ext|fd)::/.test(word))
      if (transport !== undefined) return `${transport.slice(0, 60)} is a command`
      const given = call.words.find((word) => /^[\w.-]+=/.test(word) && STARTING_KEY.test(word))
      return given === undefined ? undefined : given.slice(0, 80)
    },
    examples: {
      match: [
        'git config core.hooksPath /tmp/h',
        'git config --global core.sshCommand "ssh -i x"',
        'git -c core.fsmonitor=./x status',
        'git config alias.x "!curl x.example"',
        'git config url.https://x.example/.insteadOf https://github.com/',
        'git config core.hooksPath /dev/null',
        'git clone "ext::sh -c touch% x"',
      ],
      noMatch: [
        'git config user.name "A Name"',
        'git config core.hooksPath .githooks',
        'git config alias.st status',
        'git config --get core.hooksPath',
        'git config core.editor vim',
        'git config --unset core.sshCommand',
      ],
    },
  },
  {
    id: 'git-settings',
    about: 'Settings of all repositories, of editors, pagers and helpers of git, and skipped commit hooks',
    standard: 'watch',
    strict: 'ask',
    instead: 'Set it for this repository and only what you need: `git config user.name "A Name"`.',
    programs: ['git'],
    call: (call) => {
      const git = gitCall(call)
      if (!git || readsSetting(call, git)) return undefined
      const key =
        git.verb === 'config'
          ? git.rest.find((word) => RUNNING_KEY.test(word))
          : call.words.find((word) => /^[\w.]+=/.test(word) && RUNNING_KEY.test(word))
      if (key !== undefined && (git.verb !== 'config' || git.rest.length > 1))
        return `${key.split('=')[0]} runs a program`
      if (git.verb === 'config' && has(call, '--global', '--system') && git.rest.length > 1)
        return 'settings of all repositories'
      return (/^(?:commit|push|merge|rebase|am)$/.test(git.verb) && has(call, '--no-verify')) ||
        (git.verb === 'commit' && has(flags(call, 'commit'), '-n'))
        ? 'hooks are skipped'
        : undefined
    },
    examples: {
      match: [
        'git config --global core.hooksPath /tmp/h',
        'git config core.sshCommand "ssh -i x"',
        'git -c core.fsmonitor=./x status',
        'git commit --no-verify -m x',
        'git commit -nm x',
        'git config alias.x "!rm -rf /"',
      ],
      noMatch: [
        'git config user.name me',
        'git config --get core.hooksPath',
        'git config --list',
        'git config --global --list',
        'git config get --global core.editor',
        'git commit -m x',
        'git config user.name "A Name"',
      ],
    },
  },
]

/** `remote.origin.mirror` and a `remote.origin.push` with a plus; of a variable nobody knows. */
function forcingSetting({ command }: Call): string | undefined {
  const one = gitSettings(command).find(({ name, value: { text } }) =>
    /^remote\..+\.mirror$/i.test(name)
      ? !/^(?:false|no|off|0)$/i.test(text)
      : /^remote\..+\.push$/i.test(name) && /^[+$]/.test(text),
  )
  return one && `${one.name}=${one.value.text}`.slice(0, 80)
}

/** To an address instead of a remote, or to a remote which the same command adds. */
function pushedElsewhere(calls: readonly Call[]): string | undefined {
  const pushes: [Call, GitCall][] = []
  const added = new Map<string, string>()
  for (const call of calls) {
    const git = call.program === 'git' ? gitCall(call) : undefined
    if (git?.verb === 'push') pushes.push([call, git])
    if (git?.verb === 'remote' && git.rest[0] === 'add') added.set(git.rest[1] ?? '', git.rest[2] ?? '')
    for (const { name, value } of git ? gitSettings(call.command) : [])
      added.set(/^remote\.(.+)\.(?:push)?url$/i.exec(name)?.[1] ?? '', value.text)
  }
  for (const [call, { rest }] of pushes) {
    const to = lastValue(flags(call, 'push'), '--repo') ?? rest[0] ?? 'origin'
    const found = ADDRESS.exec(added.get(to) ?? to)
    if (found && !isNear(found.groups?.host) && !isDryRun(flags(call, 'push'), '-n'))
      return `a push to ${found.input}`
  }
  return undefined
}
const ADDRESS = /^(?:(?!file:)[a-z][\w+]*:\/\/(?:[^@/]*@)?(?<host>[^:/]+)|[\w.-]+@[\w.-]+:|[\w-]+\.[\w.-]+:)/i

const MAIN_BRANCH = /^\+?:?(?:refs\/heads\/)?(?:main|master|trunk)$/

function readsSetting(call: Call, { verb, rest }: GitCall): boolean {
  return (
    verb === 'config' &&
    (/^(?:get|list)$/.test(rest[0] ?? '') || has(call, '--get', '--get-all', '--get-regexp', '--list', '-l'))
  )
}

const STARTING_KEY =
  /^(?:core\.(?:hooksPath|sshCommand|fsmonitor|gitProxy|askPass)|(?:diff|filter|merge)\..*\.(?:textconv|clean|smudge|process|driver|command)|url\..*\.(?:insteadOf|pushInsteadOf)|gpg(?:\.\w+)?\.program|diff\.external|(?:difftool|mergetool)\..*\.cmd|(?:http|remote\..*)\.proxy|(?:receive|uploadpack)\.\w+|alias\..*|credential(?:\..*)?\.helper)(?:=|$)/i

/** Hooks that the project brings along, an alias of git's own commands, and a helper that git comes with. */
function isInProject(key: string, value: string): boolean {
  if (/^alias\./i.test(key)) return !value.startsWith('!')
  if (/\.helper$/i.test(key))
    return /^(?:store|cache|osxkeychain|manager|libsecret|wincred|cache --timeout.*|)$/.test(value)
  if (/^core\.hooksPath$/i.test(key)) return /^\.?[\w-]/.test(value) && !value.includes('..')
  return /^filter\.lfs\./.test(key) || (/^core\.fsmonitor$/i.test(key) && /^(?:true|false)$/.test(value))
}

const RUNNING_KEY =
  /^(?:core\.(?:hooksPath|sshCommand|fsmonitor|editor|pager|gitProxy|askPass)|credential(?:\..*)?\.helper|.*\.(?:textconv|clean|smudge|process|proxy|driver)$|url\..*\.(?:insteadOf|pushInsteadOf)|gpg\.program|sequence\.editor|diff\.external)(?:=|$)|^alias\..*/i

/** Whether a `git config` sets what starts a program. */
export function startsProgram(call: Call): boolean {
  return call.words.some(
    (word) => RUNNING_KEY.test(word) || STARTING_KEY.test(word) || /^-e$|^--edit$/.test(word),
  )
}

function revertsAll(call: Call, { verb }: GitCall): string | undefined {
  const own = { ...call, words: call.words.slice(call.words.indexOf(verb) + 1) }
  const isAll =
    call.program === 'svn'
      ? verb === 'revert' && has(own, '-R', '--recursive')
      : (/^(?:up|update|co|checkout)$/.test(verb) && has(own, '-C', '--clean')) ||
        (verb === 'revert' && has(own, '-a', '--all'))
  return isAll && !isDryRun(own, '-n') ? `${call.program} ${verb} of all changes` : undefined
}

function discards(call: Call, { verb, rest }: GitCall): string | undefined {
  const own = flags(call, verb)
  switch (verb) {
    case 'reset':
      return has(own, '--hard', '--merge')
        ? `git reset ${own.words.find((word) => word.startsWith('--'))}`
        : undefined
    case 'checkout':
      if (has(own, '-f', '--force')) return 'git checkout --force'
      if (has(own, '-b', '-B', '--orphan', '-p', '--patch', '-t', '--track')) return undefined
      // A branch, and files behind it.
      return rest.length > 1 ||
        has(own, '--pathspec-from-file') ||
        own.words.includes('--') ||
        rest.some((path) => /^(?:\.|\.\/.*|:\/|:\(.*|\*.*|.*\/\*.*)$/.test(path))
        ? 'changes of these files are not kept'
        : undefined
    case 'restore': {
      const touchesFiles = !spares(own, '-S', '--staged') || has(own, '-W', '--worktree')
      return touchesFiles && rest.length > 0 && !has(own, '-p', '--patch')
        ? 'changes of these files are not kept'
        : undefined
    }
    case 'switch':
      return has(own, '-f', '--force', '--discard-changes') ? 'git switch --discard-changes' : undefined
    case 'clean':
      return has(own, '-f', '--force') && !isDryRun(own, '-n')
        ? 'git clean deletes files that no commit has'
        : undefined
    case 'stash':
      return /^(?:drop|clear)$/.test(rest[0] ?? '') ? `git stash ${rest[0]}` : undefined
    case 'branch':
      return has(own, '-D') || (has(own, '-d', '--delete') && has(own, '-f', '--force'))
        ? 'git branch -D deletes commits that are not merged'
        : undefined
    case 'worktree':
      return rest[0] === 'remove' && has(own, '-f', '--force') ? 'git worktree remove --force' : undefined
    case 'rm':
      return !spares(own, '--cached') &&
        !isDryRun(own, '-n') &&
        (has(own, '-f', '--force') || (has(own, '-r') && rest.some((path) => /^(?:\.|\*|\/)$/.test(path))))
        ? 'git rm --force'
        : undefined
    case 'submodule':
      return rest[0] === 'deinit' && has(own, '-f', '--force', '--all')
        ? 'git submodule deinit --force'
        : undefined
    case 'checkout-index':
      return has(own, '-f', '--force') && has(own, '-a', '--all') ? 'git checkout-index -f' : undefined
    case 'read-tree':
      return has(own, '--reset') && has(own, '-u') ? 'git read-tree --reset -u' : undefined
    case 'lfs':
      return rest[0] === 'prune' && has(own, '-f', '--force') ? 'git lfs prune --force' : undefined
    case 'rebase':
    case 'merge':
    case 'am':
    case 'cherry-pick':
      return undefined
    default:
      return undefined
  }
}
