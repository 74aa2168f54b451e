/** opencode, seen on 1.18.33. It has no hook programs: `plugin.js` runs inside it. */
import type { Agent } from '../agent.ts'
import { CONTEXT_LIMIT } from '../reply-capabilities.ts'
import { answer } from './answer.ts'
import { OPENCODE_COMMON, OPENCODE_TABLE } from './events.ts'
import { read } from './read.ts'
import { requests } from './requests.ts'
import { settings } from './settings.ts'

export const opencode: Agent = {
  id: 'opencode',
  glyph: '▣',
  env: ['OPENCODE_VERSION'],
  lastingEnv: ['OPENCODE_VERSION'],
  inProcess: true,
  marks: ['OPENCODE'],
  tools: {
    shell: ['bash'],
    subagent: ['task'],
    todos: ['todowrite'],
    read: ['read'],
    write: ['write'],
    edit: ['edit'],
    patch: ['patch', 'apply_patch'],
    search: ['grep', 'glob', 'list'],
  },
  ownFiles: ['AGENTS.md', 'CLAUDE.md'],
  read,
  answer,
  events: OPENCODE_TABLE,
  commonFields: Object.keys(OPENCODE_COMMON),
  contextLimit: CONTEXT_LIMIT,
  requests,
  endOf: (sessionID) => ({ event: 'dispose', payload: { sessionID } }), // opencode's own event comes through the plugin
  triggers: {
    'command.execute.before': 'send a slash command',
    'tool.execute.after': 'let a tool end',
    'permission.asked': 'ask for something that needs permission: "run touch x"',
    'question.asked': 'let the agent ask you something',
    'session.created': 'start a session',
    'session.idle': 'let a turn end',
    'session.error': 'let a request to the model fail: an invalid key, or a rate limit',
    'session.compacted': 'type /compact',
    'experimental.session.compacting': 'type /compact',
    'session.deleted': 'delete a session',
    'todo.updated': 'ask for a list of things to do',
    'file.edited': 'let the agent write a file',
  },
  settings,
}
