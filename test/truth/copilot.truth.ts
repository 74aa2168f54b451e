/** GitHub Copilot CLI 1.0.102 in its terminal: is what gantry shows what is? */
import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copilot, shell } from '../agents/copilot.ts'
import { gantry, settled } from '../agents/stage.ts'
import { READY } from '../agents/terminal.ts'
import type { Act } from './play.ts'
import { asks, DONE, firstPrompt, isKilled, quits, runs, testTruth, think } from './suite.ts'

const DIALOG = /Do you want to run this command/
const WORKS = /Working/
const RULE = `rules:
  - { id: keep-out, on: UserPromptSubmit, match: { prompt: "^keep-out" }, decision: deny, reason: not this one }
`
const argv = copilot.interactive({ guarded: true, args: ['--allow-tool', 'shell(./free.sh:*)'] })

/**
 * It writes its transcript a tenth of a second late, and shows its screen before its hooks run: most of the lag is its own.
 * Before its first prompt 1.0.102 runs no hook: nobody can know that it is there.
 */
const subject = { driver: copilot, argv, wake: firstPrompt, works: WORKS, rightPct: 97, lagP95Ms: 400 }

testTruth(subject, (play, stage) => {
  const permission = { call: shell('./ask.sh 2'), dialog: DIALOG }

  test('a tool that may run', () => runs(play(), shell('./free.sh 2')))

  test('a permission, answered yes', () =>
    asks(play(), { ...permission, title: 'permission yes', key: 'Enter', next: 'working' }))

  test('a permission, answered no', () =>
    play().scenario('permission no', async (act) => {
      await act.prompt('no', [think(permission.call), { text: 'Not done.', waitMs: 2000 }])
      await act.asks('no', 1, DIALOG)
      await act.rest()
      await act.pane.type('2')
      await act.pane.type('rather not')
      act.truth.mark('working', await act.pane.dismiss(DIALOG, 'Enter'))
      await act.rest(1000)
      expect(play().watch.current()).toMatchObject({ phase: 'working', openTools: [] })
      await act.answered('no', 2)
      await act.rest()
    }))

  test('a permission, left by Esc', () =>
    asks(play(), { ...permission, title: 'permission Esc', key: 'Escape', next: 'idle' }))

  test('two permissions at once: it waits until the second is answered', () =>
    play().scenario('two permissions', async (act) => {
      await act.prompt('two', [{ calls: [shell('./ask.sh 1'), shell('./ask.sh 3')], waitMs: 1500 }, DONE])
      await act.asks('two', 1, /1 remaining/)
      await act.rest()
      await act.pane.dismiss(/1 remaining/, 'Enter')
      await act.rest(3000) // the first may have ended meanwhile
      await act.reply(DIALOG, 'Enter', 'working')
      await act.answered('two', 2)
      await act.rest()
    }))

  test('Esc while it answers: the prompt is given back to be edited', () =>
    play().scenario('Esc in an answer', async (act) => {
      await act.prompt('long', [{ text: 'never', waitMs: 9000 }])
      await act.rest(3000)
      await breakOff(act)
      await act.rest()
      await act.pane.key('C-u')
    }))

  test('Esc while a tool runs, which is not open in the next turn', () =>
    play().scenario('Esc in a tool', async (act) => {
      await act.prompt('esc', [think(shell('./free.sh 9')), DONE])
      await act.rest(4000)
      await breakOff(act)
      await act.rest()
      await act.prompt('after', [{ text: 'After Esc.', waitMs: 2000 }])
      await act.rest(1000)
      expect(play().watch.current()?.openTools).toEqual([])
      await act.answered('after', 1)
      await act.rest()
    }))

  test('an API error that ends the turn', () =>
    play().scenario('API error', async (act) => {
      await act.prompt('error', [{ status: 400, error: 'no such thing', waitMs: 1500 }])
      await act.answered('error', 1, /✗ 400 no such thing/)
      await act.rest()
      expect(play().watch.current()).toMatchObject({
        attention: [{ kind: 'error', reason: 'invalid_request' }],
        error: { kind: 'invalid_request', message: '400 no such thing' },
      })
    }))

  test('an API error that is tried again', () =>
    play().scenario('API error, retried', async (act) => {
      const failing = { status: 500, error: 'bad', retry: true } as const
      await act.prompt('retry', [failing, failing, { text: 'After all.', waitMs: 2000 }])
      await act.pane.sees(/Retrying/)
      await act.rest(1000)
      expect(play().watch.current()).toMatchObject({ phase: 'working', detail: 'Retrying', attention: [] })
      await act.answered('retry', 3)
      await act.rest()
      expect(play().watch.current()?.error).toBeUndefined()
    }))

  test('a prompt that a rule refuses', async () => {
    mkdirSync(stage().places.rules, { recursive: true })
    writeFileSync(join(stage().places.rules, 'truth.yaml'), RULE)
    await settled(
      () => gantry(stage(), 'rules', 'list'),
      (listed) => listed.includes('keep-out'),
    )
    await play().scenario('refused prompt', async (act) => {
      await act.rest()
      await act.pane.type('keep-out, please')
      const { from } = await act.pane.key('Enter')
      const { to } = await act.pane.sees(/! not this one/)
      act.truth.mark('idle', { from, to, by: 'working' })
      await act.rest()
    })
    expect(play().watch.current()).toMatchObject({ phase: 'idle', attention: [] })
  })

  test('/clear', () =>
    play().scenario('/clear', async (act) => {
      const before = play().watch.current()?.id ?? ''
      await act.pane.type('/clear')
      const { from } = await act.pane.key('Enter')
      const { to } = await act.pane.sees(/Started a fresh session/)
      act.truth.mark('idle', { from, to, by: 'ended' })
      await act.rest()
      await act.prompt('cleared', [{ text: 'Hello again.', waitMs: 2000 }])
      await act.answered('cleared', 1)
      await act.rest()
      expect(play().watch.session(before)?.phase).toBe('ended')
      expect(play().watch.current()?.prevSessionId).toBe(before)
    }))

  test('kill -9', () => isKilled(play(), shell('./free.sh 9')))

  test('resumed: it waits for a prompt before anybody gave one', async () => {
    const { id = '', phase } = play().watch.current() ?? {}
    expect(phase).toBe('ended')
    const pane = await play().open([...argv, '--resume', id])
    await pane.sees(READY)
    await play().scenario('resume', async (act) => {
      await act.rest()
      await act.prompt('resumed', [{ text: 'Here I am.', waitMs: 2000 }])
      await act.answered('resumed', 1)
      await act.rest()
      expect(play().watch.current()).toMatchObject({ id, generation: 2 })
    })
  })

  test('/exit', () => quits(play(), '/exit'))
})

const BETWEEN_KEYS_MS = 150

/** One Esc only asks for the second. */
async function breakOff(act: Act): Promise<void> {
  await act.pane.sees(WORKS)
  await act.pane.key('Escape')
  await Bun.sleep(BETWEEN_KEYS_MS)
  const { from } = await act.pane.key('Escape')
  const { to } = await act.pane.misses(WORKS)
  act.truth.mark('idle', { from, to })
}
