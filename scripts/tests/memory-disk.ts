/**
 * Temporary files of tests in memory: making and deleting thousands of small files is a tenth of what the tests cost. The disk is
 * mounted in a namespace of its own, so nobody else sees it, and it is gone with the last process in it.
 */
import { freemem } from 'node:os'

const GB = 1024 ** 3
const MOST_GB = 4 // a whole run takes one to two
const SPARE_GB = 4

/** Mounting takes root: in a namespace of users the tests would be somebody else. */
export function mayHaveMemoryDisk(): boolean {
  if (process.getuid?.() !== 0 || !Bun.which('unshare') || freemem() < (MOST_GB + SPARE_GB) * GB) return false
  return Bun.spawnSync(['unshare', '--mount', 'mount', '-t', 'tmpfs', 'gantry', '/mnt']).success
}

/** The command, with a disk in memory at `folder` for its temporary files. */
export function onMemoryDisk(folder: string, command: readonly string[]): string[] {
  const mount = `mount -t tmpfs -o size=${MOST_GB}g,mode=700 gantry "$0" && TMPDIR="$0" exec "$@"`
  return ['unshare', '--mount', 'sh', '-c', mount, folder, ...command]
}
