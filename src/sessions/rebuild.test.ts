/**
 * The state of sessions is what their journal says: live, after a restart anywhere, and from the first event on. With what
 * gantry says itself, what was spooled and what observers found among the hooks; through the real store.
 */
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { limitMs, rounds } from '../../test/long.ts'
import { type HookEvent, OWN_AGENT, type RawEvent, type Transport } from '../events/index.ts'
import { parseRow, readEvent } from '../journal/parse-event.ts'
import { openStore, type Store } from '../store/index.ts'
import { CLOCK_SET_BACK, type Session, SessionMap } from './state/index.ts'
import { SessionTracker } from './tracker.ts'

const dir = mkdtempSync(join(tmpdir(), 'gantry-rebuild-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const hooks = fc.record({
  name: fc.constantFrom(
    ...['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure'],
    ...['PermissionRequest', 'PermissionDenied', 'Stop', 'StopFailure', 'Interrupt', 'SubagentStart'],
    ...['SubagentStop', 'TeammateIdle', 'PreCompact', 'PostCompact', 'Notification', 'StatusLine', 'Odd'],
  ),
  agent: fc.constantFrom('claude', 'claude', 'codex'),
  session: fc.constantFrom('s1', 's2', 's3'),
  call: fc.constantFrom('t1', 't2', 't3'),
  tool: fc.constantFrom('Bash', 'Agent', 'AskUserQuestion', 'mcp__x__ask'),
  child: fc.option(fc.constantFrom('a1', 'a2'), { nil: undefined }),
  note: fc.constantFrom('permission_prompt', 'idle_prompt', 'elicitation_dialog'),
  word: fc.constantFrom('startup', 'resume', 'clear', 'compact'),
  running: fc.option(fc.constantFrom('a1', 'b1'), { nil: undefined }),
  pid: fc.option(fc.constantFrom('70', '71'), { nil: undefined }),
  transport: fc.constantFrom<Transport>('socket', 'socket', 'http', 'spool', 'healer'),
  skew: fc.integer({ min: -3000, max: 3000 }),
})

const owns = fc.record({
  own: fc.constantFrom(
    ...['SessionRenamed', 'SessionSeen', 'TitleObserved', 'ParentObserved', 'OriginObserved'],
    ...['SessionSummarized', 'UsageObserved', 'TranscriptObserved', 'VersionObserved', 'Odd'],
    ...[CLOCK_SET_BACK, CLOCK_SET_BACK],
  ),
  session: fc.constantFrom('s1', 's2', 's3', 'nobody'),
  other: fc.constantFrom('s1', 's2'),
  n: fc.nat(9),
})

/** How far the clock was set back before each of these: later events are earlier by the sum. */
function setBackBefore(drafts: readonly (Hook | Own)[]): number[] {
  let all = 0
  return drafts.map((one) => {
    if ('own' in one && one.own === CLOCK_SET_BACK) all += byMsOf(one)
    return all
  })
}

function byMsOf({ n }: Own): number {
  return (n + 1) * 1500
}

type Hook = typeof hooks extends fc.Arbitrary<infer T> ? T : never
type Own = typeof owns extends fc.Arbitrary<infer T> ? T : never

function eventOf(one: Hook | Own, n: number, setBack: number): HookEvent {
  const at = 1_000_000 + n * 1000 - setBack
  const rawEvent: RawEvent =
    'own' in one
      ? { ...base(n), at, receivedAt: at, agent: OWN_AGENT, transport: 'emit', raw: ownPayload(one) }
      : {
          ...base(n),
          at: at + one.skew,
          receivedAt: at,
          agent: one.agent,
          client: { env: one.pid === undefined ? {} : { CLAUDE_PID: one.pid } },
          transport: one.transport,
          ...(one.name === 'StatusLine' ? { event: 'statusLine' } : {}),
          raw: hookPayload(one),
        }
  return readEvent(rawEvent)
}

function base(n: number): Pick<RawEvent, 'id' | 'client'> {
  return { id: `e${n}`, client: { env: {} } }
}

