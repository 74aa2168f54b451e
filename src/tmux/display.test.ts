import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { eventOf, makeHome, silentLog, until } from '../../test/kit.ts'
import { makeFolders } from '../core/files/private-files.ts'
import { SessionMap } from '../sessions/state/index.ts'
import { tmuxSchema } from './config.ts'
import { TmuxDisplay } from './display.ts'

test('after the first request for the line, a change costs one session and not a look at all of them', async () => {
  const places = makeHome()
  makeFolders(places)
  const fleet = new SessionMap()
  const apply = (n: number, type: string) => {
    const change = fleet.apply(eventOf({ sessionId: `s${n}`, type, native: type, at: Date.now() }))
    return change ? [change] : []
  }
  for (let n = 0; n < 100; n++) apply(n, 'UserPromptSubmit')
  let looks = 0
  const display = new TmuxDisplay({
    places,
    log: silentLog(),
    settings: () => tmuxSchema().parse({ working: '', done: '' }),
    sessions: () => {
      looks += 1
      return fleet.all()
    },
  })
  display.committed(apply(0, 'Stop'))
  expect(looks).toBe(0)
  expect(display.status()).toBe('●99 ✓1')
  for (let n = 1; n < 10; n++) {
    display.committed(apply(n, 'Stop'))
    await until(() => readFileSync(places.tmuxStatus, 'utf8').endsWith(`●${99 - n} ✓${1 + n}\n`), 'the line')
  }
  expect(looks).toBe(1)
  await display.close()
})
