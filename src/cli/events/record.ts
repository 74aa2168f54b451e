/** Records events of the journal, one JSON object per line. */
import { closeSync, writeSync } from 'node:fs'
import { call, subscribe, type WireEvent } from '../../client/index.ts'
import { GantryError } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { objectIn } from '../../core/json.ts'
import { counted } from '../../core/text/text.ts'
import { withoutUndefined } from '../../core/without-undefined.ts'
import { CANARY, OWN_AGENT, partsOfKey } from '../../events/index.ts'
import { type Recordable, recordedLine } from '../../replay/index.ts'
import { openEventReader } from '../../store/index.ts'
import type { Input } from '../framework/define.ts'
import { newFile } from '../framework/new-file.ts'
import { progressOf } from '../framework/progress.ts'
import { note, out } from '../framework/terminal.ts'
import { sessionIdOf } from '../sessions/id.ts'
import type * as commands from './index.ts'

interface Wanted {
  readonly session?: string
  readonly agent?: string
  readonly since?: number
}

/** The fields that tell whose event it is. */
type Owned = Recordable & { readonly seq: number; readonly sessionId: string; readonly receivedAt: number }

const PAGE = 500

export async function run({ flags, places }: Input<typeof commands.record>): Promise<number> {
  const { out: file, session: named, agent, since } = flags
  const session = named === undefined ? undefined : await sessionIdOf(places, named)
  const wanted = withoutUndefined({ session, agent, since })
  const sink = file === undefined ? undefined : newFile(file)
  let events = 0
  const write = (event: Recordable) => {
    const line = recordedLine(event)
    if (sink === undefined) out(line)
    else writeSync(sink, `${line}\n`)
    events += 1
  }
  const done = () => {
    if (sink !== undefined) closeSync(sink)
    if (file !== undefined) note(`${counted(events, 'event')} written to ${file}`)
    return 0
  }
  if (flags.follow) process.once('SIGINT', () => process.exit(done()))
  const { database, lastSeq, events: total } = await call(places, 'status')
  const progress = file === undefined ? undefined : progressOf('events')
  for (const event of stored(database, wanted, lastSeq)) {
    write(event)
    progress?.at(events, total)
  }
  progress?.end()
  if (flags.follow) await live(places, wanted, lastSeq, write)
  return done()
}

/** Reads the database directly, to leave the daemon alone. */
function* stored(database: string, wanted: Wanted, lastSeq: number): Generator<Owned> {
  const { session, agent, since } = wanted
  const reader = openEventReader(database)
  try {
    const start = since === undefined ? 0 : reader.seqBefore(since)
    const pages = function* (filter: { session?: string; agent?: string }): Generator<Owned> {
      for (let after = start; ; ) {
        const rows = [...reader.oldest({ ...filter, after, before: lastSeq + 1 }, PAGE)]
        yield* rows
        if (rows.length < PAGE) return
        after = rows.at(-1)?.seq ?? lastSeq
      }
    }
    const theirs = pages(withoutUndefined({ session, agent }))
    const isAll = session === undefined && agent === undefined
    const found = isAll ? theirs : inOrder(theirs, pages({ agent: OWN_AGENT }))
    for (const event of found) if (isWanted(event, wanted)) yield event
  } finally {
    reader.close()
  }
}

/** Merges two streams of events by sequence, without duplicates. */
function* inOrder(one: Iterator<Owned>, other: Iterator<Owned>): Generator<Owned> {
  let a = one.next()
  let b = other.next()
  while (!a.done || !b.done) {
    const takesA = !a.done && (b.done || a.value.seq <= b.value.seq)
    const { value } = takesA ? a : b
    yield value
    if (!a.done && a.value.seq === value.seq) a = one.next()
    if (!b.done && b.value.seq === value.seq) b = other.next()
  }
}

async function live(
  places: Places,
  wanted: Wanted,
  after: number,
  write: (event: Recordable) => void,
): Promise<void> {
  for await (const event of subscribe(places, { after })) {
    const recordable = ofWire(event)
    if (isWanted(recordable, wanted)) write(recordable)
  }
  throw new GantryError('DAEMON_AWAY', 'The daemon went away. What it sent until then is recorded.')
}

function ofWire({ raw, rawBase64, ...event }: WireEvent): Owned {
  return { ...event, raw: raw ?? Buffer.from(rawBase64 ?? '', 'base64') } as Owned
}

/** gantry's own events about a session (its title, its context) belong to it; what only tried a hook belongs to none. */
function isWanted(event: Owned, { session, agent, since }: Wanted): boolean {
  if (since !== undefined && event.receivedAt < since) return false
  if (event.sessionId.startsWith(CANARY)) return false // played again it would be a session
  if (session === undefined && agent === undefined) return true
  const whose = event.agent === OWN_AGENT ? partsOfKey(keyIn(event)) : event
  return whose.sessionId === (session ?? whose.sessionId) && whose.agent === (agent ?? whose.agent)
}

function keyIn({ raw }: Owned): string {
  const { session_key: key } = objectIn(String(raw)) ?? {}
  return typeof key === 'string' ? key : ''
}
