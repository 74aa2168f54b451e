/** Publishing to registries and deploying to production. */
import {
  type Call,
  has,
  isDryRun,
  isHelp,
  isSubcommand,
  names,
  operands,
  options,
  subcommands,
} from '../call.ts'
import type { Guard } from '../guard.ts'
import { isNear } from '../hosts.ts'
import { NOT_PRODUCTION, PRODUCTION } from './databases.ts'

export const RELEASE_GUARDS: readonly Guard[] = [
  {
    id: 'publish',
    about: 'Publishing packages, images and releases, or taking them back',
    standard: 'ask',
    strict: 'ask',
    instead: 'Try it without publishing: `npm publish --dry-run`, `cargo publish --dry-run`.',
    programs: names(`
      npm pnpm yarn bun npx cargo twine poetry uv flit hatch pdm gem mvn mvnw gradle gradlew docker
      podman helm dotnet nuget gh glab pod vsce ovsx mix dart flutter goreleaser lerna
      semantic-release release-it changeset jsr deno python python3 conan sbt crane skopeo oras np
      rake luarocks cpan-upload hex opam stack cabal snapcraft fastlane setup.py bundle lein clojars
      nx turbo rush wasm-pack
    `),
    call: (call) =>
      isHelp(call) ||
      isDryRun(call) ||
      (call.program === 'goreleaser' &&
        call.words.some((word) => word === '--snapshot' || word === '--skip=publish'))
        ? undefined
        : publishes(call),
    examples: {
      match: [
        'npm publish',
        'npm publish --dry-run --no-dry-run',
        'npm publish --dry-run false',
        'npm publish --tag --dry-run',
        'pnpm publish --access public',
        'yarn npm publish',
        'cargo publish',
        'twine upload dist/*',
        'poetry publish --build',
        'gem push x.gem',
        'docker push me/x',
        'gh release create v1',
        'mvn deploy',
        './gradlew publish',
        'npm unpublish x',
        'uv publish',
        'cargo yank --version 1.0.0',
        'python -m twine upload dist/*',
        'npx lerna publish',
        'nx release publish',
        'rush publish',
        'turbo run publish',
        'npm deprecate x "old"',
        'npm dist-tag add x@1 latest',
      ],
      noMatch: [
        'npm publish --dry-run',
        'npm publish --tag next --dry-run',
        'cargo publish --dry-run',
        'npm pack',
        'npm run build',
        'docker pull x',
        'docker push localhost:5000/x',
        'gh release list',
        'mvn package',
        'poetry build',
        'npm test',
        'docker build -t x .',
        'twine check dist/*',
        'npm install publish',
        'nx release --dry-run',
        'turbo run build',
      ],
    },
  },
  {
    id: 'deploy',
    about: 'Deploying to production',
    standard: 'ask',
    strict: 'ask',
    instead: 'Build it and stop there: `npm run build`.',
    programs: names(`
      kubectl oc helm helmfile aws
      vercel netlify fly flyctl firebase wrangler serverless sls sam eb gcloud heroku railway cap
      kamal cdk ansible-playbook npm yarn pnpm make bun git argocd copilot-cli dokku surge amplify cf
      deployctl render mina dep just task nixos-rebuild
    `),
    call: (call) => (isHelp(call) || isDryRun(call) ? undefined : deploys(call)),
    examples: {
      match: [
        'vercel --prod',
        'netlify deploy --prod',
        'fly deploy',
        'firebase deploy',
        'wrangler deploy',
        'serverless deploy --stage prod',
        'git push heroku main',
        'npm run deploy',
        'make deploy',
        'gcloud app deploy',
        'kamal deploy',
        'cdk deploy',
        'ansible-playbook site.yml -i production',
        'kubectl apply -f prod.yaml',
        'helm upgrade --install api ./chart -n production',
        'kubectl config use-context prod-eu',
        'aws ecs update-service --cluster c --service s --force-new-deployment',
      ],
      noMatch: [
        'npm run build',
        'vercel dev',
        'netlify deploy --dry-run',
        'make build',
        'git push origin main',
        'wrangler dev',
        'firebase emulators:start',
        'npm run deploy:check --dry-run',
        'ansible-playbook site.yml --check',
        'git push origin deploy-docs',
        'make -n deploy',
        'make deploy-dev',
        'npm run deploy:staging',
        'kubectl apply -f dev.yaml',
        'kubectl get pods -n prod',
        'helm upgrade api ./chart -n staging',
        'aws ecs describe-services --cluster c',
      ],
    },
  },
]

