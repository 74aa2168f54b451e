import { describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventOf } from '../../test/kit.ts'
import { NO_VERDICT } from '../events/index.ts'
import { reduce, type Session } from '../sessions/state/index.ts'
import { dehydrate, logEffort } from './efforts/efforts.ts'
import { bench, tool } from './testkit.ts'

const payload = { task: 'Search', decisions: [], files: [], nextSteps: ['rank'] }
const supervised = { attends: (_agent: string, _session: string, run: string) => run === 'r1' }
const run = { client: { env: { GANTRY_RUN_ID: 'r1' } } }

describe('without an active effort', () => {
  test('no event runs a hook', () => {
    const real = bench()
    let asked = 0
    const counted = <T extends object>(target: T): T =>
      new Proxy(target, {
        get: (one, name) => {
          asked += 1
          const value = Reflect.get(one, name)
          return typeof value === 'function' ? value.bind(one) : value
        },
      })
    const { engine, dir } = bench({ rows: counted(real.store.work), rootsOf: counted(() => []) })
    asked = 0
    const event = eventOf({ type: 'PreToolUse', seq: 1, cwd: dir, ...tool('Bash') })
    expect(engine.decide(event)).toBe(NO_VERDICT)
    engine.observe(event)
    engine.committed([event], () => {
      throw new Error('asked for the session')
    })
    expect(asked).toBe(0)
  })
})

describe('events that do not count', () => {
  test('duplicates over another transport, events without a session, hidden events', () => {
    const { begin, engine, dir, store, commit } = bench()
    begin()
    const call = { type: 'PreToolUse', cwd: dir, ...tool('Bash') }
    commit(() => {
      for (const event of [{ seq: 0 }, { seq: 1, sessionId: '' }, { seq: 2, hidden: 'title-thread' }])
        expect(engine.decide(eventOf({ ...call, ...event }))).toBe(NO_VERDICT)
    })
    expect(store.work.sessionOf('claude', 's1', '')).toBeUndefined()
  })

  test('one in a folder without a project', () => {
    const { begin, hear, store } = bench()
    begin()
    expect(hear('PreToolUse', { ...tool('Bash'), cwd: '/elsewhere' })).toBe(NO_VERDICT)
    expect(store.work.sessionOf('claude', 's1', '')).toBeUndefined()
  })
})

describe('the heartbeat', () => {
  test('reminds after the third call, denies the tenth, and a log by itself passes', () => {
    const { begin, hear, window } = bench()
    begin()
    const said: string[] = []
    for (let i = 1; i <= 10; i++) {
      const before = hear('PreToolUse', tool('Bash', { command: 'npm test' }))
      expect(before.decision).toBe(i < 10 ? 'none' : 'deny')
      if (i === 10) expect(before.reason).toContain('gantry effort log')
      else said.push(...(hear('PostToolUse', tool('Bash')).context ?? []))
    }
    expect(said.map((words) => words.slice(0, 12))).toEqual(['3 tool calls', '6 tool calls', '9 tool calls'])
    expect(hear('PreToolUse', tool('Bash', { command: 'gantry effort log "x"' })).decision).toBe('none')
    expect(window().heartbeatCounter).toBe(10)
  })

  test('counts calls that nobody waited for', () => {
    const { begin, overhear, hear, window } = bench()
    begin()
    for (let i = 0; i < 9; i++) overhear('PreToolUse', tool('Bash'))
    expect(window().heartbeatCounter).toBe(9)
    expect(hear('PreToolUse', tool('Bash')).decision).toBe('deny')
  })

  test('equals the database after a failed commit', () => {
    const { begin, hear, engine, store, dir, window } = bench()
    begin()
    hear('PreToolUse', tool('Bash'))
    const event = eventOf({ type: 'PreToolUse', seq: 9, cwd: dir, ...tool('Bash') })
    expect(() =>
      store.journal.commit(() => {
        engine.decide(event)
        engine.decide(event)
        expect(window().heartbeatCounter).toBe(3)
        throw new Error('disk full')
      }),
    ).toThrow('disk full')
    expect(window().heartbeatCounter).toBe(1)
    hear('PreToolUse', tool('Bash'))
    expect(window().heartbeatCounter).toBe(2)
  })

  test('restarts for a window of a failed commit', () => {
    const { begin, hear, engine, store, dir, window } = bench()
    begin()
    const event = eventOf({ type: 'PreToolUse', seq: 9, cwd: dir, ...tool('Bash') })
    expect(() =>
      store.journal.commit(() => {
        engine.decide(event)
        throw new Error('disk full')
      }),
    ).toThrow()
    expect(store.work.sessionOf('claude', 's1', '')).toBeUndefined()
    hear('PreToolUse', tool('Bash'))
    expect(window()).toMatchObject({ id: 1, heartbeatCounter: 1 })
  })
})

