/** What a window wrote down reaches the next one, whatever becomes of the daemon in between. Real SIGKILLs. */
import { afterAll, expect, test } from 'bun:test'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { endDaemon, gantry, HOOK, makeHome, run, sendFrame, until } from '../kit.ts'
import { newSession, project } from './kit.ts'

const PAYLOAD = { task: 'Count the stars', decisions: [], files: [], nextSteps: ['Begin at the left'] }

const at: Places = makeHome('[http]\nenabled = false\n')
afterAll(() => endDaemon(at))

test('a start that nobody answered leaves it owed, over two killed daemons, and nobody claims it was taken', async () => {
  await gantry(at, 'up')
  const cwd = project()
  const said = (session_id: string, hook_event_name: string, fields: object) =>
    JSON.stringify({ session_id, cwd, hook_event_name, ...fields })
  const hook = async (id: string, event: string, fields = {}) =>
    (await sendFrame(at, { event, payload: said(id, event, fields) }))?.stdout
  const [one, two] = [newSession(), newSession()]
  const { id } = await call(at, 'effort.start', { cwd, skill: 'fix' })
  const show = async () => (await gantry(at, 'effort', 'show', String(id))).stdout
  await hook(one, 'SessionStart', { source: 'startup' })
  await call(at, 'effort.dehydrate', { effort: id, payload: PAYLOAD })
  await hook(one, 'SessionEnd', { reason: 'other' })

  await endDaemon(at)
  // To the spool: nobody is there, and nobody is to be started.
  const start = said(two, 'SessionStart', { source: 'startup' })
  const alone = await run([HOOK, 'claude', 'SessionStart'], at, start, { GANTRY_NO_AUTOSTART: '1' })
  expect(alone).toEqual({ exit: 0, stdout: '', stderr: '' })
  await gantry(at, 'up')
  const windows = async () =>
    (await call(at, 'effort.get', { effort: id })).sessions.map(({ nativeId }) => nativeId)
  await until(async () => (await windows()).includes(two), 'the start out of the spool')
  expect(await show()).not.toContain('taken up')

  await endDaemon(at)
  await gantry(at, 'up')
  expect(await hook(two, 'UserPromptSubmit', { prompt: 'go' })).toContain('Count the stars')
  expect(await show()).toContain('taken up')

  await endDaemon(at)
  await gantry(at, 'up')
  expect(await hook(two, 'UserPromptSubmit', { prompt: 'on' })).not.toContain('Count the stars')
}, 120_000)
