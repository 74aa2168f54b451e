/** The native client has its lists and numbers in C; here they are held against those of its twin and the wire. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as hook from '../../src/client/hook.ts'
import * as spool from '../../src/client/spool.ts'
import * as wire from '../../src/client/wire.ts'
import * as kept from '../../src/core/kept-environment.ts'

const read = (path: string) => readFileSync(join(import.meta.dir, '../..', path), 'utf8')
const source = read('native/gantry-hook.c') + read('native/daemon-env.h')

function list(name: string): string[] {
  const body = new RegExp(`${name}\\[\\] = \\{([^}]*)\\}`).exec(source)?.[1] ?? ''
  return [...body.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? '')
}

/** Numbers, and products of numbers, which is all that the source uses. */
function numbers(): Record<string, number> {
  const defines = source.matchAll(/^#define (\w+) \(?([\d *]+)\)?(?:\s+\/\*.*)?$/gm)
  const number = (text: string) => Number(text.replace(/^0(?=\d)/, '0o'))
  const product = (text: string) => text.split('*').reduce((value, one) => value * number(one.trim()), 1)
  return Object.fromEntries([...defines].map(([, name = '', value = '']) => [name, product(value)]))
}

test('the native client lets the same environment through', () => {
  expect(list('ENV_ALLOW_LIST')).toEqual([...wire.ENV_ALLOW_LIST])
})

test('no name on the list sounds like a secret', () => {
  expect(wire.ENV_ALLOW_LIST.filter((name) => /KEY|TOKEN|SECRET|PASS|AUTH|CREDENTIAL/.test(name))).toEqual([])
})

test('the native client knows the same deciders', () => {
  expect(list('DECIDERS').sort()).toEqual([...wire.DECIDERS].sort())
})

test('the native client has the same numbers', () => {
  const ours = Object.entries({ ...wire, ...hook, ...spool, ...kept }).filter(
    ([, value]) => typeof value === 'number',
  )
  expect(numbers()).toEqual(Object.fromEntries(ours) as Record<string, number>)
})

test('a daemon that the native client starts gets the same environment', () => {
  expect(list('DAEMON_ENV')).toEqual([...kept.DAEMON_ENV])
  expect([...list('DAEMON_ENV'), ...list('KEPT_ENV')]).toEqual([...kept.OWNERS_ENV, 'GANTRY_HOME'])
  expect(/DAEMON_PATH "([^"]+)"/.exec(source)?.[1]).toBe(kept.DAEMON_PATH)
})

test('nothing has Bun load code by a variable where a shell starts it', () => {
  const [, unset = ''] = /^unset ((?:.*\\\n)*.*)$/m.exec(read('bin/gantry')) ?? []
  expect(unset.split(/[\s\\]+/)).toEqual([...kept.LOADS_CODE])
})
