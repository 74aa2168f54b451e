import { describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../../test/kit.ts'
import { GantryError } from '../errors.ts'
import { places } from './paths.ts'
import { linkSocket, makeFolders, readOrMakeToken, unlinkSocket, writeAtomic } from './private-files.ts'

const mode = (path: string) => statSync(path).mode & 0o777

describe('folders', () => {
  test('are made private to their owner, even if they were open before', () => {
    const at = places({}, join(tempDir(), 'new'))
    mkdirSync(at.state, { recursive: true, mode: 0o755 })
    chmodSync(at.state, 0o755)
    makeFolders(at)
    for (const dir of [at.config, at.state, at.run, at.spool]) expect(mode(dir)).toBe(0o700)
  })

  test('that cannot be made give an error with the path and the fix', () => {
    const file = join(tempDir(), 'file')
    writeFileSync(file, '')
    const at = places({}, file)
    expect(() => makeFolders(at)).toThrow(GantryError)
    expect(() => makeFolders(at)).toThrow(/Cannot use .*file\/config.*GANTRY_HOME/)
  })

  // The other user's folder is made by root, so this test needs root.
  test.skipIf(process.getuid?.() !== 0)('of another user are refused', () => {
    const at = places({}, tempDir())
    makeFolders(at)
    Bun.spawnSync(['chown', '65534', at.run])
    expect(() => makeFolders(at)).toThrow(`${at.run} belongs to another user`)
  })
})

describe('the token', () => {
  test('is made once, long, and private', () => {
    const path = join(tempDir(), 'token')
    const token = readOrMakeToken(path)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(mode(path)).toBe(0o600)
    expect(readOrMakeToken(path)).toBe(token)
    expect(readOrMakeToken(join(tempDir(), 'token'))).not.toBe(token)
  })

  test('that others could read is made private, and a too short one is replaced', () => {
    const path = join(tempDir(), 'token')
    const token = readOrMakeToken(path)
    chmodSync(path, 0o644)
    expect(readOrMakeToken(path)).toBe(token)
    expect(mode(path)).toBe(0o600)
    for (const bad of ['', 'short', `${'x'.repeat(40)} y`]) {
      writeFileSync(path, bad)
      expect(readOrMakeToken(path)).toMatch(/^[\w-]{43}$/)
    }
  })
})

test('a file is written whole or not at all, and private', () => {
  const dir = tempDir()
  const path = join(dir, 'http.json')
  writeAtomic(path, 'one')
  writeAtomic(path, 'two')
  expect(readFileSync(path, 'utf8')).toBe('two')
  expect(mode(path)).toBe(0o600)
  expect(readdirSync(dir)).toEqual(['http.json'])
})

describe('the socket link', () => {
  test('leads to the socket and replaces an old link', () => {
    const at = places({}, tempDir())
    makeFolders(at)
    linkSocket(at)
    linkSocket(at)
    expect(readlinkSync(at.socketLink)).toBe(at.socket)
    unlinkSocket(at)
    unlinkSocket(at)
    expect(lstatSync(at.socketLink, { throwIfNoEntry: false })).toBeUndefined()
  })

  test('is not made where the socket itself is', () => {
    const at = places({ HOME: tempDir() })
    makeFolders(at)
    expect(at.socketLink).toBe(at.socket)
    writeFileSync(at.socket, 'the socket')
    linkSocket(at)
    unlinkSocket(at)
    expect(existsSync(at.socket)).toBe(true)
  })
})
