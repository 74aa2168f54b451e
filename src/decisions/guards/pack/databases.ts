/** Databases: dropping and emptying them, and those of production. */
import { allTextOf, asksVersion, type Call, has, isDryRun, isHelp, listedBy, names } from '../call.ts'
import type { Facts, Guard } from '../guard.ts'

const SQL_CLIENTS = names(`
  psql mysql mariadb sqlite3 sqlite sqlcmd mssql-cli pgcli mycli litecli cockroach duckdb
  clickhouse-client clickhouse snowsql snow bq usql sqlplus cqlsh influx trino presto beeline hive
  isql db2 turso wrangler supabase planetscale pscale cypher-shell surreal dolt spark-sql libsql
`)

const NOSQL_CLIENTS = names(`
  mongosh mongo redis-cli valkey-cli etcdctl dropdb dropuser mysqladmin pg_restore pg_dropcluster
  consul rabbitmqctl kafka-topics kafka-topics.sh memcached-tool createdb nodetool rabbitmqadmin nats
  temporal
`)

const FRAMEWORKS = names(`
  rails rake bundle bin/rails artisan php python python3 django-admin manage.py prisma npx bunx pnpm
  yarn sequelize sequelize-cli typeorm knex alembic flyway liquibase drizzle-kit mix dotnet hasura
  diesel sqlx goose migrate dbmate medusa strapi supabase heroku fly flyctl wp drush atlas flask aerich piccolo
  yoyo sqitch phinx tern node-pg-migrate db-migrate mikro-orm migrate-mongo kysely umzug ley sea-orm-cli
  refinery pgroll reshape mvn mvnw gradle gradlew console symfony yii cake spark bun deno jet soda rel
  typeorm-ts-node-commonjs typeorm-ts-node-esm ts-node-migrate dotnet-ef migra evolve wrangler
`)

const REDIS =
  /\b(?:flushall|flushdb|shutdown|config\s+set|debug\s+segfault|script\s+flush|(?:del|unlink)\s+\*|slaveof|replicaof)\b|--eval\s+\S*(?:flush|wipe|purge|clear|delete)\w*\.lua\b|^del$/i
const KAFKA_GROUPS = /--delete\b|^(?=.*--reset-offsets)(?=.*--execute)/s

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

/** Clients that delete by words of their own, which are none of SQL. */
const DELETES: Readonly<Record<string, RegExp>> = {
  dropdb: /.+/s,
  dropuser: /.+/s,
  pg_dropcluster: /.+/s,
  mysqladmin: /\b(?:drop|shutdown)\b/,
  pg_restore: /(?:^| )(?:-\w*c\w*|--clean)(?: |$)/,
  mongorestore: /--drop\b/,
  mongoimport: /--drop\b/,
  'redis-cli': REDIS,
  'valkey-cli': REDIS,
  etcdctl: /^(?=.*\bdel\b)(?=.*--(?:prefix|from-key))/s,
  consul: /^(?=.*\bkv\s+delete\b)(?=.*-recurse)/s,
  rabbitmqctl: /\b(?:reset|force_reset|delete_vhost|delete_queue|purge_queue|delete_user)\b/,
  rabbitmqadmin: /\b(?:delete|purge)\b/,
  'kafka-topics': /--delete\b/,
  'kafka-topics.sh': /--delete\b/,
  'kafka-consumer-groups': KAFKA_GROUPS,
  'kafka-consumer-groups.sh': KAFKA_GROUPS,
  'kafka-delete-records': /--offset-json-file/,
  'kafka-delete-records.sh': /--offset-json-file/,
  'memcached-tool': /\bflush/,
  nats: /\b(?:stream|kv|consumer|object)\s+(?:rm|del|delete|purge)\b/,
  temporal: /\bnamespace\s+delete\b/,
  bq: /(?:^| )rm(?: |$)/,
  pscale: /\b(?:database|branch|db|group)\s+(?:delete|destroy)\b/,
  planetscale: /\b(?:database|branch|db|group)\s+(?:delete|destroy)\b/,
  turso: /\b(?:database|branch|db|group)\s+(?:delete|destroy)\b/,
  neonctl: /\b(?:projects|branches|databases)\s+delete\b/,
  atlas: /\b(?:clusters|projects|backups)\s+.*\bdelete\b|\bschema\s+clean\b/,
  supabase: /\bdb\s+reset\b|\bprojects\s+delete\b/,
  influx: /\bdelete\b/,
}

