/** Codex 0.166.0 in its terminal: is what gantry shows what is? */
import { test } from 'bun:test'
import { codex, shell, TRUST_HOOKS } from '../agents/codex.ts'
import type { ToolCall } from '../agents/mock/model.ts'
import { asks, firstPrompt, quits, runs, testTruth } from './suite.ts'

const APPROVAL = /Would you like to run the following command/
const escalated = (cmd: string): ToolCall => ({
  name: 'exec_command',
  input: { cmd, sandbox_permissions: 'require_escalated', justification: 'May I?' },
})
const argv = codex.interactive({
  args: [TRUST_HOOKS, '--ask-for-approval', 'on-request', '--sandbox', 'workspace-write'],
})

// Before its first prompt the terminal of 0.166.0 runs no hook: nobody can know that it is there.
testTruth({ driver: codex, argv, wake: firstPrompt, works: /esc to interrupt/, rightPct: 98 }, (play) => {
  const approval = { call: escalated('./ask.sh 2'), dialog: APPROVAL }

  test('a tool that may run', () => runs(play(), shell('./free.sh 2')))

  test('an approval, answered yes', () =>
    asks(play(), { ...approval, title: 'approval yes', key: 'Enter', next: 'working' }))

  test('an approval, answered no', () =>
    asks(play(), { ...approval, title: 'approval no', key: 'Escape', next: 'idle' }))

  test('Esc while it thinks', () =>
    play().scenario('Esc in an answer', async (act) => {
      await act.prompt('long', [{ text: 'never', waitMs: 8000 }])
      await act.rest(3000)
      await act.breakOff()
      await act.rest()
    }))

  test('/quit', () => quits(play()))
})
