import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eventOf, silentLog, tempDir } from '../../test/kit.ts'
import { NO_VERDICT, type Verdict } from '../events/index.ts'
import { openStore } from '../store/index.ts'
import { decideOn } from './replies.ts'

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
