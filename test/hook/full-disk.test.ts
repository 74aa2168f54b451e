/** What a hook client does when the disk is full: it writes over what was set aside, and says what is lost. */
import { afterEach, describe, expect, test } from 'bun:test'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { LOSS_FILE_BYTES, LOSS_RECORD_BYTES, RESERVE_SLOT_BYTES } from '../../src/client/spool.ts'
import { newId } from '../../src/events/ids.ts'
import { type Box, CLIENTS, openBox, parseFrame, useClients } from './clients.ts'
import { AWAY, expectLoss, expectSilence, isLinux, isRoot, NOBODY, QUIET } from './expectations.ts'

useClients()

const mounts: string[] = []
afterEach(() => {
  for (const dir of mounts.splice(0)) Bun.spawnSync(['umount', '-l', dir])
})

/** A disk for the state folder alone. */
function mount(box: Box, size: string): void {
  fs.mkdirSync(box.state, { mode: 0o700 })
  const options = `size=${size},mode=700`
  expect(Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', options, 'tmpfs', box.state]).exitCode).toBe(0)
  mounts.push(box.state)
  fs.mkdirSync(box.spoolFolder, { mode: 0o700 })
}

function fill(box: Box): void {
  try {
    for (;;) fs.appendFileSync(join(box.state, 'filler'), Buffer.alloc(4096, 'x'))
  } catch {
    // full
  }
}

/** As the daemon makes it. */
function setAside(box: Box, slots: number, notes = 1): void {
  const make = (name: string) =>
    fs.writeFileSync(join(box.state, 'reserve', name), Buffer.alloc(RESERVE_SLOT_BYTES, 'x'))
  fs.mkdirSync(join(box.state, 'reserve'), { mode: 0o700 })
  for (let i = 0; i < slots; i++) make(`slot-${i}`)
  for (let i = 0; i < notes; i++) make(`note-${i}`)
}

const reserve = (box: Box) => fs.readdirSync(join(box.state, 'reserve')).sort()
const payloads = (box: Box) => box.spooled().map((frame) => parseFrame(frame).payload.toString())
const lost = (box: Box) =>
  fs.existsSync(join(box.state, 'lost')) ? fs.readFileSync(join(box.state, 'lost'), 'utf8') : ''
const hook = (box: Box, stdin: string | Buffer = '{}') => box.run(['claude', 'Stop'], { stdin, env: QUIET })

const FULL = ['the disk is full', 'Free disk space'] as const

describe.skipIf(!isRoot || !isLinux).each(CLIENTS.map((client) => [client.name, client] as const))(
  'on a full disk the %s client',
  (_, client) => {
    test('writes over what was set aside; beyond that it says what is lost, and notes it', async () => {
      const box = openBox(client)
      mount(box, '1m')
      setAside(box, 3)
      fill(box)
      for (const n of [1, 2, 3]) expectSilence(await hook(box, `{"n":${n}}`))
      expect(payloads(box)).toEqual(['{"n":1}', '{"n":2}', '{"n":3}'])
      expect(reserve(box)).toEqual(['note-0'])
      fill(box) // the ends of what was set aside are free again
      for (const n of [4, 5]) expectLoss(await hook(box, `{"n":${n}}`), ...FULL)
      expect(payloads(box)).toHaveLength(3)
      expect(lost(box)).toMatch(/^([0-9A-Z]{26} claude {11}disk full {10}\n){2}$/)
      expect(lost(box)).toHaveLength(2 * LOSS_RECORD_BYTES)
      expect(reserve(box)).toEqual([])
    })

    test('leaves the last 64 MB to its user, and uses what was set aside', async () => {
      const box = openBox(client)
      mount(box, '65m')
      expectSilence(await hook(box, '"room"'))
      setAside(box, 2)
      fs.writeFileSync(join(box.state, 'filler'), Buffer.alloc(2_000_000))
      const free = () => fs.statfsSync(box.state).bavail
      const before = free()
      for (const n of [1, 2]) expectSilence(await hook(box, `${n}`))
      expect(free()).toBeGreaterThanOrEqual(before)
      expectLoss(await hook(box), ...FULL)
      expect(payloads(box)).toEqual(['"room"', '1', '2'])
    })

    test('takes as many slots as a frame is long, and none for one that is too long', async () => {
      const box = openBox(client)
      mount(box, '4m')
      setAside(box, 80, 0)
      fill(box)
      const long = Buffer.alloc(3 * RESERVE_SLOT_BYTES, 'long ')
      expectSilence(await hook(box, long))
      expect(payloads(box)).toEqual([long.toString()])
      expect(reserve(box)).toHaveLength(76)
      expectLoss(await hook(box, Buffer.alloc(1024 * 1024, 'x')), ...FULL)
      expect(reserve(box)).toHaveLength(76)
    })

    test('passes over what is no slot', async () => {
      const box = openBox(client)
      mount(box, '1m')
      setAside(box, 2)
      const odd = (name: string) => join(box.state, 'reserve', name)
      for (const n of [10, 11, 12]) fs.mkdirSync(odd(`slot-${n}`))
      expect(Bun.spawnSync(['mkfifo', odd('slot-13'), odd('slot-14')]).exitCode).toBe(0)
      fs.symlinkSync('/dev/null', odd('slot-15'))
      fill(box)
      for (const n of [1, 2]) expectSilence(await hook(box, `{"n":${n}}`))
      expect(payloads(box)).toEqual(['{"n":1}', '{"n":2}'])
      expectLoss(await hook(box), ...FULL) // and no wait for whoever reads from the pipe
      expect(reserve(box).filter((name) => name.startsWith('slot-'))).toHaveLength(6)
    })

    test('many at once each take a slot of their own, and the rest is counted', async () => {
      const box = openBox(client)
      mount(box, '4m')
      setAside(box, 10)
      fill(box)
      const outcomes = await Promise.all(Array.from({ length: 16 }, (_, n) => hook(box, `${n}`)))
      const kept = outcomes.filter(({ stderr }) => stderr === '')
      expect(outcomes.every(({ code }) => code === 0)).toBe(true)
      expect(kept).toHaveLength(10)
      expect(new Set(payloads(box)).size).toBe(10)
      expect(lost(box).split('\n').filter(Boolean)).toHaveLength(6)
    })

    test('that is read-only can only say it', async () => {
      const box = openBox(client)
      mount(box, '1m')
      setAside(box, 1)
      expect(Bun.spawnSync(['mount', '-o', 'remount,ro', box.state]).exitCode).toBe(0)
      expectLoss(await hook(box), 'the spool cannot be written') // it is also small
      const { code, stderr } = await box.run(['claude', 'Stop', '--required'], { env: QUIET })
      expect(code).toBe(2)
      expect(stderr).toStartWith('gantry: this event is lost (the spool cannot be written).')
      expect(stderr).toEndWith(AWAY)
      expect(lost(box)).toBe('')
      expect(payloads(box)).toEqual([])
    })

    test('takes nothing from the reserve of another user, nor through a link', async () => {
      const box = openBox(client)
      mount(box, '1m')
      setAside(box, 1)
      fill(box)
      fs.chownSync(join(box.state, 'reserve'), NOBODY, NOBODY)
      expectLoss(await hook(box), ...FULL)
      fs.chownSync(join(box.state, 'reserve'), 0, 0)
      fs.renameSync(join(box.state, 'reserve'), join(box.state, 'elsewhere'))
      fs.symlinkSync('elsewhere', join(box.state, 'reserve'))
      expectLoss(await hook(box), ...FULL)
      expect(fs.readdirSync(join(box.state, 'elsewhere')).sort()).toEqual(['note-0', 'slot-0'])
    })

    test('keeps a whole frame for a plugin that had no room for it', async () => {
      const box = openBox(client)
      mount(box, '1m')
      setAside(box, 1)
      fill(box)
      const id = newId()
      const run = (stdin: string) => box.run(['--keep', id, 'opencode'], { stdin, env: QUIET })
      expectSilence(await run('whole frame'))
      expect(fs.readFileSync(join(box.spoolFolder, `${id}.frame`), 'utf8')).toBe('whole frame')
      fill(box)
      expectLoss(await run('another'), ...FULL)
      expect(lost(box)).toStartWith(`${id} opencode `)
      expect((await box.run(['--keep', '../x', 'opencode'])).code).toBe(1)
      expect(await box.starts(0)).toEqual([])
    })

    test('notes no more losses than say something new', async () => {
      const box = openBox(client)
      mount(box, '4m')
      fs.writeFileSync(join(box.state, 'lost'), Buffer.alloc(LOSS_FILE_BYTES, 'x'))
      expectLoss(await hook(box), ...FULL)
      expect(lost(box)).toHaveLength(LOSS_FILE_BYTES)
    })
  },
)
