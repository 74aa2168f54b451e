/** What any event may tell of a session, whatever else it means: where it is, who runs it, what was said last. */
import { describe, expect, test } from 'bun:test'
import { phaseOf } from './phase.ts'
import { pidOf } from './reduce.ts'
import { ev, inTurn, run, tool } from './testkit.ts'

const prompt = (text = 'do it') => ev('UserPromptSubmit', { prompt: text })
const from = (client: object) => ({ client: { env: {}, ...client } })

describe('where a session is', () => {
  const home = { agentVersion: '1.0.0', ...from({ pane: '%1', tmux: '/tmp/tmux,1', agentPid: 11 }) }

  test('is where its last event came from, and stays that where an event does not say', () => {
    const moved = ev('UserPromptSubmit', {
      agentVersion: '2.0.0',
      ...from({ pane: '%2', tmux: '/tmp/other,1', agentPid: 12 }),
    })
    const session = run(...inTurn(ev('SessionStart', home), moved, ev('Stop')))
    expect(session).toMatchObject({ agentVersion: '2.0.0', pane: '%2', tmux: '/tmp/other,1', pid: 12 })
  })

  test('is not where a recording of it is replayed', () => {
    const replayed = { ...prompt(), transport: 'replay' as const, ...from({ pane: '%9', agentPid: 99 }) }
    expect(run(...inTurn(ev('SessionStart', home), replayed))).toMatchObject({ pane: '%1', pid: 11 })
  })

  test('is not where it was before it was resumed, however late that is heard', () => {
    const session = run(
      ev('SessionStart', { ...home, at: 1_000 }),
      ev('SessionStart', { source: 'resume', at: 3_000, ...from({ pane: '%2', agentPid: 12 }) }),
      ev('PostToolUse', { at: 2_000, ...from({ pane: '%1', agentPid: 11 }) }),
    )
    expect(session).toMatchObject({ pane: '%2', pid: 12 })
  })

  test('has another process once it is resumed, and the same one when it was compacted', () => {
    const begun = [ev('SessionStart', home), prompt()]
    expect(run(...begun, ev('SessionStart', { source: 'resume' })).pid).toBeUndefined()
    expect(run(...begun, ev('SessionStart', { source: 'compact' })).pid).toBe(11)
  })

  test('may be told in the payload, by the hook scripts of other tools', () => {
    const told = (tmux_pane: unknown) => run(ev('SessionStart', { fields: { tmux_pane } })).pane
    expect(told('%12')).toBe('%12')
    for (const odd of ['12', '%', '%1;kill-server', 12, ['%12']]) expect(told(odd)).toBeUndefined()
  })
})

describe('the process of an agent', () => {
  const pid = (agent: string, client: object) => pidOf(ev('Stop', { agent, ...from(client) }))
  const named = { env: { CLAUDE_PID: '42' } }

  test('is the one that the daemon saw, before the one that is named', () => {
    expect(pid('claude', { ...named, agentPid: 7 })).toBe(7)
    expect(pid('claude', { ...named, agentPid: 1 })).toBeUndefined()
  })

  test('is named by Claude to its own hooks alone', () => {
    expect(pid('claude', named)).toBe(42)
    expect(pid('codex', named)).toBeUndefined()
    for (const odd of ['', '0', '1', '-3', '4.5', 'me'])
      expect(pid('claude', { env: { CLAUDE_PID: odd } })).toBeUndefined()
  })

  test('is the sender where the sender is a plugin inside it', () => {
    expect(pid('opencode', { pid: 7 })).toBe(7)
    expect(pid('codex', { pid: 7 })).toBeUndefined()
  })
})

describe('what was said', () => {
  test('is not what a hidden event says', () => {
    const hidden = ev('UserPromptSubmit', { prompt: 'not to anybody', message: 'nor this', hidden: 'probe' })
    const session = run(...inTurn(ev('SessionStart'), prompt(), hidden))
    expect(session).toMatchObject({ lastPrompt: 'do it' })
    expect(session.lastMessage).toBeUndefined()
  })
})

describe('a request to the model', () => {
  const failed = (fields: object = {}) => ev('PostModelRequest', { error: { kind: 'x' }, ...fields })

  test('outside a turn, or of a sub-agent, says nothing of what the session does', () => {
    const started = run(ev('SessionStart'), failed())
    expect([phaseOf(started), started.detail]).toEqual(['starting', undefined])
    const working = run(prompt(), ev('PreToolUse', tool('Bash', 't1')), failed({ agentId: 'a1' }))
    expect(working.detail).toBe('Bash')
  })
})

describe('a session that ended', () => {
  const over = [ev('SessionStart'), prompt(), ev('SessionEnd')]

  test('stays so when its agent says something while it exits', () => {
    for (const type of ['StopFailure', 'Stop', 'Notification', 'PostToolUse', 'BrandNew']) {
      const session = run(...over, ev(type))
      expect([type, phaseOf(session), session.generation]).toEqual([type, 'ended', 1])
    }
  })

  test('goes on with whatever only a living one does, unless that was before its end', () => {
    const signs = [prompt(), ev('PreToolUse', tool('Bash', 't1')), ev('PreCompact'), ev('PreModelRequest')]
    for (const sign of signs) {
      expect(phaseOf(run(...inTurn(...over), { ...sign, at: 3_001 }))).not.toBe('ended')
      expect(phaseOf(run(...inTurn(...over), { ...sign, at: 3_000 }))).toBe('ended')
    }
  })

  test('has not ended where the end was one of its life before', () => {
    const again = [...inTurn(...over), ev('SessionStart', { source: 'resume', at: 9_000 })]
    expect(phaseOf(run(...again, ev('SessionEnd', { at: 8_000 })))).toBe('starting')
    expect(phaseOf(run(...again, ev('SessionEnd', { at: 9_000 })))).toBe('ended')
  })
})
