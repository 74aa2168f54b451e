import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { limitMs, rounds } from '../../../test/long.ts'
import { agentFor } from '../../agents/index.ts'
import { type HookEvent, OWN_AGENT, type Transport } from '../../events/index.ts'
import { nameFor } from './names.ts'
import { isStale, phaseOf } from './phase.ts'
import type { Session } from './session.ts'
import { SessionMap } from './session-map.ts'
import { ev, sessionsOf, tool } from './testkit.ts'
import { viewOf } from './view.ts'

const FIXTURES = join(import.meta.dir, '../../../test/fixtures')

/** The events of one recorded file, as in the journal. */
function recorded(file: string): HookEvent[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line, i) => {
      const { agent, at, event, env, payload } = JSON.parse(line)
      const time = typeof at === 'number' ? at : Date.parse(at)
      const rawEvent = { id: `e${i}`, at: time, receivedAt: time, agent, event, client: { env: env ?? {} } }
      const raw = JSON.stringify(payload)
      return { ...agentFor(agent).read(payload, { ...rawEvent, transport: 'socket', raw }), seq: i + 1 }
    })
}

const files = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /^(claude|codex|gemini)\/[^/]+\/[^/_][^/]*\.jsonl$/.test(name))
  .map((name) => join(FIXTURES, name))

/** Through JSON, as stored. */
function stored(sessions: SessionMap): Session[] {
  return JSON.parse(JSON.stringify([...sessions.all()])) as Session[]
}

/** An event by gantry or a person. */
const OWN: readonly string[] = ['SessionRenamed', 'SessionSeen', 'TitleObserved', 'UsageObserved']

const LISTED: HookEvent['backgroundTasks'] & {} = [
  { id: 'a1', type: 'subagent', status: 'running' },
  { id: 't1', type: 'teammate', status: 'running' },
]

/** Random but plausible: a few sessions, a few calls, any order. */
const anyEvents = fc
  .array(
    fc.record({
      type: fc.constantFrom(
        'SessionStart',
        'SessionEnd',
        'UserPromptSubmit',
        'UserPromptDenied',
        'PreToolUse',
        'PostToolUse',
        'PostToolUseFailure',
        'PostToolBatch',
        'PermissionRequest',
        'Stop',
        'StopFailure',
        'Interrupt',
        'SubagentStart',
        'SubagentStop',
        'PreCompact',
        'PostCompact',
        'Notification',
        'Elicitation',
        'TurnObserved',
        'ElicitationResult',
        'TeammateIdle',
        'StatusLine',
        'Odd',
        ...OWN,
      ),
      transport: fc.constantFrom<Transport>('socket', 'spool', 'healer'),
      session: fc.constantFrom('s1', 's2', 's3'),
      call: fc.constantFrom('t1', 't2', 't3'),
      child: fc.option(fc.constantFrom('a1', 'a2'), { nil: undefined }),
      note: fc.constantFrom('permission_prompt', 'idle_prompt', 'elicitation_dialog', 'other'),
      tool: fc.constantFrom('Bash', 'Agent', 'AskUserQuestion', 'ExitPlanMode'),
      spawned: fc.option(fc.record({ agentId: fc.constantFrom('a1', 'a2'), teammate: fc.boolean() }), {
        nil: undefined,
      }),
      tasks: fc.option(fc.constantFrom(LISTED, LISTED.slice(0, 1), []), { nil: undefined }),
      skew: fc.integer({ min: -3000, max: 3000 }),
      source: fc.constantFrom('startup', 'resume', 'clear', 'compact'),
    }),
    { maxLength: 60 },
  )
  .map((list) =>
    list.map((one, i) => ({
      ...ev(one.type, {
        transport: one.transport,
        ...(OWN.includes(one.type)
          ? { agent: OWN_AGENT, fields: { session_key: `claude:${one.session}`, name: one.call, tokens: i } }
          : {}),
        ...(one.type === 'StatusLine' ? { usage: { contextPct: i, costUsd: i } } : {}),
        ...(one.type.includes('Tool') || one.type.startsWith('Permission')
          ? tool(one.tool, one.type.startsWith('Permission') ? undefined : one.call, { of: one.call })
          : {}),
        ...(one.child === undefined ? {} : { agentId: one.child, agentType: 'Explore' }),
        ...(one.type === 'Notification' ? { notification: { type: one.note } } : {}),
        ...(one.type === 'PostToolBatch' ? { endedCalls: [one.call] } : {}),
        ...(one.type === 'PostToolUse' && one.tool === 'Agent' && one.spawned
          ? { spawned: one.spawned }
          : {}),
        ...(one.type === 'Stop' && one.tasks ? { backgroundTasks: one.tasks } : {}),
        source: one.source,
      }),
      sessionId: one.session,
      id: `e${i}`,
      seq: i + 1,
      at: 10_000 + i * 1000 + one.skew,
    })),
  )

