import { describe, expect, test } from 'bun:test'
import { denialWords, refusalWords } from './look.ts'
import { ev, prompt, run, tool } from './testkit.ts'

const push = tool('Bash', 't1', { command: 'git push -f' })
const refused = (reason?: string) => ev('PermissionDenied', { ...push, ...(reason ? { reason } : {}) })

describe('a refused call', () => {
  test('is kept with who refused it and why, until the next call or prompt', () => {
    const before = [prompt(), ev('PreToolUse', push), refused('refused by guard:git-force-push: no: never')]
    const denied = { by: 'guard:git-force-push', reason: 'no: never', tool: 'Bash', line: 'git push -f' }
    expect(run(...before)).toMatchObject({ denied, denials: 1 })
    for (const quiet of ['PostToolBatch', 'PreModelRequest', 'Stop'])
      expect(run(...before, ev(quiet))).toMatchObject({ denied })
    for (const next of [prompt(), ev('PreToolUse', tool('Bash', 't2')), ev('SessionStart')]) {
      expect(run(...before, next)).not.toHaveProperty('denied')
      expect(run(...before, next)).toHaveProperty('denials', 1)
    }
  })

  test('counts once, however many events tell of it; the same command refused again counts again', () => {
    const once = [
      prompt(),
      ev('PreToolUse', push),
      refused('refused by a'),
      refused('the agent says so, too'),
    ]
    expect(run(...once)).toMatchObject({ denials: 1, denied: { by: 'a' } })
    const again = tool('Bash', 't2', { command: 'git push -f' })
    const twice = [ev('PreToolUse', again), ev('PermissionDenied', again)]
    expect(run(...once, ...twice).denials).toBe(2)
  })

  test('whose start was missed counts, too', () => {
    expect(run(prompt(), refused())).toMatchObject({ denials: 1, denied: { line: 'git push -f' } })
  })

  test('stays short, whatever the payload says', () => {
    const long = 'x'.repeat(100_000)
    const { denied } = run(
      ev('PermissionDenied', {
        ...tool(long, 't1', { command: long }),
        reason: `refused by ${long}: ${long}`,
      }),
    )
    expect(JSON.stringify(denied).length).toBeLessThan(1_500)
  })
})

test('a refused prompt says why', () => {
  const session = run(prompt(), ev('UserPromptDenied', { reason: 'refused by no-plans: not that one' }))
  expect(session.denied && denialWords(session.denied)).toBe('denied by no-plans: not that one')
})

test.each([
  ['refused by no-rm: keep it: all', 'denied by no-rm: keep it: all'],
  ['refused by work: log first', 'denied by the effort: log first'],
  ['refused by approval:abcd1: later', 'denied by a person: later'],
  ['refused by no-rm', 'denied by no-rm'],
  ['refused', 'denied'],
  [undefined, 'denied'],
])('%s', (reason, words) => {
  expect(refusalWords(reason)).toBe(words)
})
