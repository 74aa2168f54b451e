/** The toolbar of the journal in a browser: tools to choose from, one row, and what stands before the first line. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Places } from '../../src/core/files/paths.ts'
import { makeHome, type RunningDaemon, sendFrames, startDaemon, until } from '../kit.ts'
import { overflow, startBrowser, type TestBrowser, type TestPage } from './kit.ts'

const COUNT = 600 // three times what is loaded at first

let at: Places
let daemon: RunningDaemon
let browser: TestBrowser
let opened: TestPage
let page: Page

const tool = (name: string, n: number) => ({
  payload: JSON.stringify({
    ...{ hook_event_name: 'PreToolUse', session_id: 'ship', cwd: '/' },
    ...{ tool_name: name, tool_use_id: `call${n}`, tool_input: { command: `echo buoy ${n}` } },
  }),
})

beforeAll(async () => {
  at = makeHome()
  ;[daemon, browser] = await Promise.all([startDaemon(at), startBrowser()])
  await sendFrames(at, [
    tool('Bash', 1),
    tool('Sextant', 2),
    ...Array.from({ length: COUNT }, (_, n) => tool('Bash', n + 3)),
  ])
  opened = await browser.open(at, { to: '/journal' })
  page = opened.page
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await daemon?.kill('SIGKILL')
})

const lines = () => page.locator('.event')
const filter = () => page.getByLabel('Filter by tool')
const path = () => new URL(page.url()).pathname + new URL(page.url()).search
const first = () => page.getByText('The first event of the journal.')

test('a tool that no loaded line has is offered, too, and what is before its first event is true', async () => {
  await lines()
    .filter({ hasText: `buoy ${COUNT + 2}` })
    .waitFor()
  await filter().locator('option', { hasText: 'Sextant' }).waitFor({ state: 'attached' })
  expect(await lines().filter({ hasText: 'Sextant' }).count()).toBe(0)
  await filter().selectOption('Sextant')
  await lines().filter({ hasText: 'Sextant' }).waitFor()
  expect(await lines().count()).toBe(1)
  await page.getByText('No earlier event of the journal passes the filters.').waitFor()
  expect(await first().count()).toBe(0)
  await filter().selectOption('Bash')
  await until(async () => {
    await page.keyboard.press('g')
    return (await page.locator('#event-1').count()) === 1
  }, 'the first event')
  await first().waitFor() // which is of Bash
})

test('any other tool is typed', async () => {
  await filter().selectOption('other, by name…')
  const field = page.getByLabel('Name of the tool')
  await field.fill(' Astrolabe')
  await field.press('Enter')
  await page.getByRole('heading', { name: 'No event passes these filters' }).waitFor()
  expect(path()).toBe('/journal?tool=Astrolabe')
  await filter().selectOption('other, by name…')
  await field.press('Escape')
  await filter().waitFor()
  expect(path()).toBe('/journal?tool=Astrolabe')
  await sendFrames(at, [tool('Astrolabe', 9_999)])
  await lines().filter({ hasText: 'buoy 9999' }).waitFor()
})

test('one row from 1280 pixels on, whatever is chosen', async () => {
  const chosen = '/journal?agent=claude&session=ship&type=PreToolUse&tool=Bash'
  for (const width of [1280, 1440, 2560])
    for (const to of ['/journal', chosen]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(new URL(to, page.url()).href)
      await lines().first().waitFor()
      const bar = page.locator('.journal-bar')
      if (to === chosen) await bar.getByRole('button', { name: /^hidden:/ }).waitFor()
      const parts = await bar.locator('input, select, button').all()
      const boxes = await Promise.all(parts.map((one) => one.boundingBox()))
      const middles = boxes.map((box) => (box ? box.y + box.height / 2 : 0))
      const where = { width, to }
      expect({ ...where, isOne: Math.max(...middles) - Math.min(...middles) < 4 }).toEqual({
        ...where,
        isOne: true,
      })
      expect(Math.max(...boxes.map((box) => (box ? box.x + box.width : 0)))).toBeLessThanOrEqual(width)
      expect(Math.min(...boxes.map((box) => box?.width ?? 0))).toBeGreaterThanOrEqual(60)
      expect(await overflow(page)).toBeLessThanOrEqual(0)
    }
  expect(opened.problems).toEqual([])
})
