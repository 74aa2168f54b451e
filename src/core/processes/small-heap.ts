/**
 * The engine's options for the daemon. The engine reads them from the environment before any code of ours runs, so the process
 * begins anew with them, under the same id. Whoever starts a daemon need not know of them.
 */
import { isCompiled } from './self.ts'

/** A value that is set already counts. */
export const HEAP_OPTIONS = {
  // What lives on is strewn over all that the heap grows by between two collections, and the engine moves nothing.
  BUN_JSC_heapGrowthMaxIncrease: '0.6',
  // The last of its compilers. Most of the daemon's time is not spent in JavaScript that it would make quicker.
  BUN_JSC_useFTLJIT: '0',
} as const

/** Returns in a process that has them. From source it stays as it is, where a second start takes long. */
export function keepHeapSmall(): void {
  const names = Object.keys(HEAP_OPTIONS)
  if (isCompiled() && names.some((name) => process.env[name] === undefined)) {
    try {
      process.execve?.(process.execPath, [process.execPath, ...process.argv.slice(2)], {
        ...HEAP_OPTIONS,
        ...process.env,
      })
    } catch {
      // The program was just replaced. The daemon works all the same, with more memory.
    }
  }
  // Not for what the daemon starts, as long as that gets `process.env`: by default, Bun 1.4.4 passes on what was there at the start.
  for (const name of names) delete process.env[name]
}
