/** Work and history that git would lose. */
import { type Call, has, isHelp, operands, options } from '../call.ts'
import type { Guard } from '../guard.ts'

const VALUED = options(
  '-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix -o --push-option --repo --receive-pack -m -F --message --file --author --date -s -S -b -B -X --source --onto --strategy -e --exclude -n',
)

export interface GitCall {
  readonly verb: string
  /** Operands behind the verb. */
  readonly rest: readonly string[]
}

export function gitCall(call: Call): GitCall | undefined {
  const words = operands(call, VALUED)
  const [verb = '', ...rest] = words
  if (isHelp(call) || call.words.includes('--version')) return undefined
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
  return { ...call, words: [...call.words.slice(at + 1), ...aliasWords(call)] }
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
      if (has(own, '-n', '--dry-run')) return undefined
      const lease = call.words.some(
        (word) => word.startsWith('--force-with-lease') || word === '--force-if-includes',
      )
      if (!lease && has(own, '-f', '--force')) return 'git push --force'
      if (lease && call.words.some((word) => word === '--force' || word === '-f')) return 'git push --force'
      if (has(own, '--mirror')) return 'git push --mirror overwrites and deletes every branch of the remote'
      const plus = git.rest.find((ref) => /^\+[\w./@{}~^-]|^\+:/.test(ref))
      return plus === undefined ? undefined : `the + of "${plus}" forces the push`
    },
    examples: {
      match: [
        'git push --force',
        'git push -f origin main',
        'git push origin +main',
        'git  push  --force',
        'git -C x push --force',
        'G=git; $G push --force',
        'git push -uf origin x',
        'git push --mirror',
        'git push --force=true',
        'git push \\\n --force',
        'sudo git push --forc',
      ],
      noMatch: [
        'git push',
        'git push origin main',
        'echo "never git push --force"',
        'git commit -m "no git push --force"',
        'git push --force-with-lease',
        'git push -n --force',
        'git log --grep "push --force"',
        'git push --help',
        'git push --follow-tags',
      ],
    },
  },
  {
    id: 'git-remote',
    about: 'Leased force pushes, deleting branches or tags of a remote, pointing a remote elsewhere',
    standard: 'ask',
    strict: 'ask',
    instead: 'Push a new branch: `git push -u origin HEAD:refs/heads/my-branch`.',
    programs: ['git'],
    call: (call) => {
      const git = gitCall(call)
      if (git?.verb === 'remote' && /^(?:set-url|remove|rm|rename)$/.test(git.rest[0] ?? ''))
        return `git remote ${git.rest[0]}`
      if (git?.verb !== 'push' || has(call, '-n', '--dry-run')) return undefined
      if (call.words.some((word) => word.startsWith('--force-with-lease') || word.startsWith('--force-if')))
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
      ],
      noMatch: [
        'git push',
        'git remote -v',
        'git remote add fork x',
        'git push origin HEAD:main',
        'git push origin a:b',
      ],
    },
  },
  {
    id: 'git-rewrite',
    about: 'Rewriting history, and throwing away what could bring it back',
    standard: 'ask',
    strict: 'deny',
    instead:
      'Keep a copy first with `git branch backup`, and add commits instead of changing old ones: `git revert --no-edit HEAD`.',
    programs: ['git', 'bfg', 'git-filter-repo', 'svn', 'hg'],
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
      const git = gitCall(call)
      if (!git) return undefined
      const { verb, rest } = git
      if (call.program === 'bfg' || call.program === 'git-filter-repo')
        return `${call.program} rewrites every commit`
      if (/^(?:filter-branch|filter-repo|replace)$/.test(verb))
        return verb === 'replace' && rest.length === 0 ? undefined : `git ${verb}`
      if (verb === 'reflog' && /^(?:expire|delete)$/.test(rest[0] ?? '')) return `git reflog ${rest[0]}`
      if (
        verb === 'gc' &&
        call.words.some((word) => /^--prune=(?:now|all)|^--aggressive$/.test(word) && word !== '--aggressive')
      )
        return 'git gc --prune=now'
      if (verb === 'prune' && !has(call, '-n', '--dry-run')) return 'git prune'
      if (verb === 'update-ref' && has(call, '-d', '--stdin')) return 'git update-ref -d'
      if (verb === 'symbolic-ref' && has(call, '-d', '--delete')) return 'git symbolic-ref -d'
      if (verb === 'rebase' && has(call, '--root')) return 'git rebase --root'
      return verb === 'tag' && has(flags(call, 'tag'), '-d', '--delete') ? 'git tag -d' : undefined
    },
    examples: {
      match: [
        'git filter-branch --tree-filter x HEAD',
        'git filter-repo --path x',
        'git reflog expire --expire=now --all',
        'git gc --prune=now',
        'git update-ref -d HEAD',
        'git tag -d v1',
      ],
      noMatch: [
        'git reflog',
        'git gc',
        'git rebase main',
        'git branch backup',
        'git tag -l',
        'git replace -l',
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
    programs: ['git'],
    call: (call) => {
      const git = gitCall(call)
      return git && discards(call, git)
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
      ],
      noMatch: [
        'git reset --soft HEAD~1',
        'git reset',
        'git checkout main',
        'git checkout -b x',
        'git restore --staged x',
        'git clean -n',
        'git clean -fdn',
        'git stash',
        'git stash pop',
        'git branch -d x',
        'git worktree remove x',
        'git rm --cached x',
        'echo "git reset --hard"',
        'git switch -c x',
        'git log -- .',
      ],
    },
  },
  {
    id: 'git-settings',
    about: 'Settings of git that run programs or send credentials elsewhere, and skipped commit hooks',
    standard: 'watch',
    strict: 'ask',
    instead: 'Set it for this repository and only what you need: `git config user.name "A Name"`.',
    programs: ['git'],
    call: (call) => {
      const git = gitCall(call)
      if (!git) return undefined
      const key =
        git.verb === 'config'
          ? git.rest.find((word) => RUNNING_KEY.test(word))
          : call.words.find((word) => /^[\w.]+=/.test(word) && RUNNING_KEY.test(word))
      if (key !== undefined && (git.verb !== 'config' || git.rest.length > 1))
        return `${key.split('=')[0]} runs a program`
      if (git.verb === 'config' && has(call, '--global', '--system') && git.rest.length > 1)
        return 'settings of all repositories'
      return /^(?:commit|push|merge|rebase|am)$/.test(git.verb) && has(call, '--no-verify')
        ? 'hooks are skipped'
        : undefined
    },
    examples: {
      match: [
        'git config --global core.hooksPath /tmp/h',
        'git config core.sshCommand "ssh -i x"',
        'git -c core.fsmonitor=./x status',
        'git commit --no-verify -m x',
        'git config alias.x "!rm -rf /"',
      ],
      noMatch: [
        'git config user.name me',
        'git config --get core.hooksPath',
        'git config --list',
        'git commit -m x',
        'git config user.name "A Name"',
      ],
    },
  },
  {
    id: 'forge-delete',
    about: 'Deleting or publishing repositories, releases and secrets on GitHub, GitLab and the like',
    standard: 'ask',
    strict: 'deny',
    instead: 'Look at it first: `gh repo view`. Let the owner delete it.',
    programs: ['gh', 'glab', 'hub', 'tea'],
    call: (call) => {
      const [what = '', verb = ''] = operands(
        call,
        options('-R --repo --hostname -X --method -f -F -H --field --raw-field --jq -q'),
      )
      if (isHelp(call)) return undefined
      if (what === 'api') {
        const method = call.words.find((word) => /^(?:-X)?(?:DELETE)$|^(?:--method|-X)=DELETE$/i.test(word))
        if (method !== undefined) return 'an API call that deletes'
        return /graphql/.test(verb) && /mutation[\s\S]{0,500}delete/i.test(call.words.join(' '))
          ? 'an API call that deletes'
          : undefined
      }
      if (/^(?:delete|archive|rename|transfer|remove)$/.test(verb) && what !== 'config' && what !== 'alias')
        return `${call.program} ${what} ${verb}`
      if (what === 'repo' && verb === 'edit' && call.words.some((word) => /^--visibility/.test(word)))
        return 'the visibility of a repository'
      if (what === 'pr' && verb === 'merge' && has(call, '--admin')) return 'a merge past the checks'
      return what === 'auth' && verb === 'logout' ? `${call.program} auth logout` : undefined
    },
    examples: {
      match: [
        'gh repo delete me/x --yes',
        'gh release delete v1',
        'gh api -X DELETE /repos/me/x',
        'gh pr merge 3 --admin',
        'gh repo edit --visibility public',
        'glab repo delete x',
      ],
      noMatch: [
        'gh repo view',
        'gh pr list',
        'gh api /user',
        'gh release list',
        'gh pr merge 3',
        'gh auth status',
      ],
    },
  },
]

