/** A permission is answered by the name of its session, where just one of it waits. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { first, gone, hold, permission, waiting } from '../daemon/approval-kit.ts'
import { gantry, makeHome, startDaemon } from '../kit.ts'

setDefaultTimeout(120_000)

test('the name of a session approves what it waits for', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  const asked = hold(at, permission('ls'))
  const { id, name } = await first(at)
  const said = await gantry(at, 'approve', name)
  expect(said).toMatchObject({ exit: 0, stderr: '' })
  expect(said.stdout).toContain(`Approved ${id}: Bash  ls (${name})`)
  expect((await asked.reply).stdout).toContain('allow')
  await gone(at)
})

test('where a session waits for two, both ids are named and neither is answered', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  hold(at, permission('ls', 's1', { tool_use_id: 'a' }))
  hold(at, permission('pwd', 's1', { tool_use_id: 'b' }))
  const both = await waiting(at, 2)
  const said = await gantry(at, 'deny', both[0]?.name ?? '')
  expect(said.exit).toBe(2)
  for (const { id } of both) expect(said.stderr).toContain(id)
  expect(await waiting(at, 2)).toHaveLength(2)
  expect((await gantry(at, 'approve', 'nobody-here')).exit).toBe(1)
})
