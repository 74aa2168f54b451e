/**
 * The page in a real browser, against a real daemon: Debian's Chromium without a window, driven by playwright-core.
 *
 *   const browser = await startBrowser()
 *   const page = await browser.open(home)               // signed in by a one-time link
 *   await page.getByRole('row', { name: /brave-otter/ }).waitFor()
 */
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { tempDir } from '../kit.ts'

const AXE = join(import.meta.dir, '../../node_modules/axe-core/axe.min.js')
const WAIT_MS = 30_000 // other test files run beside this one

/** The first is the same engine without a desktop around it, and takes three fifths of the processor time. */
const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** Nothing of it leaves the machine, and nothing of it outlives the test. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--disable-background-timer-throttling',
  // Less processor time, a sixth by the first three: pages are short-lived, so neither optimized code nor tidy memory pays.
  '--disable-software-rasterizer',
  '--in-process-gpu',
  '--js-flags=--no-opt --no-maglev --min-semi-space-size=64 --single-threaded-gc',
]

export interface TestBrowser extends AsyncDisposable {
  /** A page of a browser of its own: cookies and keys are not shared. What goes wrong in it is kept in `problems`. */
  open(at: Places, options?: OpenOptions): Promise<TestPage>
}

export interface OpenOptions {
  readonly to?: string
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
  readonly timeZone?: string
}

export interface TestPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of scripts, and refusals of the content security policy. */
  readonly problems: string[]
}

/** `flags` are further ones of Chromium. */
export async function startBrowser(flags: readonly string[] = []): Promise<TestBrowser> {
  const path = BROWSERS.map((name) => Bun.which(name)).find(Boolean)
  if (!path) throw new Error('no Chromium: npm test installs it, or: apt-get install chromium-headless-shell')
  const browser = await chromium.launch({
    executablePath: path,
    args: [...FLAGS, ...flags],
    env: { ...process.env, HOME: tempDir() } as Record<string, string>,
  })
  return {
    open: (at, options) => open(browser, at, options),
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

async function open(browser: Browser, at: Places, options: OpenOptions = {}): Promise<TestPage> {
  const { to = '/', width = 1280, height = 800, dark = false, timeZone } = options
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    ...(timeZone === undefined ? {} : { timezoneId: timeZone }),
  })
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    // A daemon that is killed refuses connections and cuts answers off, one that signs out refuses calls: the test's own doing.
    if (
      message.type() === 'error' &&
      !/ERR_(CONNECTION|CONTENT_LENGTH)|WebSocket|status of 401/.test(message.text())
    )
      problems.push(message.text())
  })
  await page.goto(await linkOf(at, to))
  await page.waitForURL((url) => url.pathname !== '/open')
  return { page, context, problems }
}

/** As `gantry web` gives it. */
export async function linkOf(at: Places, to = '/'): Promise<string> {
  return (await call(at, 'web.link', { to })).url
}

export interface Violation {
  readonly id: string
  readonly nodes: readonly string[]
}

/** What depends on the theme, and on nothing else: no width changes a colour. */
export const COLOURS = ['color-contrast', 'link-in-text-block']

export interface Looking {
  /** These rules alone. */
  readonly only?: readonly string[]
  /** Where colours are looked at, if not everywhere: half of the work, which is done once for what stands on several views. */
  readonly colours?: string | false
}

/** What axe-core finds in what is shown; put into the page by the debugger, which no policy of the page restricts. */
export async function violationsOf(
  page: Page,
  { only, colours = 'html' }: Looking = {},
): Promise<Violation[]> {
  const client = await page.context().newCDPSession(page)
  const isThere = await page.evaluate<boolean>('"axe" in window')
  if (!isThere) await client.send('Runtime.evaluate', { expression: `${await Bun.file(AXE).text()};0` })
  if (colours && (await page.locator(colours).count()) === 0) throw new Error(`there is no ${colours}`)
  const rules = COLOURS.map((id) => ({
    id,
    enabled: colours !== false,
    ...(colours && {
      selector: id === 'color-contrast' ? `${colours} *` : `${colours} a[href], ${colours} [role=link]`,
    }),
  }))
  const { result } = await client.send('Runtime.evaluate', {
    expression: `axe.configure(${JSON.stringify({ rules })});
      axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], runOnly: only })}).then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => (
      { id, nodes: nodes.map(({ html, failureSummary }) => html.slice(0, 200) + ' ' + failureSummary) }))))`,
    awaitPromise: true,
    returnByValue: true,
  })
  await client.detach()
  return JSON.parse(String(result.value)) as Violation[]
}

/** Whether something is wider than the window. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
}
