/** What one window leaves reaches the right next one, whoever else works on the effort and however often gantry dies. */
import { describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { eventOf } from '../../../test/kit.ts'
import { type HookEvent, NO_VERDICT } from '../../events/index.ts'
import { type Bench, bench } from '../testkit.ts'
import { appendLog, dehydrate, logEffort } from './efforts.ts'

const payload = (task: string) => ({ task, decisions: [], files: [], nextSteps: ['go on'] })
const inRun = (run: string) => ({ client: { env: { GANTRY_RUN_ID: run } } })

/** Starts a session; what it is told. */
function start(one: Bench, sessionId: string, more: Partial<HookEvent> = {}): string {
  return one.hear('SessionStart', { sessionId, source: 'startup', ...more }).context?.join('\n') ?? ''
}

const end = (one: Bench, sessionId: string, reason = 'other') => one.hear('SessionEnd', { sessionId, reason })

function write(one: Bench, task: string, run?: string): void {
  const context = one.context(run === undefined ? {} : { GANTRY_RUN_ID: run })
  const [effort] = one.store.work.efforts()
  if (effort) one.commit(() => dehydrate(context, effort, payload(task)))
}

describe('with a second session on the effort', () => {
  test('the restarted agent continues from its own window', () => {
    const one = bench()
    one.begin()
    start(one, 'a1', inRun('A.1'))
    start(one, 'b1', inRun('B.1'))
    write(one, 'of the first', 'A.1')
    end(one, 'a1')
    start(one, 'c1')
    expect(start(one, 'a2', inRun('A.2'))).toContain('of the first')
    expect(one.window('a2').prevSessionId).toBe(one.window('a1').id)
    write(one, 'of the second', 'B.1')
    end(one, 'b1')
    expect(start(one, 'b2', inRun('B.2'))).toContain('of the second')
    expect(one.window('b2').prevSessionId).toBe(one.window('b1').id)
  })

  test('and without a run, the payload goes to the next that starts, not to one that already runs', () => {
    const one = bench()
    one.begin()
    start(one, 'a1')
    write(one, 'of the first')
    const first = one.window('a1').id
    one.hear('UserPromptSubmit', { sessionId: 'b1', prompt: 'x' })
    end(one, 'a1', 'clear')
    expect(start(one, 'a2', { source: 'clear' })).toContain('of the first')
    expect(one.window('a2').prevSessionId).toBe(first)
  })

  test('two payloads go to two windows', () => {
    const one = bench()
    const effort = one.begin()
    for (const id of ['a1', 'b1']) start(one, id)
    one.commit(() => {
      for (const id of ['a1', 'b1'])
        one.store.work.updateSession(one.window(id).id, {
          dehydrationPayload: JSON.stringify(payload(`of ${id}`)),
        })
    })
    for (const id of ['a1', 'b1']) end(one, id)
    expect(start(one, 'c1')).toContain('of b1')
    expect(start(one, 'c2')).toContain('of a1')
    expect(one.store.work.sessions(effort.id).map(({ recoveredFrom }) => recoveredFrom)).toEqual([
      null,
      0,
      one.window('b1').id,
      one.window('a1').id,
    ])
  })

  test('an outdated payload is not recovered', () => {
    const one = bench()
    const effort = one.begin()
    start(one, 'a1')
    start(one, 'b1')
    one.commit(() =>
      one.store.work.updateSession(one.window('a1').id, {
        dehydrationPayload: JSON.stringify(payload('long ago')),
      }),
    )
    end(one, 'a1')
    one.clock.now += 60_000
    one.commit(() => logEffort(one.context(), effort, 'done since'))
    end(one, 'b1')
    expect(start(one, 'c1')).not.toContain('long ago')
    expect(one.window('c1').prevSessionId).toBe(one.window('b1').id)
  })
})

describe('a payload that is older than the last window', () => {
  test('is given again if that window ended before it did anything', () => {
    const one = bench()
    one.begin()
    start(one, 's1')
    write(one, 'Search')
    end(one, 's1')
    expect(start(one, 's3')).toContain('Search')
    end(one, 's3')
    expect(start(one, 's4')).toContain('Search')
    expect(one.hear('UserPromptSubmit', { sessionId: 's4', prompt: 'x' }).context?.join()).not.toContain(
      'Search',
    )
  })

  test('is given with the messages since, if that window hit a compaction without logging', () => {
    const one = bench({ attends: () => true })
    one.begin()
    start(one, 's1', inRun('A.1'))
    write(one, 'Search', 'A.1')
    end(one, 's1')
    start(one, 's2', inRun('A.2'))
    one.hear('UserPromptSubmit', { sessionId: 's2', prompt: 'and mind the tests', ...inRun('A.2') })
    expect(one.hear('PreCompact', { sessionId: 's2', trigger: 'auto', ...inRun('A.2') }).decision).toBe(
      'deny',
    )
    const told = start(one, 's3', inRun('A.3'))
    expect(told).toContain('Search')
    expect(told).toContain('and mind the tests')
  })

  test('is superseded by a log', () => {
    const one = bench()
    const effort = one.begin()
    start(one, 's1')
    write(one, 'Search')
    end(one, 's1')
    start(one, 's2')
    one.commit(() => logEffort(one.context(), effort, 'ranking done'))
    appendLog(effort, 'ranking done', 1)
    end(one, 's2')
    const told = start(one, 's3')
    expect(told).toContain('ranking done')
    expect(told).not.toContain('Search')
  })

  test('does not return because a sub-agent logged', () => {
    const one = bench()
    const effort = one.begin()
    start(one, 's1')
    write(one, 'Search')
    end(one, 's1')
    start(one, 's2')
    one.hear('SubagentStart', { sessionId: 's2', agentId: 'c1' })
    one.commit(() => logEffort(one.context(), effort, 'by the child'))
    end(one, 's2')
    expect(start(one, 's3')).not.toContain('Search')
  })
})

describe('with neither payload nor files', () => {
  test('a window gets the effort, its phase, and the last messages', () => {
    const one = bench()
    one.begin({ title: 'Ranking', phase: 'build' })
    start(one, 's1')
    one.hear('UserPromptSubmit', { prompt: 'sort by date' })
    one.hear('Stop', { message: 'Sorted.' })
    end(one, 's1')
    const told = start(one, 's2')
    for (const part of ['Ranking', 'phase build', 'user: sort by date', 'assistant: Sorted.'])
      expect(told).toContain(part)
    expect(one.window('s2').recoveredFrom).toBe(0)
  })

  test('a session beside an open one gets nothing', () => {
    const one = bench()
    one.begin()
    start(one, 's1')
    one.hear('UserPromptSubmit', { prompt: 'x' })
    expect(one.hear('SessionStart', { sessionId: 's2', source: 'startup' })).toBe(NO_VERDICT)
  })
})

describe('a pending recovery', () => {
  /** The same rows under an engine that remembers nothing. */
  const reborn = (one: Bench) => bench({}, {}, one)

  test('is known to a restarted daemon', () => {
    const first = bench()
    first.begin()
    start(first, 's1')
    write(first, 'Search')
    end(first, 's1')
    const second = reborn(first)
    second.overhear('SessionStart', { sessionId: 's2', source: 'startup' }) // from the spool
    const third = reborn(second)
    expect(third.window('s2').recoveredFrom).toBeNull()
    const told = third.hear('UserPromptSubmit', { sessionId: 's2', prompt: 'go' })
    expect(told.context?.[0]).toContain('Search')
    expect(third.window('s2').recoveredFrom).toBe(third.window('s1').id)
    const again = reborn(third).hear('UserPromptSubmit', { sessionId: 's2', prompt: 'go' })
    expect(again.context?.join()).not.toContain('Search')
  })

  test('reads its files before the commit, and waits for the next answer if they were not read', () => {
    const one = bench()
    const effort = one.begin()
    start(one, 's1')
    end(one, 's1')
    appendLog(effort, 'ranking done', 1)
    const heard = (type: string) =>
      eventOf({ type, seq: 9, sessionId: 's2', cwd: one.dir, prompt: 'go', source: 'startup' })
    const unread = heard('SessionStart')
    expect(one.commit(() => one.engine.decide(unread)).context).toBeUndefined()
    const read = heard('UserPromptSubmit')
    one.engine.lookAhead(read)
    rmSync(effort.taskId, { recursive: true })
    expect(one.commit(() => one.engine.decide(read)).context?.[0]).toContain('ranking done')
  })

  test('stays pending if the event that carried it could not be stored', () => {
    const one = bench()
    one.begin()
    start(one, 's1')
    write(one, 'Search')
    end(one, 's1')
    expect(() =>
      one.commit(() => {
        one.engine.decide(eventOf({ type: 'SessionStart', seq: 9, sessionId: 's2', cwd: one.dir }))
        throw new Error('disk full')
      }),
    ).toThrow('disk full')
    expect(start(one, 's2')).toContain('Search')
  })

  test('is delivered by a call as by a hook', () => {
    const one = bench()
    one.begin()
    start(one, 's1')
    write(one, 'Search')
    end(one, 's1')
    const called = one.call('sessionStart', { session_id: 's2' })
    expect((called as { dehydratedContext: string }).dehydratedContext).toContain('Search')
    expect(one.hear('UserPromptSubmit', { sessionId: 's2' }).context?.join()).not.toContain('Search')
  })
})
