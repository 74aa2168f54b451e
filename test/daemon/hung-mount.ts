/** A file system that never answers, as a network's may: FUSE, whose server is there and says nothing. */
import { GANTRY } from '../kit.ts'

const START = `exec 3<>/dev/fuse && mount -i -t fuse hung "$0" -o fd=3,rootmode=40000,user_id=0,group_id=0 && exec "$@" up --foreground`

/** A daemon that has it at this folder; nobody else sees it there. */
export function onHungMount(folder: string, program: readonly string[] = [GANTRY]): string[] {
  return ['unshare', '-m', '--propagation', 'private', 'sh', '-c', START, folder, ...program]
}
