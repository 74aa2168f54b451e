/** The files of the database are removed or replaced under a running daemon: no event that was answered is lost. */
import { constants, Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import {
  gantry,
  HOOK,
  idsIn,
  isGone,
  journal,
  makeHome,
  type RunningDaemon,
  run,
  sendFrame,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'

const LIMIT_MS = 120_000
const HOOKS = 15 // some before the daemon has noticed, some after it has ended
const send = (at: Places, id: string) => sendFrame(at, { id, payload: `{"session_id":"s1","cwd":"${id}"}` })
const findings = async (at: Places) => (await call(at, 'doctor')).map(({ message }) => message).join('\n')
const ended = (daemon: RunningDaemon) => until(() => isGone(daemon.pid), 'the end of the daemon', 30_000)

interface Taken {
  readonly at: Places
  readonly daemon: RunningDaemon
  /** What is in its journal already. */
  readonly old: readonly string[]
}

/** A daemon that the test before left whole, or a new one. */
let left: { at: Places; daemon: RunningDaemon } | undefined
async function taken(): Promise<Taken> {
  const { at, daemon } = left ?? (await fresh())
  left = undefined
  return { at, daemon, old: idsIn(at) }
}
async function fresh(): Promise<{ at: Places; daemon: RunningDaemon }> {
  const at = makeHome()
  return { at, daemon: await startDaemon(at) }
}
afterAll(async () => void (await left?.daemon.kill('SIGKILL')))

/** Events that were answered. */
async function answered(at: Places, count: number): Promise<string[]> {
  const sent = Array.from({ length: count }, () => newId())
  for (const id of sent) expect(await send(at, id)).toMatchObject({ exit: 0 })
  return sent
}

/** Whether an event gets no answer: the daemon hangs up, or may even have ended before this one. */
const unanswered = async (at: Places) => (await send(at, 'unanswered').catch(() => undefined)) === undefined

/** One event, when what a start does with the log is over. */
async function begun(at: Places): Promise<string[]> {
  const sent = await answered(at, 1)
  const count = idsIn(at).length
  await until(() => settled(at, count), 'the first event in the database', 60_000)
  await call(at, 'status') // the daemon itself knows of the checkpoint, too
  return sent
}

/** By the real client, which keeps what gets no answer. */
async function hooks(at: Places, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const payload = `{"session_id":"hook-${n}","hook_event_name":"PostToolUse"}`
    const said = await run([HOOK, 'claude', 'PostToolUse'], at, payload, { GANTRY_NO_AUTOSTART: '1' })
    expect(said).toEqual({ exit: 0, stdout: '', stderr: '' })
  }
}

/** What those hooks sent. */
function hooked(at: Places): string[] {
  const sql = "SELECT session_id AS s FROM events WHERE session_id LIKE 'hook-%' ORDER BY s"
  return journal<{ s: string }>(at, sql).map(({ s }) => s)
}

/** Whether the database file has so many events without its log, which "immutable" leaves out. */
function settled(at: Places, count: number): boolean {
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants
  const db = new Database(`file:${at.database}?immutable=1`, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
  try {
    if (db.query<{ n: number }, []>('SELECT count(*) AS n FROM events').get()?.n !== count) return false
    return db.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()?.quick_check === 'ok'
  } catch {
    return false // it is being written
  } finally {
    db.close()
  }
}

describe('the log of the database', () => {
  test(
    'removed under a daemon that is then killed: what was answered is in the database',
    async () => {
      const { at, daemon, old } = await taken()
      const sent = [...(await begun(at)), ...(await answered(at, 20))]
      rmSync(`${at.database}-wal`)
      await until(() => settled(at, old.length + 21), 'the log in the database', 60_000)
      await daemon.kill('SIGKILL')
      const next = await startDaemon(at)
      expect(idsIn(at)).toEqual([...old, ...sent])
      left = { at, daemon: next }
    },
    LIMIT_MS,
  )

  test(
    'removed when it was quiet has nothing that the database has not',
    async () => {
      const { at, daemon, old } = await taken()
      const sent = [...(await begun(at)), ...(await answered(at, 20))]
      await until(() => settled(at, old.length + 21), 'the log in the database', 60_000)
      rmSync(`${at.database}-wal`)
      await daemon.kill('SIGKILL')
      const next = await startDaemon(at)
      expect(idsIn(at)).toEqual([...old, ...sent])
      left = { at, daemon: next }
    },
    LIMIT_MS,
  )

  test(
    'removed with the daemon, while a process that it started still reads: the database is used as it is',
    async () => {
      const { at, daemon, old } = await taken()
      const sent = [...old, ...(await begun(at))]
      await answered(at, 20)
      const reader = new Database(at.database, { readonly: true })
      reader.query('SELECT count(*) FROM events').get()
      await daemon.kill('SIGKILL')
      rmSync(`${at.database}-wal`)
      const next = await startDaemon(at)
      reader.close()
      expect(idsIn(at).slice(0, sent.length)).toEqual(sent)
      expect(readdirSync(at.state).filter((name) => name.includes('broken'))).toEqual([])
      left = { at, daemon: next }
    },
    LIMIT_MS,
  )

  test(
    'removed: from then on nothing is answered, the daemon ends, and the next one says so',
    async () => {
      const { at, daemon } = await fresh() // that has nothing to say yet
      const sent = await answered(at, 5)
      rmSync(`${at.database}-wal`)
      expect(await unanswered(at)).toBe(true)
      await ended(daemon)
      await using _ = await startDaemon(at)
      expect(idsIn(at).slice(0, 5)).toEqual(sent)
      expect(await findings(at)).toContain('gantry.db-wal was removed or replaced')
    },
    LIMIT_MS,
  )
})

describe('the database', () => {
  for (const [what, suffixes] of Object.entries({
    alone: [''],
    'with its log': ['', '-wal'],
    'and all of its files': ['', '-wal', '-shm'],
  })) {
    test(
      `removed ${what}: it is put back with all that was answered, and hooks lose nothing`,
      async () => {
        const { at, daemon } = await fresh()
        const sent = await answered(at, 20)
        for (const suffix of suffixes) rmSync(`${at.database}${suffix}`)
        await hooks(at, HOOKS)
        await ended(daemon)
        await using _ = await startDaemon(at)
        await until(() => readdirSync(at.spool).length === 0, 'an empty spool')
        expect(idsIn(at).slice(0, 20)).toEqual(sent)
        const rows = journal<{ s: string }>(
          at,
          "SELECT session_id AS s FROM events WHERE session_id LIKE 'hook-%'",
        )
        expect(rows.map(({ s }) => s).sort()).toEqual(
          Array.from({ length: HOOKS }, (_, n) => `hook-${n}`).sort(),
        )
        expect(readdirSync(at.state).filter((name) => /saving|replaced/.test(name))).toEqual([])
        expect(await findings(at)).toContain('was removed or replaced')
      },
      LIMIT_MS,
    )
  }

  test(
    'moved elsewhere, with a link in its place: hooks lose nothing, and the next daemon works with the link',
    async () => {
      const { at, daemon } = await fresh()
      const sent = await answered(at, 20)
      const elsewhere = join(tempDir(), 'moved.db')
      renameSync(at.database, elsewhere)
      symlinkSync(elsewhere, at.database)
      await hooks(at, HOOKS)
      await ended(daemon)
      const next = await startDaemon(at)
      await until(() => readdirSync(at.spool).length === 0, 'an empty spool')
      const more = await answered(at, 20)
      await next.kill('SIGKILL')
      await using _ = await startDaemon(at)
      expect(idsIn(at).filter((id) => sent.includes(id) || more.includes(id))).toEqual([...sent, ...more])
      expect(hooked(at)).toHaveLength(HOOKS)
    },
    LIMIT_MS,
  )

  test('a link that leads nowhere is named when the daemon starts', async () => {
    const at = makeHome()
    mkdirSync(at.state, { recursive: true, mode: 0o700 })
    symlinkSync(join(tempDir(), 'nowhere.db'), at.database)
    const { exit, stderr } = await gantry(at, 'up', '--foreground')
    expect(exit).not.toBe(0)
    expect(stderr).toContain('gantry.db is a link that leads nowhere')
  })

  test(
    'emptied in place: from then on nothing is answered, and hooks lose nothing',
    async () => {
      const { at, daemon } = await fresh()
      await begun(at)
      truncateSync(at.database)
      expect(await unanswered(at)).toBe(true)
      await hooks(at, 5)
      await ended(daemon)
      await using _ = await startDaemon(at)
      await until(() => readdirSync(at.spool).length === 0, 'an empty spool')
      expect(hooked(at)).toHaveLength(5)
      expect(await findings(at)).toMatch(/broken or cut short .* \d of its \d events are in the new one/)
    },
    LIMIT_MS,
  )

  test(
    'cut short in place: it is kept, what can still be read is in the new one, and hooks lose nothing',
    async () => {
      const { at, daemon } = await fresh()
      const sent = [...(await begun(at)), ...(await answered(at, 20))]
      truncateSync(at.database, 8192)
      expect(await unanswered(at)).toBe(true)
      await hooks(at, 5)
      await ended(daemon)
      {
        await using _ = await startDaemon(at)
        await until(() => readdirSync(at.spool).length === 0, 'an empty spool')
        expect(hooked(at)).toHaveLength(5)
        expect(idsIn(at).filter((id) => sent.includes(id)).length).toBeGreaterThan(0)
      }
      await using _ = await startDaemon(at)
      const { exit, stdout } = await gantry(at, 'doctor')
      expect(exit).toBe(1)
      expect(stdout).toMatch(
        /broken or cut short while the daemon ran .* of its \d+ events are in the new one/,
      )
      expect(stdout).toMatch(/✗ journal .*gantry\.db\.broken-\d+: it was broken/)
    },
    LIMIT_MS,
  )

  test(
    'cut short: gantry down does not call it whole',
    async () => {
      const { at, daemon } = await fresh()
      await begun(at)
      truncateSync(at.database, 8192)
      const { stdout } = await gantry(at, 'down')
      expect(stdout).not.toContain('events are in')
      await ended(daemon)
      expect(readdirSync(at.state).some((name) => /^gantry\.db\.broken-\d+$/.test(name))).toBe(true)
    },
    LIMIT_MS,
  )

  test(
    'made shorter by SQLite itself is whole, and the daemon goes on',
    async () => {
      const { at, daemon, old } = await taken()
      await begun(at)
      const other = new Database(at.database)
      other.exec(
        'PRAGMA busy_timeout = 5000; CREATE TABLE filler AS SELECT zeroblob(1000000); DROP TABLE filler',
      )
      other.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      const before = statSync(at.database).size
      other.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
      other.close()
      expect(statSync(at.database).size).toBeLessThan(before)
      expect(await answered(at, 3)).toHaveLength(3)
      expect(idsIn(at)).toHaveLength(old.length + 4)
      left = { at, daemon }
    },
    LIMIT_MS,
  )

  test(
    'replaced by another: that one is used, and the one before is kept beside it',
    async () => {
      const { at, daemon: first, old: before } = await taken()
      const old = [...before, ...(await answered(at, 3))]
      await first.kill('SIGTERM')
      copyFileSync(at.database, `${at.database}.backup`)
      const daemon = await startDaemon(at)
      const later = await answered(at, 4)
      renameSync(`${at.database}.backup`, at.database)
      await ended(daemon)
      const next = await startDaemon(at)
      expect(idsIn(at)).toEqual(old)
      const kept = readdirSync(at.state).find((name) => /^gantry\.db\.replaced-\d+$/.test(name)) ?? ''
      const aside = new Database(`${at.state}/${kept}`)
      const rows = aside.query<{ id: string }, []>('SELECT id FROM events ORDER BY seq').all()
      aside.close()
      expect(rows.map(({ id }) => id)).toEqual([...old, ...later])
      expect((await gantry(at, 'doctor')).stdout).toContain(kept)
      left = { at, daemon: next }
    },
    LIMIT_MS,
  )

  test(
    'moved elsewhere is complete there, and a new one begins',
    async () => {
      const { at, daemon, old } = await taken()
      const sent = [...old, ...(await answered(at, 5))]
      const elsewhere = `${at.home}/moved.db`
      renameSync(at.database, elsewhere)
      await ended(daemon)
      const moved = new Database(elsewhere)
      const rows = moved.query<{ id: string }, []>('SELECT id FROM events ORDER BY seq').all()
      moved.close()
      expect(rows.map(({ id }) => id)).toEqual(sent)
      expect(existsSync(at.database)).toBe(false)
    },
    LIMIT_MS,
  )
})
