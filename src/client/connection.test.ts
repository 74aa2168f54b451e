import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tempDir } from '../../test/kit.ts'
import { type Places, places } from '../core/files/paths.ts'
import { callByName as call, subscribe, subscribeSessions, type WireEvent } from './index.ts'

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
})

/** A fake daemon that answers each line as the test says. */
async function listen(answer: (line: string, socket: Socket) => void): Promise<Places> {
  const at = places({}, tempDir())
  mkdirSync(at.run, { recursive: true })
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => answer(chunk.toString(), socket))
  })
  servers.push(server)
  server.listen(at.socket)
  await new Promise((resolve) => server.once('listening', resolve))
  return at
}

const codeOf = async (work: Promise<unknown>) => {
  try {
    return await work
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('a call', () => {
  test('sends its name and arguments and returns the data', async () => {
    const seen: unknown[] = []
    const at = await listen((line, socket) => {
      seen.push(JSON.parse(line))
      socket.write('{"ok":true,"data":{"a":1}}\n')
    })
    expect(await call(at, 'status', { b: 2 })).toEqual({ a: 1 })
    expect(seen).toEqual([{ cmd: 'status', args: { b: 2 } }])
  })

  test('passes on the calling agent, and nothing else of the environment', async () => {
    const seen: { env?: unknown }[] = []
    const at = await listen((line, socket) => {
      seen.push(JSON.parse(line))
      socket.write('{"ok":true,"data":null}\n')
    })
    const before = { ...process.env }
    try {
      Object.assign(process.env, { AGENT_ID: 'tester', GANTRY_RUN_ID: '', SECRET: 'x' })
      await call(at, 'x')
      Object.assign(process.env, { AGENT_ID: '', GANTRY_RUN_ID: 'run-1' })
      await call(at, 'x')
    } finally {
      for (const name of ['AGENT_ID', 'GANTRY_RUN_ID', 'SECRET']) {
        if (before[name] === undefined) delete process.env[name]
        else process.env[name] = before[name]
      }
    }
    expect(seen.map(({ env }) => env)).toEqual([{ AGENT_ID: 'tester' }, { GANTRY_RUN_ID: 'run-1' }])
  })

  test('without an answer ends at its deadline', async () => {
    const at = await listen(() => {})
    expect(await codeOf(call(at, 'x', {}, { deadlineMs: 30 }))).toBe('DEADLINE')
  })

  test('gets an answer in chunks, also split within a letter', async () => {
    const at = await listen(async (_, socket) => {
      for (const byte of Buffer.from('{"ok":true,"data":"ü 日本"}\n')) {
        socket.write(Buffer.from([byte]))
        await Bun.sleep(0)
      }
    })
    expect(await call(at, 'x')).toBe('ü 日本')
  })

  test('that is refused throws the daemon’s own error', async () => {
    const at = await listen((_, socket) => {
      socket.write('{"ok":false,"error":"VALIDATION_ERROR","message":"no","details":[1]}\n')
    })
    expect(call(at, 'x')).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message: 'no', details: [1] })
  })

  test('without a daemon is DAEMON_AWAY: no socket, a stale one, a dangling link', async () => {
    const at = places({}, tempDir())
    expect(await codeOf(call(at, 'x'))).toBe('DAEMON_AWAY')
    mkdirSync(at.run, { recursive: true })
    mkdirSync(at.state, { recursive: true })
    symlinkSync(at.socket, at.socketLink)
    expect(await codeOf(call(at, 'x'))).toBe('DAEMON_AWAY')
    // What kill -9 leaves behind.
    Bun.spawnSync([
      process.execPath,
      '-e',
      `require('net').createServer().listen(${JSON.stringify(at.socket)}, () => process.kill(process.pid, 'SIGKILL'))`,
    ])
    expect(await codeOf(call(at, 'x'))).toBe('DAEMON_AWAY')
  })

  test('to a peer that hangs up is DAEMON_AWAY, cleanly or not', async () => {
    const polite = await listen((_, socket) => socket.end())
    expect(await codeOf(call(polite, 'x'))).toBe('DAEMON_AWAY')
    const rude = await listen((_, socket) => {
      socket.write('{"ok":true,')
      socket.resetAndDestroy()
    })
    expect(await codeOf(call(rude, 'x'))).toBe('DAEMON_AWAY')
  })

  test('finds the daemon through the link in the state folder', async () => {
    const at = await listen((_, socket) => socket.write('{"ok":true,"data":"here"}\n'))
    mkdirSync(at.state, { recursive: true })
    symlinkSync(at.socket, at.socketLink)
    const elsewhere = { ...at, socket: `${at.run}/nowhere.sock` }
    expect(await call(elsewhere, 'x')).toBe('here')
  })

  // The other user's socket belongs to nobody here, so this test needs root.
  test.skipIf(process.getuid?.() !== 0)(
    'to a socket of another user is refused before anything is said',
    async () => {
      let said = ''
      const at = await listen((line) => {
        said += line
      })
      Bun.spawnSync(['chown', '65534', at.socket])
      expect(await codeOf(call(at, 'x'))).toBe('PERMISSION')
      expect(said).toBe('')
    },
  )
})

