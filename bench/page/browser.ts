/** Chromium as the tests of the page drive it, with the probe in every page. */
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import type { Places } from '../../src/core/files/paths.ts'
import { cleanUp } from '../../test/litter.ts'
import { startBrowser, type TestBrowser } from '../../test/page/kit.ts'

const PROBE = join(import.meta.dir, 'probe.js')

export interface Probed {
  readonly page: Page
  readonly context: BrowserContext
  /** A call of the probe: `bench.…`. */
  ask<T>(expression: string): Promise<T>
}

/** Runs `work` with a browser, and leaves nothing of it behind. */
export async function inBrowser<T>(work: (browser: TestBrowser) => Promise<T>): Promise<T> {
  const browser = await startBrowser()
  try {
    return await work(browser)
  } finally {
    await browser[Symbol.asyncDispose]()
    cleanUp()
  }
}

/** Signed in, at this path, loaded anew with the probe. */
export async function probed(browser: TestBrowser, at: Places, to = '/'): Promise<Probed> {
  const { page, context, problems } = await browser.open(at)
  await context.addInitScript({ path: PROBE })
  await page.goto(new URL(to, page.url()).href)
  if (problems.length > 0) throw new Error(`the page has problems: ${problems.join('; ')}`)
  return { page, context, ask: (expression) => page.evaluate(`bench.${expression}`) }
}

/** A page without gantry, in the same browser: the floor. */
export async function bare(context: BrowserContext, url: string): Promise<Probed> {
  const page = await context.newPage()
  await page.goto(url)
  return { page, context, ask: (expression) => page.evaluate(`bench.${expression}`) }
}