describe('guards', () => {
  const rule = (ruleId: string, value: string, urgency: string) => ({
    ruleId,
    condition: { field: 'tool', op: '==', value },
    payload: `${ruleId} says so`,
    urgency,
  })

  test('that block deny with their text; that allow are shown once, after the call', () => {
    const { begin, hear } = bench()
    begin({ metadata: { guards: [rule('careful', 'Bash', 'allow'), rule('no-net', 'WebFetch', 'block')] } })
    expect(hear('PreToolUse', tool('WebFetch'))).toMatchObject({ decision: 'deny', reason: 'no-net says so' })
    expect(hear('PreToolUse', tool('Bash')).decision).toBe('none')
    expect(hear('PostToolUse', tool('Bash')).context).toEqual(['careful says so'])
    hear('PreToolUse', tool('Bash'))
    expect(hear('PostToolUse', tool('Bash')).context?.join()).not.toContain('careful')
  })
})

describe('a context that fills up', () => {
  test('causes one warning, then the request to dehydrate, then repeats', () => {
    const { begin, hear, usage } = bench({}, { heartbeat_block: 0, heartbeat_warn: 1000 })
    begin()
    const after = () => {
      hear('PreToolUse', tool('Bash'))
      return hear('PostToolUse', tool('Bash')).context?.join() ?? ''
    }
    usage.set('s1', 0.85)
    expect(after()).toContain('85% full')
    expect(after()).toBe('')
    usage.set('s1', 0.93)
    expect(after()).toContain('gantry effort dehydrate')
    for (let i = 0; i < 4; i++) expect(after()).toBe('')
    expect(after()).toContain('gantry effort dehydrate')
  })

  test('is requested again every five calls, also from an agent that logs', () => {
    const { begin, hear, usage, context, commit } = bench()
    const effort = begin()
    usage.set('s1', 0.93)
    const asked = Array.from({ length: 11 }, () => {
      hear('PreToolUse', tool('Bash'))
      const told = hear('PostToolUse', tool('Bash')).context?.join() ?? ''
      commit(() => logEffort(context(), effort, 'a step'))
      return told.includes('gantry effort dehydrate')
    })
    expect(asked.flatMap((is, i) => (is ? [i + 1] : []))).toEqual([1, 6, 11])
  })

  test('causes another warning when it fills up again after a compaction', () => {
    const { begin, hear, usage } = bench({}, { heartbeat_block: 0, heartbeat_warn: 1000 })
    begin()
    const after = (share: number) => {
      usage.set('s1', share)
      hear('PreToolUse', tool('Bash'))
      return hear('PostToolUse', tool('Bash')).context?.join() ?? ''
    }
    expect(after(0.85)).toContain('85% full')
    hear('PreCompact', { trigger: 'auto' })
    hear('SessionStart', { source: 'compact' })
    expect([after(0.3), after(0.79)]).toEqual(['', ''])
    expect(after(0.82)).toContain('82% full')
    expect(after(0.83)).toBe('')
  })

  test('does not concern a sub-agent, which has its own context', () => {
    const { begin, hear, usage, window } = bench()
    begin()
    usage.set('s1', 0.95)
    hear('SubagentStart', { agentId: 'c1' })
    hear('PreToolUse', { ...tool('Bash'), agentId: 'c1' })
    expect(hear('PostToolUse', { ...tool('Bash'), agentId: 'c1' })).toBe(NO_VERDICT)
    expect(window('s1', 'c1').contextUsage).toBe(0)
  })

  test('that was dehydrated is not requested again', () => {
    const { begin, hear, usage, context, commit } = bench()
    const effort = begin()
    hear('UserPromptSubmit')
    usage.set('s1', 0.95)
    commit(() => dehydrate(context(), effort, payload))
    hear('PreToolUse', tool('Bash'))
    expect(hear('PostToolUse', tool('Bash'))).toBe(NO_VERDICT)
  })
})

