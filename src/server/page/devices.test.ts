import { expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../../test/kit.ts'
import { browserKey } from '../../../test/page/page-kit.ts'
import { Devices } from './devices.ts'
import { SealedFile } from './sealed-file.ts'

const MINUTE = 60_000
const newFile = () => join(tempDir(), 'devices.json')
const sealed = (file: string) => new SealedFile(file, () => 'key')

test('a browser is let in by its code, within ten minutes, once', async () => {
  const file = newFile()
  const devices = new Devices(sealed(file))
  const key = await browserKey()
  const { device, code = '', allowed } = await devices.propose(key.publicKey, 'Firefox\x1b[31m on Linux', 0)
  expect(code).toMatch(/^\d{6}$/)
  expect(allowed).toBe(false)
  expect(await devices.propose(key.publicKey, 'x', 1)).toEqual({ device, code, allowed: false })
  expect(() => devices.allow(code, 10 * MINUTE)).toThrow('more than ten minutes')
  expect(devices.isAllowed(device)).toBe(false)
  expect(devices.allow(code, 1)).toMatchObject({ id: device, at: 1 })
  expect(devices.list()[0]?.label).not.toContain('\x1b')
  expect(() => devices.allow(code, 2)).toThrow('No browser shows')
  expect(await devices.propose(key.publicKey, 'x', 3)).toEqual({ device, allowed: true })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(new Devices(sealed(file)).isAllowed(device)).toBe(true)
  devices.revoke(device.slice(0, 4))
  expect(new Devices(sealed(file)).isAllowed(device)).toBe(false)
  expect(() => devices.revoke(device)).toThrow('There is no device')
})

test('only its own signature over exactly this counts', async () => {
  const devices = new Devices(sealed(newFile()))
  const [mine, other] = [await browserKey(), await browserKey()]
  const { device, code = '' } = await devices.propose(mine.publicKey, 'mine', 0)
  const said = ['approval', 'riko7', 'nonce', 'allow', '']
  expect(await devices.signed(device, said, await mine.sign(said), 1)).toBeUndefined()
  devices.allow(code, 1)
  expect(await devices.signed(device, said, await mine.sign(said), 2)).toMatchObject({ usedAt: 2 })
  expect(await devices.signed(device, said, await other.sign(said), 3)).toBeUndefined()
  for (const changed of [
    ['approval', 'riko7', 'nonce', 'deny', ''],
    ['approval', 'riko7', 'nonce', 'allow', 'x'],
    ['approval', 'riko8', 'nonce', 'allow', ''],
    ['budget', 'riko7', 'nonce', 'allow', ''],
  ])
    expect(await devices.signed(device, changed, await mine.sign(said), 3)).toBeUndefined()
  for (const nonsense of ['', 'x', '!', 'A'.repeat(86), 'A'.repeat(300)])
    expect(await devices.signed(device, said, nonsense, 3)).toBeUndefined()
  const signature = await mine.sign(said)
  const late = devices.signed(device, said, signature, 4)
  devices.revoke(device)
  expect(await late).toBeUndefined()
})

test('a code cannot be guessed, and nobody floods the list', async () => {
  const devices = new Devices(sealed(newFile()))
  const key = await browserKey()
  const { code = '' } = await devices.propose(key.publicKey, 'mine', 0)
  const wrong = code === '000000' ? '000001' : '000000'
  for (let n = 0; n < 4; n++) expect(() => devices.allow(wrong, 1)).toThrow('See the page')
  expect(() => devices.allow(wrong, 1)).toThrow('Every code is void now')
  expect(() => devices.allow(code, 1)).toThrow('No browser shows')
  const codes: string[] = []
  for (let n = 0; n < 5; n++)
    codes.push((await devices.propose((await browserKey()).publicKey, `${n}`, 2)).code ?? '')
  expect(new Set(codes).size).toBe(5)
  expect(() => devices.allow(codes[0] ?? '', 3)).toThrow('No browser shows')
  expect(devices.allow(codes[4] ?? '', 3).label).toBe('4')
})

test('what is no P-256 key is refused', async () => {
  const devices = new Devices(sealed(newFile()))
  for (const key of ['', 'x', 'A'.repeat(120), 'A'.repeat(400), '<script>'])
    expect(devices.propose(key, 'x', 0)).rejects.toThrow('P-256')
})

test('a file that is broken, or that somebody else wrote, allows nobody', async () => {
  const file = newFile()
  const planted = { id: 'a', label: 'x', publicKey: (await browserKey()).publicKey, at: 1 }
  const other = newFile()
  new SealedFile(other, () => 'another key').write({ devices: [planted] })
  const bare = JSON.stringify({ devices: [planted] })
  for (const text of [
    '',
    '{',
    'null',
    '[]',
    bare,
    JSON.stringify({ text: bare, seal: '' }),
    readFileSync(other, 'utf8'),
  ]) {
    writeFileSync(file, text)
    expect(new Devices(sealed(file)).list()).toEqual([])
  }
  sealed(file).write({ devices: [null, { id: 'a' }, planted] })
  expect(new Devices(sealed(file)).list()).toEqual([planted])
})
