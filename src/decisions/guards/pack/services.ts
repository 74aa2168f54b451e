/** What is not on this machine: databases, clouds, clusters, registries, deployments. */
import { allTextOf, type Call, has, isDryRun, isHelp, operands, options } from '../call.ts'
import type { Guard } from '../guard.ts'

const SQL_CLIENTS = [
  'psql',
  'mysql',
  'mariadb',
  'sqlite3',
  'sqlite',
  'sqlcmd',
  'mssql-cli',
  'pgcli',
  'mycli',
  'litecli',
  'cockroach',
  'duckdb',
  'clickhouse-client',
  'clickhouse',
  'snowsql',
  'snow',
  'bq',
  'usql',
  'sqlplus',
  'cqlsh',
  'influx',
  'trino',
  'presto',
  'beeline',
  'hive',
  'isql',
  'db2',
  'turso',
  'wrangler',
  'supabase',
  'planetscale',
  'pscale',
  'cypher-shell',
  'surreal',
  'dolt',
  'spark-sql',
  'libsql',
]
const NOSQL_CLIENTS = [
  'mongosh',
  'mongo',
  'redis-cli',
  'valkey-cli',
  'etcdctl',
  'dropdb',
  'dropuser',
  'mysqladmin',
  'pg_restore',
  'pg_dropcluster',
  'consul',
  'rabbitmqctl',
  'kafka-topics',
  'kafka-topics.sh',
  'memcached-tool',
  'createdb',
  'nodetool',
  'rabbitmqadmin',
  'nats',
  'temporal',
]
const FRAMEWORKS = [
  'rails',
  'rake',
  'bundle',
  'bin/rails',
  'artisan',
  'php',
  'python',
  'python3',
  'django-admin',
  'manage.py',
  'prisma',
  'npx',
  'bunx',
  'pnpm',
  'yarn',
  'sequelize',
  'sequelize-cli',
  'typeorm',
  'knex',
  'alembic',
  'flyway',
  'liquibase',
  'drizzle-kit',
  'mix',
  'dotnet',
  'hasura',
  'diesel',
  'sqlx',
  'goose',
  'migrate',
  'dbmate',
  'medusa',
  'strapi',
  'supabase',
  'heroku',
  'fly',
  'flyctl',
  'wp',
  'drush',
  'atlas',
]

