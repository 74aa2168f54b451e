import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { frame, silentLog, tempDir, until } from '../../test/kit.ts'
import { EMPTY_REPLY, type HookReply, newId, type RawEvent } from '../events/index.ts'
import type { Pipeline } from './pipeline.ts'
import { Spool } from './spool.ts'
import { type Cleared, SortedNames } from './spool-folder.ts'

type Take = (rawEvent: RawEvent, done: (reply: HookReply | undefined) => void) => void

/** A spool in front of a pipeline that the test controls. */
function setup(take: Take = (_, done) => done(EMPTY_REPLY)) {
  const dir = join(tempDir(), 'spool')
  const taken: string[] = []
  const pipeline = {
    take: ((rawEvent, done) => {
      taken.push(rawEvent.id)
      take(rawEvent, done)
    }) satisfies Take,
  } as unknown as Pipeline
  const log = silentLog()
  const cleared: Cleared[] = []
  const spool = new Spool({ dir, pipeline, log, cleared: (what) => cleared.push(what) })
  const put = (id = newId()) => {
    writeFileSync(join(dir, `${id}.frame`), frame({ id, payload: '{}' }))
    return id
  }
  return { dir, spool, taken, cleared, log, put }
}

describe('a drain', () => {
  test('takes everything in the order of the names, and returns the number', async () => {
    const { spool, taken, put } = setup()
    const ids = [put('c'), put('a'), put('b')]
    expect(await spool.left()).toBe(3)
    expect(await spool.drain()).toBe(3)
    expect(taken).toEqual(ids.toSorted())
    expect(spool.waiting).toBe(0)
  })

  test('also takes what arrives meanwhile, however much that is', async () => {
    let more = 3
    const { spool, taken, put } = setup((_, done) => {
      // As many new ones as there were: it must not look like no progress.
      if (more-- > 0) put()
      setTimeout(() => done(EMPTY_REPLY), 5)
    })
    put()
    put()
    put()
    await spool.drain()
    expect(spool.waiting).toBe(0)
    expect(taken).toHaveLength(6)
  })

  test('keeps what the journal does not store, in order', async () => {
    let isFull = true
    const { spool, taken, put } = setup((_, done) => done(isFull ? undefined : EMPTY_REPLY))
    const ids = [put(), put()]
    expect(await spool.drain()).toBe(0)
    expect(spool.waiting).toBe(2)
    isFull = false
    taken.length = 0
    expect(await spool.drain()).toBe(2)
    expect(taken).toEqual(ids)
  })

  test('stops when its time is over, and continues the next time', async () => {
    const { spool, put } = setup()
    for (let i = 0; i < 600; i++) put()
    const taken = await spool.drain(0)
    expect(taken).toBeLessThan(600)
    expect(await spool.drain()).toBe(600 - taken)
  })

  test('shares the one that is already running', async () => {
    const { spool, taken, put } = setup((_, done) => setTimeout(() => done(EMPTY_REPLY), 10))
    put()
    await Promise.all([spool.drain(), spool.drain()])
    expect(taken).toHaveLength(1)
  })

  test('reads a limited number of megabytes at once', async () => {
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
    expect(spool.waiting).toBe(0)
    expect(await spool.drain()).toBe(0)
  })

  test('of files that can neither be read nor moved ends', async () => {
    const { dir, spool, log, put } = setup()
    put('z')
    mkdirSync(join(dir, 'a.frame'))
    writeFileSync(join(dir, 'bad'), 'a file where the folder should be')
    expect(await spool.drain()).toBe(1)
    expect(spool.waiting).toBe(1)
    expect(log.lines.join('\n')).toMatch(/cannot set .* aside/)
  })
})

test('what the journal does not store now is retried automatically', async () => {
  let isFull = true
  let tries = 0
  const { spool, put } = setup((_, done) => {
    tries += 1
    done(isFull ? undefined : EMPTY_REPLY)
  })
  spool.watch()
  put()
  await until(() => tries > 0 && spool.waiting === 1, 'a try that fails')
  isFull = false
  await until(() => spool.waiting === 0, 'the next try')
  spool.close()
})