const SEQUENCES = rounds(300, 20_000)

describe('a rebuild from the journal equals the live state', () => {
  test.each(files.map((file) => [file.slice(FIXTURES.length + 1), file]))('recorded: %s', (_name, file) => {
    const events = recorded(file)
    const half = Math.floor(events.length / 2)
    const restarted = new SessionMap()
    restarted.load(stored(sessionsOf(...events.slice(0, half))))
    for (const event of events.slice(half)) restarted.apply(event)
    expect(stored(restarted)).toEqual(stored(sessionsOf(...events)))
  })

  test.each(files.map((file) => [file.slice(FIXTURES.length + 1), file]))('seen ahead: %s', (_name, file) => {
    const events = recorded(file)
    const sessions = new SessionMap()
    let seen = 0
    for (const [i, event] of events.entries()) {
      const ahead = sessions.ahead(event)
      if (i % 2 === 0) sessions.ahead(events[0] as HookEvent) // another question in between
      sessions.apply(event)
      if (ahead === undefined) continue
      expect(sessions.get(ahead.key)).toEqual(ahead)
      seen += 1
    }
    expect(seen).toBeGreaterThan(0)
    expect(stored(sessions)).toEqual(stored(sessionsOf(...events)))
  })

  test(
    'random sequences, restarted at any point',
    () => {
      fc.assert(
        fc.property(anyEvents, fc.nat(), (events, cut) => {
          const at = events.length === 0 ? 0 : cut % events.length
          const restarted = new SessionMap()
          restarted.load(stored(sessionsOf(...events.slice(0, at))))
          for (const event of events.slice(at)) restarted.apply(event)
          expect(JSON.stringify(stored(restarted))).toBe(JSON.stringify(stored(sessionsOf(...events))))
        }),
        { numRuns: SEQUENCES },
      )
    },
    limitMs(SEQUENCES, 20),
  )
})

describe('for any input', () => {
  test('an ended session has nothing open, an idle one asks nothing, and nothing grows without limit', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        for (const session of sessionsOf(...events).all()) {
          const phase = phaseOf(session)
          if (phase === 'ended')
            expect([session.openTools, session.attention, session.background]).toEqual([[], [], []])
          if (phase === 'idle') expect(session.turn.open).toBe(false)
          expect(session.closedCalls.length).toBeLessThanOrEqual(16)
        }
      }),
      { numRuns: rounds(300, 5_000) },
    )
  })

  test('every recorded session of Claude ends as ended', () => {
    for (const file of files.filter((name) => name.includes('/claude/'))) {
      const events = recorded(file)
      for (const session of sessionsOf(...events).all()) {
        const hasEnd = events.some((event) => event.type === 'SessionEnd' && event.sessionId === session.id)
        if (hasEnd) expect(`${file} ${phaseOf(session)}`).toBe(`${file} ended`)
      }
    }
  })
})

