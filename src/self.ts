/** How to start gantry again: the compiled binary itself, or Bun with the CLI's source. */
import { join } from 'node:path'

export function selfCommand(): string[] {
  return isCompiled() ? [process.execPath] : [process.execPath, join(import.meta.dir, 'cli', 'main.ts')]
}

export function isCompiled(): boolean {
  return import.meta.dir.startsWith('/$bunfs')
}
