/** Claude Code 2.1.325: is what gantry shows what is? */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { bash, claude } from '../agents/claude.ts'
import type { ToolCall, Turn } from '../agents/mock/model.ts'
import { gantry } from '../agents/stage.ts'
import { READY } from '../agents/terminal.ts'
import { asks, DONE, isKilled, runs, testTruth, think } from './suite.ts'
import { now } from './timeline.ts'

const argv = claude.interactive({ guarded: true, args: ['--allowedTools', 'Bash(./free.sh:*)'] })
const planning = ['claude', '--permission-mode', 'plan', '--allowedTools', 'Bash(./free.sh:*)']
const PERMISSION = /Do you want to proceed/
const WORKS = /^[·✢✳✶✻✽*] \S+…/mu // ✻ Dilly-dallying… (3s)
const COMPACTS = /Compacting/
const PLAN = /Exit plan mode\?|Would you like to proceed/

const QUESTION: ToolCall = {
  name: 'AskUserQuestion',
  input: {
    questions: [
      {
        question: 'Which one?',
        header: 'Choice',
        multiSelect: false,
        options: ['left', 'right'].map((label) => ({ label, description: `the ${label} one` })),
      },
    ],
  },
}

const agent = (script: string, background = false): ToolCall => ({
  name: 'Agent',
  input: {
    description: 'a job',
    prompt: `do it [[s:${script}]]`,
    subagent_type: 'general-purpose',
    run_in_background: background,
  },
})

