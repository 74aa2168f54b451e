import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { rawEvent, silentLog, tempDir, until } from '../../test/kit.ts'
import { type HookEvent, type HookReply, newId, type RawEvent, type Verdict } from '../events/index.ts'
import { openStore, type Store } from '../store/index.ts'
import { type Pending, PendingDecisions } from './pending-decisions.ts'
import { Pipeline, type PipelineOptions, type Waiter } from './pipeline.ts'

const DENY: Verdict = { decision: 'deny', reason: 'asked and refused', by: 'x' }
const RULED: Verdict = { decision: 'none', context: ['what the rules know'] }

/** A pipeline whose PreToolUse events the test decides at any time. */
function setup(options: Partial<PipelineOptions> & { holdMs?: number } = {}) {
  const store = openStore(join(tempDir(), 'gantry.db'))
  const log = silentLog()
  const settled: { event: HookEvent; by: PromiseWithResolvers<Verdict> }[] = []
  const recorded: string[] = []
  const decide = (event: HookEvent): Verdict | Pending => {
    if (event.type !== 'PreToolUse') return RULED
    const settle = () => {
      const by = Promise.withResolvers<Verdict>()
      settled.push({ event, by })
      return by.promise
    }
    return { now: RULED, holdMs: options.holdMs ?? 60_000, settle }
  }
  const pipeline = new Pipeline({
    store,
    log,
    redaction: () => true,
    decide,
    record: (event, verdict) => recorded.push(`${event.id} ${verdict.decision}`),
    ...options,
  })
  const ask = (parts: Partial<RawEvent> = {}, waiter?: Waiter) =>
    new Promise<HookReply | undefined>((done) => pipeline.take(tool(parts), done, waiter))
  const missed = () => store.counters.all().find(({ kind }) => kind === 'missed')?.count ?? 0
  return { store, log, settled, recorded, pipeline, ask, missed }
}

function tool(parts: Partial<RawEvent>): RawEvent {
  const payload = { session_id: 's1', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: newId() }
  return rawEvent({ raw: JSON.stringify({ ...payload, prompt_id: 'p' }), ...parts })
}

const stop = (): Partial<RawEvent> => ({
  raw: `{"session_id":"s1","hook_event_name":"SessionStart","cwd":"${newId()}"}`,
})

const HOLDS: Waiter = { hold: () => {} }

/** Makes the named commits fail as SQLite does. */
function failCommits(store: Store, code: string, fails: () => boolean): void {
  const { journal } = store
  const commit = journal.commit.bind(journal)
  journal.commit = (work) => {
    if (fails()) throw Object.assign(new Error(code), { code })
    return commit(work)
  }
}

