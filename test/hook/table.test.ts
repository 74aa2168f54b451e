/** The native client has its lists and numbers from its twin; test/agent-names.test.ts holds the two together. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as kept from '../../src/client/kept-environment.ts'
import * as wire from '../../src/client/wire.ts'
import { ROOT } from '../kit.ts'

test('no name on the list sounds like a secret', () => {
  expect(wire.ENV_ALLOW_LIST.filter((name) => /KEY|TOKEN|SECRET|PASS|AUTH|CREDENTIAL/.test(name))).toEqual([])
})

test('the native client has no number of its own that its twin has, too', () => {
  const source = ['native/gantry-hook.c', 'native/daemon-env.h'].map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  )
  expect([...source.join('').matchAll(/^#define (\w+) \(?[\d *]+\)?/gm)].map(([, name]) => name)).toEqual([])
})

test.each(['bin/gantry', 'scripts/packages/gantry.sh'])(
  'no variable has Bun load code where %s starts it',
  (file) => {
    const [, unset = ''] = /^unset ((?:.*\\\n)*.*)$/m.exec(readFileSync(join(ROOT, file), 'utf8')) ?? []
    expect(unset.split(/[\s\\]+/)).toEqual([...kept.LOADS_CODE])
  },
)
