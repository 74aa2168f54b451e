/** How to start gantry again: the compiled binary itself, or Bun with the CLI's source. */
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The folder of the checkout, if this runs from source. */
export const ROOT = join(import.meta.dir, '../../..')

/** The folder of the checkout that this is, or that `npm run build` made it in. */
export function checkout(): string | undefined {
  if (!isCompiled()) return ROOT
  const dir = join(process.execPath, '../..')
  return ['bin/gantry', 'src/cli/main.ts'].every((path) => existsSync(join(dir, path))) ? dir : undefined
}

/**
 * Bun would otherwise obey a repository's bunfig.toml, .env and tsconfig.json. gantry is started in repositories, which are
 * not trusted.
 */
const FROM_NOWHERE = [
  '--no-env-file',
  '--config=/dev/null',
  '--no-install',
  `--tsconfig-override=${join(ROOT, 'tsconfig.json')}`,
]

export function selfCommand(): string[] {
  if (isCompiled()) return [process.execPath]
  return [process.execPath, ...FROM_NOWHERE, join(ROOT, 'src/cli/main.ts')]
}

/**
 * The command of the npm package around this program, which is `gantry-<platform>/bin/gantry` inside or beside the package
 * `gantry` (scripts/build-packages.ts).
 */
export function npmCommand(): string | undefined {
  if (!isCompiled()) return undefined
  const modules = join(process.execPath, '../../..')
  const places = [join(modules, '..'), join(modules, 'gantry')].map((dir) => join(dir, 'bin/gantry'))
  return basename(modules) === 'node_modules' ? places.find((path) => existsSync(path)) : undefined
}

/** The SDK's JavaScript and types. */
export function sdkFolder(): string {
  if (!isCompiled()) return join(ROOT, 'dist/sdk')
  const command = npmCommand()
  return command ? join(command, '../../dist/sdk') : join(dirname(process.execPath), 'sdk')
}

/** The path of the program to call. A checkout's command runs what was built only as long as nothing has changed since. */
export function selfPath(): string {
  const dir = checkout()
  return dir === undefined ? process.execPath : join(dir, 'bin/gantry')
}

/** Where the module of a thread is, given its path in the checkout without `.ts`. */
export function threadModule(path: string): string {
  return isCompiled() ? `/$bunfs/root/${path}.js` : join(ROOT, `${path}.ts`)
}

export function isCompiled(): boolean {
  return import.meta.dir.startsWith('/$bunfs')
}
