/** The nats-server that gantry runs, in whole processes: found, private, adopted, started again, ended with the daemon. */
import { describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type BusStatus, call, type Finding } from '../../src/client/index.ts'
import { type Places, places } from '../../src/core/paths.ts'
import { gantry, gantryJson, isGone, makeHome, sendFrame, startDaemon, tempDir, until } from '../kit.ts'
import { natsIn } from '../litter.ts'
import { contentOf, countOf, startServer } from '../nats-kit.ts'

const LONG_MS = 60_000
const MANAGED = { GANTRY_NATS: 'managed', BD_NATS_PORT: '0' }

const nats = async (at: Places) => ((await call(at, 'bus.status')) as BusStatus).nats
const findings = async (at: Places) =>
  ((await call(at, 'doctor')) as Finding[]).filter(({ about }) => about === 'nats')
const connected = (at: Places) =>
  until(async () => ((await nats(at))?.connected ? nats(at) : undefined), 'a connection', 20_000)
const infoOf = (file: string) =>
  JSON.parse(readFileSync(file, 'utf8')) as { url: string; port: number; token: string }
const serverOf = (at: Places) => {
  const { url, token } = infoOf(at.natsInfo)
  return { url, signIn: { token } }
}
const runsIn = (pid: number, dir: string) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dir)
  } catch {
    return false
  }
}
const say = (at: Places, session: string) =>
  sendFrame(at, { payload: JSON.stringify({ hook_event_name: 'Stop', session_id: session }) })
const holds = (at: Places, count: number) =>
  until(async () => (await countOf(serverOf(at), 'HOOK_EVENTS')) >= count, `${count} messages`, 20_000)

describe('a start', () => {
  test('runs nats-server on loopback with a token of its own, and tells where it is', async () => {
    const at = makeHome()
    const beads = tempDir()
    const daemon = await startDaemon(at, { ...MANAGED, BEADS_DIR: beads })
    const status = await connected(at)
    const files = [at.natsInfo, join(beads, '.runtime/nats-info.json')]
    for (const file of files) {
      const { url, port, token, ...rest } = infoOf(file)
      expect(url).toBe(`nats://127.0.0.1:${port}`)
      expect(status?.url).toBe(url)
      expect(token.length).toBeGreaterThan(30)
      expect(rest as object).toEqual({ jetstream: true, stream: 'HOOK_EVENTS', subjects: 'hooks.>' })
      expect(statSync(file).mode & 0o777).toBe(0o600)
    }
    expect(await gantryJson(at, 'bus', 'nats-info', '--json')).toEqual(infoOf(at.natsInfo))
    const pid = natsIn(at.home ?? '') ?? 0
    expect(status?.serverPid).toBe(pid)
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(infoOf(at.natsInfo).token)
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain(infoOf(at.natsInfo).token)
    for (const name of ['nats.conf', 'token', 'nats.log']) {
      expect(statSync(join(at.nats, name)).mode & 0o077).toBe(0)
    }
    await expect(
      contentOf({ url: infoOf(at.natsInfo).url, signIn: { token: 'wrong' } }, 'HOOK_EVENTS'),
    ).rejects.toThrow()
    await say(at, 's1')
    await holds(at, 1)
    expect(await findings(at)).toEqual([])
    expect((await gantry(at, 'status')).stdout).toContain(`${infoOf(at.natsInfo).url} (managed)`)

    await daemon.kill('SIGTERM')
    expect(isGone(pid)).toBe(true)
    for (const file of files) expect(existsSync(file)).toBe(false)
  })

  test('keeps token, messages and place over a restart', async () => {
    const at = makeHome()
    const first = await startDaemon(at, MANAGED)
    await connected(at)
    const { token } = infoOf(at.natsInfo)
    await say(at, 's1')
    await holds(at, 1)
    await first.kill('SIGTERM')
    await using _ = await startDaemon(at, MANAGED)
    await connected(at)
    expect(infoOf(at.natsInfo).token).toBe(token)
    await say(at, 's1')
    await holds(at, 2)
  })

  test('takes the port and the token of the environment', async () => {
    const at = makeHome()
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as { port: number }
    const first = await startDaemon(at, {
      GANTRY_NATS: 'managed',
      BD_NATS_PORT: String(port),
      BD_DAEMON_TOKEN: 'mine',
    })
    await connected(at)
    expect(infoOf(at.natsInfo).port).not.toBe(port) // somebody was there first
    expect(infoOf(at.natsInfo).token).toBe('mine')
    await first.kill('SIGTERM')
    await new Promise((resolve) => taken.close(resolve))
    await using _ = await startDaemon(at, { GANTRY_NATS: 'managed', BD_NATS_PORT: String(port) })
    await connected(at)
    expect(infoOf(at.natsInfo).port).toBe(port)
    expect(infoOf(at.natsInfo).token).not.toBe('mine')
  })

  test('leaves a foreign nats-server on its port alone', async () => {
    const foreign = await startServer({ token: 'theirs' })
    const at = makeHome()
    await using _ = await startDaemon(at, { GANTRY_NATS: 'managed', BD_NATS_PORT: String(foreign.port) })
    await connected(at)
    expect(infoOf(at.natsInfo).port).not.toBe(foreign.port)
    await say(at, 's1')
    await holds(at, 1)
    expect(await countOf(foreign, 'HOOK_EVENTS')).toBe(-1)
  })

  test('does not write its token through a link that a repository brought', async () => {
    const at = makeHome()
    const [beads, elsewhere] = [tempDir(), tempDir()]
    symlinkSync(elsewhere, join(beads, '.runtime'))
    await using _ = await startDaemon(at, { ...MANAGED, BEADS_DIR: beads })
    await connected(at)
    expect(existsSync(join(elsewhere, 'nats-info.json'))).toBe(false)
    expect(readFileSync(at.log, 'utf8')).toContain('is a link or a file, not a folder')
  })
})

