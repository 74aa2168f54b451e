/** The journal view on millions of events: any place of it, the full-text search, and what is rare. */
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { percentile, type Result, round, spread, versus } from '../measure.ts'
import type { Stage } from '../stage.ts'
import { inBrowser, type Probed, probed } from './browser.ts'
import { journalHome, RARE_AGENT, RARE_TOOL, RARE_TYPE } from './journal.ts'

const ROWS = 5_000_000
const QUICK_ROWS = 200_000
const LIMIT = 200 // as the view asks for
const GOAL_MS = 150
const NEAR = 0.03 // of the journal: the thumb's height is not a place

/** From words in most events to words in a few. */
const WORDS = ['w0', 'w3k9', 'w9p', 'bash w0 w1', '"w0 w1"', 'w1*', 'w5x w0', 'w2 w3 w4', 'wab*', 'step']

const RARE = [
  { tool: RARE_TOOL },
  { type: RARE_TYPE },
  { agent: RARE_AGENT },
  { tool: RARE_TOOL, type: 'Stop' },
]

export function journalView(stage: Stage): Promise<Result[]> {
  const rows = stage.effort < 1 ? QUICK_ROWS : ROWS
  const at = journalHome(stage, rows)
  return inBrowser(async (browser) => {
    const daemon = await stage.daemon(at)
    try {
      await indexed(at)
      const journal = await probed(browser, at, '/journal')
      await journal.page.locator('.event').first().waitFor()
      const rounds = Math.max(20, Math.round(150 * stage.effort))
      return [
        { ...(await places(at, journal, rows, rounds)), rows },
        { ...(await searches(at, journal, Math.max(2, Math.round(10 * stage.effort)))), rows },
        { ...(await rareFilters(at, journal)), rows },
      ]
    } finally {
      await daemon.stop()
    }
  })
}

/** The index of a kept journal may have to be finished. */
async function indexed(at: Places): Promise<void> {
  while ((await call(at, 'search', { text: 'warm' })).behind > 0) await Bun.sleep(1_000)
}

/** The bar is pressed somewhere; until the lines of that place are painted. */
async function places(at: Places, { page, ask }: Probed, rows: number, rounds: number): Promise<Result> {
  const box = await page.getByRole('slider', { name: 'Place in the journal' }).boundingBox()
  if (!box) throw new Error('the journal has no bar')
  const samples: number[] = []
  const floor: number[] = []
  for (let n = 0; n < rounds; n++) {
    const share = 0.05 + 0.9 * ((n * 0.618) % 1) // far from the place before, never twice the same
    const low = Math.round((share - NEAR) * rows)
    await ask(`expectLines(${low}, ${Math.round((share + NEAR) * rows)})`)
    await page.mouse.click(box.x + box.width / 2, box.y + box.height * share)
    samples.push(await ask<number>('took()'))
    const began = performance.now()
    await call(at, 'events.page', { at: low, limit: LIMIT })
    floor.push(performance.now() - began)
  }
  const result = versus('page-journal-place', 'ms', samples, floor, 'the same page of events over the socket')
  return { ...result, goalMs: GOAL_MS, slowestMs: round(Math.max(...samples)) }
}

/** Words and the enter key; until what was found is painted. */
async function searches(at: Places, { page, ask }: Probed, rounds: number): Promise<Result> {
  const field = page.getByRole('searchbox', { name: 'Search all events' })
  const samples: number[] = []
  const floor: number[] = []
  const slowest: Record<string, number> = {}
  for (let n = 0; n < rounds; n++)
    for (const words of WORDS) {
      await field.fill('')
      await field.press('Enter')
      await page.locator('.hits').waitFor({ state: 'detached' })
      await field.fill(words)
      await ask(`expectThere('.hits[aria-busy=false] .hits-said')`)
      await field.press('Enter')
      const took = await ask<number>('took()')
      samples.push(took)
      slowest[words] = Math.max(slowest[words] ?? 0, round(took))
      const began = performance.now()
      await call(at, 'search', { text: words, limit: LIMIT })
      floor.push(performance.now() - began)
    }
  const result = versus('page-search', 'ms', samples, floor, 'the same search over the socket')
  return { ...result, goalP95Ms: GOAL_MS, slowest }
}

/** A filter that one event in a million passes, or none; until the first that passes is painted, or that there is none. */
async function rareFilters(at: Places, { page, ask }: Probed): Promise<Result> {
  const samples: number[] = []
  const floor: number[] = []
  for (let n = 0; n < 5; n++)
    for (const filter of RARE) {
      await page.goto(new URL('/journal', page.url()).href)
      await page.locator('.event').first().waitFor()
      const began = performance.now()
      const found = await call(at, 'events.page', { ...filter, limit: LIMIT })
      floor.push(performance.now() - began)
      if (found.older) throw new Error(`${JSON.stringify(filter)}: not all of the journal was looked at`)
      samples.push(await filtered(page, ask, filter, found.events.length))
    }
  const { p50, p95, p99 } = spread(samples)
  const base = percentile(
    floor.toSorted((a, b) => a - b),
    0.5,
  )
  return {
    name: 'page-rare-filter',
    unit: 'ms',
    ...{ p50, p95, p99, n: samples.length, floor: round(base), ratio: round(p50 / base) },
    against: 'the same call over the socket',
    goalMs: GOAL_MS,
  }
}

/** Goes there as a link of the page does, without loading it anew. */
async function filtered(
  page: Probed['page'],
  ask: Probed['ask'],
  filter: Readonly<Record<string, string>>,
  found: number,
): Promise<number> {
  const to = `/journal?${new URLSearchParams(filter)}`
  await ask(`expectFiltered(${found})`)
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(to)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
  return ask<number>('took()')
}
