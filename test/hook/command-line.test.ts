/** How a hook client is called, and where it looks for its daemon. */
import { describe, expect, test } from 'bun:test'
import * as fs from 'node:fs'
import { join, relative } from 'node:path'
import { VERSION } from '../../src/core/version.ts'
import { CLIENTS, openBox, useClients } from './clients.ts'
import { blocked, expectLoss, expectSilence, expectSpooled, nod, QUIET } from './expectations.ts'
import { listen } from './fake-daemon.ts'

useClients()

describe.each(CLIENTS.map((client) => [client.name, client] as const))('the %s client', (_, client) => {
  describe('from the command line', () => {
    const usage = `usage: ${client.says} [--home DIR] [--required] [--version] [--help] <agent> [event] [json]\n`
    test.each([
      [[], 'the agent is missing'],
      [['--required'], 'the agent is missing'],
      [['Claude'], 'invalid agent name: Claude'],
      [['../claude'], 'invalid agent name: ../claude'],
      [['a'.repeat(33)], `invalid agent name: ${'a'.repeat(33)}`],
      [[''], 'invalid agent name: '],
      [['claude', 'a b'], 'invalid event name: a b'],
      [['claude', 'é'], 'invalid event name: é'],
      [['claude', 'E'.repeat(65)], `invalid event name: ${'E'.repeat(65)}`],
      [['claude', ''], 'invalid event name: '],
      [['claude', 'Stop', '{}', 'more'], 'too many arguments'],
      [['codex', '{}', '{}'], 'invalid event name: {}'],
      [['claude', '--nope'], 'unknown option --nope'],
      [['claude', '--home'], '--home needs a folder'],
      [['--home', '', 'claude'], '--home needs a folder'],
    ])('%j is a mistake that does not block', async (args, reason) => {
      const box = openBox(client)
      const { code, stdout, stderr } = await box.run(args)
      expect(code).toBe(1)
      expect(stdout.toString()).toBe('')
      expect(stderr).toStartWith(`${client.says}: ${reason}\n${usage}`)
      expect(stderr).toContain(`| ${client.says} claude Stop`)
      expect(fs.existsSync(box.state)).toBe(false)
    })

    test('tells its version and its use', async () => {
      const box = openBox(client)
      const version = await box.run(['--version'])
      expect([version.code, version.stdout.toString()]).toEqual([0, `${client.says} ${VERSION}\n`])
      const help = await box.run(['claude', '--help'])
      expect(help.code).toBe(0)
      expect(help.stdout.toString()).toStartWith(usage)
    })

    test('accepts the longest names, and options anywhere', async () => {
      const box = openBox(client)
      using daemon = listen(box.socket, nod)
      const [agent, event] = ['my_agent-'.padEnd(32, '9'), 'tool.execute:before_'.padEnd(64, 'Z')]
      expectSilence(await box.run([agent, '--required', event, '--home', box.home]))
      expect(daemon.talks[0]?.header).toMatchObject({ agent, event })
    })

    test('takes what begins as JSON in the place of the event for the payload', async () => {
      const box = openBox(client)
      using daemon = listen(box.socket, nod)
      const json = '{"type":"agent-turn-complete"}'
      expectSilence(await box.run(['codex', json]))
      expectSilence(await box.run(['codex', 'notify', json]))
      expect(daemon.talks.map(({ header, payload }) => [header.event, payload.toString()])).toEqual([
        [undefined, json],
        ['notify', json],
      ])
    })

    test('tells a person at a terminal where the payload comes from', async () => {
      const box = openBox(client)
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
      const box = openBox(client)
      await box.run(['claude', 'Stop', '--home', 'other/../mine/'], { env: { GANTRY_HOME: '/nowhere' } })
      expectSpooled(box, '{}', join(box.root, 'mine/state/spool'))
      expect((await box.starts(1)).map((start) => start.home)).toEqual([join(box.root, 'mine')])
    })

    test('a relative GANTRY_HOME is told to the daemon in full', async () => {
      const box = openBox(client)
      await box.run(['claude', 'Stop'], { env: { GANTRY_HOME: relative(box.root, box.home) } })
      expectSpooled(box)
      expect((await box.starts(1)).map((start) => start.home)).toEqual([box.home])
    })

    test('a relative home in a folder that is gone is no place at all', async () => {
      const box = openBox(client)
      const gone = join(box.root, 'gone')
      fs.mkdirSync(gone)
      const options = { cwd: gone, env: { GANTRY_HOME: 'here' }, through: `rmdir '${gone}'; exec "$@"` }
      const why = ['its home folder does not exist', 'Set GANTRY_HOME or --home to an absolute path'] as const
      const outcome = await box.run(['claude', 'Stop'], options)
      expectLoss(outcome, ...why)
      fs.mkdirSync(gone)
      const { code, stderr } = await box.run(['claude', 'Stop', '--required'], options)
      expect({ code, stderr }).toEqual({ code: 2, stderr: outcome.stderr + blocked(...why) })
      expect(await box.starts(0)).toEqual([])
    })

    test('XDG decides without a home, and relative values do not count', async () => {
      const box = openBox(client)
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
      const box = openBox(client)
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
})
