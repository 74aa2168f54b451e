/** The bus on one host: the daemon's cost of sending a thousand events a second to fifty readers. */
import type { Places } from '../../src/core/files/paths.ts'
import { load } from '../load.ts'
import { median, type Result, round } from '../measure.ts'
import { cpuMs } from '../process.ts'
import type { Stage } from '../stage.ts'

const READERS = 50
const EVENTS_A_SECOND = 1_000
const SESSIONS = 50
const CLIENTS = 16
const GOAL_PERCENT = 60

/** The daemon's share of one core, with and without readers. Readers and load are separate programs. */
export async function subscribeFanout(stage: Stage): Promise<Result[]> {
  const at = stage.home()
  const daemon = await stage.daemon(at)
  const events = Math.max(2_000, Math.round(10_000 * stage.effort))
  const rounds = stage.effort < 1 ? 1 : 3
  const shares: number[] = []
  const floors: number[] = []
  let seed = 0
  const share = async () => {
    const before = cpuMs(daemon.pid)
    const rate = EVENTS_A_SECOND
    const { seconds } = await load(stage, at, {
      clients: CLIENTS,
      events,
      sessions: SESSIONS,
      seed: ++seed,
      rate,
    })
    return (cpuMs(daemon.pid) - before) / seconds / 10
  }
  for (let round = 0; round < rounds; round++) {
    floors.push(await share())
    const readers = await listen(stage, at, events)
    shares.push(await share())
    const got = await readers.got
    if (got.some((count) => count !== events))
      throw new Error(`a reader got ${Math.min(...got)} of ${events}`)
  }
  await daemon.stop()
  const sorted = [...shares].sort((a, b) => a - b)
  const floor = median(floors)
  return [
    {
      name: 'subscribe-fanout',
      unit: '% of a core',
      p50: median(shares),
      p95: round(sorted.at(-1) ?? 0),
      p99: round(sorted.at(-1) ?? 0),
      n: events * READERS * rounds,
      floor,
      ratio: round(median(shares) / floor),
      against: 'the same daemon under the same load with nobody listening',
      goal: GOAL_PERCENT,
    },
  ]
}

/** Resolves when all are connected; `got` resolves to what each received in the end. */
async function listen(stage: Stage, at: Places, events: number): Promise<{ got: Promise<number[]> }> {
  const request = JSON.stringify({ sub: 'bus', stream: 'HOOK_EVENTS', deliver: 'new' })
  const child = Bun.spawn([stage.program('readers'), at.socket, String(READERS), String(events), request], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  let text = (await reader.read()).value ?? ''
  const rest = async () => {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return text.trim().split('\n').slice(1).map(Number)
      text += value
    }
  }
  return { got: rest() }
}
