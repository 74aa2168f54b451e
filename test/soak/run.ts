/** One soak, from an empty home to the account: load and chaos side by side, then quiet, then what is where. */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../../bench/agents-at-work.ts'
import { wordMaker } from '../../bench/journals.ts'
import { call } from '../../src/client/index.ts'
import { LOSS_RECORD_BYTES } from '../../src/client/spool.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { settableClock } from '../clock/clock.ts'
import { journal, until } from '../kit.ts'
import { randomFrom } from '../random.ts'
import { type Account, accountOf, type StoredEvent } from './account.ts'
import { BusReader } from './bus-reader.ts'
import { Chaos, type Happened } from './chaos/chaos.ts'
import { planOf } from './chaos/plan.ts'
import { Daemon } from './daemon.ts'
import { type Growth, growths } from './growth.ts'
import { makeDisk } from './home.ts'
import { Ledger, MARK } from './ledger.ts'
import { type AgentOptions, agentAtWork } from './load/agent.ts'
import { LoadGenerator } from './load/generator.ts'
import { HookClients } from './load/hook-clients.ts'
import { Readers } from './load/readers.ts'
import { type Sample, Samples } from './samples.ts'

const REPOSITORIES = 4
const CLIENT_AGENTS = 12 // agents with real hook clients
const CLIENT_SHARE = 0.25 // of all events
const GENERATED_AGENTS = 100
const WORDS = 20_000
const SAMPLES = 360 // in a run
const SETTLE_MS = 120_000
/** Random numbers of their own: the faults must not depend on how quick the load is. */
const LANES = { plan: 1, chaos: 2, clients: 3, generator: 4 } as const
/** An event that gantry raised has the id of its cause in its payload. */
const STORED = `SELECT coalesce(raw ->> '$.${MARK}', type || ' after ' || (raw ->> '$.cause'), type || ' ' || seq) AS mark,
  id, seq, session_id AS session, transport FROM events WHERE agent <> 'gantry' ORDER BY seq`

export interface SoakOptions {
  readonly minutes: number
  readonly seed: number
  readonly aSecond: number
  /** A folder on a disk that does not fill up: repositories, transcripts, frames. */
  readonly dir: string
  /** For gantry's home. */
  readonly disk: string
  /** For the results. */
  readonly out: string
  readonly progress: (sample: Sample, happened: Happened | undefined) => void
  readonly stopped: AbortSignal
}

export interface SoakResult {
  readonly account: Account
  readonly growths: readonly Growth[]
  readonly samples: readonly Sample[]
  readonly happened: readonly Happened[]
  readonly kills: Readonly<Record<string, number>>
  readonly killed: number
  readonly denials: { readonly wanted: number; readonly given: number }
  /** How long it took after the last fault until everything was where it belongs. */
  readonly settledMs: number
  /** Whatever is wrong besides: a damaged database, records of losses, processes that stayed. */
  readonly damage: readonly string[]
  readonly readerRestarts: number
  /** Times that the daemon noticed a clock that was set back. */
  readonly setBacks: number
}

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { minutes, seed, aSecond, dir, out, stopped } = options
  const random = (lane: keyof typeof LANES) => randomFrom(seed * 10 + LANES[lane])
  const lengthMs = minutes * 60_000
  const home = makeDisk(options.disk, aSecond * minutes * 60)
  const { at } = home
  const ledger = new Ledger()
  const daemon = new Daemon(at, settableClock())
  await daemon.start()
  const bus = new BusReader(at)
  const readers = new Readers(at)
  const agents = agentsIn(dir, seed)
  const clients = new HookClients(
    {
      at,
      ledger,
      random: random('clients'),
      env: () => daemon.hookEnv(),
      thinkMs: (1_000 * CLIENT_AGENTS) / (aSecond * CLIENT_SHARE),
    },
    agents('c', CLIENT_AGENTS, random('clients')),
  )
  const generator = new LoadGenerator(
    { at, dir, ledger, aSecond: aSecond * (1 - CLIENT_SHARE) },
    agents('g', GENERATED_AGENTS, random('generator')),
  )
  const chaos = new Chaos({ home, daemon, clients, generator, random: random('chaos') })
  const samples = new Samples(daemon, join(out, 'samples.jsonl'))
  const look = () => {
    const counters = {
      sent: ledger.size,
      kills: chaos.killed,
      hooks: clients.latencies,
      door: generator.latencies,
    }
    options.progress(samples.take(counters), chaos.happened.at(-1))
    clients.latencies = []
    generator.latencies = []
  }
  const looking = setInterval(look, Math.max(2_000, lengthMs / SAMPLES))
  const playing = chaos.play(planOf(random('plan'), lengthMs))
  await over(lengthMs, stopped)
  clearInterval(looking)
  await chaos.stop()
  await playing
  const quiet = performance.now()
  await Promise.all([clients.stop(), generator.stop()])
  const damage = await settled(at, bus, readers)
  look()
  const settledMs = Math.round(performance.now() - quiet)
  await readers.stop()
  await bus.stop()
  if (generator.givenUp > 0) damage.push(`${generator.givenUp} times no answer for two minutes`)
  damage.push(...chaos.failures, ...endedAlone(samples.all, chaos), ...(await damageIn(at, daemon)))
  const stored = journal<StoredEvent>(at, STORED)
  const facts = { ledger, stored, bus: bus.messages(), unread: bus.missed, subscriber: readers.seen }
  return {
    account: accountOf(facts),
    growths: growths(samples.all),
    samples: samples.all,
    happened: chaos.happened,
    kills: { ...chaos.kills, 'hook client': clients.killed, 'load generator': generator.killed },
    killed: chaos.killed,
    denials: ledger.denials,
    settledMs,
    damage: bus.streams === 1 ? damage : [...damage, `the stream on NATS was made ${bus.streams} times`],
    readerRestarts: readers.restarts,
    setBacks: journal(at, "SELECT 1 FROM events WHERE type = 'ClockSetBack'").length,
  }
}

