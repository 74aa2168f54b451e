import { join } from 'node:path'
import { Glob } from 'bun'
import { testAgent } from '../testing.ts'
import { recorded } from '../testkit.ts'
import { kilo } from './index.ts'

const FIXTURES = join(import.meta.dir, '../../../test/fixtures/kilo')
const fixtures = [...new Glob('*/*.jsonl').scanSync({ cwd: FIXTURES, absolute: true })].sort()
const seen = new Set(fixtures.flatMap(recorded).map(({ event }) => event.replace(/^event:/, '')))

testAgent(kilo, {
  fixtures,
  sessionless: ['plugin.init', 'dispose', 'file.edited', 'file.watcher.updated'],
  otherTypes: { dispose: ['SessionEnd'], 'message.part.updated': ['PostToolUseFailure'] },
  unrecorded: Object.keys(kilo.events).filter((name) => !seen.has(name)), // opencode's recordings have them
})