function ownPayload(one: Own): string {
  const { own, session, other, n } = one
  if (own === CLOCK_SET_BACK) return JSON.stringify({ hook_event_name: own, by_ms: byMsOf(one) })
  const about = { session_key: `claude:${session}`, parent_key: `claude:${other}`, name: `name-${n}` }
  const told = { title: `t${n}`, summary: 's', origin_id: other, conversation_id: other }
  const used = n % 2 === 0 ? { tokens: n * 100, context_pct: n } : { cost_usd: n / 10 }
  const found = { transcript_path: `/t/${n}`, ...(n % 3 === 0 ? { model: `m${n}` } : {}) }
  return JSON.stringify({ hook_event_name: own, ...about, ...told, ...used, ...found })
}

function hookPayload(one: Hook): string {
  const { name, call, tool, child, note, word, running } = one
  return JSON.stringify({
    session_id: one.session,
    cwd: '/work',
    ...(name === 'StatusLine' ? { cost: { total_cost_usd: 0.5 } } : { hook_event_name: name }),
    ...(child === undefined ? {} : { agent_id: child, agent_type: 'Explore' }),
    ...(/Tool|Permission/.test(name) ? { tool_name: tool, tool_input: { of: call } } : {}),
    ...(name.includes('Tool') ? { tool_use_id: call } : {}),
    ...(name === 'Notification' ? { notification_type: note, message: 'x' } : {}),
    ...(name === 'SessionStart' ? { source: word } : {}),
    ...(name === 'SessionEnd' ? { reason: word } : {}),
    ...(name === 'UserPromptSubmit' ? { prompt: `p ${call}` } : {}),
    ...(name === 'Stop' && running !== undefined
      ? { background_tasks: [{ id: running, type: 'subagent', status: 'running' }] }
      : {}),
    ...(name === 'TeammateIdle' ? { teammate_name: 'Explore' } : {}),
  })
}

function commit(store: Store, tracker: SessionTracker, events: readonly HookEvent[]): void {
  store.journal.commit(() => {
    for (const event of events) Object.assign(event, { seq: store.journal.append(event) })
  })
  tracker.apply(events)
}

const states = (sessions: Iterable<Session>) =>
  [...sessions].map((session) => JSON.stringify(session)).toSorted()

const SEQUENCES = rounds(30, 3_000)

describe('live, restarted and rebuilt state is the same', () => {
  let runs = 0

  test(
    'over random sequences, killed at any point, with outdated rows',
    () => {
      const list = fc.array(fc.oneof({ weight: 5, arbitrary: hooks }, { weight: 1, arbitrary: owns }), {
        minLength: 1,
        maxLength: 50,
      })
      const property = fc.property(list, fc.nat(), fc.nat(), (drafts, killAt, writeAt) => {
        runs += 1
        const store = openStore(join(dir, `${runs}.db`))
        try {
          const setBacks = setBackBefore(drafts)
          const events = drafts.map((one, n) => eventOf(one, n, setBacks[n] ?? 0))
          const cut = killAt % (events.length + 1)
          const written = writeAt % (cut + 1)
          const live = new SessionTracker(store, 0)
          commit(store, live, events.slice(0, written))
          live.write()
          commit(store, live, events.slice(written, cut))
          const restarted = new SessionTracker(store, 0) // nothing of the first one was written since
          commit(store, restarted, events.slice(cut))
          live.apply(events.slice(cut))
          const expected = states(live.sessions.all())
          expect(states(restarted.sessions.all())).toEqual(expected)
          restarted.write()
          expect(
            store.sessions
              .page({ since: 0, limit: 100 })
              .sessions.map(({ state }) => state)
              .toSorted(),
          ).toEqual(expected)
          const rebuilt = new SessionMap()
          for (const row of store.oldest({ after: 0 }, 1000)) rebuilt.apply(parseRow(row))
          expect(states(rebuilt.all())).toEqual(expected)
        } finally {
          store.close()
        }
      })
      fc.assert(property, { numRuns: SEQUENCES })
    },
    limitMs(SEQUENCES, 500),
  )
})
