/** Whether pages that are open cost the agents anything: hooks with five of them, and without. */
import { join } from 'node:path'
import type { Places } from '../../src/core/files/paths.ts'
import { agentsAtWork } from '../agents-at-work.ts'
import { percentile, type Result, round, spread } from '../measure.ts'
import { HOOK, numbers, type Stage } from '../stage.ts'
import { inBrowser, type Probed, probed } from './browser.ts'
import { prepared } from './fleet.ts'

const PAGES = 5
const SESSIONS = 100
const EVENTS_A_SECOND = 100
const ROUNDS = 8
const ROUND_S = 6
const GOAL = 1.1

/**
 * A hundred sessions send a hundred events a second. Meanwhile the native client is started again and again, and timed.
 * The pages show the fleet, or nothing, in turns; their browser runs all the time.
 */
export function fivePages(stage: Stage): Promise<Result[]> {
  return inBrowser(async (browser) => {
    const at = stage.home()
    const daemon = await stage.daemon(at)
    const agents = agentsAtWork(join(at.home ?? '', 'work'), at.home ?? '', SESSIONS)
    const seconds = Math.max(2, Math.round(ROUND_S * stage.effort))
    try {
      await prepared(stage, at, agents, SESSIONS * 4, 400)()
      const pages: Probed[] = []
      while (pages.length < PAGES) pages.push(await probed(browser, at))
      const url = pages[0]?.page.url() ?? ''
      const take = async () => {
        const go = prepared(stage, at, agents, seconds * EVENTS_A_SECOND, EVENTS_A_SECOND)
        await Bun.sleep(1_000)
        const [took] = await Promise.all([hooks(stage, at, seconds), go()])
        return took
      }
      const open = async () => {
        await Promise.all(pages.map(({ page }) => page.goto(url)))
        await Promise.all(pages.map(({ ask }) => ask('drawn')))
        return take()
      }
      const closed = async () => {
        await Promise.all(pages.map(({ page }) => page.goto('about:blank')))
        return take()
      }
      await closed() // warms up
      const rounds: [ours: number[], floor: number[]][] = []
      for (let n = 0; n < Math.max(2, Math.round(ROUNDS * stage.effort)); n++) {
        const floor = await closed()
        rounds.push([await open(), floor])
      }
      return [resultOf(rounds)]
    } finally {
      await daemon.stop()
    }
  })
}

/** The native client from its start to its end, one after the other, for so long; in milliseconds. */
async function hooks(stage: Stage, at: Places, seconds: number): Promise<number[]> {
  const until = performance.now() + seconds * 1000
  const samples: number[] = []
  const argv = [stage.program('spawn'), '20', stage.payload, HOOK, 'claude', 'PreToolUse']
  while (performance.now() < until) {
    samples.push(...(await numbers(argv, stage.env(at))).map((us) => us / 1000))
    await Bun.sleep(20)
  }
  return samples
}

function resultOf(rounds: readonly (readonly [number[], number[]])[]): Result {
  const [ours, floor] = [spread(rounds.flatMap(([one]) => one)), spread(rounds.flatMap(([, one]) => one))]
  const each = rounds.map(([a, b]) => spread(a).p99 / spread(b).p99).sort((a, b) => a - b)
  return {
    name: 'page-five-open',
    unit: 'ms',
    ...ours,
    floor: floor.p99,
    ratio: round(ours.p99 / floor.p99),
    against: 'p99 of the native client while no page is open',
    goal: GOAL,
    withoutMs: floor,
    ratioOfRounds: round(percentile(each, 0.5)),
    p50Ratio: round(ours.p50 / floor.p50),
    ...{ rounds: rounds.length, pages: PAGES, eventsASecond: EVENTS_A_SECOND, sessions: SESSIONS },
  }
}