describe('a stop', () => {
  test(
    'in the middle of the start leaves nothing running',
    async () => {
      for (const ms of [150, 200, 220, 240, 260, 300]) {
        const at = makeHome()
        const daemon = await startDaemon(at, MANAGED)
        await Bun.sleep(ms)
        await daemon.kill('SIGTERM')
        await Bun.sleep(100)
        const left = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && runsIn(Number(pid), at.nats))
        expect(left).toEqual([])
        expect(existsSync(at.natsInfo)).toBe(false)
      }
    },
    LONG_MS,
  )

  test('of whatever cleans the folder for sockets: nats-info.json is written again', async () => {
    const at = makeHome()
    await using _ = await startDaemon(at, MANAGED)
    await connected(at)
    rmSync(at.run, { recursive: true })
    await until(() => existsSync(at.socket) && existsSync(at.natsInfo), 'the files', 10_000)
    expect(infoOf(at.natsInfo).token.length).toBeGreaterThan(30)
  })
})

describe('nats-server killed', () => {
  test(
    'is started again at the same place, with everything',
    async () => {
      const at = makeHome()
      await using _ = await startDaemon(at, MANAGED)
      await connected(at)
      const { port } = infoOf(at.natsInfo)
      await say(at, 's1')
      await holds(at, 1)
      const pid = natsIn(at.home ?? '') ?? 0
      process.kill(pid, 'SIGKILL')
      await say(at, 's1')
      await until(() => ![undefined, pid].includes(natsIn(at.home ?? '')), 'another nats-server', 20_000)
      await holds(at, 2)
      expect(infoOf(at.natsInfo).port).toBe(port)
    },
    LONG_MS,
  )

  test('that hangs is ended and started again', async () => {
    const at = makeHome()
    await using _ = await startDaemon(at, MANAGED)
    await connected(at)
    const pid = natsIn(at.home ?? '') ?? 0
    process.kill(pid, 'SIGSTOP')
    await say(at, 's1')
    await until(() => isGone(pid), 'the end of the one that hangs', 50_000)
    await until(() => natsIn(at.home ?? '') !== undefined, 'another nats-server', 20_000)
    await holds(at, 1)
  }, 120_000)
})

describe('the daemon killed', () => {
  test('leaves it running; the next one takes it over, and ends it when it stops', async () => {
    const at = makeHome()
    const first = await startDaemon(at, MANAGED)
    await connected(at)
    await say(at, 's1')
    await holds(at, 1)
    const pid = natsIn(at.home ?? '')
    await first.kill('SIGKILL')
    expect(isGone(pid ?? 0)).toBe(false)
    await startDaemon(at, MANAGED)
    expect((await connected(at))?.serverPid).toBe(pid ?? 0)
    expect(readFileSync(at.log, 'utf8')).toContain(`(pid ${pid})`)
    await say(at, 's1')
    await holds(at, 2)
    expect((await gantry(at, 'down')).exit).toBe(0)
    await until(() => isGone(pid ?? 0), 'the end of nats-server')
    expect(existsSync(at.natsInfo)).toBe(false)
  })

  test('and its settings changed: the old one is ended, not taken over', async () => {
    const at = makeHome()
    const first = await startDaemon(at, MANAGED)
    await connected(at)
    const pid = natsIn(at.home ?? '') ?? 0
    await first.kill('SIGKILL')
    await using _ = await startDaemon(at, { ...MANAGED, BD_DAEMON_TOKEN: 'another' })
    await connected(at)
    expect(isGone(pid)).toBe(true)
    expect(infoOf(at.natsInfo).token).toBe('another')
  })

  test('and a stranger has the number of the old one: it is left alone', async () => {
    const at = makeHome()
    mkdirSync(at.nats, { recursive: true })
    const stranger = Bun.spawn(['sleep', '60'], { stdio: ['ignore', 'ignore', 'ignore'] })
    writeFileSync(join(at.nats, 'nats.pid'), String(stranger.pid))
    const daemon = await startDaemon(at, MANAGED)
    await connected(at)
    await daemon.kill('SIGTERM')
    expect(stranger.exitCode).toBe(null)
    stranger.kill()
    await stranger.exited
  })
})

