/** Whether pages that are open cost the agents anything: hooks with five of them, and without. */
import { join } from 'node:path'
import type { Places } from '../../src/core/files/paths.ts'
import type { TestBrowser } from '../../test/page/kit.ts'
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
 * A hundred sessions send a hundred events a second, to this daemon and to another one. Meanwhile this daemon's native client
 * is started again and again, and timed. The pages show this daemon's fleet, the other's, or nothing, in turns; their browser
 * runs all the time. On few cores a browser that draws takes turns with the hooks, whoever it draws for: so what the pages
 * cost this daemon is the difference to the pages of the other one.
 */
export function fivePages(stage: Stage): Promise<Result[]> {
  return inBrowser(async (browser) => {
    const seconds = Math.max(2, Math.round(ROUND_S * stage.effort))
    const here = await fleetOf(stage, seconds)
    const there = await fleetOf(stage, seconds)
    try {
      const [ours, theirs] = [await pagesOf(browser, here.at), await pagesOf(browser, there.at)]
      const take = async () => {
        const [go, other] = [here.load(), there.load()]
        await Bun.sleep(1_000)
        const [took] = await Promise.all([hooks(stage, here.at, seconds), go(), other()])
        return took
      }
      const nowhere = async () => {
        await Promise.all([ours.leave(), theirs.leave()])
        return take()
      }
      const elsewhere = async () => {
        await theirs.show()
        return take()
      }
      const open = async () => {
        await theirs.leave()
        await ours.show()
        return take()
      }
      await nowhere() // warms up
      const rounds: Round[] = []
      for (let n = 0; n < Math.max(2, Math.round(ROUNDS * stage.effort)); n++)
        rounds.push({ none: await nowhere(), elsewhere: await elsewhere(), open: await open() })
      return [resultOf(rounds)]
    } finally {
      await here.daemon.stop()
      await there.daemon.stop()
    }
  })
}

type Round = Readonly<Record<'none' | 'elsewhere' | 'open', number[]>>

async function fleetOf(stage: Stage, seconds: number) {
  const at = stage.home()
  const daemon = await stage.daemon(at)
  const agents = agentsAtWork(join(at.home ?? '', 'work'), at.home ?? '', SESSIONS)
  await prepared(stage, at, agents, SESSIONS * 4, 400)()
  return { at, daemon, load: () => prepared(stage, at, agents, seconds * EVENTS_A_SECOND, EVENTS_A_SECOND) }
}

async function pagesOf(browser: TestBrowser, at: Places) {
  const pages: Probed[] = []
  while (pages.length < PAGES) pages.push(await probed(browser, at))
  const url = pages[0]?.page.url() ?? ''
  const leave = () => Promise.all(pages.map(({ page }) => page.goto('about:blank')))
  await leave()
  return {
    leave,
    show: async () => {
      await Promise.all(pages.map(({ page }) => page.goto(url)))
      await Promise.all(pages.map(({ ask }) => ask('drawn')))
    },
  }
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

function resultOf(rounds: readonly Round[]): Result {
  const all = (kind: keyof Round) => spread(rounds.flatMap((round) => round[kind]))
  const [open, elsewhere, none] = [all('open'), all('elsewhere'), all('none')]
  const each = rounds.map((one) => spread(one.open).p99 / spread(one.elsewhere).p99).sort((a, b) => a - b)
  return {
    name: 'page-five-open',
    unit: 'ms',
    ...open,
    floor: elsewhere.p99,
    ratio: round(open.p99 / elsewhere.p99),
    against: "p99 of the native client while the same pages show another daemon's fleet",
    goal: GOAL,
    ...{ elsewhereMs: elsewhere, withoutMs: none },
    ratioOfRounds: round(percentile(each, 0.5)),
    p50Ratio: round(open.p50 / elsewhere.p50),
    ratioToNone: round(open.p99 / none.p99),
    ...{ rounds: rounds.length, pages: PAGES, eventsASecond: EVENTS_A_SECOND, sessions: SESSIONS },
  }
}