/** Makes agents whose names are unique in the run. */
function agentsIn(dir: string, seed: number) {
  const roots = Array.from({ length: REPOSITORIES }, (_, n) => repository(join(dir, `repository-${n}`)))
  const transcripts = join(dir, '.claude/projects/-soak')
  mkdirSync(transcripts, { recursive: true })
  const text = wordMaker(WORDS)
  return (kind: string, count: number, random: () => number) =>
    Array.from({ length: count }, (_, n) => {
      const root = roots[n % roots.length] ?? ''
      const options: AgentOptions = { name: `${kind}${seed}-${n}`, root, transcripts, random, text }
      return agentAtWork(options)
    })
}

async function over(ms: number, stopped: AbortSignal): Promise<void> {
  const until = performance.now() + ms
  while (performance.now() < until && !stopped.aborted) await Bun.sleep(100)
}

/** Waits until the spool is empty, everything is published, and both readers have it; says what did not happen in time. */
async function settled(at: Places, bus: BusReader, readers: Readers): Promise<string[]> {
  const isEmpty = async () => {
    const { spooled } = await call(at, 'status')
    const { nats } = await call(at, 'bus.status')
    return spooled === 0 && nats?.connected && nats.streams.every(({ backlog }) => backlog === 0)
  }
  const last = () => {
    const sql = "SELECT id FROM events WHERE agent <> 'gantry' ORDER BY seq DESC LIMIT 1"
    return journal<{ id: string }>(at, sql)[0]?.id ?? ''
  }
  const steps: [string, () => unknown][] = [
    ['the spool and the outbox are not empty', () => isEmpty().catch(() => false)],
    ['the stream is not read to its end', () => bus.isCaughtUp],
    ['the durable subscriber is behind', () => readers.seen.has(last())],
  ]
  const missed: string[] = []
  for (const [what, isDone] of steps)
    await until(isDone, what, SETTLE_MS).catch(() => missed.push(`${what} after ${SETTLE_MS / 1_000} s`))
  return missed
}

/** Daemons that nobody killed. */
function endedAlone(samples: readonly Sample[], { victims }: Chaos): string[] {
  const pids = new Set(samples.map(({ pid }) => pid).filter((pid) => pid > 0 && pid !== samples.at(-1)?.pid))
  return [...pids].filter((pid) => !victims.has(pid)).map((pid) => `daemon ${pid} ended by itself`)
}

/** Stops the daemon in good order, and looks at what it leaves. */
async function damageIn(at: Places, daemon: Daemon): Promise<string[]> {
  const damage: string[] = []
  const all = [...daemon.processes().values()].flat()
  const pid = daemon.pid
  if (pid !== undefined) process.kill(pid, 'SIGTERM')
  const left = () => all.filter((one) => existsSync(`/proc/${one}`))
  await until(() => left().length === 0, 'the end of all processes', 20_000).catch(() =>
    damage.push(`${left().length} processes outlived the daemon`),
  )
  const [check] = journal<{ integrity_check: string }>(at, 'PRAGMA integrity_check')
  if (check?.integrity_check !== 'ok') damage.push(`the journal is damaged: ${check?.integrity_check}`)
  const lost = (statSync(at.lost, { throwIfNoEntry: false })?.size ?? 0) / LOSS_RECORD_BYTES - 1 // the first is a heading
  if (lost > 0) damage.push(`${lost} losses are on record`)
  const bad = join(at.spool, 'bad')
  if (existsSync(bad) && readdirSync(bad).length > 0)
    damage.push(`${readdirSync(bad).length} bad files in the spool`)
  return damage
}
