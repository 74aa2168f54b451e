/**
 * bun bench/bare-store.ts <socket> <database>: the floor of a daemon on Bun and SQLite. It reads hook frames, stores each
 * payload with its type and session, commits once per turn of the loop, and then answers "0 0 0". No logic at all.
 */
import { Database } from 'bun:sqlite'
import type { Socket } from 'bun'

interface Peer {
  have: Buffer
}

const [unix = '', file = ''] = process.argv.slice(2)
const nothing = Buffer.alloc(0)
const db = new Database(file, { create: true })
db.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
db.exec('CREATE TABLE events (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, type TEXT, session TEXT, raw TEXT)')
db.exec('CREATE INDEX events_by_session ON events (session, seq)')
const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')]
const insert = db.prepare('INSERT INTO events (id, type, session, raw) VALUES (?, ?, ?, ?)')
let turn: { header: { id: string; len: number }; raw: string; from: Socket<Peer> }[] = []

function store(): void {
  const events = turn
  turn = []
  begin.run()
  for (const { header, raw } of events) {
    const { hook_event_name, session_id } = JSON.parse(raw)
    insert.run(header.id, hook_event_name, session_id, raw)
  }
  commit.run()
  for (const { from } of events) from.write('0 0 0\n')
}

Bun.listen<Peer>({
  unix,
  data: undefined as never,
  socket: {
    open: (from) => {
      from.data = { have: nothing }
    },
    data: (from, bytes) => {
      const have = from.data.have.length > 0 ? Buffer.concat([from.data.have, bytes]) : bytes
      const end = have.indexOf(10)
      const header = end < 0 ? undefined : JSON.parse(have.toString('utf8', 0, end))
      if (header === undefined || have.length < end + 1 + header.len) {
        from.data.have = Buffer.from(have)
        return
      }
      from.data.have = nothing
      if (turn.push({ header, raw: have.toString('utf8', end + 1), from }) === 1) setImmediate(store)
    },
  },
})
console.log('ready')