/** In its terminal 2.1.325 sends agents to the background, whatever the call says. */
const WAITS_FOR_AGENTS = { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' }

/** Whatever the answer says, 2.1.325 asks a few times more after some errors. */
const errors = (status: number): Turn[] => Array.from({ length: 20 }, () => ({ status, waitMs: 1500 }))

const env = { CLAUDE_CODE_MAX_RETRIES: '1' }

const subject = { driver: claude, argv, env, works: WORKS, rightPct: 99 }

testTruth(subject, (play, stage) => {
  const permission = { call: bash('./ask.sh 2'), dialog: PERMISSION }

  test('a tool that may run', () => runs(play(), bash('./free.sh 2')))

  test('a permission, answered yes', () =>
    asks(play(), { ...permission, title: 'permission yes', key: '1', next: 'working' }))

  test('a permission, answered no', () =>
    asks(play(), { ...permission, title: 'permission no', key: '4', next: 'idle' }))

  test('a permission, left by Esc', () =>
    asks(play(), { ...permission, title: 'permission Esc', key: 'Escape', next: 'idle' }))

  test('a question', () =>
    play().scenario('question', async (act) => {
      await act.prompt('question', [think(QUESTION), DONE])
      await act.asks('question', 1, /Enter to select/)
      await act.reply(/Enter to select/, '1', 'working')
      await act.answered('question', 2)
      await act.rest()
    }))

  test('Esc while it answers', () =>
    play().scenario('Esc in an answer', async (act) => {
      await act.prompt('drip', [{ text: 'one two three four '.repeat(20), dripMs: 150 }])
      await act.rest(3000)
      await act.breakOff()
      await act.rest()
    }))

  test('Esc while a tool runs', () =>
    play().scenario('Esc in a tool', async (act) => {
      await act.prompt('long', [think(bash('./free.sh 9')), DONE])
      await act.rest(4000)
      await act.breakOff()
      await act.rest()
    }))

  test('a shell in the background', () =>
    play().scenario('background shell', async (act) => {
      const call = { name: 'Bash', input: { command: './free.sh 4', run_in_background: true } }
      await act.prompt('shell', [think(call), { text: 'It runs.' }, DONE])
      await act.answered('shell', 3)
      await act.rest()
    }))

  test('an agent in the background', () =>
    play().scenario('background agent', async (act) => {
      stage().model.play('far', [think(bash('./free.sh 3')), { text: 'The far child is done.' }])
      await act.prompt('near', [{ calls: [agent('far', true)] }, { text: 'It runs.' }, DONE])
      await act.answered('near', 3)
      await act.rest()
    }))

  test.each([529, 400])('an API error: %d', (status) =>
    play().scenario(`API error ${status}`, async (act) => {
      await act.prompt(`error-${status}`, errors(status))
      const failed = new RegExp(`API Error: ${status}`)
      await act.pane.sees(failed)
      await act.answered(`error-${status}`, stage().model.seen(`error-${status}`).length, failed)
      await act.rest()
      expect(play().watch.current()?.attention).toMatchObject([{ kind: 'error' }])
    }),
  )

  test('/compact', () =>
    play().scenario('/compact', async (act) => {
      stage().model.play('compact', [{ text: 'All that was said.', waitMs: 3000 }])
      await act.pane.type('/compact [[s:compact]]')
      act.truth.mark('compacting', await act.pane.enter('Enter', COMPACTS))
      await act.compacted('compact', COMPACTS)
      await act.rest()
    }))

  test('/clear', () =>
    play().scenario('/clear', async (act) => {
      const before = play().watch.current()?.id ?? ''
      await act.pane.type('/clear')
      const { from } = await act.pane.key('Enter')
      const { to } = await act.pane.misses(/\[\[s:/) // of what was said before
      act.truth.mark('idle', { from, to, by: 'ended' }) // one session is over, and the next has not begun
      await act.rest()
      await act.prompt('cleared', [{ text: 'Hello again.', waitMs: 2000 }])
      await act.answered('cleared', 1)
      await act.rest()
      expect(play().watch.session(before)?.phase).toBe('ended')
      expect(play().watch.current()?.prevSessionId).toBe(before)
    }))

  test('kill -9', () => isKilled(play(), bash('./free.sh 9')))

  test('resumed, a plan', () =>
    play().scenario(
      'resume, plan',
      async (act) => {
        const id = play().watch.current()?.id ?? ''
        const from = now()
        const pane = await play().open([...planning, '--resume', id], { ...env, ...WAITS_FOR_AGENTS })
        const { to } = await pane.sees(READY)
        act.truth.mark('idle', { from, to })
        await act.rest()
        await act.prompt('plan', [think({ name: 'ExitPlanMode', input: { plan: '# Plan' } }), DONE])
        await act.asks('plan', 1, PLAN)
        await act.reply(PLAN, '1', 'working')
        await act.answered('plan', 2)
        await act.rest()
      },
      'ended',
    ))

  test('parallel calls, one of which needs a permission', () =>
    play().scenario('parallel, one asks', async (act) => {
      stage().model.play('child-a', [think(bash('./free.sh 3')), { text: 'A is done.' }])
      stage().model.play('child-b', [think(bash('./ask.sh 1')), { text: 'B is done.' }])
      await act.prompt('both', [{ calls: [agent('child-a'), agent('child-b')] }, DONE])
      await act.asks('child-b', 1, PERMISSION)
      await act.rest(4000)
      await act.reply(PERMISSION, '1', 'working')
      await act.answered('both', 2)
      await act.rest()
    }))

  test('a subagent that is waited for', () =>
    play().scenario('subagent', async (act) => {
      stage().model.play('child', [think(bash('./free.sh 2')), { text: 'The child is done.' }])
      await act.prompt('parent', [{ calls: [agent('child')] }, DONE])
      await act.answered('parent', 2)
      await act.rest()
    }))

  test('the daemon is killed in the middle of a turn, and started again', () =>
    play().scenario('daemon kill -9', async (act) => {
      await act.prompt('away', [think(bash('./free.sh 5')), DONE])
      await act.rest(3000)
      process.kill(Number(readFileSync(stage().places.pid, 'utf8')), 'SIGKILL')
      await gantry(stage(), 'up')
      await act.answered('away', 2)
      await act.rest()
    }))
})
