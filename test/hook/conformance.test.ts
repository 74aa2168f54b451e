/** What a hook client does, for each of them: the native one, the same with sanitizers, and its TypeScript twin. */
import { afterAll, describe, expect, test } from 'bun:test'
import * as fs from 'node:fs'
import { join, relative } from 'node:path'
import { ENV_ALLOW_LIST, PAYLOAD_LIMIT_BYTES } from '../../src/client/wire.ts'
import { VERSION } from '../../src/version.ts'
import { type Box, CLIENTS, closeBoxes, inBatches, openBox, parseFrame, randomFrom } from './clients.ts'
import { listen, type Talk } from './fake-daemon.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const NOBODY = 65534
const isRoot = process.getuid?.() === 0
const isLinux = process.platform === 'linux'
const QUIET = { GANTRY_NO_AUTOSTART: '1' }

const nod = (talk: Talk) => talk.say('0 0 0\n')
const silence = () => {}

function blocked(reason: string, fix = 'Find out why with: gantry doctor'): string {
  return `gantry: no decision (${reason}). This hook is required, so the action is blocked. ${fix}\n`
}

const AWAY = blocked('daemon not running', 'Start it with: gantry up')

/** Exit 0 and not one byte: what an agent sees of a gantry that is broken. */
function expectSilence(outcome: { code: number | null; stdout: Buffer; stderr: string }) {
  expect({ code: outcome.code, stdout: outcome.stdout.toString(), stderr: outcome.stderr }).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  })
}

function expectSpooled(box: Box, payload = '{}', folder?: string) {
  const frames = box.spooled(folder)
  expect(frames).toHaveLength(1)
  const { header, payload: kept } = parseFrame(frames[0] ?? Buffer.alloc(0))
  expect(kept.toString()).toBe(payload)
  expect(header.len).toBe(kept.length)
}

/** A socket file that nobody listens on any more, as a daemon leaves it when it is killed. */
function leaveStaleSocket(path: string) {
  const alive = listen(`${path}.alive`, silence)
  fs.linkSync(`${path}.alive`, path)
  alive[Symbol.dispose]()
  fs.rmSync(`${path}.alive`, { force: true })
}

