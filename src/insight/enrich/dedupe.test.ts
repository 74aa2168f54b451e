import { describe, expect, test } from 'bun:test'
import { rawEvent } from '../../../test/kit.ts'
import { ENV_ALLOW_LIST } from '../../client/wire.ts'
import { readEvent } from '../../journal/parse-event.ts'
import { Repeats } from './dedupe.ts'

const raw = JSON.stringify({ session_id: 's1', hook_event_name: 'PreToolUse', tool_name: 'Bash' })

describe('an event that says nothing new', () => {
  test('is a repeat only in the same project, whichever agent names it', () => {
    const names = ENV_ALLOW_LIST.filter((name) => name.endsWith('_PROJECT_DIR'))
    expect(names).toContain('COPILOT_PROJECT_DIR')
    for (const name of names) {
      const repeats = new Repeats()
      const isRepeat = (dir: string) =>
        repeats.isRepeat(readEvent({ ...rawEvent({ raw }), client: { env: { [name]: dir } } }), 0)
      expect([name, isRepeat('/one'), isRepeat('/one'), isRepeat('/two')]).toEqual([name, false, true, false])
    }
  })
})
