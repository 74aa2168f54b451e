import { describe, expect, test } from 'bun:test'
import type { SessionView } from '../../client/index.ts'
import { approvalLines, withApproval } from './approval.ts'
import { rowsOf, selectedRow, selectedSession } from './cursor.ts'
import { FIRST_STATE, type FleetState, withChanges } from './fleet-state.ts'
import { type Action, click, type Key, press } from './keys.ts'
import { NOW, needyOf, sessionOf } from './testkit.ts'

function fleet(...sessions: SessionView[]): FleetState {
  return withChanges(FIRST_STATE, [{ snapshot: { seq: 1, sessions } }])
}

function keyOf(text: string): Key {
  return text.length === 1 ? { kind: 'text', text } : { kind: 'key', name: text }
}

/** The state after the keys, and the last thing that they did outside. */
function after(state: FleetState, ...keys: string[]): { state: FleetState; action: Action | undefined } {
  let action: Action | undefined
  let now = state
  for (const key of keys) {
    const outcome = press(now, keyOf(key), 5, NOW)
    now = outcome.state
    action = outcome.action
  }
  return { state: now, action }
}

const idle = (name: string, parts: Partial<SessionView> = {}) =>
  sessionOf(name, { phase: 'idle', turn: { open: false }, ...parts })

describe('keys', () => {
  test('b raises the budget of the selected session', () => {
    const state = fleet(sessionOf('a'))
    expect(after(state, 'b').action).toEqual({ do: 'raise-budget', key: selectedSession(state)?.key ?? '' })
    expect(after(state, 'k', 'b').action).toBeUndefined() // a project
  })

  test('move as in vim and by arrows, and stop at the ends', () => {
    const state = fleet(sessionOf('a', { startedAt: 1 }), sessionOf('b', { startedAt: 2 }))
    expect(selectedRow(state)?.id).toBe('claude a')
    expect(selectedRow(after(state, 'j').state)?.id).toBe('claude b')
    expect(selectedRow(after(state, 'down', 'down', 'down').state)?.id).toBe('claude b')
    expect(selectedRow(after(state, 'k', 'up', 'k').state)?.id).toBe('project:acme')
    expect(selectedRow(after(state, 'G').state)?.id).toBe('claude b')
  })

  test('turn the pages of the help, and any other key leaves it', () => {
    const state = fleet(sessionOf('a'))
    expect(after(state, '?', ' ', 'down').state.mode).toEqual({ kind: 'help', page: 2 })
    expect(after(state, '?', 'j', 'k').state.mode).toEqual({ kind: 'help', page: 0 })
    for (const key of ['?', 'q', 'escape', 'x'])
      expect(after(state, '?', ' ', key)).toMatchObject({
        state: { mode: { kind: 'browse' } },
        action: undefined,
      })
  })

  test('h folds and goes up, l unfolds', () => {
    const state = fleet(sessionOf('a'))
    const above = after(state, 'h')
    expect(selectedRow(above.state)?.id).toBe('project:acme')
    const folded = after(above.state, 'h')
    expect(rowsOf(folded.state)).toHaveLength(1)
    expect(rowsOf(after(folded.state, 'l').state)).toHaveLength(2)
  })

  test('the cursor stays on its session when another comes before it', () => {
    const state = after(fleet(sessionOf('b', { startedAt: 5 })), 'j').state
    const more = withChanges(state, [{ seq: 2, session: sessionOf('a', { startedAt: 1 }) }])
    expect(selectedRow({ ...more, selected: 'claude b' })?.id).toBe('claude b')
  })

  test('n cycles through sessions that need a person, through folds and filters', () => {
    const state = fleet(needyOf('a', { startedAt: 1 }), sessionOf('b'), needyOf('c', { startedAt: 2 }))
    expect(selectedRow(after(state, 'n').state)?.id).toBe('claude c')
    expect(selectedRow(after(state, 'n', 'n').state)?.id).toBe('claude a')
    const hidden = after(state, 'z', 'f', 'f').state
    expect(hidden.filter).toBe('working')
    const found = after(hidden, 'n').state
    expect(selectedRow(found)?.kind).toBe('session')
    expect(after(fleet(sessionOf('b')), 'n').state.notice?.text).toBe('Nobody needs you.')
  })

  test('enter jumps to the pane of a session, and folds a group', () => {
    const state = fleet(sessionOf('a'))
    expect(after(state, 'return').action).toEqual({ do: 'jump', key: 'claude a' })
    expect(after(state, 'k', 'return').action).toBeUndefined()
    expect(rowsOf(after(state, 'k', 'return').state)).toHaveLength(1)
  })

  test('text goes only to an agent that is idle or asks', () => {
    const question = needyOf('a', {
      attention: [{ kind: 'question', reason: 'AskUserQuestion', since: NOW }],
    })
    expect(after(fleet(idle('a')), 's', 'h', 'i', 'return').action).toEqual({
      do: 'send',
      key: 'claude a',
      text: 'hi',
    })
    expect(after(fleet(question), 's', '2', 'return').action).toEqual({
      do: 'send',
      key: 'claude a',
      text: '2',
    })
    expect(after(fleet(sessionOf('a')), 's').state.mode.kind).toBe('browse')
    expect(after(fleet(sessionOf('a')), 's').state.notice?.text).toContain('is working')
    expect(after(fleet(needyOf('a')), 's').state.notice?.text).toContain('waits for a decision')
  })

  test('text is not sent if the agent has continued meanwhile', () => {
    const writing = after(fleet(idle('a')), 's', 'h', 'i').state
    const busy = withChanges(writing, [{ seq: 2, session: sessionOf('a') }])
    const { action, state } = after(busy, 'return')
    expect(action).toBeUndefined()
    expect(state.notice?.text).toStartWith('Not sent.')
    expect(state.mode).toMatchObject({ kind: 'send', text: 'hi' })
  })

  test('a paste is one line of text without control sequences', () => {
    const writing = after(fleet(idle('a')), 's').state
    const pasted = press(writing, { kind: 'paste', text: 'one\ntwo\u001b[2J' }, 5, NOW).state
    expect(after(pasted, 'return').action).toEqual({ do: 'send', key: 'claude a', text: 'one two' })
  })

  test('K ends nothing without a y', () => {
    const state = fleet(sessionOf('a'))
    expect(after(state, 'K').action).toBeUndefined()
    expect(after(state, 'K', 'n').action).toBeUndefined()
    expect(after(state, 'K', 'return').action).toBeUndefined()
    expect(after(state, 'K', 'y').action).toEqual({ do: 'kill', key: 'claude a' })
    expect(after(fleet(sessionOf('a', { phase: 'ended' })), 'f', 'f', 'f', 'f', 'K').state.mode.kind).toBe(
      'browse',
    )
  })

  describe('a held permission', () => {
    const held = { id: 'riko7', tool: 'Bash', line: 'rm x', since: NOW, until: NOW + 60_000 }
    const asking = () => fleet(needyOf('a', { approvals: [held] }))
    const asked = (input: unknown) => ({
      ...{ ...held, nonce: 'n1', agent: 'claude', session: 'a', name: 'a' },
      input,
      isLarge: false,
    })

    test('is approved after a yes to the whole command, for that request alone', () => {
      const { state, action } = after(asking(), 'a')
      expect(action).toEqual({ do: 'show-approval', key: 'claude a', id: 'riko7' })
      const shown = withApproval(state, 'claude a', asked({ command: 'rm x\u001b]0;; rm y\u0007\nls' }), NOW)
      expect(shown.mode).toMatchObject({ kind: 'approve', text: 'rm x ]0;; rm y ⏎ ls' })
      expect(after(shown, 'n').action).toBeUndefined()
      expect(after(shown, 'return').action).toBeUndefined()
      expect(after(shown, 'y').action).toEqual({ do: 'approve', key: 'claude a', id: 'riko7', nonce: 'n1' })
    })

    test('shows every field of the input, and words longer than the screen', () => {
      const { state } = after(asking(), 'a')
      const command = `x${'y'.repeat(150)};rm`
      const { mode } = withApproval(state, 'claude a', asked({ command, sandbox: false }), NOW)
      if (mode.kind !== 'approve') throw new Error('not shown')
      expect(mode.text).toBe(`${command} (and sandbox: false)`)
      const lines = approvalLines(mode, 'a', 60, 12).map(({ spans }) =>
        spans.map(({ text }) => text.trim()).join(''),
      )
      expect(lines.join('').replaceAll(' ', '')).toContain(`${command}(andsandbox:false)`)
    })

    test('is not shown if the person does something else by now, nor if it is too long', () => {
      const { state } = after(asking(), 'a')
      const searching = after(state, '/').state
      expect(withApproval(searching, 'claude a', asked({ command: 'rm x' }), NOW)).toBe(searching)
      const long = withApproval(state, 'claude a', asked({ command: 'x'.repeat(5_000) }), NOW)
      expect(long.mode.kind).toBe('browse')
      expect(long.notice?.text).toContain('gantry approvals riko7')
    })

    test('is denied with a reason by x; d always opens the detail', () => {
      expect(after(asking(), 'x', 'n', 'o', 'return').action).toEqual({
        do: 'deny',
        key: 'claude a',
        id: 'riko7',
        text: 'no',
      })
      expect(after(asking(), 'd', 'escape').action).toBeUndefined()
      expect(after(fleet(needyOf('a')), 'd').state.detailOpen).toBe(true)
    })

    test('that does not exist cannot be approved', () => {
      expect(after(fleet(needyOf('a')), 'a').state.notice?.text).toContain('in its own terminal')
      expect(after(fleet(sessionOf('a')), 'a').state.notice?.text).toContain('asks for nothing')
    })
  })

  test('i interrupts only a working session', () => {
    expect(after(fleet(sessionOf('a')), 'i').action).toEqual({ do: 'interrupt', key: 'claude a' })
    expect(after(fleet(idle('a')), 'i').action).toBeUndefined()
  })

  test('a session without a pane is not typed into', () => {
    const { pane: _, ...nowhere } = idle('a')
    expect(after(fleet(nowhere), 's').state.mode.kind).toBe('browse')
    expect(after(fleet(nowhere), 's').state.notice?.text).toContain('no tmux pane')
    expect(after(fleet({ ...nowhere, phase: 'working' }), 'i').action).toBeUndefined()
  })

  test('a search narrows while it is typed; escape takes it back, enter keeps it', () => {
    const state = fleet(sessionOf('upload'), sessionOf('other'))
    const typing = after(state, '/', 'u', 'p').state
    expect(rowsOf(typing)).toHaveLength(2)
    expect(rowsOf(after(typing, 'escape').state)).toHaveLength(3)
    const kept = after(typing, 'return').state
    expect(kept.mode.kind).toBe('browse')
    expect(rowsOf(kept)).toHaveLength(2)
    expect(after(kept, 'q').action).toEqual({ do: 'quit' })
    expect(after(typing, 'q').action).toBeUndefined()
  })

  test('u starts the daemon only while it is down', () => {
    const state = fleet(sessionOf('a'))
    expect(after(state, 'u').action).toBeUndefined()
    const away: FleetState = { ...state, link: { state: 'away', why: '', starting: false } }
    expect(after(away, 'u').action).toEqual({ do: 'start-daemon' })
    expect(after({ ...away, link: { state: 'away', why: '', starting: true } }, 'u').action).toBeUndefined()
  })

  test('a click selects, a second one jumps', () => {
    const state = fleet(sessionOf('a'), sessionOf('b'))
    const once = click(state, 2, NOW)
    expect(selectedRow(once.state)?.id).toBe('claude b')
    expect(once.action).toBeUndefined()
    expect(click(once.state, 2, NOW + 100).action).toEqual({ do: 'jump', key: 'claude b' })
    expect(click(once.state, 2, NOW + 900).action).toBeUndefined()
    expect(click(state, 99, NOW).action).toBeUndefined()
  })
})
