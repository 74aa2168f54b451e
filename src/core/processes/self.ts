/** How to start gantry again: the compiled binary itself, or Bun with the CLI's source. */
import { join } from 'node:path'

/** The folder of the checkout. */
export const ROOT = join(import.meta.dir, '../../..')

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

/** The path of the program to call. */
export function selfPath(): string {
  return isCompiled() ? process.execPath : join(ROOT, 'bin/gantry')
}

/** Where the module of a thread is, given its path in the checkout without `.ts`. */
export function threadModule(path: string): string {
  return isCompiled() ? `/$bunfs/root/${path}.js` : join(ROOT, `${path}.ts`)
}

export function isCompiled(): boolean {
  return import.meta.dir.startsWith('/$bunfs')
}
