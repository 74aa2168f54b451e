/** The nats-server that gantry runs, in whole processes: found, private, adopted, started again, ended with the daemon. */
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { commandLineOf, environOf } from '../../src/core/processes/proc.ts'
import {
  gantry,
  gantryJson,
  isGone,
  makeHome,
  type RunningDaemon,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'
import { natsIn } from '../litter.ts'
import { contentOf, countOf, startServer } from '../nats-kit.ts'
import { connected, findings, holds, infoOf, MANAGED, nats, say } from './managed-kit.ts'

const LONG_MS = 120_000

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
    expect([...commandLineOf(pid), ...environOf(pid)].join(' ')).not.toContain(infoOf(at.natsInfo).token)
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
    expect((await gantry(at, 'fleet', 'hosts')).stdout).toContain("The nats-server is this gantry's own")

    await daemon.kill('SIGTERM')
    expect(isGone(pid)).toBe(true)
    for (const file of files) expect(existsSync(file)).toBe(false)
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

  test('leaves alone what is not its own: a server on its port, a stranger with the number of an old one, a link that a repository brought', async () => {
    const foreign = await startServer({ token: 'theirs' })
    const at = makeHome()
    const [beads, elsewhere] = [tempDir(), tempDir()]
    symlinkSync(elsewhere, join(beads, '.runtime'))
    mkdirSync(at.nats, { recursive: true })
    const stranger = Bun.spawn(['sleep', '60'], { stdio: ['ignore', 'ignore', 'ignore'] })
    writeFileSync(join(at.nats, 'nats.pid'), String(stranger.pid))
    const port = String(foreign.port)
    const daemon = await startDaemon(at, { GANTRY_NATS: 'managed', BD_NATS_PORT: port, BEADS_DIR: beads })
    await connected(at)
    expect(infoOf(at.natsInfo).port).not.toBe(foreign.port)
    expect(existsSync(join(elsewhere, 'nats-info.json'))).toBe(false)
    expect(readFileSync(at.log, 'utf8')).toContain('is a link or a file, not a folder')
    await say(at, 's1')
    await holds(at, 1)
    expect(await countOf(foreign, 'HOOK_EVENTS')).toBe(-1)
    await daemon.kill('SIGTERM')
    expect(foreign.pid > 0 && !isGone(foreign.pid)).toBe(true)
    expect(stranger.exitCode).toBe(null)
    stranger.kill()
    await stranger.exited
    await foreign.kill('SIGKILL')
  })
})

describe('from one daemon to the next in the same home', () => {
  const at = makeHome()
  let daemon: RunningDaemon

  test('a restart keeps token, messages and place', async () => {
    const first = await startDaemon(at, MANAGED)
    await connected(at)
    const { token } = infoOf(at.natsInfo)
    await say(at, 's1')
    await holds(at, 1)
    await first.kill('SIGTERM')
    daemon = await startDaemon(at, MANAGED)
    await connected(at)
    expect(infoOf(at.natsInfo).token).toBe(token)
    await say(at, 's1')
    await holds(at, 2)
  })

  test('whatever cleans the folder for sockets: nats-info.json is written again', async () => {
    rmSync(at.run, { recursive: true, force: true }) // the daemon makes it again at once
    await until(() => existsSync(at.socket) && existsSync(at.natsInfo), 'the files')
    expect(infoOf(at.natsInfo).token.length).toBeGreaterThan(30)
  })

  test('a kill leaves it running, and the next daemon takes it over', async () => {
    const pid = natsIn(at.home ?? '')
    await daemon.kill('SIGKILL')
    expect(isGone(pid ?? 0)).toBe(false)
    daemon = await startDaemon(at, MANAGED)
    expect((await connected(at))?.serverPid).toBe(pid ?? 0)
    expect(readFileSync(at.log, 'utf8')).toContain(`(pid ${pid})`)
    await say(at, 's1')
    await holds(at, 3)
  })

  test('a kill and other settings: the old one is ended, not taken over', async () => {
    const pid = natsIn(at.home ?? '') ?? 0
    await daemon.kill('SIGKILL')
    daemon = await startDaemon(at, { ...MANAGED, BD_DAEMON_TOKEN: 'another' })
    await connected(at)
    expect(isGone(pid)).toBe(true)
    expect(infoOf(at.natsInfo).token).toBe('another')
  })

  test('a stop ends one that was taken over, too', async () => {
    await daemon.kill('SIGKILL')
    const pid = natsIn(at.home ?? '')
    await startDaemon(at, { ...MANAGED, BD_DAEMON_TOKEN: 'another' })
    expect((await connected(at))?.serverPid).toBe(pid ?? 0)
    expect((await gantry(at, 'down')).exit).toBe(0)
    await until(() => isGone(pid ?? 0), 'the end of nats-server')
    expect(existsSync(at.natsInfo)).toBe(false)
  })

  test('a kill, and NATS is off from then on: the old one is ended, even if it hangs', async () => {
    const killed = await startDaemon(at, MANAGED)
    const pid = (await connected(at))?.serverPid ?? 0
    await killed.kill('SIGKILL')
    expect(isGone(pid)).toBe(false)
    process.kill(pid, 'SIGSTOP')
    await using _ = await startDaemon(at, { GANTRY_NATS: 'off' })
    expect(existsSync(at.natsInfo)).toBe(false) // the thread would start after ten seconds
    await until(() => isGone(pid), 'the end of nats-server')
  })

  test('whoever only has its number or its configuration open is left alone', async () => {
    const config = join(at.nats, 'nats.conf')
    const stranger = Bun.spawn(['tail', '-f', config], { stdio: ['ignore', 'ignore', 'ignore'] })
    for (const text of [`${stranger.pid}`, `0x${stranger.pid.toString(16)}`]) {
      writeFileSync(join(at.nats, 'nats.pid'), text)
      await using _ = await startDaemon(at, { GANTRY_NATS: 'off' })
    }
    expect(stranger.exitCode).toBeNull()
    stranger.kill()
  })
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
