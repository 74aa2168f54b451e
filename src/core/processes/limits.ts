/**
 * Resource limits of a process that starts the daemon. A hook may run with little CPU time, few open files, a file size
 * limit and a low priority, and the daemon would inherit all of it. native/daemon-env.h does the same.
 */
import { getPriority, setPriority } from 'node:os'
import { libc } from './libc.ts'

/** Numbers from <sys/resource.h>: CPU, FSIZE, DATA, NPROC, NOFILE, AS. Not STACK: its limit moves the heap. */
const LIMITS: Readonly<Record<string, readonly number[]>> = {
  linux: [0, 1, 2, 6, 7, 9],
  darwin: [0, 1, 2, 7, 8, 5],
}

/** Raises soft limits to the hard limits, and the priority to normal where permitted. */
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
    // Only root may raise the priority.
  }
}