const DROPS =
  /\bdrop\s{1,9}(?:database|schema|table|tablespace|user|role|keyspace|collection|index|view|materialized\s+view|owned|extension|stream|warehouse|function|type)\b|\btruncate\s{1,9}(?:table\s{1,9})?[\w"'`[.]|\balter\s{1,9}table\s{1,9}\S{1,80}\s{1,9}drop\b|\bdetach\s+delete\b|\bdropDatabase\s*\(|\.drop\s*\(\s*\)|\bdeleteMany\s*\(\s*(?:\{\s*\})?\s*\)|\.remove\s*\(\s*\{\s*\}\s*\)|\bdrop\s+continuous\b|\bgrant\s+all\b|\b(?:create|alter)\s+(?:user|role)\b|\brevoke\s+all\b/i

/** DELETE and UPDATE that name no row. Each statement is looked at by itself. */
function wholeTable(text: string): string | undefined {
  for (const statement of text.split(';')) {
    const [, verb] = /\b(delete\s+from|update)\s+[\w"'`[\].]+/i.exec(statement) ?? []
    if (verb === undefined || (/^update$/i.test(verb) && !/\bset\b/i.test(statement))) continue
    if (!/\bwhere\b|\blimit\b/i.test(statement))
      return `${verb.toUpperCase().replace(/\s+/g, ' ')} without WHERE`
    if (/\bwhere\s+(?:1\s*=\s*1|true|1)\b/i.test(statement))
      return `${verb.toUpperCase().replace(/\s+/g, ' ')} of every row`
  }
  return undefined
}

/** A comment to the end of its line; `--` in the last one is an option of the client. */
function withoutComments(text: string): string {
  const lines = text.slice(0, MAX_SQL_CHARS).split('\n')
  return lines
    .map((line, i) =>
      i < lines.length - 1 && line.includes('--') ? line.slice(0, line.indexOf('--')) : line,
    )
    .join('\n')
    .replace(/\/\*[^*]{0,500}\*\//g, ' ')
}
const DROPPING_FILE = /(?:^|[/_.-])(?:drop|wipe|truncate|reset|destroy|purge|nuke)[\w-]*\.sql$/i
const MAX_SQL_CHARS = 20_000

function dropsData(call: Call): string | undefined {
  const { program, words } = call
  if (isHelp(call) || words.includes('--version')) return undefined
  if (program === 'dropdb' || program === 'dropuser' || program === 'pg_dropcluster')
    return words.length > 0 ? program : undefined
  if (program === 'mysqladmin') return operands(call).includes('drop') ? 'mysqladmin drop' : undefined
  if (program === 'pg_restore') return has(call, '-c', '--clean') ? 'pg_restore --clean' : undefined
  const text = allTextOf(call)
  if (/^(?:redis|valkey)-cli$/.test(program))
    return /^del$|\b(?:flushall|flushdb|shutdown|config\s+set|debug\s+segfault|script\s+flush|del\s+\*|slaveof|replicaof)\b/i.test(
      text,
    )
      ? 'data of redis'
      : undefined
  if (program === 'etcdctl')
    return /\bdel\b/.test(text) && /--prefix|--from-key/.test(text) ? 'etcdctl del' : undefined
  if (program === 'consul')
    return /\bkv\s+delete\b/.test(text) && /-recurse/.test(text) ? 'consul kv delete' : undefined
  if (program === 'rabbitmqctl')
    return /\b(?:reset|force_reset|delete_vhost|delete_queue|purge_queue|delete_user)\b/.test(text)
      ? 'rabbitmqctl'
      : undefined
  if (/^kafka-topics/.test(program)) return has(call, '--delete') ? 'a topic is deleted' : undefined
  if (program === 'nats')
    return /\b(?:stream|kv|consumer|object)\s+(?:rm|del|delete|purge)\b/.test(text)
      ? 'a stream is deleted'
      : undefined
  if (program === 'temporal')
    return /\bnamespace\s+delete\b/.test(text) ? 'a namespace is deleted' : undefined
  if (
    program === 'createdb' ||
    program === 'nodetool' ||
    program === 'memcached-tool' ||
    program === 'rabbitmqadmin'
  )
    return program === 'rabbitmqadmin' && /\b(?:delete|purge)\b/.test(text) ? 'rabbitmqadmin' : undefined
  if (program === 'bq') return operands(call).includes('rm') ? 'bq rm' : undefined
  if (program === 'pscale' || program === 'planetscale' || program === 'turso')
    return /\b(?:database|branch|db|group)\s+(?:delete|destroy)\b/.test(text)
      ? `${program} deletes a database`
      : undefined
  if (program === 'supabase')
    return /\bdb\s+reset\b|\bprojects\s+delete\b/.test(text) ? 'supabase' : undefined
  if (program === 'influx')
    return /\b(?:delete|bucket\s+delete|org\s+delete)\b/.test(text) ? 'influx delete' : undefined
  if (program === 'duckdb' && has(call, '-readonly')) return undefined
  const script = call.command.redirects.find(
    ({ operator, target }) => operator === '<' && DROPPING_FILE.test(target.text),
  )
  if (script !== undefined) return `"${script.target.text}"`
  const sql = withoutComments(text)
  const drop = DROPS.exec(sql)
  if (drop) return drop[0].replace(/\s+/g, ' ').slice(0, 40)
  return /^mongo/.test(program) ? undefined : wholeTable(sql)
}

const RESETS =
  /\b(?:db:(?:drop|reset|purge|wipe|migrate:reset|schema:load|rollback|setup|truncate_all|fresh)|migrate:(?:fresh|reset|refresh|rollback)|migrate\s+reset|db\s+push\s.{0,100}--(?:force-reset|accept-data-loss)|db\s+(?:drop|wipe|reset)|manage\.py\s+(?:flush|reset_db|sqlflush)|django-admin\s+flush|db:migrate:undo:all|schema:drop|ecto\.(?:drop|reset|rollback)|database\s+drop|database\s+reset|ef\s+database\s+drop|downgrade\s+base|\bflyway\s+clean|dropAll|drop-all|pg:reset|site\s+empty|sql-drop|sql:drop)\b/

const PRODUCTION = /(?:^|[^a-z0-9])(?:prod|production|prd|live)(?:[^a-z0-9]|$)/i
const NOT_PRODUCTION = /non-?prod|pre-?prod|not-?prod|--omit=|localhost|127\.0\.0\.1/i

const CLOUD_VALUED = options(
  '--profile --region --output --query --endpoint-url --project --account --configuration --format --zone --location --subscription --resource-group -g -n -o -c --cluster --context --namespace --kubeconfig --server -s -l --selector --as --user --token --filter --name --ca-bundle --cli-input-json --color --verbosity --impersonate-service-account --billing-project --host --config --service --app -a --org --remote -r --stack -t --team --scope --cwd',
)
const KUBE = [
  'kubectl',
  'oc',
  'k3s',
  'microk8s',
  'kubectl.exe',
  'k',
  'helm',
  'helmfile',
  'argocd',
  'flux',
  'istioctl',
  'velero',
  'eksctl',
  'kops',
  'kubeadm',
  'kind',
  'minikube',
  'k3d',
  'rancher',
  'talosctl',
  'nomad',
]
const CLOUDS = [
  'aws',
  'gcloud',
  'gsutil',
  'az',
  'doctl',
  'linode-cli',
  'hcloud',
  'vultr-cli',
  'oci',
  'ibmcloud',
  'aliyun',
  'scw',
  'openstack',
  'nova',
  's3cmd',
  's5cmd',
  'mc',
  'rclone',
  'heroku',
  'fly',
  'flyctl',
  'vercel',
  'netlify',
  'railway',
  'render',
  'wrangler',
  'firebase',
  'supabase',
  'cf',
  'eb',
  'sam',
  'serverless',
  'sls',
  'amplify',
  'copilot-cli',
  'pulumi',
  'terraform',
  'tofu',
  'terragrunt',
  'cdk',
  'cdktf',
  'ansible',
  'ansible-playbook',
  'vagrant',
  'virsh',
  'proxmox',
  'qm',
  'pct',
  'lxc',
  'multipass',
  'packer',
  'databricks',
  'dbt',
  'bosh',
  'juju',
  'b2',
  'cloudflared',
  'vault',
  'consul',
  'aws-vault',
  'azcopy',
  'bcdedit',
  'vssadmin',
  'wbadmin',
]

export const SERVICE_GUARDS: readonly Guard[] = [
  {
    id: 'database-drop',
    about: 'Dropping databases or tables, and changing every row of a table',
    standard: 'ask',
    strict: 'deny',
    instead: 'Look at it first: `psql -c "select count(*) from users"`; change named rows with WHERE.',
    programs: [...SQL_CLIENTS, ...NOSQL_CLIENTS],
    call: dropsData,
    examples: {
      match: [
        'psql -c "DROP TABLE users"',
        'mysql -e "drop database app"',
        'psql <<< "truncate users"',
        'sqlite3 app.db "DELETE FROM users"',
        'dropdb app',
        'redis-cli FLUSHALL',
        'mongosh --eval "db.dropDatabase()"',
        'echo "DROP SCHEMA public CASCADE" | psql',
        'psql -c "UPDATE users SET admin = true"',
        'psql -c "delete from users where 1=1"',
        'mysqladmin drop app',
      ],
      noMatch: [
        'psql -c "select count(*) from users"',
        'sqlite3 app.db .tables',
        'psql -c "DELETE FROM users WHERE id = 3"',
        'echo "DROP TABLE users"',
        'grep -r "DROP TABLE" migrations',
        'redis-cli get x',
        'mysql -e "show tables"',
        'psql -f schema.sql',
      ],
    },
  },
  {
    id: 'database-reset',
    about: 'Frameworks that empty a database: resets, fresh migrations',
    standard: 'ask',
    strict: 'deny',
    instead: 'See what is pending: `rails db:migrate:status`.',
    programs: FRAMEWORKS,
    call: (call) => {
      if (isHelp(call) || isDryRun(call)) return undefined
      const found = RESETS.exec(
        `${call.program} ${call.words.filter((word) => !word.includes('\n')).join(' ')}`,
      )
      return found ? found[0] : undefined
    },
    examples: {
      match: [
        'rails db:drop',
        'bundle exec rake db:reset',
        'php artisan migrate:fresh',
        'npx prisma migrate reset --force',
        'python manage.py flush',
        'mix ecto.drop',
        'alembic downgrade base',
        'heroku pg:reset DATABASE_URL',
        'prisma db push --force-reset',
      ],
      noMatch: [
        'rails db:migrate',
        'php artisan migrate',
        'npx prisma migrate dev',
        'python manage.py migrate',
        'rails db:migrate:status',
        'npx prisma generate',
        'yarn test',
      ],
    },
  },
  {
    id: 'database-production',
    about: 'Databases of production',
    standard: 'ask',
    strict: 'deny',
    instead: 'Use the database of the development: `psql postgres://localhost/dev`.',
    programs: [
      ...SQL_CLIENTS,
      ...NOSQL_CLIENTS,
      ...FRAMEWORKS,
      'pg_dump',
      'pg_dumpall',
      'mysqldump',
      'mongodump',
      'mongorestore',
      'mongoimport',
    ],
    call: (call, { calls }) => {
      if (isHelp(call)) return undefined
      const variables = [
        call,
        ...(call.command.parent === undefined ? [] : [calls[call.command.parent]]),
      ].flatMap((one) => one?.command.assignments ?? [])
      const env = variables.find(
        ({ name, value }) =>
          /(?:_ENV|^ENV|ENVIRONMENT|DATABASE_URL|PGHOST|PGDATABASE|DB_HOST|DB_NAME|_URL|_URI|STAGE)$/.test(
            name,
          ) &&
          PRODUCTION.test(value.text) &&
          !NOT_PRODUCTION.test(value.text),
      )
      const isClient =
        SQL_CLIENTS.includes(call.program) ||
        NOSQL_CLIENTS.includes(call.program) ||
        /dump|mongo/.test(call.program)
      if (
        env &&
        (isClient ||
          /\b(?:db|migrat|schema|seed|console|shell|runner|flush|loaddata|ecto)\w*/.test(
            call.words.join(' '),
          ))
      )
        return `${env.name} is production`
      if (!isClient)
        return /(?:--(?:env|environment|database|config|stage|target)[= ]\S*prod|-e\s+prod)/i.test(
          call.words.join(' '),
        ) && /\b(?:db|migrat|schema|seed|ecto)\w*/.test(call.words.join(' '))
          ? 'the environment is production'
          : undefined
      const word = call.words
        .filter(
          (one, i) =>
            !/\s/.test(one) && !/^(?:-c|-e|--command|--execute|--eval)$/.test(call.words[i - 1] ?? ''),
        )
        .find(
          (one) =>
            PRODUCTION.test(one) && !NOT_PRODUCTION.test(one) && !/\.(?:sql|txt|json|ya?ml|md)$/.test(one),
        )
      return word === undefined ? undefined : `"${word.replace(/:[^:@/]*@/, ':…@')}" is production`
    },
    examples: {
      match: [
        'psql postgres://prod-db.example/app',
        'RAILS_ENV=production rails db:migrate',
        'mysql -h prod.example -e "select 1"',
        'psql "$DB" -h db.production.example',
        'mongosh mongodb://live.example/app',
        'NODE_ENV=production npx prisma migrate deploy',
        'pg_dump -h prod-db app',
      ],
      noMatch: [
        'psql postgres://localhost/dev',
        'RAILS_ENV=test rails db:migrate',
        'NODE_ENV=production yarn build',
        'psql -d products',
        'psql -c "select * from production"',
        'psql -h nonprod.example',
      ],
    },
  },
  {
    id: 'cloud-delete',
    about:
      'Deleting machines, buckets, stacks and accounts in a cloud; infrastructure applied without review',
    standard: 'ask',
    strict: 'deny',
    instead: 'See what would change: `terraform plan`, `aws s3 ls`.',
    programs: CLOUDS,
    call: (call) =>
      isHelp(call) || isDryRun(call) || call.words.at(-1) === 'help' ? undefined : cloudDelete(call),
    examples: {
      match: [
        'terraform destroy',
        'terraform apply -auto-approve',
        'aws ec2 terminate-instances --instance-ids i-1',
        'aws s3 rm s3://b --recursive',
        'aws s3 rb s3://b --force',
        'gcloud projects delete p',
        'az group delete -n rg',
        'gsutil -m rm -r gs://b',
        'pulumi destroy --yes',
        'heroku apps:destroy x',
        'aws rds delete-db-instance --db-instance-identifier x',
        'gcloud compute instances delete x',
        'cdk destroy',
        'doctl compute droplet delete 1',
        'rclone purge r:b',
        'fly apps destroy x',
        'aws cloudformation delete-stack --stack-name x',
        'terraform state rm x',
        'tofu destroy',
        'vagrant destroy -f',
      ],
      noMatch: [
        'terraform plan',
        'aws s3 ls',
        'aws ec2 describe-instances',
        'gcloud compute instances list',
        'az --query delete vm show',
        'gcloud --project delete compute instances list',
        'aws s3 cp x s3://b/x',
        'terraform plan -destroy -out p',
        'aws s3 rm help',
        'aws s3 rm s3://b --recursive --dryrun',
        'pulumi preview',
        'terraform fmt',
      ],
    },
  },
  {
    id: 'cluster-delete',
    about: 'Deleting or draining what runs in a cluster',
    standard: 'ask',
    strict: 'ask',
    instead: 'Look at it first: `kubectl get all`, or try it: `kubectl delete pod web --dry-run=client`.',
    programs: KUBE,
    call: (call) => (isHelp(call) || isDryRun(call) ? undefined : clusterDelete(call)),
    examples: {
      match: [
        'kubectl delete namespace prod',
        'kubectl delete pods --all',
        'kubectl -n x delete deploy web',
        'helm uninstall app',
        'kubectl drain node1 --force',
        'kubectl delete -f app.yaml',
        'kubectl scale deploy web --replicas=0',
        'kubectl replace --force -f x.yaml',
        'eksctl delete cluster x',
        'helm delete app',
        'argocd app delete x',
      ],
      noMatch: [
        'kubectl get all',
        'kubectl delete pod web --dry-run=client',
        'kubectl --context delete get pods',
        'helm list',
        'kubectl apply -f x.yaml',
        'kubectl logs delete-me',
        'kubectl scale deploy web --replicas=3',
        'helm upgrade app .',
        'kubectl describe pod x',
      ],
    },
  },
  {
    id: 'publish',
    about: 'Publishing packages, images and releases, or taking them back',
    standard: 'ask',
    strict: 'ask',
    instead: 'Try it without publishing: `npm publish --dry-run`, `cargo publish --dry-run`.',
    programs: [
      'npm',
      'pnpm',
      'yarn',
      'bun',
      'npx',
      'cargo',
      'twine',
      'poetry',
      'uv',
      'flit',
      'hatch',
      'pdm',
      'gem',
      'mvn',
      'mvnw',
      'gradle',
      'gradlew',
      'docker',
      'podman',
      'helm',
      'dotnet',
      'nuget',
      'gh',
      'glab',
      'pod',
      'vsce',
      'ovsx',
      'mix',
      'dart',
      'flutter',
      'goreleaser',
      'lerna',
      'semantic-release',
      'release-it',
      'changeset',
      'jsr',
      'deno',
      'python',
      'python3',
      'conan',
      'sbt',
      'crane',
      'skopeo',
      'oras',
      'np',
      'rake',
      'luarocks',
      'cpan-upload',
      'hex',
      'opam',
      'stack',
      'cabal',
      'snapcraft',
      'fastlane',
      'setup.py',
      'bundle',
      'lein',
      'clojars',
      'nx',
      'turbo',
      'wasm-pack',
    ],
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
        'npm deprecate x "old"',
        'npm dist-tag add x@1 latest',
      ],
      noMatch: [
        'npm publish --dry-run',
        'cargo publish --dry-run',
        'npm pack',
        'npm run build',
        'docker pull x',
        'gh release list',
        'mvn package',
        'poetry build',
        'npm test',
        'docker build -t x .',
        'twine check dist/*',
        'npm install publish',
      ],
    },
  },
  {
    id: 'deploy',
    about: 'Deploying to production',
    standard: 'ask',
    strict: 'ask',
    instead: 'Build it and stop there: `npm run build`.',
    programs: [
      'vercel',
      'netlify',
      'fly',
      'flyctl',
      'firebase',
      'wrangler',
      'serverless',
      'sls',
      'sam',
      'eb',
      'gcloud',
      'heroku',
      'railway',
      'cap',
      'kamal',
      'cdk',
      'ansible-playbook',
      'npm',
      'yarn',
      'pnpm',
      'make',
      'bun',
      'git',
      'argocd',
      'copilot-cli',
      'dokku',
      'surge',
      'amplify',
      'cf',
      'deployctl',
      'render',
      'mina',
      'dep',
      'just',
      'task',
      'nixos-rebuild',
    ],
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
      ],
    },
  },
]

