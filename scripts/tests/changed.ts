/**
 * The test files that depend on changed files: those that import one, directly or indirectly; those that drive whole
 * programs, which are matched by folder: `test/bus` is for `src/bus`, `test/hook` for `native`; those that read one, which
 * say its name; and those that look at every file.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

/** Folders of `test` whose source folder has another name, or that test several. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'coming-from': ['docs/coming-from', 'src/server/compat', 'src/cli', 'src/work'],
  daemon: ['daemon', 'server', 'ingest', 'journal', 'store', 'sessions', 'events', 'decisions']
    .concat('client', 'git', 'otlp', 'redaction', 'rpc', 'shell', 'timeline')
    .map((room) => `src/${room}`),
  enrich: ['src/insight', 'src/git'],
  hook: ['bin', 'native', 'src/client'],
  opencode: ['src/agents/opencode'],
  page: ['src/web', 'src/server/page', 'src/client', 'src/insight/totals'],
  sdk: ['src/sdk', 'src/client', 'examples'],
  schema: ['src/insight/schema', 'src/cli/schema'],
  search: ['src/insight/search'],
  soak: ['bench', 'src/daemon'],
  truth: ['src/sessions/state', 'src/sessions/observers'],
}

/** They read the whole tree, so any change concerns them. */
const OF_EVERYTHING: readonly string[] = ['agent-names', 'docs', 'english', 'layers', 'readme', 'site'].map(
  (name) => `test/${name}.test.ts`,
)

/** What only a file that reads the recordings has in its text. */
const READS_RECORDINGS = /\bFIXTURES\b|\bfixtureLines\b/

export function changedFiles(root: string, since: string): string[] {
  const git = (...args: string[]) => {
    const ran = Bun.spawnSync(['git', ...args], { cwd: root })
    if (!ran.success) throw new Error(`git ${args.join(' ')}: ${ran.stderr.toString().trim()}`)
    return ran.stdout.toString().split('\n').filter(Boolean)
  }
  return [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]
}

export function dependants(tests: readonly string[], changed: readonly string[], root: string): string[] {
  if (changed.length === 0) return []
  const importing = new Set(importers(tests, changed, root))
  const reads = readersOf(changed)
  return tests.filter(
    (file) =>
      OF_EVERYTHING.includes(file) ||
      foldersOf(file).some((dir) => changed.some((one) => one.startsWith(`${dir}/`))) ||
      importing.has(file) ||
      reads(file, readFileSync(join(root, file), 'utf8')),
  )
}

/** The test files that import one of these, directly or indirectly. */
export function importers(tests: readonly string[], targets: readonly string[], root: string): string[] {
  const imports = graphs.get(root) ?? new Imports(root)
  graphs.set(root, imports)
  const isTarget = new Set(targets)
  return tests.filter((file) => imports.reach(file, isTarget))
}

/** The folders that this test is for, besides what it imports. */
export function foldersOf(test: string): readonly string[] {
  const room = /^test\/([^/]+)\//.exec(test)?.[1]
  return room === undefined ? [] : (FOLDERS[room] ?? [`src/${room}`])
}

/** Finds tests that read a changed file instead of importing it: a page, a program, a recording, a golden screen. */
function readersOf(changed: readonly string[]): (test: string, text: string) => boolean {
  const outside = changed.filter((one) => !/^(src|test)\//.test(one)).map(nameInTests)
  const named = new RegExp(`(?<![\\w.-])(?:${outside.join('|') || '(?!)'})(?![\\w-])`)
  const besides = changed.filter((one) => one.startsWith('test/') && !/\.tsx?$/.test(one))
  const agents = new Set(besides.flatMap((one) => /^test\/fixtures\/([^/]+)/.exec(one)?.[1] ?? []))
  const rooms = new Set(besides.map((one) => one.split('/', 2).join('/')))
  return (test, text) =>
    named.test(text) ||
    rooms.has(test.split('/', 2).join('/')) ||
    agents.has(/^src\/agents\/([^/]+)\//.exec(test)?.[1] ?? '') ||
    (agents.size > 0 && READS_RECORDINGS.test(text))
}

/** Many scripts are called main.ts, and `gantry` is any test's word, so a program goes by its folder, too. */
function nameInTests(path: string): string {
  return RegExp.escape(/\.tsx?$|\/\w+$/.test(path) ? path.split('/').slice(-2).join('/') : basename(path))
}

/** Reading all files takes a quarter of a second, and none of them changes meanwhile. */
const graphs = new Map<string, Imports>()

class Imports {
  readonly #known = new Map<string, string[]>()
  readonly #transpilers = {
    ts: new Bun.Transpiler({ loader: 'ts' }),
    tsx: new Bun.Transpiler({ loader: 'tsx' }),
  }

  constructor(private readonly root: string) {}

  reach(from: string, targets: ReadonlySet<string>): boolean {
    const seen = new Set([from])
    for (const file of seen) {
      if (targets.has(file)) return true
      for (const next of this.#of(file)) seen.add(next)
    }
    return false
  }

  #of(file: string): string[] {
    const known = this.#known.get(file)
    if (known) return known
    const path = join(this.root, file)
    const isCode = /\.tsx?$/.test(file) && existsSync(path) && statSync(path).isFile()
    const found = isCode
      ? this.#transpilers[path.endsWith('x') ? 'tsx' : 'ts'].scanImports(readFileSync(path, 'utf8'))
      : []
    const paths = found
      .filter((one) => one.path.startsWith('.'))
      .map((one) => relative(this.root, join(dirname(path), one.path)))
    this.#known.set(file, paths)
    return paths
  }
}
