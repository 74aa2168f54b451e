/** Hooks on a disk that is really full, with the daemon there and with the daemon away: kept, or said to be lost. */
import { afterAll, describe, expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, reservedSlots } from '../../src/client/index.ts'
import { type Places, places } from '../../src/core/files/paths.ts'
import { gantry, HOOK, journal, run, startDaemon, tempDir, until } from '../kit.ts'
import { rounds } from '../long.ts'

const mounts: string[] = []
afterAll(() => {
  for (const dir of mounts) Bun.spawnSync(['umount', '-l', dir])
})

const isMounted = (argv: string[], dir: string) => {
  const { success } = Bun.spawnSync(['mount', ...argv, dir])
  if (success) mounts.push(dir)
  return success
}

const MB = 12 // a quarter of it is the reserve, every slot of which takes a hook
/** Kinds of disks; nothing where this user may not mount, or there is no such thing. */
const DISKS: Record<string, (dir: string) => boolean> = {
  tmpfs: (dir) => isMounted(['-t', 'tmpfs', '-o', `size=${MB}m,mode=700`, 'tmpfs'], dir),
  ext4: (dir) => {
    const image = join(tempDir(), 'disk')
    writeFileSync(image, '')
    truncateSync(image, (MB + 8) * 1024 * 1024)
    return (
      Bun.spawnSync(['mkfs.ext4', '-q', '-m', '0', image]).success && isMounted(['-o', 'loop', image], dir)
    )
  },
}

/** Of the reserve, so many slots are used up, a hook each. Where a folder has blocks for its names, more than fit into one. */
const MOST_SLOTS: Record<string, number> = { tmpfs: rounds(60, 1_000), ext4: 1_000 }

function diskHome(make: (dir: string) => boolean): Places | undefined {
  const dir = tempDir()
  if (!make(dir)) return undefined
  const at = places({}, dir)
  mkdirSync(at.config, { mode: 0o700 })
  writeFileSync(at.configFile, '[http]\nport = 0\n[search]\nenabled = false\n')
  return at
}

function fill(at: Places): string {
  const path = join(at.home ?? '', 'filler')
  for (const size of [65_536, 4096, 1]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(size, 'x'))
    } catch {
      // full for pieces of this size
    }
  }
  return path
}

/** Made in slices: it is complete when it grows no more. */
async function isReady(at: Places): Promise<void> {
  let before = 0
  const isSame = async () => {
    before = reservedSlots(at)
    await Bun.sleep(200)
    return before >= 100 && before === reservedSlots(at)
  }
  await until(isSame, 'a reserve')
}
const hook = (at: Places, n: number) =>
  run([HOOK, 'claude', 'PostToolUse'], at, `{"session_id":"s${n}","hook_event_name":"PostToolUse"}`, {
    GANTRY_NO_AUTOSTART: '1',
  })
const sessions = (at: Places) =>
  journal<{ id: string }>(
    at,
    "SELECT session_id AS id FROM events WHERE native = 'PostToolUse' ORDER BY seq",
  ).map(({ id }) => id)
const expected = (count: number) => Array.from({ length: count }, (_, n) => `s${n}`)

/** Slots that may go for the names of the others, where a folder has no room for names. */
const SPARE = 20

/** One after the other, so that their order is known. Gives what they said. */
async function hooks(at: Places, count: number, from = 0): Promise<string> {
  let said = ''
  for (let n = from; n < from + count; n++) {
    const { exit, stdout, stderr } = await hook(at, n)
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: '' })
    said += stderr
  }
  return said
}

for (const [kind, make] of Object.entries(DISKS)) {
  const probe = diskHome(make)
  if (!probe) console.error(`not tested, since no ${kind} can be mounted here`)

  describe.skipIf(!probe)(`a full disk (${kind})`, () => {
    test('under the daemon: every event is kept and stored when there is room, without a restart', async () => {
      const at = diskHome(make)
      if (!at) throw new Error('no disk')
      await using daemon = await startDaemon(at)
      await isReady(at)
      const filler = fill(at)
      expect(await hooks(at, 30)).toBe('')
      expect(readdirSync(at.spool).length).toBeGreaterThan(0)
      expect((await gantry(at, 'doctor')).stdout).toContain('keep their events in the reserve')

      rmSync(filler)
      await until(() => sessions(at).length === 30, 'all events')
      // What the daemon took itself in between is earlier in the journal than what waited.
      expect(sessions(at).sort()).toEqual(expected(30).sort())
      expect(await daemon.kill('SIGTERM')).toBe(0)
    }, 60_000)

    test('without the daemon: every event is kept; beyond the reserve each is said to be lost', async () => {
      const at = diskHome(make)
      if (!at) throw new Error('no disk')
      const first = await startDaemon(at)
      await isReady(at)
      await first.kill('SIGTERM')
      const slots = readdirSync(at.reserve).filter((name) => name.startsWith('slot-'))
      for (const name of slots.slice(MOST_SLOTS[kind])) rmSync(join(at.reserve, name))
      const room = reservedSlots(at) - SPARE
      const filler = fill(at)
      expect(await hooks(at, room)).toBe('')
      expect(reservedSlots(at)).toBeLessThanOrEqual(SPARE)
      for (const name of readdirSync(at.reserve)) if (name.startsWith('slot-')) rmSync(join(at.reserve, name))
      fill(at)
      expect((await hooks(at, 5, room)).match(/this event is lost/g)).toHaveLength(5)

      const away = await gantry(at, 'doctor')
      expect(away.exit).toBe(1)
      expect(away.stdout).toContain('the disk is full: events are lost')
      expect(away.stdout).toMatch(/5 events were lost \(first \d+\w ago, last \d+\w ago\): .* \(disk full\)/)
      expect((await gantry(at, 'status')).stdout).toContain('\n  5 events lost: see gantry doctor\n')

      rmSync(filler)
      await using _ = await startDaemon(at)
      await until(() => sessions(at).length === room, 'all events')
      expect(sessions(at)).toEqual(expected(room))
      expect(await call(at, 'status')).toMatchObject({ lost: 5, spooled: 0 })
      const findings = await call(at, 'doctor')
      expect(findings.filter(({ level }) => level === 'fail')).toEqual([])
      expect((await gantry(at, 'doctor')).stdout).toContain('5 events were lost')
      // The reserve is made again for the next time.
      await until(() => reservedSlots(at) >= 100, 'a new reserve')
      rmSync(at.lost)
      expect((await gantry(at, 'doctor')).stdout).not.toContain('were lost')
    }, 120_000)
  })
}

test.skipIf(process.getuid?.() !== 0 || process.platform !== 'linux')(
  'a disk with room that takes no more files: doctor says why the daemon does not start',
  async () => {
    const at = diskHome((dir) => isMounted(['-t', 'tmpfs', '-o', 'nr_inodes=400,mode=700', 'tmpfs'], dir))
    if (!at) throw new Error('no disk')
    mkdirSync(at.state, { mode: 0o700 })
    expect((await gantry(at, 'doctor')).stdout).not.toContain('inodes')
    let made = 0
    try {
      for (; ; made++) writeFileSync(join(at.home ?? '', `f${made}`), '')
    } catch {
      // not one more
    }
    expect(made).toBeGreaterThan(0)
    const { exit, stdout } = await gantry(at, 'doctor')
    expect(exit).toBe(1)
    expect(stdout).toMatch(/✗ disk +the disk of .* takes no more files \(inodes\)/)
  },
  60_000,
)