describe('a decision that takes time', () => {
  test('is requested when the event is durable, and answered when it is made', async () => {
    const { ask, settled, store, recorded } = setup()
    const reply = ask({ id: 'a' }, HOLDS)
    await until(() => settled.length === 1, 'the question')
    expect(store.byId('a')?.type).toBe('PreToolUse')
    expect(recorded).toEqual([])
    settled[0]?.by.resolve(DENY)
    expect((await reply)?.stdout).toContain('asked and refused')
    expect(recorded).toEqual(['a deny'])
  })

  test('is recorded before its answer leaves, in one commit, and passed to followers', async () => {
    const told: number[] = []
    const { pipeline, settled, recorded } = setup({ committed: (events) => told.push(events.length) })
    const order: string[] = []
    pipeline.take(tool({ id: 'a' }), () => order.push(recorded.join()), HOLDS)
    await until(() => settled.length === 1, 'the question')
    settled[0]?.by.resolve(DENY)
    await pipeline.drained()
    expect(order).toEqual(['a deny'])
    expect(told).toEqual([1, 0])
  })

  test('does not delay others', async () => {
    const { ask, settled, pipeline } = setup()
    const held = ask({}, HOLDS)
    await until(() => settled.length === 1, 'the question')
    expect((await ask(stop()))?.stdout).toContain('what the rules know')
    expect(pipeline.held).toBe(1)
    settled[0]?.by.resolve(DENY)
    await held
    expect(pipeline.held).toBe(0)
  })

  test('tells a client that can wait to wait, repeatedly', async () => {
    const holds: number[] = []
    const { ask, settled } = setup()
    const reply = ask({}, { hold: (ms) => holds.push(ms) })
    await until(() => settled.length === 1, 'the question')
    expect(holds).toEqual([5_000])
    await until(() => holds.length >= 2, 'another hold')
    settled[0]?.by.resolve(DENY)
    await reply
    const said = holds.length
    await Bun.sleep(2_100)
    expect(holds).toHaveLength(said)
  })

  test('that is nearly always made at once tells a client to wait only when it is not', async () => {
    const held = new PendingDecisions()
    const answers = [Promise.withResolvers<Verdict>(), Promise.withResolvers<Verdict>()]
    const holds: number[] = []
    const said: Verdict[] = []
    for (const [at, { promise }] of answers.entries())
      held.add({
        pending: { now: RULED, holdMs: 60_000, isQuick: true, settle: () => promise },
        bytes: 1,
        hold: () => holds.push(at),
        finish: (verdict) => said.push(verdict),
      })
    answers[0]?.resolve(DENY)
    await until(() => holds.length > 0, 'a hold')
    expect({ holds, said }).toEqual({ holds: [1], said: [DENY] })
    held.close()
  })

  test('ends at its time limit and counts as missed', async () => {
    const { ask, missed, recorded, settled } = setup({ holdMs: 50 })
    expect((await ask({ id: 'a' }, HOLDS))?.stdout).toContain('what the rules know')
    expect(missed()).toBe(1)
    expect(recorded).toEqual(['a none'])
    settled[0]?.by.resolve(DENY) // too late: no second answer
    await Bun.sleep(5)
    expect(recorded).toEqual(['a none'])
  })

  test('does not wait beyond the usual deadline for a client that cannot be held', async () => {
    const { ask, missed } = setup({ patienceMs: 50 })
    const began = performance.now()
    expect((await ask())?.stdout).toContain('what the rules know')
    expect(performance.now() - began).toBeLessThan(30_000)
    expect(missed()).toBe(1)
  })

  test('that fails leaves the preliminary verdict', async () => {
    const { ask, settled, missed, log } = setup()
    const reply = ask({}, HOLDS)
    await until(() => settled.length === 1, 'the question')
    settled[0]?.by.reject(new Error('nobody there'))
    expect((await reply)?.stdout).toContain('what the rules know')
    expect(missed()).toBe(1)
    expect(log.lines.join()).toContain('nobody there')
  })

  test('is limited in number; the others get the preliminary verdict at once', async () => {
    const { ask, settled, pipeline, missed } = setup()
    const replies = Array.from({ length: 300 }, () => ask({}, HOLDS))
    await until(() => settled.length === 256, 'as many questions as there is room for')
    await until(() => missed() === 44, 'the others to be answered')
    expect(pipeline.held).toBe(256)
    for (const { by } of settled) by.resolve(DENY)
    const denied = (await Promise.all(replies)).filter((reply) => reply?.stdout.includes('refused'))
    expect(denied).toHaveLength(256)
  })

  test('is limited in payload bytes, and has room again after an answer', async () => {
    const held = new PendingDecisions()
    const { promise, resolve } = Promise.withResolvers<Verdict>()
    const said: string[] = []
    const wait = (bytes: number) =>
      held.add({
        pending: { now: RULED, holdMs: 60_000, settle: () => promise },
        bytes,
        finish: (verdict, problem) => said.push(problem ?? verdict.decision),
      })
    wait(40 * 1024 * 1024)
    wait(24 * 1024 * 1024)
    wait(1)
    expect(said).toEqual(['too many agents wait already'])
    resolve(DENY)
    await until(() => held.size === 0, 'both answers')
    wait(64 * 1024 * 1024)
    expect(held.size).toBe(1)
    held.close()
    expect(said).toEqual(['too many agents wait already', 'deny', 'deny', 'gantry stops'])
  })

  test('is requested once when the same hook comes over two routes', async () => {
    const { ask, settled } = setup()
    const { raw } = tool({})
    const first = ask({ raw }, HOLDS)
    await until(() => settled.length === 1, 'the question')
    expect((await ask({ raw, transport: 'http' }))?.stdout).toContain('what the rules know')
    settled[0]?.by.resolve(DENY)
    expect((await first)?.stdout).toContain('refused')
    expect(settled).toHaveLength(1)
  })

  test('is not requested for an event that could not be stored', async () => {
    const { ask, settled, store } = setup()
    failCommits(store, 'SQLITE_FULL', () => true)
    expect(await ask({}, HOLDS)).toBeUndefined()
    expect(settled).toEqual([])
  })

  test('is answered even if it cannot be recorded', async () => {
    let full = false
    const { ask, settled, store, log } = setup()
    failCommits(store, 'SQLITE_FULL', () => full)
    const reply = ask({}, HOLDS)
    await until(() => settled.length === 1, 'the question')
    full = true
    settled[0]?.by.resolve(DENY)
    expect((await reply)?.stdout).toContain('refused')
    expect(log.lines.join()).toContain('could not be recorded')
  })

  test('is recorded once the database is free again', async () => {
    let tries = 0
    let busy = false
    const { ask, settled, store, recorded } = setup()
    failCommits(store, 'SQLITE_BUSY', () => busy && ++tries < 4)
    const reply = ask({ id: 'a' }, HOLDS)
    await until(() => settled.length === 1, 'the question')
    busy = true
    settled[0]?.by.resolve(DENY)
    expect((await reply)?.stdout).toContain('refused')
    expect(recorded).toEqual(['a deny'])
  })
})

