/** A filter that names nothing there is, is a mistake; one that finds nothing says so by its exit. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gantry, makeHome, type RunningDaemon, sendFrame, startDaemon, until } from '../kit.ts'

const at = makeHome('[http]\nenabled = false\n')
let daemon: RunningDaemon

beforeAll(async () => {
  daemon = await startDaemon(at)
  await sendFrame(at, {
    event: 'UserPromptSubmit',
    payload: '{"hook_event_name":"UserPromptSubmit","session_id":"s1","prompt":"mend the upload"}',
  })
  await gantry(at, 'bus', 'emit', '--event', 'DeployDone', '--payload', '{"to":"staging"}')
})
afterAll(() => daemon[Symbol.asyncDispose]())

describe('a filter on events', () => {
  test('by a type that no event has is refused, with what was meant', async () => {
    const typed = await gantry(at, 'events', '--type', 'PreToolUes')
    expect(typed).toMatchObject({ exit: 2, stdout: '' })
    expect(typed.stderr).toContain('No event has the event type "PreToolUes". Did you mean PreToolUse?')
    const foo = await gantry(at, 'events', '--type', 'Foo', '--json')
    expect(foo.exit).toBe(2)
    expect(foo.stderr).toMatch(/There are: SessionStart, .* and \d+ more\.\n$/)
    expect((await gantry(at, 'events', '--type', 'Foo', '--format', 'sdk')).exit).toBe(2)
    expect((await gantry(at, 'events', '--follow', '--type', 'Stpo')).exit).toBe(2)
  })

  test('by an agent that nobody knows is refused, too', async () => {
    const typed = await gantry(at, 'events', '--agent', 'cluade')
    expect(typed).toMatchObject({ exit: 2, stdout: '' })
    expect(typed.stderr).toContain('Did you mean claude?')
  })

  test('by a type that is known or stored lists what there is, also when that is nothing', async () => {
    expect(await gantry(at, 'events', '--type', 'Stop')).toEqual({ exit: 0, stdout: '', stderr: '' })
    for (const type of ['SessionRenamed', 'PermissionResolved'])
      expect(await gantry(at, 'events', '--type', type)).toEqual({ exit: 0, stdout: '', stderr: '' })
    expect((await gantry(at, 'events', '--type', 'DeployDone')).stdout).toContain('DeployDone')
    expect((await gantry(at, 'events', '--type', 'DeployDone', '--grep', 'no such')).exit).toBe(0)
  })
})

test("an event of gantry's own shows the session that its key names", async () => {
  const payload = '{"session_key":"claude:s1234567","tokens":42000}'
  await gantry(at, 'bus', 'emit', '--event', 'Counted', '--payload', payload)
  const { stdout } = await gantry(at, 'events', '--type', 'Counted')
  expect(stdout).toMatch(/gantry +s1234567 +Counted +42k tokens$/m)
})

test('a filter on the bus that is nearly a type is refused instead of waited on', async () => {
  const typed = await gantry(at, 'bus', 'subscribe', '--filter', 'hooks.PreToolUes')
  expect(typed).toMatchObject({ exit: 2, stdout: '' })
  expect(typed.stderr).toContain('Did you mean PreToolUse?')
  expect((await gantry(at, 'bus', 'watch', '--filter', 'Stpo')).exit).toBe(2)
  const own = await gantry(at, 'bus', 'subscribe', '--filter', 'DeployDone', '--since', 'all', '-n', '1')
  expect(own).toMatchObject({ exit: 0, stdout: expect.stringContaining('DeployDone') })
})

test('a search without a hit exits 1, with one it exits 0', async () => {
  await until(async () => (await gantry(at, 'search', 'upload')).exit === 0, 'the prompt is searched')
  expect(await gantry(at, 'search', 'nowhere-to-be-found')).toMatchObject({ exit: 1, stderr: '' })
  const json = await gantry(at, 'search', 'nowhere-to-be-found', '--json')
  expect(json.exit).toBe(1)
  expect(JSON.parse(json.stdout)).toMatchObject({ hits: [] })
})