function cloudDelete(call: Call): string | undefined {
  const { program, words } = call
  const ops = operands(call, CLOUD_VALUED)
  const [first = '', second = '', third = ''] = ops
  const name = (text: string) => `${program} ${text}`.trim()
  switch (program) {
    case 'terraform':
    case 'tofu':
    case 'terragrunt':
    case 'cdktf': {
      const verb =
        ops.find((word) =>
          /^(?:apply|destroy|state|workspace|plan|taint|untaint|force-unlock|run-all|import|init|fmt|validate|show|output)$/.test(
            word,
          ),
        ) ?? first
      const isAuto = words.some(
        (word) => /^--?auto-approve/.test(word) || word === '--terragrunt-non-interactive',
      )
      if (verb === 'destroy' || (ops.includes('destroy') && verb === 'run-all')) return name('destroy')
      if (verb === 'apply')
        return isAuto || words.some((word) => /^--?destroy$/.test(word))
          ? name('apply without review')
          : undefined
      if (verb === 'state')
        return /^(?:rm|push|mv|replace-provider)$/.test(ops[ops.indexOf('state') + 1] ?? '')
          ? name('state')
          : undefined
      if (verb === 'workspace') return ops.includes('delete') ? name('workspace delete') : undefined
      return /^(?:taint|force-unlock)$/.test(verb) ? name(verb) : undefined
    }
    case 'aws':
      if (first === 's3') {
        if (second === 'rb') return name('s3 rb')
        if (second === 'rm') return name('s3 rm')
        if (second === 'sync') return has(call, '--delete') ? name('s3 sync --delete') : undefined
        return second === 'mv' && has(call, '--recursive') ? name('s3 mv') : undefined
      }
      return /^(?:delete|terminate|remove|deregister|purge|stop-instances|stop-db|reset|revoke|disable|detach|cancel|destroy|batch-delete|schedule-key-deletion|release|put-bucket-policy|put-public-access-block|modify-db|reboot|empty|restore-db|put-bucket-acl|attach-user-policy|attach-role-policy|put-user-policy|create-access-key|authorize-security-group|leave-organization|close-account|disassociate|unassign)/.test(
        second,
      )
        ? name(`${first} ${second}`)
        : undefined
    case 'gcloud': {
      const verb = ops.find(
        (word, i) =>
          i > 0 &&
          /^(?:delete|destroy|remove|stop|reset|disable|undelete|abandon-instances|remove-iam-policy-binding|set-iam-policy|rm|purge)$/.test(
            word,
          ),
      )
      return verb === undefined ||
        ops.some((word, i) => i > 0 && i < ops.indexOf(verb) && /^(?:list|describe|get)$/.test(word))
        ? undefined
        : name(`${first} ${verb}`)
    }
    case 'gsutil':
      if (ops.includes('rm') || ops.includes('rb')) return name('rm')
      return ops.includes('rsync') && has(call, '-d') ? name('rsync -d') : undefined
    case 'az': {
      const verb = ops.find(
        (word, i) =>
          i > 0 && /^(?:delete|purge|remove|delete-batch|deallocate|stop|destroy|reset)$/.test(word),
      )
      return verb === undefined ? undefined : name(`${first} ${verb}`)
    }
    case 'rclone':
      if (/^(?:purge|delete|deletefile|rmdirs|cleanup)$/.test(first)) return name(first)
      return /^(?:sync|move)$/.test(first) ? name(first) : undefined
    case 'azcopy':
      return first === 'remove' ||
        (first === 'sync' && words.some((word) => /delete-destination=true/.test(word)))
        ? name(first)
        : undefined
    case 'mc':
      if (/^(?:rm|rb)$/.test(first)) return name(first)
      return first === 'mirror' && has(call, '--remove') ? name('mirror --remove') : undefined
    case 's3cmd':
    case 's5cmd':
    case 'b2':
      return /^(?:del|rm|rb|delete-bucket|delete-file-version)$/.test(first) ||
        (first === 'sync' && words.some((word) => /^--delete/.test(word)))
        ? name(first)
        : undefined
    case 'pulumi':
      if (/^(?:destroy|down|dn)$/.test(first)) return name('destroy')
      if (first === 'up' || first === 'update')
        return has(call, '-y', '--yes', '--skip-preview') ? name('up without review') : undefined
      return (first === 'stack' && second === 'rm') || (first === 'state' && second === 'delete')
        ? name(`${first} ${second}`)
        : undefined
    case 'heroku':
      return /:(?:destroy|delete|reset|remove|rollback|unset)$|^(?:pg:reset|ps:stop|maintenance:on)$/.test(
        first,
      )
        ? name(first)
        : undefined
    case 'netlify':
    case 'firebase':
      return /:(?:delete|disable|remove|rm)$/.test(first) ? name(first) : undefined
    case 'vercel':
      return /^(?:rm|remove)$/.test(first) || /^(?:rm|remove)$/.test(second) ? name('remove') : undefined
    case 'wrangler':
      return first === 'delete' || /^(?:delete|purge)$/.test(second) || /^(?:delete|purge)$/.test(third)
        ? name('delete')
        : undefined
    case 'vssadmin':
      return first === 'delete' ? name('delete shadows') : undefined
    case 'wbadmin':
      return first === 'delete' ? name('delete') : undefined
    case 'bcdedit':
      return words.some((word) => /^\/(?:set|delete)/i.test(word)) ? name('/set') : undefined
    case 'ansible': {
      const args = words.join(' ')
      return /\bstate=absent\b|-m\s+(?:shell|command|raw)|\brm\s+-/.test(args) &&
        /state=absent|rm\s+-r/.test(args)
        ? name('state=absent')
        : undefined
    }
    case 'ansible-playbook':
      return undefined
    case 'serverless':
    case 'sls':
      return first === 'remove' ? name('remove') : undefined
    case 'dbt':
      return has(call, '--full-refresh') ? name('--full-refresh') : undefined
    case 'virsh':
      return /^(?:destroy|undefine|vol-delete|pool-delete|snapshot-delete|net-destroy)$/.test(first)
        ? name(first)
        : undefined
    case 'lxc':
    case 'multipass':
      return /^(?:delete|purge|rm)$/.test(first) ? name(first) : undefined
    case 'vault':
      return (first === 'kv' &&
        /^(?:delete|destroy|metadata)$/.test(second) &&
        (second !== 'metadata' || third === 'delete')) ||
        first === 'delete' ||
        (first === 'secrets' && second === 'disable') ||
        (first === 'operator' && /^(?:seal|rekey|step-down)$/.test(second)) ||
        (first === 'lease' && second === 'revoke')
        ? name(`${first} ${second}`)
        : undefined
    default:
      return [first, second, third].some((word) =>
        /^(?:delete|destroy|remove|rm|terminate|purge|teardown|down|unpublish|delete-.*|decommission)$/.test(
          word,
        ),
      ) &&
        !/^(?:list|ls|show|get|describe|info|status)$/.test(second) &&
        first !== 'help'
        ? name(`${first} ${second}`)
        : undefined
  }
}

