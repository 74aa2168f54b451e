/** Rules, schema, bus and doctor in a browser: what they show is the daemon's, and what a person does there happens. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { call } from '../../src/client/index.ts'
import { until } from '../kit.ts'
import { overflow, startBrowser, type TestBrowser, type TestPage, violationsOf } from './kit.ts'
import { type OpsWorld, opsWorld, SCRIPT } from './ops-world.ts'

let world: OpsWorld
let browser: TestBrowser
let opened: TestPage
let page: Page

beforeAll(async () => {
  ;[world, browser] = await Promise.all([opsWorld(), startBrowser()])
  opened = await browser.open(world.at, { to: '/rules' })
  page = opened.page
}, 120_000)

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

const open = (path: string) => page.goto(new URL(path, page.url()).href)
const row = (table: string, text: string) =>
  page.getByRole('region', { name: table, exact: true }).getByRole('row').filter({ hasText: text })

describe('rules', () => {
  test('are shown with what they do, their hits and their last time; script is text', async () => {
    await row('Rules', 'no-publish').filter({ hasText: 'deny' }).filter({ hasText: SCRIPT }).waitFor()
    const cells = await row('Rules', 'no-publish').getByRole('cell').allTextContents()
    expect(cells[2]).toBe('1')
    expect(cells[3]).toMatch(/^\d+[sm]/)
    await row('Rules', 'never-asked').filter({ hasText: 'never' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  test('guards are shown with mode and hits, and a filter says what it hides', async () => {
    await page.getByRole('link', { name: 'Guards' }).click()
    await row('Guards', 'git-force-push').filter({ hasText: 'Instead' }).waitFor()
    const all = await page.getByRole('row').count()
    await page.getByRole('button', { name: /found something/ }).click()
    await page.getByText(/hidden: \d+ without a hit/).waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(all)
    await row('Guards', 'git-force-push').waitFor()
    expect(await violationsOf(page, { colours: 'main' })).toEqual([])
  })

  test('say why an event was answered so, from a list of those denied last or by its id', async () => {
    await page.getByRole('link', { name: 'Why' }).click()
    await page.getByRole('link', { name: /npm publish/ }).click()
    await page.getByText('by no-publish').first().waitFor()
    await page.getByLabel('Event', { exact: true }).fill(world.denied)
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByRole('heading', { name: world.denied }).waitFor()
    await page.locator('.reasons mark').filter({ hasText: 'npm publish' }).first().waitFor()
    expect(await violationsOf(page, { colours: 'main' })).toEqual([])
    await page.getByLabel('Event', { exact: true }).fill('nobody')
    await page.getByLabel('Event', { exact: true }).press('Enter')
    await page.getByText('There is no event nobody in the journal.').waitFor()
  })

  test('a draft that is not good is told with its line, which a click selects', async () => {
    await page.getByRole('link', { name: 'Try a draft' }).click()
    const field = page.getByRole('textbox')
    await field.fill('rules:\n  - id: bad\n    on: PreToolUse\n    wehn: { program: npm }\n')
    await page.getByText('no such key').waitFor()
    await page.getByRole('button', { name: 'line 4' }).click()
    const selected = 'getSelection().toString()'
    expect(await page.evaluate<string>(selected)).toContain('wehn')
    expect(await page.getByRole('button', { name: 'Rehearse' }).isDisabled()).toBe(true)
    expect(await violationsOf(page, { colours: 'main' })).toEqual([])
  })

  test('a good draft is rehearsed on the journal, and nothing is saved', async () => {
    const draft = `rules:\n  - id: no-ls\n    on: PreToolUse\n    match: { tool.input.command: '^(ls|git)' }\n    then: { ask: 'why?' }\n`
    await page.getByRole('textbox').fill(draft)
    await page.getByText('good: 1 rule').waitFor()
    await page.getByRole('button', { name: 'last day' }).click()
    await page.getByRole('button', { name: 'Rehearse' }).click()
    await page.locator('.effects .sum').filter({ hasText: '2 asked' }).waitFor()
    await page.locator('.effects').getByText('git push --force origin main').waitFor()
    await page.getByText('draft.yaml').waitFor()
    expect(await violationsOf(page, { colours: 'main' })).toEqual([])
    expect(existsSync(join(world.at.rules, 'draft.yaml'))).toBe(false)
    expect((await call(world.at, 'rules.list', {})).map(({ id }) => id)).not.toContain('no-ls')
    // A slow one is cancelled: its call is given up, and what was found stays away.
    const calls = '**/api/call'
    let asked = 0
    await page.route(calls, async (route) => {
      if (!route.request().postData()?.includes('"since"')) return route.continue()
      asked += 1
      await Bun.sleep(300)
      await route.abort().catch(() => {}) // the page has hung up
    })
    const given = page.waitForEvent(
      'requestfailed',
      (request) => request.postData()?.includes('"since"') ?? false,
    )
    await page.getByRole('button', { name: 'Rehearse' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Cancelled. What was found so far stays.').waitFor()
    expect((await given).failure()?.errorText).toContain('ABORTED')
    await page.getByRole('button', { name: 'Rehearse' }).waitFor()
    expect(asked).toBe(1)
    await page.unroute(calls)
    // The draft outlives another view.
    await page.getByRole('link', { name: 'Bus' }).click()
    await page.goBack()
    await page.getByText('good: 1 rule').waitFor()
  })
})