function dropsData(call: Call, { calls }: Facts): string | undefined {
  const { program, words } = call
  if (isHelp(call) || asksVersion(call)) return undefined
  const text = allTextOf(call)
  const deletes = Object.hasOwn(DELETES, program) ? DELETES[program] : undefined
  if (deletes?.test(text)) return `${program} ${deletes.exec(text)?.[0] ?? ''}`.trim().slice(0, 40)
  if (/^(?:redis|valkey)-cli$/.test(program))
    return listedBy(calls, call) && /(?:^| )(?:del|unlink)(?: |$)/i.test(text) ? `${program} del` : undefined
  if (program === 'duckdb' && has(call, '-readonly')) return undefined
  const script = call.command.redirects.find(
    ({ operator, target }) => operator === '<' && DROPPING_FILE.test(target.text),
  )
  if (script !== undefined) return `"${script.target.text}"`
  // Only these words of other programs are statements.
  if (OTHER_CLIENTS.includes(program) && !STATEMENT_BEHIND.test(words.join(' '))) return undefined
  const sql = withoutLiterals(withoutComments(text))
  const drop = DROPS.exec(sql)
  if (drop) return drop[0].replace(/\s+/g, ' ').slice(0, 40)
  return /^mongo/.test(program) ? undefined : wholeTable(sql)
}

/** Text in quotes is a value, unless a statement runs it. */
function withoutLiterals(sql: string): string {
  return /\b(?:execute|prepare|do)\b/i.test(sql) ? sql : sql.replace(/'[^']{0,500}'/g, "''")
}

/** Programs that hand statements to a database, among other things. */
const OTHER_CLIENTS = names('heroku wp drush rails railway fly flyctl doctl')
const STATEMENT_BEHIND =
  /\b(?:pg:psql|db query|sql:query|sqlq|sql-query|dbconsole|postgres connect|connect)\b/

const CODED = names('rails php bundle python python3 node bun deno ruby')
const ONLY_CODED: ReadonlySet<string> = new Set(CODED.filter((one) => one !== 'rails'))

