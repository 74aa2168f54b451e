import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { BusMessage } from '../streams/index.ts'
import { type Entry, Flight } from './in-flight.ts'

const message = (seq: number, session: string): BusMessage => ({
  stream: 'HOOK_EVENTS',
  seq,
  id: `id-${seq}`,
  at: seq,
  subject: 'hooks.Stop',
  type: 'Stop',
  agent: 'claude',
  native: 'Stop',
  session,
  data: '{}',
})
const copies = (seq: number) => [{ subject: 'hooks.Stop', id: `id-${seq}` }]

function filled(sessions: readonly string[], mark = 0): Flight {
  const flight = new Flight(mark)
  for (const [at, session] of sessions.entries()) {
    flight.add(message(mark + at + 1, session), copies(mark + at + 1))
  }
  return flight
}

function takeAll(flight: Flight, floor = 0): Entry[] {
  const taken: Entry[] = []
  for (let entry = flight.next(floor); entry; entry = flight.next(floor)) taken.push(entry)
  return taken
}

const seqs = (entries: readonly Entry[]) => entries.map((entry) => entry.message.seq)

describe('messages on their way', () => {
  test('only the first of a session flies', () => {
    const flight = filled(['a', 'a', 'b', 'a'])
    const [one, three] = takeAll(flight)
    expect([one?.message.seq, three?.message.seq]).toEqual([1, 3])
    flight.land(one as Entry)
    expect(seqs(takeAll(flight))).toEqual([2])
  })

  test('the mark waits for the oldest', () => {
    const flight = filled(['a', 'b', 'c'], 10)
    const [one, two, three] = takeAll(flight) as [Entry, Entry, Entry]
    flight.land(two)
    expect(flight.mark).toBe(10)
    expect(flight.ahead).toBe(1)
    flight.land(one)
    expect(flight.mark).toBe(12)
    flight.land(three)
    expect(flight).toMatchObject({ mark: 13, cursor: 13, size: 0, bytes: 0, flying: 0 })
  })

  test('one that comes back is sent again before the others of its session', () => {
    const flight = filled(['a', 'a'])
    flight.back(takeAll(flight)[0] as Entry)
    expect(seqs(takeAll(flight))).toEqual([1])
  })

  test('the floor is where the stream was before the oldest of them left', () => {
    const flight = filled(['a', 'b', 'c'])
    expect(flight.floor()).toBe(Number.POSITIVE_INFINITY)
    const first = flight.next(100) as Entry
    const second = flight.next(105) as Entry
    expect(flight.floor()).toBe(100)
    flight.back(first)
    expect((flight.next(200) as Entry).floor).toBe(100)
    flight.land(second)
    expect(flight.floor()).toBe(100)
    flight.land(first)
    expect(flight.floor()).toBe(Number.POSITIVE_INFINITY)
  })

  test('what is in the stream already is struck out, also in the middle of a lane', () => {
    const flight = filled(['a', 'a', 'a', 'b'])
    flight.back(flight.next(1) as Entry)
    const struck = flight.strike(({ id }) => id === 'id-1' || id === 'id-2')
    expect(seqs(struck)).toEqual([1, 2])
    expect(flight.mark).toBe(2)
    expect(seqs(takeAll(flight)).sort()).toEqual([3, 4])
  })

  test('with two copies, the one that is missing is left', () => {
    const flight = new Flight(0)
    flight.add(message(1, 'a'), [...copies(1), { subject: 'hooks.box.Stop', id: 'id-1:h' }])
    flight.strike(({ id }) => id === 'id-1')
    expect(flight.next(0)?.copies).toEqual([{ subject: 'hooks.box.Stop', id: 'id-1:h' }])
  })

  test('a letter takes its turn in its session, and the mark does not wait for it', () => {
    const flight = filled(['a'], 50)
    flight.addLetter(message(7, 'a'), copies(7))
    const first = takeAll(flight)
    expect(seqs(first)).toEqual([51])
    expect(flight.hasLetter(7)).toBe(true)
    flight.land(first[0] as Entry)
    expect(flight.mark).toBe(51)
    const letter = flight.next(9) as Entry
    expect(letter).toMatchObject({ isLetter: true })
    expect(flight.floor()).toBe(9)
    flight.land(letter)
    expect(flight).toMatchObject({ mark: 51, size: 0, bytes: 0 })
  })

  test('whatever comes back and lands: one at a time in a session, in order, each once', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('land', 'back', 'add'), fc.nat(20)), { maxLength: 300 })
    fc.assert(
      fc.property(steps, (all) => {
        const flight = new Flight(0)
        const flying: Entry[] = []
        const landed = new Map<string, number[]>()
        let seq = 0
        const step = (what: string, which: number) => {
          if (what === 'add') {
            seq += 1
            flight.add(message(seq, `s${which % 4}`), copies(seq))
          } else if (flying.length > 0) {
            const [entry] = flying.splice(which % flying.length, 1) as [Entry]
            if (what === 'back') flight.back(entry)
            else {
              const { session } = entry.message
              landed.set(session, [...(landed.get(session) ?? []), entry.message.seq])
              flight.land(entry)
            }
          }
          flying.push(...takeAll(flight))
          const sessions = flying.map((entry) => entry.message.session)
          expect(new Set(sessions).size).toBe(sessions.length)
        }
        for (const [what, which] of all) step(what, which)
        while (flying.length > 0) step('land', 0)
        expect(flight).toMatchObject({ mark: seq, size: 0, bytes: 0, flying: 0 })
        expect([...landed.values()].flat().length).toBe(seq)
        for (const order of landed.values()) expect(order).toEqual([...order].sort((a, b) => a - b))
      }),
    )
  })
})

test('a refusal counts only when others get through', () => {
  const flight = filled(['a', 'b'])
  const [one, two] = takeAll(flight) as [Entry, Entry]
  expect([flight.refuse(one), flight.refuse(one)]).toEqual([0, 0])
  flight.land(two)
  expect(flight.refuse(one)).toBe(3)
})
