/** Losses inside of the project: folders of sources, sources by a pattern, files that are emptied. */
import type { FileEffect } from '../../../shell/index.ts'
import { type Call, has, namedBy, names, operands } from '../call.ts'
import { mayBe } from '../globs.ts'
import type { Facts, Guard } from '../guard.ts'
import { effectsBy, isAllNames, isFiltered, locationOf, maybeOutside, projectOf, shown } from '../paths.ts'
import { isProjectSecret } from '../secret-files.ts'

/** Folders in which people keep what they write. What is not here may be deleted without a question. */
const SOURCES: ReadonlySet<string> = new Set(
  names(`
    src source sources app apps lib libs package packages pkg crates cmd internal include modules core common
    shared api server client backend frontend web services components controllers models views pages routes
    handlers middleware utils helpers hooks store schema schemas types test tests spec specs __tests__ e2e
    features fixtures docs doc documentation wiki content posts notebooks config configs settings scripts
    script tools migrations migration db database prisma sql data datasets assets resources styles i18n
    locales templates infra infrastructure terraform ansible k8s kubernetes helm charts deploy deployment
    proto protos examples .github .gitlab .circleci .vscode .husky .devcontainer
  `),
)

/** What a build makes again. */
const ARTEFACT =
  /^(?:node_modules|bower_components|dist[\w.-]*|build[\w.-]*|out|output|target|coverage|htmlcov|bin|obj|vendor|tmp|temp|logs?|cache|\.[\w.-]*cache|\.next|\.nuxt|\.output|\.turbo|\.svelte-kit|\.vite|\.angular|\.expo|\.parcel-cache|\.gradle|\.terraform|\.serverless|\.venv|venv|env|__pycache__|__snapshots__|site|_site|storybook-static|public|generated|gen|__generated__|\.tox|\.nox|\.eggs|.*\.egg-info|DerivedData|Pods|cmake-build-.*|zig-out|_build|deps|release|debug|reports?|test-results|playwright-report|worktrees|\.worktrees|\.git|\.idea)$/i

const SOURCE_FILE =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kts?|scala|cc?|cpp|cxx|hh?|hpp|cs|fs|php|swift|mm?|exs?|erl|hs|mli?|clj|lua|pl|pm|sh|sql|vue|svelte|astro|css|scss|html|md|mdx|rst|ya?ml|toml|tf|proto|ipynb|dart|zig|nim|r|jl)$|(?:^|\/)(?:package|tsconfig|composer|deno)\.json$|(?:^|\/)(?:Makefile|Dockerfile|Gemfile|Rakefile|go\.mod|\.gitignore)$/i
/** Patterns that mostly name what a compiler wrote. */
const MADE_FILE =
  /(?:\.d\.ts|\.map|\.min\.\w+|\.generated\.\w+|\.gen\.\w+|\.pb\.\w+|\.snap|_pb2\.py|\*\.js|\*\.css|\*\.html|(?:\.orig|\.bak|\.tmp|\.old)\*?|\.(?:test|spec|stories)\.\*?)$/i