describe('a new window', () => {
  const dehydrated = (parts = {}) => {
    const one = bench(parts)
    const effort = one.begin()
    one.hear('SessionStart', { source: 'startup' })
    one.commit(() => dehydrate(one.context(), effort, payload))
    return { ...one, effort }
  }

  test('gets the last payload with its start, once', () => {
    const { hear, window } = dehydrated()
    hear('SessionEnd', { reason: 'other' })
    expect(hear('SessionStart', { sessionId: 's2', source: 'startup' }).context?.join()).toContain('- rank')
    expect(window('s2').prevSessionId).toBe(window('s1').id)
    expect(hear('UserPromptSubmit', { sessionId: 's2', prompt: 'go' }).context?.join()).not.toContain(
      '- rank',
    )
  })

  test('gets it with its prompt if nobody answered its start', () => {
    const { hear, overhear } = dehydrated()
    overhear('SessionStart', { sessionId: 's2', source: 'startup' })
    expect(hear('UserPromptSubmit', { sessionId: 's2', prompt: 'go' }).context?.[0]).toContain('- rank')
  })

  test('gets it after its first call if it has no prompt', () => {
    const { hear } = dehydrated()
    hear('PreToolUse', { ...tool('Bash'), sessionId: 's2' })
    expect(hear('PostToolUse', { ...tool('Bash'), sessionId: 's2' }).context?.[0]).toContain('- rank')
  })

  test('is not started by late events of an ended one', () => {
    const { hear, window, store, effort } = dehydrated()
    hear('SessionEnd', { reason: 'other' })
    hear('PostToolUse', tool('Bash'))
    hear('Stop', { message: 'bye' })
    expect(store.work.sessions(effort.id)).toHaveLength(1)
    expect(store.work.messages(window().id).map(({ content }) => content)).toEqual(['bye'])
    expect(hear('SessionStart', { sessionId: 's2', source: 'startup' }).context?.join()).toContain('- rank')
  })

  test('without a payload gets the files of the effort', () => {
    const { begin, hear } = bench()
    const effort = begin()
    mkdirSync(effort.taskId, { recursive: true })
    writeFileSync(join(effort.taskId, '1_PLAN.md'), 'the plan')
    expect(hear('SessionStart', { source: 'startup' })).toBe(NO_VERDICT) // the first one has nothing to go on from
    expect(hear('SessionStart', { sessionId: 's2', source: 'startup' }).context?.join()).toContain('the plan')
  })

  test('does not start with a compaction of the same one', () => {
    const { begin, hear, window } = bench()
    begin()
    hear('SessionStart', { source: 'startup' })
    const { id } = window()
    hear('SessionStart', { source: 'compact' })
    expect(window().id).toBe(id)
  })

  test('of Gemini starts by clearing the context, with the payload as its first prompt', () => {
    const { begin, hear, context, commit, window } = bench()
    const effort = begin()
    hear('UserPromptSubmit', { agent: 'gemini' })
    commit(() => dehydrate(context(), effort, payload))
    const verdict = hear('Stop', { agent: 'gemini' })
    expect(verdict).toMatchObject({ decision: 'block-stop', clearContext: true })
    expect(verdict.reason).toContain('- rank')
    expect(window('s1', '', 'gemini').endReason).toBe('dehydrated')
    expect(hear('UserPromptSubmit', { agent: 'gemini' }).context?.join()).not.toContain('- rank')
    expect(hear('Stop', { agent: 'gemini' })).toBe(NO_VERDICT)
  })

  test('in a plain terminal is started by the person, who is told once', () => {
    const { hear } = dehydrated()
    expect(hear('Stop').systemMessage).toContain('/clear')
    expect(hear('Stop')).toBe(NO_VERDICT)
    const { hear: inRun } = dehydrated(supervised)
    expect(inRun('Stop', run)).toBe(NO_VERDICT)
  })
})