describe('bus', () => {
  test('shows streams, a consumer with its lag, and the webhook', async () => {
    await open('/bus')
    await row('Streams', 'HOOK_EVENTS').waitFor()
    const cells = row('Consumers', 'reports').getByRole('cell')
    expect(Number(await cells.nth(1).textContent())).toBeGreaterThan(0)
    await row('Webhooks', 'ci').filter({ hasText: '404' }).waitFor()
    expect(await violationsOf(page, { colours: 'main' })).toEqual([])
  })

  test('a dead letter is kept until a person says so, and is sent again', async () => {
    await row('Dead letters', 'webhook:ci').waitFor()
    await page.getByRole('button', { name: /^Drop… event/ }).click()
    await page.getByRole('dialog').getByText('The events themselves stay').waitFor()
    expect(await violationsOf(page, { colours: 'dialog' })).toEqual([])
    await page.keyboard.press('Escape')
    expect(await call(world.at, 'bus.deadLetters', {})).toHaveLength(1)
    const before = world.receiver.got.length
    world.mend()
    await page.getByRole('button', { name: /^Send again: event/ }).click()
    await page.getByText('1 dead letter sent again.').waitFor()
    await until(() => world.receiver.got.length > before, 'the second chance')
    await page.getByText('None: everything was taken').waitFor()
  })
})

describe('schema and doctor', () => {
  test('a drift is shown as a difference, and its finding with the fix to copy', async () => {
    await open('/schema')
    await page.locator('.drifts .gone').filter({ hasText: 'boolean' }).first().waitFor()
    await page.locator('.drifts').getByText(SCRIPT).first().waitFor()
    expect(await violationsOf(page, { colours: 'main' })).toEqual([])
    await open('/doctor')
    const finding = page.locator('.findings li').filter({ hasText: 'stop_hook_active' })
    await finding
      .getByRole('button', { name: /gantry schema/ })
      .first()
      .waitFor()
    await page.getByText('Database').first().waitFor()
    expect(await violationsOf(page, { colours: 'main' })).toEqual([])
  })

  test('figures of the doctor: no row of them is shorter than others', async () => {
    const rows = async () => {
      const figures = await page.locator('.figures > div').all()
      const boxes = await Promise.all(figures.map((one) => one.boundingBox()))
      return [...Map.groupBy(boxes, (box) => box?.y).values()].map(({ length }) => length)
    }
    await page.setViewportSize({ width: 1600, height: 800 })
    expect(await rows()).toEqual([9])
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(await rows()).toEqual([3, 3, 3])
  })

  test('accepting asks first, and then nothing is left to accept', async () => {
    await open('/schema')
    await page.getByRole('button', { name: 'Accept claude' }).click()
    await page.getByRole('button', { name: 'Accept as baseline' }).click()
    await page.getByText('None that is not accepted.').waitFor()
    await page.getByRole('button', { name: /hidden: \d+ accepted/ }).waitFor()
    expect((await call(world.at, 'schema.drifts', {})).every(({ acceptedAt }) => acceptedAt !== null)).toBe(
      true,
    )
  })
})

test('every view fits into 375 pixels, light and dark, and no text became an element', async () => {
  await page.setViewportSize({ width: 375, height: 740 })
  for (const [n, path] of [
    '/rules',
    '/rules/guards',
    '/rules/why?event=3',
    '/rules/draft',
    '/schema',
    '/bus',
    '/doctor',
  ].entries()) {
    const isDark = n % 2 === 0 // the colours of the others are looked at above
    await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
    await open(path)
    await page.locator('.part').first().waitFor()
    await until(async () => (await page.getByText('Loading…').count()) === 0, `all of ${path}`)
    expect(await overflow(page), path).toBeLessThanOrEqual(0)
    expect(await violationsOf(page, { colours: isDark && (n === 0 ? 'html' : 'main') }), path).toEqual([])
  }
  expect(await page.evaluate('window.broken')).toBeUndefined()
  expect(opened.problems).toEqual([])
}, 120_000)