/** Every row of a table, in the words of frameworks; and statements in code. */
const EVERY_ROW =
  /\.(?:delete_all|destroy_all|truncate)\b(?!\s*\(?\s*where)|(?:->|::)truncate\(|::(?:query|table)\([^()]*\)->(?:forceD|d)elete\(|\.objects\.all\(\)\.delete\(|deleteMany\(\s*(?:\{\s*\})?\s*\)|\.sync\(\s*\{\s*force:\s*true|\.drop_all\(|\bdropDatabase\(/
const EXECUTES = /\b(?:execute|executescript|exec|query|queryRaw\w*|executeRaw\w*|raw|statement|run)\b/

function dropsByCode({ program, words, command }: Call): string | undefined {
  const code = (
    command.code?.text.text ??
    (/^(?:rails|php|bundle)$/.test(program) || words.includes('shell') ? words.join(' ') : '')
  ).slice(0, MAX_SQL_CHARS)
  const found = EVERY_ROW.exec(code) ?? (EXECUTES.test(code) ? DROPS.exec(code) : null)
  return found ? `${program} runs "${found[0].slice(0, 40)}"` : undefined
}

const RESETS =
  /\b(?:db:(?:drop|reset|purge|wipe|migrate:reset|schema:load|rollback|setup|truncate_all|fresh)|migrate:(?:fresh|reset|refresh|rollback)|migrate\s+reset|db\s+push\s.{0,100}--(?:force-reset|accept-data-loss)|db\s+(?:drop|wipe|reset)|manage\.py\s+(?:flush|reset_db|sqlflush)|django-admin\s+flush|db:migrate:undo:all|schema:drop|ecto\.(?:drop|reset|rollback)|database\s+drop|database\s+reset|drizzle-kit\s+(?:drop|push\s.{0,80}--force)|ef\s+database\s+drop|downgrade\s+base|\bflyway\s+clean|dropAll|drop-all|pg:reset|site\s+empty|sql-drop|sql:drop)\b/

/** Migration tools that step back or drop, in the words of each; all that stands behind its name is looked at. */
const STEPS_BACK: Readonly<Record<string, RegExp>> = {
  alembic: /\bdowngrade\b/,
  flask: /\bdb\s+downgrade\b/,
  aerich: /\bdowngrade\b/,
  piccolo: /\bbackwards\b/,
  yoyo: /\b(?:rollback|unmark)\b/,
  sqitch: /\b(?:revert|rebase)\b/,
  phinx: /\brollback\b/,
  tern: /\bmigrate\b.*(?:-d|--destination)[= ](?:0|-\d)/,
  flyway: /\b(?:clean|undo)\b/,
  liquibase: /\b(?:dropAll|drop-all|rollback[\w-]*)\b/i,
  goose: /\s(?:reset|down|down-to|redo)(?:\s|$)/,
  migrate: /\s(?:drop|down)(?:\s|$)/,
  dbmate: /\s(?:drop|down|rollback)(?:\s|$)/,
  hasura: /--down\b|\bmigrate\s+delete\b|--type[= ]down\b/,
  diesel: /\bmigration\s+(?:revert|redo)\b|\bdatabase\s+(?:reset|drop)\b/,
  sqlx: /\bmigrate\s+revert\b|\b(?:database|db)\s+(?:drop|reset)\b/,
  'sea-orm-cli': /\bmigrate\s+(?:down|fresh|reset|refresh)\b/,
  'node-pg-migrate': /\s(?:down|redo)(?:\s|$)/,
  'db-migrate': /\s(?:down|reset|db:drop)(?:[\s:]|$)/,
  'migrate-mongo': /\sdown(?:\s|$)/,
  'mikro-orm': /\b(?:migration:(?:down|fresh)|schema:(?:drop|fresh))\b/,
  kysely: /\bmigrate:?\s?(?:down|rollback)\b/,
  umzug: /\sdown(?:\s|$)/,
  typeorm: /\b(?:schema:drop|migration:revert)\b/,
  sequelize: /\bdb:(?:migrate:undo[\w:]*|drop|seed:undo[\w:]*)/,
  knex: /\bmigrate:(?:rollback|down)\b/,
  atlas: /\b(?:migrate\s+down|schema\s+clean)\b/,
  pgroll: /\s(?:rollback|complete)(?:\s|$)/,
  soda: /\s(?:drop|reset|migrate\s+down)(?:\s|$)/,
  yii: /\bmigrate\/(?:down|fresh|redo|to)\b/,
  cake: /\bmigrations\s+rollback\b/,
  spark: /\bmigrate:(?:rollback|refresh)\b/,
  console:
    /\bdoctrine:(?:schema|database):drop\b|\bdoctrine:migrations:migrate\s+(?:first|prev|0)\b|\bdoctrine:fixtures:load\b/,
  mvn: /\b(?:flyway:(?:clean|undo)|liquibase:(?:dropAll|rollback))\b/,
  gradle: /\b(?:flyway(?:Clean|Undo)|liquibase(?:DropAll|Rollback\w*)|dropAll)\b/,
  'manage.py': /\bmigrate\s+\w+\s+(?:zero|0001\w*)\b|\b(?:flush|reset_db|sqlflush)\b/,
  rails: /\bdb:migrate:(?:down|redo)\b|\bdb:migrate\b.*\bVERSION=0\b/,
  rake: /\bdb:migrate:(?:down|redo)\b|\bdb:migrate\b.*\bVERSION=0\b/,
  ef: /\bdatabase\s+(?:drop|update\s+0)\b/,
}
const MAX_TOOL_CHARS = 2_048

const SAME_TOOL: Readonly<Record<string, string>> = {
  mvnw: 'mvn',
  gradlew: 'gradle',
  symfony: 'console',
  'django-admin': 'manage.py',
  'sequelize-cli': 'sequelize',
  'typeorm-ts-node-commonjs': 'typeorm',
  'typeorm-ts-node-esm': 'typeorm',
  'dotnet-ef': 'ef',
}

/** The tool is the program, or what an interpreter or a runner was given: `python manage.py`, `php bin/console`. */
function stepsBack({ program, words }: Call): string | undefined {
  const isRunner = /^(?:python\d?|php|npx|bunx|pnpm|yarn|bun|bundle|dotnet|mix|deno)$/.test(program)
  const runs = isRunner
    ? words.findIndex((word) => !word.startsWith('-') && !/^(?:exec|run|dlx|x)$/.test(word))
    : -1
  const name = (runs < 0 ? program : (words[runs] ?? '')).replace(/^.*\//, '')
  const tool = Object.hasOwn(SAME_TOOL, name) ? (SAME_TOOL[name] ?? name) : name
  const pattern = Object.hasOwn(STEPS_BACK, tool) ? STEPS_BACK[tool] : undefined
  const said = words.slice(runs + 1).filter((word) => !/[\n;]/.test(word))
  const found = pattern?.exec(` ${said.join(' ').slice(0, MAX_TOOL_CHARS)}`)
  return found ? `${tool} ${found[0].trim().slice(0, 40)}` : undefined
}

export const PRODUCTION = /(?:^|[^a-z0-9])(?:prod|production|prd|live)(?:[^a-z0-9]|$)/i

export const NOT_PRODUCTION = /non-?prod|pre-?prod|not-?prod|--omit=|localhost|127\.0\.0\.1/i

/** Of the call, and of the wrapper that started it. */
function variablesOf({ command }: Call, calls: Facts['calls']): Call['command']['assignments'] {
  return [...command.assignments, ...(calls[command.parent ?? -1]?.command.assignments ?? [])]
}

/** These two choose their database by that variable; others read an address, whatever it says. */
function isForTests(call: Call, calls: Facts['calls']): boolean {
  const variables = variablesOf(call, calls)
  return (
    !call.command.isRemote &&
    variables.some(({ name, value }) => /^(?:RAILS|MIX)_ENV$/.test(name) && value.text === 'test') &&
    !variables.some(({ name }) => /_UR[LI]$/.test(name))
  )
}

export const DATABASE_GUARDS: readonly Guard[] = [
  {
    id: 'database-drop',
    about: 'Dropping databases or tables, and changing every row of a table',
    standard: 'ask',
    strict: 'deny',
    instead: 'Look at it first: `psql -c "select count(*) from users"`; change named rows with WHERE.',
    programs: [
      ...new Set([...SQL_CLIENTS, ...NOSQL_CLIENTS, ...Object.keys(DELETES), ...OTHER_CLIENTS, ...CODED]),
    ],
    call: (call, facts) =>
      (CODED.includes(call.program) ? dropsByCode(call) : undefined) ??
      (ONLY_CODED.has(call.program) ? undefined : dropsData(call, facts)),
    examples: {
      match: [
        'psql -c "DROP TABLE users"',
        'psql -c "DROP TABLE users" -- --help',
        'psql -c "DROP TABLE users" -v --help',
        'mysql -e "drop database app"',
        'psql <<< "truncate users"',
        'sqlite3 app.db "DELETE FROM users"',
        'dropdb app',
        'redis-cli FLUSHALL',
        'redis-cli --eval flush.lua',
        'memcached-tool localhost flush_all',
        "psql -f <(echo 'drop table x')",
        "php artisan tinker --execute='User::truncate()'",
        'mongosh --eval "db.dropDatabase()"',
        'echo "DROP SCHEMA public CASCADE" | psql',
        'psql -c "UPDATE users SET admin = true"',
        'psql -c "delete from users where 1=1"',
        'mysqladmin drop app',
        'mongorestore --drop dump/',
        "redis-cli --scan --pattern 'x:*' | xargs redis-cli del",
        'heroku pg:psql -c "drop table users"',
        'rails runner "User.delete_all"',
        "python3 -c \"import sqlite3; sqlite3.connect('a.db').execute('DROP TABLE t')\"",
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
        'psql -f <(cat schema.sql)',
        'redis-cli --eval get.lua k',
        'memcached-tool localhost stats',
        "php artisan tinker --execute='User::find(1)->delete()'",
        'psql -c "select \'drop table users\' as text"',
        'redis-cli del session:1',
        'heroku logs --tail',
        'rails runner "puts User.count"',
        'python3 -c "print(\'DROP TABLE t\')"',
        'mongorestore dump/',
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
    call: (call, { calls }) => {
      if (isHelp(call) || isDryRun(call) || isForTests(call, calls)) return undefined
      const found = RESETS.exec(
        `${call.program} ${call.words.filter((word) => !word.includes('\n')).join(' ')}`,
      )
      return found ? found[0] : stepsBack(call)
    },
    examples: {
      match: [
        'alembic -x a=b downgrade -2',
        'RAILS_ENV=test DATABASE_URL=postgres://db.example/app rails db:reset',
        'RAILS_ENV=test heroku run rails db:reset',
        'NODE_ENV=test npx prisma migrate reset --force',
        'python3 manage.py migrate shop zero',
        'flyway -configFiles=a.conf clean',
        'goose -dir db sqlite3 a.db down',
        'migrate -path db -database x drop',
        'dbmate --url x drop',
        'npx sequelize-cli db:migrate:undo:all',
        'php bin/console doctrine:schema:drop --force',
        './gradlew flywayClean',
        'sqitch revert -y',
        'rails db:drop',
        'bundle exec rake db:reset',
        'php artisan migrate:fresh',
        'npx prisma migrate reset --force',
        'python manage.py flush',
        'mix ecto.drop',
        'alembic downgrade base',
        'heroku pg:reset DATABASE_URL',
        'prisma db push --force-reset',
        'npx drizzle-kit push --force',
      ],
      noMatch: [
        'alembic upgrade head',
        'alembic history',
        'RAILS_ENV=test rails db:reset',
        'RAILS_ENV=test bundle exec rake db:drop db:create',
        'python manage.py migrate shop',
        'python manage.py migrate shop 0042_add',
        'flyway migrate',
        'goose -dir db up',
        'migrate -path db -database x up',
        'dbmate up',
        'npx sequelize-cli db:migrate',
        './gradlew flywayMigrate',
        'yarn down',
        'mvn clean install',
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
      const variables = variablesOf(call, calls)
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
]
