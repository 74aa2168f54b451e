import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eventOf, silentLog, tempDir } from '../../test/kit.ts'
import { EMPTY_REPLY, missedReason, NO_VERDICT, type Verdict } from '../events/index.ts'
import { openStore } from '../store/index.ts'
import { decideOn, noteMissed, noteOddities, redactAndParse, replyTo } from './replies.ts'

const deny: Verdict = { decision: 'deny', reason: 'no' }

function parts() {
  const store = openStore(join(tempDir(), 'gantry.db'))
  const asked: string[] = []
  const note =
    (who: string) =>
    ({ id }: { id: string }) =>
      void asked.push(`${who} ${id}`)
  const decide = (event: { id: string }) => {
    note('decide')(event)
    return deny
  }
  return { store, log: silentLog(), asked, decide, observe: note('observe'), repeat: note('repeat') }
}

const heard = eventOf({ id: 'h', seq: 1, transport: 'socket' })
const unheard = eventOf({ id: 'u', seq: 2, transport: 'spool' })

describe('deciding on an event', () => {
  test('decides for a waiting agent, and only observes otherwise', () => {
    const all = parts()
    all.store.journal.commit(() => {
      expect(decideOn(heard, all)).toBe(deny)
      expect(decideOn(unheard, all)).toBe(NO_VERDICT)
      expect(decideOn({ ...unheard, id: 'twin', seq: 0 }, all)).toBe(NO_VERDICT)
    })
    expect(all.asked).toEqual(['decide h', 'observe u'])
  })

  test('a retried commit decides nothing again, and repeats rolled back writes', () => {
    const all = parts()
    all.store.journal.commit(() => {
      expect(decideOn(heard, all, deny)).toBe(deny)
      expect(decideOn(unheard, all, NO_VERDICT)).toBe(NO_VERDICT)
    })
    expect(all.asked).toEqual(['repeat h', 'repeat u'])
  })

  test('an error counts as no decision, unless the whole transaction is gone', () => {
    const all = parts()
    const broken = () => {
      throw new Error('a mistake')
    }
    all.store.journal.commit(() => {
      expect(decideOn(heard, { ...all, decide: broken })).toBe(NO_VERDICT)
      expect(decideOn(heard, { ...all, repeat: broken }, deny)).toBe(deny)
    })
    expect(all.store.counters.all()).toMatchObject([{ kind: 'missed', count: 2 }])
    expect(() => decideOn(heard, { ...all, decide: broken })).toThrow('a mistake')
  })
})

describe('a missed decision is counted with its reason', () => {
  const keys = ({ store }: ReturnType<typeof parts>) =>
    store.counters.all().map(({ kind, key, count }) => `${kind} ${key}: ${count}`)
  const called = { agent: 'claude', native: 'PreToolUse', type: 'PreToolUse' } as const

  test.each([
    ['it did not come in time', 'late'],
    ['its hook was ended', 'left'],
    ['too many agents wait already', 'full'],
    ['gantry stops', 'stopping'],
    ['TypeError: x', 'failed'],
  ])('%s', (problem, reason) => {
    const all = parts()
    noteMissed(eventOf(called), problem, all)
    expect(keys(all)).toEqual([`missed claude PreToolUse ${reason}: 1`])
    expect(missedReason(`claude PreToolUse ${reason}`)).toMatchObject({ about: 'claude PreToolUse', reason })
  })

  test('gantry was away: only hooks that could have been answered', () => {
    const all = parts()
    noteOddities(eventOf({ ...called, transport: 'spool' }), true, all.store.counters)
    noteOddities(eventOf({ ...called, transport: 'socket' }), true, all.store.counters)
    const ended = { agent: 'claude', native: 'SessionEnd', type: 'SessionEnd' } as const
    noteOddities(eventOf({ ...ended, transport: 'spool' }), true, all.store.counters)
    expect(keys(all)).toEqual(['missed claude PreToolUse away: 1'])
  })

  test('what the agent cannot be told: a decision, and not mere advice', () => {
    const all = parts()
    const words = () => ({ reply: EMPTY_REPLY, degraded: ['ask', 'context'] })
    replyTo(eventOf(called), deny, words, all)
    expect(keys(all)).toEqual([
      'degraded claude PreToolUse context: 1',
      'missed claude PreToolUse no-words:ask: 1',
    ])
  })

  test('older counters have none', () => {
    expect(missedReason('claude PreToolUse')).toMatchObject({ about: 'claude PreToolUse', reason: 'unknown' })
    expect(missedReason('handler constructor')).toMatchObject({
      about: 'handler constructor',
      reason: 'unknown',
    })
  })
})

test('whatever a value of the environment looks like, its hook is read', () => {
  const { store } = parts()
  for (const letter of ['\b', '\f', '\n', '\r', '\t', '"', '\\']) {
    const PWD = `/x${letter}api_a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8s9t0 ghp_${'a'.repeat(36)}`
    const { id, at, receivedAt, agent, raw } = eventOf({})
    const sent = { id, at, receivedAt, agent, raw, transport: 'socket', client: { env: { PWD } } } as const
    const event = redactAndParse(sent, true, store.counters)
    expect(event.client.env.PWD).toBe(PWD.replace(/ghp_a+/, '[redacted]'))
  }
})
