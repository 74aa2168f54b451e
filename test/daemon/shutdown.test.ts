/** What was answered is in the journal, however the daemon ends. */
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import {
  frame,
  journal,
  makeHome,
  parseReply,
  type Ran,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'

interface Flight {
  readonly id: string
  readonly answered: boolean
}

/**
 * 64 clients, each with one frame after the other on one connection, until the daemon hangs up; says which frames
 * were sent and which answered.
 */
async function clientsUntilTheEnd(at: Places, flights: Flight[]): Promise<void> {
  const client = () =>
    new Promise<void>((resolve) => {
      const socket = connect(at.socket)
      let id = ''
      let waiting = false
      const next = () => {
        id = newId()
        waiting = true
        socket.write(frame({ id, payload: `{"session_id":"s1","hook_event_name":"Stop","n":"${id}"}` }))
      }
      socket.on('connect', next)
      socket.on('data', (chunk) => {
        if (!parseReply(Buffer.from(chunk))) return
        flights.push({ id, answered: true })
        waiting = false
        next()
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        if (waiting) flights.push({ id, answered: false })
        resolve()
      })
    })
  await Promise.all(Array.from({ length: 64 }, client))
}

async function flightsWhile(at: Places, end: (daemon: RunningDaemon) => Promise<number>): Promise<Flight[]> {
  const daemon = await startDaemon(at)
  const flights: Flight[] = []
  const clients = clientsUntilTheEnd(at, flights)
  await until(() => flights.length > 200, 'answers')
  await end(daemon)
  await clients
  return flights
}

function expectNothingLost(at: Places, flights: Flight[]): void {
  const ids = journal<{ id: string }>(at).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const stored = new Set(ids)
  const lost = flights.filter(({ id, answered }) => answered && !stored.has(id))
  expect(lost).toEqual([])
  // Nothing came from nowhere either.
  const sent = new Set(flights.map(({ id }) => id))
  expect(ids.filter((id) => !sent.has(id))).toEqual([])
  expect(flights.filter(({ answered }) => answered).length).toBeGreaterThan(64)
}

const TRIES_MS = 60_000

describe('with frames of 64 clients in flight', () => {
  test.concurrent('SIGTERM answers what waits, and the database is at rest afterwards', async () => {
    const at = makeHome()
    let exit = -1
    const flights = await flightsWhile(at, async (daemon) => {
      exit = await daemon.kill('SIGTERM')
      return exit
    })
    expect(exit).toBe(0)
    for (const path of [at.socket, at.pid, at.http, `${at.database}-wal`]) {
      expect(existsSync(path)).toBe(false)
    }
    expectNothingLost(at, flights)

    // Whoever got no answer sends again, and each event is there once.
    const again = await startDaemon(at)
    for (const { id } of flights) {
      expect(
        await sendFrame(at, { id, payload: `{"session_id":"s1","hook_event_name":"Stop","n":"${id}"}` }),
      ).toBeDefined()
    }
    await again.kill('SIGTERM')
    const ids = journal<{ id: string }>(at).map(({ id }) => id)
    expect(ids.toSorted()).toEqual(flights.map(({ id }) => id).toSorted())
  })

  test.concurrent('SIGKILL loses nothing that was answered', async () => {
    const at = makeHome()
    const flights = await flightsWhile(at, (daemon) => daemon.kill('SIGKILL'))
    const next = await startDaemon(at)
    expectNothingLost(at, flights)
    await next.kill('SIGTERM')
    expectNothingLost(at, flights)
  })
})

/** Sends 64 frames that cannot be stored yet, the signal, and only then lets go of the database. */
async function stopWhileTheyWait(): Promise<{ answered: number; stored: number; exit: number; ms: number }> {
  const at = makeHome()
  const daemon = await startDaemon(at)
  // What takes long on a busy machine comes first: the connections, and the module that answers `status`.
  const clients = await Promise.all(Array.from({ length: 64 }, () => connected(at)))
  await call(at, 'status')
  const other = new Database(at.database)
  other.exec('PRAGMA busy_timeout = 2000; BEGIN EXCLUSIVE')
  const start = performance.now()
  const replies = clients.map((client, i) => client(frame({ payload: `{"cwd":"${i}"}` })))
  await until(async () => (await call(at, 'status')).taken === 64, 'all frames to be taken')
  const exit = daemon.kill('SIGTERM')
  await Bun.sleep(20)
  other.exec('COMMIT')
  const ms = performance.now() - start
  other.close()
  const answered = (await Promise.all(replies)).filter((reply) => reply?.exit === 0).length
  return { answered, exit: await exit, stored: journal(at).length, ms }
}

/** A client with an open connection: sends one frame and gives its reply. */
async function connected(at: Places): Promise<(bytes: Buffer) => Promise<Ran | undefined>> {
  const socket = connect(at.socket)
  await once(socket, 'connect')
  return (bytes) =>
    new Promise((resolve) => {
      const got: Buffer[] = []
      socket.on('data', (chunk: Buffer) => {
        got.push(chunk)
        if (parseReply(Buffer.concat(got))) socket.destroy()
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(parseReply(Buffer.concat(got))))
      socket.write(bytes)
    })
}

test(
  'frames that wait at SIGTERM are stored and answered before the daemon goes',
  async () => {
    // The daemon gives up on a locked database after 200 ms; on a busy machine this may take many tries.
    const end = performance.now() + TRIES_MS
    let result = await stopWhileTheyWait()
    while (result.ms > 150 && performance.now() < end) result = await stopWhileTheyWait()
    expect(result).toMatchObject({ answered: 64, stored: 64, exit: 0 })
  },
  2 * TRIES_MS,
)

test.concurrent('two signals at once are one stop', async () => {
  const at = makeHome()
  const daemon = await startDaemon(at)
  void daemon.kill('SIGINT')
  expect(await daemon.kill('SIGTERM')).toBe(0)
})
