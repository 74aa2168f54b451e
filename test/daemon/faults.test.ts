/** Disks that fill up, databases that are locked or broken, files that vanish: the real daemon goes on. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import { type Places, places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import {
  daemonPid,
  frame,
  gantry,
  HOOK,
  idsIn,
  journal,
  makeHome,
  type RunningDaemon,
  run,
  sendFrame,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'

const status = (at: Places) => call(at, 'status')
const findings = (at: Places) => call(at, 'doctor')
const send = (at: Places, id = newId()) => sendFrame(at, { id, payload: `{"session_id":"s1","cwd":"${id}"}` })

const mounts: string[] = []
afterAll(() => {
  for (const dir of mounts) Bun.spawnSync(['umount', '-l', dir])
})

/** A home on a disk of its own, or nothing where this user may not mount. */
/** Of so many megabytes: the runtime caches what it compiles in HOME, some two of them. */
function diskHome(megabytes: number): Places | undefined {
  const dir = tempDir()
  const options = `size=${megabytes}m,mode=700`
  const { success, stderr } = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', options, 'tmpfs', dir])
  if (!success) {
    console.error(`not tested, since nothing can be mounted here: ${stderr.toString().trim()}`)
    return undefined
  }
  mounts.push(dir)
  const at = places({}, dir)
  mkdirSync(at.config, { mode: 0o700 })
  writeFileSync(at.configFile, '[http]\nport = 0\n')
  return at
}

/** Each for all who leave it as they found it, to the last one, which ends it. */
const full = diskHome(8)
const home = makeHome()
let fulls: RunningDaemon | undefined
let homes: RunningDaemon
beforeAll(async () => {
  if (full) fulls = await startDaemon(full)
  homes = await startDaemon(home)
})
afterAll(async () => {
  await fulls?.kill('SIGKILL')
  await homes.kill('SIGKILL')
})

const mayMount = full !== undefined

test('in CI the tests run as root, so that full and read-only disks are tested', () => {
  if (process.env.CI)
    expect({ root: process.getuid?.() === 0, mayMount }).toEqual({ root: true, mayMount: true })
})

/** Writes until the disk takes no more. */
function fill(at: Places): string {
  const path = join(at.home ?? '', 'filler')
  for (const size of [65_536, 4096, 1]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(size))
    } catch {
      // full for pieces of this size
    }
  }
  return path
}

