import { join } from 'node:path'
import { Glob } from 'bun'
import { testAgent } from '../testing.ts'
import { droid } from './index.ts'

const FIXTURES = join(import.meta.dir, '../../../test/fixtures/droid')
const fixtures = [...new Glob('*/*.jsonl').scanSync({ cwd: FIXTURES, absolute: true })].sort()

testAgent(droid, {
  fixtures,
  unrecorded: ['UserPromptSubmit', 'Notification', 'SubagentStop', 'PreCompact'], // its terminal asks for a login
})