describe('an automatic compaction', () => {
  test('is denied if a supervisor restarts the agent, and requests that once it is stored', () => {
    const { begin, hear, raised, window } = bench(supervised)
    begin()
    hear('UserPromptSubmit', run)
    expect(hear('PreCompact', { ...run, trigger: 'auto' }).decision).toBe('deny')
    expect(window().endReason).toBe('compaction')
    expect(raised).toMatchObject([{ name: 'RestartRequested', payload: { run_id: 'r1', session_id: 's1' } }])
  })

  test('requests nothing if its event could not be stored', () => {
    const { begin, hear, raised, engine, store, dir, window } = bench(supervised)
    begin()
    hear('UserPromptSubmit', run)
    const event = eventOf({ type: 'PreCompact', seq: 9, cwd: dir, trigger: 'auto', ...run })
    expect(() =>
      store.journal.commit(() => {
        engine.decide(event)
        throw new Error('disk full')
      }),
    ).toThrow()
    hear('UserPromptSubmit', run)
    expect(raised).toEqual([])
    expect(window().endedAt).toBeNull()
  })

  test('continues if nobody would restart it, nobody waits, or a person requested it', () => {
    const { begin, hear, overhear, raised, window } = bench(supervised)
    begin()
    hear('UserPromptSubmit', run)
    expect(hear('PreCompact', { trigger: 'auto' })).toBe(NO_VERDICT)
    expect(hear('PreCompact', { ...run, trigger: 'manual' })).toBe(NO_VERDICT)
    overhear('PreCompact', { ...run, trigger: 'auto' })
    expect(raised).toEqual([])
    expect(window().endedAt).toBeNull()
  })

  test('continues if the effort allows it', () => {
    const { begin, hear } = bench(supervised)
    begin({ metadata: { settings: { on_compaction: 'allow' } } })
    hear('UserPromptSubmit', run)
    expect(hear('PreCompact', { ...run, trigger: 'auto' })).toBe(NO_VERDICT)
  })

  test('of a client that makes the call itself follows the effort, too', () => {
    const one = bench()
    const { begin, window } = one
    const effort = begin({ metadata: { settings: { on_compaction: 'allow' } } })
    const call = (name: string, more: object) => one.call(name, { session_id: 's1', ...more })
    call('sessionStart', { source: 'startup' })
    const { id } = window()
    expect(call('preCompact', { trigger: 'auto' })).toEqual({
      kill: false,
      sessionId: null,
      restartPrompt: null,
    })
    expect(call('sessionStart', { source: 'compact' })).toMatchObject({ sessionId: id, effortId: effort.id })
    expect(window()).toMatchObject({ id, endedAt: null })
  })
})

describe('a queued message', () => {
  const injected = () => {
    const one = bench()
    const effort = one.begin({
      metadata: { pendingInjections: ['the API changed', { content: 'see docs' }] },
    })
    return { ...one, effort }
  }

  test('is delivered once, after a call', () => {
    const { hear, store, effort } = injected()
    expect(hear('PostToolUse', tool('Bash')).context).toEqual(['the API changed', 'see docs'])
    expect(hear('PostToolUse', tool('Bash'))).toBe(NO_VERDICT)
    expect(store.work.effort(effort.id)?.metadata).toEqual({})
  })

  test('stays queued after an event that nobody waits for, or of a sub-agent', () => {
    const { hear, overhear } = injected()
    overhear('PostToolUse', tool('Bash'))
    expect(hear('PostToolUse', { ...tool('Bash'), agentId: 'c1' })).toBe(NO_VERDICT)
    expect(hear('PostToolUse', tool('Bash')).context).toHaveLength(2)
  })

  test('stays queued if the commit failed', () => {
    const { hear, engine, store, dir } = injected()
    expect(() =>
      store.journal.commit(() => {
        engine.decide(eventOf({ type: 'PostToolUse', seq: 9, cwd: dir, ...tool('Bash') }))
        throw new Error('disk full')
      }),
    ).toThrow()
    expect(hear('PostToolUse', tool('Bash')).context).toHaveLength(2)
  })
})

describe('a spooled event', () => {
  test('is dated when it happened', () => {
    const { begin, overhear, window, store, clock } = bench()
    begin()
    const at = clock.now - 600_000
    overhear('UserPromptSubmit', { at, prompt: 'go' })
    expect(window().startedAt).toBe(at)
    expect(store.work.messages(window().id)).toMatchObject([{ at, content: 'go' }])
  })
})

