/** Backups of a daemon at work, and the way back. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { makeFolders } from '../../src/core/files/private-files.ts'
import { newId } from '../../src/events/index.ts'
import { openStore } from '../../src/store/index.ts'
import {
  envFor,
  eventOf,
  GANTRY,
  gantry,
  gantryJson,
  journal,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'

const EVENTS = 200

/** With prompts of so many characters: large ones make a copy take a moment. */
function prepared(events = EVENTS, chars = 500): Places {
  const at = makeHome('[http]\nenabled = false\n')
  makeFolders(at)
  mkdirSync(at.rules, { recursive: true })
  writeFileSync(join(at.rules, 'own.yaml'), 'rules: []\n')
  const store = openStore(at.database)
  const prompt = 'x'.repeat(chars)
  store.journal.relaxed(() => {
    for (let n = 0; n < events; n++) {
      const sessionId = `s-${n % 20}`
      const raw = JSON.stringify({ session_id: sessionId, hook_event_name: 'UserPromptSubmit', prompt })
      const type = { type: 'UserPromptSubmit', native: 'UserPromptSubmit' }
      store.journal.append(
        eventOf({ id: newId(), sessionId, ...type, at: Date.now(), receivedAt: Date.now(), raw }),
      )
    }
  })
  store.close()
  return at
}

function rowsIn(path: string): { seq: number; id: string; raw: string }[] {
  const db = new Database(path, { readonly: true })
  try {
    return db
      .query<{ seq: number; id: string; raw: string }, []>('SELECT seq, id, raw FROM events ORDER BY seq')
      .all()
  } finally {
    db.close()
  }
}

function started(at: Places, target: string) {
  return Bun.spawn([GANTRY, 'backup', target], { env: envFor(at), stdout: 'pipe', stderr: 'pipe' })
}

/** Hooks until told otherwise; returns how many were answered. */
function hooks(at: Places): { stop(): Promise<number> } {
  let [stopped, count] = [false, 0]
  const sending = (async () => {
    for (; !stopped; count++) {
      const payload = JSON.stringify({
        hook_event_name: 'UserPromptSubmit',
        session_id: 'live',
        prompt: `hook ${count}`,
      })
      if (!(await sendFrame(at, { payload }))) throw new Error('a hook was not answered')
    }
  })()
  return {
    stop: async () => {
      stopped = true
      await sending
      return count
    },
  }
}

const at = prepared(2_000, 8_000)
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
}, 120_000)
afterAll(async () => {
  await daemon.kill('SIGKILL')
})

