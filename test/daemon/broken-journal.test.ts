/** A journal that is broken in the middle: `gantry doctor --deep` finds it at once, the daemon by itself within a day. */
import { expect, test } from 'bun:test'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Places } from '../../src/core/files/paths.ts'
import { JournalCheck } from '../../src/daemon/journal-check.ts'
import { openStore } from '../../src/store/index.ts'
import { eventOf, gantry, journal, makeHome, sendFrame, silentLog, startDaemon, until } from '../kit.ts'

const LIMIT_MS = 120_000
const PAGE_BYTES = 8192
const COUNT = 500 // retention looks at the first 200 soon after the start, so the middle is beyond

/** A home whose journal was written by hand. */
function homeWith(count: number): Places {
  const at = makeHome()
  mkdirSync(at.state, { mode: 0o700 })
  const store = openStore(at.database)
  store.journal.commit(() => {
    for (let n = 0; n < count; n++)
      store.journal.append(
        eventOf({ id: `e${n}`, at: Date.now(), receivedAt: Date.now(), raw: 'x'.repeat(3_000) }),
      )
  })
  store.close()
  return at
}

/** A daemon has its sessions, and all that follows the journal has read it: the next one need not read it all again. */
async function readOnce(at: Places): Promise<void> {
  const marks = () => journal<{ name: string; seq: number }>(at, 'SELECT name, seq FROM marks')
  const hasRead = (name: string) => marks().some((mark) => mark.name === name && mark.seq >= COUNT)
  {
    await using daemon = await startDaemon(at)
    await until(() => ['schema', 'context'].every(hasRead), 'the followers to have read it', LIMIT_MS)
    await daemon.kill('SIGTERM')
  }
  expect(hasRead('sessions')).toBe(true)
}

/** A page of payloads in the middle of them: what else the file has, and where, depends on when its daemon ended. */
function spoil({ database }: Places): void {
  const bytes = readFileSync(database)
  const pages = Array.from({ length: bytes.length / PAGE_BYTES }, (_, n) => n * PAGE_BYTES)
  const payloads = pages.filter((at) => bytes.subarray(at, at + PAGE_BYTES).includes('x'.repeat(1_000)))
  const file = openSync(database, 'r+')
  writeSync(file, new Uint8Array(PAGE_BYTES).fill(0xff), 0, PAGE_BYTES, payloads[payloads.length >> 1])
  closeSync(file)
}

test.concurrent(
  'doctor --deep finds it, with the daemon and without',
  async () => {
    const at = homeWith(COUNT)
    const whole = await gantry(at, 'doctor', '--deep')
    expect(whole.stdout).toContain(`${COUNT} events, all whole`)
    spoil(at)
    const away = await gantry(at, 'doctor', '--deep')
    expect(away.exit).toBe(1)
    expect(away.stdout).toMatch(
      new RegExp(`broken \\(looked through .*, ${COUNT} events\\): events cannot be read: \\d+`),
    )
    expect(away.stdout).toContain('.recover')
  },
  LIMIT_MS,
)

test.concurrent(
  'doctor --deep finds it beside the daemon, which goes on',
  async () => {
    const at = homeWith(COUNT)
    await readOnce(at)
    spoil(at)
    await using _ = await startDaemon(at)
    const beside = await gantry(at, 'doctor', '--deep')
    expect(beside.exit).toBe(1)
    expect(beside.stdout).toContain('events cannot be read')
    // What to do is said once.
    expect(beside.stdout.match(/\.recover/g)).toHaveLength(1)
    expect(beside.stdout).not.toContain('disk image is malformed')
    // What was found is remembered.
    expect((await gantry(at, 'doctor')).stdout).toContain('events cannot be read')
    // Commands that meet it say what to do.
    for (const command of [
      ['events', '--grep', 'zzz', '-n', 'all'],
      ['query', "SELECT count(*) FROM events WHERE raw LIKE '%zzz%'"],
    ]) {
      const { exit, stderr } = await gantry(at, ...command)
      expect(exit).toBe(1)
      expect(stderr).toContain('The journal is broken (database disk image is malformed)')
      expect(stderr).toContain('gantry doctor --deep')
      expect(stderr).not.toMatch(/--verbose|PRAGMA/)
    }
  },
  LIMIT_MS,
)

test.concurrent(
  'a start that has to read what is broken sets it aside, and agents go on with a new one',
  async () => {
    const at = homeWith(COUNT)
    spoil(at)
    await using _ = await startDaemon(at)
    expect(await sendFrame(at, { id: 'new', payload: '{}' })).toMatchObject({ exit: 0 })
    expect(journal<{ id: string }>(at).map(({ id }) => id)).toEqual(['new'])
    expect((await gantry(at, 'doctor')).stdout).toMatch(/the database was broken and is kept as .*broken-\d+/)
  },
  LIMIT_MS,
)

test.concurrent(
  'the daily look finds it by itself, in a process of its own, and doctor shows it',
  async () => {
    const at = homeWith(COUNT)
    spoil(at)
    const log = silentLog()
    const check = new JournalCheck(at, log, 0)
    await until(() => existsSync(at.journalCheck), 'a report', LIMIT_MS)
    check.close()
    expect(log.lines.join('\n')).toContain('the journal is broken: events cannot be read')
    const { exit, stdout } = await gantry(at, 'doctor')
    expect(exit).toBe(1)
    expect(stdout).toContain('events cannot be read')
    // Once a day: another daemon does not begin again at once.
    const next = new JournalCheck(at, log, 0)
    const { at: first } = await Bun.file(at.journalCheck).json()
    const another = homeWith(1)
    const there = new JournalCheck(another, log, 0)
    await until(() => existsSync(another.journalCheck), 'the report on another', LIMIT_MS)
    there.close()
    next.close()
    expect((await Bun.file(at.journalCheck).json()).at).toBe(first)
  },
  LIMIT_MS,
)

test.concurrent(
  'a payload that is no JSON is not taken for it',
  async () => {
    const at = homeWith(1)
    await using _ = await startDaemon(at)
    const { stderr } = await gantry(at, 'query', "SELECT raw ->> '$.x' FROM events")
    expect(stderr).toContain('malformed JSON')
    expect(stderr).not.toContain('--deep')
  },
  LIMIT_MS,
)
