/** The fleet view: how soon it is there, how soon it shows a hook, and whether it stays smooth. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../../src/core/files/paths.ts'
import { type AgentsAtWork, agentsAtWork } from '../agents-at-work.ts'
import { load } from '../load.ts'
import { median, type Result, round, spread, versus } from '../measure.ts'
import { cpuMs } from '../process.ts'
import { HOOK, interleave, type Stage } from '../stage.ts'
import { bareServer } from './bare-server.ts'
import { bare, inBrowser, type Probed, probed } from './browser.ts'

const SESSIONS = 500
const EVENTS_A_SECOND = 1_000
const SECONDS = 30
const CLIENTS = 512 // a late answer must not delay the next hook
const TASK_MS = 50
const FRAME_MS = 1_000 / 60
const SETTLE_MS = 3_000

/** First paint, hook to pixel, and half a minute of a thousand events a second, with 500 sessions. */
export function fleetView(stage: Stage): Promise<Result[]> {
  return inBrowser(async (browser) => {
    const at = stage.home()
    const daemon = await stage.daemon(at)
    const agents = agentsAtWork(join(at.home ?? '', 'work'), at.home ?? '', SESSIONS)
    try {
      await prepared(stage, at, agents, SESSIONS * 4, 400)()
      await Bun.sleep(SETTLE_MS)
      const fleet = await probed(browser, at)
      await fleet.ask('drawn')
      const [paint, pixel] = await quiet(stage, at, fleet)
      const smooth = await busy(stage, at, { fleet, agents, pid: daemon.pid })
      return [...paint, pixel, smooth]
    } finally {
      await daemon.stop()
    }
  })
}

async function quiet(stage: Stage, at: Places, fleet: Probed): Promise<[Result[], Result]> {
  const floor = bareServer()
  try {
    const word = await bare(fleet.context, floor.url)
    return [
      await firstPaint(stage, fleet, word),
      await hookToPixel(stage, at, { fleet, word, floorUrl: floor.url }),
    ]
  } finally {
    await floor.stop()
  }
}

async function firstPaint(stage: Stage, fleet: Probed, word: Probed): Promise<Result[]> {
  const drawn: number[] = []
  const take = async ({ page, ask }: Probed, isOurs: boolean) => {
    await page.bringToFront()
    await page.reload()
    const all = await ask<number>('drawn')
    if (isOurs) drawn.push(all)
    return [await ask<number>('contentful()')]
  }
  const rounds = Math.max(5, Math.round(30 * stage.effort))
  const [ours = [], floor = []] = await interleave(
    rounds,
    () => take(fleet, true),
    () => take(word, false),
  )
  const against = 'a page of one word from a bare Bun server'
  return [
    { ...versus('page-first-paint', 'ms', ours, floor, against), goalMs: 500 },
    { ...versus('page-fleet-drawn', 'ms', drawn, floor, against), goalMs: 500, sessions: SESSIONS },
  ]
}

interface Pixels {
  readonly fleet: Probed
  readonly word: Probed
  readonly floorUrl: string
}

/** From before the hook client's start to the frame that shows its tool, by the wall clock that both share. */
async function hookToPixel(stage: Stage, at: Places, { fleet, word, floorUrl }: Pixels): Promise<Result> {
  const say = async (event: string, more: object) => {
    const payload = { session_id: 'probe', cwd: '/home/dev/aaa', hook_event_name: event, ...more }
    const client = Bun.spawn([HOOK, 'claude', event], {
      env: stage.env(at),
      stdin: Buffer.from(JSON.stringify(payload)),
      stdout: 'ignore',
      stderr: 'inherit',
    })
    if ((await client.exited) !== 0) throw new Error('the hook client failed')
  }
  await say('SessionStart', { source: 'startup' })
  await say('UserPromptSubmit', { prompt: 'count the sheep' })
  let count = 0
  const shown = async ({ page, ask }: Probed, send: (text: string) => Promise<unknown>) => {
    await page.bringToFront()
    const text = `Probe${++count}x`
    await ask(`expect('.row.session', '${text}')`)
    await Bun.sleep(20 + ((count * 37) % 60)) // not in step with frames
    const began = Date.now()
    void send(text)
    const seen = await ask<number>('seen()')
    return [seen - began]
  }
  const tool = (text: string) =>
    say('PreToolUse', { tool_name: text, tool_use_id: text, tool_input: { command: 'true' } })
  const post = (text: string) => fetch(floorUrl, { method: 'POST', body: text })
  const rounds = Math.max(20, Math.round(200 * stage.effort))
  const [ours = [], floor = []] = await interleave(
    rounds,
    () => shown(fleet, tool),
    () => shown(word, post),
  )
  const against = 'a POST that a bare Bun server hands to a page of one word'
  return { ...versus('page-hook-to-pixel', 'ms', ours, floor, against), goalP95Ms: 100, sessions: SESSIONS }
}

