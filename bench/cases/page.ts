/**
 * The page in Chromium, against a real daemon: first paint, hook to pixel, 500 busy sessions, a journal of five million
 * events, and what open pages cost the hooks. GANTRY_BENCH_PAGE=fleet,journal,pages measures a part;
 * GANTRY_BENCH_KEEP=<folder> keeps the journal for the next run.
 */
import type { Result } from '../measure.ts'
import { fivePages } from '../page/five-pages.ts'
import { fleetView } from '../page/fleet.ts'
import { journalView } from '../page/journal-view.ts'
import type { Stage } from '../stage.ts'

const PARTS = { fleet: fleetView, journal: journalView, pages: fivePages } as const

export async function page(stage: Stage): Promise<Result[]> {
  const wanted = process.env.GANTRY_BENCH_PAGE?.split(',')
  const results: Result[] = []
  for (const [name, measure] of Object.entries(PARTS))
    if (!wanted || wanted.includes(name)) results.push(...(await measure(stage)))
  return results
}
