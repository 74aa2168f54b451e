/** Gemini CLI 0.61.0 in its terminal: is what gantry shows what is? */
import { test } from 'bun:test'
import { gemini, shell } from '../agents/gemini.ts'
import { asks, begun, quits, testTruth } from './suite.ts'

const CONFIRMATION = /Allow execution/

const argv = gemini.interactive({ guarded: true })

testTruth({ driver: gemini, argv, wake: begun, works: /esc to cancel/, rightPct: 98 }, (play) => {
  const confirmation = { call: shell('./ask.sh 2'), dialog: CONFIRMATION }

  test('a confirmation, answered yes', () =>
    asks(play(), { ...confirmation, title: 'confirmation yes', key: 'Enter', next: 'working' }))

  test('a confirmation, left by Esc', () =>
    asks(play(), { ...confirmation, title: 'confirmation Esc', key: 'Escape', next: 'idle' }))

  test('/quit', () => quits(play()))
})
