/**
 * The promise behind everything: whatever is killed, and whenever, each hook that ran is in the journal exactly
 * once. Real native clients, real daemons, real SIGKILLs at random moments.
 */
import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import {
  daemonPid,
  endDaemon,
  envFor,
  fixtureLines,
  frame,
  GANTRY,
  gantry,
  HOOK,
  journal,
  makeHome,
  run,
  startDaemon,
  until,
} from '../kit.ts'
import { limitMs, rounds } from '../long.ts'

const ROUNDS = rounds(5, 400)
const MOST_ROUNDS = 5 * ROUNDS
const CLIENTS = 4
const RUNS = rounds(40, 1_000)
const SPOOLED = rounds(1_000, 2_500)

const homes: Places[] = []
afterAll(async () => {
  for (const at of homes) await endDaemon(at)
})

function home(): Places {
  const at = makeHome('[http]\nenabled = false\n[collisions]\nmode = "off"\n')
  homes.push(at)
  return at
}

const random = (ms: number) => Math.random() * ms
const payloads = fixtureLines('claude/2.1.325/basic.jsonl')

/** One hook as an agent runs it; whatever happens to the daemon, the agent must not notice. */
async function hook(at: Places, payload: string): Promise<void> {
  const { exit, stdout, stderr } = await run([HOOK, 'claude'], at, payload)
  if (exit !== 0 || stdout || stderr) throw new Error(`the agent noticed: ${exit} ${stdout} ${stderr}`)
}

function killDaemon(at: Places): void {
  const pid = daemonPid(at)
  if (pid === undefined) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it had just ended
  }
}

/** How long a daemon takes from its first breath to an open door, and the clients of a round to their answers, here and now. */
async function timesHere(): Promise<{ startMs: number; roundMs: number }> {
  const at = makeHome('[http]\nenabled = false\n[collisions]\nmode = "off"\n')
  const began = performance.now()
  const daemon = await startDaemon(at)
  const started = performance.now()
  await Promise.all(Array.from({ length: CLIENTS }, () => hook(at, '{}')))
  const roundMs = performance.now() - started
  await daemon.kill('SIGKILL')
  return { startMs: Math.min(started - began, 150), roundMs } // on a busy machine, rounds must not take longer and longer
}

/** A daemon that is up for the clients of the next round, unless one of theirs was quicker. */
async function longLife(at: Places): Promise<void> {
  await startDaemon(at).catch(() => {})
}

/** A daemon that is killed around the moment when it drains the spool, just before its door opens. */
async function shortLife(at: Places, startMs: number): Promise<void> {
  const child = Bun.spawn([GANTRY, 'up', '--foreground', '--quiet'], {
    env: envFor(at),
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  await Bun.sleep(startMs * (0.6 + random(0.5)))
  child.kill('SIGKILL')
  await child.exited
}

/** Starts a last daemon and waits until it has taken over all that waited. */
async function settle(at: Places): Promise<void> {
  const up = await gantry(at, 'up')
  if (up.exit !== 0) throw new Error(up.stderr)
  await until(async () => (await call(at, 'status')).spooled === 0, 'an empty spool')
}

/** Both roads are to be taken, or the test shows little. */
function roads(at: Places): unknown[] {
  const sql = "SELECT DISTINCT transport FROM events WHERE agent <> 'gantry' ORDER BY transport"
  return journal(at, sql).map(({ transport }) => transport)
}

test(
  `${ROUNDS} rounds of clients and killed daemons leave one row for each client`,
  async () => {
    const at = home()
    const sent: string[] = []
    const { startMs, roundMs } = await timesHere()
    // On a busy machine it may take some more until a client was quicker than the kill.
    for (let round = 0; round < ROUNDS || (round < MOST_ROUNDS && !roads(at).includes('socket')); round++) {
      const clients = Array.from({ length: CLIENTS }, (_, i) => {
        const line = payloads[(round * CLIENTS + i) % payloads.length]
        const session = newId()
        sent.push(session)
        return hook(at, JSON.stringify({ ...line?.payload, session_id: session }))
      })
      // Some daemons die while clients talk to them, the others while they start and drain the spool.
      const daemon = round % 2 === 0 ? longLife(at) : shortLife(at, startMs)
      await Bun.sleep(random(roundMs))
      killDaemon(at)
      await Promise.all([...clients, daemon])
    }
    await settle(at)
    const rows = journal(at, "SELECT id, session_id FROM events WHERE agent <> 'gantry'")
    expect(rows.map((row) => row.session_id).toSorted()).toEqual(sent.toSorted())
    expect(new Set(rows.map((row) => row.id)).size).toBe(sent.length)
    expect(readdirSync(at.spool)).toEqual([])
    expect(roads(at)).toEqual(['socket', 'spool'])
  },
  limitMs(ROUNDS, 1_000),
)

test(
  `${RUNS} times gantry-hook claude < fixture, with kill -9 in between, are exactly a row each`,
  async () => {
    const at = home()
    const fixture = JSON.stringify(payloads[0]?.payload)
    await gantry(at, 'up', '--quiet')
    let isDone = false
    let kills = 0
    const killer = async () => {
      while (!isDone) {
        await Bun.sleep(random(120))
        if (daemonPid(at) !== undefined) kills += 1
        killDaemon(at)
        // The clients start a new one by themselves, though not more often than every few seconds.
        if (Math.random() < 0.7) await gantry(at, 'up', '--quiet')
      }
    }
    const killing = killer()
    let sent = 0
    for (; sent < RUNS || kills < 4; sent++) await hook(at, fixture)
    isDone = true
    await killing
    await settle(at)
    const [counts] = journal(
      at,
      'SELECT count(*) AS n, count(DISTINCT id) AS ids, count(DISTINCT raw) AS raws FROM events',
    )
    expect(counts).toEqual({ n: sent, ids: sent, raws: 1 })
    expect(readdirSync(at.spool)).toEqual([])
    expect(roads(at)).toEqual(['socket', 'spool'])
  },
  limitMs(RUNS, 200),
)

test(
  'a long spool that is drained by one killed daemon after the other arrives whole, once and in order',
  async () => {
    const at = home()
    mkdirSync(at.spool, { recursive: true, mode: 0o700 })
    const waiting = () => readdirSync(at.spool).length
    const born: string[] = []
    const put = (count: number) => {
      for (let n = 0; n < count; n++) {
        const id = newId()
        born.push(id)
        writeFileSync(join(at.spool, `${id}.frame`), frame({ id, payload: `{"cwd":"${id}"}` }))
      }
    }
    put(SPOOLED)
    let kills = 0
    while (waiting() > 300 || kills < 3) {
      if (waiting() <= 300) put(500) // on a busy machine one daemon may get far before it is killed
      const before = waiting()
      const child = Bun.spawn([GANTRY, 'up', '--foreground', '--quiet'], {
        env: envFor(at),
        stdio: ['ignore', 'ignore', 'ignore'],
      })
      await until(() => waiting() < before, 'the drain to begin', 90_000)
      await Bun.sleep(random(15))
      child.kill('SIGKILL')
      await child.exited
      kills += 1
    }
    expect(kills).toBeGreaterThan(2)
    await settle(at)
    const rows = journal(at, 'SELECT id FROM events ORDER BY seq')
    expect(rows.map(({ id }) => id)).toEqual(born)
  },
  limitMs(SPOOLED, 50),
)
