import { describe, expect, test } from 'bun:test'
import { configText, isTooOld, readConfig } from './server-config.ts'

const config = {
  name: 'gantry-0123ab',
  port: 4300,
  wanted: 4222,
  token: 'a$b}c',
  dir: '/tmp/with "quotes" and \\',
}

describe('the configuration of the server', () => {
  test('is on loopback, with the token quoted', () => {
    const text = configText(config)
    expect(text).toContain('host: "127.0.0.1"')
    expect(text).toContain('authorization { token: "a$b}c" }')
    expect(text).toContain('store_dir: "/tmp/with \\"quotes\\" and \\\\"')
  })

  test('can be read back', () => {
    expect(readConfig(configText(config))).toEqual({ name: 'gantry-0123ab', port: 4300, wanted: 4222 })
    expect(readConfig('port: 4222')).toBeUndefined()
    expect(readConfig('')).toBeUndefined()
  })
})

test.each([
  ['2.9.4', false],
  ['2.9.10', false],
  ['2.10.0', false],
  ['2.12.0-beta.1', false],
  ['3.0.0', false],
  ['2.9.3', true],
  ['2.2.0', true],
  ['1.9.9', true],
  ['who knows', false],
])('version %s is too old: %p', (version, isOld) => {
  expect(isTooOld(version)).toBe(isOld)
})
