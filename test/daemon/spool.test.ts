/** What hook clients wrote down while the daemon was away: everything is taken over, once and in order. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import {
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

/** One daemon for what comes while it is up; whatever was there before a test is none of its business. */
const up = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(up)
})
afterAll(() => daemon.kill('SIGKILL'))
/** What is in the journal now; the function gives what came since. */
function since(at: Places): () => string[] {
  const { length } = idsIn(at)
  return () => idsIn(at).slice(length)
}
const frames = (at: Places) => readdirSync(at.spool).filter((name) => name.endsWith('.frame'))

/** Puts a frame there as the clients do: written beside, then renamed. */
function put(at: Places, bytes: Uint8Array | string, name = newId()): string {
  mkdirSync(at.spool, { recursive: true, mode: 0o700 })
  writeFileSync(join(at.spool, `.tmp-${name}`), bytes)
  renameSync(join(at.spool, `.tmp-${name}`), join(at.spool, `${name}.frame`))
  return name
}

const putEvent = (at: Places, id = newId(), payload = `{"session_id":"s1","cwd":"${id}"}`) =>
  put(at, frame({ id, payload }), id)

describe('frames that wait at the start', () => {
  test.concurrent('are taken over in the order of their birth, before the door opens, and deleted', async () => {
    const at = makeHome()
    const born = Array.from({ length: 250 }, () => newId())
    for (const id of born.toReversed()) putEvent(at, id)
    await using _ = await startDaemon(at)
    expect(idsIn(at)).toEqual(born)
    expect(frames(at)).toEqual([])
    expect(journal<{ transport: string }>(at)[0]?.transport).toBe('spool')
    expect((await status(at)).spooled).toBe(0)
  })

  test.concurrent('keep their bytes, and the time they were born', async () => {
    const at = makeHome()
    const payload = Buffer.from([0x7b, 0xff, 0x00, 0x7d])
    const at0 = Date.now() - 86_400_000
    put(at, frame({ id: 'bytes', at: at0, payload }), 'a')
    put(at, frame({ id: 'large', payload: 'y'.repeat(8 * 1024 * 1024) }), 'b')
    put(at, frame({ id: 'cut', payload: '{"session_id":"s1","x":"', header: { cut: 9_000_000 } }), 'c')
    await using _ = await startDaemon(at)
    const rows = journal<{ id: string; raw: Uint8Array; at: number; received_at: number; cut_from: number }>(
      at,
    )
    expect(rows.map(({ id }) => id)).toEqual(['bytes', 'large', 'cut'])
    expect(Buffer.from(rows[0]?.raw ?? '').equals(payload)).toBe(true)
    expect(rows[0]?.at).toBe(at0)
    expect(rows[0]?.received_at).toBeGreaterThan(at0 + 86_000_000)
    expect(rows[1]?.raw.length).toBe(8 * 1024 * 1024)
    expect(rows[2]?.cut_from).toBe(9_000_000)
  })

  test.concurrent('from real clients are all there', async () => {
    const at = makeHome()
    const env = { GANTRY_NO_AUTOSTART: '1' }
    const clients = Array.from({ length: 20 }, (_, i) =>
      run([HOOK, 'claude', 'Stop'], at, `{"session_id":"s1","hook_event_name":"Stop","cwd":"${i}"}`, env),
    )
    for (const { exit, stdout, stderr } of await Promise.all(clients)) {
      expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: '', stderr: '' })
    }
    expect(frames(at)).toHaveLength(20)
    await using _ = await startDaemon(at)
    expect(journal(at)).toHaveLength(20)
    expect(frames(at)).toEqual([])
  })
})

describe('frames that come while the daemon is up', () => {
  test('are seen and taken over', async () => {
    const at = up
    const came = since(at)
    const born = Array.from({ length: 50 }, () => putEvent(at))
    await until(() => frames(at).length === 0, 'an empty spool')
    expect(came()).toEqual(born)
  })

  test('in one burst after the other are all taken over', async () => {
    const at = up
    const came = since(at)
    const born: string[] = []
    for (let burst = 0; burst < 20; burst++) {
      for (let i = 0; i < 5; i++) born.push(putEvent(at))
      await Bun.sleep(burst * 2)
    }
    await until(() => frames(at).length === 0, 'an empty spool')
    expect(came().toSorted()).toEqual(born)
  })

  test('half written are left alone until they are whole', async () => {
    const at = up
    const came = since(at)
    const bytes = frame({ id: 'slow', payload: '{"a":1}' })
    const draft = join(at.spool, '.tmp-slow')
    writeFileSync(draft, bytes.subarray(0, 20))
    const other = putEvent(at)
    await until(() => idsIn(at).includes(other), 'another one')
    expect(existsSync(draft)).toBe(true)
    writeFileSync(draft, bytes)
    renameSync(draft, join(at.spool, 'slow.frame'))
    await until(() => frames(at).length === 0, 'an empty spool')
    expect(came()).toEqual([other, 'slow'])
  })
})