describe('a backup', () => {
  test('made while hooks come has whole events without a gap, and the configuration', async () => {
    const target = join(tempDir(), 'monday')
    const sending = hooks(at)
    const { backup, events, config } = (await gantryJson(at, 'backup', target, '--json')) as Record<
      string,
      unknown
    >
    const sent = await sending.stop()
    expect(sent).toBeGreaterThan(0)
    expect({ backup, config }).toEqual({ backup: target, config: ['gantry.toml', 'rules', 'handlers'] })
    const rows = rowsIn(join(target, 'gantry.db'))
    expect(rows).toHaveLength(Number(events))
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, i) => i + 1))
    const now = new Map(rowsIn(at.database).map((row) => [row.id, row]))
    expect(rows.filter((row) => now.get(row.id)?.raw !== row.raw)).toEqual([])
    expect(readFileSync(join(target, 'config/rules/own.yaml'), 'utf8')).toBe('rules: []\n')
    expect(statSync(target).mode & 0o777).toBe(0o700)
    expect(statSync(join(target, 'gantry.db')).mode & 0o777).toBe(0o600)
  }, 120_000)

  test('goes into a folder that is there under a name with the time, and never over anything', async () => {
    const folder = tempDir()
    const { backup } = (await gantryJson(at, 'backup', folder, '--json')) as { backup: string }
    expect(dirname(backup)).toBe(folder)
    expect(backup).toMatch(/gantry-\d{4}-\d\d-\d\d-\d{6}$/)
    const again = await gantry(at, 'backup', backup)
    expect(again).toMatchObject({ exit: 2, stdout: '' })
    expect(again.stderr).toContain('is a backup already. Give another name')
    const file = join(folder, 'notes.db')
    writeFileSync(file, 'mine')
    expect(await gantry(at, 'backup', file)).toMatchObject({ exit: 2 })
    expect(readFileSync(file, 'utf8')).toBe('mine')
    symlinkSync(join(folder, 'elsewhere.db'), join(folder, 'link.db'))
    expect(await gantry(at, 'backup', join(folder, 'link.db'))).toMatchObject({ exit: 2 })
    const nowhere = await gantry(at, 'backup', join(folder, 'no/such'))
    expect(nowhere.stderr).toContain('mkdir -p')
  }, 120_000)

  test('killed in the middle leaves nothing under its name, and the next one removes what is left', async () => {
    const folder = tempDir()
    const target = join(folder, 'friday')
    const child = started(at, target)
    const half = join(folder, `friday.partial-${child.pid}`, 'gantry.db')
    await until(
      () => (statSync(half, { throwIfNoEntry: false })?.size ?? 0) > 1_000_000,
      'a part of the copy',
    )
    child.kill('SIGKILL')
    await child.exited
    expect(existsSync(target)).toBe(false)
    expect(readdirSync(folder)).toHaveLength(1)
    expect(await gantry(at, 'backup', target)).toMatchObject({ exit: 0 })
    expect(readdirSync(folder)).toEqual(['friday'])
  }, 120_000)

  test('stopped with Ctrl-C removes its draft', async () => {
    const folder = tempDir()
    const child = started(at, join(folder, 'half.db'))
    await until(() => readdirSync(folder).length > 0, 'a draft')
    child.kill('SIGINT')
    expect(await child.exited).toBe(130)
    expect(readdirSync(folder)).toEqual([])
  }, 120_000)
})

