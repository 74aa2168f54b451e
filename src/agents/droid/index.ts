/** Factory droid, seen on 0.215.0. */
import { join } from 'node:path'
import { claudeAgent } from '../claude/like/agent.ts'
import { CONTEXT, STOP } from '../reply-capabilities.ts'
import { format } from './read.ts'

export const droid = claudeAgent({
  id: 'droid',
  glyph: '⬢',
  env: ['FACTORY_PROJECT_DIR'],
  projectVariable: 'FACTORY_PROJECT_DIR',
  marks: ['FACTORY_EXEC_TARGET_AUTONOMY'], // set by `droid exec` only
  tools: { shell: ['Execute'], write: ['Create'], subagent: ['Task'], plan: ['ExitSpecMode'] },
  ownFiles: ['AGENTS.md'],
  format,
  obeys: {
    SessionStart: CONTEXT,
    // With an `ask`, `droid exec` runs the tool.
    PreToolUse: { way: 'permissionDecision', decisions: ['allow', 'deny'], rewrite: true },
    PostToolUse: CONTEXT, // the model is not told of a block
    Stop: STOP,
  },
  settings: {
    title: 'Factory droid',
    programs: ['droid'],
    programPlaces: (_, user) => [join(user, '.local/bin/droid')],
    npmPackage: 'droid',
    folder: (_, user) => join(user, '.factory'),
    takes: ['a comment'],
    bypasses: ['--skip-permissions-unsafe', '--auto high'],
    credentials: ['auth.json', 'auth.encrypted', 'auth.v2.file', 'auth.v2.key'],
    hookFiles: { user: ['settings.json'], project: ['.factory/settings.json'] },
  },
})
