/** Gemini CLI 0.61.0 in its terminal: is what gantry shows what is? */
import { test } from 'bun:test'
import { gemini } from '../agents/gemini.ts'
import type { ToolCall } from '../agents/mock/model.ts'
import { asks, begun, quits, testTruth } from './suite.ts'

const CONFIRMATION = /Allow execution/
const shell = (command: string): ToolCall => ({ name: 'run_shell_command', input: { command } })

const argv = gemini.interactive({ guarded: true })

testTruth({ driver: gemini, argv, wake: begun, works: /esc to cancel/, rightPct: 98 }, (play) => {
  const confirmation = { call: shell('./ask.sh 2'), dialog: CONFIRMATION }

  test('a confirmation, answered yes', () =>
    asks(play(), { ...confirmation, title: 'confirmation yes', key: 'Enter', next: 'working' }))

  test('a confirmation, left by Esc', () =>
    asks(play(), { ...confirmation, title: 'confirmation Esc', key: 'Escape', next: 'idle' }))

  test('/quit', () => quits(play()))
})
