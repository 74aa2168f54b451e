import { describe, expect, test } from 'bun:test'
import { phaseOf } from './phase.ts'
import { reduce } from './reduce.ts'
import { healByStatus, infer } from './reported-status.ts'
import { ev, run, tool } from './testkit.ts'

const asked = () => {
  const prompt = ev('UserPromptSubmit')
  const call = ev('PreToolUse', tool('Edit', 't1'))
  const request = ev('PermissionRequest', tool('Edit', undefined, { of: 't1' }))
  return { session: run(prompt, call, request), at: request.at }
}

describe('a reported status', () => {
  test('idle in the middle of a turn: it was interrupted', () => {
    const prompt = ev('UserPromptSubmit')
    const healed = healByStatus(run(prompt), undefined, { status: 'idle', at: prompt.at + 500 })
    expect(healed).toMatchObject({ type: 'Interrupt', at: prompt.at + 500 })
  })

  test('idle from before the turn does not affect it', () => {
    const prompt = ev('UserPromptSubmit')
    expect(healByStatus(run(prompt), undefined, { status: 'idle', at: prompt.at - 1 })).toBeUndefined()
  })

  test('idle after the end of the turn leaves background work', () => {
    const backgroundTasks = [{ id: 'b1', status: 'running' }]
    const stop = ev('Stop', { backgroundTasks })
    const session = run(ev('UserPromptSubmit'), stop)
    expect(healByStatus(session, undefined, { status: 'idle', at: stop.at + 40 })).toBeUndefined()
  })

  test('an interrupted compaction is over', () => {
    const compact = ev('PreCompact')
    const healed = healByStatus(run(compact), undefined, { status: 'idle', at: compact.at + 500 })
    expect(healed).toMatchObject({ type: 'Interrupt' })
  })

  test('busy after a dialog: its request was answered', () => {
    const { session, at } = asked()
    const healed = healByStatus(
      session,
      { status: 'waiting', at: at + 30 },
      { status: 'busy', at: at + 2000 },
    )
    expect(healed).toMatchObject([{ kind: 'permission', call: 't1' }])
  })

  test('busy without a dialog before it: the dialog is still to come', () => {
    const { session, at } = asked()
    expect(
      healByStatus(session, { status: 'idle', at: at - 900 }, { status: 'busy', at: at + 5 }),
    ).toBeUndefined()
  })

  test('a request long after the dialog was shown is another one', () => {
    const { session, at } = asked()
    const shown = { status: 'waiting', at: at - 5000 } as const
    expect(healByStatus(session, shown, { status: 'busy', at: at + 20 })).toBeUndefined()
  })

  test('of two requests at the same time, it is unknown which was answered', () => {
    const before = [ev('UserPromptSubmit'), ev('PermissionRequest', tool('Edit', 't1'))]
    const other = { ...ev('PermissionRequest', tool('Write', 't2')), at: (before[1]?.at ?? 0) + 20 }
    const session = run(...before, other)
    expect(session.attention).toHaveLength(2)
    const shown = { status: 'waiting', at: other.at + 10 } as const
    expect(healByStatus(session, shown, { status: 'busy', at: other.at + 900 })).toBeUndefined()
  })

  test('requests that waited behind the dialog for a while were answered, too; a hidden one was not', () => {
    const { session, at } = asked()
    const ask = ev('PermissionRequest', { ...tool('Write', 't2'), agentId: 'a1' })
    const both = reduce(session, { ...ask, at: at + 5000 })
    const shown = { status: 'waiting', at: at + 30 } as const
    const calls = (after: number, isHidden?: () => boolean) => {
      const healed = healByStatus(both, shown, { status: 'busy', at: at + 5000 + after }, isHidden)
      return Array.isArray(healed) ? healed.map(({ tool: name }) => name) : undefined
    }
    expect(calls(2000)).toEqual(['Edit', 'Write'])
    expect(calls(200)).toEqual(['Edit'])
    expect(calls(2000, () => true)).toBeUndefined()
  })

  test('busy after idle, without a hook: a turn has begun', () => {
    const stop = ev('Stop')
    const rested = run(ev('UserPromptSubmit', { at: stop.at - 500 }), stop)
    const idle = { status: 'idle', at: stop.at + 40 } as const
    const healed = healByStatus(rested, idle, { status: 'busy', at: stop.at + 900 })
    expect(healed).toMatchObject({ type: 'TurnObserved', at: stop.at + 900 })
    // Not if hooks reported it, if it was busy all along, or if it is older than the end of the turn.
    const asked = run(ev('UserPromptSubmit'))
    expect(healByStatus(asked, idle, { status: 'busy', at: stop.at + 900 })).toBeUndefined()
    expect(healByStatus(rested, undefined, { status: 'busy', at: stop.at + 900 })).toBeUndefined()
    expect(healByStatus(rested, idle, { status: 'busy', at: stop.at - 1 })).toBeUndefined()
  })

  test('an observed turn works until it stops, or the agent is idle again', () => {
    const [prompt, stop] = [ev('UserPromptSubmit', { prompt: 'go' }), ev('Stop')]
    const begun = [prompt, stop, ev('TurnObserved', { transport: 'healer' })]
    const session = run(...begun)
    expect([phaseOf(session), session.lastPrompt]).toEqual(['working', 'go'])
    expect(phaseOf(run(...begun, ev('Stop')))).toBe('idle')
    const healed = healByStatus(session, undefined, { status: 'idle', at: Number.MAX_SAFE_INTEGER })
    expect(healed).toMatchObject({ type: 'Interrupt' })
  })

  test('an ended session is left alone', () => {
    const end = ev('SessionEnd')
    expect(
      healByStatus(run(ev('UserPromptSubmit'), end), undefined, { status: 'idle', at: end.at + 1 }),
    ).toBeUndefined()
  })
})

describe('an answered dialog in the transcript', () => {
  const evidence = (at: number) => ({ kind: 'answered', at, says: 'a dialog' }) as const

  test('clears the request', () => {
    const { session, at } = asked()
    expect(infer(session, evidence(at + 500))).toMatchObject({ type: 'PermissionResolved', at: at + 500 })
  })

  test('was another one if it was answered before this request', () => {
    const { session, at } = asked()
    expect(infer(session, evidence(at - 1))).toBeUndefined()
  })

  test('has no effect if nobody is asked', () => {
    const prompt = ev('UserPromptSubmit')
    expect(infer(run(prompt), evidence(prompt.at + 500))).toBeUndefined()
  })
})