/** A daemon that was stopped: the kernel still takes connections for it, until the backlog is full. */
async function listenDeaf(path: string) {
  const program = `
    Bun.listen({ unix: process.argv.at(-1), socket: { data: (socket) => { socket.write('7 0 0\\n') } } })
    console.log('ready')`
  const child = Bun.spawn([process.execPath, '-e', program, path], { stdout: 'pipe' })
  await child.stdout.getReader().read()
  child.kill('SIGSTOP')
  return {
    wakeUp: () => child.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

/** Connects until the kernel takes no more. */
async function fillBacklog(path: string): Promise<Disposable> {
  const sockets: Bun.Socket[] = []
  try {
    for (;;) sockets.push(await Bun.connect({ unix: path, socket: { data() {}, connectError() {} } }))
  } catch {
    return { [Symbol.dispose]: () => sockets.forEach((socket) => void socket.terminate()) }
  }
}

afterAll(closeBoxes)

describe.each(CLIENTS.map((client) => [client.name, client] as const))('the %s client', (_, client) => {
  describe('with a daemon', () => {
    test.each([
      ['nothing', 0, '', ''],
      ['an output', 0, '{"decision":"allow"}\n', ''],
      ['a block', 2, '', 'rm -rf is not allowed here\n'],
      ['both and an odd code', 255, 'out', 'err'],
      ['any bytes', 1, '\0\n\xff"', '\n\n'],
    ])('passes on %s', async (_, exit, out, err) => {
      const box = await openBox(client)
      const [stdout, stderr] = [Buffer.from(out, 'latin1'), Buffer.from(err)]
      using _daemon = listen(box.socket, (talk) => {
        talk.say(Buffer.concat([Buffer.from(`${exit} ${stdout.length} ${stderr.length}\n`), stdout, stderr]))
      })
      const outcome = await box.run(['claude', 'PreToolUse'])
      expect(outcome).toMatchObject({ code: exit, stderr: err })
      expect(outcome.stdout.equals(stdout)).toBe(true)
      expect(box.spooled()).toEqual([])
      expect(await box.starts(0)).toEqual([])
    })

    test('passes on an answer of 3 MB in each stream', async () => {
      const box = await openBox(client)
      const out = Buffer.alloc(3 * 1024 * 1024, 'stdout of a very talkative handler ')
      const err = Buffer.alloc(3 * 1024 * 1024, 'and its complaints ')
      using _daemon = listen(box.socket, (talk) => {
        talk.say(Buffer.concat([Buffer.from(`0 ${out.length} ${err.length}\n`), out, err]))
      })
      const outcome = await box.run(['claude', 'PreToolUse'])
      expect(outcome.code).toBe(0)
      expect(outcome.stdout.equals(out)).toBe(true)
      expect(outcome.stderr === err.toString()).toBe(true)
    })

    test('understands an answer that comes byte by byte', async () => {
      const box = await openBox(client)
      using _daemon = listen(box.socket, async (talk) => {
        for (const byte of 'hold 4000\n3 2 1\nabc') {
          talk.say(byte)
          await Bun.sleep(2)
        }
      })
      const outcome = await box.run(['claude', 'PreToolUse'])
      expect(outcome).toMatchObject({ code: 3, stdout: Buffer.from('ab'), stderr: 'c' })
    })

    test('takes an answer that comes before it has sent everything', async () => {
      const box = await openBox(client)
      using _daemon = listen(box.socket, silence, (say) => say('2 0 4\nfull'))
      const outcome = await box.run(['claude', 'PreToolUse'], { stdin: Buffer.alloc(4 * 1024 * 1024, 'x') })
      expect(outcome).toMatchObject({ code: 2, stderr: 'full' })
    })

    test('takes an answer of a daemon that hangs up before it was sent everything', async () => {
      const box = await openBox(client)
      using _daemon = listen(box.socket, silence, (say, hangUp) => {
        say('2 0 4\nfull')
        hangUp()
      })
      const outcome = await box.run(['claude', 'PreToolUse'], { stdin: Buffer.alloc(4 * 1024 * 1024, 'x') })
      // Bun drops what was there to read once a write has failed; then the frame has to be kept.
      if (!client.binary && outcome.code === 0) expect(box.spooled()).toHaveLength(1)
      else expect(outcome).toMatchObject({ code: 2, stderr: 'full' })
    })

    test('describes itself in the header, and nothing that is not on the list', async () => {
      const box = await openBox(client)
      using daemon = listen(box.socket, nod)
      const before = Date.now()
      const { pid } = await box.run(['claude', 'Stop'], {
        env: {
          TMUX: '/tmp/tmux-0/default,42,0',
          TMUX_PANE: '%3',
          PWD: '/somewhere',
          CLAUDECODE: '1',
          CLAUDE_PROJECT_DIR: '',
          ANTHROPIC_API_KEY: 'sk-secret',
          CLAUDE_CODE_OAUTH_TOKEN: 'sk-secret',
        },
      })
      const { text, header } = daemon.talks[0] as Talk
      const { id, at } = header
      expect(text).toBe(
        JSON.stringify({
          v: 1,
          kind: 'hook',
          agent: 'claude',
          event: 'Stop',
          id,
          at,
          pid,
          ppid: process.pid,
          pane: '%3',
          tmux: '/tmp/tmux-0/default,42,0',
          env: { CLAUDECODE: '1', CLAUDE_PROJECT_DIR: '', PWD: '/somewhere' },
          client: VERSION,
          hold: true,
          len: 2,
        }),
      )
      expect(text).not.toContain('secret')
      expect(at).toBeGreaterThanOrEqual(before - 1)
      expect(at).toBeLessThanOrEqual(Date.now() + 1)
    })

    test('leaves out what it does not know', async () => {
      const box = await openBox(client)
      using daemon = listen(box.socket, nod)
      await box.run(['codex'], { env: { TMUX: '', TMUX_PANE: undefined } })
      const { header } = daemon.talks[0] as Talk
      expect(Object.keys(header)).toEqual(
        ['v', 'kind', 'agent', 'id', 'at', 'pid', 'ppid', 'env', 'client', 'hold', 'len'], //
      )
      expect(header.env).toEqual({})
    })

    test('makes ids that carry the time and sort by it', async () => {
      const box = await openBox(client)
      using daemon = listen(box.socket, nod)
      for (let i = 0; i < 3; i++) await box.run(['claude', 'Stop'])
      const ids = daemon.talks.map((talk) => String(talk.header.id))
      expect(ids).toEqual([...ids].sort())
      expect(new Set(ids.map((id) => id.slice(12))).size).toBe(3)
      for (const { header } of daemon.talks) {
        const digits = [...String(header.id)].map((char) => ALPHABET.indexOf(char))
        expect(digits).toHaveLength(26)
        expect(Math.min(...digits)).toBeGreaterThanOrEqual(0)
        expect(digits.slice(0, 10).reduce((ms, digit) => ms * 32 + digit, 0)).toBe(Number(header.at))
        expect((digits[10] ?? 0) * 32 + (digits[11] ?? 0)).toBeLessThan(1000)
      }
    })

    test('escapes what an environment can hold, and cuts it between characters', async () => {
      const box = await openBox(client)
      using daemon = listen(box.socket, nod)
      await box.run(['claude', 'Stop'], {
        env: {
          AGENT_ID: 'a "quote", a \\ and a /',
          AI_AGENT: '\u0001\u001f\u007f\b\f\n\r\t\u2028',
          CLAUDE_EFFORT: `${'x'.repeat(1023)}é`,
          CLAUDE_PID: `${'x'.repeat(1022)}é`,
          CLAUDE_CONFIG_DIR: 'y'.repeat(10_240),
          CODEX_HOME: '日本語 🎣',
        },
        // Bytes that are not UTF-8 need a shell: a lone one, a surrogate, an overlong form, a cut sequence.
        through: `export STY="$(printf 'a\\377b\\355\\240\\200c\\300\\257d\\342\\202')"; unset PWD; exec "$@"`,
      })
      const { header, text } = daemon.talks[0] as Talk
      expect(header.env).toEqual({
        AGENT_ID: 'a "quote", a \\ and a /',
        AI_AGENT: '\u0001\u001f\u007f\b\f\n\r\t\u2028',
        CLAUDE_EFFORT: 'x'.repeat(1023),
        CLAUDE_PID: `${'x'.repeat(1022)}é`,
        CLAUDE_CONFIG_DIR: 'y'.repeat(1024),
        CODEX_HOME: '日本語 🎣',
        STY: 'a\ufffdb\ufffd\ufffd\ufffdc\ufffd\ufffdd\ufffd',
      })
      expect(text).toBe(JSON.stringify(header))
    })

    test('keeps the header below its limit, whatever the environment', async () => {
      const box = await openBox(client)
      using daemon = listen(box.socket, nod)
      const wild = '\u0001'.repeat(4000)
      const names = [...ENV_ALLOW_LIST, 'TMUX', 'TMUX_PANE']
      await box.run(['claude', 'Stop'], { env: Object.fromEntries(names.map((name) => [name, wild])) })
      const { text, header } = daemon.talks[0] as Talk
      expect(text.length).toBeLessThan(64 * 1024)
      expect(Object.keys(header.env as object)).toEqual([...ENV_ALLOW_LIST.slice(0, 7)])
    })

    const payloads: [string, Buffer][] = [
      ['no byte', Buffer.alloc(0)],
      ['2 KB of JSON', Buffer.from(JSON.stringify({ prompt: 'é'.repeat(1000) }))],
      ['garbage with zeros', Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256))],
      ['exactly 8 MB', Buffer.alloc(PAYLOAD_LIMIT_BYTES, 'exactly eight megabytes ')],
      ['one byte more', Buffer.alloc(PAYLOAD_LIMIT_BYTES + 1, 'one byte too many ')],
      ['9 MB', Buffer.alloc(9 * 1024 * 1024, 'nine megabytes ')],
    ]
    test.each(payloads)('sends a payload of %s', async (_, payload) => {
      const box = await openBox(client)
      using daemon = listen(box.socket, nod)
      expectSilence(await box.run(['claude', 'PreToolUse'], { stdin: payload }))
      const { header, payload: came } = daemon.talks[0] as Talk
      const kept = payload.subarray(0, PAYLOAD_LIMIT_BYTES)
      expect(came.equals(kept)).toBe(true)
      expect(header.len).toBe(kept.length)
      expect(header.cut).toEqual(payload.length > kept.length ? payload.length : undefined)
    })

    test('takes the payload from the command line, and then leaves stdin alone', async () => {
      const box = await openBox(client)
      using daemon = listen(box.socket, nod)
      const json = '{"type":"agent-turn-complete","text":"é \\"quoted\\""}'
      const { ms } = await box.run(['codex', 'notify', json], { stdin: 'open' })
      expect(daemon.talks[0]?.payload.toString()).toBe(json)
      expect(ms).toBeLessThan(900)
    })

    test('answers a whole fleet at once, each with an id of its own', async () => {
      const box = await openBox(client)
      using daemon = listen(box.socket, (talk) => talk.say(`0 26 0\n${talk.header.id}`))
      const count = client.storm
      const outcomes = await Promise.all(
        Array.from({ length: count }, (_, i) => box.run(['claude', 'PreToolUse'], { stdin: `{"n":${i}}` })),
      )
      expect(outcomes.filter((outcome) => outcome.code === 0)).toHaveLength(count)
      expect(new Set(outcomes.map((outcome) => outcome.stdout.toString())).size).toBe(count)
      expect(new Set(daemon.talks.map((talk) => talk.payload.toString())).size).toBe(count)
      expect(box.spooled()).toEqual([])
    }, 30_000)

    test('survives 300 answers that were made up', async () => {
      const box = await openBox(client)
      using _daemon = listen(box.socket, (talk) => {
        talk.say(madeUpAnswer(Number(talk.payload)))
        talk.hangUp()
      })
      await inBatches(
        Array.from({ length: 300 }, (_, seed) => seed),
        4,
        async (seed) => {
          const { code, stdout, stderr } = await box.run(['claude', 'PreToolUse'], { stdin: String(seed) })
          const said = readAnswer(madeUpAnswer(seed)) ?? { exit: 0, out: '', err: '' }
          expect({ seed, exit: code, out: stdout.toString('latin1'), err: stderr }).toEqual({ seed, ...said })
        },
      )
    }, 60_000)
  })

  describe('without a daemon', () => {
    test('keeps the frame, starts the daemon once, and says nothing', async () => {
      const box = await openBox(client)
      const { code, stdout, stderr, pid, ms } = await box.run(['claude', 'PreToolUse'], {
        stdin: '{"tool_name":"Bash"}',
        env: { LINGER: '2', TMUX_PANE: '%9' },
        through: 'exec 9</dev/zero; unset PWD; exec "$@"',
      })
      expectSilence({ code, stdout, stderr })
      expect(ms).toBeLessThan(1500)
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
          session: starts[0]?.session ?? '',
        },
      ])
      const ours = isLinux ? fs.readFileSync('/proc/self/stat', 'utf8').split(' ')[5] : 'another'
      expect(starts[0]?.session).not.toBe(ours ?? '')
    })

    test('makes its folders and files for their owner alone', async () => {
      const box = await openBox(client)
      fs.rmSync(box.home, { recursive: true })
      await box.run(['claude', 'Stop'], { env: QUIET })
      const mode = (path: string) => (fs.statSync(path).mode & 0o777).toString(8)
      expect([box.home, box.state, box.spoolFolder].map(mode)).toEqual(['700', '700', '700'])
      expect(fs.readdirSync(box.spoolFolder).map((name) => mode(join(box.spoolFolder, name)))).toEqual([
        '600',
      ])
    })

    test('keeps 8 MB of a payload that was cut', async () => {
      const box = await openBox(client)
      const payload = Buffer.alloc(PAYLOAD_LIMIT_BYTES + 5, 'long ')
      await box.run(['claude', 'Stop'], { stdin: payload, env: QUIET })
      const { header, payload: kept } = parseFrame(box.spooled()[0] ?? Buffer.alloc(0))
      expect(header).toMatchObject({ cut: payload.length, len: PAYLOAD_LIMIT_BYTES })
      expect(kept.equals(payload.subarray(0, PAYLOAD_LIMIT_BYTES))).toBe(true)
    })

    test('many at once keep every frame and start one daemon', async () => {
      const box = await openBox(client)
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
    }, 30_000)

    test('starts another one only when the last start is 3 s ago', async () => {
      const box = await openBox(client)
      const lock = join(box.state, 'start.lock')
      fs.mkdirSync(box.state, { mode: 0o700 })
      const setAge = (seconds: number) =>
        fs.utimesSync(lock, Date.now() / 1000 - seconds, Date.now() / 1000 - seconds)
      fs.writeFileSync(lock, '')
      setAge(1)
      await box.run(['claude', 'Stop'])
      expect(await box.starts(0)).toEqual([])
      setAge(4)
      await box.run(['claude', 'Stop'])
      expect(await box.starts(1)).toHaveLength(1)
      expect(Date.now() - fs.statSync(lock).mtimeMs).toBeLessThan(2500)
      setAge(-3600)
      await box.run(['claude', 'Stop'])
      expect(await box.starts(2)).toHaveLength(2)
      expect(box.spooled()).toHaveLength(3)
    })

    test('starts nothing through a lock that is a link', async () => {
      const box = await openBox(client)
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
      const box = await openBox(client)
      expectSilence(await box.run(['claude', 'Stop'], { env: QUIET }))
      fs.chmodSync(box.gantry, 0o644)
      expectSilence(await box.run(['claude', 'Stop']))
      fs.rmSync(box.gantry)
      expectSilence(await box.run(['claude', 'Stop']))
      expect(await box.starts(0)).toEqual([])
      expect(fs.existsSync(join(box.state, 'start.lock'))).toBe(false)
      expect(box.spooled()).toHaveLength(3)
    })

    test('an empty GANTRY_NO_AUTOSTART is none', async () => {
      const box = await openBox(client)
      await box.run(['claude', 'Stop'], { env: { GANTRY_NO_AUTOSTART: '' } })
      expect(await box.starts(1)).toHaveLength(1)
    })

    test('a socket that nobody listens on is a daemon that died', async () => {
      const box = await openBox(client)
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
        const box = await openBox(client)
        using _daemon = listen(box.socket, (talk) => talk.say(answer))
        const outcome = await box.run(['claude', 'PreToolUse', '--required'])
        const { code, stdout, stderr } = outcome
        expect({ name, code, stdout: stdout.toString(), stderr }).toEqual({
          name,
          code: 2,
          stdout: '',
          stderr: blocked("the daemon's answer made no sense"),
        })
        expect(outcome.ms).toBeLessThan(3000)
        expectSilence(await box.run(['claude', 'PreToolUse']))
        expect(box.spooled()).toHaveLength(2)
        expect(fs.existsSync(join(box.state, 'start.lock'))).toBe(false)
      })
    }, 20_000)

    test.each([
      ['at once', ''],
      ['within the line', '0 5'],
      ['within the output', '2 10 0\n{"half'],
      ['before the last byte', '2 3 3\nabcde'],
      ['after a hold', 'hold 5000\n'],
    ])('keeps the frame and prints nothing when it hangs up %s', async (_, answer) => {
      const box = await openBox(client)
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

    test('blocks when it is required and the daemon is away, and says how to start it', async () => {
      const box = await openBox(client)
      const { code, stdout, stderr } = await box.run(['--required', 'claude', 'PreToolUse'])
      expect(code).toBe(2)
      expect(stdout.toString()).toBe('')
      expect(stderr).toBe(AWAY)
      expectSpooled(box)
      expect(await box.starts(1)).toHaveLength(1)
    })

    test('a path that no socket can have counts as no daemon, and none is started', async () => {
      const box = await openBox(client)
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

    test('a full backlog is given 50 ms to clear', async () => {
      const box = await openBox(client)
      await using deaf = await listenDeaf(box.socket)
      using _crowd = await fillBacklog(box.socket)
      const outcome = await box.run(['claude', 'Notification', '--required'], { env: QUIET })
      // Bun cannot tell a full backlog from a daemon that is gone.
      const reason = client.binary ? blocked('the daemon did not take the connection') : AWAY
      expect(outcome).toMatchObject({ code: 2, stderr: reason })
      expect(outcome.ms).toBeGreaterThanOrEqual(45)
      expect(outcome.ms).toBeLessThan(1500)
      expectSpooled(box)

      const late = box.run(['claude', 'PreToolUse'], { env: QUIET })
      await Bun.sleep(30)
      deaf.wakeUp()
      expect((await late).code).toBe(7)
    })

    test('the longest path that a socket can have works', async () => {
      const box = await openBox(client)
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
      expect(stderr).toBe(blocked("the daemon's socket or its folder is not yours alone"))
      expect(connections()).toBe(0)
      expect(await box.starts(0)).toEqual([])
    }

    test.each([0o777, 0o770, 0o702])('stays away from a socket in a folder of mode %o', async (mode) => {
      const box = await openBox(client)
      using daemon = listen(box.socket, nod)
      fs.chmodSync(join(box.home, 'run'), mode)
      await expectRefused(box, () => daemon.connections)
      expect(box.spooled()).toHaveLength(2)
    })

    test.skipIf(!isRoot)('stays away from the socket of another user', async () => {
      const box = await openBox(client)
      using daemon = listen(box.socket, nod)
      fs.chownSync(box.socket, NOBODY, NOBODY)
      await expectRefused(box, () => daemon.connections)
      expect(box.spooled()).toHaveLength(2)
    })

    test.skipIf(!isRoot)('stays away from the folder of another user', async () => {
      const box = await openBox(client)
      using daemon = listen(box.socket, nod)
      fs.chownSync(join(box.home, 'run'), NOBODY, NOBODY)
      await expectRefused(box, () => daemon.connections)
    })

    test('stays away from a file in the place of the socket', async () => {
      const box = await openBox(client)
      fs.writeFileSync(box.socket, '')
      await expectRefused(box, () => 0)
    })

    test('stays away from a link into a folder that others can write', async () => {
      const box = await openBox(client)
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
      const box = await openBox(client)
      const elsewhere = join(box.root, 'elsewhere')
      fs.mkdirSync(elsewhere)
      fs.mkdirSync(box.state)
      fs.symlinkSync(elsewhere, box.spoolFolder)
      expectSilence(await box.run(['claude', 'Stop'], { env: QUIET }))
      expect(fs.readdirSync(elsewhere)).toEqual([])
    })

    test.each(['home', 'home/state', 'home/state/spool'])('says nothing when %s is a file', async (path) => {
      const box = await openBox(client)
      fs.rmSync(join(box.root, path), { recursive: true, force: true })
      fs.mkdirSync(join(box.root, path, '..'), { recursive: true })
      fs.writeFileSync(join(box.root, path), 'a file')
      expectSilence(await box.run(['claude', 'Stop'], { env: QUIET }))
      expect(fs.readFileSync(join(box.root, path), 'utf8')).toBe('a file')
    })

    test.skipIf(!isRoot)('writes nothing into the spool of another user', async () => {
      const box = await openBox(client)
      fs.mkdirSync(box.spoolFolder, { recursive: true })
      fs.chownSync(box.spoolFolder, NOBODY, NOBODY)
      expectSilence(await box.run(['claude', 'Stop'], { env: QUIET }))
      expect(box.spooled()).toEqual([])
    })

    test('takes back a frame that it could not write to its end', async () => {
      const box = await openBox(client)
      // 512 or 1024 bytes each, as the shell counts: less than the payload either way.
      const through = 'ulimit -f 64; exec "$@"'
      expectSilence(await box.run(['claude', 'Stop'], { stdin: Buffer.alloc(500_000), env: QUIET, through }))
      expect(fs.readdirSync(box.spoolFolder)).toEqual([])
    })

    test.skipIf(!isRoot || !isLinux)('leaves the last of a disk to its user', async () => {
      const box = await openBox(client)
      fs.mkdirSync(box.state, { mode: 0o700 })
      for (const [size, frames] of [
        ['63m', 0],
        ['65m', 1],
      ] as const) {
        expect(
          Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', box.state]).exitCode,
        ).toBe(0)
        try {
          expectSilence(await box.run(['claude', 'Stop'], { env: QUIET }))
          expect(box.spooled()).toHaveLength(frames)
        } finally {
          Bun.spawnSync(['umount', box.state])
        }
      }
    })
  })

  describe('from the command line', () => {
    const usage = `usage: ${client.says} [--home DIR] [--required] [--version] [--help] <agent> [event] [json]\n`
    test.each([
      [[], 'which agent?'],
      [['--required'], 'which agent?'],
      [['Claude'], 'not the name of an agent: Claude'],
      [['../claude'], 'not the name of an agent: ../claude'],
      [['a'.repeat(33)], `not the name of an agent: ${'a'.repeat(33)}`],
      [[''], 'not the name of an agent: '],
      [['claude', 'a b'], 'not the name of an event: a b'],
      [['claude', 'é'], 'not the name of an event: é'],
      [['claude', 'E'.repeat(65)], `not the name of an event: ${'E'.repeat(65)}`],
      [['claude', ''], 'not the name of an event: '],
      [['claude', 'Stop', '{}', 'more'], 'too many arguments'],
      [['claude', '--nope'], 'unknown option --nope'],
      [['claude', '--home'], '--home needs a folder'],
      [['--home', '', 'claude'], '--home needs a folder'],
    ])('%j is a mistake that does not block', async (args, reason) => {
      const box = await openBox(client)
      const { code, stdout, stderr } = await box.run(args)
      expect(code).toBe(1)
      expect(stdout.toString()).toBe('')
      expect(stderr).toStartWith(`${client.says}: ${reason}\n${usage}`)
      expect(stderr).toContain(`| ${client.says} claude Stop`)
      expect(fs.existsSync(box.state)).toBe(false)
    })

    test('tells its version and its use', async () => {
      const box = await openBox(client)
      const version = await box.run(['--version'])
      expect([version.code, version.stdout.toString()]).toEqual([0, `${client.says} ${VERSION}\n`])
      const help = await box.run(['claude', '--help'])
      expect(help.code).toBe(0)
      expect(help.stdout.toString()).toStartWith(usage)
    })

    test('accepts the longest names, and options anywhere', async () => {
      const box = await openBox(client)
      using daemon = listen(box.socket, nod)
      const [agent, event] = ['my_agent-'.padEnd(32, '9'), 'tool.execute:before_'.padEnd(64, 'Z')]
      expectSilence(await box.run([agent, '--required', event, '--home', box.home]))
      expect(daemon.talks[0]?.header).toMatchObject({ agent, event })
    })

    test('tells a person at a terminal where the payload comes from', async () => {
      const box = await openBox(client)
      let screen = ''
      const child = Bun.spawn([...box.command, 'claude', 'Stop'], {
        env: box.environment(),
        terminal: {
          data(_, data) {
            screen += Buffer.from(data).toString()
          },
        },
      })
      expect(await child.exited).toBe(0)
      for (let i = 0; i < 50 && !screen.includes('\n'); i++) await Bun.sleep(10)
      expect(screen.trim()).toBe(
        `${client.says}: the payload comes on stdin. Try: echo '{}' | ${client.says} claude Stop`,
      )
      expect(fs.existsSync(box.state)).toBe(false)
    })
  })

  describe('in its places', () => {
    test('--home beats GANTRY_HOME, and the daemon it starts is told', async () => {
      const box = await openBox(client)
      await box.run(['claude', 'Stop', '--home', 'other/../mine/'], { env: { GANTRY_HOME: '/nowhere' } })
      expectSpooled(box, '{}', join(box.root, 'mine/state/spool'))
      expect((await box.starts(1)).map((start) => start.home)).toEqual([join(box.root, 'mine')])
    })

    test('a relative GANTRY_HOME is told to the daemon in full', async () => {
      const box = await openBox(client)
      await box.run(['claude', 'Stop'], { env: { GANTRY_HOME: relative(box.root, box.home) } })
      expectSpooled(box)
      expect((await box.starts(1)).map((start) => start.home)).toEqual([box.home])
    })

    test('a relative home in a folder that is gone is no place at all', async () => {
      const box = await openBox(client)
      const gone = join(box.root, 'gone')
      fs.mkdirSync(gone)
      const options = { cwd: gone, env: { GANTRY_HOME: 'here' }, through: `rmdir '${gone}'; exec "$@"` }
      expectSilence(await box.run(['claude', 'Stop'], options))
      fs.mkdirSync(gone)
      const { code, stderr } = await box.run(['claude', 'Stop', '--required'], options)
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: blocked('there is no such place as its GANTRY_HOME', 'Set it to an absolute path'),
      })
      expect(await box.starts(0)).toEqual([])
    })

    test('XDG decides without a home, and relative values do not count', async () => {
      const box = await openBox(client)
      const runtime = join(box.root, 'runtime')
      fs.mkdirSync(join(runtime, 'gantry'), { recursive: true, mode: 0o700 })
      const env = { GANTRY_HOME: undefined, XDG_RUNTIME_DIR: runtime }
      using daemon = listen(join(runtime, 'gantry/gantry.sock'), nod)
      await box.run(['claude', 'Stop'], { env })
      await box.run(['claude', 'Stop'], { env: { ...env, GANTRY_HOME: '' } })
      expect(daemon.talks).toHaveLength(2)

      await box.run(['claude', 'Stop'], {
        env: { ...env, XDG_RUNTIME_DIR: 'runtime', XDG_STATE_HOME: 'state' },
      })
      expectSpooled(box, '{}', join(box.root, '.local/state/gantry/spool'))
      const state = join(box.root, 'elsewhere//./state')
      await box.run(['claude', 'Stop'], { env: { ...env, XDG_RUNTIME_DIR: '', XDG_STATE_HOME: state } })
      expectSpooled(box, '{}', join(box.root, 'elsewhere/state/gantry/spool'))
      expect((await box.starts(2)).map((start) => start.home)).toEqual(['none', 'none'])
      expect(daemon.talks).toHaveLength(2)
    })

    test('a client with another XDG_RUNTIME_DIR finds the daemon by the link in the state folder', async () => {
      const box = await openBox(client)
      const runtime = join(box.root, 'runtime/gantry')
      const state = join(box.root, '.local/state/gantry')
      for (const folder of [runtime, state]) fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
      using daemon = listen(join(runtime, 'gantry.sock'), nod)
      const link = join(state, 'gantry.sock')
      fs.symlinkSync(join(runtime, 'gantry.sock'), link)
      for (const XDG_RUNTIME_DIR of [undefined, join(box.root, 'another')])
        expectSilence(await box.run(['claude', 'Stop'], { env: { GANTRY_HOME: undefined, XDG_RUNTIME_DIR } }))
      expect(daemon.talks).toHaveLength(2)

      fs.rmSync(link)
      fs.symlinkSync(join(runtime, 'gone.sock'), link)
      expectSilence(await box.run(['claude', 'Stop'], { env: { GANTRY_HOME: undefined, ...QUIET } }))
      expectSpooled(box, '{}', join(state, 'spool'))
    })
  })

  // These spend their time waiting, so they wait together.
  describe('in time', () => {
    test.concurrent('an observer leaves a stuck daemon after 250 ms', async () => {
      const box = await openBox(client)
      using daemon = listen(box.socket, silence)
      const outcome = await box.run(['claude', 'Notification'])
      expectSilence(outcome)
      expect(outcome.ms).toBeGreaterThanOrEqual(200)
      expect(outcome.ms).toBeLessThan(1500)
      expectSpooled(box)
      expect(daemon.talks[0]?.frame.equals(box.spooled()[0] ?? Buffer.alloc(0))).toBe(true)
      expect(await box.starts(0)).toEqual([])
    })

    test.concurrent('a hook without an event is an observer', async () => {
      const box = await openBox(client)
      using _daemon = listen(box.socket, silence)
      const outcome = await box.run(['claude'])
      expectSilence(outcome)
      expect(outcome.ms).toBeLessThan(1500)
    })

    test.concurrent('a decider waits for an answer that is 1 s late', async () => {
      const box = await openBox(client)
      using _daemon = listen(box.socket, async (talk) => {
        await Bun.sleep(1000)
        talk.say('2 0 3\nno\n')
      })
      expect(await box.run(['claude', 'PreToolUse'])).toMatchObject({ code: 2, stderr: 'no\n' })
      expect(box.spooled()).toEqual([])
    })

    test.concurrent('a decider waits 5 s and no longer', async () => {
      const box = await openBox(client)
      using _daemon = listen(box.socket, (talk) => talk.say('0 10 0\nhalf'))
      const outcome = await box.run(['claude', 'PreToolUse'])
      expectSilence(outcome)
      expect(outcome.ms).toBeGreaterThanOrEqual(4900)
      expect(outcome.ms).toBeLessThan(6500)
      expectSpooled(box)
    }, 10_000)

    test.concurrent('a required observer waits as long as a decider', async () => {
      const box = await openBox(client)
      using _daemon = listen(box.socket, async (talk) => {
        await Bun.sleep(1000)
        talk.say('0 2 0\nok')
      })
      const outcome = await box.run(['claude', 'Notification', '--required'])
      expect(outcome).toMatchObject({ code: 0, stdout: Buffer.from('ok') })
    })

    test.concurrent('holds keep an observer waiting', async () => {
      const box = await openBox(client)
      using _daemon = listen(box.socket, async (talk) => {
        talk.say('hold 900\n')
        await Bun.sleep(500)
        talk.say('hold 90')
        talk.say('0\nhold 2000\n')
        await Bun.sleep(1000)
        talk.say('0 4 0\nheld')
      })
      const outcome = await box.run(['claude', 'Notification'])
      expect(outcome).toMatchObject({ code: 0, stdout: Buffer.from('held') })
      expect(box.spooled()).toEqual([])
    })

    test.concurrent('a hold can also cut the wait short', async () => {
      const box = await openBox(client)
      using _daemon = listen(box.socket, (talk) => talk.say('hold 100\n'))
      const { code, stderr, ms } = await box.run(['claude', 'PreToolUse', '--required'])
      expect({ code, stderr }).toEqual({ code: 2, stderr: blocked('the daemon did not answer in time') })
      expect(ms).toBeLessThan(2000)
      expectSpooled(box)
    })

    test.concurrent('a daemon that does not read is given up, too', async () => {
      const box = await openBox(client)
      await using _deaf = await listenDeaf(box.socket)
      const outcome = await box.run(['claude', 'Stop', '--required'], { stdin: Buffer.alloc(2_000_000) })
      expect(outcome).toMatchObject({ code: 2, stderr: blocked('the daemon did not answer in time') })
      expect(box.spooled()).toHaveLength(1)
    }, 10_000)

    test.concurrent('goes on when stdin stays open without a byte', async () => {
      const box = await openBox(client)
      using daemon = listen(box.socket, nod)
      const outcome = await box.run(['claude', 'Stop'], { stdin: 'open' })
      expectSilence(outcome)
      expect(outcome.ms).toBeGreaterThanOrEqual(950)
      expect(outcome.ms).toBeLessThan(3000)
      expect(daemon.talks[0]?.header.len).toBe(0)
    })

    test.concurrent('goes on with what came when stdin stays open after it', async () => {
      const box = await openBox(client)
      using daemon = listen(box.socket, nod)
      const feed = async (pipe: Bun.FileSink) => {
        for (const piece of ['{"half":', ' "and', ' more"}']) {
          pipe.write(piece)
          pipe.flush()
          await Bun.sleep(400)
        }
      }
      const outcome = await box.run(['claude', 'Stop'], { stdin: 'open', feed })
      expectSilence(outcome)
      expect(daemon.talks[0]?.payload.toString()).toBe('{"half": "and more"}')
      expect(outcome.ms).toBeLessThan(4000)
    })

    test.concurrent('goes on after 5 s of a payload that never ends', async () => {
      const box = await openBox(client)
      using daemon = listen(box.socket, nod)
      let over = false
      const feed = async (pipe: Bun.FileSink) => {
        while (!over) {
          pipe.write('x')
          pipe.flush()
          await Bun.sleep(200)
        }
      }
      const outcome = await box.run(['claude', 'Stop'], { stdin: 'open', feed })
      over = true
      expectSilence(outcome)
      expect(outcome.ms).toBeGreaterThanOrEqual(4900)
      expect(outcome.ms).toBeLessThan(7000)
      expect(Number(daemon.talks[0]?.header.len)).toBeGreaterThan(10)
    }, 10_000)

    test.concurrent('a closed stdin is an empty payload', async () => {
      const box = await openBox(client)
      using daemon = listen(box.socket, nod)
      expectSilence(await box.run(['claude', 'Stop'], { through: 'exec "$@" <&-' }))
      expect(daemon.talks[0]?.header.len).toBe(0)
    })

    test.concurrent('a closed stdout or stderr changes nothing else', async () => {
      const box = await openBox(client)
      using daemon = listen(box.socket, (talk) => talk.say('2 3 3\noutERR'))
      expect(await box.run(['claude', 'Stop'], { through: 'exec "$@" >&-' })).toMatchObject({
        code: 2,
        stderr: 'ERR',
      })
      const outcome = await box.run(['claude', 'Stop'], { through: 'exec "$@" 2>&-' })
      expect(outcome).toMatchObject({ code: 2, stdout: Buffer.from('out') })
      expect((await box.run(['claude', 'Stop'], { through: 'exec "$@" <&- >&- 2>&-' })).code).toBe(2)
      expect(daemon.talks.map((talk) => talk.header.len)).toEqual([2, 2, 0])
    })

    test.concurrent('a reader that goes away does not change the exit code', async () => {
      const box = await openBox(client)
      const out = 'x'.repeat(1_000_000)
      using _daemon = listen(box.socket, (talk) => talk.say(`3 ${out.length} 5\n${out}after`))
      const through = '{ "$@"; echo " exit $?" >&2; } | true'
      expect((await box.run(['claude', 'Stop'], { through })).stderr).toBe('after exit 3\n')
    })
  })
})

