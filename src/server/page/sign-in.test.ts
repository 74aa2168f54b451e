import { expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../../test/kit.ts'
import { hashOf } from './one-time.ts'
import { SealedFile } from './sealed-file.ts'
import { Links, Logins } from './sign-in.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const PORT = 4520
const sealed = (file = join(tempDir(), 'logins.json')) => new SealedFile(file, () => 'key')

const withCookie = (cookie: string) => new Request('http://127.0.0.1/', { headers: { cookie } })
const pairIn = (set: string) => set.split(';')[0] ?? ''

test('a link works once, and for ten minutes', () => {
  const links = new Links()
  const [used, late, other] = [links.make(0), links.make(0), links.make(0)]
  expect(new Set([used, late, other]).size).toBe(3)
  expect(links.use(used, 10 * MINUTE - 1)).toBe(true)
  expect(links.use(used, 1)).toBe(false)
  expect(links.use(late, 10 * MINUTE)).toBe(false)
  expect(links.use(late, 1)).toBe(false)
  expect(links.use('', 1)).toBe(false)
  expect(links.use(`${other}x`, 1)).toBe(false)
  expect(links.use(other, 1)).toBe(true)
})

test('of many links the oldest goes', () => {
  const links = new Links()
  const made = Array.from({ length: 17 }, () => links.make(0))
  expect(links.use(made[0] ?? '', 1)).toBe(false)
  expect(made.slice(1).every((one) => links.use(one, 1))).toBe(true)
})

test('a cookie is good for thirty days, on its own port, also for the next daemon; the file has no secret', () => {
  const file = join(tempDir(), 'logins.json')
  const cookie = pairIn(new Logins(sealed(file)).begin(PORT, 0))
  const [, secret = ''] = cookie.split('=')
  expect(Buffer.from(secret, 'base64url').length).toBe(32)
  expect(readFileSync(file, 'utf8')).not.toContain(secret)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const again = new Logins(sealed(file))
  expect(again.has(withCookie(cookie), PORT, 30 * DAY - 1)).toBe(true)
  expect(again.has(withCookie(cookie), PORT, 30 * DAY)).toBe(false)
  expect(again.has(withCookie(cookie), PORT + 1, 1)).toBe(false)
  expect(again.has(withCookie(`${cookie}x`), PORT, 1)).toBe(false)
  expect(again.has(withCookie('a=b'), PORT, 1)).toBe(false)
  expect(again.has(withCookie(`gantry-page-${PORT}=`), PORT, 1)).toBe(false)
})

test('a cookie of the same name from another port of this host signs nobody out', () => {
  const logins = new Logins(sealed())
  const cookie = pairIn(logins.begin(PORT, 0))
  expect(logins.has(withCookie(`gantry-page-${PORT}=evil; ${cookie}`), PORT, 1)).toBe(true)
})

test('of 33 browsers the oldest is signed out, and all at once on request', () => {
  const logins = new Logins(sealed())
  const cookies = Array.from({ length: 33 }, () => pairIn(logins.begin(PORT, 0)))
  expect(cookies.map((one) => logins.has(withCookie(one), PORT, 1))).toEqual([
    false,
    ...Array.from({ length: 32 }, () => true),
  ])
  expect(logins.clear()).toBe(32)
  expect(cookies.some((one) => logins.has(withCookie(one), PORT, 1))).toBe(false)
})

test('a file that is broken, or that somebody else wrote, is one without anybody', () => {
  const file = join(tempDir(), 'logins.json')
  const planted = JSON.stringify({ logins: [{ hash: hashOf('x'), at: 0 }] })
  for (const text of ['', '{', 'null', '[]', planted, JSON.stringify({ text: planted, seal: 'x' })]) {
    writeFileSync(file, text)
    expect(new Logins(sealed(file)).has(withCookie(`gantry-page-${PORT}=x`), PORT, 1)).toBe(false)
  }
})
