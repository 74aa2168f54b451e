/** What people ask in SQL of a real daemon: the sessions with their places, what waits for whom, and the page about it. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gantry, gantryJson, makeHome, ROOT, sendFrame, startDaemon, tempDir, until } from '../kit.ts'
import { anyPort } from '../nats-kit.ts'

setDefaultTimeout(120_000) // many processes each, on machines that are busy

type Row = Record<string, unknown>

/** A repository by its files: no git is needed. */
function repository(): string {
  const root = join(tempDir(), 'lighthouse')
  mkdirSync(join(root, '.git/refs/heads'), { recursive: true })
  mkdirSync(join(root, '.git/objects'))
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/lamp\n')
  writeFileSync(join(root, '.git/config'), '[core]\n\trepositoryformatversion = 0\n')
  return root
}

test('sessions have their project and branch, and with NATS off nobody is waited for', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at, { GANTRY_NATS: 'off' })
  const ask = async (sql: string) => (await gantryJson(at, 'query', sql, '--json')) as Row[]
  const said = { session_id: 's1', cwd: repository() }
  await sendFrame(at, {
    payload: JSON.stringify({ hook_event_name: 'SessionStart', source: 'startup', ...said }),
  })
  await sendFrame(at, {
    payload: JSON.stringify({ hook_event_name: 'UserPromptSubmit', prompt: 'light it', ...said }),
  })
  const [row] = await until(async () => {
    const rows = await ask("SELECT * FROM sessions WHERE id = 's1'")
    return rows[0]?.branch === 'lamp' && rows[0].phase === 'working' ? rows : undefined
  }, 'the row with its branch')
  expect(row).toMatchObject({
    project: 'lighthouse',
    last_message_sent: 'light it',
    agent: 'claude',
    ended_at: null,
  })
  expect(row?.last_message_sent_at).toBeGreaterThan(0)
  expect(
    await ask('SELECT event_type, waits_for, delivered_at = created_at AS taken FROM hook_outbox'),
  ).toEqual([
    { event_type: 'session_start', waits_for: null, taken: 1 },
    { event_type: 'prompt', waits_for: null, taken: 1 },
  ])
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/sql.md'), 'utf8')) ?? []
  const examples = [...block.matchAll(/^gantry query "(.*)"$/gm)].map(([, sql = '']) => sql)
  expect(examples.length).toBeGreaterThan(5)
  for (const sql of examples) expect(await gantry(at, 'query', sql), sql).toMatchObject({ exit: 0 })
  expect(await gantry(at, 'query', ' ')).toMatchObject({ exit: 2 })
})

test('with a server that is away they wait for jetstream, with the attempts and the error', async () => {
  const at = makeHome()
  const url = `nats://127.0.0.1:${await anyPort()}`
  await using _daemon = await startDaemon(at, { GANTRY_NATS: 'external', BD_NATS_URL: url })
  const [row] = await until(async () => {
    await sendFrame(at, { payload: JSON.stringify({ hook_event_name: 'Stop', session_id: 's1' }) })
    const sql = 'SELECT * FROM hook_outbox WHERE delivered_at IS NULL AND attempt_count > 0'
    const rows = (await gantryJson(at, 'query', sql, '--json')) as Row[]
    return rows.length > 0 ? rows : undefined
  }, 'a row that waits')
  expect(row).toMatchObject({ waits_for: 'jetstream', last_error: expect.stringContaining('127.0.0.1') })
  expect(row?.next_attempt_at).toBeGreaterThan(0)
})
