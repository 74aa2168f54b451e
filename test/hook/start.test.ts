/** `gantry-hook --start`: for a plugin that speaks to the daemon itself and found none. */
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CLIENTS, openBox, useClients } from './clients.ts'
import { expectSilence, QUIET } from './expectations.ts'

useClients()

describe.each(CLIENTS.map((client) => [client.name, client] as const))('the %s client', (_, client) => {
  test('starts the daemon once, as a hook would, and reads and keeps nothing', async () => {
    const box = openBox(client)
    mkdirSync(box.state, { recursive: true, mode: 0o700 })
    expectSilence(await box.run(['--start']))
    expectSilence(await box.run(['--home', box.home, '--start'], { env: { GANTRY_HOME: '/nowhere' } }))
    expect(await box.starts(1)).toEqual([
      expect.objectContaining({ args: 'up --foreground --quiet', home: box.home, cwd: '/' }),
    ])
    expect(box.spooled()).toEqual([])
  })

  test.each([
    ['told not to', QUIET],
    ['gantry runs the agent itself', { GANTRY_OFF: '1' }],
  ])('starts nothing when %s', async (_why, env) => {
    const box = openBox(client)
    mkdirSync(box.state, { recursive: true, mode: 0o700 })
    expectSilence(await box.run(['--start'], { env }))
    expect(await box.starts(0)).toEqual([])
    expect(existsSync(join(box.state, 'start.lock'))).toBe(false)
  })

  test('goes alone', async () => {
    const box = openBox(client)
    expect(await box.run(['--start', 'claude'])).toMatchObject({ code: 1 })
  })
})