const GLOB = /[*?[]/

/** The folders and the name of a path inside of the project. */
function partsOf({ path }: FileEffect, { place }: Facts): readonly string[] | undefined {
  const project = projectOf(place)
  return project !== undefined && path.startsWith(`${project}/`)
    ? path.slice(project.length + 1).split('/')
    : undefined
}

/** A whole folder of sources, or all sources of a kind. */
function isSourceLoss(effect: FileEffect, facts: Facts): boolean {
  const parts = partsOf(effect, facts)
  if (parts === undefined || parts.some((part) => ARTEFACT.test(part))) return false
  const named = parts.filter((part) => !isAllNames(part))
  const last = named.at(-1) ?? ''
  const isWhole = effect.recursive || named.length < parts.length
  if (isWhole && !GLOB.test(last)) return SOURCES.has(last.toLowerCase())
  if (effect.recursive && !parts.includes('**') && mayBeSources(last)) return true
  return GLOB.test(last) && /^\*/.test(last) && SOURCE_FILE.test(last) && !MADE_FILE.test(last)
}

function mayBeSources(glob: string): boolean {
  const start = /^[\w.-]*/.exec(glob)?.[0] ?? ''
  const end = /[\w.-]*$/.exec(glob)?.[0] ?? ''
  for (const folder of SOURCES)
    if (folder.startsWith(start) && folder.endsWith(end) && mayBe(glob, folder)) return true
  return false
}

function lostSources(facts: Facts): string | undefined {
  const { effects, calls, place } = facts
  for (const effect of effects.deletes) {
    const program = calls[effect.command]?.program
    const isMany = effect.recursive || program === 'mv' || GLOB.test(effect.path)
    if (!isMany && !effect.path.includes('.env')) continue
    if (program === 'git' || program === undefined) continue
    const isAway = () => effectsBy(maybeOutside(effects.writes, facts), effect.command).length > 0
    if (program === 'mv' && !isAway()) continue
    if (isMany && isSourceLoss(program === 'mv' ? { ...effect, recursive: true } : effect, facts))
      return `${shown(effect)} holds sources`
    if (
      /\.env[\w.-]*$/.test(effect.path) &&
      isProjectSecret(effect) &&
      locationOf(effect, place) === 'inside'
    )
      return `${shown(effect)} is in no commit`
  }
  return undefined
}

/** `mv src /tmp/ && rm -rf /tmp/src` */
function movedAway(facts: Facts): string | undefined {
  const { effects, calls } = facts
  const lastDelete = new Map(effects.deletes.map(({ path, command }) => [path, command]))
  for (const moved of effects.deletes) {
    if (calls[moved.command]?.program !== 'mv') continue
    const to = effectsBy(effects.writes, moved.command)[0]?.path ?? ''
    const there = `${to}/${moved.path.slice(moved.path.lastIndexOf('/') + 1)}`
    const gone = Math.max(lastDelete.get(to) ?? -1, lastDelete.get(there) ?? -1)
    if (to !== '' && gone > moved.command && isSourceLoss({ ...moved, recursive: true }, facts))
      return `${shown(moved)} is moved, then deleted`
  }
  return undefined
}

/** `ls src/*.py | xargs rm`, `fd -e py -x rm` */
function listedSources({ calls }: Facts): string | undefined {
  for (const call of calls) {
    if (call.program !== 'rm') continue
    const walker = calls[call.command.parent ?? -1]
    const words =
      walker?.program === 'fd'
        ? walker.words.flatMap((word, i) =>
            /^(?:-e|--extension)$/.test(walker.words[i - 1] ?? '') ? `*.${word}` : [],
          )
        : (namedBy(calls, call)?.words ?? [])
    const found = words.find(
      (word) =>
        /(?:^|\/)\*[^/]*$/.test(word) &&
        SOURCE_FILE.test(word) &&
        !MADE_FILE.test(word) &&
        !word.split('/').some((part) => ARTEFACT.test(part)),
    )
    if (found !== undefined) return `"${found}" are sources`
  }
  return undefined
}

/** Nothing is written into what is opened for writing, or only what git prints: `> file`, `: | tee file`, `truncate -s 0 file`. */
function emptied(facts: Facts): string | undefined {
  const { effects, calls } = facts
  const emptiedBy = new Map<Call, ReadonlySet<string>>()
  for (const effect of effects.writes) {
    const call = calls[effect.command]
    if (call === undefined) continue
    const files = emptiedBy.get(call) ?? filesEmptiedBy(call)
    emptiedBy.set(call, files)
    if (!files.has(effect.text)) continue
    if (partsOf(effect, facts)?.some((part) => ARTEFACT.test(part)) !== false) continue
    if (SOURCE_FILE.test(effect.path) || isProjectSecret(effect)) return `${shown(effect)} is emptied`
    if (GLOB.test(effect.path) && effect.path.endsWith('*') && !isFiltered(effect, facts))
      return `${shown(effect)} are emptied`
  }
  return undefined
}

function filesEmptiedBy(call: Call): ReadonlySet<string> {
  const { program, words, command } = call
  if (
    (/^(?:tee|sponge)$/.test(program) &&
      !has(call, '-a', '--append') &&
      ((command.stdin?.known && command.stdin.text === '') ||
        command.redirects.some(({ operator, target }) => operator === '<' && target.text === '/dev/null'))) ||
    (program === 'dd' && words.includes('if=/dev/null')) ||
    (program === 'git' && has(call, '--output')) ||
    (/^(?:sort|ln)$/.test(program) && operands(call).includes('/dev/null'))
  )
    return new Set(words.map((word) => word.replace(/^(?:of|-o|--output)=/, '')))
  if (program === 'truncate')
    return new Set(/(?:^| )(?:-s ?|--size[= ])0\b/.test(words.join(' ')) ? words : [])
  const writesNothing =
    /^(?::|true)$/.test(program) ||
    (/^(?:echo|printf)$/.test(program) && words.every((word) => /^(?:-[neE]+)?$/.test(word))) ||
    (program === 'cat' && words[0] === '/dev/null') ||
    (command.argv.length === 0 && command.assignments.length === 0)
  const opened = writesNothing ? command.redirects.filter(({ operator }) => /^>\|?$|^&>$/.test(operator)) : []
  return new Set(opened.map(({ target }) => target.text))
}

export const SOURCE_GUARDS: readonly Guard[] = [
  {
    id: 'delete-sources',
    about: 'Deleting or emptying sources of the project: whole folders, all files of a kind, .env files',
    standard: 'ask',
    strict: 'ask',
    instead:
      'Delete the one file by its name, `rm src/old.ts`, or let git do it, which can bring it back: `git rm src/old.ts`.',
    finds: (facts) => lostSources(facts) ?? movedAway(facts) ?? listedSources(facts) ?? emptied(facts),
    examples: {
      match: [
        'rm -rf src',
        'rm -rf packages/web/src/*',
        'rm *.py',
        'rm -f src/**/*.ts',
        'rm -rf s*',
        'rm -rf ./src*',
        'rm -rf sr?',
        'mv src /tmp/x',
        "for f in $(git ls-files '*.ts'); do rm -f $f; done",
        "git ls-files '*.ts' | while read -r f; do rm $f; done",
        'find . -name "*.go" -delete',
        'mv *.rb /tmp/',
        'mv lib /tmp/old && rm -rf /tmp/old',
        'mv docs /tmp && rm -r /tmp/docs',
        ': > package.json',
        '> .env',
        'tee src/x.ts < /dev/null',
        ': | tee src/*.ts',
        'dd if=/dev/null of=src/x.ts',
        'sort -o src/x.ts /dev/null',
        'git log --output=src/x.ts',
        'ln -sf /dev/null src/x.ts',
        'echo > src/index.ts',
        'ls src/*.py | xargs rm',
        'fd -e py -x rm',
        '> src/main.rs',
        'truncate -s 0 src/*.ts',
        'find . -type f -exec truncate -s 0 {} +',
        'rm .env',
        'tar -cf /tmp/x.tar --remove-files docs',
      ],
      noMatch: [
        'rm src/old.ts',
        'git rm src/old.ts',
        'rm -rf dist build node_modules',
        'rm -rf packages/web/dist',
        'rm -rf src/generated',
        'rm -rf src/components/OldButton',
        'rm -f src/**/*.d.ts',
        'rm *.log',
        'find . -name "*.pyc" -delete',
        'find . -name __pycache__ -exec rm -rf {} +',
        'mv src lib',
        'mv dist /tmp/old && rm -rf /tmp/old',
        'mv src lib && rm -rf dist',
        'mv src/*.ts lib/',
        ': > app.log',
        '> notes.txt',
        'truncate -s 0 app.log',
        'rm -rf target/doc',
        'rm -rf my-scratch',
        'rm -rf out* test-results*',
        "find . -name 'core*' -delete",
        'mv src/a.ts /tmp/',
        'echo x | tee src/x.ts > /dev/null',
        'git diff --output=x.patch',
        'echo > .gitkeep',
        'fd -e pyc -x rm',
        'ls dist/*.js | xargs rm',
      ],
    },
  },
]
