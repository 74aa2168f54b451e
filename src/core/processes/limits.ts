/**
 * The limits of a process that starts the daemon. A hook may run with a few seconds of CPU time, a dozen open files or small
 * files, and at a low priority, all of which the daemon would inherit. native/daemon-env.h does the same.
 */
import { getPriority, setPriority } from 'node:os'
import { libc } from './libc.ts'

/** By their numbers in <sys/resource.h>: CPU, FSIZE, DATA, NPROC, NOFILE, AS. Not the stack, whose limit moves the heap. */
const LIMITS: Readonly<Record<string, readonly number[]>> = {
  linux: [0, 1, 2, 6, 7, 9],
  darwin: [0, 1, 2, 7, 8, 5],
}

/** As far as this process may: the soft limits to the hard ones, and the priority to the usual one. */
export function liftLimits(): void {
  const calls = libc({
    getrlimit: { args: ['i32', 'ptr'], returns: 'i32' },
    setrlimit: { args: ['i32', 'ptr'], returns: 'i32' },
  })
  const limit = new BigUint64Array(2) // soft, hard
  for (const one of calls ? (LIMITS[process.platform] ?? []) : []) {
    if (calls?.getrlimit(one, limit) !== 0) continue
    limit[0] = limit[1] ?? 0n
    calls.setrlimit(one, limit)
  }
  try {
    if (getPriority() > 0) setPriority(0)
  } catch {
    // Only root may.
  }
}
