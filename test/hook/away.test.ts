/** What a hook client does without an answer: it keeps the frame, starts the daemon if it is gone, and stays silent. */
import { describe, expect, test } from 'bun:test'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { PAYLOAD_LIMIT_BYTES } from '../../src/client/wire.ts'
import { VERSION } from '../../src/core/version.ts'
import { type Box, CLIENTS, inBatches, openBox, parseFrame, useClients } from './clients.ts'
import {
  AWAY,
  blocked,
  expectLoss,
  expectSilence,
  expectSpooled,
  isLinux,
  isRoot,
  NOBODY,
  nod,
  QUIET,
} from './expectations.ts'
import { leaveStaleSocket, listen } from './fake-daemon.ts'

useClients()

describe.each(CLIENTS.map((client) => [client.name, client] as const))('the %s client', (_, client) => {
  describe('without a daemon', () => {
    test('keeps the frame, starts the daemon once, and says nothing', async () => {
      const box = openBox(client)
      using _running = box.linger() // and nobody waits for it
      const { code, stdout, stderr, pid } = await box.run(['claude', 'PreToolUse'], {
        stdin: '{"tool_name":"Bash"}',
        env: { TMUX_PANE: '%9' },
        through: 'exec 9</dev/zero; unset PWD; exec "$@"',
      })
      expectSilence({ code, stdout, stderr })
      const { header } = parseFrame(box.spooled()[0] ?? Buffer.alloc(0))
      const { id, at } = header
      const expected = {
        v: 1,
        kind: 'hook',
        agent: 'claude',
        event: 'PreToolUse',
        id,
        at,
        pid,
        ppid: process.pid,
        pane: '%9',
        env: {},
        client: VERSION,
        hold: true,
        len: 20,
      }
      expect(box.spooled().map(String)).toEqual([`${JSON.stringify(expected)}\n{"tool_name":"Bash"}`])
      expect(fs.readdirSync(box.spoolFolder)).toEqual([`${id}.frame`])

      const starts = await box.starts(1)
      expect(starts).toEqual([
        {
          args: 'up --foreground --quiet',
          home: box.home,
          cwd: '/',
          null: '012',
          leak: 'no',
          umask: '0077',
          auto: '1',
          session: starts[0]?.session ?? '',
        },
      ])
      const ours = isLinux ? fs.readFileSync('/proc/self/stat', 'utf8').split(' ')[5] : 'another'
      expect(starts[0]?.session).not.toBe(ours ?? '')
    })

    test('makes its folders and files for their owner alone', async () => {
      const box = openBox(client)
      fs.rmSync(box.home, { recursive: true })
      await box.run(['claude', 'Stop'], { env: QUIET })
      const mode = (path: string) => (fs.statSync(path).mode & 0o777).toString(8)
      expect([box.home, box.state, box.spoolFolder].map(mode)).toEqual(['700', '700', '700'])
      expect(fs.readdirSync(box.spoolFolder).map((name) => mode(join(box.spoolFolder, name)))).toEqual([
        '600',
      ])
    })

    test('keeps 8 MB of a payload that was cut', async () => {
      const box = openBox(client)
      const payload = Buffer.alloc(PAYLOAD_LIMIT_BYTES + 5, 'long ')
      await box.run(['claude', 'Stop'], { stdin: payload, env: QUIET })
      const { header, payload: kept } = parseFrame(box.spooled()[0] ?? Buffer.alloc(0))
      expect(header).toMatchObject({ cut: payload.length, len: PAYLOAD_LIMIT_BYTES })
      expect(kept.equals(payload.subarray(0, PAYLOAD_LIMIT_BYTES))).toBe(true)
    })

    test('many at once keep every frame and start one daemon', async () => {
      const box = openBox(client)
      const count = client.storm
      const outcomes = await Promise.all(
        Array.from({ length: count }, (_, i) => box.run(['claude', 'Stop'], { stdin: `{"n":${i}}` })),
      )
      expect(outcomes.filter((outcome) => outcome.code === 0)).toHaveLength(count)
      const payloads = box.spooled().map((frame) => parseFrame(frame).payload.toString())
      expect(new Set(payloads).size).toBe(count)
      const starts = await box.starts(1)
      expect(starts.length).toBeGreaterThanOrEqual(1)
      expect(starts.length).toBeLessThanOrEqual(2)
    })

    test('starts another one only when the last start is 3 s ago', async () => {
      const box = openBox(client)
      const lock = join(box.state, 'start.lock')
      fs.mkdirSync(box.state, { mode: 0o700 })
      const setAge = (seconds: number) =>
        fs.utimesSync(lock, Date.now() / 1000 - seconds, Date.now() / 1000 - seconds)
      fs.writeFileSync(lock, '')
      setAge(1)
      await box.run(['claude', 'Stop'])
      expect(await box.starts(0)).toEqual([])
      setAge(4)
      const before = Date.now() - 10 // the clock of files is coarser
      await box.run(['claude', 'Stop'])
      expect(await box.starts(1)).toHaveLength(1)
      expect(fs.statSync(lock).mtimeMs).toBeGreaterThan(before)
      setAge(-3600)
      await box.run(['claude', 'Stop'])
      expect(await box.starts(2)).toHaveLength(2)
      expect(box.spooled()).toHaveLength(3)
    })

    test('starts nothing through a lock that is a link', async () => {
      const box = openBox(client)
      fs.mkdirSync(box.state, { mode: 0o700 })
      const victim = join(box.root, 'victim')
      fs.writeFileSync(victim, 'precious')
      fs.utimesSync(victim, 1, 1)
      fs.symlinkSync(victim, join(box.state, 'start.lock'))
      expectSilence(await box.run(['claude', 'Stop']))
      expect(await box.starts(0)).toEqual([])
      expect(fs.statSync(victim).mtimeMs).toBe(1000)
    })

    test('starts nothing when told not to, or when there is no gantry beside it', async () => {
      const box = openBox(client)
      expectSilence(await box.run(['claude', 'Stop'], { env: QUIET }))
      fs.chmodSync(box.gantry, 0o644)
      expectSilence(await box.run(['claude', 'Stop']))
      fs.rmSync(box.gantry)
      expectSilence(await box.run(['claude', 'Stop']))
      expect(await box.starts(0)).toEqual([])
      expect(fs.existsSync(join(box.state, 'start.lock'))).toBe(false)
      expect(box.spooled()).toHaveLength(3)
    })

    // The twin is told where gantry is; only the native client looks beside itself.
    if (client.build) {
      test('finds the gantry beside itself when it is called by a link', async () => {
        const box = openBox(client)
        fs.symlinkSync('bin/gantry-hook', join(box.root, 'link'))
        await box.run(['claude', 'Stop'], { through: 'shift; exec ./link "$@"' })
        expect(await box.starts(1)).toHaveLength(1)
      })
    }

    test.each(['a file', 'a link that leads nowhere'])(
      'starts nothing after "gantry down": %s',
      async (kind) => {
        const box = openBox(client)
        const down = join(box.state, 'down')
        fs.mkdirSync(box.state, { mode: 0o700 })
        if (kind === 'a file') fs.writeFileSync(down, '')
        else fs.symlinkSync(join(box.root, 'nowhere'), down)
        expectSilence(await box.run(['claude', 'Stop']))
        leaveStaleSocket(box.socket)
        const { code, stderr } = await box.run(['claude', 'Stop', '--required'])
        expect({ code, stderr }).toEqual({ code: 2, stderr: AWAY })
        expect(await box.starts(0)).toEqual([])
        expect(box.spooled()).toHaveLength(2)
        expect(fs.existsSync(join(box.state, 'start.lock'))).toBe(false)
        fs.rmSync(down)
        expectSilence(await box.run(['claude', 'Stop']))
        expect(await box.starts(1)).toHaveLength(1)
      },
    )

    test('an empty GANTRY_NO_AUTOSTART is none', async () => {
      const box = openBox(client)
      await box.run(['claude', 'Stop'], { env: { GANTRY_NO_AUTOSTART: '' } })
      expect(await box.starts(1)).toHaveLength(1)
    })

    test('a socket that nobody listens on is a daemon that died', async () => {
      const box = openBox(client)
      leaveStaleSocket(box.socket)
      expectSilence(await box.run(['claude', 'PreToolUse']))
      expectSpooled(box)
      expect(await box.starts(1)).toHaveLength(1)
    })
  })

  describe('with a daemon that fails', () => {
    const badAnswers = {
      garbage: 'HTTP/1.1 400 Bad Request\r\n\r\n',
      'a negative number': '0 -1 0\n',
      'a sign': '+0 0 0\n',
      'too large an exit code': '999 0 0\n',
      'exit code 256': '256 0 0\n',
      'too large a length': '0 8388609 0\n',
      'a length beyond all numbers': '0 0 99999999999999999999\n',
      'two numbers': '0 0\nxx',
      'four numbers': '0 0 0 0\n',
      'two spaces': '0  0 0\n',
      'a carriage return': '0 0 0\r\n',
      'an empty line': '\n0 0 0\n',
      'a zero byte': '0 0\0 0\n',
      'hex digits': '0 0xf 0\n',
      'a hold without a number': 'hold \n0 0 0\n',
      'a hold that is not one': 'hold 1s\n0 0 0\n',
      'an endless line': '1'.repeat(5000),
    }
    test('keeps the frame and says nothing when the answer makes no sense', async () => {
      await inBatches(Object.entries(badAnswers), 4, async ([name, answer]) => {
        const box = openBox(client)
        using _daemon = listen(box.socket, (talk) => talk.say(answer))
        const { code, stdout, stderr } = await box.run(['claude', 'PreToolUse', '--required'])
        expect({ name, code, stdout: stdout.toString(), stderr }).toEqual({
          name,
          code: 2,
          stdout: '',
          stderr: blocked("the daemon's answer is invalid"),
        })
        expectSilence(await box.run(['claude', 'PreToolUse']))
        expect(box.spooled()).toHaveLength(2)
        expect(fs.existsSync(join(box.state, 'start.lock'))).toBe(false)
      })
    })

    test.each([
      ['at once', ''],
      ['within the line', '0 5'],
      ['within the output', '2 10 0\n{"half'],
      ['before the last byte', '2 3 3\nabcde'],
      ['after a hold', 'hold 5000\n'],
    ])('keeps the frame and prints nothing when it hangs up %s', async (_, answer) => {
      const box = openBox(client)
      using _daemon = listen(box.socket, (talk) => {
        talk.say(answer)
        talk.hangUp()
      })
      expectSilence(await box.run(['claude', 'PreToolUse']))
      expectSpooled(box)
      const { code, stdout, stderr } = await box.run(['claude', 'Stop', '--required'])
      expect({ code, stdout: stdout.toString(), stderr }).toEqual({
        code: 2,
        stdout: '',
        stderr: blocked('the daemon hung up before its answer was complete'),
      })
      expect(await box.starts(0)).toEqual([])
    })

    test('blocks when it is required and nobody can read the answer', async () => {
      const box = openBox(client)
      using _daemon = listen(box.socket, (talk) => talk.say('0 2 0\n{}'))
      const through = '"$@" >/dev/full'
      expectSilence(await box.run(['claude', 'PreToolUse'], { through }))
      const { code, stderr } = await box.run(['--required', 'claude', 'PreToolUse'], { through })
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: blocked('the answer cannot be written to stdout', 'Try again'),
      })
    })

    test('blocks when it is required and the daemon is away, and says how to start it', async () => {
      const box = openBox(client)
      const { code, stdout, stderr } = await box.run(['--required', 'claude', 'PreToolUse'])
      expect(code).toBe(2)
      expect(stdout.toString()).toBe('')
      expect(stderr).toBe(AWAY)
      expectSpooled(box)
      expect(await box.starts(1)).toHaveLength(1)
    })

    test('a path that no socket can have counts as no daemon, and none is started', async () => {
      const box = openBox(client)
      const home = join(box.root, 'h'.repeat(100))
      const env = { GANTRY_HOME: home }
      expectSilence(await box.run(['claude', 'Stop'], { env }))
      expectSpooled(box, '{}', join(home, 'state/spool'))
      const { code, stderr } = await box.run(['claude', 'Stop', '--required'], { env })
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: blocked("the path of the daemon's socket is too long", 'Set a shorter GANTRY_HOME'),
      })
      expect(await box.starts(0)).toEqual([])
    })

    test('the longest path that a socket can have works', async () => {
      const box = openBox(client)
      const limit = isLinux ? 107 : 103
      const home = join(box.root, 'h'.repeat(limit - box.root.length - '//run/gantry.sock'.length))
      fs.mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 })
      const socket = join(home, 'run/gantry.sock')
      expect(socket.length).toBe(limit)
      using _daemon = listen(socket, (talk) => talk.say('5 0 0\n'))
      expect((await box.run(['claude', 'Stop'], { env: { GANTRY_HOME: home } })).code).toBe(5)
    })
  })

  describe('with a daemon that is not ours alone', () => {
    async function expectRefused(box: Box, connections: () => number, options = {}) {
      expectSilence(await box.run(['claude', 'Stop'], options))
      const { code, stderr } = await box.run(['claude', 'Stop', '--required'], options)
      expect(code).toBe(2)
      expect(stderr).toBe(blocked("the daemon's socket or its folder is not private to you"))
      expect(connections()).toBe(0)
      expect(await box.starts(0)).toEqual([])
    }

    test.each([0o777, 0o770, 0o702])('stays away from a socket in a folder of mode %o', async (mode) => {
      const box = openBox(client)
      using daemon = listen(box.socket, nod)
      fs.chmodSync(join(box.home, 'run'), mode)
      await expectRefused(box, () => daemon.connections)
      expect(box.spooled()).toHaveLength(2)
    })

    test.skipIf(!isRoot)('stays away from the socket of another user', async () => {
      const box = openBox(client)
      using daemon = listen(box.socket, nod)
      fs.chownSync(box.socket, NOBODY, NOBODY)
      await expectRefused(box, () => daemon.connections)
      expect(box.spooled()).toHaveLength(2)
    })

    test.skipIf(!isRoot)('stays away from the folder of another user', async () => {
      const box = openBox(client)
      using daemon = listen(box.socket, nod)
      fs.chownSync(join(box.home, 'run'), NOBODY, NOBODY)
      await expectRefused(box, () => daemon.connections)
    })

    test('stays away from a file in the place of the socket', async () => {
      const box = openBox(client)
      fs.writeFileSync(box.socket, '')
      await expectRefused(box, () => 0)
    })

    test('stays away from a link into a folder that others can write', async () => {
      const box = openBox(client)
      const open = join(box.root, 'open')
      fs.mkdirSync(open)
      using daemon = listen(join(open, 'gantry.sock'), nod)
      fs.chmodSync(open, 0o777)
      fs.symlinkSync(join(open, 'gantry.sock'), box.socket)
      await expectRefused(box, () => daemon.connections)
    })
  })

  describe('with a spool that cannot be used', () => {
    test('writes nothing through a spool that is a link', async () => {
      const box = openBox(client)
      const elsewhere = join(box.root, 'elsewhere')
      fs.mkdirSync(elsewhere)
      fs.mkdirSync(box.state)
      fs.symlinkSync(elsewhere, box.spoolFolder)
      expectLoss(await box.run(['claude', 'Stop'], { env: QUIET }), 'the spool cannot be written')
      expect(fs.readdirSync(elsewhere)).toEqual([])
    })

    test.each(['home', 'home/state', 'home/state/spool'])(
      'says that the event is lost when %s is a file',
      async (path) => {
        const box = openBox(client)
        fs.rmSync(join(box.root, path), { recursive: true, force: true })
        fs.mkdirSync(join(box.root, path, '..'), { recursive: true })
        fs.writeFileSync(join(box.root, path), 'a file')
        expectLoss(await box.run(['claude', 'Stop'], { env: QUIET }), 'the spool cannot be written')
        expect(fs.readFileSync(join(box.root, path), 'utf8')).toBe('a file')
      },
    )

    test.skipIf(!isRoot)('writes nothing into the spool of another user', async () => {
      const box = openBox(client)
      fs.mkdirSync(box.spoolFolder, { recursive: true })
      fs.chownSync(box.spoolFolder, NOBODY, NOBODY)
      expectLoss(await box.run(['claude', 'Stop'], { env: QUIET }), 'the spool cannot be written')
      expect(box.spooled()).toEqual([])
    })

    test('takes back a frame that it could not write to its end', async () => {
      const box = openBox(client)
      // 512 or 1024 bytes each, as the shell counts: less than the payload either way.
      const through = 'ulimit -f 64; exec "$@"'
      const options = { stdin: Buffer.alloc(500_000), env: QUIET, through }
      expectLoss(await box.run(['claude', 'Stop'], options), 'the spool cannot be written')
      expect(fs.readdirSync(box.spoolFolder)).toEqual([])
    })
  })
})