describe('an event counts once', () => {
  test.concurrent('when the daemon died between commit and deletion', async () => {
    const at = makeHome()
    const id = newId()
    const bytes = frame({ id, payload: '{"n":1}' })
    put(at, bytes, id)
    const first = await startDaemon(at)
    await first.kill('SIGKILL')
    put(at, bytes, id) // as if it had never been deleted
    await using _ = await startDaemon(at)
    expect(idsIn(at)).toEqual([id])
    expect(frames(at)).toEqual([])
  })

  test('when its client sent it, waited too long for the answer and spooled it', async () => {
    const at = up
    const came = since(at)
    const id = newId()
    const parts = { id, payload: '{"n":1}' }
    await sendFrame(at, parts)
    put(at, frame(parts), id)
    await until(() => frames(at).length === 0, 'an empty spool')
    expect(came()).toEqual([id])
  })
})

describe('what is no frame', () => {
  const secret = 'ssh-rsa AAAA'

  test.concurrent('goes to spool/bad, and the others are taken over', async () => {
    const at = makeHome()
    const outside = join(tempDir(), 'private')
    writeFileSync(outside, secret)
    put(at, 'nonsense\n', 'a-nonsense')
    put(at, '', 'b-empty')
    put(at, frame({ payload: 'x'.repeat(100) }).subarray(0, 150), 'c-truncated')
    put(at, Buffer.concat([frame({ payload: '{}' }), frame({ payload: '{}' })]), 'd-two')
    put(at, '{"cmd":"stop"}\n', 'e-call')
    put(at, Buffer.alloc(9 * 1024 * 1024), 'f-large')
    symlinkSync(outside, join(at.spool, 'g-link.frame'))
    symlinkSync('/dev/zero', join(at.spool, 'h-device.frame'))
    symlinkSync('nowhere', join(at.spool, 'i-dangling.frame'))
    mkdirSync(join(at.spool, 'j-folder.frame'))
    Bun.spawnSync(['mkfifo', join(at.spool, 'k-pipe.frame')])
    const good = putEvent(at, 'z-good')
    await using _ = await startDaemon(at)
    await until(() => frames(at).length === 0, 'an empty spool')
    expect(idsIn(at)).toEqual([good])
    expect(readdirSync(join(at.spool, 'bad')).toSorted()).toEqual(
      'a-nonsense b-empty c-truncated d-two e-call f-large g-link h-device i-dangling j-folder k-pipe'
        .split(' ')
        .map((name) => `${name}.frame`),
    )
    // Nobody followed the links.
    expect(readFileSync(outside, 'utf8')).toBe(secret)
    const log = readFileSync(at.log, 'utf8')
    expect(log).toContain('a-nonsense.frame set aside')
    expect(log).not.toContain(secret)
  })

  test('is named by doctor, with its place and the way out', async () => {
    const at = up
    put(at, 'nonsense\n')
    await until(() => existsSync(join(at.spool, 'bad')) && frames(at).length === 0, 'an empty spool')
    const { stdout } = await gantry(at, 'doctor')
    expect(stdout).toContain(`1 file (9 B) in ${join(at.spool, 'bad')}`)
    expect(stdout).toContain(`rm -r ${join(at.spool, 'bad')}`)
    expect(stdout).toContain('invalid files in the spool, set aside: 1')
  })

  test.concurrent('does not pile up for ever', async () => {
    const at = makeHome()
    for (let i = 0; i < 130; i++) put(at, 'nonsense\n')
    await using _ = await startDaemon(at)
    await until(() => frames(at).length === 0, 'an empty spool')
    expect(readdirSync(join(at.spool, 'bad'))).toHaveLength(100)
  })
})

describe('the folder', () => {
  test('that is gone is no trouble, and is watched again when it is back', async () => {
    const at = up
    const came = since(at)
    rmSync(at.spool, { recursive: true })
    expect((await gantry(at, 'status')).exit).toBe(0)
    await until(() => existsSync(at.spool), 'the folder')
    const id = putEvent(at)
    await until(() => frames(at).length === 0, 'an empty spool')
    expect(came()).toEqual([id])
  })

  test.concurrent('that is a link to another one is refused at the start', async () => {
    const at = makeHome()
    mkdirSync(at.state, { mode: 0o700 })
    symlinkSync(tempDir(), at.spool)
    const { exit, stderr } = await gantry(at, 'up')
    expect(exit).toBe(1)
    expect(stderr).toContain(at.spool)
  })
})
