/** A hook runs with the environment of its project. What it starts the daemon with is none of that. */
import { describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DAEMON_PATH } from '../../src/client/kept-environment.ts'
import { type Box, CLIENTS, openBox, useClients } from './clients.ts'
import { expectLoss, expectSilence, isRoot, nod } from './expectations.ts'
import { listen } from './fake-daemon.ts'

useClients()

const HOSTILE = {
  BD_NATS_URL: 'nats://127.0.0.1:1',
  BEADS_DIR: '/project/.beads',
  BUN_INSPECT_PRELOAD: '/project/evil.js',
  BUN_OPTIONS: '--preload=/project/evil.js',
  DBUS_SESSION_BUS_ADDRESS: 'unixexec:path=/project/evil',
  GANTRY_NATS: 'external',
  LD_LIBRARY_PATH: '/project/lib',
  NODE_OPTIONS: '--require=/project/evil.js',
  NODE_PATH: '/project',
  SSH_AUTH_SOCK: '/project/agent',
  TMPDIR: '/project/tmp',
  XDG_CONFIG_HOME: '/project/.config',
}

const PLAIN = { LANG: 'C.UTF-8', LC_ALL: 'C', LOGNAME: 'me', TZ: 'UTC', USER: 'me' }

const startedWith = async (box: Box) => {
  expect(await box.starts(1)).toHaveLength(1)
  return box.startedWith()
}

function keep(box: Box, text: string, mode = 0o600): string {
  mkdirSync(box.state, { recursive: true, mode: 0o700 })
  const path = join(box.state, 'environment')
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

describe.each(CLIENTS.map((client) => [client.name, client] as const))('the %s client', (_, client) => {
  // The twin runs under Bun, which heeds some of these before any line of it.
  const hostile = client.build ? HOSTILE : { ...HOSTILE, BUN_OPTIONS: '', BUN_INSPECT_PRELOAD: undefined }

  test('starts the daemon with a short list of names, and with programs that are no project’s', async () => {
    const box = openBox(client)
    const env = { ...hostile, ...PLAIN, PATH: `/project/bin:${process.env.PATH}`, XDG_STATE_HOME: '/state' }
    expectSilence(await box.run(['claude', 'Stop'], { env }))
    expect(await startedWith(box)).toEqual({
      ...PLAIN,
      HOME: box.root,
      PATH: DAEMON_PATH,
      XDG_STATE_HOME: '/state',
      GANTRY_HOME: box.home,
      GANTRY_AUTOSTART: '1',
    })
  })

  test('starts it as its owner did, when there was such a start', async () => {
    const box = openBox(client)
    keep(
      box,
      'PATH=/usr/bin:/bin\nHOME=/home/me\nBD_NATS_PORT=4333\nLANG=\nTZ=b=c\nnonsense\n=x\nXDG_RUNTIME_DIR=/no/such/folder\n',
    )
    expectSilence(await box.run(['claude', 'Stop'], { env: { ...hostile, ...PLAIN } }))
    expect(await startedWith(box)).toEqual({
      PATH: '/usr/bin:/bin',
      HOME: '/home/me',
      BD_NATS_PORT: '4333',
      LANG: '',
      TZ: 'b=c',
      GANTRY_HOME: box.home,
      GANTRY_AUTOSTART: '1',
    })
  })

  test('starts it without the limits and the low priority that the hook runs with', async () => {
    const box = openBox(client)
    const through = 'ulimit -S -t 60; ulimit -S -f 1000; ulimit -S -n 64; exec nice -n 5 "$@"'
    expectSilence(await box.run(['claude', 'Stop'], { through }))
    expect(await box.starts(1)).toHaveLength(1)
    expect(box.limits()).toEqual([isRoot ? '0' : '5']) // no limit is below its hard one
  })

  test('takes of what was kept only the names that may be kept', async () => {
    const box = openBox(client)
    const evil = [
      'LD_PRELOAD=/x.so',
      'BUN_OPTIONS=--preload=/x.js',
      'NODE_OPTIONS=-r/x.js',
      'PATHX=1',
      'GANTRY_OFF=1',
    ]
    keep(box, ['PATH=/usr/bin:/bin', ...evil, 'SHELL=/bin/sh', ''].join('\n'))
    expectSilence(await box.run(['claude', 'Stop']))
    const given = { PATH: '/usr/bin:/bin', SHELL: '/bin/sh', GANTRY_HOME: box.home, GANTRY_AUTOSTART: '1' }
    expect(await startedWith(box)).toEqual(given)
  })

  test.each([
    ['others may write', (box: Box) => keep(box, 'EVIL=1\n', 0o666)],
    ['is empty', (box: Box) => keep(box, '')],
    ['is larger than any', (box: Box) => keep(box, `EVIL=1\nX=${'x'.repeat(64 * 1024)}\n`)],
    [
      'is a link',
      (box: Box) => {
        const path = keep(box, 'EVIL=1\n')
        renameSync(path, join(box.root, 'elsewhere'))
        symlinkSync(join(box.root, 'elsewhere'), path)
      },
    ],
  ])('does not believe what was kept in a file that %s', async (_what, write) => {
    const box = openBox(client)
    write(box)
    expectSilence(await box.run(['claude', 'Stop']))
    expect(await startedWith(box)).toEqual({
      PATH: DAEMON_PATH,
      HOME: box.root,
      GANTRY_HOME: box.home,
      GANTRY_AUTOSTART: '1',
    })
  })

  describe('with a home that was pinned', () => {
    const elsewhere = {
      GANTRY_HOME: '/project/gantry',
      XDG_STATE_HOME: '/project',
      XDG_RUNTIME_DIR: '/project',
    }

    test('has its XDG folders where the install found them', async () => {
      const box = openBox(client)
      const xdg = join(box.root, 'xdg')
      const args = ['--home', `xdg:${xdg}`, 'claude', 'Stop']
      expectSilence(await box.run(args, { env: elsewhere }))
      expect(box.spooled(join(xdg, 'gantry/spool'))).toHaveLength(1)
      expect(await startedWith(box)).toEqual({
        PATH: DAEMON_PATH,
        HOME: box.root,
        XDG_STATE_HOME: xdg,
        GANTRY_AUTOSTART: '1',
      })
      const socket = join(xdg, 'gantry/gantry.sock')
      using daemon = listen(socket, nod)
      await box.run(args, { env: elsewhere })
      expect(daemon.connections).toBe(1)
      expect(readdirSync(box.home)).toEqual(['run'])
    })

    test('keeps nothing where no such place can be', async () => {
      const box = openBox(client)
      const outcome = await box.run(['--home', 'xdg:here', 'claude', 'Stop'], { env: elsewhere })
      expectLoss(outcome, 'its home folder does not exist', 'Set GANTRY_HOME or --home to an absolute path')
      expect(await box.starts(0)).toEqual([])
      expect(existsSync(join(box.root, 'xdg:here'))).toBe(false)
    })
  })
})