const RUNNING_KEY =
  /^(?:core\.(?:hooksPath|sshCommand|fsmonitor|editor|pager|gitProxy|askPass)|credential(?:\..*)?\.helper|.*\.(?:textconv|clean|smudge|process|proxy|driver)$|url\..*\.(?:insteadOf|pushInsteadOf)|gpg\.program|sequence\.editor|diff\.external)(?:=|$)|^alias\..*/i

function discards(call: Call, { verb, rest }: GitCall): string | undefined {
  const own = flags(call, verb)
  switch (verb) {
    case 'reset':
      return has(own, '--hard', '--merge')
        ? `git reset ${own.words.find((word) => word.startsWith('--'))}`
        : undefined
    case 'checkout':
      if (has(own, '-f', '--force')) return 'git checkout --force'
      if (has(own, '-b', '-B', '--orphan', '-p', '--patch') || call.words.includes('-t')) return undefined
      return own.words.includes('--') ||
        rest.some((path) => /^(?:\.|\.\/.*|:\/|:\(.*|\*.*|.*\/\*.*)$/.test(path))
        ? 'changes of these files are not kept'
        : undefined
    case 'restore': {
      const touchesFiles = !has(own, '-S', '--staged') || has(own, '-W', '--worktree')
      return touchesFiles && rest.length > 0 && !has(own, '-p', '--patch')
        ? 'changes of these files are not kept'
        : undefined
    }
    case 'switch':
      return has(own, '-f', '--force', '--discard-changes') ? 'git switch --discard-changes' : undefined
    case 'clean':
      return has(own, '-f', '--force') && !has(own, '-n', '--dry-run')
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
      return !has(own, '--cached', '-n', '--dry-run') &&
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
