/**
 * What consumers of bd's bus have when the daemon is killed: started again by a hook, it is where and as it was; and never is a
 * file left that names a server which is gone, without somebody saying so.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../../src/core/files/paths.ts'
import { endDaemon, gantry, HOOK, isGone, makeHome, run, startDaemon, tempDir, until } from '../kit.ts'
import { natsIn } from '../litter.ts'
import { anyPort } from '../nats-kit.ts'
import { attach, discover, type NatsInfo, signIn } from './coop.ts'

setDefaultTimeout(120_000)

interface Killed {
  readonly at: Places
  readonly beads: string
  readonly file: string
  readonly info: NatsInfo
  /** Ends the server, too, as a machine that goes down does. */
  endServer(): Promise<void>
}

/** A daemon with a server of its own, as bd's users start it, and then killed. */
async function killed(): Promise<Killed> {
  const at = makeHome()
  const beads = tempDir()
  const port = await anyPort()
  const env = {
    GANTRY_NATS: 'managed',
    BD_NATS_PORT: String(port),
    BD_DAEMON_TOKEN: 'shared-secret',
    BEADS_DIR: beads,
  }
  const daemon = await startDaemon(at, env)
  const info = await connected(beads)
  expect(info).toMatchObject({ port, token: 'shared-secret' })
  await daemon.kill('SIGKILL')
  const endServer = async () => {
    const server = natsIn(at.home ?? '') ?? 0
    process.kill(server, 'SIGKILL')
    await until(() => isGone(server), 'the end of the server')
  }
  return { at, beads, file: join(beads, '.runtime/nats-info.json'), info, endServer }
}

function connected(beads: string): Promise<NatsInfo> {
  const look = async () => {
    try {
      const info = discover(beads)
      await (await signIn(info)).close()
      return info
    } catch {
      return undefined
    }
  }
  return until(look, 'a server that the file names')
}

/** As an agent runs it: nothing of bd in its environment. */
const hook = (at: Places, n: number) =>
  run(
    [HOOK, 'claude', 'Stop'],
    at,
    JSON.stringify({ hook_event_name: 'Stop', session_id: 's1', cwd: '/', n }),
    {
      GANTRY_NATS: '',
    },
  )

describe('a daemon that is killed', () => {
  test.each([
    ['while its server goes on', false],
    ['together with its server', true],
  ])('and started by a hook is where it was, with its token, %s', async (_, both) => {
    const { at, beads, info, endServer } = await killed()
    if (both) await endServer()
    await hook(at, 1)
    expect(await connected(beads)).toEqual(info)
    expect(await until(() => existsSync(at.natsInfo), 'its own file')).toBe(true)
    expect(JSON.parse(readFileSync(at.natsInfo, 'utf8'))).toEqual(info)
    const sidecar = await attach(info, { id: 'after', deliver: 'all' })
    await hook(at, 2)
    const numbers = () => sidecar.heard.map(({ text }) => (JSON.parse(text) as { n?: number }).n)
    await until(() => numbers().includes(1) && numbers().includes(2), 'both events')
    await sidecar.leave()
    await endDaemon(at, 'SIGTERM')
    await until(() => !existsSync(join(beads, '.runtime/nats-info.json')), 'the file to go')
  })

  test('and not started again: status and doctor name the stale file, nats-info prints none, down and one with another BEADS_DIR remove it', async () => {
    const { at, file, endServer } = await killed()
    // As long as its server is there, the file is right.
    expect((await gantry(at, 'doctor')).stdout).not.toContain('names a NATS server')
    await endServer()
    expect((await gantry(at, 'doctor')).stdout).toContain(`${file} names a NATS server that is gone`)
    expect((await gantry(at, 'status')).stdout.replace(/\s+/g, ' ')).toContain(
      'names a NATS server that is gone',
    )
    expect(JSON.parse((await gantry(at, 'status', '--json')).stdout)).toMatchObject({
      running: false,
      staleNatsInfo: expect.arrayContaining([file]),
    })
    const info = await gantry(at, 'bus', 'nats-info', '--json')
    expect([info.exit, info.stdout]).toEqual([1, ''])
    // One that is started with another BEADS_DIR takes the file in the old one back.
    const beads = tempDir()
    const port = String(await anyPort())
    const env = { GANTRY_NATS: 'managed', BD_NATS_PORT: port, BD_DAEMON_TOKEN: 'other', BEADS_DIR: beads }
    const daemon = await startDaemon(at, env)
    expect(await connected(beads)).toMatchObject({ token: 'other' })
    expect(existsSync(file)).toBe(false)
    await daemon.kill('SIGKILL')
    await endServer()
    const other = join(beads, '.runtime/nats-info.json')
    expect((await gantry(at, 'down')).stdout).toContain(`removed ${other}`)
    expect([other, at.natsInfo].filter(existsSync)).toEqual([])
  })

  test('and started without NATS takes the file back, but not what another program wrote there', async () => {
    const one = await killed()
    await one.endServer()
    const off = await startDaemon(one.at, { GANTRY_NATS: 'off' })
    await until(() => !existsSync(one.file), 'the stale file to go')
    await off.kill('SIGTERM')
    const two = await killed()
    await two.endServer()
    rmSync(two.file)
    writeFileSync(two.file, '{"url":"nats://127.0.0.1:1"}')
    const again = await startDaemon(two.at, { GANTRY_NATS: 'off' })
    await until(() => !existsSync(two.at.natsInfo), 'its own file to go')
    expect(readFileSync(two.file, 'utf8')).toBe('{"url":"nats://127.0.0.1:1"}')
    await again.kill('SIGTERM')
  })
})
