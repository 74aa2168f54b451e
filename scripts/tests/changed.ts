/**
 * The test files that depend on changed files: those that import one, directly or indirectly, and those that drive
 * whole programs, which are matched by folder: `test/bus` is for `src/bus`, `test/hook` for `native`.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Folders of `test` whose source folder has another name, or that test several. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  hook: ['native', 'src/client'],
  daemon: ['daemon', 'server', 'ingest', 'journal', 'store', 'sessions', 'events', 'decisions'].map(
    (room) => `src/${room}`,
  ),
  enrich: ['src/insight'],
  opencode: ['src/agents/opencode'],
}

export function changedFiles(root: string, since: string): string[] {
  const git = (...args: string[]) => {
    const ran = Bun.spawnSync(['git', ...args], { cwd: root })
    if (!ran.success) throw new Error(`git ${args.join(' ')}: ${ran.stderr.toString().trim()}`)
    return ran.stdout.toString().split('\n').filter(Boolean)
  }
  return [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]
}

export function dependants(tests: readonly string[], changed: readonly string[], root: string): string[] {
  const imports = graphs.get(root) ?? new Imports(root)
  graphs.set(root, imports)
  const isChanged = new Set(changed)
  return tests.filter((file) => {
    const room = /^test\/([^/]+)\//.exec(file)?.[1]
    const folders = room === undefined ? [] : (FOLDERS[room] ?? [`src/${room}`])
    return (
      folders.some((dir) => changed.some((one) => one.startsWith(`${dir}/`))) ||
      imports.reach(file, isChanged)
    )
  })
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
