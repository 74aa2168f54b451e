import { join } from 'node:path'
import { Glob } from 'bun'
import { testAgent } from '../testing.ts'
import { pi } from './index.ts'

const FIXTURES = join(import.meta.dir, '../../../test/fixtures/pi')
const fixtures = [...new Glob('*/*.jsonl').scanSync({ cwd: FIXTURES, absolute: true })].sort()

testAgent(pi, {
  fixtures,
  unrecorded: ['Interrupt', 'PreCompact', 'PostCompact'], // from its types
})
