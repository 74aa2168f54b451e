/** What GitHub, GitLab and the like keep. */
import { has, isHelp, operands, options } from '../call.ts'
import type { Guard } from '../guard.ts'

/** People, keys and hooks that a repository or an organization trusts. */
const RIGHTS =
  /\/(?:collaborators|memberships|members|deploy_keys|keys|hooks|actions\/secrets|actions\/permissions|teams\/[^\s/]+\/repos|transfer)(?:[/\s?]|$)|\bvisibility=public\b|\bprivate=false\b/

export const FORGE_GUARDS: readonly Guard[] = [
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
        const changes = call.words.some((word) => /^(?:-X|--method=)?(?:PATCH|PUT)$/i.test(word))
        if (changes && call.words.some((word) => /^force=true$|\/protection(?:\/|$)/.test(word)))
          return 'an API call that forces, or changes what is protected'
        const isWrite = changes || call.words.some((word) => /^(?:-X|--method=)?POST$/i.test(word))
        if (isWrite && RIGHTS.test(call.words.join(' '))) return 'an API call that gives rights'
        return /graphql/.test(verb) && /mutation[\s\S]{0,500}delete/i.test(call.words.join(' '))
          ? 'an API call that deletes'
          : undefined
      }
      if (
        /^(?:delete|archive|rename|transfer|remove|disable)$/.test(verb) &&
        what !== 'config' &&
        what !== 'alias'
      )
        return `${call.program} ${what} ${verb}`
      const [, , third = ''] = operands(call, options('-R --repo'))
      if (
        (/^(?:ssh-key|gpg-key)$/.test(what) && verb === 'add') ||
        (verb === 'deploy-key' && third === 'add')
      )
        return 'a key that may log in'
      if (what === 'repo' && verb === 'edit' && call.words.some((word) => /^--visibility/.test(word)))
        return 'the visibility of a repository'
      if (what === 'pr' && verb === 'merge' && has(call, '--admin')) return 'a merge past the checks'
      return what === 'auth' && verb === 'logout' ? `${call.program} auth logout` : undefined
    },
    examples: {
      match: [
        'gh api -X PUT repos/me/x/collaborators/eve',
        'gh api --method POST repos/me/x/keys -f key=x',
        'gh api -X PATCH repos/me/x -f visibility=public',
        'gh ssh-key add k.pub',
        'gh repo deploy-key add k.pub -w',
        'gh repo delete me/x --yes',
        'gh release delete v1',
        'gh api -X DELETE /repos/me/x',
        'gh pr merge 3 --admin',
        'gh repo edit --visibility public',
        'glab repo delete x',
        'gh api -X PATCH /repos/me/x/git/refs/heads/main -F force=true -f sha=abc',
      ],
      noMatch: [
        'gh api repos/me/x/collaborators',
        'gh api -X PATCH repos/me/x/issues/1 -f state=closed',
        'gh ssh-key list',
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
