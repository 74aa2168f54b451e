/** opencode 1.18.33 in its terminal: is what gantry shows what is? */
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Model, ToolCall } from '../agents/mock/model.ts'
import { opencode } from '../agents/opencode.ts'
import { gantry, settled } from '../agents/stage.ts'
import { type Act, type Play, REST_MS } from './play.ts'
import { asks, DONE, isKilled, runs, testTruth, think } from './suite.ts'
import { now } from './timeline.ts'

const bash = (command: string): ToolCall => ({ name: 'bash', input: { command, description: 'a command' } })
const argv = opencode.interactive({ guarded: true })
const WORKS = /esc (interrupt|again)/
const PERMISSION = /Permission required/
const HELD_S = 4

// It has no transcript that gantry could find a turn in which nobody heard of.
const subject = { driver: opencode, argv, works: WORKS, late: true, rightPct: 98, basics: false } as const

testTruth(subject, (play, stage) => {
  const permission = { call: bash('./ask.sh 2'), dialog: PERMISSION }

  /** Before it there is no session. It takes a second to take it up, and has made the session by then. */
  test('the first prompt, and its answer', async () => {
    stage().model.play('first', [{ text: 'Hello.', waitMs: 2000 }])
    await play().pane().type('please [[s:first]]')
    await play()
      .pane()
      .leave('Enter', /\[\[s:first\]\]/)
    const run = async (act: Act) => {
      await act.answered('first', 1, /Hello\./)
      await act.rest()
    }
    await play().scenario('first prompt', run, 'working')
  })

  test('a prompt and its answer', () =>
    play().scenario('plain answer', async (act) => {
      await act.rest()
      await act.prompt('plain', [{ text: 'Hello again.', waitMs: 2000 }])
      await act.answered('plain', 1)
      await act.rest()
    }))

  test('no hook holds up the screen, which the marks rest on', async () => {
    const isOver = (event: string) => existsSync(join(stage().places.state, `over-${event}`))
    const command = `sleep ${HELD_S}; touch over-$GANTRY_EVENT_TYPE`
    const slow = ['--id', 'slow', '--events', 'UserPromptSubmit,Stop', '--command', command]
    await gantry(stage(), 'bus', 'register', ...slow)
    stage().model.play('held', [{ text: 'Held up.' }])
    await play().pane().type('please [[s:held]]')
    await play()
      .pane()
      .leave('Enter', /\[\[s:held\]\]/)
    await play()
      .pane()
      .sees(/Held up\./)
    await play().pane().misses(WORKS)
    expect([isOver('UserPromptSubmit'), isOver('Stop')]).toEqual([false, false])
    expect(await settled(() => isOver('Stop'), Boolean, 15_000)).toBe(true)
    await gantry(stage(), 'bus', 'unregister', 'slow')
    await Bun.sleep(2_000)
  })

  test('a tool that may run', () => runs(play(), bash('./free.sh 2')))

  test('a permission, answered yes', () =>
    asks(play(), { ...permission, title: 'permission yes', key: 'Enter', next: 'working' }))

  test('a permission, answered no', () =>
    play().scenario('permission no', async (act) => {
      await act.prompt('no', [think(permission.call), DONE])
      await act.asks('no', 1, PERMISSION)
      for (const key of ['Right', 'Right']) {
        await act.rest(500)
        await act.pane.key(key)
      }
      await act.reply(PERMISSION, 'Enter', 'idle')
      await act.rest()
    }))

  test('a permission, left by Esc', () =>
    asks(play(), { ...permission, title: 'permission Esc', key: 'Escape', next: 'idle' }))

  test('Esc while it answers', () =>
    play().scenario('Esc in an answer', async (act) => {
      await act.prompt('drip', [{ text: 'one two three four '.repeat(20), dripMs: 150 }])
      await act.rest(3000)
      await breakOff(act)
      await act.rest()
    }))

  test('Esc while a tool runs', () =>
    play().scenario('Esc in a tool', async (act) => {
      await act.prompt('long', [think(bash('./free.sh 9')), DONE])
      await act.rest(4000)
      await breakOff(act)
      await act.rest()
    }))

  test('an API error', () =>
    play().scenario('API error', async (act) => {
      await act.prompt('error', [{ status: 400, waitMs: 1500 }])
      await act.answered('error', 1, /refused with 400/)
      await act.rest()
      expect(play().watch.current()?.attention).toMatchObject([{ kind: 'error' }])
    }))

  test('a prompt that a rule refuses', async () => {
    const rule = 'on: UserPromptSubmit, match: { prompt: "refuse-me" }, decision: deny, reason: not that one'
    mkdirSync(stage().places.rules, { recursive: true })
    writeFileSync(join(stage().places.rules, 'refuse.yaml'), `rules:\n  - { id: refuse-me, ${rule} }\n`)
    await settled(
      () => gantry(stage(), 'rules', 'list'),
      (listed) => listed.includes('refuse-me'),
    )
    await play().scenario('refused prompt', async (act) => {
      await act.prompt('refuse-me', [{ text: 'never' }])
      const { from } = act.truth.marks.at(-1) ?? { from: now() }
      const { to } = await act.pane.sees(/Unexpected server error/)
      act.truth.mark('idle', { from, to })
      await act.rest()
    })
  })

  test('/new', () =>
    play().scenario('/new', async (act) => {
      const before = play().watch.current()?.id ?? ''
      await act.pane.type('/new')
      await act.pane.leave('Enter', /\[\[s:/) // of what was said before
      await act.rest()
      await act.prompt('fresh', [{ text: 'Hello once more.', waitMs: 2000 }])
      await act.answered('fresh', 1)
      await act.rest()
      expect(play().watch.current()?.id).not.toBe(before)
      expect(play().watch.current()?.prevSessionId).toBe(before)
      expect(play().watch.session(before)?.phase).toBe('ended')
    }))

  test('kill -9', () => isKilled(play(), bash('./free.sh 9')))

  test('--continue', () => resumes(play(), stage().model))

  test('/exit', () =>
    play().scenario('/exit', async (act) => {
      await act.rest()
      await act.pane.type('/exit')
      const { from } = await act.pane.key('Enter')
      const { to } = await act.pane.ends()
      act.truth.mark('ended', { from, to })
      await act.rest()
    }))
})

/** It takes two: the first asks for the second. */
async function breakOff(act: Act): Promise<void> {
  await act.pane.sees(WORKS)
  await act.pane.key('Escape')
  await act.pane.sees(/esc again/)
  const { from } = await act.pane.key('Escape')
  const { to } = await act.pane.misses(WORKS)
  act.truth.mark('idle', { from, to })
}

/** Of the first prompt after that it says nothing before it has taken it up, so only its answer is looked for. */
async function resumes(play: Play, model: Model): Promise<void> {
  const id = play.watch.current()?.id
  const pane = await play.open([...argv, '--continue'])
  await pane.sees(/Hello once more/)
  await play.scenario('--continue', (act) => act.rest())
  model.play('again', [{ text: 'Back again.' }])
  await play.pane().type('please [[s:again]]')
  await play.pane().key('Enter')
  await play.pane().sees(/Back again\./)
  await play.pane().misses(WORKS)
  expect(play.watch.current()).toMatchObject({ id, lastPrompt: 'please [[s:again]]' })
  await Bun.sleep(REST_MS)
}