function clusterDelete(call: Call): string | undefined {
  const { program } = call
  const words =
    /^(?:k3s|microk8s|minikube)$/.test(program) && call.words[0] === 'kubectl'
      ? call.words.slice(1)
      : call.words
  const at = { ...call, words }
  const [first = '', second = ''] = operands(at, CLOUD_VALUED)
  const name = `${program} ${first} ${second}`.trim()
  if (/^(?:kubectl|kubectl\.exe|oc|k|k3s|microk8s)$/.test(program)) {
    if (/^(?:delete|drain|cordon|evict|taint)$/.test(first)) return name
    if (first === 'scale')
      return words.some(
        (word, i) => word === '--replicas=0' || (word === '--replicas' && words[i + 1] === '0'),
      )
        ? name
        : undefined
    if (first === 'replace') return has(at, '--force') ? name : undefined
    if (first === 'patch') return /finalizers/.test(words.join(' ')) ? name : undefined
    if (first === 'apply')
      return has(at, '--prune') || (has(at, '--force') && !words.includes('--force-conflicts'))
        ? name
        : undefined
    if (first === 'rollout') return second === 'undo' ? name : undefined
    if (first === 'auth') return undefined
    if (first === 'create' && /^(?:clusterrolebinding|token)$/.test(second))
      return /cluster-admin/.test(words.join(' ')) ? name : undefined
    return first === 'config' && /^(?:delete|unset)/.test(second) ? name : undefined
  }
  if (program === 'helm') return /^(?:uninstall|delete|del|un|rollback)$/.test(first) ? name : undefined
  if (program === 'helmfile') return /^(?:destroy|delete)$/.test(first) ? name : undefined
  if (program === 'kubeadm') return first === 'reset' ? name : undefined
  if (program === 'talosctl') return /^(?:reset|shutdown|reboot|wipe)$/.test(first) ? name : undefined
  if (program === 'nomad')
    return (first === 'job' && second === 'stop') ||
      first === 'stop' ||
      (first === 'system' && second === 'gc') ||
      (first === 'node' && second === 'drain')
      ? name
      : undefined
  if (program === 'kind' || program === 'minikube' || program === 'k3d') return undefined
  if (program === 'istioctl') return first === 'uninstall' || second === 'uninstall' ? name : undefined
  if (program === 'flux') return /^(?:uninstall|delete)$/.test(first) ? name : undefined
  return first === 'delete' || second === 'delete' ? name : undefined
}

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
      return first === 'run' && /^(?:publish|release)(?::|$)/.test(second) ? `${name} ${second}` : undefined
    case 'yarn':
      return first === 'publish' ||
        (first === 'npm' && second === 'publish') ||
        (/^(?:run)$/.test(first) ? /^(?:publish|release)(?::|$)/.test(second) : first === 'release')
        ? name
        : undefined
    case 'npx':
    case 'bundle':
    case 'nx':
    case 'turbo':
      return words.some((word) => /^(?:semantic-release|release-it|np)$/.test(word)) ||
        (/^(?:lerna|changeset|vsce|ovsx|jsr|nx|turbo|exec)$/.test(first) &&
          /^(?:publish|release)/.test(second))
        ? `${name} ${second}`.trim()
        : undefined
    case 'cargo':
      return /^(?:publish|yank|owner|release)$/.test(first) &&
        (first !== 'release' || has(call, '-x', '--execute'))
        ? name
        : undefined
    case 'twine':
      return first === 'upload' || first === 'register' ? name : undefined
    case 'poetry':
    case 'uv':
    case 'flit':
    case 'hatch':
    case 'pdm':
    case 'vsce':
    case 'ovsx':
    case 'jsr':
    case 'deno':
    case 'lerna':
    case 'changeset':
    case 'wasm-pack':
      return first === 'publish' || first === 'unpublish' ? name : undefined
    case 'gem':
      return /^(?:push|yank|owner)$/.test(first) ? name : undefined
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
      return first === 'push' ||
        ((first === 'image' || first === 'manifest' || first === 'compose') && second === 'push') ||
        ((first === 'buildx' || first === 'build') && has(call, '--push'))
        ? name
        : undefined
    case 'helm':
      return first === 'push' || first === 'cm-push' ? name : undefined
    case 'dotnet':
    case 'nuget':
      return first === 'push' || (first === 'nuget' && /^(?:push|delete)$/.test(second)) ? name : undefined
    case 'gh':
    case 'glab':
      return (first === 'release' && /^(?:create|edit|upload)$/.test(second)) ||
        (first === 'gist' && second === 'create' && has(call, '-p', '--public'))
        ? `${name} ${second}`
        : undefined
    case 'pod':
      return (first === 'trunk' && second === 'push') || (first === 'repo' && second === 'push')
        ? name
        : undefined
    case 'mix':
    case 'hex':
      return /^hex\.(?:publish|retire)$|^publish$/.test(first) ? name : undefined
    case 'dart':
    case 'flutter':
      return words.includes('pub') && words.includes('publish') ? `${program} pub publish` : undefined
    case 'goreleaser':
      return first === 'release' || first === 'publish' ? name : undefined
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
    case 'rake':
      return first === 'release' ? name : undefined
    case 'skopeo':
    case 'crane':
    case 'oras':
      return /^(?:copy|push|delete)$/.test(first) && (first !== 'copy' || /^docker:/.test(ops[2] ?? ''))
        ? name
        : undefined
    case 'sbt':
      return ops.some((task) => /publish(?!Local|M2)|sonatypeRelease/i.test(task)) ? 'sbt publish' : undefined
    case 'conan':
    case 'luarocks':
    case 'snapcraft':
    case 'stack':
    case 'cabal':
      return /^(?:upload|push|release)$/.test(first) ? name : undefined
    case 'fastlane':
      return /^(?:deliver|pilot|supply|release|upload_to\w*|beta)$/.test(second) ||
        /^(?:deliver|pilot|supply|release|beta)$/.test(first)
        ? name
        : undefined
    case 'lein':
      return first === 'deploy' ? name : undefined
    case 'opam':
      return first === 'publish' ? name : undefined
    default:
      return undefined
  }
}