describe('release', () => {
  test('answers everyone who waits with the preliminary verdict, and holds nobody after it', async () => {
    const { ask, settled, pipeline, missed } = setup()
    const waiting = [ask({}, HOLDS), ask({}, HOLDS)]
    await until(() => settled.length === 2, 'the questions')
    pipeline.release()
    await pipeline.drained()
    const replies = [...(await Promise.all(waiting)), await ask({}, HOLDS)]
    for (const reply of replies) expect(reply?.stdout).toContain('what the rules know')
    expect(settled).toHaveLength(2)
    expect(missed()).toBe(3)
  })
})

describe('a decision that can be abandoned', () => {
  const pendingWith = (said: string[], settles: Promise<Verdict>): Pending => ({
    now: RULED,
    holdMs: 60_000,
    settle: async (patienceMs) => {
      said.push(`asked for ${patienceMs} ms`)
      return settles
    },
    abandon: (why) => said.push(why),
  })

  test('is abandoned when its client hangs up, and knows how long the client waits', async () => {
    const said: string[] = []
    const { promise, resolve } = Promise.withResolvers<Verdict>()
    const { pipeline } = setup({ decide: () => pendingWith(said, promise) })
    let leave = () => {}
    const waiter: Waiter = {
      hold: (_ms, left) => {
        leave = left ?? leave
      },
    }
    const reply = new Promise<HookReply | undefined>((done) => pipeline.take(tool({}), done, waiter))
    await until(() => said.length === 1, 'the question')
    expect(said).toEqual(['asked for 60000 ms'])
    leave()
    expect(said.at(-1)).toBe('its hook was ended')
    resolve(DENY)
    expect((await reply)?.stdout).toContain('asked and refused')
    expect(said).toHaveLength(2)
  })

  test('that only a handler makes goes on when its client hangs up, and is counted', async () => {
    const { settled, ask, missed } = setup()
    let leave = () => {}
    const hold: Waiter['hold'] = (_ms, left) => {
      leave = left ?? leave
    }
    const reply = ask({}, { hold })
    await until(() => settled.length === 1, 'the question')
    leave()
    expect(missed()).toBe(1)
    settled[0]?.by.resolve(DENY)
    expect((await reply)?.stdout).toContain('asked and refused')
    expect(missed()).toBe(1)
  })

  test('is abandoned when gantry stops', async () => {
    const said: string[] = []
    const { pipeline, ask } = setup({ decide: () => pendingWith(said, new Promise(() => {})) })
    const reply = ask({}, HOLDS)
    await until(() => said.length === 1, 'the question')
    pipeline.release()
    expect(said.at(-1)).toBe('gantry stops')
    expect((await reply)?.stdout).toContain('what the rules know')
  })
})

test('no timer is left once everybody has an answer: an otherwise idle process ends', async () => {
  const program = `
    const { PendingDecisions } = await import(${JSON.stringify(join(import.meta.dir, 'pending-decisions.ts'))})
    const held = new PendingDecisions()
    const pending = { now: { decision: 'none' }, holdMs: 60_000, settle: async () => ({ decision: 'deny' }) }
    for (let n = 0; n < 2; n++)
      held.add({ pending, bytes: 1, hold: () => {}, finish: ({ decision }) => console.log(decision) })`
  const child = Bun.spawn([process.execPath, '-e', program], {
    stdout: 'pipe',
    stderr: 'inherit',
    timeout: 15_000,
  })
  expect(await new Response(child.stdout).text()).toBe('deny\ndeny\n')
  expect([await child.exited, child.signalCode]).toEqual([0, null])
})
