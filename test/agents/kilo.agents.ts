/** Kilo Code 7.7.7, the real program, with opencode's plugin in it. */
import { kilo } from './kilo.ts'
import { subjectOf } from './opencode-family.ts'
import { testRealAgent } from './suite.ts'

testRealAgent(
  { ...subjectOf(kilo, ['SessionDrained', 'MessagePartRemoved']), isFork: true }, // it takes ten seconds to start
  () => {},
)
