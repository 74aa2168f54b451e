/**
 * Codex 0.166.0: after a yes it works, whatever its command looks like by then. bash replaces itself by the last part of
 * many of them, so that nothing in the process table has their text.
 */
import { expect, test } from 'bun:test'
import { codex, shell, TRUST_HOOKS } from '../agents/codex.ts'
import type { ToolCall } from '../agents/mock/model.ts'
import { asks, DONE, firstPrompt, testTruth } from './suite.ts'

const APPROVAL = /Would you like to run the following command/
const escalated = (cmd: string): ToolCall => ({
  name: 'exec_command',
  input: { cmd, sandbox_permissions: 'require_escalated', justification: 'May I?' },
})
const argv = codex.interactive({
  args: [TRUST_HOOKS, '--ask-for-approval', 'on-request', '--sandbox', 'workspace-write'],
})
const subject = {
  driver: codex,
  argv,
  wake: firstPrompt,
  works: /esc to interrupt/,
  rightPct: 98,
  basics: false,
} as const

const COMMANDS = [
  ['a list', 'cd /tmp && sleep 3'],
  ['a pipeline', 'sleep 3 | cat'],
  ['a variable', 'A=1 env B=2 sleep 3'],
  ['a subshell', '(cd /tmp; exec sleep 3)'],
  ['a here-document', "cat <<'END'\nsome words\nEND\nexec sleep 3"],
  ['builtins alone', 'cd /tmp && true'],
] as const

testTruth(subject, (play, stage) => {
  test.each(COMMANDS)('yes to %s', (title, cmd) =>
    asks(play(), {
      title: `yes to ${title}`,
      call: escalated(cmd),
      dialog: APPROVAL,
      key: 'Enter',
      next: 'working',
    }),
  )

  test('a call beside it that may run is no answer', () =>
    play().scenario('parallel, one asks', async (act) => {
      const calls = [shell('cd /tmp && sleep 5'), escalated('cd /tmp && sleep 3')]
      await act.prompt('both', [{ calls, waitMs: 1500 }, DONE])
      await act.asks('both', 1, APPROVAL)
      await act.rest(2000)
      await act.reply(APPROVAL, 'Enter', 'working')
      await act.answered('both', 2)
      await act.rest()
    }))

  test('/new', () =>
    play().scenario('/new', async (act) => {
      const before = play().watch.current()?.id ?? ''
      await act.rest()
      await act.pane.type('/new')
      await act.pane.key('Enter')
      await act.pane.misses(/\[\[s:/) // of what was said before
      await act.prompt('afresh', [{ text: 'Hello again.', waitMs: 2000 }])
      await act.answered('afresh', 1)
      await act.rest()
      expect(play().watch.current()).toMatchObject({ phase: 'idle', prevSessionId: before })
      expect(play().watch.session(before)?.phase).toBe('ended')
      expect(stage().model.seen('afresh')).toHaveLength(1)
    }))
})
