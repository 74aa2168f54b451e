/** The built-in guards, in the order in which they speak: what denies most comes first. */
import type { Guard } from '../guard.ts'
import { FILE_GUARDS } from './files.ts'
import { GIT_GUARDS } from './git.ts'
import { MACHINE_GUARDS } from './machine.ts'
import { MISUSE_GUARDS } from './misuse.ts'
import { RUN_GUARDS } from './run.ts'
import { SECRET_GUARDS } from './secrets.ts'
import { SELF_GUARDS } from './self.ts'
import { SERVICE_GUARDS } from './services.ts'

export const GUARDS: readonly Guard[] = [
  ...FILE_GUARDS,
  ...GIT_GUARDS,
  ...RUN_GUARDS,
  ...SECRET_GUARDS,
  ...SERVICE_GUARDS,
  ...MACHINE_GUARDS,
  ...MISUSE_GUARDS,
  ...SELF_GUARDS,
]
