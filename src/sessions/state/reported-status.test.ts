import { describe, expect, test } from 'bun:test'
import { phaseOf } from './phase.ts'
import { reduce } from './reduce.ts'
import { heal, healByStatus } from './reported-status.ts'
import { ev, run, tool } from './testkit.ts'

const asked = () => {
  const prompt = ev('UserPromptSubmit')
  const call = ev('PreToolUse', tool('Edit', 't1'))
  const request = ev('PermissionRequest', tool('Edit', undefined, { of: 't1' }))
  return { session: run(prompt, call, request), at: request.at }
}

describe('what an agent says of itself', () => {
  test('idle in the middle of a turn: it was broken off', () => {
    const prompt = ev('UserPromptSubmit')
    const healed = healByStatus(run(prompt), undefined, { status: 'idle', at: prompt.at + 500 })
    expect(healed).toMatchObject({ type: 'Interrupt', at: prompt.at + 500 })
  })

  test('idle from before the turn says nothing of it', () => {
    const prompt = ev('UserPromptSubmit')
    expect(healByStatus(run(prompt), undefined, { status: 'idle', at: prompt.at - 1 })).toBeUndefined()
  })

  test('idle after the end of the turn leaves what runs in the background', () => {
    const backgroundTasks = [{ id: 'b1', status: 'running' }]
    const stop = ev('Stop', { backgroundTasks })
    const session = run(ev('UserPromptSubmit'), stop)
    expect(healByStatus(session, undefined, { status: 'idle', at: stop.at + 40 })).toBeUndefined()
  })

  test('a compaction that was broken off is over', () => {
    const compact = ev('PreCompact')
    const healed = healByStatus(run(compact), undefined, { status: 'idle', at: compact.at + 500 })
    expect(healed).toMatchObject({ type: 'Interrupt' })
  })

  test('busy after a dialog: the request that it was for has its answer', () => {
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

  test('a request that came long after the dialog was shown is not the one it was for', () => {
    const { session, at } = asked()
    const shown = { status: 'waiting', at: at - 5000 } as const
    expect(healByStatus(session, shown, { status: 'busy', at: at + 20 })).toBeUndefined()
  })

  test('of two requests of one moment nobody can tell which one was answered', () => {
    const before = [ev('UserPromptSubmit'), ev('PermissionRequest', tool('Edit', 't1'))]
    const other = { ...ev('PermissionRequest', tool('Write', 't2')), at: (before[1]?.at ?? 0) + 20 }
    const session = run(...before, other)
    expect(session.attention).toHaveLength(2)
    const shown = { status: 'waiting', at: other.at + 10 } as const
    expect(healByStatus(session, shown, { status: 'busy', at: other.at + 900 })).toBeUndefined()
  })

  test('requests that waited behind the dialog for a while have their answers, too; a hidden one has not', () => {
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

  test('busy after it was idle, and no hook said why: a turn has begun', () => {
    const stop = ev('Stop')
    const rested = run(ev('UserPromptSubmit', { at: stop.at - 500 }), stop)
    const idle = { status: 'idle', at: stop.at + 40 } as const
    const healed = healByStatus(rested, idle, { status: 'busy', at: stop.at + 900 })
    expect(healed).toMatchObject({ type: 'TurnObserved', at: stop.at + 900 })
    // Not where hooks have told, where it was busy all along, or where that is older than the end of the turn.
    const asked = run(ev('UserPromptSubmit'))
    expect(healByStatus(asked, idle, { status: 'busy', at: stop.at + 900 })).toBeUndefined()
    expect(healByStatus(rested, undefined, { status: 'busy', at: stop.at + 900 })).toBeUndefined()
    expect(healByStatus(rested, idle, { status: 'busy', at: stop.at - 1 })).toBeUndefined()
  })

  test('a turn that was observed works until it stops, or the agent is idle again', () => {
    const [prompt, stop] = [ev('UserPromptSubmit', { prompt: 'go' }), ev('Stop')]
    const begun = [prompt, stop, ev('TurnObserved', { transport: 'healer' })]
    const session = run(...begun)
    expect([phaseOf(session), session.lastPrompt]).toEqual(['working', 'go'])
    expect(phaseOf(run(...begun, ev('Stop')))).toBe('idle')
    const healed = healByStatus(session, undefined, { status: 'idle', at: Number.MAX_SAFE_INTEGER })
    expect(healed).toMatchObject({ type: 'Interrupt' })
  })

  test('a session that has ended is left alone', () => {
    const end = ev('SessionEnd')
    expect(
      healByStatus(run(ev('UserPromptSubmit'), end), undefined, { status: 'idle', at: end.at + 1 }),
    ).toBeUndefined()
  })
})

describe('a dialog that was answered, as the transcript tells', () => {
  const evidence = (at: number) => ({ kind: 'answered', at, says: 'a dialog' }) as const

  test('is no longer waited for', () => {
    const { session, at } = asked()
    expect(heal(session, evidence(at + 500))).toMatchObject({ type: 'PermissionResolved', at: at + 500 })
  })

  test('was another one when it was answered before this one asked', () => {
    const { session, at } = asked()
    expect(heal(session, evidence(at - 1))).toBeUndefined()
  })

  test('says nothing where nobody is asked', () => {
    const prompt = ev('UserPromptSubmit')
    expect(heal(run(prompt), evidence(prompt.at + 500))).toBeUndefined()
  })
})
