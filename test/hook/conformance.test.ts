/**
 * What a hook client does, for each of them: the native one, the same with sanitizers, and its TypeScript twin.
 * Here with a daemon that answers; away.test.ts has the daemons that do not, and timing.test.ts those that are slow.
 */
import { describe, expect, test } from 'bun:test'
import { ENV_ALLOW_LIST, PAYLOAD_LIMIT_BYTES, STDIN_IDLE_MS } from '../../src/client/wire.ts'
import { VERSION } from '../../src/core/version.ts'
import { rounds } from '../long.ts'
import { randomFrom } from '../random.ts'
import { CLIENTS, inBatches, NATIVE, openBox, useClients } from './clients.ts'
import { expectSilence, nod, silence } from './expectations.ts'
import { listen, type Talk } from './fake-daemon.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

useClients()

describe.each(CLIENTS.map((client) => [client.name, client] as const))('the %s client', (_, client) => {
  describe('with a daemon', () => {
    test.each([
      ['nothing', 0, '', ''],
      ['an output', 0, '{"decision":"allow"}\n', ''],
      ['a block', 2, '', 'rm -rf is not allowed here\n'],
      ['both and an odd code', 255, 'out', 'err'],
      ['any bytes', 1, '\0\n\xff"', '\n\n'],
    ])('passes on %s', async (_, exit, out, err) => {
      const box = openBox(client)
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
      const box = openBox(client)
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
      const box = openBox(client)
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
      const box = openBox(client)
      using _daemon = listen(box.socket, silence, (say) => say('2 0 4\nfull'))
      const outcome = await box.run(['claude', 'PreToolUse'], { stdin: Buffer.alloc(4 * 1024 * 1024, 'x') })
      expect(outcome).toMatchObject({ code: 2, stderr: 'full' })
    })

    test('takes an answer of a daemon that hangs up before it was sent everything', async () => {
      const box = openBox(client)
      using _daemon = listen(box.socket, silence, (say, hangUp) => {
        say('2 0 4\nfull')
        hangUp()
      })
      const outcome = await box.run(['claude', 'PreToolUse'], { stdin: Buffer.alloc(4 * 1024 * 1024, 'x') })
      // Bun drops what was there to read once a write has failed; then the frame has to be kept.
      if (!client.build && outcome.code === 0) expect(box.spooled()).toHaveLength(1)
      else expect(outcome).toMatchObject({ code: 2, stderr: 'full' })
    })

    test('describes itself in the header, and nothing that is not on the list', async () => {
      const box = openBox(client)
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
      const box = openBox(client)
      using daemon = listen(box.socket, nod)
      await box.run(['codex'], { env: { TMUX: '', TMUX_PANE: undefined } })
      const { header } = daemon.talks[0] as Talk
      expect(Object.keys(header)).toEqual(
        ['v', 'kind', 'agent', 'id', 'at', 'pid', 'ppid', 'env', 'client', 'hold', 'len'], //
      )
      expect(header.env).toEqual({})
    })

    test('makes ids that carry the time and sort by it', async () => {
      const box = openBox(client)
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
      const box = openBox(client)
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
      const box = openBox(client)
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
      const box = openBox(client)
      using daemon = listen(box.socket, nod)
      expectSilence(await box.run(['claude', 'PreToolUse'], { stdin: payload }))
      const { header, payload: came } = daemon.talks[0] as Talk
      const kept = payload.subarray(0, PAYLOAD_LIMIT_BYTES)
      expect(came.equals(kept)).toBe(true)
      expect(header.len).toBe(kept.length)
      expect(header.cut).toEqual(payload.length > kept.length ? payload.length : undefined)
    })

    test('waits for the payload of an event that can decide, however busy the agent is', async () => {
      const box = openBox(client)
      using daemon = listen(box.socket, nod)
      const feed = async (pipe: Bun.FileSink) => {
        await Bun.sleep(STDIN_IDLE_MS + 500)
        pipe.write('{"late":true}')
        pipe.end()
      }
      expectSilence(await box.run(['claude', 'PreToolUse'], { stdin: 'open', feed }))
      expect(daemon.talks[0]?.payload.toString()).toBe('{"late":true}')
    })

    test('takes the payload from the command line, and then leaves stdin alone', async () => {
      const box = openBox(client)
      using daemon = listen(box.socket, nod)
      const json = '{"type":"agent-turn-complete","text":"é \\"quoted\\""}'
      const options = { stdin: 'for somebody else', through: '"$@"; cat' }
      const { stdout } = await box.run(['codex', 'notify', json], options)
      expect(daemon.talks[0]?.payload.toString()).toBe(json)
      expect(stdout.toString()).toBe(options.stdin)
    })

    test('answers a whole fleet at once, each with an id of its own', async () => {
      const box = openBox(client)
      using daemon = listen(box.socket, (talk) => talk.say(`0 26 0\n${talk.header.id}`))
      const count = client.storm
      const outcomes = await Promise.all(
        Array.from({ length: count }, (_, i) => box.run(['claude', 'PreToolUse'], { stdin: `{"n":${i}}` })),
      )
      expect(outcomes.filter((outcome) => outcome.code === 0)).toHaveLength(count)
      expect(new Set(outcomes.map((outcome) => outcome.stdout.toString())).size).toBe(count)
      expect(new Set(daemon.talks.map((talk) => talk.payload.toString())).size).toBe(count)
      expect(box.spooled()).toEqual([])
    })

    const madeUp = rounds(client === NATIVE ? 50 : 10, 300) // the others take ten times as long to start
    test(`survives ${madeUp} answers that were made up`, async () => {
      const box = openBox(client)
      using _daemon = listen(box.socket, (talk) => {
        talk.say(madeUpAnswer(Number(talk.payload)))
        talk.hangUp()
      })
      await inBatches(
        Array.from({ length: madeUp }, (_, seed) => seed),
        4,
        async (seed) => {
          const { code, stdout, stderr } = await box.run(['claude', 'PreToolUse'], { stdin: String(seed) })
          const said = readAnswer(madeUpAnswer(seed)) ?? { exit: 0, out: '', err: '' }
          expect({ seed, exit: code, out: stdout.toString('latin1'), err: stderr }).toEqual({ seed, ...said })
        },
      )
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
