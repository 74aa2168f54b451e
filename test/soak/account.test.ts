/** The account has to notice each kind of fault, or a soak shows nothing. */
import { describe, expect, test } from 'bun:test'
import { type Account, accountOf, FAULTS, type Fault, type StoredEvent } from './account.ts'
import type { BusMessage } from './bus-reader.ts'

const MARKS = ['a-1', 'a-2', 'b-1', 'b-2']

/** Four events of two sessions, sent, stored and published; and what a test changes. */
function account(change: (facts: ReturnType<typeof good>) => void = () => {}): Account {
  const facts = good()
  change(facts)
  return accountOf(facts)
}

function good() {
  const none: string[] = []
  const stored: StoredEvent[] = MARKS.map((mark, n) => ({
    mark,
    id: `id-${mark}`,
    seq: n + 1,
    session: mark.slice(0, 1),
    transport: n === 0 ? 'spool' : 'socket',
  }))
  const bus: BusMessage[] = MARKS.map((mark, n) => ({ stream: 's', seq: n + 1, id: `id-${mark}` }))
  return {
    ledger: {
      sent: new Set(MARKS),
      unsure: new Set<string>(),
      refused: new Set<string>(),
      harmed: none,
    },
    stored,
    bus,
    unread: 0,
    subscriber: new Set(stored.map(({ id }) => id)),
  }
}

const faultsOf = ({ faults }: Account) =>
  (Object.keys(FAULTS) as Fault[]).filter((fault) => faults[fault].count > 0)

describe('the account', () => {
  test('adds up when nothing is wrong', () => {
    expect(account()).toMatchObject({ sent: 4, stored: 4, spooled: 1, onBus: 4, unsure: 0 })
    expect(faultsOf(account())).toEqual([])
  })

  test.each<[string, (facts: ReturnType<typeof good>) => void, Fault[]]>([
    ['an event that is not stored', (facts) => void facts.stored.pop(), ['lost', 'busUnknown']],
    [
      'an event that is stored twice',
      ({ stored }) => stored.push({ ...stored[3], seq: 5 } as StoredEvent),
      ['doubled'],
    ],
    ['an event of nobody', ({ ledger }) => ledger.sent.delete('b-2'), ['unknown']],
    ['a message that is missing', ({ bus }) => void bus.pop(), ['busLost']],
    [
      'a message that is there twice',
      ({ bus }) => bus.push({ stream: 's', seq: 5, id: 'id-b-2' }),
      ['busDoubled'],
    ],
    ['messages in the wrong order', ({ bus }) => bus.reverse(), ['busDisordered']],
    ['a subscriber that missed one', ({ subscriber }) => subscriber.delete('id-a-1'), ['subscriberLost']],
    ['a client that gave up', ({ ledger }) => ledger.refused.add('x'), ['refused']],
    ['an agent that noticed', ({ ledger }) => ledger.harmed.push('a-1: exit 2'), ['harmed']],
  ])('notices %s', (_, change, faults) => {
    expect(faultsOf(account(change))).toEqual(faults)
  })

  test('lets a killed client have stored its event or not, but not twice', () => {
    const unsure = ({ ledger }: ReturnType<typeof good>) => {
      ledger.sent.delete('b-2')
      ledger.unsure.add('b-2').add('never stored')
    }
    expect(account(unsure)).toMatchObject({ unsure: 2, unsureStored: 1 })
    expect(faultsOf(account(unsure))).toEqual([])
    const twice = account((facts) => {
      unsure(facts)
      facts.stored.push({ ...facts.stored[3], seq: 5 } as StoredEvent)
    })
    expect(faultsOf(twice)).toEqual(['doubled'])
  })

  test('counts what gantry raises about a session apart, and once for its cause', () => {
    const raise = ({ stored, bus, subscriber }: ReturnType<typeof good>, id: string, seq: number) => {
      stored.push({ mark: 'PermissionDenied after id-a-1', id, seq, session: 'a', transport: 'healer' })
      bus.push({ stream: 's', seq, id })
      subscriber.add(id)
    }
    const once = account((facts) => raise(facts, 'x', 5))
    expect([once.raised, faultsOf(once)]).toEqual([1, []])
    const twice = account((facts) => {
      raise(facts, 'x', 5)
      raise(facts, 'y', 6)
    })
    expect(faultsOf(twice)).toEqual(['doubled'])
  })

  test('allows a stream that was made anew to have an event again', () => {
    const anew = account(({ bus }) => bus.push({ stream: 't', seq: 1, id: 'id-b-2' }))
    expect(faultsOf(anew)).toEqual([])
  })
})
