/** Facts that any event may carry, whatever else it means: location, process, last messages. */
import { describe, expect, test } from 'bun:test'
import { phaseOf } from './phase.ts'
import { pidOf } from './reduce.ts'
import { ev, inTurn, run, tool } from './testkit.ts'

const prompt = (text = 'do it') => ev('UserPromptSubmit', { prompt: text })
const from = (client: object) => ({ client: { env: {}, ...client } })

describe('the location of a session', () => {
  const home = { agentVersion: '1.0.0', ...from({ pane: '%1', tmux: '/tmp/tmux,1', agentPid: 11 }) }

  test('is that of its last event with a location', () => {
    const moved = ev('UserPromptSubmit', {
      agentVersion: '2.0.0',
      ...from({ pane: '%2', tmux: '/tmp/other,1', agentPid: 12 }),
    })
    const session = run(...inTurn(ev('SessionStart', home), moved, ev('Stop')))
    expect(session).toMatchObject({ agentVersion: '2.0.0', pane: '%2', tmux: '/tmp/other,1', pid: 12 })
  })

  test('does not come from a replayed recording', () => {
    const replayed = { ...prompt(), transport: 'replay' as const, ...from({ pane: '%9', agentPid: 99 }) }
    expect(run(...inTurn(ev('SessionStart', home), replayed))).toMatchObject({ pane: '%1', pid: 11 })
  })

  test('does not go back to the one before a resume, however late that arrives', () => {
    const session = run(
      ev('SessionStart', { ...home, at: 1_000 }),
      ev('SessionStart', { source: 'resume', at: 3_000, ...from({ pane: '%2', agentPid: 12 }) }),
      ev('PostToolUse', { at: 2_000, ...from({ pane: '%1', agentPid: 11 }) }),
    )
    expect(session).toMatchObject({ pane: '%2', pid: 12 })
  })

  test('has a new process after a resume, and the same one after a compaction', () => {
    const begun = [ev('SessionStart', home), prompt()]
    expect(run(...begun, ev('SessionStart', { source: 'resume' })).pid).toBeUndefined()
    expect(run(...begun, ev('SessionStart', { source: 'compact' })).pid).toBe(11)
  })

  test("may come from the payload, set by other tools' hook scripts", () => {
    const told = (tmux_pane: unknown) => run(ev('SessionStart', { fields: { tmux_pane } })).pane
    expect(told('%12')).toBe('%12')
    for (const odd of ['12', '%', '%1;kill-server', 12, ['%12']]) expect(told(odd)).toBeUndefined()
  })
})

describe("the agent's process", () => {
  const pid = (agent: string, client: object) => pidOf(ev('Stop', { agent, ...from(client) }))
  const named = { env: { CLAUDE_PID: '42' } }

  test('is the one that the daemon saw, rather than the named one', () => {
    expect(pid('claude', { ...named, agentPid: 7 })).toBe(7)
    expect(pid('claude', { ...named, agentPid: 1 })).toBeUndefined()
  })

  test('is named by Claude to its own hooks alone', () => {
    expect(pid('claude', named)).toBe(42)
    expect(pid('codex', named)).toBeUndefined()
    for (const odd of ['', '0', '1', '-3', '4.5', 'me'])
      expect(pid('claude', { env: { CLAUDE_PID: odd } })).toBeUndefined()
  })

  test('is the sender if that is a plugin inside the agent', () => {
    expect(pid('opencode', { pid: 7 })).toBe(7)
    expect(pid('codex', { pid: 7 })).toBeUndefined()
  })
})

describe('the last message', () => {
  test('is not taken from a hidden event', () => {
    const hidden = ev('UserPromptSubmit', { prompt: 'not to anybody', message: 'nor this', hidden: 'probe' })
    const session = run(...inTurn(ev('SessionStart'), prompt(), hidden))
    expect(session).toMatchObject({ lastPrompt: 'do it' })
    expect(session.lastMessage).toBeUndefined()
  })
})

describe('a model request', () => {
  const failed = (fields: object = {}) => ev('PostModelRequest', { error: { kind: 'x' }, ...fields })

  test("outside a turn, or of a sub-agent, does not change the session's phase", () => {
    const started = run(ev('SessionStart'), failed())
    expect([phaseOf(started), started.detail]).toEqual(['starting', undefined])
    const working = run(prompt(), ev('PreToolUse', tool('Bash', 't1')), failed({ agentId: 'a1' }))
    expect(working.detail).toBe('Bash')
  })
})

describe('an ended session', () => {
  const over = [ev('SessionStart'), prompt(), ev('SessionEnd')]

  test('stays ended when its agent sends something while it exits', () => {
    for (const type of ['StopFailure', 'Stop', 'Notification', 'PostToolUse', 'BrandNew']) {
      const session = run(...over, ev(type))
      expect([type, phaseOf(session), session.generation]).toEqual([type, 'ended', 1])
    }
  })

  test('is revived by anything that only a live session does, unless that was before its end', () => {
    const signs = [prompt(), ev('PreToolUse', tool('Bash', 't1')), ev('PreCompact'), ev('PreModelRequest')]
    for (const sign of signs) {
      expect(phaseOf(run(...inTurn(...over), { ...sign, at: 3_001 }))).not.toBe('ended')
      expect(phaseOf(run(...inTurn(...over), { ...sign, at: 3_000 }))).toBe('ended')
    }
  })

  test('has not ended if the end belongs to an earlier generation', () => {
    const again = [...inTurn(...over), ev('SessionStart', { source: 'resume', at: 9_000 })]
    expect(phaseOf(run(...again, ev('SessionEnd', { at: 8_000 })))).toBe('starting')
    expect(phaseOf(run(...again, ev('SessionEnd', { at: 9_000 })))).toBe('ended')
  })
})
