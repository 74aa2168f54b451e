/**
 * Options whose value is the next word, by program, or by program and verb: what looks like a flag there is none, as in
 * `git push --force -o -n`. A row lists only what surely takes a value, else the word behind it would be overlooked.
 */
const ROWS = `
  git: -C -c --git-dir --work-tree --namespace --config-env --super-prefix --attr-source
  git push: -o --push-option --repo --receive-pack --exec --recurse-submodules
  git send-pack: --push-option --remote --receive-pack --exec
  git clean: -e --exclude
  git reset: --pathspec-from-file
  git checkout: -b -B --orphan --conflict --pathspec-from-file
  git switch: -c -C --create --force-create --orphan --conflict
  git restore: -s --source --conflict --pathspec-from-file
  git branch: -u --set-upstream-to --sort --points-at --format
  git tag: -m --message -F --file -u --local-user --cleanup --sort --format --points-at --trailer
  git rm: --pathspec-from-file
  git stash: -m --message --pathspec-from-file
  git worktree: -b -B --reason --expire
  git commit: -m --message -F --file -C -c --reuse-message --reedit-message --fixup --squash --author --date -t --template --cleanup --trailer --pathspec-from-file
  git merge: -m -F --file -s --strategy -X --strategy-option --into-name --cleanup
  git rebase: -s --strategy -X --strategy-option -x --exec --onto --whitespace
  git cherry-pick, git revert: -m --mainline -s --strategy -X --strategy-option --cleanup
  git pull, git fetch: -o --server-option --upload-pack --depth --deepen --shallow-since --shallow-exclude -j --jobs --refmap --negotiation-tip -s --strategy -X --strategy-option
  git config: -f --file --blob -t --type --default --value --comment --url
  git update-ref, git symbolic-ref: -m
  git prune, git reflog: --expire --expire-unreachable
  git read-tree: --prefix --index-output --exclude-per-directory
  git filter-branch: --setup --subdirectory-filter --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter --original --state-branch -d
  git remote: -t --track -m --master
  kubectl, kubectl.exe, oc, k: -n --namespace --context --cluster --kubeconfig -s --server --user --token --as --as-group -l --selector -o --output -f --filename -k --kustomize --field-selector --grace-period --timeout --request-timeout --cache-dir --certificate-authority --client-certificate --client-key --tls-server-name -v --v --type --replicas --field-manager --template
  helm: -n --namespace --kube-context --kubeconfig --kube-apiserver --kube-token --kube-as-user --kube-as-group -f --values --set --set-string --set-file --set-json --set-literal --version --timeout --description --history-max --repo --post-renderer --username --password --ca-file --cert-file --key-file --keyring
  terraform, tofu, terragrunt, cdktf: -var -var-file -target -replace -state -state-out -backup -lock-timeout -parallelism -out -plugin-dir --var --var-file --target --replace --state --state-out --backup --lock-timeout --parallelism --out
  npm: --tag --access --registry --otp -w --workspace --prefix --userconfig --cache --loglevel
  pnpm: --tag --access --registry --otp -F --filter -C --dir --publish-branch --loglevel
  yarn, bun: --tag --access --registry --otp --cwd --new-version
  cargo: --manifest-path -p --package --registry --index --token -Z --config --color -F --features --target --target-dir -j --jobs -C
  twine: -r --repository --repository-url -u --username -p --password -c --comment --config-file --cert --client-cert -i --identity --sign-with
  aws: --profile --region --output --query --endpoint-url --ca-bundle --cli-input-json --color --cli-read-timeout --cli-connect-timeout --exclude --include --filter --filters
  gcloud: --project --account --configuration --format --filter --zone --region --location --verbosity --labels --impersonate-service-account --billing-project --flags-file
  az: -g --resource-group -n --name -o --output -l --location --subscription --query --ids
  psql: -c --command -d --dbname -f --file -v --set --variable -L --log-file -o --output -F --field-separator -P --pset -R --record-separator -T --table-attr -h --host -p --port -U --username
  dropdb, dropuser, createdb: -h --host -p --port -U --username --maintenance-db
  mysql, mariadb, mysqladmin: -e --execute -h --host -P --port -u --user -D --database -S --socket --defaults-file --default-character-set --protocol --delimiter
  redis-cli, valkey-cli: -h -p -s -a -u -n -r -i --user --pass --cacert --cert --key --sni
  mongosh, mongo: -u --username -p --password --host --port --eval -f --file --authenticationDatabase --authenticationMechanism
  docker, podman, nerdctl: -H --host -c --context -l --log-level --config --filter
  docker-compose, podman-compose: -H --host -c --context -f --file -p --project-name --profile --env-file --project-directory -t --timeout
  docker compose, podman compose, nerdctl compose: -f --file -p --project-name --profile --env-file --project-directory -t --timeout
  gh: -R --repo --hostname -X --method -F --field --raw-field --jq -q
  systemctl: -H --host -M --machine -t --type -p --property -s --signal -n --lines -o --output --root --job-mode --kill-whom --kill-who
  apt, apt-get, aptitude: -o --option -c --config-file -t --target-release --default-release --host-architecture
  dnf, yum: --setopt --installroot --releasever --enablerepo --disablerepo --repo -x --exclude -c --config
  rsync: -e --rsh --rsync-path --exclude --include --exclude-from --include-from --files-from -f --filter -T --temp-dir --backup-dir --suffix -B --block-size --bwlimit --port --timeout --password-file --log-file --out-format --partial-dir --compare-dest --copy-dest --link-dest -M --remote-option --max-delete --max-size --min-size
  restic: -r --repo --repository-file -p --password-file --password-command -o --option --cache-dir --host --tag --path
`
const NONE: ReadonlySet<string> = new Set()

const VALUED: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  ROWS.trim()
    .split('\n')
    .flatMap((row) => {
      const [names = '', list = ''] = row.trim().split(': ', 2)
      const valued = new Set(list.split(' '))
      return names.split(', ').map((name) => [name, valued] as const)
    }),
)

/** `known`: of the program, where the verb has no row of its own. */
export function valuedOf(name: string, known = NONE): ReadonlySet<string> {
  return VALUED.get(name) ?? known
}

/** As git and getopt take it: a long one may be abbreviated. */
export function takesNext(word: string, valued: ReadonlySet<string>): boolean {
  if (valued.has(word)) return true
  if (!/^--[a-z]/.test(word) || word.includes('=')) return false
  for (const one of valued) if (one.startsWith(word)) return true
  return false
}