describe.skipIf(!mayMount)('a disk that is full', () => {
  const at = full as Places

  test('or nearly so is not filled by the daemon itself', async () => {
    // Both began together, and the one on the larger disk last.
    await until(() => statSync(`${home.database}-wal`).size > 512 * 1024, 'room for the log of a larger disk')
    expect(statSync(`${at.database}-wal`).size).toBeLessThan(512 * 1024)
  })

  test('gives no answers, so that clients keep their events, and all is well when there is room again', async () => {
    expect(await send(at, 'before')).toMatchObject({ exit: 0 })
    const filler = fill(at)

    // The log of the database has some room left; then it is over.
    const answered: string[] = []
    await until(async () => {
      const id = newId()
      const reply = await send(at, id)
      if (reply) answered.push(id)
      return reply === undefined
    }, 'a refusal')
    expect(await send(at, 'refused')).toBeUndefined()
    const { url } = JSON.parse(readFileSync(at.http, 'utf8')) as { url: string }
    const headers = {
      authorization: `Bearer ${readFileSync(at.token, 'utf8').trim()}`,
      'content-type': 'application/json',
    }
    const http = () => fetch(`${url}/hooks/claude`, { method: 'POST', headers, body: `{"cwd":"${newId()}"}` })
    expect((await http()).status).toBe(503)
    expect((await fetch(`${url}/health`, { headers })).status).toBe(503)

    // It says so, in every way there is.
    expect((await status(at)).fault).toMatch(/full|I\/O/)
    expect((await status(at)).unstored).toBeGreaterThan(1)
    const line = await gantry(at, 'status')
    expect(line.exit).toBe(1)
    expect(line.stdout).toMatch(/^● gantry .* up .*\n {2}cannot store events/)
    const doctor = await gantry(at, 'doctor')
    expect(doctor.exit).toBe(1)
    expect(doctor.stdout).toContain('Free disk space')
    // A hook client still lets its agent go on; whether there is a reserve here already is a matter of moments.
    const hook = await run([HOOK, 'claude'], at, '{"hook_event_name":"Stop"}')
    expect(hook).toMatchObject({ exit: 0, stdout: '' })

    rmSync(filler)
    expect(await send(at, 'after')).toMatchObject({ exit: 0 })
    expect((await status(at)).fault).toBeNull()
    expect((await http()).status).toBe(204)
    expect((await gantry(at, 'status')).exit).toBe(0)
    const stored = idsIn(at)
    expect(stored).toContain('before')
    expect(stored).toContain('after')
    expect(stored).not.toContain('refused')
    expect(stored.filter((id) => answered.includes(id))).toEqual(answered)
  })

  test('takes what waited in the spool as soon as there is room', async () => {
    // Left there by a client before the disk was full.
    mkdirSync(join(at.state, 'later'))
    writeFileSync(join(at.state, 'later/x.frame'), frame({ id: 'waited', payload: '{"a":1}' }))
    const filler = fill(at)
    await until(async () => (await send(at)) === undefined, 'a refusal')
    renameSync(join(at.state, 'later/x.frame'), join(at.spool, 'x.frame'))
    await until(async () => (await status(at)).spooled === 1, 'it to be seen')
    expect(readdirSync(at.spool)).toEqual(['x.frame'])
    rmSync(filler)
    await until(() => idsIn(at).includes('waited'), 'the event that waited')
    await until(() => readdirSync(at.spool).length === 0, 'an empty spool')
  })

  test('from the start is a clear error, or a daemon that says so', async () => {
    const at = diskHome(8)
    if (!at) throw new Error('no disk')
    fill(at)
    const { exit, stderr } = await gantry(at, 'up')
    expect(exit).toBe(1)
    expect(stderr).toMatch(/no space|full|ENOSPC/i)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  test('does not keep the daemon from stopping', async () => {
    await send(at, 'kept')
    fill(at)
    await until(async () => (await send(at)) === undefined, 'a refusal')
    expect(await fulls?.kill('SIGTERM')).toBe(0)
    expect(idsIn(at)).toContain('kept')
  })
})

describe.skipIf(!mayMount)('a disk that is read-only', () => {
  for (const used of [false, true]) {
    test(`${used ? 'with' : 'without'} a journal on it is a clear error`, async () => {
      const at = diskHome(8)
      if (!at) throw new Error('no disk')
      if (used) await (await startDaemon(at)).kill('SIGTERM')
      expect(Bun.spawnSync(['mount', '-o', 'remount,ro', at.home ?? '']).success).toBe(true)
      for (const args of [['up'], ['up', '--foreground']]) {
        const { exit, stdout, stderr } = await gantry(at, ...args)
        expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' })
        expect(stderr).toContain(at.home ?? '')
        expect(stderr).toContain('GANTRY_HOME')
        expect(stderr.trim().split('\n')).toHaveLength(1)
      }
    })
  }
})

describe('a database that another program holds', () => {
  test('for a moment is waited for', async () => {
    const at = home
    await send(at)
    const other = new Database(at.database)
    other.exec('PRAGMA busy_timeout = 2000')
    // The daemon waits for 200 ms, which a busy machine may need for itself.
    const waited = async () => {
      const { taken } = await status(at)
      other.exec('BEGIN EXCLUSIVE')
      const reply = send(at, 'waited')
      await until(async () => (await status(at)).taken > taken, 'it to be taken')
      expect(idsIn(at)).not.toContain('waited')
      other.exec('COMMIT')
      return reply
    }
    expect(await until(waited, 'an answer')).toMatchObject({ exit: 0 })
    other.close()
    expect(idsIn(at).filter((id) => id === 'waited')).toHaveLength(1)
  })

  test('for longer means no answer in time, and all is well afterwards', async () => {
    const at = home
    const other = new Database(at.database)
    other.exec('PRAGMA busy_timeout = 2000; BEGIN EXCLUSIVE')
    expect(await send(at, 'refused')).toBeUndefined() // it does not wait until the other one is done
    expect((await status(at)).fault).toContain('locked')
    expect(await findings(at)).toContainEqual(expect.objectContaining({ level: 'fail', about: 'journal' }))
    // A hook client spools what it cannot deliver, and it is in the journal when the lock is gone.
    const hook = await run([HOOK, 'claude'], at, '{"session_id":"spooled","hook_event_name":"Stop"}')
    expect(hook).toEqual({ exit: 0, stdout: '', stderr: '' })
    other.exec('COMMIT')
    other.close()
    expect(await send(at, 'after')).toMatchObject({ exit: 0 })
    expect((await status(at)).fault).toBeNull()
    await until(
      () => journal(at, "SELECT 1 FROM events WHERE session_id = 'spooled'").length === 1,
      'the spooled event',
    )
    expect(idsIn(at)).not.toContain('refused')
  })
})

describe('a database that is broken', () => {
  test('at the start is kept aside; the daemon is up with a new one and says so', async () => {
    const at = makeHome()
    const first = await startDaemon(at)
    await send(at)
    await first.kill('SIGTERM')
    const garbage = Buffer.alloc(100_000, 'not a database ')
    writeFileSync(at.database, garbage)
    const next = await startDaemon(at)
    expect(await send(at, 'new')).toMatchObject({ exit: 0 })
    expect(idsIn(at)).toEqual(['new'])
    const kept = readdirSync(at.state).filter((name) => /^gantry\.db\.broken-\d+$/.test(name))
    expect(kept).toHaveLength(1)
    expect(readFileSync(join(at.state, kept[0] ?? '')).equals(garbage)).toBe(true)
    const doctor = await gantry(at, 'doctor')
    expect(doctor.exit).toBe(1)
    expect(doctor.stdout).toContain(kept[0] ?? '?')

    // One of a newer gantry is left alone, and the start fails with the reason.
    await next.kill('SIGTERM')
    const db = new Database(at.database)
    db.exec('PRAGMA user_version = 999')
    db.close()
    const { exit, stderr } = await gantry(at, 'up')
    expect(exit).toBe(1)
    expect(stderr).toContain('newer gantry')
    expect(readdirSync(at.state).filter((name) => name.includes('broken'))).toEqual(kept)
  })
})

describe('something is deleted under a running daemon', () => {
  const at = home

  test('the socket: it listens again', async () => {
    for (let i = 0; i < 3; i++) {
      rmSync(at.socket)
      // Between the new socket and the first listening to it a client is refused, and spools.
      await until(async () => (await send(at).catch(() => undefined))?.exit === 0, 'a new socket')
      expect(statSync(at.socket).mode & 0o077).toBe(0)
    }
    expect((await status(at)).pid).toBe(homes.pid)
  })

  test('the whole run folder: it is made again, with all that was in it', async () => {
    const token = readFileSync(at.token, 'utf8')
    for (let i = 0; i < 2; i++) {
      rmSync(at.run, { recursive: true, force: true }) // the daemon may be making it again
      await until(() => existsSync(at.pid) && existsSync(at.http), 'a new folder')
      await until(async () => (await send(at).catch(() => undefined))?.exit === 0, 'a new socket')
    }
    expect(statSync(at.run).mode & 0o777).toBe(0o700)
    expect(daemonPid(at)).toBe(homes.pid)
    // HTTP hooks that are wired still get in: the token is the one they know.
    const { url } = JSON.parse(readFileSync(at.http, 'utf8')) as { url: string }
    expect(readFileSync(at.token, 'utf8')).toBe(token)
    const headers = { authorization: `Bearer ${token.trim()}` }
    expect((await fetch(`${url}/health`, { headers })).status).toBe(200)
  })

  test('the files that say where it is, one after the other: they are written again', async () => {
    for (const path of [at.http, at.pid]) {
      rmSync(path)
      await until(() => existsSync(path), path)
    }
    expect(daemonPid(at)).toBe(homes.pid)
    expect(await send(at)).toMatchObject({ exit: 0 })
  })

  test('the configuration folder: it goes on', async () => {
    rmSync(at.config, { recursive: true })
    writeFileSync(join(at.spool, 'x.frame'), frame({ id: 'seen', payload: '{}' }))
    await until(() => idsIn(at).includes('seen'), 'what happened to files since')
    expect(await send(at)).toMatchObject({ exit: 0 })
    expect((await gantry(at, 'status')).exit).toBe(0)
  })

  test('the log: the next line starts a new one', async () => {
    rmSync(at.log)
    expect(await send(at)).toMatchObject({ exit: 0 })
    expect(await homes.kill('SIGTERM')).toBe(0)
    expect(existsSync(at.socket)).toBe(false)
    expect(readFileSync(at.log, 'utf8')).toContain('stopped')
  })
})
