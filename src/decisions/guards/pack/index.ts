/** The built-in guards, in the order in which they speak: what denies most comes first. */
import type { Guard } from '../guard.ts'
import { CLOUD_GUARDS } from './clouds.ts'
import { CLUSTER_GUARDS } from './clusters.ts'
import { CONTAINER_GUARDS } from './containers.ts'
import { DATABASE_GUARDS } from './databases.ts'
import { DELETE_GUARDS } from './deletes.ts'
import { DISK_GUARDS } from './disks.ts'
import { EXECUTION_GUARDS } from './execution.ts'
import { FORGE_GUARDS } from './forge.ts'
import { GIT_GUARDS } from './git.ts'
import { MACHINE_GUARDS } from './machine.ts'
import { MISUSE_GUARDS } from './misuse.ts'
import { PERMISSION_GUARDS } from './permissions.ts'
import { PROCESS_GUARDS } from './processes.ts'
import { RELEASE_GUARDS } from './releases.ts'
import { SECRET_VALUE_GUARDS } from './secret-values.ts'
import { SECRET_GUARDS } from './secrets.ts'
import { SELF_GUARDS } from './self.ts'
import { SEND_GUARDS } from './sends.ts'
import { SOURCE_GUARDS } from './sources.ts'
import { UNCLEAR_GUARDS } from './unclear.ts'
import { WRITE_GUARDS } from './writes.ts'

export const GUARDS: readonly Guard[] = [
  ...DELETE_GUARDS,
  ...SOURCE_GUARDS,
  ...WRITE_GUARDS,
  ...DISK_GUARDS,
  ...PERMISSION_GUARDS,
  ...GIT_GUARDS,
  ...FORGE_GUARDS,
  ...EXECUTION_GUARDS,
  ...PROCESS_GUARDS,
  ...SEND_GUARDS,
  ...SECRET_GUARDS,
  ...SECRET_VALUE_GUARDS,
  ...DATABASE_GUARDS,
  ...CLOUD_GUARDS,
  ...CLUSTER_GUARDS,
  ...RELEASE_GUARDS,
  ...MACHINE_GUARDS,
  ...CONTAINER_GUARDS,
  ...MISUSE_GUARDS,
  ...SELF_GUARDS,
  ...UNCLEAR_GUARDS,
]
