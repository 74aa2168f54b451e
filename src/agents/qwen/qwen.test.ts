import { join } from 'node:path'
import { Glob } from 'bun'
import { testAgent } from '../testing.ts'
import { qwen } from './index.ts'

const FIXTURES = join(import.meta.dir, '../../../test/fixtures/qwen')
const fixtures = [...new Glob('*/*.jsonl').scanSync({ cwd: FIXTURES, absolute: true })].sort()

testAgent(qwen, {
  fixtures,
  otherTypes: { UserPromptSubmit: ['PreModelRequest'] },
  unrecorded: ['PermissionDenied', 'StopFailure', 'PostCompact'], // from its own documentation
})
