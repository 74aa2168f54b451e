import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { frame, silentLog, tempDir, until } from '../../test/kit.ts'
import { type Arrival, EMPTY_REPLY, type HookReply, newId } from '../events/index.ts'
import type { Pipeline } from './pipeline.ts'
import { Spool } from './spool.ts'

type Take = (arrival: Arrival, done: (reply: HookReply | undefined) => void) => void

/** A spool in front of a pipeline that does as it is told. */
function setup(take: Take = (_, done) => done(EMPTY_REPLY)) {
  const dir = join(tempDir(), 'spool')
  const taken: string[] = []
  const pipeline = {
    take: ((arrival, done) => {
      taken.push(arrival.id)
      take(arrival, done)
    }) satisfies Take,
  } as unknown as Pipeline
  const log = silentLog()
  const spool = new Spool({ dir, pipeline, log })
  const put = (id = newId()) => {
    writeFileSync(join(dir, `${id}.frame`), frame({ id, payload: '{}' }))
    return id
  }
  return { dir, spool, taken, log, put }
}

describe('a drain', () => {
  test('takes everything in the order of the names, and says how much', async () => {
    const { spool, taken, put } = setup()
    const ids = [put('c'), put('a'), put('b')]
    expect(spool.waiting()).toBe(3)
    expect(await spool.drain()).toBe(3)
    expect(taken).toEqual(ids.toSorted())
    expect(spool.waiting()).toBe(0)
  })

  test('also takes what comes while it works, however much that is', async () => {
    let more = 3
    const { spool, taken, put } = setup((_, done) => {
      // As many new ones as there were: it must not look as if nothing moved.
      if (more-- > 0) put()
      setTimeout(() => done(EMPTY_REPLY), 5)
    })
    put()
    put()
    put()
    await spool.drain()
    expect(spool.waiting()).toBe(0)
    expect(taken).toHaveLength(6)
  })

  test('keeps what the journal does not take, in order', async () => {
    let isFull = true
    const { spool, taken, put } = setup((_, done) => done(isFull ? undefined : EMPTY_REPLY))
    const ids = [put(), put()]
    expect(await spool.drain()).toBe(0)
    expect(spool.waiting()).toBe(2)
    isFull = false
    taken.length = 0
    expect(await spool.drain()).toBe(2)
    expect(taken).toEqual(ids)
  })

  test('stops when its time is over, and goes on the next time', async () => {
    const { spool, put } = setup()
    for (let i = 0; i < 600; i++) put()
    const taken = await spool.drain(0)
    expect(taken).toBeLessThan(600)
    expect(await spool.drain()).toBe(600 - taken)
  })

  test('while another one runs is the same', async () => {
    const { spool, taken, put } = setup((_, done) => setTimeout(() => done(EMPTY_REPLY), 10))
    put()
    await Promise.all([spool.drain(), spool.drain()])
    expect(taken).toHaveLength(1)
  })

  test('reads only so many megabytes at once', async () => {
    let held = 0
    let most = 0
    const { dir, spool } = setup((_, done) => {
      held += 1
      most = Math.max(most, held)
      setTimeout(() => {
        held -= 1
        done(EMPTY_REPLY)
      }, 5)
    })
    const bytes = frame({ id: 'x', payload: 'x'.repeat(4_000_000) })
    for (let i = 0; i < 20; i++) writeFileSync(join(dir, `${i}.frame`), bytes)
    expect(await spool.drain()).toBe(20)
    expect(most).toBeLessThan(8)
  })

  test('without a folder finds nothing', async () => {
    const { dir, spool } = setup()
    rmSync(dir, { recursive: true })
    expect(spool.waiting()).toBe(0)
    expect(await spool.drain()).toBe(0)
  })

  test('of files that can neither be read nor moved comes to an end', async () => {
    const { dir, spool, log, put } = setup()
    put('z')
    mkdirSync(join(dir, 'a.frame'))
    writeFileSync(join(dir, 'bad'), 'a file where the folder should be')
    expect(await spool.drain()).toBe(1)
    expect(spool.waiting()).toBe(1)
    expect(log.lines.join('\n')).toContain('cannot be set aside')
  })
})

test('what the journal does not take now is tried again by itself', async () => {
  let isFull = true
  const { spool, put } = setup((_, done) => done(isFull ? undefined : EMPTY_REPLY))
  spool.watch()
  put()
  await Bun.sleep(100)
  expect(spool.waiting()).toBe(1)
  isFull = false
  await until(() => spool.waiting() === 0, 'the next try')
  spool.close()
})

test('a draft whose writer is long dead is removed, a young one is left', () => {
  const { dir, spool } = setup()
  writeFileSync(join(dir, '.tmp-old'), 'half')
  utimesSync(join(dir, '.tmp-old'), 1, 1)
  writeFileSync(join(dir, '.tmp-young'), 'half')
  spool.waiting()
  expect(readdirSync(dir)).toEqual(['.tmp-young'])
})

test('a closed spool leaves everything where it is', async () => {
  const { dir, spool, put } = setup()
  spool.watch()
  spool.close()
  const id = put()
  await Bun.sleep(80)
  expect(existsSync(join(dir, `${id}.frame`))).toBe(true)
})
