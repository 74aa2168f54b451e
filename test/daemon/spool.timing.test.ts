/** A spool full of rubbish holds up no hook: how long hooks take beside it, held against how long they take without. */
import { expect, test } from 'bun:test'
import { linkSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeHome, sendFrame, startDaemon, until } from '../kit.ts'
import { rounds } from '../long.ts'

const FILES = rounds(75_000, 200_000) // a start takes up to 60,000 before it opens its socket
const LINKS = 10_000 // a file has only so many

test(`${FILES} files that are no events hold up no hook`, async () => {
  const at = makeHome()
  mkdirSync(at.spool, { recursive: true, mode: 0o700 })
  let rubbish = ''
  for (let i = 0; i < FILES; i++) {
    const name = join(at.spool, `${100_000 + i}.frame`)
    if (i % LINKS === 0) {
      rubbish = join(at.state, `rubbish-${i}`)
      writeFileSync(rubbish, 'nonsense\n')
    }
    linkSync(rubbish, name) // faster than a file of its own
  }
  await using _ = await startDaemon(at)
  const isFull = () => readdirSync(at.spool).length > FILES / 10

  const hook = async () => {
    const began = performance.now()
    expect((await sendFrame(at, { payload: '{"session_id":"s1"}' }))?.exit).toBe(0)
    return performance.now() - began
  }
  const worstOf = async (n: number) => {
    let worst = 0
    for (let i = 0; i < n; i++) {
      worst = Math.max(worst, await hook())
      await Bun.sleep(5)
    }
    return worst
  }
  expect(isFull()).toBe(true)
  const beside = await worstOf(50)
  await until(() => !readdirSync(at.spool).some((name) => name.endsWith('.frame')), 'an empty spool', 120_000)
  const without = await worstOf(50)
  console.log(
    `worst of 50 hooks: ${beside.toFixed(1)} ms beside the rubbish, ${without.toFixed(1)} ms without`,
  )
  // In one go it took over three seconds.
  expect(beside / Math.max(without, 5)).toBeLessThan(20)
}, 180_000)
