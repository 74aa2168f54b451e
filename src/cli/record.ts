/** Events of the journal as lines of a file, to be played again, kept as fixtures, or sent to somebody. */

import { closeSync, openSync, writeSync } from 'node:fs'
import { call, subscribe, timeOf, type WireEvent } from '../client/index.ts'
import { GantryError, messageOf } from '../core/errors.ts'
import type { Places } from '../core/paths.ts'
import { counted } from '../core/text.ts'
import { type Recordable, recordedLine } from '../replay/index.ts'
import { openEventReader } from '../store/index.ts'
import { type Command, type Input, stringFlag } from './command.ts'
import { progressOf } from './progress.ts'
import { sessionIdOf } from './session-id.ts'
import { note, out } from './terminal.ts'

interface Wanted {
  readonly session?: string
  readonly agent?: string
  readonly since?: number
}

/** What is needed of an event to tell whose it is. */
type Owned = Recordable & { readonly seq: number; readonly sessionId: string; readonly receivedAt: number }

const PAGE = 500
const OWN_AGENT = 'gantry'

export const record: Command = {
  name: 'record',
  summary: 'Write events to a file that can be played again',
  usage: '[--out file] [--session s] [--agent a] [--since when] [--follow]',
  options: {
    out: { type: 'string', short: 'o', value: 'file', help: 'A new file, for you alone (default: stdout)' },
    session: { type: 'string', value: 'id', help: 'Only this session, by id, the beginning of one, or name' },
    agent: { type: 'string', value: 'agent', help: 'Only this agent, e.g. claude' },
    since: { type: 'string', value: 'when', help: 'A time span (90s, 15m, 1h, 7d) or an ISO time' },
    follow: { type: 'boolean', short: 'f', help: 'Stay and record what comes, until Ctrl-C' },
  },
  examples: [
    { line: 'gantry record --session keen-yak --out yak.jsonl', does: 'One session, all of it' },
    { line: 'gantry record --since 1h --follow --out today.jsonl', does: 'The last hour, and what comes' },
    { line: 'gantry record --agent codex | jq -r .event | sort | uniq -c', does: 'One JSON object a line' },
  ],
  async run(input) {
    const wanted = await wantedOf(input)
    const file = stringFlag(input, 'out')
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
    if (input.flags.follow) process.once('SIGINT', () => process.exit(done()))
    const { database, lastSeq, events: total } = await call(input.places, 'status')
    const progress = file === undefined ? undefined : progressOf('events')
    for (const event of stored(database, wanted, lastSeq)) {
      write(event)
      progress?.at(events, total)
    }
    progress?.end()
    if (input.flags.follow) await live(input.places, wanted, lastSeq, write)
    return done()
  },
}

async function wantedOf(input: Input): Promise<Wanted> {
  const since = stringFlag(input, 'since')
  const agent = stringFlag(input, 'agent')
  const named = stringFlag(input, 'session')
  const session = named === undefined ? undefined : await sessionIdOf(input.places, named)
  return {
    ...(since === undefined ? {} : { since: timeOf(since, Date.now()) }),
    ...(agent === undefined ? {} : { agent }),
    ...(session === undefined ? {} : { session }),
  }
}

/** Straight from the database, read only: the daemon has better things to do than to send all of it. */
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
    const theirs = pages({
      ...(session === undefined ? {} : { session }),
      ...(agent === undefined ? {} : { agent }),
    })
    const isAll = session === undefined && agent === undefined
    const found = isAll ? theirs : inOrder(theirs, pages({ agent: OWN_AGENT }))
    for (const event of found) if (isWanted(event, wanted)) yield event
  } finally {
    reader.close()
  }
}

/** Two rows of events as one; an event that is in both comes once. */
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

/** What gantry itself says of a session belongs to it: its title, what its context holds. */
function isWanted(event: Owned, { session, agent, since }: Wanted): boolean {
  if (since !== undefined && event.receivedAt < since) return false
  if (session === undefined && agent === undefined) return true
  const key = event.agent === OWN_AGENT ? keyIn(event) : `${event.agent}:${event.sessionId}`
  if (session !== undefined && !key.endsWith(`:${session}`)) return false
  return agent === undefined || key.startsWith(`${agent}:`)
}

function keyIn({ raw }: Owned): string {
  try {
    const { session_key: key } = JSON.parse(String(raw)) as { session_key?: unknown }
    return typeof key === 'string' ? key : ''
  } catch {
    return ''
  }
}

function newFile(path: string): number {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (cause) {
    const isThere = (cause as NodeJS.ErrnoException).code === 'EEXIST'
    const message = isThere
      ? `${path} is there already. Give another name.`
      : `Cannot write ${path}: ${messageOf(cause)}`
    throw new GantryError('USAGE', message, { cause })
  }
}