function madeUpAnswer(seed: number): Buffer {
  const random = randomFrom(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const number = () =>
    pick(['0', '1', '2', '5', '13', '255', '256', '-1', '', '00', '007', '8388608', '9999999999', 'x'])
  const noise = (most: number) =>
    Buffer.from(Array.from({ length: Math.floor(random() * most) }, () => random() * 256))
  const line = () => {
    if (random() < 0.25)
      return pick(['hold 2000\n', 'hold 000002000\n', 'hold 9999999999\n', 'hold\n', 'Hold 1\n', 'hold  1\n'])
    if (random() < 0.5) return `${pick([0, 1, 2, 3, 200])} ${pick([0, 1, 4])} ${pick([0, 1, 4])}\n`
    return `${number()}${pick([' ', ' ', ' ', '  ', '\t'])}${number()} ${number()}${pick(['\n', '\n', '\n', '\r\n', ' \n', ''])}`
  }
  const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => Buffer.from(line()))
  if (random() < 0.2) return noise(200)
  return Buffer.concat([...parts, random() < 0.5 ? Buffer.from('abcdefghijklmnopqrstuvwxyz') : noise(30)])
}

/** The grammar of an answer once more, in the plainest way. */
function readAnswer(bytes: Buffer): { exit: number; out: string; err: string } | undefined {
  const text = bytes.toString('latin1')
  const match = /^(?:hold \d{1,9}\n)*(\d{1,3}) (\d{1,7}) (\d{1,7})\n/.exec(text)
  const [exit = 0, out = 0, err = 0] = match?.slice(1).map(Number) ?? []
  const body = text.slice(match?.[0].length ?? 0)
  if (!match || exit > 255 || out > 8388608 || err > 8388608 || body.length < out + err) return undefined
  const said = (from: number, to: number) => Buffer.from(body.slice(from, to), 'latin1')
  return { exit, out: said(0, out).toString('latin1'), err: said(out, out + err).toString() }
}