const RELEASE_SCRIPT = /^(?:publish|release)(?:$|:)(?!.*(?:check|dry|preview|notes|test))/

const PUBLISHES = subcommands(String.raw`
  twine: upload|register
  poetry uv flit hatch pdm vsce ovsx jsr deno lerna changeset wasm-pack: publish|unpublish
  gem: push|yank|owner
  helm: push|cm-push
  dotnet nuget: push, nuget push|delete
  pod: trunk|repo push
  mix hex: hex\.(?:publish|retire)|publish
  goreleaser: release|publish
  rake: release
  conan luarocks snapcraft stack cabal: upload|push|release
  fastlane: deliver|pilot|supply|release|beta, [^]* deliver|pilot|supply|release|upload_to\w*|beta
  lein: deploy
  opam: publish
`)

function publishes(call: Call): string | undefined {
  const { program, words } = call
  const ops = operands(
    call,
    options(
      '-p --package -C --manifest-path --filter -F -w --workspace --prefix -f --file -s --settings --registry --cwd -H --host --config --tag -t --access --otp -R --repo',
    ),
  )
  const [first = '', second = ''] = ops
  const name = `${program} ${first}`.trim()
  const listed = PUBLISHES.get(program)
  if (listed) return isSubcommand(listed, ops) ? name : undefined
  switch (program) {
    case 'npm':
    case 'pnpm':
    case 'bun':
      if (/^(?:publish|unpublish|deprecate|pub|star|owner|access|token)$/.test(first))
        return /^(?:owner|access|token)$/.test(first) && /^(?:ls|list|get|)$/.test(second)
          ? undefined
          : first === 'star'
            ? undefined
            : name
      if (first === 'dist-tag') return /^(?:add|rm|set)$/.test(second) ? name : undefined
      return first === 'run' && RELEASE_SCRIPT.test(second) ? `${name} ${second}` : undefined
    case 'yarn':
      return first === 'publish' ||
        (first === 'npm' && second === 'publish') ||
        (/^(?:run)$/.test(first) ? RELEASE_SCRIPT.test(second) : first === 'release')
        ? name
        : undefined
    case 'npx':
    case 'bundle':
    case 'nx':
    case 'turbo':
    case 'rush':
      return words.some((word) => /^(?:semantic-release|release-it|np)$/.test(word)) ||
        (program === 'nx' && first === 'release' && /^(?:publish)?$/.test(second)) ||
        (program === 'rush' && first === 'publish') ||
        ((first === 'run' || second === 'run') && ops.some((task) => RELEASE_SCRIPT.test(task))) ||
        (/^(?:lerna|changeset|vsce|ovsx|jsr|nx|turbo|exec)$/.test(first) &&
          /^(?:publish|release)/.test(second))
        ? `${name} ${second}`.trim()
        : undefined
    case 'cargo':
      return /^(?:publish|yank|owner|release)$/.test(first) &&
        (first !== 'release' || has(call, '-x', '--execute')) &&
        (first !== 'owner' || !has(call, '-l', '--list'))
        ? name
        : undefined
    case 'mvn':
    case 'mvnw':
      return ops.some((goal) => /^(?:deploy|release:perform|release:prepare|.*:deploy)$/.test(goal)) &&
        !words.includes('-DskipDeploy')
        ? `${program} deploy`
        : undefined
    case 'gradle':
    case 'gradlew':
      return ops.some((task) =>
        /(?:^|:)publish(?!ToMavenLocal)\w*$|uploadArchives$|(?:^|:)bintrayUpload$/.test(task),
      )
        ? `${program} publish`
        : undefined
    case 'docker':
    case 'podman':
      if (ops.some((word, i) => ops[i - 1] === 'push' && word.includes('/') && isNear(word.split('/')[0])))
        return undefined
      return first === 'push' ||
        ((first === 'image' || first === 'manifest' || first === 'compose') && second === 'push') ||
        ((first === 'buildx' || first === 'build') && has(call, '--push'))
        ? name
        : undefined
    case 'gh':
    case 'glab':
      return (first === 'release' && /^(?:create|edit|upload)$/.test(second)) ||
        (first === 'gist' && second === 'create' && has(call, '-p', '--public'))
        ? `${name} ${second}`
        : undefined
    case 'dart':
    case 'flutter':
      return words.includes('pub') && words.includes('publish') ? `${program} pub publish` : undefined
    case 'semantic-release':
    case 'release-it':
    case 'np':
      return program
    case 'python':
    case 'python3':
    case 'setup.py':
      if (words.includes('-m') && words.includes('twine'))
        return words.includes('upload') ? 'twine upload' : undefined
      return words.some((word) => /setup\.py$/.test(word)) && words.includes('upload')
        ? 'setup.py upload'
        : undefined
    case 'skopeo':
    case 'crane':
    case 'oras':
      return /^(?:copy|push|delete)$/.test(first) && (first !== 'copy' || /^docker:/.test(ops[2] ?? ''))
        ? name
        : undefined
    case 'sbt':
      return ops.some((task) => /publish(?!Local|M2)|sonatypeRelease/i.test(task)) ? 'sbt publish' : undefined
    default:
      return undefined
  }
}