describe('the sessions', () => {
  test('creates no session for hidden events, and ignores their content', () => {
    const events = recorded(join(FIXTURES, 'codex/0.166.0/subagent.jsonl'))
    const child = events.find(({ type }) => type === 'SubagentStart')?.agentId ?? ''
    expect(events.some(({ type, sessionId }) => type === 'Stop' && sessionId === child)).toBe(true)
    expect(sessionsOf(...events).size).toBe(1)
    const turn = { sessionId: 's2', prompt: 'a title', message: 'Titles', hidden: 'title-thread' }
    expect(new SessionMap().apply(ev('Stop', turn))).toBeUndefined()
    const session = sessionsOf(ev('SessionStart', { sessionId: 's2' }), ev('Stop', turn)).find('s2')
    expect([session?.lastPrompt, session?.lastMessage]).toEqual([undefined, undefined])
  })

  test('accepts only valid numbers, also from a recording', () => {
    const sessions = sessionsOf(ev('SessionStart'))
    const said = (fields: object) => {
      sessions.apply(
        ev('UsageObserved', {
          agent: 'gantry',
          sessionId: '',
          fields: { session_key: 'claude:s1', ...fields },
        }),
      )
      return sessions.find('s1')?.usage
    }
    expect(said({ tokens: 5, context_pct: 1e308 })).toEqual({ tokens: 5, contextPct: 100 })
    expect(said({ tokens: -5, context_pct: -1 })).toEqual({ tokens: 5, contextPct: 100 })
    expect(said({ tokens: Number.POSITIVE_INFINITY, context_pct: Number.NaN })).toEqual({
      tokens: 5,
      contextPct: 100,
    })
  })

  test('a tool named like an object method asks for a permission, not a question', () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      const sessions = sessionsOf(ev('UserPromptSubmit'), ev('PreToolUse', tool(name, 'a')))
      expect(sessions.find('s1')?.attention).toEqual([])
      sessions.apply(ev('PermissionRequest', tool(name, 'a')))
      expect(sessions.find('s1')?.attention).toMatchObject([
        { kind: 'permission', reason: `Permission for ${name}` },
      ])
    }
  })

  test('finds a session by key, id, prefix of its id, and name', () => {
    const sessions = sessionsOf(
      ev('SessionStart', { sessionId: 'abc-1' }),
      ev('SessionStart', { sessionId: 'abd-2' }),
    )
    const name = nameFor('claude:abc-1')
    for (const text of ['claude:abc-1', 'abc-1', 'abc', name]) expect(sessions.find(text)?.id).toBe('abc-1')
    expect(sessions.find('ab')).toBeUndefined()
  })

  test('gives equal names a number, and keeps a name given by a person', () => {
    expect(nameFor('x', new Set([nameFor('x')]))).toBe(`${nameFor('x')}-2`)
    const sessions = sessionsOf(ev('SessionStart'))
    const fields = { session_key: 'claude:s1', name: 'release' }
    sessions.apply(ev('SessionRenamed', { agent: 'gantry', sessionId: '', fields }))
    sessions.apply(ev('UserPromptSubmit'))
    expect(sessions.find('release')?.id).toBe('s1')
    expect(sessions.find(nameFor('claude:s1'))?.name).toBe('release') // its old name still finds it
  })

  test('links the window opened by /clear to the one it closed', () => {
    const events = recorded(join(FIXTURES, 'claude/2.1.325/i-basic.jsonl'))
    const sessions = [...sessionsOf(...events).all()]
    const cleared = sessions.find((session) => session.prevSessionId !== undefined)
    expect(cleared).toBeDefined()
    expect(
      sessions.some((session) => session.id === cleared?.prevSessionId && phaseOf(session) === 'ended'),
    ).toBe(true)
  })

  test('names the event that set the state, not those that changed nothing', () => {
    const start = ev('SessionStart')
    const prompt = ev('UserPromptSubmit')
    const sessions = sessionsOf(start, prompt, ev('InstructionsLoaded'))
    expect(sessions.find('s1')?.cause).toMatchObject({ id: prompt.id, type: 'UserPromptSubmit' })
  })

  test('staleness is computed, never stored', () => {
    const session = sessionsOf(ev('SessionStart')).find('s1')
    if (!session) throw new Error('no session')
    expect(isStale(session, session.lastActivity + 8 * 3_600_000)).toBe(false)
    expect(isStale(session, session.lastActivity + 8 * 3_600_000 + 1)).toBe(true)
    expect(viewOf(session, session.lastActivity + 9 * 3_600_000)).toMatchObject({
      phase: 'starting',
      stale: true,
    })
  })
})
