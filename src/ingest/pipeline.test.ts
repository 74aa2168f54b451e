import { drainMicrotasks } from 'bun:jsc'
import { Database } from 'bun:sqlite'
import { describe, expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { rawEvent, silentLog, tempDir, until } from '../../test/kit.ts'
import {
  type HookEvent,
  type HookReply,
  NO_VERDICT,
  newId,
  type RawEvent,
  type Verdict,
} from '../events/index.ts'
import { openStore, type Store } from '../store/index.ts'
import { Pipeline, type PipelineOptions } from './pipeline.ts'

type Reply = HookReply | undefined

function setup(options: Partial<PipelineOptions> = {}, wrap: (store: Store) => Store = (store) => store) {
  const path = join(tempDir(), 'gantry.db')
  const store = wrap(openStore(path))
  const log = silentLog()
  const committed: HookEvent[][] = []
  const pipeline = new Pipeline({
    store,
    log,
    redaction: () => true,
    committed: (events) => committed.push([...events]),
    ...options,
  })
  const take = (parts: Partial<RawEvent> = {}) =>
    new Promise<Reply>((resolve) => pipeline.take(distinct(parts), resolve))
  return { path, store, log, committed, pipeline, take }
}

/** Each has its own payload; only explicit ones are copies. */
function distinct(parts: Partial<RawEvent>): RawEvent {
  const raw = JSON.stringify({ session_id: 's1', hook_event_name: 'Stop', cwd: newId() })
  return rawEvent({ raw, ...parts })
}

/** A store whose commits first call `commit`, which may throw as SQLite does. */
function failing(commit: () => void): (store: Store) => Store {
  return (store) => {
    const { journal } = store
    const real = journal.commit.bind(journal)
    journal.commit = (work) => {
      commit()
      return real(work)
    }
    return store
  }
}

const busy = () => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
const full = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
/** A commit is retried for a limited time. Here none has passed, however slow the machine is. */
const inTime = () => spyOn(performance, 'now').mockReturnValue(0)
const EMPTY: HookReply = { exit: 0, stdout: '', stderr: '' }

describe('an event', () => {
  test('is in the journal before it is answered', async () => {
    const { path, pipeline } = setup()
    const seen = await new Promise((resolve) =>
      pipeline.take(distinct({ id: 'x' }), () => {
        resolve(new Database(path, { readonly: true }).query('SELECT id FROM events').all())
      }),
    )
    expect(seen).toEqual([{ id: 'x' }])
  })

  test('is passed to followers after its answer, with its sequence', async () => {
    const { pipeline, committed } = setup()
    const order: string[] = []
    pipeline.take(distinct({ id: 'a' }), () => order.push(`answered with ${committed.length} passed on`))
    pipeline.take(distinct({ id: 'b' }), () => order.push('answered'))
    await pipeline.drained()
    expect(order).toEqual(['answered with 0 passed on', 'answered'])
    expect(committed).toMatchObject([
      [
        { id: 'a', seq: 1 },
        { id: 'b', seq: 2 },
      ],
    ])
  })

  test('that came before is answered, and neither stored nor passed on again', async () => {
    const { take, committed, store } = setup()
    expect(await take({ id: 'a' })).toEqual(EMPTY)
    expect(await take({ id: 'a' })).toEqual(EMPTY)
    expect(store.count()).toBe(1)
    expect(committed.flat()).toHaveLength(1)
    expect(store.counters.all()).toMatchObject([{ kind: 'duplicate', key: 'claude', count: 1 }])
  })

  test('over two routes counts once, also with a killed daemon or a failed commit in between', async () => {
    let isFull = false
    const { take, store } = setup(
      {},
      failing(() => {
        if (isFull) throw full()
      }),
    )
    const raw = '{"session_id":"s1","hook_event_name":"Stop"}'
    const copy = (transport: RawEvent['transport']) => ({ raw, transport, receivedAt: Date.now() })
    await take(copy('socket'))
    const next = new Pipeline({ store, log: silentLog(), redaction: () => true })
    await new Promise<Reply>((resolve) => next.take(rawEvent(copy('http')), resolve))
    expect(store.count()).toBe(1)
    isFull = true
    expect(await take()).toBeUndefined()
    isFull = false
    await take(copy('relay'))
    expect(store.count()).toBe(1)
    await take(copy('socket'))
    expect(store.count()).toBe(2)
  })

  test('that another tool relayed before is decided when its agent asks, once, and waited for', async () => {
    const decided: [string, number][] = []
    const observed: string[] = []
    const no: Verdict = { decision: 'deny', reason: 'no' }
    const { take, store } = setup({
      observe: ({ transport }) => observed.push(transport),
      decide: (event) => {
        decided.push([event.transport, event.seq])
        return { now: NO_VERDICT, holdMs: 0, settle: async () => no }
      },
    })
    const raw = '{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}'
    const copy = (transport: RawEvent['transport'], id = newId()) => ({ id, raw, transport })
    await take(copy('relay'))
    expect((await take(copy('socket', 'a')))?.stdout).toContain('"deny"')
    expect(await take(copy('http'))).toEqual(EMPTY)
    expect(await take(copy('spool', 'a'))).toEqual(EMPTY)
    expect(decided).toEqual([
      ['socket', 1],
      ['http', 0],
    ])
    expect(observed).toEqual(['relay'])
    expect(store.count()).toBe(1)
  })

  test('over two routes counts once', async () => {
    const { take, store } = setup()
    const raw = '{"session_id":"s1","hook_event_name":"Stop"}'
    expect(await take({ raw })).toEqual(EMPTY)
    expect(await take({ raw, transport: 'http' })).toEqual(EMPTY)
    expect(store.count()).toBe(1)
    expect(await take({ raw })).toEqual(EMPTY)
    expect(store.count()).toBe(2)
  })

  test('loses its secrets before it is stored or passed on', async () => {
    const { take, store, committed } = setup()
    const raw = `{"session_id":"s1","hook_event_name":"UserPromptSubmit","prompt":"use ghp_${'a'.repeat(36)}"}`
    await take({ raw, id: 'x' })
    expect(store.byId('x')?.raw).toBe(
      '{"session_id":"s1","hook_event_name":"UserPromptSubmit","prompt":"use [redacted]"}',
    )
    expect(committed[0]?.[0]?.prompt).toBe('use [redacted]')
    expect(store.counters.all()).toMatchObject([{ kind: 'redacted', count: 1 }])
  })

  test('keeps them when redaction is off', async () => {
    const { take, store } = setup({ redaction: () => false })
    const raw = `{"a":"ghp_${'a'.repeat(36)}"}`
    await take({ raw, id: 'x' })
    expect(store.byId('x')?.raw).toBe(raw)
  })

  test('with unknown fields, or cut, is counted', async () => {
    const { take, store } = setup()
    await take({ raw: '{"session_id":"s1","hook_event_name":"Stop","brand_new":1}', cutFrom: 9 })
    const kinds = store.counters.all().map(({ kind, key }) => `${kind}: ${key}`)
    expect(kinds).toEqual(['cut: claude Stop', 'unknown: claude Stop brand_new'])
  })

  test('that came before does not count its anomalies twice', async () => {
    const { take, store } = setup()
    const odd = { id: 'x', raw: '{"session_id":"s1","hook_event_name":"Stop","brand_new":1}' }
    await take(odd)
    await take(odd)
    expect(store.counters.all()).toMatchObject([
      { kind: 'duplicate', count: 1 },
      { kind: 'unknown', count: 1 },
    ])
  })
})

describe('a burst', () => {
  test('shares one commit', async () => {
    let commits = 0
    const { pipeline, committed, store } = setup(
      {},
      failing(() => {
        commits += 1
      }),
    )
    for (let i = 0; i < 300; i++) pipeline.take(distinct({}), () => {})
    expect(store.count()).toBe(0)
    await pipeline.drained()
    expect(commits).toBe(1)
    expect(committed).toHaveLength(1)
    expect(store.count()).toBe(300)
  })

  test('that is too large is split, in order', async () => {
    const { pipeline, committed } = setup()
    const answered: number[] = []
    for (let i = 0; i < 1500; i++) pipeline.take(distinct({ id: `e${i}` }), () => answered.push(i))
    await pipeline.drained()
    expect(committed.map((events) => events.length)).toEqual([512, 512, 476])
    expect(answered).toEqual(Array.from({ length: 1500 }, (_, i) => i))
    expect(committed.flat().map(({ seq }) => seq)).toEqual(Array.from({ length: 1500 }, (_, i) => i + 1))
  })
})

describe('a busy journal', () => {
  test('is retried, and the events keep their order', async () => {
    let left = 3
    using _ = inTime()
    const { pipeline, committed, log } = setup(
      {},
      failing(() => {
        if (left-- > 0) throw busy()
      }),
    )
    const replies: Reply[] = []
    pipeline.take(distinct({ id: 'a' }), (reply) => replies.push(reply))
    await Bun.sleep(1)
    pipeline.take(distinct({ id: 'b' }), (reply) => replies.push(reply))
    await pipeline.drained()
    expect(replies).toEqual([EMPTY, EMPTY])
    expect(committed.flat().map(({ id }) => id)).toEqual(['a', 'b'])
    expect(pipeline.fault).toBeUndefined()
    expect(log.lines).toEqual([])
  })

  test('is given up while the client still has time to spool, and is retried for the next event', async () => {
    let isBusy = true
    const { take, pipeline, store } = setup(
      {},
      failing(() => {
        if (isBusy) throw busy()
      }),
    )
    const start = performance.now()
    expect(await take()).toBeUndefined()
    const waited = performance.now() - start
    expect(waited).toBeGreaterThan(150)
    expect(waited).toBeLessThan(5_000) // the number of tries has the exact limit, below
    expect(pipeline.fault).toBe('database is locked')
    expect(pipeline.unstored).toBe(1)
    isBusy = false
    expect(await take()).toEqual(EMPTY)
    expect(pipeline.fault).toBeUndefined()
    expect(store.count()).toBe(1)
  })

  test('is given up in time even when the clock is set back', async () => {
    let clock = 1_763_000_000_000
    const { take } = setup(
      { now: () => clock },
      failing(() => {
        clock -= 60_000
        throw busy()
      }),
    )
    expect(await Promise.race([take(), Bun.sleep(30_000).then(() => 'still waiting')])).toBeUndefined()
  })
})

describe('a commit that fails', () => {
  test('leaves the events to their senders: no answer, nothing stored, nothing passed on', async () => {
    let isFull = true
    const { take, pipeline, store, committed, log } = setup(
      {},
      failing(() => {
        if (isFull) throw full()
      }),
    )
    expect(await Promise.all([take({ id: 'a' }), take({ id: 'b' })])).toEqual([undefined, undefined])
    expect(store.count()).toBe(0)
    expect(committed).toEqual([])
    expect(pipeline.fault).toBe('database or disk is full')
    expect(pipeline.unstored).toBe(2)
    expect(log.lines).toEqual([
      'error pipeline cannot store events: database or disk is full; their senders keep them',
    ])

    // The senders try again, and their ids count as new.
    isFull = false
    expect(await Promise.all([take({ id: 'a' }), take({ id: 'b' })])).toEqual([EMPTY, EMPTY])
    expect(store.count()).toBe(2)
    expect(pipeline.fault).toBeUndefined()
  })

  test('does not mark unstored events as duplicates', async () => {
    let isFull = true
    const { take, store } = setup(
      {},
      failing(() => {
        if (isFull) throw full()
      }),
    )
    const raw = '{"session_id":"s1","hook_event_name":"Stop"}'
    expect(await take({ raw })).toBeUndefined()
    isFull = false
    expect(await take({ raw, transport: 'http' })).toEqual(EMPTY)
    expect(store.count()).toBe(1)
  })

  test('in the middle of its work keeps nothing', async () => {
    const { pipeline, store } = setup({}, (store) => {
      const append = store.journal.append.bind(store.journal)
      store.journal.append = (event) => {
        if (event.id === 'second') throw full()
        return append(event)
      }
      return store
    })
    const replies: Reply[] = []
    for (const id of ['first', 'second']) pipeline.take(distinct({ id }), (reply) => replies.push(reply))
    await pipeline.drained()
    expect(replies).toEqual([undefined, undefined])
    expect(store.count()).toBe(0)
    expect(store.journal.lastSeq).toBe(0)
  })
})

describe('drained', () => {
  test('resolves at once when nothing waits', async () => {
    await setup().pipeline.drained()
  })

  test('resolves when everything is answered, also what could not be stored', async () => {
    const { pipeline } = setup(
      {},
      failing(() => {
        throw full()
      }),
    )
    let answered = 0
    for (let i = 0; i < 600; i++) {
      pipeline.take(distinct({}), () => {
        answered += 1
      })
    }
    await Promise.all([pipeline.drained(), pipeline.drained()])
    expect(answered).toBe(600)
  })

  test('waits for events that others caused', async () => {
    const ids: string[] = []
    const { pipeline } = setup({ committed: (events) => ids.push(...events.map(({ id }) => id)) })
    pipeline.take(distinct({ id: 'a' }), () => pipeline.take(distinct({ id: 'b' }), () => {}))
    await pipeline.drained()
    await pipeline.drained()
    expect(ids).toEqual(['a', 'b'])
  })
})

describe('a decision', () => {
  const deny: Verdict = { decision: 'deny', reason: 'not here', by: 'r1' }
  const preToolUse = (cwd: string) =>
    JSON.stringify({
      session_id: 's1',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: {},
      cwd,
    })

  test('is sent in the agent’s format', async () => {
    const { take } = setup({ decide: () => deny })
    const reply = await take({ raw: preToolUse('1') })
    expect(reply?.stdout).toContain('not here')
  })

  test('is requested once, however often the commit is retried', async () => {
    let left = 3
    let asked = 0
    const decide = () => {
      asked += 1
      return deny
    }
    const { take } = setup({ decide }, (store) => {
      const real = store.journal.commit.bind(store.journal)
      store.journal.commit = (work) =>
        real(() => {
          const result = work()
          if (left-- > 0) throw busy()
          return result
        })
      return store
    })
    using _ = inTime()
    expect((await take({ raw: preToolUse('1') }))?.stdout).toContain('not here')
    expect(asked).toBe(1)
  })

  test('that fails counts as none, and is counted', async () => {
    const { take, store, log } = setup({
      decide: () => {
        throw new Error('a rule is broken')
      },
    })
    expect(await take({ raw: preToolUse('1') })).toEqual(EMPTY)
    expect(store.count()).toBe(1)
    expect(store.counters.all()).toMatchObject([{ kind: 'missed', count: 1 }])
    expect(log.lines.join()).toContain('a rule is broken')
  })

  test('is not requested if nobody waits for it', async () => {
    let asked = 0
    const { take } = setup({
      decide: () => {
        asked += 1
        return deny
      },
    })
    expect(await take({ raw: preToolUse('1'), transport: 'spool' })).toEqual(EMPTY)
    expect(asked).toBe(0)
  })

  test('is requested for a partially readable payload, and answered in the format of its hook', async () => {
    const { take } = setup({
      decide: ({ type, partial }) => (type === 'PreToolUse' && partial ? deny : NO_VERDICT),
    })
    const told = expect.stringContaining('"permissionDecision":"deny"')
    expect(await take({ raw: preToolUse('1'), cutFrom: 9_000_000 })).toMatchObject({ stdout: told })
    expect(await take({ raw: '{"tool_name": "Ba', event: 'PreToolUse' })).toMatchObject({ stdout: told })
    expect(await take({ raw: '[]', event: 'PreToolUse' })).toMatchObject({ stdout: told })
    expect(await take({ raw: '{"tool_name": "Ba', event: 'NoSuchHook' })).toEqual(EMPTY)
  })
})

test('a clock that jumps back changes neither order nor ids', async () => {
  let clock = 1_763_000_000_000
  const { take, store } = setup({ now: () => clock })
  const ids = [newId(clock * 1000)]
  await take({ id: ids[0] ?? '', receivedAt: clock })
  clock -= 3_600_000
  ids.push(newId(clock * 1000))
  await take({ id: ids[1] ?? '', receivedAt: clock })
  expect(ids.toSorted()).toEqual(ids)
  expect([...store.oldest({}, 10)].map(({ id }) => id)).toEqual(ids)
})

describe('a quick decision', () => {
  const BLOCK: Verdict = { decision: 'block-stop', reason: 'go on', by: 'handler:x' }
  const stop = (id: string) => rawEvent({ id, raw: `{"session_id":"${id}","hook_event_name":"Stop"}` })

  /** A handler answers when it is let; `hurry` takes what it has said, as from a process. */
  function asked(verdict: Verdict, more: Partial<PipelineOptions> = {}) {
    const order: string[] = []
    const said = Promise.withResolvers<Verdict>()
    const settle = async () => {
      order.push('begun')
      return said.promise
    }
    const { pipeline, ...rest } = setup({
      decide: ({ id }) =>
        id === 'a' ? { now: NO_VERDICT, holdMs: 1_000, isQuick: true, settle } : NO_VERDICT,
      hurry: () => {
        said.resolve(verdict)
        drainMicrotasks()
      },
      record: () => order.push('recorded'),
      committed: (events) => order.push(`told of ${events.length}`),
      ...more,
    })
    const take = async () => {
      const answer = await new Promise<Reply>((resolve) =>
        pipeline.take(stop('a'), (reply) => {
          order.push('answered')
          resolve(reply)
        }),
      )
      order.push('its caller goes on')
      return answer
    }
    return { ...rest, pipeline, order, said, take }
  }

  test.each([
    [NO_VERDICT, ['begun', 'answered', 'told of 1', 'its caller goes on']],
    [BLOCK, ['begun', 'recorded', 'answered', 'told of 1', 'its caller goes on']],
  ])('that is made while the disk works is answered like that of a rule: %o', async (verdict, expected) => {
    const { take, order } = asked(verdict)
    await take()
    expect(order).toEqual(expected)
  })

  test('that is made later is begun once, and holds up no follower', async () => {
    const { take, order, said } = asked(BLOCK, { hurry: () => order.push('hurry') })
    const answer = take()
    await until(() => order.includes('told of 1'), 'the followers')
    expect(order).toEqual(['begun', 'hurry', 'told of 1'])
    said.resolve(BLOCK)
    expect((await answer)?.stdout).toContain('go on')
    expect(order.slice(3)).toEqual(['recorded', 'answered', 'told of 0', 'its caller goes on'])
  })

  test('that fails, or cannot be looked at, costs no answer', async () => {
    const failed = asked(BLOCK, {
      hurry: () => {
        failed.said.reject(new Error('gone'))
        throw new Error('not readable')
      },
    })
    expect(await failed.take()).toEqual(EMPTY)
    expect(failed.store.counters.all()).toMatchObject([{ kind: 'missed', key: 'claude Stop failed' }])
  })

  test('raises an event that shares a commit with what comes next', async () => {
    const committed: string[][] = []
    const { take, pipeline } = asked(BLOCK, {
      answered: () => {
        pipeline.take(distinct({ id: 'raised', transport: 'healer' }), () => {})
        queueMicrotask(() => pipeline.take(stop('next'), () => {}))
      },
      committed: (events) => committed.push(events.map(({ id }) => id)),
    })
    await take()
    await pipeline.drained()
    expect(committed).toEqual([['a'], ['raised', 'next']])
  })
})

describe('steps around the pipeline', () => {
  const DENY: Verdict = { decision: 'deny', reason: 'no', by: 'x' }
  const call = (id: string) => ({
    id,
    raw: `{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"${id}"}`,
  })

  test('are called before an event is taken, and name its process', async () => {
    const order: string[] = []
    const { take, store, pipeline } = setup({
      first: () => order.push(`before ${pipeline.taken + 1}`),
      locate: (event) => {
        order.push(`where is ${event.id}`)
        return event.id === 'a' ? 4711 : undefined
      },
    })
    await take({ id: 'a' })
    await take({ id: 'b' })
    expect(order).toEqual(['before 1', 'where is a', 'before 2', 'where is b'])
    expect([store.byId('a')?.client.agentPid, store.byId('b')?.client.agentPid]).toEqual([4711, undefined])
    expect(pipeline.taken).toBe(2)
  })

  test('may raise events in an answer: one turn later, so that what comes next shares their commit', async () => {
    const turns = spyOn(globalThis, 'setImmediate')
    const { pipeline } = setup({
      decide: () => ({ decision: 'block-stop', reason: 'go on', by: 'x' }),
      answered: () => pipeline.take(distinct({ transport: 'healer' }), () => {}),
    })
    pipeline.take(distinct({}), () => {})
    await pipeline.drained()
    expect(turns).toHaveBeenCalledTimes(2)
    turns.mockRestore()
  })

  test('get each answer to a new event once, and no empty ones', async () => {
    const said: string[] = []
    const { take } = setup({
      decide: ({ id }) => (id === 'a' ? DENY : NO_VERDICT),
      record: ({ id }, { decision }) => said.push(`record ${id} ${decision}`),
      answered: ({ id }, { decision }) => said.push(`answered ${id} ${decision}`),
    })
    for (const id of ['a', 'a', 'b', 'b']) await take(call(id))
    expect(said).toEqual(['record a deny', 'answered a deny'])
  })

  test('may fail after a commit: that is logged, and the next event is taken', async () => {
    const { take, log, store } = setup({
      committed: () => {
        throw new Error('a follower broke')
      },
    })
    expect([await take(), await take()]).toEqual([EMPTY, EMPTY])
    expect([store.count(), log.lines.join().split('a follower broke').length > 1]).toEqual([2, true])
  })
})

describe('a commit that fails', () => {
  test('because of a lock is retried after a pause, not as fast as possible', async () => {
    let tries = 0
    const { take } = setup(
      {},
      failing(() => {
        tries += 1
        throw busy()
      }),
    )
    expect(await take()).toBeUndefined()
    expect(tries).toBeLessThan(60) // 200 ms, and at least 5 between two
  })

  test('and is retried forgets its duplicates: one of two copies is kept', async () => {
    let tries = 0
    const { take, store } = setup({}, (store) => {
      const { journal } = store
      const real = journal.commit.bind(journal)
      journal.commit = (work) =>
        real(() => {
          const result = work()
          if (++tries === 1) throw busy()
          return result
        })
      return store
    })
    const raw = '{"session_id":"s1","hook_event_name":"Stop"}'
    using _ = inTime()
    const replies = await Promise.all([take({ raw }), take({ raw, transport: 'http' })])
    expect(replies).toEqual([EMPTY, EMPTY])
    expect([tries, store.count()]).toEqual([2, 1])
  })

  test('only at the disk leaves the events to their senders, and they count once', async () => {
    const { take, store, committed, pipeline } = setup()
    const sync = spyOn(store.files, 'sync').mockImplementationOnce(() => {
      throw new Error('EIO')
    })
    const raw = '{"session_id":"s1","hook_event_name":"Stop"}'
    expect(await take({ id: 'a', raw })).toBeUndefined()
    expect([pipeline.fault, pipeline.unstored]).toEqual(['EIO', 1])
    expect(await take({ id: 'a', raw, transport: 'spool' })).toEqual(EMPTY)
    expect(committed.flat().map(({ id }) => id)).toEqual(['a'])
    expect([store.count(), sync.mock.calls.length]).toEqual([1, 2])
  })

  test('for another reason is not retried, and its events are counted', async () => {
    let tries = 0
    const { take, pipeline, log } = setup(
      {},
      failing(() => {
        tries += 1
        throw full()
      }),
    )
    expect(await Promise.all([take(), take()])).toEqual([undefined, undefined])
    expect([tries, pipeline.unstored]).toEqual([1, 2])
    expect(log.lines.join()).toContain('their senders keep them')
  })
})
