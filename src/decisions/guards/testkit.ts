/** The place in which the examples of guards are meant. */
import type { Place } from '../../shell/index.ts'
import { ownFiles } from './own-files.ts'

export const PLACE: Place = { cwd: '/home/user/project', home: '/home/user', worktree: '/home/user/project' }

export const OWN = ownFiles(
  ['/home/user/.config/gantry', '/home/user/.local/state/gantry', '/run/user/1000/gantry'],
  {},
  PLACE.home,
)
