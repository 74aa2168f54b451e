import { join } from 'node:path'
import { Glob } from 'bun'
import { testAgent } from '../testing.ts'
import { opencode } from './index.ts'
import { UNSEEN_BUS_EVENTS } from './schema.ts'

const FIXTURES = join(import.meta.dir, '../../../test/fixtures/opencode')
const fixtures = [...new Glob('*/*.jsonl').scanSync({ cwd: FIXTURES, absolute: true })].sort()

testAgent(opencode, {
  fixtures,
  sessionless: [
    ...[
      'plugin.init',
      'dispose',
      'plugin.added',
      'catalog.updated',
      'reference.updated',
      'integration.updated',
    ],
    ...['file.edited', 'file.watcher.updated', 'tool.definition', 'experimental.chat.messages.transform'],
  ],
  otherTypes: {
    'session.created': ['SubagentStart'],
    'session.idle': ['SubagentStop'],
    'session.error': ['Interrupt'],
    dispose: ['SessionEnd'],
    'message.part.updated': ['PostToolUseFailure'],
  },
  unrecorded: [
    ...Object.keys(UNSEEN_BUS_EVENTS),
    ...['session.deleted', 'question.rejected', 'command.executed', 'session.drained'],
    ...['command.execute.before', 'experimental.compaction.autocontinue'],
  ],
})
