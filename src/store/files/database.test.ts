import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { eventOf, tempDir, until } from '../../../test/kit.ts'
import { GantryError, isCorrupt } from '../../core/errors.ts'
import { isBusy, openStore, setAside } from '../index.ts'
import { openDatabase } from './database.ts'
import type { Trouble } from './database-files.ts'

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}

const pragma = (db: Database, name: string) => Object.values(db.query(`PRAGMA ${name}`).get() as object)[0]

describe('a database', () => {
  test('is durable, private, and returns free space', () => {
    const path = join(tempDir(), 'gantry.db')
    const db = openDatabase(path)
    expect(pragma(db, 'journal_mode')).toBe('wal')
    expect(pragma(db, 'synchronous')).toBe(2) // FULL: a commit is on disk when it returns
    expect(pragma(db, 'auto_vacuum')).toBe(2) // INCREMENTAL
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('that another process locks for a moment is waited for', async () => {
    const path = join(tempDir(), 'gantry.db')
    openDatabase(path).close()
    const hold = `const db = new (require('bun:sqlite').Database)(${JSON.stringify(path)})
      db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
      console.log('held')
      await Bun.sleep(300)
      db.close()`
    const other = Bun.spawn([process.execPath, '-e', hold], { stdout: 'pipe' })
    await other.stdout.getReader().read()
    const db = openDatabase(path)
    expect(pragma(db, 'busy_timeout')).toBe(0) // hooks wait for every statement from here on
    db.close()
    await other.exited
  })

  test('that others could read is made private', () => {
    const path = join(tempDir(), 'gantry.db')
    openStore(path).close()
    chmodSync(path, 0o644)
    openStore(path).close()
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('that a crash left empty is initialised like a new one', () => {
    const path = join(tempDir(), 'gantry.db')
    writeFileSync(path, '')
    const db = openDatabase(path)
    expect(pragma(db, 'auto_vacuum')).toBe(2)
    expect(pragma(db, 'page_size')).toBe(8192)
  })

  test('in a missing folder gives an error with the path', () => {
    const path = join(tempDir(), 'nowhere', 'gantry.db')
    const error = thrownBy(() => openStore(path))
    expect(error).toBeInstanceOf(GantryError)
    expect(String(error)).toContain(path)
    expect(isCorrupt(error)).toBe(false)
  })

  test('that is a folder gives an error, not a broken database', () => {
    const path = join(tempDir(), 'gantry.db')
    mkdirSync(path)
    expect(isCorrupt(thrownBy(() => openStore(path)))).toBe(false)
  })
})

describe('a broken file', () => {
  const broken: Record<string, (path: string) => void> = {
    text: (path) => writeFileSync(path, 'this is not a database, this is a letter'.repeat(100)),
    zeros: (path) => writeFileSync(path, Buffer.alloc(64 * 1024)),
    'a header with garbage behind it': (path) => {
      const good = readFileSync(path)
      writeFileSync(path, Buffer.concat([good.subarray(0, 100), Buffer.alloc(good.length - 100, 0x5a)]))
    },
    'an overwritten table': (path) => {
      const good = readFileSync(path)
      writeFileSync(path, Buffer.concat([good.subarray(0, 8192), Buffer.alloc(good.length - 8192, 0x5a)]))
    },
  }

  for (const [name, breakIt] of Object.entries(broken)) {
    test(`(${name}) is recognised, kept, and replaced`, () => {
      const path = join(tempDir(), 'gantry.db')
      const store = openStore(path)
      store.journal.commit(() => {
        for (let i = 0; i < 50; i++) store.journal.append(eventOf({ raw: 'x'.repeat(4000) }))
      })
      store.close()
      breakIt(path)
      const bytes = readFileSync(path)

      const error = thrownBy(() => openStore(path))
      expect(error).toBeInstanceOf(GantryError)
      expect(isCorrupt(error)).toBe(true)

      const kept = setAside(path, 1_763_000_000_000)
      expect(existsSync(path)).toBe(false)
      expect(readFileSync(kept).equals(bytes)).toBe(true)
      const fresh = openStore(path)
      expect(fresh.journal.commit(() => fresh.journal.append(eventOf()))).toBe(1)
    })
  }

  test('is moved with its write-ahead log, so the new database does not read it', () => {
    const path = join(tempDir(), 'gantry.db')
    for (const suffix of ['', '-wal', '-shm']) writeFileSync(path + suffix, suffix)
    const kept = setAside(path, 7)
    for (const suffix of ['', '-wal', '-shm']) {
      expect(existsSync(path + suffix)).toBe(false)
      expect(readFileSync(kept + suffix, 'utf8')).toBe(suffix)
    }
  })
})

test('a lock held by another process is distinguished from other errors', () => {
  const path = join(tempDir(), 'gantry.db')
  const store = openStore(path)
  const other = new Database(path)
  other.exec('BEGIN IMMEDIATE')
  expect(isBusy(thrownBy(() => store.journal.commit(() => {})))).toBe(true)
  other.exec('ROLLBACK')
  expect(isBusy(thrownBy(() => other.exec('SELECT nonsense')))).toBe(false)
  expect(isBusy(new Error('database is locked'))).toBe(false)
})

test('closing succeeds while another process reads, and nothing is lost', () => {
  const path = join(tempDir(), 'gantry.db')
  const store = openStore(path)
  store.journal.commit(() => store.journal.append(eventOf({ id: 'before' })))
  const reader = new Database(path)
  reader.exec('BEGIN; SELECT count(*) FROM events')
  store.journal.commit(() => store.journal.append(eventOf({ id: 'after' })))
  store.close()
  reader.close()
  const again = openStore(path)
  expect(again.count()).toBe(2)
  expect(again.byId('after')?.seq).toBe(2)
})

test('an unreadable page found by retention is reported', async () => {
  const path = join(tempDir(), 'gantry.db')
  const first = openStore(path)
  first.journal.commit(() => {
    for (let n = 0; n < 500; n++)
      first.journal.append(eventOf({ id: `e${n}`, raw: `"n":${n},${'x'.repeat(3_000)}` }))
  })
  first.close()
  const bytes = readFileSync(path)
  const page = Math.floor(bytes.indexOf('"n":20,') / 8192) * 8192
  writeFileSync(path, bytes.fill(0xff, page, page + 8192))
  const store = openStore(path)
  const told: Trouble[] = []
  store.files.watch((trouble) => told.push(trouble))
  expect(() => store.retain({ maxAgeMs: 1, maxBytes: 1 }, Date.now())).toThrow('malformed')
  await until(() => told.length > 0, 'the trouble')
  expect(told).toEqual([{ kind: 'broken', what: 'database disk image is malformed' }])
  expect(() => store.journal.commit(() => {})).toThrow('Restart gantry') // nothing is answered any more
  store.close()
})

for (const [what, cut] of Object.entries({
  'is emptied': (path: string) => truncateSync(path),
  'has lost its first pages': (path: string) => writeFileSync(path, Buffer.alloc(64 * 1024)),
})) {
  test(`a file that ${what} while a checkpoint writes is trouble, though the checkpoint says how long it is`, () => {
    const path = join(tempDir(), 'gantry.db')
    const store = openStore(path)
    store.journal.commit(() => store.journal.append(eventOf()))
    store.checkpoint()
    expect(store.files.trouble).toBeUndefined()
    cut(path)
    store.files.moved()
    expect(store.files.trouble).toEqual({ kind: 'broken', what: 'it was cut short' })
    store.close()
  })
}

test('a database whose last page waits in the log for a reader is whole', () => {
  const path = join(tempDir(), 'gantry.db')
  const store = openStore(path)
  const other = new Database(path)
  other.exec(
    'CREATE TABLE rows (x); INSERT INTO rows VALUES (zeroblob(5000)), (zeroblob(5000)), (zeroblob(5000))',
  )
  const reader = new Database(path, { readonly: true })
  reader.exec('BEGIN; SELECT count(*) FROM events')
  other.exec('UPDATE rows SET x = randomblob(5000)')
  store.checkpoint()
  expect(store.files.trouble).toBeUndefined()
  for (const db of [reader, other, store]) db.close()
})

test('a log that is a link or a folder is named, with what to do', () => {
  const path = join(tempDir(), 'gantry.db')
  openStore(path).close()
  rmSync(`${path}-wal`, { force: true })
  symlinkSync('elsewhere', `${path}-wal`)
  expect(() => openStore(path)).toThrow(`${path}-wal is a link, which SQLite does not follow`)
  rmSync(`${path}-wal`)
  mkdirSync(`${path}-wal`)
  expect(() => openStore(path)).toThrow(`${path}-wal is not a file. Move it away`)
  rmdirSync(`${path}-wal`)
  rmSync(`${path}-shm`, { force: true })
  Bun.spawnSync(['mkfifo', `${path}-shm`])
  expect(() => openStore(path)).toThrow(`${path}-shm is not a file`)
  rmSync(`${path}-shm`)
  openStore(path).close()
})