describe('a program that cannot be used', () => {
  const withServer = (script: string) => {
    const path = join(tempDir(), 'nats-server')
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, 0o755)
    return makeHome(`[nats]\nserver = ${JSON.stringify(path)}\n`)
  }
  const problem = (at: Places) => until(async () => (await findings(at))[0], 'a finding', 20_000)

  test.each([
    ['echo nats-server: v2.2.0', 'is version 2.2.0; gantry needs 2.9.4 or newer', 'Upgrade it'],
    ['echo hello', 'does not say which version it is: "hello"', 'Set nats.server'],
    [
      'case $1 in --version) echo v2.10.0;; *) echo "nats-server: no space left on device" >&2; exit 1;; esac',
      'nats-server ended at once: nats-server: no space left on device',
      'Free disk space',
    ],
  ])('%s', async (script, message, fix) => {
    const at = withServer(script)
    await using _ = await startDaemon(at, MANAGED)
    const found = await problem(at)
    expect(found).toMatchObject({ level: 'fail', about: 'nats' })
    expect(found?.message).toContain(message)
    expect(found?.fix).toContain(fix)
    expect((await say(at, 's1'))?.exit).toBe(0)
  })

  test('one that is not there', async () => {
    const at = makeHome('[nats]\nserver = "/nowhere/nats-server"\n')
    await using _ = await startDaemon(at, MANAGED)
    expect((await problem(at))?.message).toContain('There is no program /nowhere/nats-server')
    expect((await gantry(at, 'bus', 'nats-info')).exit).toBe(1)
  })

  test(
    'one that ends again and again is told of with its last words',
    async () => {
      const at = withServer('case $1 in --version) echo v2.10.0;; *) echo "[FTL] broken" >&2; exit 1;; esac')
      await using _ = await startDaemon(at, MANAGED)
      await until(
        async () =>
          (await findings(at)).some(({ message }) => /ended \d+ times in ten minutes.*broken/.test(message)),
        'a finding',
        20_000,
      )
    },
    LONG_MS,
  )
})

describe('the configuration', () => {
  test(
    'turns it off and on while the daemon runs',
    async () => {
      const at = makeHome('[nats]\nport = 0\n')
      await using _ = await startDaemon(at, { GANTRY_NATS: '' })
      await connected(at)
      const pid = natsIn(at.home ?? '') ?? 0
      await say(at, 's1')
      await holds(at, 1)
      writeFileSync(at.configFile, '[http]\nport = 0\n[nats]\nmode = "off"\n')
      await until(() => isGone(pid), 'the end of nats-server')
      await until(() => !existsSync(at.natsInfo), 'the file to go')
      await say(at, 's1')
      writeFileSync(at.configFile, '[http]\nport = 0\n[nats]\nport = 0\n')
      await connected(at)
      await holds(at, 2)
    },
    LONG_MS,
  )

  test('without any nats-server it is off, and says so', async () => {
    const at = makeHome()
    const bin = tempDir()
    for (const name of ['bun', 'sh', 'env']) symlinkSync(Bun.which(name) ?? process.execPath, join(bin, name))
    await using _ = await startDaemon(at, { GANTRY_NATS: '', PATH: bin })
    expect(await nats(at)).toMatchObject({
      mode: 'off',
      why: expect.stringContaining('no nats-server on PATH'),
    })
    expect(await findings(at)).toEqual([])
  })
})

test(
  'a disk that is full holds nothing up: what comes is published when there is room again',
  async () => {
    const dir = tempDir()
    const { success, stderr } = Bun.spawnSync([
      'mount',
      '-t',
      'tmpfs',
      '-o',
      'size=160m,mode=700',
      'tmpfs',
      dir,
    ])
    if (!success) {
      console.error(`not tested, since nothing can be mounted here: ${stderr.toString().trim()}`)
      return
    }
    try {
      const at = places({}, dir)
      mkdirSync(at.config, { mode: 0o700 })
      writeFileSync(at.configFile, '[http]\nport = 0\n')
      const first = await startDaemon(at, MANAGED)
      await connected(at)
      await say(at, 's1')
      await holds(at, 1)
      await first.kill('SIGTERM')
      const filler = join(dir, 'filler')
      writeFileSync(filler, new Uint8Array(110 * 1024 * 1024))
      await using _ = await startDaemon(at, MANAGED)
      const isFull = async () => (await findings(at))[0]?.message.includes('MB are free on the disk')
      await until(isFull, 'a finding', 20_000)
      expect((await say(at, 's1'))?.exit).toBe(0)
      rmSync(filler)
      await connected(at)
      await holds(at, 2)
      expect((await gantry(at, 'down')).exit).toBe(0)
    } finally {
      Bun.spawnSync(['umount', '-l', dir])
    }
  },
  LONG_MS,
)
