/** GANTRY_OFF: what gantry runs itself must not report to it, so that a summary is not summed up in turn. */
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { CLIENTS, openBox, useClients } from './clients.ts'
import { expectSilence, nod } from './expectations.ts'
import { listen } from './fake-daemon.ts'

useClients()

describe.each(CLIENTS.map((client) => [client.name, client] as const))(
  'the %s client, switched off',
  (_, client) => {
    const env = { GANTRY_OFF: '1' }

    test('says nothing to a daemon that listens', async () => {
      const box = openBox(client)
      using daemon = listen(box.socket, (talk) => talk.say('2 0 4\nstop'))
      expectSilence(await box.run(['claude', 'PreToolUse'], { env }))
      expect(daemon.talks).toEqual([])
      // The same call without it is heard: the silence is not the socket's.
      expect(await box.run(['claude', 'PreToolUse'], { env: { GANTRY_OFF: '' } })).toMatchObject({ code: 2 })
    })

    test('keeps nothing and starts nobody where there is no daemon', async () => {
      const box = openBox(client)
      expectSilence(await box.run(['claude', 'Stop'], { env }))
      expect(existsSync(box.state)).toBe(false)
      expect(await box.starts(0)).toEqual([])
    })

    test('takes a large payload, so that the agent can write it', async () => {
      const box = openBox(client)
      let written: unknown
      const outcome = await box.run(['claude', 'Stop'], {
        env,
        stdin: 'open',
        feed: (pipe) => {
          pipe.write(Buffer.alloc(3 * 1024 * 1024, 'x'))
          written = pipe.end()
        },
      })
      expectSilence(outcome)
      expect(await written).toBeDefined()
    })

    test('is heard all the same where it is required', async () => {
      const box = openBox(client)
      using daemon = listen(box.socket, nod)
      expectSilence(await box.run(['claude', 'PreToolUse', '--required'], { env }))
      expect(daemon.talks).toHaveLength(1)
    })
  },
)
