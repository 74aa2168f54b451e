/** Insights in a browser: what a few days of known work add up to. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import type { Places } from '../../src/core/files/paths.ts'
import {
  type FrameParts,
  makeHome,
  type RunningDaemon,
  sendFrames,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'
import { overflow, startBrowser, type TestBrowser, type TestPage, violationsOf } from './kit.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const SCRIPT = '<img src=x onerror="window.hacked=1">'

let at: Places
let daemon: RunningDaemon
let browser: TestBrowser
let opened: TestPage
let page: Page

beforeAll(async () => {
  at = makeHome()
  ;[daemon, browser] = await Promise.all([startDaemon(at), startBrowser()])
  opened = await browser.open(at, { to: '/insights' })
  page = opened.page
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await daemon?.kill('SIGKILL')
})

/** Ten minutes of work, of which five are a wait for a permission; then the session ends. */
function work(session: string, start: number, tool: string, cwd = tempDir()): FrameParts[] {
  const hook = (minutes: number, event: string, more: object = {}) => ({
    ...{ event, at: start + minutes * MINUTE },
    payload: JSON.stringify({ hook_event_name: event, session_id: session, cwd, ...more }),
  })
  const call = { tool_name: tool, tool_use_id: `${session}-1`, tool_input: { command: 'make' } }
  return [
    hook(0, 'SessionStart', { source: 'startup' }),
    hook(0, 'UserPromptSubmit', { prompt: 'build it' }),
    hook(2, 'PreToolUse', call),
    hook(2, 'PermissionRequest', call),
    hook(7, 'PostToolUse', { ...call, tool_response: {} }),
    hook(10, 'Stop', { last_assistant_message: 'built' }),
    hook(10, 'SessionEnd', { reason: 'logout' }),
  ]
}

/** That time, or a little before it where ten minutes from then on would be of two days. */
function quiet(time: number): number {
  const midnight = new Date(time + 15 * MINUTE).setHours(0, 0, 0, 0)
  return midnight > time ? midnight - 15 * MINUTE : time
}

const figure = (name: string) => page.locator('.figures > div').filter({ hasText: name }).locator('b')
const panel = (name: string) => page.getByRole('region', { name, exact: true })

describe('insights', () => {
  test('without events say what to do', async () => {
    await page.getByRole('heading', { name: 'Nothing happened in this time' }).waitFor()
    await page.getByText('gantry install').waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  test('add up work, waits for you, and tools', async () => {
    const now = Date.now()
    await sendFrames(at, [
      ...work('s3', quiet(now - 20 * DAY), 'Bash'),
      ...work('s2', quiet(now - 3 * DAY), SCRIPT),
      ...work('s1', quiet(now - 3 * 60 * MINUTE), 'Bash'),
    ])
    await page.getByRole('button', { name: /Look again/ }).click()
    await until(async () => (await figure('Worked').textContent()) === '15m', 'all that was worked')
    expect(await figure('Waited for you').textContent()).toBe('15m')
    expect(await figure('Tool calls').textContent()).toBe('3')
    // Hooks may come late: they count when they come, and stand on their own day.
    await page.getByText('Not drawn: 10m of 1 earlier day').waitFor()
    await panel('Tools').getByRole('link', { name: 'Bash' }).waitFor()
    await panel('Tools').getByText(SCRIPT).waitFor()
    await panel('Waits for you').getByText('3 waits', { exact: false }).waitFor()
    await panel('Hooks').getByText('hook to daemon').waitFor()
    await panel('Missed decisions').getByText('✓').waitFor()
    expect(await page.evaluate<unknown>('window.hacked')).toBeUndefined()
  })

  test('have the numbers of each chart as a table', async () => {
    await panel('Where the time went').getByText('Numbers').click()
    const days = page.getByRole('region', { name: 'Time by day' }).getByRole('row')
    expect(await days.count()).toBe(1 + 7) // one has the names of the columns
    expect(await panel('Where the time went').locator('.day').count()).toBe(7)
    const worked = await days.filter({ hasText: '5m' }).count()
    expect(worked).toBe(2)
    const heat = page.getByRole('region', { name: /waited for you, by weekday/ })
    expect(await heat.getByRole('row').count()).toBe(8)
    await panel('When').getByRole('button', { name: 'worked', exact: true }).click()
    await page.getByRole('region', { name: 'Time worked, by weekday and hour' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  test('of another period, which stands in the address', async () => {
    await page.getByRole('button', { name: '30 days' }).click()
    const days = page.getByRole('region', { name: 'Time by day' }).getByRole('row')
    await until(async () => (await days.count()) === 1 + 30, 'thirty days')
    await page.getByText('Not drawn').waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('?period=30d')
    await page.keyboard.press('f')
    await until(async () => (await days.count()) === 1 + 1, 'one day')
    expect(new URL(page.url()).search).toBe('?period=1d')
  })

  test('a long name is cut, and no column after it', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    const project = join(tempDir(), 'sehr-langer-projektname-mit-vielen-wörtern')
    mkdirSync(project)
    await sendFrames(at, work('s4', Date.now() - 20 * MINUTE, 'Bash', project).slice(0, -1))
    await page.getByRole('button', { name: /Look again/ }).click()
    const table = page.getByRole('region', { name: 'Time by project' })
    await table.getByText('sehr-langer').waitFor()
    const right = async (part: Locator) => {
      const { x, width } = (await part.boundingBox()) ?? { x: 0, width: 9999 }
      return x + width
    }
    expect(await right(table.getByRole('columnheader').last())).toBeLessThanOrEqual((await right(table)) + 1)
  })

  test('a tool leads to its events', async () => {
    await panel('Tools').getByRole('link', { name: 'Bash' }).click()
    await page.locator('.event').first().waitFor()
    expect(new URL(page.url()).search).toBe('?agent=claude&tool=Bash')
    await page.goBack()
    await figure('Worked').waitFor()
  })

  test('fit a phone, in the dark, too', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 375, height: 740 })
    for (const [period, count] of [
      ['7 days', 7],
      ['30 days', 30],
    ] as const) {
      await page.getByRole('button', { name: period }).click()
      const bars = panel('Where the time went').locator('.day')
      await until(async () => (await bars.count()) === count, `the bars of ${period}`)
      expect(await overflow(page), period).toBe(0)
    }
    expect(await violationsOf(page)).toEqual([])
    expect(opened.problems).toEqual([])
  })
})

test('insights of a daemon in another time zone are drawn on its days', async () => {
  const far = makeHome()
  await using _daemon = await startDaemon(far, { TZ: 'Etc/GMT-14' })
  // Its day is always a later one than that of the browser.
  const { page: there } = await browser.open(far, { to: '/insights?period=1d', timeZone: 'Etc/GMT+12' })
  await there.getByRole('heading', { name: 'Nothing happened in this time' }).waitFor()
  await sendFrames(far, work('s1', Date.now() - 10 * MINUTE, 'Bash'))
  for (const [period, count] of [
    ['today', 1],
    ['7 days', 7],
  ] as const) {
    await there.getByRole('button', { name: period }).click()
    await there.getByRole('button', { name: /Look again/ }).click()
    const chart = there.getByRole('region', { name: 'Where the time went', exact: true })
    await until(async () => (await chart.locator('.day').count()) === count, `the bars of ${period}`)
    await until(
      async () => (await chart.locator('.day').last().locator('i.worked').count()) > 0,
      'work on the last day',
    )
  }
})