describe('windows that end', () => {
  test('with their session, in whatever folder, including sub-agents', () => {
    const { begin, hear, window } = bench()
    begin()
    hear('UserPromptSubmit')
    hear('SubagentStart', { agentId: 'c1' })
    hear('SessionEnd', { cwd: '/elsewhere', reason: 'logout' })
    expect(window()).toMatchObject({ endReason: 'logout' })
    expect(window('s1', 'c1').endedAt).not.toBeNull()
  })

  test('with a sub-agent: its own, and not its parent’s', () => {
    const { begin, hear, window, store } = bench()
    const effort = begin()
    hear('UserPromptSubmit')
    expect(hear('SubagentStart', { agentId: 'c1' }).context?.join()).toContain('gantry effort log')
    store.journal.commit(() =>
      store.work.updateSession(window('s1', 'c1').id, { loadedFiles: ['/p/AGENTS.md'] }),
    )
    hear('SubagentStop', { agentId: 'c1' })
    expect(window('s1', 'c1').endReason).toBe('subagent stop')
    expect(window().endedAt).toBeNull()
    expect(store.work.effort(effort.id)?.discoveredDirectives).toEqual(['/p/AGENTS.md'])
  })
})

describe('the status of an agent', () => {
  const session = (...events: ReturnType<typeof eventOf>[]) =>
    events.reduce((state, event) => reduce(state, event), {
      key: 'claude:s1',
      id: 's1',
      agent: 'claude',
      attention: [],
      openTools: [],
      closedCalls: [],
      background: [],
      children: [],
      usage: {},
      turn: { open: false },
    } as unknown as Session)

  test('is the state of its session, and a coordinator is signalled at its end', () => {
    const { begin, hear, engine, store, signals } = bench()
    begin()
    hear('UserPromptSubmit')
    const prompt = eventOf({ type: 'UserPromptSubmit', prompt: 'x' })
    const show = (...events: ReturnType<typeof eventOf>[]) => {
      engine.show([{ session: session(...events), env: {} }])
      return store.work.agent('effort-1')?.status
    }
    expect(show(prompt)).toBe('working')
    expect(signals).toEqual([])
    expect(show(prompt, eventOf({ type: 'PermissionRequest', ...tool('Bash') }))).toBe('attention')
    expect(show(prompt, eventOf({ type: 'Stop' }))).toBe('done')
    expect(signals.map(({ about, detail }) => `${about} ${detail}`)).toEqual([
      'effort-1 attention',
      'effort-1 done',
    ])
    const { updatedAt } = store.work.agent('effort-1') ?? { updatedAt: 0 }
    show(prompt, eventOf({ type: 'Stop' }))
    expect(store.work.agent('effort-1')?.updatedAt).toBe(updatedAt)
  })

  test('that cannot be written now is written with the next event', () => {
    let isBusy = true
    const one: ReturnType<typeof bench> = bench({
      relaxed: (work) => {
        if (isBusy) throw new Error('database is locked')
        one.store.journal.relaxed(work)
      },
    })
    one.begin()
    one.hear('UserPromptSubmit')
    const working = { session: session(eventOf({ type: 'UserPromptSubmit', prompt: 'x' })), env: {} }
    one.engine.show([working])
    expect(one.store.work.agents()).toEqual([])
    isBusy = false
    one.engine.show([working])
    expect(one.store.work.agents()).toMatchObject([{ status: 'working' }])
  })

  test('of a teammate is done when it idles, and its coordinator is signalled of that and of tasks', () => {
    const { begin, hear, store, signals } = bench()
    begin()
    hear('TeammateIdle', { teammate: { name: 'tester', team: 'release' } })
    hear('TaskCompleted', { task: { id: '1', subject: 'Write tests' } })
    expect(store.work.agent('tester')).toMatchObject({ status: 'done', effortId: 1 })
    expect(signals).toMatchObject([
      { kind: 'CHILD', about: 'tester', detail: 'TeammateIdle' },
      { kind: 'CHILD', about: 'Write tests', detail: 'TaskCompleted' },
    ])
  })
})