describe('a restore', () => {
  test('is refused while the daemon runs', async () => {
    const target = join(tempDir(), 'copy.db')
    await gantry(at, 'backup', target)
    const { exit, stderr } = await gantry(at, 'restore', target)
    expect(exit).toBe(1)
    expect(stderr).toContain('gantry is running')
    expect(stderr).toContain('First: gantry down')
  }, 120_000)

  test('then a start shows everything of the backup, and what was there before is kept', async () => {
    const home = prepared()
    const target = join(tempDir(), 'backup')
    const names = async () => {
      const sessions = await call(home, 'sessions.list', { all: true })
      return sessions
        .map(({ key, name, lastPrompt }) => ({ key, name, lastPrompt }))
        .sort((a, b) => (a.key < b.key ? -1 : 1))
    }
    const first = await startDaemon(home)
    await call(home, 'sessions.rename', { session: 's-3', name: 'release' })
    await until(
      async () => journal(home, "SELECT 1 FROM session_states WHERE name = 'release'").length > 0,
      'its row',
    )
    const before = await names()
    await gantry(home, 'backup', target)
    await sendFrame(home, { payload: '{"hook_event_name":"SessionStart","session_id":"after-the-backup"}' })
    writeFileSync(home.configFile, '[http]\nenabled = false\n[log]\nlevel = "debug"\n')
    expect(await first.kill('SIGTERM')).toBe(0)

    const restored = await gantry(home, 'restore', target, '--config')
    expect(restored).toMatchObject({ exit: 0 })
    expect(restored.stdout).toContain('Start with: gantry up')
    expect(readFileSync(home.configFile, 'utf8')).toBe('[http]\nenabled = false\n')
    const kept = readdirSync(home.state).filter((name) => name.startsWith('gantry.db.before-restore-'))
    expect(kept).toHaveLength(1)
    const aside = rowsIn(join(home.state, kept[0] ?? ''))
    expect(aside.some(({ raw }) => raw.includes('after-the-backup'))).toBe(true)
    await using _ = await startDaemon(home)
    expect(await names()).toEqual(before)
    expect(rowsIn(home.database).map(({ id }) => id)).toEqual(
      rowsIn(join(target, 'gantry.db')).map(({ id }) => id),
    )
  }, 120_000)

  test('of a newer schema, of damage, and of what is no backup changes nothing', async () => {
    const home = prepared()
    const folder = tempDir()
    const target = join(folder, 'copy.db')
    await gantry(home, 'backup', target)
    const before = statSync(home.database).ino
    const refused = async (path: string, why: RegExp) => {
      const { exit, stderr } = await gantry(home, 'restore', path)
      expect(stderr).toMatch(why)
      expect(exit).toBeGreaterThan(0)
      expect(statSync(home.database).ino).toBe(before)
    }
    const db = new Database(target)
    db.exec('PRAGMA user_version = 999')
    db.close()
    await refused(target, /made by a newer gantry \(schema 999, this one knows \d+\)\. Upgrade gantry/)
    const damaged = join(folder, 'damaged.db')
    await gantry(home, 'backup', damaged)
    truncateSync(damaged, Math.floor(statSync(damaged).size / 2))
    await refused(damaged, /damaged|no journal of gantry/)
    writeFileSync(join(folder, 'text.db'), 'no database at all, but long enough to be looked at')
    await refused(join(folder, 'text.db'), /no journal of gantry/)
    await refused(folder, /is no backup: it has no gantry\.db/)
    const queue = tempDir()
    Bun.spawnSync(['mkfifo', join(queue, 'gantry.db')])
    await refused(queue, /is no backup: it has no gantry\.db/)
    const armed = join(folder, 'armed.db')
    await gantry(home, 'backup', armed)
    const hostile = new Database(armed)
    hostile.exec('CREATE TRIGGER forget AFTER INSERT ON events BEGIN DELETE FROM events; END')
    hostile.close()
    await refused(armed, /statements of its own with every event \(forget\).* Give another/)
  }, 120_000)

  test('is readable by its owner alone, and has what is only in a log beside it', async () => {
    const home = prepared()
    const copy = join(tempDir(), 'kept.db')
    const store = openStore(home.database)
    store.journal.append(eventOf({ id: newId(), sessionId: 'in-the-log' }))
    for (const suffix of ['', '-wal']) copyFileSync(home.database + suffix, copy + suffix)
    store.close()
    chmodSync(copy, 0o666)
    expect(statSync(`${copy}-wal`).size).toBeGreaterThan(0)
    expect(await gantry(home, 'restore', copy)).toMatchObject({ exit: 0 })
    expect(statSync(home.database).mode & 0o777).toBe(0o600)
    expect(rowsIn(home.database)).toHaveLength(EVENTS + 1)
    expect(readdirSync(home.state).filter((name) => name.includes('restoring'))).toEqual([])
  }, 120_000)

  test('of a configuration takes what a backup has, and no link that somebody put there', async () => {
    const home = prepared()
    const target = join(tempDir(), 'backup')
    await gantry(home, 'backup', target)
    writeFileSync(join(target, 'config/hub.password'), 'foreign')
    symlinkSync('/etc/passwd', join(target, 'config/rules/linked.yaml'))
    const before = statSync(home.database).ino
    const refused = await gantry(home, 'restore', target, '--config')
    expect(refused).toMatchObject({ exit: 2, stderr: expect.stringContaining('Leave out --config') })
    expect(statSync(home.database).ino).toBe(before)
    unlinkSync(join(target, 'config/rules/linked.yaml'))
    expect(await gantry(home, 'restore', target, '--config')).toMatchObject({ exit: 0 })
    expect(existsSync(join(home.config, 'hub.password'))).toBe(false)
    expect(readFileSync(join(home.rules, 'own.yaml'), 'utf8')).toBe('rules: []\n')
  }, 120_000)
})