describe('drafts', () => {
  const GONE = 999_999_999 // more than any system gives
  const draft = (dir: string, name: string, bytes: Buffer, ageS: number) => {
    writeFileSync(join(dir, `.tmp-${name}`), bytes)
    const at = Date.now() / 1000 - ageS
    utimesSync(join(dir, `.tmp-${name}`), at, at)
  }
  const half = (pid: number) => frame({ payload: 'x'.repeat(100), header: { pid } }).subarray(0, 150)

  test('are removed when their client is gone, and stay while it may still write', async () => {
    const { dir, spool, cleared } = setup()
    draft(dir, 'gone', half(GONE), 700)
    draft(dir, 'no-pid', Buffer.from('{"v":1'), 700)
    draft(dir, 'young', half(GONE), 500)
    draft(dir, 'alive', half(process.pid), 80_000)
    draft(dir, 'of-a-pid-that-came-again', half(process.pid), 90_000)
    mkdirSync(join(dir, '.tmp-folder'))
    await spool.tidy()
    expect(readdirSync(dir).toSorted()).toEqual(['.tmp-alive', '.tmp-folder', '.tmp-young'])
    expect(cleared).toEqual(['draft removed', 'draft removed', 'draft removed'])
  })

  test('that are complete become events', async () => {
    const { dir, spool, taken, cleared } = setup()
    draft(dir, 'late', frame({ id: 'late', payload: '{}', header: { pid: GONE } }), 700)
    await spool.tidy()
    expect(taken).toEqual(['late'])
    expect(readdirSync(dir)).toEqual([])
    expect(cleared).toEqual(['draft taken'])
  })
})

describe('a file that is not an event', () => {
  test('is set aside up to a hundred files and 64 MB, and then removed', async () => {
    const { dir, spool, taken, cleared, log, put } = setup()
    mkdirSync(join(dir, 'bad'))
    truncateSync(openFile(join(dir, 'bad/old')), 60 * 1024 * 1024)
    truncateSync(openFile(join(dir, '0.frame')), 5 * 1024 * 1024)
    for (let i = 0; i < 120; i++) writeFileSync(join(dir, `${1000 + i}.frame`), 'nonsense')
    mkdirSync(join(dir, '2000.frame/deep'), { recursive: true })
    put('z')
    expect(await spool.drain()).toBe(1)
    expect(taken).toEqual(['z'])
    expect(readdirSync(dir)).toEqual(['bad'])
    expect(readdirSync(join(dir, 'bad'))).toHaveLength(100)
    expect(cleared.filter((what) => what === 'no event, set aside')).toHaveLength(99)
    expect(cleared.filter((what) => what === 'no event, removed')).toHaveLength(23)
    expect(log.lines.filter((line) => line.includes('set aside'))).toHaveLength(99)
    expect(log.lines.at(-1)).toContain('removed 23 more files that are not events')
    const { aside } = await spool.look()
    expect(aside.files).toBe(100)
  })

  test('does not block the event loop', async () => {
    const { dir, spool } = setup()
    for (let i = 0; i < 1_000; i++) writeFileSync(join(dir, `${i}.frame`), 'nonsense')
    spool.watch()
    let turns = 0
    const count = setInterval(() => turns++, 1)
    await spool.drain()
    clearInterval(count)
    spool.close()
    // 1,000 at once would be a turn or two.
    expect(turns).toBeGreaterThan(10)
  })
})

describe('names', () => {
  test('of many runs come in order', () => {
    const names = Array.from({ length: 500 }, () => newId())
    const runs = [names.slice(0, 100), names.slice(100, 101), [], names.slice(101)]
    const sorted = new SortedNames(runs.map((run) => run.toSorted()))
    expect(sorted.length).toBe(500)
    expect([...sorted]).toEqual(names.toSorted())
  })
})

/** Created empty, and renamed. */
function openFile(path: string): string {
  writeFileSync(path, '')
  return path
}

test('a frame that arrives at the end of a drain is not left behind', async () => {
  const { dir, spool, put, taken } = setup((_, done) => setTimeout(() => done(EMPTY_REPLY), 100))
  spool.watch()
  put('a')
  await until(() => taken.length === 1, 'the first')
  // The drain waits for its commit; its next list finds this one, or else the next drain does.
  put('b')
  await until(() => readdirSync(dir).length === 0, 'an empty spool')
  for (let i = 0; i < 30; i++) {
    const id = put()
    await until(() => taken.includes(id), `frame ${i}`)
  }
  spool.close()
})

test('a closed spool leaves everything in place', async () => {
  const { dir, spool, put } = setup()
  spool.watch()
  spool.close()
  const id = put()
  await Bun.sleep(80)
  expect(existsSync(join(dir, `${id}.frame`))).toBe(true)
})