describe('a subscription', () => {
  const collect = async (at: Places, count: number) => {
    const got: WireEvent[] = []
    for await (const event of subscribe(at, { type: 'Stop' })) {
      got.push(event)
      if (got.length === count) break
    }
    return got.map(({ seq }) => seq)
  }

  test('yields events as they come, until it is left', async () => {
    const asked: unknown[] = []
    const at = await listen((line, socket) => {
      asked.push(JSON.parse(line))
      socket.write('{"ok":true,"data":null}\n{"event":{"seq":1}}\n{"event":')
      setTimeout(() => socket.write('{"seq":2}}\n{"event":{"seq":3}}\n'), 10)
    })
    expect(await collect(at, 2)).toEqual([1, 2])
    expect(asked).toEqual([{ sub: 'events', query: { type: 'Stop' } }])
  })

  test('ends when the daemon goes, also abruptly', async () => {
    const polite = await listen((_, socket) => socket.end('{"event":{"seq":1}}\n'))
    expect(await collect(polite, 9)).toEqual([1])
    const rude = await listen((_, socket) => {
      socket.write('{"event":{"seq":1}}\n')
      setTimeout(() => socket.resetAndDestroy(), 10)
    })
    expect(await collect(rude, 9)).toEqual([1])
  })

  test('that is refused throws', async () => {
    const at = await listen((_, socket) =>
      socket.write('{"ok":false,"error":"VALIDATION_ERROR","message":"no"}\n'),
    )
    expect(await codeOf(collect(at, 1))).toBe('VALIDATION_ERROR')
  })
})

describe('a subscription to sessions', () => {
  test('yields all of them first, then each change, until it is left', async () => {
    const asked: unknown[] = []
    const at = await listen((line, socket) => {
      asked.push(JSON.parse(line))
      socket.write(
        '{"snapshot":{"seq":7,"sessions":[{"key":"a"}]}}\n{"seq":8,"session":{"key":"b"}}\n{"seq":9,"session":{"key":"c"}}\n',
      )
    })
    const got: unknown[] = []
    for await (const change of subscribeSessions(at)) {
      got.push(change)
      if (got.length === 2) break
    }
    expect(got).toEqual([
      { snapshot: { seq: 7, sessions: [{ key: 'a' }] } },
      { seq: 8, session: { key: 'b' } },
    ])
    expect(asked).toEqual([{ sub: 'sessions' }])
  })

  test('ends at its signal, and throws if refused', async () => {
    const at = await listen((_, socket) => socket.write('{"snapshot":{"seq":1,"sessions":[]}}\n'))
    const leave = new AbortController()
    let count = 0
    for await (const _ of subscribeSessions(at, leave.signal)) {
      count += 1
      leave.abort()
    }
    expect(count).toBe(1)
    const no = await listen((_, socket) =>
      socket.write('{"ok":false,"error":"VALIDATION_ERROR","message":"no"}\n'),
    )
    const first = async () => {
      for await (const change of subscribeSessions(no)) return change
    }
    expect(await codeOf(first())).toBe('VALIDATION_ERROR')
  })
})