const DEPLOYS = subcommands(`
  heroku: pipelines:promote|releases:rollback|container:release
  nixos-rebuild: switch|boot
  amplify copilot-cli: push|publish|deploy, [^]* deploy
  cf: push
  railway: up|deploy
`)

function deploys(call: Call): string | undefined {
  const { program, words } = call
  const [first = '', second = ''] = operands(
    call,
    options(
      '-C --cwd -f --file -a --app -c --config --project -i --inventory -l --limit -e --extra-vars -t --tags --prefix --filter -n --namespace --context --kube-context --kubeconfig --cluster',
    ),
  )
  const name = `${program} ${first}`.trim()
  const listed = DEPLOYS.get(program)
  if (listed) return isSubcommand(listed, [first, second]) ? name : undefined
  switch (program) {
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun':
      return /^deploy(?:$|[:-])(?!.*(?:check|preview|dry|dev|stag|test|local|docs))/.test(
        first === 'run' ? second : program === 'yarn' ? first : '',
      )
        ? `${name} ${second}`.trim()
        : undefined
    case 'make':
    case 'just':
    case 'task':
      if (has(call, '-n', '--just-print', '--recon', '--summary')) return undefined
      return words.some((word) =>
        /^(?:deploy|release|publish|ship|rollout|prod|production)(?:$|[-_:](?!dev|stag|test|local|preview|docs))/.test(
          word,
        ),
      )
        ? `${program} ${words.find((word) => /deploy|release|publish|ship|rollout|prod/.test(word))}`
        : undefined
    case 'git':
      return first === 'push' && /^(?:heroku|dokku|production|prod|live)$/.test(second)
        ? `git push ${second}`
        : undefined
    case 'vercel':
      return has(call, '--prod') ||
        words.includes('--target=production') ||
        first === 'promote' ||
        first === 'rollback'
        ? `${program} --prod`
        : undefined
    case 'netlify':
      return first === 'deploy' && has(call, '--prod', '-p') ? `${name} --prod` : undefined
    case 'ansible-playbook':
      return !has(call, '--check', '-C', '--syntax-check', '--list-tasks', '--list-hosts') &&
        PRODUCTION.test(words.join(' '))
        ? 'ansible-playbook on production'
        : undefined
    case 'gcloud':
      return words.includes('deploy') && !words.includes('list') ? 'gcloud deploy' : undefined
    case 'kubectl':
    case 'oc':
    case 'helm':
    case 'helmfile':
      return /^(?:apply|create|replace|patch|set|edit|rollout|upgrade|install|sync|use-context)$/.test(
        first === 'config' ? second : first,
      ) &&
        !(first === 'rollout' && /^(?:status|history)$/.test(second)) &&
        words.some((word) => PRODUCTION.test(word) && !NOT_PRODUCTION.test(word))
        ? `${name} on production`
        : undefined
    case 'aws':
      return /^(?:update-service|update-function-code|create-deployment|start-pipeline-execution|update-stack|publish-version)$/.test(
        second,
      )
        ? `${name} ${second}`
        : undefined
    case 'argocd':
      return first === 'app' && second === 'sync' ? `${name} sync` : undefined
    case 'cap':
    case 'mina':
    case 'dep':
      return words.includes('deploy') ? `${program} deploy` : undefined
    case 'surge':
      return words.length > 0 && !/^(?:list|whoami|login|logout)$/.test(first) ? 'surge' : undefined
    default:
      return first === 'deploy' ||
        second === 'deploy' ||
        (program === 'wrangler' && first === 'publish') ||
        (program === 'sam' && first === 'sync') ||
        (program === 'kamal' && /^(?:setup|redeploy|rollback|remove)$/.test(first))
        ? `${name} ${second}`.trim()
        : undefined
  }
}
