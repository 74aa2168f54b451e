/** The place in which the examples of guards are meant. */
import type { Place } from '../../shell/index.ts'
import type { OwnFiles } from './guard.ts'

export const PLACE: Place = { cwd: '/home/user/project', home: '/home/user', worktree: '/home/user/project' }

export const OWN: OwnFiles = {
  gantry: ['/home/user/.config/gantry', '/home/user/.local/state/gantry', '/run/user/1000/gantry'],
  hooks: [
    '/home/user/.claude/settings.json',
    '.claude/settings.json',
    '.claude/settings.local.json',
    '.gemini/settings.json',
  ],
}
