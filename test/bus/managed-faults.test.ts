/** What can be wrong with the nats-server that gantry runs: stopped half way, killed, stuck, useless, without room. */
import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Places, places } from '../../src/core/files/paths.ts'
import { allPids, commandLineOf } from '../../src/core/processes/proc.ts'
import { gantry, isGone, makeHome, startDaemon, tempDir, until } from '../kit.ts'
import { natsIn } from '../litter.ts'
import { connected, findings, holds, infoOf, MANAGED, say } from './managed-kit.ts'

const LONG_MS = 120_000

/** How far the start of the server has come when the daemon is stopped. */
const STAGES: ((at: Places) => boolean)[] = [
  () => true,
  (at) => leftIn(at.nats).length > 0,
  (at) => existsSync(join(at.nats, 'nats.log')),
  (at) => existsSync(at.natsInfo),
]

const leftIn = (dir: string) =>
  allPids().filter((pid) => commandLineOf(pid).some((word) => word.includes(dir)))

test.concurrent(
  'a stop in the middle of the start leaves nothing running',
  async () => {
    for (const isFar of STAGES) {
      const at = makeHome()
      const daemon = await startDaemon(at, MANAGED)
      await until(() => isFar(at), 'that it has come so far')
      await daemon.kill('SIGTERM')
      await until(() => leftIn(at.nats).length === 0, 'the end of all that it started')
      expect(existsSync(at.natsInfo)).toBe(false)
    }
  },
  LONG_MS,
)

test.concurrent(
  'nats-server killed is started again at the same place, with everything; so is one that hangs, which is ended',
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
    await until(() => ![undefined, pid].includes(natsIn(at.home ?? '')), 'another nats-server')
    await holds(at, 2)
    expect(infoOf(at.natsInfo).port).toBe(port)

    await connected(at)
    const next = natsIn(at.home ?? '') ?? 0
    process.kill(next, 'SIGSTOP')
    await say(at, 's1')
    await until(() => isGone(next), 'the end of the one that hangs', 50_000)
    await until(() => natsIn(at.home ?? '') !== undefined, 'another nats-server')
    await holds(at, 3)
  },
  2 * LONG_MS,
)

describe.concurrent('a program that cannot be used', () => {
  const serverLine = (path: string) => `[nats]\nserver = ${JSON.stringify(path)}\n`
  const program = (script: string) => {
    const path = join(tempDir(), 'nats-server')
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, 0o755)
    return path
  }
  const CASES = [
    ['echo nats-server: v2.2.0', 'is version 2.2.0; gantry needs 2.9.4 or newer', 'Upgrade it'],
    ['echo hello', 'does not report a version: "hello"', 'Set nats.server'],
    [
      'case $1 in --version) echo v2.10.0;; *) echo "nats-server: no space left on device" >&2; exit 1;; esac',
      'nats-server ended at once: nats-server: no space left on device',
      'Free disk space',
    ],
  ] as const

  test(
    'one that is not there, that is too old, that says no version, that ends at once, or again and again: each is told of with what to do, and hooks are answered',
    async () => {
      const at = makeHome(serverLine('/nowhere/nats-server'))
      await using _ = await startDaemon(at, MANAGED)
      const told = (message: string) =>
        until(
          async () => (await findings(at)).find((one) => one.message.includes(message)),
          `a finding: ${message}`,
          20_000,
        )
      await told('There is no program /nowhere/nats-server')
      expect((await gantry(at, 'bus', 'nats-info')).exit).toBe(1)
      for (const [script, message, fix] of CASES) {
        writeFileSync(at.configFile, `[http]\nport = 0\n${serverLine(program(script))}`)
        expect(await told(message)).toMatchObject({ level: 'fail', fix: expect.stringContaining(fix) })
        expect((await say(at, 's1'))?.exit).toBe(0)
      }
      const ends = 'case $1 in --version) echo v2.10.0;; *) echo "[FTL] broken" >&2; exit 1;; esac'
      writeFileSync(at.configFile, `[http]\nport = 0\n${serverLine(program(ends))}`)
      await until(
        async () =>
          (await findings(at)).some(({ message }) => /ended \d+ times in ten minutes.*broken/.test(message)),
        'a finding with its last words',
        20_000,
      )
    },
    LONG_MS,
  )
})

test.concurrent(
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
      await until(isFull, 'a finding')
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