interface Busy {
  readonly fleet: Probed
  readonly agents: AgentsAtWork
  readonly pid: number
}

/** Tasks over 50 ms and frames that were left out, while all sessions work. */
async function busy(stage: Stage, at: Places, { fleet, agents, pid }: Busy): Promise<Result> {
  await fleet.page.bringToFront()
  const seconds = Math.max(5, Math.round(SECONDS * stage.effort))
  const go = prepared(stage, at, agents, seconds * EVENTS_A_SECOND, EVENTS_A_SECOND)
  await Bun.sleep(SETTLE_MS)
  const [before, began] = [cpuMs(pid), performance.now()]
  const trace = await traced(fleet)
  await fleet.ask('watchFrames()')
  const took = await go()
  const ms = performance.now() - began
  const { longTasks, gaps } = await fleet.ask<Frames>('framesSeen()')
  const cpu = await trace()
  const tasks = longTasks.map(({ duration }) => duration)
  const missed = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / FRAME_MS) - 1), 0)
  const longest = tasks.reduce((most, one) => Math.max(most, one), 0)
  const { p50, p95, p99 } = spread(gaps)
  return {
    name: 'page-500-sessions',
    unit: 'ms a frame',
    ...{ p50, p95, p99, n: gaps.length, floor: TASK_MS, ratio: round(longest / TASK_MS) },
    against: 'the longest task, of what a task may take; 0 is none of 50 ms',
    tasksOver50Ms: tasks.length,
    longestTaskMs: round(longest),
    longestTaskCpuMs: round(cpu.reduce((most, one) => Math.max(most, one), 0)),
    framesDropped: missed,
    droppedPct: round((100 * missed) / (gaps.length + missed)),
    ...{ sessions: SESSIONS, eventsASecond: EVENTS_A_SECOND, seconds },
    hookMs: spread(took),
    daemonCorePct: round((100 * (cpuMs(pid) - before)) / ms),
    tookS: round(ms / 1000),
    medianFrameMs: median(gaps),
  }
}

/** The processor time of every task on the pages' main threads: what else the machine does is not in it. */
async function traced({ context, page }: Probed): Promise<() => Promise<number[]>> {
  const browser = context.browser()
  await browser?.startTracing(page, { categories: ['toplevel'] })
  return async () => {
    const text = (await browser?.stopTracing())?.toString() ?? '{"traceEvents":[]}'
    const { traceEvents: all } = JSON.parse(text) as { traceEvents: readonly TraceEvent[] }
    const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args?.name === 'CrRendererMain'
    const main = new Set(all.filter(isMain).map(({ pid, tid }) => `${pid} ${tid}`))
    return all.flatMap(({ name, pid, tid, tdur }) =>
      name.endsWith('RunTask') && main.has(`${pid} ${tid}`) && tdur !== undefined ? [tdur / 1000] : [],
    )
  }
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of processor time. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

interface Frames {
  readonly longTasks: readonly { readonly startTime: number; readonly duration: number }[]
  readonly gaps: readonly number[]
}

/** Writes the frames; what it returns sends them, and gives the latencies in milliseconds. */
export function prepared(
  stage: Stage,
  at: Places,
  agents: AgentsAtWork,
  events: number,
  aSecond: number,
): () => Promise<number[]> {
  const file = join(at.home ?? '', 'frames')
  agents.frames(file, events, aSecond)
  return async () => {
    const { ms } = await load(stage, at, { clients: CLIENTS, events, rate: aSecond, file })
    rmSync(file)
    return ms
  }
}
