/** The account: what was sent beside what is in the journal, on the bus, and with the durable subscriber. */
import type { BusMessage } from './bus-reader.ts'
import type { Ledger } from './ledger.ts'

export interface StoredEvent {
  /** As it was sent. An event that gantry raised has one that names its cause. */
  readonly mark: string
  readonly id: string
  readonly seq: number
  readonly session: string
  readonly transport: string
}

export interface Facts {
  readonly ledger: Pick<Ledger, 'sent' | 'unsure' | 'refused' | 'harmed'>
  /** In the order of the journal. */
  readonly stored: readonly StoredEvent[]
  readonly bus: readonly BusMessage[]
  /** Messages that the stream dropped before they could be read. */
  readonly unread: number
  /** Ids that the durable subscriber got. */
  readonly subscriber: ReadonlySet<string>
}

export interface Account {
  readonly sent: number
  /** Of clients that were killed, and how many of them are stored nevertheless. */
  readonly unsure: number
  readonly unsureStored: number
  readonly stored: number
  /** By gantry itself, about these sessions. */
  readonly raised: number
  readonly spooled: number
  readonly onBus: number
  readonly unread: number
  /** Marks or ids, at most a few of each. Every list is empty if gantry keeps its promises. */
  readonly faults: Readonly<Record<Fault, Found>>
}

export interface Found {
  readonly count: number
  readonly some: readonly string[]
}

export const FAULTS = {
  lost: 'sent, and not in the journal',
  refused: 'the client could keep them nowhere, and said so',
  doubled: 'in the journal more than once',
  unknown: 'in the journal, but nobody sent them',
  busLost: 'in the journal, but never on the bus',
  busDoubled: 'on the bus more than once',
  busUnknown: 'on the bus, but not in the journal',
  busDisordered: 'on the bus before an earlier event of their session',
  subscriberLost: 'in the journal, but not with the durable subscriber',
  harmed: 'hooks that an agent would have noticed',
} as const
export type Fault = keyof typeof FAULTS
const SHOWN = 10

/** Of events that gantry raised itself. */
const RAISED = 'healer'

export function accountOf({ ledger, stored, bus, unread, subscriber }: Facts): Account {
  const { sent, unsure, refused, harmed } = ledger
  const marks = new Set(stored.map(({ mark }) => mark))
  const byId = new Map(stored.map((event) => [event.id, event]))
  const onBus = new Set(bus.map(({ id }) => id))
  const missing = [...byId.keys()].filter((id) => !onBus.has(id))
  const isSent = (mark: string) => sent.has(mark) || unsure.has(mark) || refused.has(mark)
  const isRaised = ({ transport }: StoredEvent) => transport === RAISED
  return {
    sent: sent.size,
    unsure: unsure.size,
    unsureStored: [...unsure].filter((mark) => marks.has(mark)).length,
    stored: stored.length,
    raised: stored.filter(isRaised).length,
    spooled: stored.filter(({ transport }) => transport === 'spool').length,
    onBus: onBus.size,
    unread,
    faults: {
      lost: found([...sent].filter((mark) => !marks.has(mark))),
      refused: found([...refused]),
      doubled: found(repeated(stored.map(({ mark }) => mark))),
      unknown: found(stored.filter((one) => !isRaised(one) && !isSent(one.mark)).map(({ mark }) => mark)),
      busLost: found(missing.length > unread ? missing : []),
      // In the same stream: one that was made anew gets the newest events once more.
      busDoubled: found(repeated(bus.map(({ stream, id }) => `${id} in ${stream}`))),
      busUnknown: found([...onBus].filter((id) => !byId.has(id))),
      busDisordered: found(disordered(bus, byId)),
      subscriberLost: found([...byId.keys()].filter((id) => !subscriber.has(id))),
      harmed: found(harmed),
    },
  }
}

function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.filter((name) => seen.size === seen.add(name).size)
}

function disordered(bus: readonly BusMessage[], byId: ReadonlyMap<string, StoredEvent>): string[] {
  const newest = new Map<string, number>()
  return bus.flatMap(({ stream, id }) => {
    const event = byId.get(id)
    if (!event) return []
    const key = `${stream} ${event.session}`
    const before = newest.get(key) ?? 0
    newest.set(key, Math.max(before, event.seq))
    return event.seq < before ? [id] : []
  })
}

function found(names: readonly string[]): Found {
  return { count: names.length, some: names.slice(0, SHOWN) }
}