function deploys(call: Call): string | undefined {
  const { program, words } = call
  const [first = '', second = ''] = operands(
    call,
    options(
      '-C --cwd -f --file -a --app -c --config --project -i --inventory -l --limit -e --extra-vars -t --tags --prefix --filter',
    ),
  )
  const name = `${program} ${first}`.trim()
  switch (program) {
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun':
      return /^deploy(?:$|:)(?!.*(?:check|preview|dry))/.test(
        first === 'run' ? second : program === 'yarn' ? first : '',
      )
        ? `${name} ${second}`.trim()
        : undefined
    case 'make':
    case 'just':
    case 'task':
      return words.some((word) =>
        /^(?:deploy|release|publish|ship|rollout|prod|production)(?:$|[-_:])/.test(word),
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
    case 'argocd':
      return first === 'app' && second === 'sync' ? `${name} sync` : undefined
    case 'heroku':
      return /^(?:pipelines:promote|releases:rollback|container:release)$/.test(first) ? name : undefined
    case 'nixos-rebuild':
      return /^(?:switch|boot)$/.test(first) ? name : undefined
    case 'cap':
    case 'mina':
    case 'dep':
      return words.includes('deploy') ? `${program} deploy` : undefined
    case 'surge':
      return words.length > 0 && !/^(?:list|whoami|login|logout)$/.test(first) ? 'surge' : undefined
    case 'amplify':
    case 'copilot-cli':
      return /^(?:push|publish|deploy)$/.test(first) || second === 'deploy' ? name : undefined
    case 'cf':
      return first === 'push' ? name : undefined
    case 'railway':
      return first === 'up' || first === 'deploy' ? name : undefined
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
